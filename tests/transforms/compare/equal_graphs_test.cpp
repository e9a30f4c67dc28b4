// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/compare/equal_graphs.h"
#include "transforms/constants/const_node.h"

#include <algorithm>

namespace lapidary {

TEST_CASE("nodes differ where dtype, shape, values, device, op or inputs do", "[compare]")
{
    const auto constant = [](const char* name, std::vector<std::int64_t> dims, float value) {
        return floatConst(name, dims, std::vector<float>(10, value)).finish();
    };
    const NodePtr a = constant("a", {10}, 1);
    CHECK(nodeDifference(*a, *constant("a", {10}, 1)).empty());
    CHECK_FALSE(nodeDifference(*a, *constant("a", {10}, 2)).empty());
    CHECK_FALSE(nodeDifference(*a, *constant("a", {5, 2}, 1)).empty());
    const std::vector<std::int32_t> ints(10, 1);
    CHECK_FALSE(nodeDifference(*a, *intConst("a", {10}, ints).finish()).empty());
    NodeDraft other = NodeDraft::of(*a);
    other.device = "/cpu:0";
    CHECK_FALSE(nodeDifference(*a, *other.finish()).empty());
    other = NodeDraft::of(*a);
    other.op = "Other";
    CHECK_FALSE(nodeDifference(*a, *other.finish()).empty());
    CHECK_FALSE(
        nodeDifference(*newNode("r", "Relu", {"a"}).finish(), *newNode("r", "Relu", {"b"}).finish())
            .empty());
}

TEST_CASE("text and binary are read alike, and what is neither is refused", "[compare]")
{
    const GraphPtr some = GraphBuilder().floats("c", {4}, {1, 2, 3, 4}).build();
    for (const std::string& bytes : {encodeGraphDef(*some), graphDefText(*some).value()}) {
        const auto read = readModelBytes(bytes, "in", Job());
        REQUIRE(read.ok());
        REQUIRE_FALSE(read->graphs.empty());
        CHECK(graphDifference(*read->graphs.front().graph, *some).empty());
    }
    CHECK_FALSE(readModel("no/such/file.pb", Job()).ok());
    const auto junk = readModelBytes("Not a !{ proto...", "in", Job());
    CHECK((!junk.ok() || junk.value().isRefused()));
}

} // namespace lapidary
