// SPDX-License-Identifier: Apache-2.0
#include "views/panels/diff/comparison_bar.h"

#include "views/models/display_text.h"
#include "views/panels/base/obstacle.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

ComparisonBar::ComparisonBar(QWidget* parent)
    : QWidget(parent)
    , m_summary(new QLabel(this))
    , m_count(new QLabel(this))
{
    setObjectName(u"comparisonBar"_s);
    setAccessibleName(u"Comparison"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_summary->setObjectName(u"differenceSummary"_s);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_count->setObjectName(u"differenceCount"_s);
    m_count->setProperty("muted", true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 8, 4);
    row->setSpacing(6);
    row->addWidget(m_summary, 1);
    row->addWidget(m_count);
    m_previous = addButton(u"Previous"_s, u"previousDifference"_s,
                           u"Goes to the difference before (Ctrl+Shift+F8)"_s);
    m_next = addButton(u"Next"_s, u"nextDifference"_s, u"Goes to the next difference (Ctrl+F8)"_s);
    m_shows = addButton(u"List"_s, u"listDifferences"_s,
                        u"Shows or hides the table of differences below"_s);
    QPushButton* end = addButton(u"Stop comparing"_s, u"endCompare"_s,
                                 u"Ends the comparison and closes the other graphs"_s);
    connect(m_previous, &QPushButton::clicked, this, [this] { emit stepRequested(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { emit stepRequested(1); });
    connect(m_shows, &QPushButton::clicked, this, &ComparisonBar::listRequested);
    connect(end, &QPushButton::clicked, this, &ComparisonBar::endRequested);
    setList(nullptr);
}

QPushButton* ComparisonBar::addButton(const QString& text, const QString& name, const QString& tip)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setToolTip(tip);
    layout()->addWidget(button);
    return button;
}

void ComparisonBar::setList(const DifferenceListPtr& list, const QString& remark)
{
    m_list = list;
    m_summary->setText(!list                 ? remark
                       : list->steps.empty() ? u"The graphs are the same"_s
                       : list->story.summary.empty()
                           ? counted(std::int64_t(list->steps.size()), u"difference"_s)
                           : plainText(list->story.summary));
    const bool hasSteps = list && !list->steps.empty();
    for (QPushButton* button : {m_previous, m_next, m_shows})
        setObstacle(*button, hasSteps ? QString()
                             : list   ? u"The graphs are the same"_s
                                      : u"Wait until the graphs are compared"_s);
    renewCount();
}

void ComparisonBar::setCurrent(int number)
{
    if (m_current == number)
        return;
    m_current = number;
    renewCount();
}

// For a long list, changes are counted instead of differences: each change is one edit of one part.
void ComparisonBar::renewCount()
{
    if (!m_list || m_list->steps.empty())
        return m_count->clear();
    const bool isLong = m_list->isLong();
    const auto all = std::int64_t(isLong ? m_list->story.changes.size() : m_list->steps.size());
    const bool isKnown = m_current >= 0 && std::size_t(m_current) < m_list->steps.size();
    const std::int64_t at = isLong && isKnown
                                ? std::int64_t(m_list->story.changeOfStep[std::size_t(m_current)])
                                : m_current;
    m_count->setText(!isKnown ? counted(all, isLong ? u"change"_s : u"difference"_s)
                              : u"%1 of %2"_s.arg(exactText(at + 1), exactText(all)));
}

} // namespace lapidary
