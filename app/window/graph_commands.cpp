// SPDX-License-Identifier: Apache-2.0
// The commands that ask something of the graph: interface, traces, functions, what is hidden.
#include "app/document/visible_items.h"
#include "app/window/main_window.h"
#include "app/window/window_commands.h"
#include "app/window/window_docks.h"
#include "views/models/display_text.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void WindowCommands::mark(InterfaceSide side)
{
    const NodeId node = selected().node();
    const std::string tensor = std::string(document()->graph()->node(node).name()) + ":0";
    document()->interface().mark(side, tensor, !isMarked(side));
    m_window.notice(
        u"%1 is %2 an %3"_s.arg(plainText(tensor), isMarked(side) ? u"now"_s : u"no longer"_s,
                                side == InterfaceSide::Inputs ? u"input"_s : u"output"_s));
}

void WindowCommands::toggleKept()
{
    document()->interface().setShowKept(!isKeptShown());
}

void WindowCommands::resetInterface()
{
    document()->interface().reset();
}

void WindowCommands::trace(bool isDown)
{
    isDown ? document()->traceDown(selectedNodes()) : document()->traceUp(selectedNodes());
}

void WindowCommands::startPath()
{
    m_pathStart = selected().node();
    m_pathGraph = document()->graph();
    m_window.notice(u"Paths start at %1; go to the other end and press T"_s.arg(
        plainText(document()->graph()->node(m_pathStart).name())));
}

void WindowCommands::endPath()
{
    document()->tracePaths(m_pathStart, selected().node());
}

void WindowCommands::clearTrace()
{
    document()->clearTrace();
    document()->interface().setShowKept(false);
}

void WindowCommands::openFunction()
{
    const Graph& graph = *document()->graph();
    const auto called = calledFunctions(graph, graph.node(selected().node()), *graph.functions());
    if (!called.empty())
        document()->openFunction(std::string(called.front()->name));
}

void WindowCommands::closeFunction()
{
    document()->closeFunctions(int(document()->graphPath().size()) - 2);
}

void WindowCommands::showAlone()
{
    document()->showAlone(selected().node());
}

void WindowCommands::takeApart()
{
    document()->takeApart(document()->preparation()->tree().group(selected().group()).path);
}

void WindowCommands::resetStructure()
{
    document()->resetStructure();
}

void WindowCommands::hideOp()
{
    document()->hideOp(std::string(document()->graph()->node(selected().node()).op()), true);
}

void WindowCommands::hideSelected()
{
    document()->hideNodes(selectedNodes());
    document()->select({});
}

void WindowCommands::hideHits()
{
    std::vector<NodeId> nodes;
    for (const SearchHit& hit : document()->search().answer().hits)
        nodes.push_back(hit.node);
    document()->hideNodes(nodes);
}

void WindowCommands::showHidden()
{
    document()->showHidden();
}

void WindowCommands::stepProblem(int by)
{
    std::vector<NodeId> nodes;
    for (const Problem& problem : document()->problems()) {
        const NodeId node = problemNode(*document()->graph(), problem);
        if (node.isValid() && std::find(nodes.begin(), nodes.end(), node) == nodes.end())
            nodes.push_back(node);
    }
    if (nodes.empty()) {
        m_window.docks().showProblems();
        return;
    }
    const int count = int(nodes.size());
    m_problem = m_problem < 0 ? (by > 0 ? 0 : count - 1) : (m_problem + by + count) % count;
    m_window.goTo(ItemId::of(nodes[std::size_t(m_problem)]));
}

} // namespace lapidary
