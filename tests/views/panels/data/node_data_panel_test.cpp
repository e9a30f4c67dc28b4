// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/models/data/node_data_model.h"
#include "views/panels/base/sorted_table.h"
#include "views/panels/data/node_data_panel.h"

#include <QHeaderView>

using namespace lapidary;

namespace {

DataTablePtr costs()
{
    std::vector<NodeData> columns;
    for (const auto& [name, unit] : std::vector<std::pair<const char*, const char*>>{
             {"FLOPs", "FLOP"}, {"Parameters", ""}, {"Activations", "B"}, {"Bytes per FLOP", ""}}) {
        NodeData data;
        data.name = name;
        data.unit = unit;
        data.numbers = {{"net/layer/depthwise", 1.5e9}};
        columns.push_back(std::move(data));
    }
    const auto made = DataTable::make(graph("x = Placeholder()\nw = Placeholder()\n"
                                            "net/layer/depthwise = DepthwiseConv2dNative(x, w)\n"),
                                      columns, Job());
    REQUIRE(made.ok());
    return *made;
}

} // namespace

TEST_CASE("the columns of node data share the width, and names have the rest", "[panels]")
{
    NodeDataPanel panel;
    panel.resize(700, 200); // the size of the dock in a window 1280 pixels wide
    panel.show();
    panel.setTable(costs(), std::nullopt);
    const auto* table = panel.findChild<SortedTable*>();
    REQUIRE(table != nullptr);
    const auto whole = [table] {
        int width = 0;
        for (int column = 0; column < table->model()->columnCount(); ++column)
            width += table->columnWidth(column);
        return width;
    };
    const int activations = NodeDataModel::FirstNumber + 2;
    CHECK(table->columnViewportPosition(activations) + table->columnWidth(activations) <=
          table->viewport()->width());
    const int narrow = table->columnWidth(NodeDataModel::NodeColumn);
    CHECK(narrow >= 160);
    panel.resize(1100, 200);
    CHECK(table->columnWidth(NodeDataModel::NodeColumn) >= narrow + 300);
    CHECK(whole() <= table->viewport()->width());
}

TEST_CASE("before a column is chosen, what costs the most comes first", "[panels]")
{
    NodeDataPanel panel;
    panel.setTable(costs(), std::nullopt);
    const auto* table = panel.findChild<SortedTable*>();
    REQUIRE(table != nullptr);
    CHECK(table->horizontalHeader()->sortIndicatorSection() == NodeDataModel::FirstNumber);
    CHECK(table->horizontalHeader()->sortIndicatorOrder() == Qt::DescendingOrder);
}
