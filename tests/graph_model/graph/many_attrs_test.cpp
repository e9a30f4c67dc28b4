// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/attr_lists.h"
#include "graph_model/graph/node.h"
#include "tests/catch.h"

namespace lapidary {

// A linear search of these would take minutes.
TEST_CASE("Each of very many attributes of a node is found at once", "[graph]")
{
    constexpr int count = 200'000;
    NodeDraft draft;
    draft.name = "many";
    draft.op = "Op";
    for (int i = 0; i < count; ++i)
        draft.attrs.emplace_back("a" + std::to_string(i), attr::fromInt(i));
    const NodePtr node = draft.finish();
    int found = 0;
    for (int i = 0; i < count; ++i) {
        const std::string name = "a" + std::to_string(i);
        found += node->hasAttr(name) && node->attr(name).asInt() == i ? 1 : 0;
    }
    CHECK(found == count);
    for (const char* absent : {"", "a", "b", "A", "a200000"}) {
        CHECK_FALSE(node->hasAttr(absent));
        CHECK(node->attr(absent).kind() == AttrKind::None);
    }
}

} // namespace lapidary
