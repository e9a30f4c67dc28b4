// SPDX-License-Identifier: Apache-2.0
// The search for smaller files in the window: its plot, the recipe of a file on the timeline, and
// that it finds the same files as the command line.
#include "app/document/accuracy_runs.h"
#include "app/document/recipe/recipe_edits.h"
#include "graph_model/base/sha256.h"
#include "tests/app/window/layer_desk.h"
#include "transforms/accuracy/autopilot_choice.h"
#include "views/models/recipe/autopilot_text.h"
#include "views/models/recipe/point_layer_model.h"
#include "views/panels/recipe/autopilot_form.h"

#include <QAbstractItemModelTester>
#include <QTest>

#include <cmath>

#include <nlohmann/json.hpp>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::bytesOf;
using lapidary::testing::LayerDesk;
using lapidary::testing::printedBy;

namespace {

// A limit that searches of these small networks never reach, so that a busy machine finds the same
// files.
constexpr const char* patient = "set autopilotSeconds 1000\n";

std::string searched(const LayerDesk& desk, const std::string& script)
{
    return desk.opened(std::string("action recipe.autopilot\n") + patient +
                       "autopilot smallest \"30 dB\"\nwait idle\n" + script);
}

AutopilotSession& session(const LayerDesk& desk)
{
    return desk.document().autopilot();
}

} // namespace

TEST_CASE("The window finds the files of the command line, and makes them again by its timeline",
          "[window][autopilot]")
{
    const LayerDesk desk;
    desk.writeModel();
    REQUIRE(desk.run(searched(desk, "expect autopilot points > 3\nexpect autopilot front > 1\n"
                                    "expect autopilot holds\n"
                                    "expect text autopilotFront \"built and run\"\n"
                                    "expect text autopilotLayers layer0\n")) == 0);
    const std::string out = desk.path("small.pb");
    const auto json = nlohmann::json::parse(
        printedBy({u"autopilot"_s, QString::fromStdString(desk.model), u"--min-sqnr"_s, u"30"_s,
                   u"--seconds"_s, u"1000"_s, u"--json"_s, u"-o"_s, QString::fromStdString(out)}));
    const auto found = session(desk).found();
    REQUIRE(found);
    REQUIRE(found->points.size() == json["points"].size());
    for (std::size_t i = 0; i < found->points.size(); ++i) {
        CHECK(json["points"][i]["recipe"] == printRecipe(found->points[i].recipe));
        CHECK(json["points"][i]["bytes"] == found->points[i].bytes);
        if (std::isfinite(found->points[i].noise.sqnrDb()))
            CHECK(found->points[i].noise.sqnrDb() == json["points"][i]["sqnr_db"]);
        CHECK(found->points[i].costs.size() == found->points[i].layers.size());
    }
    REQUIRE(found->chosen == json["chosen"].get<std::size_t>());
    desk.window->show();
    REQUIRE(desk.run("autopilot use\nwait idle\nexpect autopilot used " +
                     std::to_string(*found->chosen) + "\n") == 0);
    CHECK(desk.recipe().applied() == found->points[*found->chosen].recipe.size());
    CHECK(sha256Of(encodeGraphDef(*desk.document().graph())) == sha256Of(bytesOf(out)));
}

TEST_CASE("Another file takes the place of the first on the timeline, and undo brings it back",
          "[window][autopilot]")
{
    const LayerDesk desk;
    desk.writeModel();
    REQUIRE(desk.run(searched(desk, "")) == 0);
    const auto found = session(desk).found();
    REQUIRE(found);
    REQUIRE(found->points.size() > 1);
    for (std::size_t i = 0; i < found->points.size(); ++i) {
        const std::string number = std::to_string(i);
        desk.window->show();
        REQUIRE(desk.run("autopilot use " + number + "\nwait idle\nexpect autopilot used " +
                         number + "\nexpect enabled graph.compareOriginal\n") == 0);
        CHECK(std::int64_t(encodeGraphDef(*desk.document().graph()).size()) ==
              found->points[i].bytes);
    }
    desk.window->show();
    REQUIRE(desk.run("action recipe.undo\nwait idle\nexpect autopilot used " +
                     std::to_string(found->points.size() - 2) + "\n") == 0);
    // The next search begins with the graph of the first one, not with the file that is shown.
    desk.window->show();
    REQUIRE(desk.run("autopilot\nwait idle\nexpect autopilot points > 3\n") == 0);
    CHECK(session(desk).steps() == 0);
    CHECK(session(desk).found()->bytes == found->bytes);
}

TEST_CASE("A file of a graph that is gone is refused with the reason", "[window][autopilot]")
{
    const LayerDesk desk;
    desk.writeModel();
    REQUIRE(desk.run(desk.opened("action recipe.addPass\ntype fold_constants\nkey Return\n"
                                 "wait idle\naction recipe.all\nwait idle\naction state.last\n"
                                 "action recipe.autopilot\n" +
                                 std::string(patient) +
                                 "autopilot smallest \"30 dB\"\nwait idle\n")) == 0);
    CHECK(session(desk).steps() == 1);
    CHECK(usePoint(desk.document(), 0).isEmpty());
    CHECK(desk.recipe().items().front().step.pass == "fold_constants");
    desk.recipe().change(RecipeDraft{});
    CHECK(usePoint(desk.document(), 0) ==
          u"The graph that was searched is no longer there; search again"_s);
}

TEST_CASE("Cancelling a search keeps the files that were built", "[window][autopilot]")
{
    const LayerDesk desk;
    desk.writeModel();
    REQUIRE(desk.run(desk.opened("")) == 0);
    AutopilotSession& search = session(desk);
    bool wasBusy = false;
    QObject::connect(&search, &AutopilotSession::changed, &search, [&] {
        if (search.isBusy() && search.found() && !search.found()->points.empty()) {
            wasBusy = true;
            search.cancel();
        }
    });
    searchSmaller(desk.document());
    REQUIRE(QTest::qWaitFor([&] { return !search.isBusy(); }, 120'000));
    REQUIRE(search.found());
    REQUIRE_FALSE(search.found()->points.empty());
    CHECK(search.failure().isEmpty());
    CHECK(search.current());
    CHECK(search.found()->isStopped == wasBusy);
    CHECK(usePoint(desk.document(), *search.current()).isEmpty());
}

TEST_CASE("A fault in a wish is shown beside its field, and nothing is lost", "[window][autopilot]")
{
    const LayerDesk desk;
    desk.writeModel();
    REQUIRE(desk.run(searched(desk, "")) == 0);
    const auto found = session(desk).found();
    desk.window->show();
    CHECK(desk.run("set autopilotGoal \"a file of\"\nset autopilotSize nonsense\n"
                   "action autopilot.search\nwait idle\nexpect autopilot failed\n"
                   "expect text autopilotRemark \"3.7x, 1.2MB or 500kB, not 'nonsense'\"\n"
                   "set autopilotSize 2x\nset autopilotAccuracy much\n"
                   "action autopilot.search\nwait idle\n"
                   "expect text autopilotRemark \"0.5%, or 30 dB, not 'much'\"\n") == 0);
    CHECK(session(desk).found() == found);
    desk.window->show();
    CHECK(desk.run("set autopilotAccuracy \"30 dB\"\nset autopilotKept nowhere\n"
                   "action autopilot.search\nwait idle\n"
                   "expect text autopilotRemark \"nowhere names no layer\"\n"
                   "set autopilotKept \"layer0 scores\"\naction autopilot.search\nwait idle\n"
                   "expect autopilot points > 0\n") == 0);
    for (const AutopilotPoint& point : session(desk).found()->points)
        for (const auto& [name, form] : point.layers)
            CHECK((name != "layer0" && name != "scores"));
}

TEST_CASE("A budget that nothing holds names the nearest file", "[window][autopilot]")
{
    const LayerDesk desk;
    desk.writeModel();
    REQUIRE(desk.run(desk.opened(std::string("action recipe.autopilot\n") + patient +
                                 "autopilot size=10B \"30 dB\"\nwait idle\n"
                                 "expect text autopilotRemark \"no file is that small\"\n")) == 0);
    CHECK_FALSE(session(desk).found()->holdsBudget);
    CHECK(session(desk).current() == session(desk).found()->chosen);
    CHECK(mostSize(session(desk).limits()) == 10);
    // The session restores the wish.
    const auto kept = desk.document().memory().state();
    AutopilotSession other(QThreadPool::globalInstance());
    other.restore(kept["graphs"]["0"]["autopilot"]);
    CHECK(other.choice() == session(desk).choice());
    other.restore({{"budget", 7}, {"seed", "x"}}); // of a damaged file
    CHECK(other.choice() == AutopilotChoice());
}

TEST_CASE("The keys alone search, look at files and use one", "[window][autopilot]")
{
    const LayerDesk desk;
    desk.writeModel();
    REQUIRE(desk.run(searched(desk, "")) == 0);
    const auto chosen = session(desk).current();
    REQUIRE(chosen);
    auto* front = desk.window->findChild<QWidget*>(u"autopilotFront"_s);
    REQUIRE(front != nullptr);
    desk.window->show();
    front->setFocus();
    const bool isLast = *chosen + 1 == session(desk).found()->points.size();
    REQUIRE(desk.run(isLast ? "key Left\n" : "key Right\n") == 0);
    const auto now = session(desk).current();
    REQUIRE(now);
    CHECK(*now == (isLast ? *chosen - 1 : *chosen + 1));
    desk.window->show();
    front->setFocus();
    REQUIRE(desk.run("key Return\nwait idle\n") == 0);
    CHECK(isPointUsed(desk.document(), *now));
}

TEST_CASE("A time is a goal of the window's search, too", "[window][autopilot]")
{
    const LayerDesk desk;
    desk.writeModel();
    // Every file is that fast, however busy the machine is.
    REQUIRE(desk.run(desk.opened(std::string("action recipe.autopilot\n") + patient +
                                 "set autopilotGoal \"as fast as\"\nset autopilotSize 1000s\n"
                                 "set autopilotAccuracy \"30 dB\"\naction autopilot.search\n"
                                 "wait idle\nexpect autopilot points > 1\n"
                                 "expect autopilot holds\n"
                                 "expect text autopilotRemark \"times as fast on this "
                                 "machine\"\n")) == 0);
    CHECK(session(desk).choice().budget == "time=1000s");
    const auto found = session(desk).found();
    REQUIRE(found);
    CHECK(found->nanoseconds > 0);
    QStringList forms;
    for (const AutopilotPoint& point : found->points) {
        CHECK(point.nanoseconds > 0);
        forms.append(formsText(point));
    }
    CHECK(forms.join(u'\n').contains(u"computed in 8 bits"_s));
    desk.window->show();
    CHECK(desk.run("set autopilotSize 5\naction autopilot.search\nwait idle\n"
                   "expect text autopilotRemark \"a time is 2x, 5ms or 800us, not '5'\"\n") == 0);
}

TEST_CASE("The layers of a file keep the rules of models", "[models][autopilot]")
{
    PointLayerModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    AutopilotPoint point;
    point.layers = {{"a", LayerForm::Channel8}, {"b", LayerForm::Float}};
    point.costs = {{100, 0.3}, {400, 0.0}};
    model.setPoint(point);
    REQUIRE(model.rowCount() == 2);
    CHECK(model.index(0, PointLayerModel::FormColumn).data() == u"8 bits per channel"_s);
    CHECK(model.index(0, PointLayerModel::ShareColumn).data() == u"100.0 %"_s);
    CHECK(model.index(1, PointLayerModel::ShareColumn).data() == QString());
    AutopilotPoint other = point;
    other.layers[1].second = LayerForm::Tensor16;
    CHECK(differenceText(point, other, 3) == u"b: 16 bits, here float"_s);
    CHECK(formsText(point) == u"1 layer in float, 1 in 8 bits per channel"_s);
    model.setPoint({});
    CHECK(model.rowCount() == 0);
}
