// SPDX-License-Identifier: Apache-2.0
// The submenu "Transform/Edit": changes of the selection.
#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/window/parts/window_parts.h"
#include "app/window/recipe/direct_edits.h"
#include "app/window/recipe/recipe_actions.h"
#include "app/window/recipe/recipe_controller.h"
#include "graph_model/binding/node_signature.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

bool canEdit(const ActionContext& c)
{
    if (!hasSelection(c) || !c.window.recipes->edits().canEdit())
        return false;
    const std::vector<ItemId> items = c.document->selection().items();
    return std::ranges::find(items, ItemId::of(rootGroup)) == items.end();
}

bool canEditNode(const ActionContext& c)
{
    return hasNodeSelected(c) && !c.document->selection().hasSeveral() && canEdit(c);
}

QString whyNotEdited(const ActionContext& c)
{
    return c.window.recipes->edits().whyNotEdited();
}

const Node& selectedNode(const ActionContext& c)
{
    return c.document->graph()->node(c.document->selection().item().node());
}

void deleteWithReaders(const ActionContext& c)
{
    Parameters more;
    more.add("with_readers", "true");
    c.window.recipes->edits().apply("delete_nodes", more);
}

void renameNode(const ActionContext& c)
{
    Parameters more;
    more.add("new_name", std::string(selectedNode(c).name()));
    c.window.recipes->edits().ask("rename_node", u"Rename a node"_s, u"new_name"_s, more);
}

void replaceByPlaceholder(const ActionContext& c)
{
    const Node& node = selectedNode(c);
    const OpSpec* op = findOp(node.op());
    const DType dtype = op != nullptr ? outputDtype(node, *op, 0) : DType::Invalid;
    Parameters more;
    if (dtype != DType::Invalid)
        more.add("type", dtypeName(withoutReference(dtype)));
    c.window.recipes->edits().ask("replace_by_placeholder", u"Replace by a placeholder"_s,
                                  u"shape"_s, more);
}

constexpr ActionSpec changeRows[]{
    {.id = "node.delete",
     .label = "Delete",
     .help = "Deletes the selection; it must not have consumers.",
     .key = "Shift+Delete",
     .menu = "Transform/Edit",
     .startsGroup = true,
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.recipes->edits().apply("delete_nodes"); },
     .isEnabled = canEdit,
     .needs = needsSelection,
     .obstacle = whyNotEdited},
    {.id = "node.deleteReaders",
     .label = "Delete with all that reads it",
     .help = "Deletes the selection and every node that depends on it.",
     .menu = "Transform/Edit",
     .run = deleteWithReaders,
     .isEnabled = canEdit,
     .needs = needsSelection,
     .obstacle = whyNotEdited},
    {.id = "node.bypass",
     .label = "Bypass",
     .help = "Removes the selection and connects its consumers to its inputs.",
     .key = "Y",
     .menu = "Transform/Edit",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.window.recipes->edits().apply("bypass_nodes"); },
     .isEnabled = canEdit,
     .needs = needsSelection,
     .obstacle = whyNotEdited},
    {.id = "node.rename",
     .label = "Rename\u2026",
     .help = "Renames the selected node.",
     .key = "R",
     .menu = "Transform/Edit",
     .scope = KeyScope::Canvas,
     .run = renameNode,
     .isEnabled = canEditNode,
     .needs = "Select one node first",
     .obstacle = whyNotEdited},
    {.id = "node.setAttribute",
     .label = "Set attribute\u2026",
     .help = "Changes an attribute of the selected node.",
     .key = "A",
     .menu = "Transform/Edit",
     .scope = KeyScope::Canvas,
     .run =
         [](const ActionContext& c) {
             c.window.recipes->edits().ask("set_attribute", u"Set an attribute"_s,
                                           u"attribute_name"_s);
         },
     .isEnabled = canEditNode,
     .needs = "Select one node first",
     .obstacle = whyNotEdited},
    {.id = "node.placeholder",
     .label = "Replace by placeholder\u2026",
     .help = "Replaces the selected node by a placeholder.",
     .menu = "Transform/Edit",
     .run = replaceByPlaceholder,
     .isEnabled = canEditNode,
     .needs = "Select one node first",
     .obstacle = whyNotEdited},
    {.id = "node.extract",
     .label = "Extract selection",
     .help = "Keeps only the selection and replaces its inputs by placeholders.",
     .menu = "Transform/Edit",
     .run = [](const ActionContext& c) { c.window.recipes->edits().apply("extract_nodes"); },
     .isEnabled = canEdit,
     .needs = needsSelection,
     .obstacle = whyNotEdited},
};

} // namespace

const std::span<const ActionSpec> changeActions = changeRows;

} // namespace lapidary
