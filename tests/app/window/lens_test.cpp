// SPDX-License-Identifier: Apache-2.0
// The difference between a state's tensors and the original's, and ranges that the user sets.
#include "app/document/range_trials.h"
#include "tests/app/window/run_desk.h"
#include "transforms/pass/pass.h"
#include "views/models/run/lens_model.h"
#include "views/panels/run/lens_panel.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::RunDesk;

TEST_CASE("a state's numbers are listed beside the original's", "[run][lens]")
{
    const RunDesk desk;
    CHECK(desk.run(desk.opened("action lens.compare\n"
                               "expect text lensRemark \"original itself\"\n"
                               "expect disabled lens.next\n"
                               "action recipe.addPass\ntype quantize_nodes\nkey Return\nwait idle\n"
                               "action recipe.all\nwait idle\naction lens.compare\n"
                               "expect text lensTable dB\nexpect enabled lens.next\n")) == 0);
    LensSession& lens = desk.document().lens();
    REQUIRE(lens.found());
    const auto& pairs = lens.found()->pairs;
    const auto quantized = std::ranges::find_if(
        pairs, [](const VerifiedPair& pair) { return pair.codes.has_value(); });
    REQUIRE(quantized != pairs.end());
    CHECK(quantized->codes->scale > 0);
    lens.setThreshold(200); // everything inexact
    const auto first = lens.next();
    REQUIRE(first);
    CHECK(pairs[*first].agreement.sqnrDb < 200);
    CHECK(std::all_of(
        pairs.begin(), pairs.begin() + std::ptrdiff_t(*first),
        [](const VerifiedPair& pair) { return pair.isUndone || pair.agreement.sqnrDb >= 200; }));
    lens.setThreshold(-1000);
    CHECK(!lens.next());
}

TEST_CASE("the names of compared tensors have what their figures leave", "[run][lens]")
{
    const RunDesk desk;
    LensPanel panel;
    const auto* table = panel.findChild<QTableView*>(u"lensTable"_s);
    REQUIRE(table != nullptr);
    panel.resize(1280, 300);
    panel.show();
    const int narrow = table->columnWidth(LensModel::TensorColumn);
    panel.resize(1920, 300);
    CHECK(table->columnWidth(LensModel::TensorColumn) == narrow + 640);
}

TEST_CASE("a narrow table of numbers has space for the figures of codes", "[run][lens]")
{
    const RunDesk desk;
    LensPanel panel;
    const auto* table = panel.findChild<QTableView*>(u"lensTable"_s);
    REQUIRE(table != nullptr);
    constexpr int narrow = 698; // of the tables in a window of 1280 by 800
    panel.resize(narrow, 215);
    panel.show();
    Verification found;
    found.pairs.resize(1);
    const auto show = [&] { panel.setFound(std::make_shared<const Verification>(found)); };
    show();
    CHECK(table->isColumnHidden(LensModel::ScaleColumn)); // no tensor has a scale
    CHECK_FALSE(table->isColumnHidden(LensModel::CosineColumn));
    CHECK(table->horizontalHeader()->length() <= narrow);
    found.pairs[0].codes.emplace();
    show();
    CHECK_FALSE(table->isColumnHidden(LensModel::ScaleColumn));
    CHECK(table->horizontalHeader()->length() <= narrow);
    CHECK(table->columnWidth(LensModel::TensorColumn) >= 200); // two parts of a name, and more
    for (int column = 0; column < LensModel::ColumnCount; ++column)
        if (!table->isColumnHidden(column) && column != LensModel::TensorColumn)
            CHECK(table->columnWidth(column) >= table->horizontalHeader()->sectionSizeHint(column));
    CHECK(table->model()
              ->index(0, LensModel::SqnrColumn)
              .data(Qt::ToolTipRole)
              .toString()
              .contains(u"Cosine"_s));
    panel.resize(1200, 215);
    CHECK_FALSE(table->isColumnHidden(LensModel::CosineColumn));
}

TEST_CASE("a range is tried, kept as a step, and gives the bytes of the command line",
          "[run][lens]")
{
    const RunDesk desk;
    REQUIRE(desk.run(desk.opened("expect disabled lens.editRange\n"
                                 "action recipe.addPass\ntype quantize_nodes\nkey Return\n"
                                 "wait idle\naction recipe.all\nwait idle\n"
                                 "action lens.compare\nwait idle\n"
                                 "expect text rangeResult \"choose a rounded tensor\"\n")) == 0);
    LensSession& lens = desk.document().lens();
    REQUIRE(lens.found());
    const auto pairs = lens.found()->pairs;
    const auto rounding = std::ranges::find_if(
        pairs, [](const VerifiedPair& pair) { return pair.isRounding && pair.codes; });
    REQUIRE(rounding != pairs.end());
    const std::string node(parseInput(rounding->b).node);
    const GraphPtr before = desk.document().graph();
    // The range is far too short: most of the tensor is clipped, and the line shows the loss.
    desk.window->show();
    REQUIRE(desk.run("range " + node +
                     " -0.001 0.001\nwait idle\n"
                     "expect text rangeResult \"% saturated\"\n"
                     "expect text rangeResult output\n"
                     "expect enabled lens.keepRange\n") == 0);
    REQUIRE(lens.trial());
    REQUIRE(lens.trial()->found);
    const auto at = pairOf(*lens.trial()->found, node);
    REQUIRE(at);
    CHECK(lens.trial()->found->pairs[*at].agreement.sqnrDb < rounding->agreement.sqnrDb);
    CHECK(desk.document().graph() == before); // a trial changes nothing
    // When the trial is kept, the step has its range, and the numbers are compared again.
    desk.window->show();
    REQUIRE(desk.run("key Ctrl+G\nkey Shift+Q\nwait idle\nexpect disabled lens.keepRange\n") == 0);
    const auto& items = desk.recipe().items();
    REQUIRE(items.size() == 2);
    CHECK(printRecipe({items[1].step}).find("set_range(name=") == 0);
    REQUIRE(lens.found());
    CHECK(lens.graph() == desk.document().graph());
    const auto kept = pairOf(*lens.found(), node);
    REQUIRE(kept);
    const auto set = roundedTensor(lens, *kept);
    REQUIRE(set);
    CHECK(set->range == std::pair(-0.001F, 0.001F));
    // The command line applies the same recipe.
    const auto recipe =
        parseRecipe(printRecipe({items[0].step, items[1].step}), RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    GraphPtr made = desk.recipe().base();
    for (const RecipeStep& step : *recipe) {
        const auto edit = findPass(step.pass)->run(
            made, {desk.recipe().ends().inputs, desk.recipe().ends().outputs, step.parameters},
            Job());
        REQUIRE(edit.ok());
        made = edit->graph;
    }
    CHECK(encodeGraphDef(*made) == encodeGraphDef(*desk.document().graph()));
}

TEST_CASE("a wrong range says why beside its fields, and nothing is kept", "[run][lens]")
{
    const RunDesk desk;
    REQUIRE(desk.run(desk.opened("action recipe.addPass\ntype quantize_nodes\nkey Return\n"
                                 "wait idle\naction recipe.all\nwait idle\n"
                                 "action lens.compare\nwait idle\n")) == 0);
    const auto& pairs = desk.document().lens().found()->pairs;
    const auto rounding = std::ranges::find_if(pairs, &VerifiedPair::isRounding);
    REQUIRE(rounding != pairs.end());
    const std::string node(parseInput(rounding->b).node);
    desk.window->show();
    CHECK(desk.run("range " + node +
                   " 1 2\nwait idle\n"
                   "expect text rangeResult \"min at most 0\"\n"
                   "expect disabled lens.keepRange\n") == 0);
    desk.window->show();
    CHECK(desk.run("range nowhere -1 1\n") == 1);
}

TEST_CASE("one key goes to the convolution that was damaged", "[run][lens]")
{
    const RunDesk desk;
    std::string text = R"(node { name: "picture" op: "Placeholder"
        attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape {
          dim { size: 1 } dim { size: 8 } dim { size: 8 } dim { size: 1 } } } } }
      node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
        attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {
          dim { size: 3 } dim { size: 3 } dim { size: 1 } dim { size: 1 } } float_val: 0.1
          float_val: 0.2 float_val: 0.1 float_val: 0.05 float_val: 0.3 float_val: 0.05
          float_val: 0.1 float_val: 0.2 float_val: 0.1 } } } })";
    for (int i = 1; i <= 12; ++i)
        text += "node { name: \"conv" + std::to_string(i) + "\" op: \"Conv2D\" input: \"" +
                (i == 1 ? "picture" : "conv" + std::to_string(i - 1)) +
                R"(" input: "w" attr { key: "T" value { type: DT_FLOAT } }
                attr { key: "padding" value { s: "SAME" } }
                attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } } })";
    REQUIRE(writeFileAtomically(desk.model, text).ok());
    REQUIRE(desk.run(desk.opened("")) == 0);
    const auto recipe =
        parseRecipe("set_attribute(name=conv10, attribute_name=dilations, value=\"1,4,4,1\")",
                    RecipeSyntax::Strict);
    REQUIRE(recipe.ok());
    RecipeDraft draft;
    draft.items.push_back({recipe->front(), true});
    draft.applied = 1;
    desk.recipe().change(draft);
    desk.recipe().show(1);
    desk.window->show();
    REQUIRE(desk.run("wait idle\nkey Ctrl+G\nkey Q\nwait idle\nexpect enabled lens.next\n"
                     "key Ctrl+G\nkey E\nwait idle\nexpect selected conv10\n"
                     "key Ctrl+G\nkey E\nwait idle\nexpect selected conv11\n") == 0);
    // The picture is also colored by the difference.
    const DataTablePtr table = desk.document().data().table();
    REQUIRE(table);
    CHECK(table->columns().back().name == "SQNR");
    const auto row = table->rowOf(desk.document().graph()->find("conv10"));
    REQUIRE(row);
    CHECK(*table->number(*row, table->columns().size() - 1) < 20);
    CHECK(!table->rowOf(desk.document().graph()->find("conv9"))); // exact
}
