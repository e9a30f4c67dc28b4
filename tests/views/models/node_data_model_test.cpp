// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/models/data/data_text.h"
#include "views/models/data/node_data_model.h"

#include <QAbstractItemModelTester>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

NodeData column(const char* name, const char* unit, std::vector<NodeNumber> numbers)
{
    NodeData data;
    data.name = name;
    data.unit = unit;
    data.source = "times.csv";
    data.numbers = std::move(numbers);
    return data;
}

DataTablePtr table()
{
    const auto made = DataTable::make(graph("x = Placeholder()\na/b = Relu(x)\n"),
                                      {column("latency", "ms", {{"a/b", 1.25}, {"gone", 2}}),
                                       column("work", "FLOP", {{"x", 4e9}})},
                                      Job());
    REQUIRE(made.ok());
    return *made;
}

} // namespace

TEST_CASE("node data is a sortable table with names and units", "[models][node_data]")
{
    NodeDataModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Warning);
    CHECK(model.columnCount() == NodeDataModel::FirstNumber);
    model.setTable(table());
    REQUIRE(model.rowCount() == 3);
    const auto text = [&](int row, int at) { return model.index(row, at).data().toString(); };
    CHECK(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString() == u"latency, ms"_s);
    CHECK(text(0, 3) == u"4.00 GFLOP"_s);
    CHECK(text(1, 2) == u"1.25"_s); // the title has the unit
    CHECK(model.index(1, 2).data(Qt::AccessibleTextRole).toString() == u"1.25 ms"_s);
    CHECK(text(1, 3).isEmpty());
    CHECK(text(2, 0) == u"gone"_s);
    CHECK(model.index(2, 0).data(Qt::ForegroundRole).isValid()); // gray
    CHECK(!model.node(2).isValid());
    CHECK(model.index(1, 2).data(NodeDataModel::SortRole).toDouble() == 1.25);
    CHECK(model.rowOf(model.table()->graph()->find("a/b")) == 1);
    model.setTable(nullptr);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("a column says what of it is over the graph", "[models][node_data]")
{
    CHECK(dataSummary(*table(), 0) == u"times.csv: 1 of 2 nodes; 1 name not in this graph: gone"_s);
    CHECK(dataText(-0.5, "dB") == u"\u22120.5 dB"_s);
    CHECK(dataText(25'600, "") == u"25.6 k"_s);
    CHECK(dataText(4096, "B").endsWith(u"kB"_s));
}
