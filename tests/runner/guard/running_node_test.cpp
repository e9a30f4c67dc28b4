// SPDX-License-Identifier: Apache-2.0
#include "runner/guard/running_node.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

TEST_CASE("the running node is noted with its op, and long names are cut", "[guard]")
{
    RunningNode record;
    noteNodesIn(&record);
    CHECK(notedNode().empty());
    noteNode("a/b", "Relu");
    CHECK(notedNode(record) == "a/b (Relu)");
    noteNode(std::string(10000, 'x'), std::string(10000, 'O'));
    CHECK(notedNode().size() == 400 + 2 + 100 + 1);
    noteNoNode();
    CHECK(notedNode().empty());
    noteNodesIn(nullptr);
    noteNode("c", "Relu");
    CHECK(notedNode(record).empty());
    record.length = 5000; // as a damaged record may say
    CHECK(notedNode(record).size() == record.text.size());
}

} // namespace
} // namespace lapidary
