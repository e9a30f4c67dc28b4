// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

#include <algorithm>

namespace lapidary {

TEST_CASE("nodes are put on a device, all or those without one", "[passes]")
{
    const GraphPtr before =
        sumsGraph({onDevice("mul_node1", "/device:CPU:0"), onDevice("add_node2", "/device:GPU:1")});
    SECTION("all")
    {
        const GraphPtr after = passed("set_device(device=\"/device:CPU:0\")", before, {}, {});
        for (const NodePtr& node : after->nodes())
            CHECK(node->device() == "/device:CPU:0");
    }
    SECTION("those without one")
    {
        const GraphPtr after =
            passed("set_device(device=\"/device:GPU:0\", if_default=true)", before, {}, {});
        CHECK(nodeOf(after, "mul_node1").device() == "/device:CPU:0");
        CHECK(nodeOf(after, "add_node2").device() == "/device:GPU:1");
        CHECK(std::ranges::count(after->nodes(), "/device:GPU:0", &Node::device) == 5);
    }
}

namespace {

PatternCases setDevicePatterns(const TestFolder&)
{
    return {{"set_device(device=\"/cpu:0\")", negated(), {"neg"}, {{"there", negatedOnDevice()}}}};
}

const CasesOf setDeviceCases("set_device", {.patterns = setDevicePatterns,
                                            .sharing = {{"set_device(device=\"/cpu:0\")", true}}});

} // namespace

} // namespace lapidary
