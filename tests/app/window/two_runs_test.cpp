// SPDX-License-Identifier: Apache-2.0
// Two profiles of one graph or of two states of a recipe, node by node.
#include "app/window/docks/window_docks.h"
#include "tests/app/window/desktop.h"
#include "tests/shared_data.h"
#include "views/models/profile/delta_model.h"
#include "views/panels/profile/delta_panel.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <filesystem>
#include <set>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::Desktop;

namespace {

namespace fs = std::filesystem;

const char* const timedNetwork = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }
node { name: "net/w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 0.5
    tensor_shape { dim { size: 3 } dim { size: 4 } } } } } }
node { name: "net/product" op: "MatMul" input: "x" input: "net/w"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/check" op: "CheckNumerics" input: "net/product"
  attr { key: "T" value { type: DT_FLOAT } } attr { key: "message" value { s: "bad" } } }
node { name: "y" op: "Softmax" input: "net/check" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

struct TimeDesk : Desktop {
    Document& document() const { return *window->parts().tabs->document(); }
    const ProfileDelta& delta() const
    {
        REQUIRE(document().delta().delta());
        return *document().delta().delta();
    }
    void openAndKeep(const std::string& model) const
    {
        REQUIRE(run("open \"" + model +
                    "\"\nwait idle\naction graph.profile\nwait idle\n"
                    "action profile.keep\nwait idle\n") == 0);
    }
    void applied(const std::vector<RecipeStep>& steps) const
    {
        RecipeDraft draft;
        for (const RecipeStep& step : steps)
            draft.items.push_back({step, true});
        draft.applied = draft.items.size();
        recipe().change(draft);
        recipe().show(draft.items.size());
        REQUIRE(run("wait idle\n") == 0);
        for (const RecipeSession::Place& place : recipe().places()) {
            INFO((place.state ? place.state->fault : "no state"));
            REQUIRE(place.status == RecipeSession::Status::Applied);
        }
    }
    void profiled() const { REQUIRE(run("action graph.profile\nwait idle\n") == 0); }
    std::int64_t countOf(DeltaKind kind) const
    {
        return std::ranges::count(delta().rows(), kind, &DeltaRow::kind);
    }
};

// Each node of either profile has one row, and the rows add up to the difference of the runs.
void checkSums(const ProfileDelta& delta)
{
    std::int64_t sum = 0;
    std::set<std::uint32_t> before;
    std::set<std::uint32_t> after;
    std::size_t count = 0;
    for (const DeltaRow& row : delta.rows()) {
        sum += delta.scaledDifference(row);
        before.insert(row.before.begin(), row.before.end());
        after.insert(row.after.begin(), row.after.end());
        count += row.before.size() + row.after.size();
    }
    CHECK(before.size() == delta.before().nodes.size());
    CHECK(after.size() == delta.after().nodes.size());
    CHECK(count == before.size() + after.size());
    const std::int64_t all = delta.after().nodeNanoseconds() + delta.after().outsideNanoseconds;
    const std::int64_t old = delta.before().nodeNanoseconds() + delta.before().outsideNanoseconds;
    CHECK(sum == all * delta.before().runs - old * delta.after().runs);
}

RecipeStep step(const char* pass, std::vector<std::pair<std::string, std::string>> parameters = {})
{
    RecipeStep made{pass, {}};
    for (const auto& [name, value] : parameters)
        made.parameters.add(name, value);
    return made;
}

} // namespace

TEST_CASE("a measurement waits to be kept", "[profile]")
{
    const TimeDesk desk;
    const std::string model = desk.path("net.pbtxt");
    REQUIRE(writeFileAtomically(model, timedNetwork).ok());
    CHECK(desk.run("open \"" + model +
                   "\"\nwait idle\naction view.twoRuns\nwait idle\n"
                   "expect text deltaRemark \"Profile the graph (F5)\"\n"
                   "action graph.profile\nwait idle\naction view.twoRuns\nwait idle\n"
                   "expect text deltaRemark \"Keep the profile\"\n") == 0);
}

TEST_CASE("The titles of two runs are whole in a small window", "[window][profile]")
{
    const TimeDesk desk;
    const std::string model = desk.path("net.pbtxt");
    REQUIRE(writeFileAtomically(model, timedNetwork).ok());
    desk.openAndKeep(model);
    desk.window->show();
    REQUIRE(desk.run("size 1280 800\naction graph.profile\nwait idle\naction view.twoRuns\n"
                     "wait idle\n") == 0);
    desk.window->show();
    const auto* table = desk.window->findChild<QTableView*>(u"deltaTable"_s);
    REQUIRE(table != nullptr);
    for (int column = 0; column < DeltaModel::ColumnCount; ++column)
        CHECK(table->columnWidth(column) >= table->horizontalHeader()->sectionSizeHint(column));
    CHECK(table->horizontalHeader()->length() <= table->viewport()->width());
}

TEST_CASE("A kept profile is compared with the next one", "[window][profile]")
{
    const TimeDesk desk;
    const std::string model = desk.path("net.pbtxt");
    REQUIRE(writeFileAtomically(model, timedNetwork).ok());
    desk.openAndKeep(model);
    CHECK_FALSE(desk.document().delta().delta());
    desk.applied({step("remove_nodes", {{"op", "CheckNumerics"}})});
    desk.profiled();
    checkSums(desk.delta());
    CHECK(desk.document().colors().mode() == ColorMode::TwoRuns);
    REQUIRE(desk.run("action view.twoRuns\nexpect text deltaRemark \" a run, \"\n") == 0);
    auto* table = desk.window->findChild<QTableView*>(u"deltaTable"_s);
    REQUIRE(table != nullptr);
    CHECK(table->model()->rowCount() == int(desk.delta().rows().size()));
    // A row goes to its node.
    for (int i = 0; i < table->model()->rowCount(); ++i)
        if (table->model()->index(i, 0).data().toString().startsWith(u"net/product"_s))
            table->setCurrentIndex(table->model()->index(i, 0));
    CHECK(desk.document().selection().item() ==
          ItemId::of(desk.document().graph()->find("net/product")));
    REQUIRE(desk.run("action profile.forget\nwait idle\n") == 0);
    CHECK_FALSE(desk.document().delta().delta());
    CHECK(table->model()->rowCount() == 0);
    CHECK(desk.document().colors().mode() == ColorMode::Time);
}

TEST_CASE("The model of two runs keeps the rules of models", "[models][profile]")
{
    NodeProfile profile;
    profile.nodes.resize(2);
    profile.nodes[0].name = "a";
    profile.nodes[0].nanoseconds = 5000;
    profile.nodes[1].name = "b";
    const auto before = std::make_shared<const NodeProfile>(profile);
    profile.nodes[1].name = "c";
    const auto after = std::make_shared<const NodeProfile>(profile);
    DeltaModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setDelta(ProfileDelta::make(before, after, pairsByName(*before, *after)));
    REQUIRE(model.rowCount() == 4); // a, b, c, and the time outside of nodes
    CHECK(model.index(0, DeltaModel::VerdictColumn).data().toString() == u"noise"_s);
    CHECK(model.index(1, DeltaModel::VerdictColumn).data().toString() == u"gone"_s);
    CHECK(model.index(2, DeltaModel::VerdictColumn).data().toString() == u"new"_s);
    CHECK(model.index(3, DeltaModel::NodeColumn).data().toString() == u"outside of nodes"_s);
    // Times below 1 ms are not written as "0.005".
    const auto titleOf = [&](int column) {
        return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    };
    CHECK(titleOf(DeltaModel::BeforeColumn) == u"Before, \u00B5s"_s);
    CHECK(model.index(0, DeltaModel::BeforeColumn).data().toString() == u"5.0"_s);
    profile.outsideNanoseconds = 2'000'000; // nor if the rest of the run is long
    const auto waited = std::make_shared<const NodeProfile>(profile);
    model.setDelta(ProfileDelta::make(after, waited, pairsByName(*after, *waited)));
    CHECK(titleOf(DeltaModel::BeforeColumn) == u"Before, \u00B5s"_s);
    profile.outsideNanoseconds = 0;
    profile.nodes[0].nanoseconds = 2'500'000;
    const auto longer = std::make_shared<const NodeProfile>(profile);
    model.setDelta(ProfileDelta::make(after, longer, pairsByName(*after, *longer)));
    CHECK(titleOf(DeltaModel::DifferenceColumn) == u"Difference, ms"_s);
    CHECK(model.index(0, DeltaModel::AfterColumn).data().toString() == u"2.500"_s);
    model.setDelta(nullptr);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("Totals of two states reconcile through their lineage", "[window][profile][trained]")
{
    const fs::path model = sharedData() / "models/trained/tiny_mobilenet.pb";
    if (!fs::exists(model))
        return;
    const TimeDesk desk;
    desk.openAndKeep(model.string());
    SECTION("normalizations that were folded into their convolutions")
    {
        desk.applied({step("fold_constants"), step("fold_batch_norms")});
    }
    SECTION("constants that were folded")
    {
        desk.applied({step("fold_constants")});
    }
    SECTION("weights and nodes in 8 bits")
    {
        desk.applied({step("fold_constants"), step("fold_batch_norms"), step("quantize_weights"),
                      step("quantize_nodes")});
    }
    SECTION("nodes that are gone")
    {
        desk.applied({step("strip_unused_nodes"), step("remove_nodes", {{"op", "Relu6"}})});
    }
    desk.profiled();
    checkSums(desk.delta());
}

// Measures how often two profiles of one state differ by more than the noise. Hidden, because it
// depends on the clock.
TEST_CASE("Two profiles of the same state differ within the noise", "[.noise]")
{
    const fs::path model = sharedData() / "models/trained/tiny_mobilenet.pb";
    REQUIRE(fs::exists(model));
    const TimeDesk desk;
    constexpr int tries = 20;
    int quiet = 0;
    for (int i = 0; i < tries; ++i) {
        desk.openAndKeep(model.string());
        desk.profiled();
        const auto loud = std::int64_t(desk.delta().rows().size()) - desk.countOf(DeltaKind::Noise);
        quiet += loud == 0 ? 1 : 0;
        WARN("try " << i << ": " << loud << " of " << desk.delta().rows().size()
                    << " rows beyond the noise");
        REQUIRE(desk.run("action file.close\n") == 0);
    }
    WARN(quiet << " of " << tries << " tries within the noise");
    CHECK(quiet >= 19);
}
