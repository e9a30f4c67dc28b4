// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/scope_draft.h"

namespace lapidary {
namespace {

// The boxes that a scope shows when it is open.
struct Shown {
    std::size_t count = 0; // nodes with a box of their own, and groups
    ItemId last;
};

Shown shownIn(const Group& group, const std::vector<bool>& isFolded,
              const std::vector<bool>& isDissolved)
{
    Shown shown;
    for (const ItemId child : group.children) {
        if (child.isNode() ? isFolded[child.index] : isDissolved[child.index])
            continue;
        ++shown.count;
        shown.last = child;
    }
    return shown;
}

NodeId anyNode(const Group& group)
{
    for (const ItemId child : group.children)
        if (child.isNode())
            return child.node();
    return {};
}

} // namespace

// Children come after their parents, so that a backward walk visits a scope after its contents.
// Dissolved groups are removed from the lists of children at the end, in one pass.
void dissolveSingleScopes(ScopeDraft& draft, const std::vector<bool>& isFolded)
{
    std::vector<bool> isDissolved(draft.groups.size(), false);
    for (std::uint32_t g = std::uint32_t(draft.groups.size()); g-- > 1;) {
        const Shown shown = shownIn(draft.groups[g], isFolded, isDissolved);
        if (shown.count > 1 || draft.groups[g].kind == GroupKind::Part ||
            draft.groups[g].loop != DrawnLoop::none)
            continue;
        isDissolved[g] = true;
        const std::vector<ItemId> children = std::move(draft.groups[g].children);
        const Group& group = draft.groups[g];
        if (shown.last.isValid() && !shown.last.isNode()) {
            Group& only = draft.groups[shown.last.index];
            only.name = group.name + "/" + only.name;
        }
        draft.adopt(group.parent, children);
        draft.groups[g].children = children;
        if (const NodeId node = anyNode(draft.groups[g]); node.isValid())
            draft.dissolved.emplace_back(draft.groups[g].path, node);
    }
    for (Group& group : draft.groups)
        std::erase_if(group.children,
                      [&](ItemId child) { return !child.isNode() && isDissolved[child.index]; });
}

} // namespace lapidary
