// SPDX-License-Identifier: Apache-2.0
#include "app/document/graph_check.h"

#include "app/document/base/document_work.h"
#include "app/document/graph_choice.h"
#include "app/document/opened_file.h"
#include "app/document/picture.h"
#include "graph_model/read/check_entry.h"

namespace lapidary {

GraphCheck::GraphCheck(DocumentWork& work, const OpenedFile& file, const GraphChoice& graphs,
                       const Picture& picture, QObject* parent)
    : QObject(parent)
    , m_file(file)
    , m_graphs(graphs)
    , m_picture(picture)
{
    work.watch(DocumentJob::Checking, m_job);
    connect(&work, &DocumentWork::failed, this, &GraphCheck::start);
}

Problems GraphCheck::problems() const
{
    if (!m_file.model())
        return {};
    Problems all = m_file.model()->problems;
    if (!m_file.model()->graphs.empty() && m_graphs.isOriginal()) {
        const Problems& graph = m_graphs.entry().problems;
        all.insert(all.end(), graph.begin(), graph.end());
        all.insert(all.end(), m_found.begin(), m_found.end());
    }
    if (const GraphShapesPtr known = m_picture.shapes();
        known && m_picture.view()->graph() == m_picture.graph())
        for (const ShapeConflict& conflict : known->inferred.conflicts())
            all.push_back({"shape_conflict",
                           Severity::Warning,
                           std::string(m_picture.graph()->node(conflict.node).name()),
                           {},
                           {},
                           {},
                           conflict.message});
    return all;
}

void GraphCheck::reset(State state)
{
    m_job.cancel();
    m_found.clear();
    m_state = state;
}

void GraphCheck::start()
{
    if (!m_picture.graph() || m_state != State::Pending || m_job.isRunning())
        return;
    m_job.start([file = m_file.model(), entry = std::size_t(m_graphs.entryNumber())](
                    const Job& job) { return checkEntry(*file, entry, job); },
                [this](Result<Problems> found) {
                    if (!found)
                        return setState(State::Stopped);
                    m_found = *std::move(found);
                    setState(State::Done);
                });
}

void GraphCheck::stop()
{
    m_job.cancel();
    if (m_state == State::Pending)
        setState(State::Stopped);
}

void GraphCheck::setState(State state)
{
    if (m_state == state)
        return;
    m_state = state;
    emit changed();
}

} // namespace lapidary
