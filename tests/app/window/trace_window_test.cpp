// SPDX-License-Identifier: Apache-2.0
// A selection in the table, the canvas or the timeline of a profile appears in all three, and the
// exported trace has the whole run.
#include "app/window/docks/window_docks.h"
#include "app/window/view/document_view.h"
#include "resources/samples/samples.h"
#include "runner/profile/chrome_trace.h"
#include "tests/app/window/desktop.h"
#include "views/canvas/graph_canvas.h"
#include "views/models/profile/profile_node_model.h"
#include "views/panels/profile/timeline_view.h"

#include <QTableView>
#include <QTest>

#include <filesystem>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::Desktop;

namespace {

struct TraceDesk : Desktop {
    TraceDesk()
    {
        REQUIRE(run("size 1280 800\nopen " + write("net.pb", samples::residualNetwork()) +
                    "\nwait idle\naction graph.profile\nwait idle\naction view.expandAll\n"
                    "wait idle\n") == 0);
        window->show();
        QApplication::processEvents();
    }
    Document& document() const { return *window->parts().tabs->document(); }
    QTableView* table() const { return window->findChild<QTableView*>(u"profileTable"_s); }
    TimelineView* timeline() const { return window->findChild<TimelineView*>(); }
    std::string selected() const
    {
        const ItemId item = document().selection().item();
        return item.isNode() ? std::string(document().graph()->node(item.node()).name()) : "";
    }
};

} // namespace

TEST_CASE("a selection in table, canvas or timeline is selected in all three", "[window][profile]")
{
    const TraceDesk desk;
    const NodeProfile& profile = *desk.document().profile().profile();
    REQUIRE(profile.slices.size() >= 4);
    QTableView* table = desk.table();
    REQUIRE(table != nullptr);
    const auto nameInTable = [&] {
        return table->currentIndex()
            .siblingAtColumn(ProfileNodeModel::NodeColumn)
            .data()
            .toString();
    };
    // Select in the table.
    table->setCurrentIndex(table->model()->index(2, 0));
    const std::string third = desk.selected();
    REQUIRE(!third.empty());
    CHECK(desk.timeline()->selectedNames() == QStringList{QString::fromStdString(third)});
    // Select on the canvas. The third node by time differs from run to run.
    const auto nameAt = [&](std::size_t slice) {
        return profile.nodes[profile.slices[slice].row].name;
    };
    const std::size_t last = profile.slices.size() - 1;
    const std::string other = nameAt(last) != third ? nameAt(last) : nameAt(last - 1);
    REQUIRE(other != third);
    REQUIRE(desk.run("select " + other + "\nwait idle\n") == 0);
    CHECK(desk.timeline()->selectedNames() == QStringList{QString::fromStdString(other)});
    CHECK(QString::fromStdString(other).endsWith(nameInTable().section(u'/', -1)));
    // Select on the timeline.
    desk.window->show();
    REQUIRE(desk.run("set profileBy Timeline\nwait idle\n") == 0);
    desk.window->show();
    desk.timeline()->setFocus();
    QTest::keyClick(desk.timeline(), Qt::Key_Left);
    const std::string before = desk.selected();
    CHECK(before != other);
    CHECK(desk.timeline()->selectedNames() == QStringList{QString::fromStdString(before)});
    CHECK(QString::fromStdString(before).endsWith(nameInTable().section(u'/', -1)));
}

TEST_CASE("the trace of a run has a slice for each execution", "[window][profile]")
{
    const TraceDesk desk;
    const NodeProfile& profile = *desk.document().profile().profile();
    const auto read = decodeChromeTrace(encodeChromeTrace(stepRecords(profile)));
    REQUIRE(read.ok());
    REQUIRE(read->devices.size() == 1);
    const auto& records = read->devices[0].nodes;
    CHECK(records.size() == profile.slices.size());
    std::int64_t executions = 0;
    for (const ProfiledNode& node : profile.nodes)
        executions += node.calls;
    CHECK(std::int64_t(records.size()) == executions);
    for (std::size_t i = 0; i < records.size(); ++i)
        CHECK(records[i].node == profile.nodes[profile.slices[i].row].name);
    REQUIRE(desk.run("trace \"" + desk.path("trace.json") + "\"\n") == 0);
    CHECK(std::filesystem::file_size(desk.path("trace.json")) > 0);
    CHECK(desk.run("expect enabled profile.saveTrace\naction graph.clearProfile\nwait idle\n"
                   "expect disabled profile.saveTrace\n") == 0);
}
