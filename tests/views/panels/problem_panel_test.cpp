// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/panels/base/table_panels.h"

#include <string>

using namespace lapidary;

namespace {

ProblemsPtr problemOf(const std::string& node)
{
    return std::make_shared<const Problems>(Problems{problemAt("kind", node, "It is wrong")});
}

} // namespace

TEST_CASE("columns of the problem list fit its rows once they are seen", "[panels]")
{
    ProblemPanel panel;
    const int initial = panel.columnWidth(ProblemModel::NodeColumn);
    panel.setProblems(problemOf(std::string(30, 'm')));
    CHECK(panel.columnWidth(ProblemModel::NodeColumn) == initial); // the column is not visible
    panel.show();
    const int fitted = panel.columnWidth(ProblemModel::NodeColumn);
    CHECK(fitted > initial);
    panel.setProblems(problemOf("a"));
    CHECK(panel.columnWidth(ProblemModel::NodeColumn) < fitted);
}
