// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("devices are cleared", "[passes]")
{
    const GraphPtr after = passed(
        "remove_device",
        sumsGraph({onDevice("mul_node1", "//cpu:0"), onDevice("add_node2", "//device:GPU:1")}), {},
        {});
    for (const NodePtr& node : after->nodes())
        CHECK(node->device().empty());
    CHECK(after->size() == 7);
}

namespace {

PatternCases removeDevicePatterns(const TestFolder&)
{
    return {{"remove_device", negatedOnDevice(), {"neg"}, {{"on none", negated()}}}};
}

const CasesOf removeDeviceCases("remove_device", {.patterns = removeDevicePatterns,
                                                  .sharing = {{"remove_device", true}}});

} // namespace

} // namespace lapidary
