// SPDX-License-Identifier: Apache-2.0
#include "app/window/docks/difference_dock.h"

#include "app/document/document.h"
#include "views/models/display_text.h"
#include "views/panels/diff/difference_panel.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

DifferenceDock::DifferenceDock(QObject* parent)
    : QObject(parent)
    , m_panel(new DifferencePanel)
{
    connect(m_panel, &DifferencePanel::stepChosen, this, [this](int number) {
        if (m_session)
            m_session->setCurrent(number);
    });
    connect(m_panel, &DifferencePanel::kindsChosen, this, [this](std::uint16_t kinds) {
        if (m_session)
            m_session->setShownKinds(kinds);
    });
    showList();
}

void DifferenceDock::setSession(DiffSession* session)
{
    if (m_session == session)
        return;
    if (m_session)
        m_session->disconnect(this);
    m_session = session;
    if (session != nullptr) {
        connect(session, &DiffSession::changed, this, &DifferenceDock::showList);
        connect(session, &DiffSession::currentChanged, this,
                [this] { m_panel->setCurrent(m_session->current()); });
        connect(session, &DiffSession::kindsChanged, this,
                [this] { m_panel->setShownKinds(m_session->shownKinds()); });
    }
    showList();
}

void DifferenceDock::showList()
{
    const DifferenceListPtr list = m_session ? m_session->list() : nullptr;
    m_panel->setList(list);
    m_panel->setRemark(!m_session ? u"Nothing is compared. Compare this graph with another file "
                                    u"(Ctrl+K), or with another tab."_s
                       : !m_session->failure().isEmpty() ? m_session->failure()
                       : !list                           ? u"Comparing …"_s
                       : list->steps.empty()             ? u"The graphs are the same."_s
                                                         : QString());
    if (m_session) {
        m_panel->setShownKinds(m_session->shownKinds());
        m_panel->setCurrent(m_session->current());
    }
    emit factsChanged();
}

FactSections DifferenceDock::facts(const Document& document, ItemId item) const
{
    const DifferenceListPtr list = m_session ? m_session->list() : nullptr;
    if (!list || !item.isValid() || !item.isNode())
        return {};
    const bool isBefore = &document == &m_session->before();
    const auto at = std::ranges::find_if(list->steps, [&](const Difference& difference) {
        return (isBefore ? difference.before : difference.after) == item.node();
    });
    const NodeId other = list->counterpart(item.node(), isBefore);
    FactSection section{u"Compared"_s, at == list->steps.end() ? u"the same"_s : QString(), {}};
    const Graph& graph = isBefore ? *list->after : *list->before;
    if (other.isValid())
        section.facts.push_back({isBefore ? u"is there"_s : u"was"_s,
                                 plainText(graph.node(other).name()),
                                 plainText(graph.node(other).op()),
                                 {},
                                 {}});
    if (at != list->steps.end())
        for (const std::string& text : at->texts)
            section.facts.push_back({{}, plainText(text), {}, plainText(text), {}});
    return {std::move(section)};
}

} // namespace lapidary
