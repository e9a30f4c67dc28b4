// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/local_name.h"

#include "graph_model/scopes/scope_draft.h"

namespace lapidary {
namespace {

// Groups that were found (series, blocks) do not contribute to names.
std::string_view scopePath(const ScopeTree& tree, NodeId id)
{
    GroupId at = tree.parentOf(id);
    while (at != rootGroup && tree.group(at).kind != GroupKind::Scope)
        at = tree.group(at).parent;
    return tree.group(at).path;
}

} // namespace

std::string_view localName(const ScopeTree& tree, const Graph& graph, NodeId id)
{
    const Node& node = graph.node(id);
    const std::string_view scope = scopePath(tree, id);
    std::string_view name = node.name();
    const std::string_view leaf = leafName(name);
    const bool isInside = scope.empty() || (name.size() > scope.size() && name.starts_with(scope) &&
                                            name[scope.size()] == '/');
    if (!isInside)
        return leaf;
    name.remove_prefix(scope.empty() ? 0 : scope.size() + 1);
    if (leaf == node.op() && name.size() > leaf.size() + 1)
        name.remove_suffix(leaf.size() + 1);
    return name;
}

} // namespace lapidary
