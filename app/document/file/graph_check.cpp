// SPDX-License-Identifier: Apache-2.0
#include "app/document/file/graph_check.h"

#include "app/document/base/document_work.h"
#include "app/document/file/graph_choice.h"
#include "app/document/file/opened_file.h"
#include "app/document/picture/picture.h"
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

ProblemsPtr GraphCheck::problems() const
{
    if (Sources current = sources(); current != m_sources) {
        m_list = listOf(current);
        m_sources = std::move(current);
    }
    return m_list;
}

GraphCheck::Sources GraphCheck::sources() const
{
    Sources all;
    const ModelFilePtr& file = m_file.model();
    if (!file)
        return all;
    all.file = ProblemsPtr(file, &file->problems);
    if (!file->graphs.empty() && m_graphs.isOriginal()) {
        all.entry = ProblemsPtr(file, &m_graphs.entry().problems);
        all.found = m_found;
    }
    if (m_picture.view() && m_picture.view()->graph() == m_picture.graph())
        all.shapes = m_picture.shapes();
    return all;
}

ProblemsPtr GraphCheck::listOf(const Sources& sources) const
{
    auto all = std::make_shared<Problems>();
    for (const ProblemsPtr& some : {sources.file, sources.entry, sources.found})
        if (some)
            all->insert(all->end(), some->begin(), some->end());
    if (sources.shapes)
        for (const ShapeConflict& conflict : sources.shapes->inferred.conflicts())
            all->push_back(problemAt("shape_conflict",
                                     std::string(m_picture.graph()->node(conflict.node).name()),
                                     conflict.message, Severity::Warning));
    return all;
}

void GraphCheck::reset(State state)
{
    m_job.cancel();
    m_found = nullptr;
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
                    m_found = std::make_shared<Problems>(*std::move(found));
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
