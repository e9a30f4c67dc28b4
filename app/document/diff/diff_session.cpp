// SPDX-License-Identifier: Apache-2.0
#include "app/document/diff/diff_session.h"

#include "app/document/document.h"
#include "views/models/display_text.h"

#include <algorithm>
#include <utility>

namespace lapidary {

DiffSession::DiffSession(Document& before, Document& after, QObject* parent)
    : QObject(parent)
    , m_before(before)
    , m_after(after)
{
    for (LatestJob* job : {&m_diffJob, &m_linkJob})
        connect(job, &LatestJob::runningChanged, this, &DiffSession::busyChanged);
    connectSide(true);
    connectSide(false);
    compare();
}

void DiffSession::connectSide(bool isBefore)
{
    Document* of = &document(isBefore);
    connect(&of->picture(), &Picture::prepared, this, &DiffSession::compare);
    connect(&of->selection(), &ItemSelection::changed, this,
            [this, isBefore] { linkSelection(isBefore); });
    connect(&of->picture(), &Picture::sceneChanged, this, [this, isBefore] {
        if (isBefore == m_leadsBefore)
            linkGroups(isBefore);
        renewDrawn();
    });
}

ComparedSide DiffSession::side(bool isBefore) const
{
    const Document& of = document(isBefore);
    return {of.picture().scene(), of.picture().preparation(), isBefore};
}

bool DiffSession::isCurrent() const
{
    return m_list && m_before.picture().preparation() && m_after.picture().preparation() &&
           m_list->before == m_before.picture().preparation()->sharedGraph() &&
           m_list->after == m_after.picture().preparation()->sharedGraph();
}

void DiffSession::compare()
{
    if (!m_before.picture().preparation() || !m_after.picture().preparation() || isCurrent())
        return renewDrawn();
    m_diffJob.start([before = m_before.picture().preparation()->sharedGraph(),
                     after = m_after.picture().preparation()->sharedGraph()](
                        const Job& job) { return listDifferences(before, after, job); },
                    [this](Result<DifferenceListPtr> list) {
                        m_failure = list ? QString() : plainText(list.error().message);
                        m_list = list ? *std::move(list) : nullptr;
                        m_current = -1;
                        emit changed();
                        linkGroups(m_leadsBefore);
                        linkSelection(m_leadsBefore);
                        renewDrawn();
                    });
}

void DiffSession::setShownKinds(std::uint16_t kinds)
{
    if (m_shownKinds == kinds)
        return;
    m_shownKinds = kinds;
    emit kindsChanged();
}

bool DiffSession::isShown(int number) const
{
    return m_list && number >= 0 && std::size_t(number) < m_list->steps.size() &&
           m_list->isStop(std::size_t(number)) &&
           (m_list->steps[std::size_t(number)].kinds & m_shownKinds) != 0;
}

int DiffSession::shownCount() const
{
    int count = 0;
    for (std::size_t i = 0; m_list && i < m_list->steps.size(); ++i)
        count += isShown(int(i)) ? 1 : 0;
    return count;
}

void DiffSession::setCurrent(int number)
{
    if (!m_list || number < 0 || std::size_t(number) >= m_list->steps.size())
        return;
    m_current = number;
    emit currentChanged();
}

void DiffSession::step(int by)
{
    if (!m_list || by == 0 || shownCount() == 0)
        return;
    const int count = int(m_list->steps.size());
    const int way = by > 0 ? 1 : -1;
    int at = m_current < 0 && way < 0 ? 0 : m_current;
    do
        at = (at + way + count) % count;
    while (!isShown(at));
    setCurrent(at);
}

// Selects the counterpart on the other side, even if it is out of view.
void DiffSession::linkSelection(bool fromBefore)
{
    if (m_isLinking || !isCurrent())
        return;
    m_isLinking = true;
    const ItemId item = counterpartOf(*m_list, side(fromBefore), side(!fromBefore),
                                      document(fromBefore).selection().item());
    document(!fromBefore).selection().select(item);
    if (item.isValid())
        document(!fromBefore).scopes().makeVisible(item);
    m_isLinking = false;
}

void DiffSession::linkGroups(bool fromBefore)
{
    if (!isCurrent())
        return;
    const Document& from = document(fromBefore);
    Document& to = document(!fromBefore);
    const std::set<GroupId> linked =
        linkedGroups(from.picture().openGroups(), from.picture().preparation()->tree(),
                     to.picture().openGroups(), to.picture().preparation()->tree());
    if (linked != to.picture().openGroups())
        to.picture().setOpen(linked, {});
}

void DiffSession::renewDrawn()
{
    if (!isCurrent() || !side(true).isComplete() || !side(false).isComplete()) {
        m_linkJob.cancel();
        m_drawn = {};
        emit drawnChanged();
        return;
    }
    m_linkJob.start(
        [list = m_list, before = side(true), after = side(false)](const Job&) -> Result<Drawn> {
            return Drawn{differenceMarks(*list, before), differenceMarks(*list, after),
                         SceneLink(*list, before, after)};
        },
        [this](Result<Drawn> drawn) {
            if (drawn)
                m_drawn = *std::move(drawn);
            emit drawnChanged();
        });
}

} // namespace lapidary
