// SPDX-License-Identifier: Apache-2.0
// Follows a link in a panel: to a node, a function, a state of the recipe, or the graph with a
// fault.
#include "app/document/picture/visible_items.h"
#include "app/window/docks/window_docks.h"
#include "graph_model/graph/function.h"
#include "views/models/display_text.h"
#include "views/panels/base/fact_view.h"

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void WindowDocks::followLink(const FactLink& link)
{
    if (!m_document)
        return;
    switch (link.kind) {
    case FactLink::Kind::Item: emit itemRequested(link.item); break;
    case FactLink::Kind::Function: m_document->graphs().openFunction(link.text); break;
    case FactLink::Kind::ShowAlone:
        m_document->picture().change([&](PictureLook& look) { look.showAlone(link.item.node()); });
        break;
    case FactLink::Kind::Ungroup:
        m_document->picture().change([&](PictureLook& look) { look.apart.push_back(link.text); });
        break;
    case FactLink::Kind::Op:
        m_document->search().setQuery(u"op:^"_s + plainText(link.text) + u"$"_s);
        break;
    case FactLink::Kind::State: followState(link); break;
    case FactLink::Kind::None: break;
    }
}

// Shows the graph of the file that contains the node, if it is not the shown one: the body of a
// function, or the graph that calls it.
void WindowDocks::openFaultyGraph(const Problem& problem)
{
    if (!m_document->file().isUsable())
        return;
    GraphChoice& graphs = m_document->graphs();
    const std::string function = problem.node.substr(0, problem.node.find('/'));
    const FunctionLibrary* library = graphs.entry().graph->functions();
    const bool isInside = library != nullptr && library->find(function) != nullptr;
    if (!isInside &&
        (!graphs.isInFunction() || !graphs.entry().graph->find(problem.node).isValid()))
        return;
    connect(
        &m_document->picture(), &Picture::made, this,
        [this, problem] {
            const NodeId node = problemNode(*m_document->graph(), problem);
            if (node.isValid())
                emit itemRequested(ItemId::of(node));
        },
        Qt::SingleShotConnection);
    if (isInside)
        graphs.openFunction(function);
    else
        graphs.closeFunctions(0);
}

// Shows the state, and its node as soon as the picture is ready.
void WindowDocks::followState(const FactLink& link)
{
    Document* document = m_document;
    const auto go = [this, document, name = link.text] {
        const NodeId node = document->graph()->find(name);
        if (node.isValid())
            emit itemRequested(ItemId::of(node));
        return node.isValid();
    };
    document->recipe().show(link.steps);
    if (document->graph() == document->recipe().shownGraph()) {
        go();
        return;
    }
    auto* waiting = new QObject(this);
    const auto look = [waiting, document, go, steps = link.steps] {
        if (document->recipe().shown() != steps) // another state was requested meanwhile
            return waiting->deleteLater();
        if (document->graph() != document->recipe().shownGraph())
            return;
        waiting->disconnect();
        document->forgetListener(waiting);
        waiting->deleteLater();
        go();
    };
    connect(&document->selection(), &ItemSelection::changed, waiting, look, Qt::QueuedConnection);
    connect(document, &QObject::destroyed, waiting, &QObject::deleteLater);
}

} // namespace lapidary
