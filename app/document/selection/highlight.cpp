// SPDX-License-Identifier: Apache-2.0
#include "app/document/selection/highlight.h"

#include "app/document/base/document_work.h"
#include "app/document/file/interface_session.h"
#include "app/document/picture/picture.h"
#include "app/document/picture/visible_items.h"
#include "graph_model/explore/trace.h"
#include "views/models/display_text.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

Highlight::Highlight(DocumentWork& work, const Picture& picture, const InterfaceSession& interface,
                     QObject* parent)
    : QObject(parent)
    , m_work(work)
    , m_picture(picture)
    , m_interface(interface)
{
    work.watch(DocumentJob::Tracing, m_job);
    connect(&interface, &InterfaceSession::keptChanged, this, &Highlight::changed);
}

ItemSetPtr Highlight::items() const
{
    return m_trace ? m_trace : m_interface.keptItems();
}

void Highlight::trace(std::function<Result<std::vector<bool>>(const Job&)> work, QString title)
{
    const PreparationPtr preparation = m_picture.preparation();
    if (!preparation)
        return;
    struct Traced {
        ItemSetPtr items;
        std::int64_t count = 0;
    };
    m_job.start(
        [work = std::move(work), preparation](const Job& job) -> Result<Traced> {
            ASSIGN_OR_RETURN(const auto flags, work(job));
            return Traced{itemsOfNodes(*preparation, flags),
                          std::count(flags.begin(), flags.end(), true)};
        },
        [this, title = std::move(title)](Result<Traced> traced) {
            if (!traced)
                return m_work.fail(traced.error());
            m_trace = traced->items;
            emit changed();
            emit m_work.notice(title + u": "_s + counted(traced->count, u"node"_s));
        });
}

void Highlight::traceUp(const std::vector<NodeId>& from)
{
    trace([graph = m_picture.graph(),
           from](const Job& job) { return lapidary::traceUp(*graph, from, {}, job); },
          u"Everything upstream"_s);
}

void Highlight::traceDown(const std::vector<NodeId>& from)
{
    trace([graph = m_picture.graph(),
           from](const Job& job) { return lapidary::traceDown(*graph, from, {}, job); },
          u"Everything downstream"_s);
}

void Highlight::tracePaths(NodeId a, NodeId b)
{
    trace(
        [graph = m_picture.graph(), a, b](const Job& job) -> Result<std::vector<bool>> {
            ASSIGN_OR_RETURN(auto paths, pathsBetween(*graph, a, b, {}, job));
            if (paths.shortest.empty())
                return Error{ErrorCode::NotFound,
                             "No path leads from " + std::string(graph->node(a).name()) + " to " +
                                 std::string(graph->node(b).name()) + " or back"};
            return std::move(paths.nodes);
        },
        u"On the paths between"_s);
}

void Highlight::startPath(NodeId node)
{
    m_pathStart = node;
    m_pathGraph = m_picture.graph();
}

NodeId Highlight::pathStart() const
{
    return m_pathGraph == m_picture.graph() ? m_pathStart : NodeId{};
}

void Highlight::clearTrace()
{
    m_job.cancel();
    if (!m_trace)
        return;
    m_trace.reset();
    emit changed();
}

void Highlight::forgetTrace()
{
    m_job.cancel();
    m_trace.reset();
}

} // namespace lapidary
