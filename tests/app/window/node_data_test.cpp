// SPDX-License-Identifier: Apache-2.0
// Numbers of nodes from files: in the picture, in their table, and after a restart.
#include "tests/app/window/desktop.h"
#include "views/theme/text_measure.h"

#include <QTableView>

#include <fstream>

#include <nlohmann/json.hpp>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::Desktop;

namespace {

const char* const dataNetwork = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }
node { name: "net/w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT
    tensor_shape { dim { size: 3 } dim { size: 4 } } float_val: 0.5 } } } }
node { name: "net/product" op: "MatMul" input: "x" input: "net/w"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/relu" op: "Relu" input: "net/product" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Softmax" input: "net/relu" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

struct DataDesk : Desktop {
    DataDesk() { openNetwork(dataNetwork); }
    std::string file(const char* name, const char* text) const
    {
        std::ofstream(path(name)) << text;
        return path(name);
    }
    Document& document() const { return *window->parts().tabs->document(); }
    const Coloring& coloring() const
    {
        const ColoringPtr& made = document().colors().classes().coloring;
        REQUIRE(made);
        return *made;
    }
    double valueOf(ItemId item) const
    {
        const OverlayFace* face = coloring().face(item);
        REQUIRE(face != nullptr);
        return face->value;
    }
    ItemId node(const char* name) const { return ItemId::of(document().graph()->find(name)); }
    ItemId scope(const char* name) const
    {
        return ItemId::of(document().picture().preparation()->tree().find(name));
    }
    QAbstractItemModel* table() const
    {
        return window->findChild<QTableView*>(u"nodeDataTable"_s)->model();
    }
};

} // namespace

TEST_CASE("numbers of a file color the picture and are a column", "[window][node_data]")
{
    const DataDesk desk;
    const std::string csv = desk.file(
        "times.csv", "node,latency [ms],drift\nnet/product,4,-1\nnet/relu:0,1,2\ngone,9,\n");
    REQUIRE(desk.run("openData \"" + csv +
                     "\"\nwait idle\n"
                     "expect text nodeDataRemark \"1 name not in this graph: gone\"\n"
                     "expect text nodeDataTable \"net/product MatMul\"\n") == 0);
    CHECK(desk.document().colors().mode() == ColorMode::Data);
    CHECK(desk.valueOf(desk.node("net/product")) == 4);
    CHECK(desk.valueOf(desk.scope("net")) == 4); // the largest inside
    CHECK(desk.coloring().scale.kind == OverlayScale::Kind::Linear);
    CHECK(desk.coloring().face(desk.node("y")) == nullptr);
    CHECK(desk.document().colors().classes().numbers->unit == "ms");
    desk.window->show();
    REQUIRE(desk.run("set nodeDataColumn drift\nwait idle\nset nodeDataScopes \"Scopes: sum\"\n"
                     "wait idle\n") == 0);
    CHECK(desk.valueOf(desk.scope("net")) == 1);
    CHECK(desk.coloring().scale.kind == OverlayScale::Kind::TwoSided);
    CHECK(desk.coloring().scale.position(-2) == -1);
}

TEST_CASE("a dropped file of numbers is kept beside others until it is removed",
          "[window][node_data]")
{
    const DataDesk desk;
    const std::string csv = desk.file("a.csv", "node,ms\nx,1\n");
    const std::string json =
        desk.file("b.json", R"({"graph": {"results": {"net/relu": {"value": 3}}}})");
    REQUIRE(desk.run("drop \"" + csv + "\"\nwait idle\ndrop \"" + json + "\"\nwait idle\n") == 0);
    const DataSession& session = desk.document().data();
    const auto names = [&] {
        std::vector<std::string> all;
        for (const DataTable::Column& column : session.table()->columns())
            if (column.source != "estimate")
                all.push_back(column.name);
        return all;
    };
    CHECK(names() == std::vector<std::string>{"ms", "b"});
    desk.window->show();
    REQUIRE(desk.run("press nodeDataRemove\nwait idle\n"
                     "expect disabled data.remove\n") == 0);
    CHECK(names() == std::vector<std::string>{"ms"});
    CHECK(desk.document().colors().mode() == ColorMode::OpFamily);
}

TEST_CASE("a damaged file of numbers says so and changes nothing", "[window][node_data]")
{
    const DataDesk desk;
    const std::string csv = desk.file("bad.csv", "node,ms\nx,1,2\n");
    REQUIRE(desk.run("openData \"" + csv +
                     "\"\nwait idle\n"
                     "expect text nodeDataRemark \"bad.csv: line 2: has 3 cells\"\n") == 0);
    CHECK(desk.document().colors().mode() == ColorMode::OpFamily);
}

TEST_CASE("estimated costs of nodes color the picture before any run", "[window][node_data]")
{
    const DataDesk desk;
    REQUIRE(desk.run("action view.colorParameters\nwait idle\n") == 0);
    CHECK(desk.valueOf(desk.node("net/product")) == 12);
    CHECK(desk.valueOf(desk.scope("net")) == 12);
    desk.window->show();
    REQUIRE(desk.run("action view.colorBytesPerFlop\nwait idle\n") == 0);
    CHECK(desk.valueOf(desk.node("net/product")) == 4.0 * (6 + 12 + 8) / (2 * 2 * 3 * 4));
}

TEST_CASE("numbers and what colors the picture come back with a session", "[window][node_data]")
{
    const DataDesk desk;
    const std::string csv = desk.file("two.csv", "node,ms,mW\nnet/product,4,7\nnet/relu,1,2\n");
    REQUIRE(desk.run("openData \"" + csv +
                     "\"\nwait idle\nset nodeDataColumn mW\nwait idle\n"
                     "set nodeDataScopes \"Scopes: mean\"\nwait idle\n") == 0);
    const nlohmann::json kept = desk.document().memory().state();
    const DataDesk other;
    auto document = std::make_unique<Document>(DocumentContext{
        &const_cast<WorkPools&>(other.pools).layout, measureCanvasText(), nullptr, nullptr});
    Document& again = *document;
    again.open(other.path("net.pbtxt"), kept);
    other.window->parts().opener->adopt(std::move(document));
    other.window->show();
    REQUIRE(other.run("wait idle\nexpect text nodeDataRemark \"two.csv: 2 of 5 nodes\"\n") == 0);
    CHECK(again.colors().mode() == ColorMode::Data);
    const auto shown = again.data().shown();
    REQUIRE(shown);
    CHECK(again.data().table()->columns()[*shown].name == "mW");
    CHECK(again.data().table()->columns()[*shown].ofScope == ScopeNumber::Mean);
}
