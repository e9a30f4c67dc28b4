// SPDX-License-Identifier: Apache-2.0
#include "app/window/recipe/direct_edits.h"

#include "app/document/picture/picture.h"
#include "app/document/recipe/recipe_edits.h"
#include "app/document/selected_nodes.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/recipe/edit_dialog.h"
#include "app/window/recipe/freeze_dialog.h"
#include "views/models/display_text.h"

#include <QMainWindow>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Returns inputs and outputs by their names in the shown state.
RecipeEnds endsOfShown(const RecipeSession& recipe)
{
    return {namesAfter(recipe, recipe.shown(), recipe.ends().inputs),
            namesAfter(recipe, recipe.shown(), recipe.ends().outputs)};
}

} // namespace

DirectEdits::DirectEdits(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_job(this)
{
}

bool DirectEdits::canEdit() const
{
    if (m_parts.tabs->view() != m_parts.tabs->tabView())
        return false; // a guest is only compared
    const Document* document = m_parts.tabs->document();
    return document != nullptr && document->picture().preparation() && document->recipe().base() &&
           document->recipe().shownGraph() == document->graph() &&
           document->picture().preparation()->sharedGraph() == document->graph();
}

QString DirectEdits::whyNotEdited() const
{
    if (canEdit())
        return {};
    if (m_parts.tabs->view() != m_parts.tabs->tabView())
        return u"This graph is only for comparison: go to the other side (X)"_s;
    const Document* document = m_parts.tabs->document();
    return document != nullptr && document->graphs().isInFunction()
               ? u"A function is shown: go back to the graph that calls it (Alt+Up)"_s
               : u"Wait until the picture is there"_s;
}

Parameters selectionAsParameters(const Preparation& preparation, ItemId item,
                                 const std::vector<NodeId>& nodes)
{
    const Graph& graph = preparation.graph();
    Parameters parameters;
    if (!item.isNode()) {
        const std::string& path = preparation.tree().group(item.group()).path;
        const std::string prefix = path + "/";
        const auto isInside = [&](const Node& node) { return node.name().starts_with(prefix); };
        const bool isWhole =
            std::ranges::all_of(nodes, [&](NodeId id) { return isInside(graph.node(id)); }) &&
            std::ranges::count_if(graph.nodes(), [&](const NodePtr& node) {
                return isInside(*node);
            }) == std::ptrdiff_t(nodes.size());
        if (isWhole && !path.empty()) {
            parameters.add("scope", path);
            return parameters;
        }
    }
    for (const NodeId id : nodes)
        parameters.add("name", std::string(graph.node(id).name()));
    return parameters;
}

RecipeStep DirectEdits::stepFor(std::string_view pass, const Parameters& more) const
{
    const Document& document = *m_parts.tabs->document();
    const std::vector<NodeId> nodes = selectedNodes(document);
    RecipeStep step{std::string(pass), {}};
    if (pass == "rename_node" && nodes.size() == 1)
        step.parameters.add("old_name", std::string(document.graph()->node(nodes[0]).name()));
    else
        step.parameters = selectionAsParameters(*document.picture().preparation(),
                                                document.selection().hasSeveral() && !nodes.empty()
                                                    ? ItemId::of(nodes.front())
                                                    : document.selection().item(),
                                                nodes);
    for (const auto& [name, value] : more.entries())
        step.parameters.add(name, value);
    return step;
}

// Tries the step before it is added to the recipe.
void DirectEdits::start(const RecipeStep& step, Answer answer)
{
    const Pass* pass = findPass(step.pass);
    if (pass == nullptr || !canEdit())
        return;
    const QPointer<Document> document = m_parts.tabs->document();
    const GraphPtr graph = document->graph();
    const RecipeEnds ends = endsOfShown(document->recipe());
    const auto work = [pass, step, graph, ends](const Job& job) -> Result<bool> {
        ASSIGN_OR_RETURN(const auto made,
                         pass->run(graph, {ends.inputs, ends.outputs, step.parameters}, job));
        return made.changes > 0;
    };
    m_job.start(work, [=, answer = std::move(answer)](const Result<bool>& made) {
        if (!made)
            return answer(plainText(made.error().message));
        if (!*made)
            return answer(u"This changes nothing"_s);
        if (!document || document->graph() != graph)
            return answer(u"Another state is shown now; try again"_s);
        RecipeSession& recipe = document->recipe();
        const std::size_t at = recipe.shown();
        recipe.change(withAppliedItem(recipe.draft(), at, {step, true}));
        recipe.show(at + 1);
        answer({});
    });
}

void DirectEdits::apply(std::string_view pass, const Parameters& more)
{
    const RecipeStep step = stepFor(pass, more);
    start(step, [this, step](const QString& fault) {
        m_parts.status->notice(
            fault.isEmpty() ? u"Added to the recipe: %1"_s.arg(plainText(printRecipe({step})))
                            : fault);
    });
}

void DirectEdits::askToFreeze()
{
    const Document& document = *m_parts.tabs->document();
    const bool wasInNetwork = document.graphs().isInNetwork();
    const OpenPaths open = openPaths(document.picture());
    if (wasInNetwork)
        document.graphs().closeFunctions(0); // the graph that calls the network is frozen
    GraphEntry entry = document.graphs().entry();
    entry.graph = document.recipe().shownGraph();
    if (!entry.graph)
        return;
    FreezeRequest wish;
    wish.model = document.file().path();
    wish.checkpoint = document.file().checkpoint();
    wish.outputs = endsOfShown(document.recipe()).outputs;
    auto* dialog = new FreezeDialog(std::move(entry), wish, m_parts.window);
    m_freezing = dialog;
    if (wasInNetwork)
        connect(dialog, &QDialog::rejected, m_parts.tabs->document(),
                [shown = m_parts.tabs->document(), open] { shown->graphs().openNetwork(open); });
    connect(dialog, &FreezeDialog::confirmed, this, [this, dialog] {
        const QPointer<FreezeDialog> asked = dialog;
        const RecipeStep step = dialog->step();
        start(step, [this, asked, step](const QString& fault) {
            if (asked && !fault.isEmpty())
                return asked->setFault(fault);
            m_parts.status->notice(u"Added to the recipe: %1"_s.arg(plainText(step.pass)));
            if (asked)
                asked->accept();
        });
    });
    dialog->open();
}

bool DirectEdits::isBusy() const
{
    return m_job.isRunning() || (m_freezing && m_freezing->isBusy());
}

void DirectEdits::ask(std::string_view pass, const QString& title, const QString& parameter,
                      const Parameters& more)
{
    auto* dialog = new EditDialog(title, stepFor(pass, more), parameter, m_parts.window);
    connect(dialog, &EditDialog::confirmed, this, [this, dialog] {
        const QPointer<EditDialog> asked = dialog;
        start(dialog->step(), [this, asked](const QString& fault) {
            if (asked && !fault.isEmpty())
                return asked->setFault(fault);
            if (!asked)
                return;
            m_parts.status->notice(
                u"Added to the recipe: %1"_s.arg(plainText(printRecipe({asked->step()}))));
            asked->accept();
        });
    });
    dialog->open();
}

} // namespace lapidary
