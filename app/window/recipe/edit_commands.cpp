// SPDX-License-Identifier: Apache-2.0
// What the actions that edit the selection do, and when they can.
#include "app/window/main_window.h"
#include "app/window/recipe/direct_edits.h"
#include "app/window/recipe/recipe_controller.h"
#include "app/window/window_commands.h"
#include "graph_model/ops/node_signature.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void WindowCommands::deleteNode()
{
    recipes().edits().apply("delete_nodes");
}

void WindowCommands::deleteWithReaders()
{
    Parameters more;
    more.add("with_readers", "true");
    recipes().edits().apply("delete_nodes", more);
}

void WindowCommands::bypassNode()
{
    recipes().edits().apply("bypass_nodes");
}

void WindowCommands::renameNode()
{
    Parameters more;
    more.add("new_name", std::string(document()->graph()->node(selected().node()).name()));
    recipes().edits().ask("rename_node", u"Rename a node"_s, u"new_name"_s, more);
}

void WindowCommands::setAttribute()
{
    recipes().edits().ask("set_attribute", u"Set an attribute"_s, u"attribute_name"_s);
}

void WindowCommands::replaceByPlaceholder()
{
    const Graph& graph = *document()->graph();
    const Node& node = graph.node(selected().node());
    const OpSpec* op = findOp(node.op());
    const DType dtype = op != nullptr ? outputDtype(node, *op, 0) : DType::Invalid;
    Parameters more;
    if (dtype != DType::Invalid)
        more.add("type", dtypeName(withoutReference(dtype)));
    recipes().edits().ask("replace_by_placeholder", u"Replace by a placeholder"_s, u"shape"_s,
                          more);
}

void WindowCommands::extractSelection()
{
    recipes().edits().apply("extract_nodes");
}

bool WindowCommands::canEdit() const
{
    if (!hasSelection() || !recipes().edits().canEdit())
        return false;
    const std::vector<ItemId> items = document()->selection();
    return std::ranges::find(items, ItemId::of(rootGroup)) == items.end();
}

bool WindowCommands::canEditNode() const
{
    return hasNodeSelected() && !document()->hasSeveralSelected() && canEdit();
}

} // namespace lapidary
