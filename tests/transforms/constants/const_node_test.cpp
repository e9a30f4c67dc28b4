// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "transforms/constants/const_node.h"

#include <algorithm>

namespace lapidary {

TEST_CASE("attributes and constants are written and read back", "[constants]")
{
    NodeDraft draft = newNode("n", "Op");
    draft.inputs.emplace_back("foo");
    draft.setAttr("foo", attr::fromInt(3));
    draft.setAttr("text", attr::fromString("some_value"));
    NodeDraft copy = newNode("m", "Op");
    copyAttr(*draft.finish(), "foo", copy, "bar");
    CHECK(copy.finish()->attr("bar").asInt() == 3);
    CHECK(draft.finish()->inputs()[0].text == "foo");
    CHECK(draft.finish()->attr("text").asString() == "some_value");
    const std::vector<std::int32_t> three{1, 2, 3};
    CHECK(intValues(*intConst("c", {3, 1}, three).finish()).value() == three);
    std::vector<std::int32_t> iota(20);
    for (std::int32_t i = 0; i < 20; ++i)
        iota[std::size_t(i)] = i;
    const NodePtr large = intConst("c", {4, 5}, iota).finish();
    CHECK(intValues(*large).value() == iota);
    CHECK(constDims(*large) == std::vector<std::int64_t>{4, 5});
    CHECK(large->tensor().value().content().size() == 20 * sizeof(std::int32_t));
}

} // namespace lapidary
