// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/window_tabs.h"

#include "app/window/parts/plain_tool_bar.h"
#include "app/window/view/compared_views.h"
#include "app/window/view/document_view.h"
#include "views/models/display_text.h"

#include <QMainWindow>
#include <QSignalBlocker>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

WindowTabs::WindowTabs(QMainWindow* window)
    : QObject(window)
    , m_row(plainToolBar(window, u"tabBarRow"_s, u"Tabs"_s))
    , m_bar(new QTabBar(m_row))
{
    m_bar->setObjectName(u"tabs"_s);
    m_bar->setAccessibleName(u"Open files"_s);
    m_bar->setDocumentMode(true);
    m_bar->setExpanding(false);
    m_bar->setMovable(false);
    m_bar->setElideMode(Qt::ElideMiddle);
    m_bar->setUsesScrollButtons(true);
    m_row->addWidget(m_bar);
    m_row->setFixedHeight(46);
    connect(m_bar, &QTabBar::currentChanged, this, &WindowTabs::currentChanged);
}

void WindowTabs::deleteViews()
{
    const QSignalBlocker blocker(this);
    for (DocumentView* view : m_views)
        delete view;
    m_views.clear();
}

DocumentView* WindowTabs::tabView() const
{
    const int at = current();
    return at >= 0 && at < count() ? m_views[std::size_t(at)] : nullptr;
}

DocumentView* WindowTabs::view() const
{
    DocumentView* whole = tabView();
    return whole != nullptr ? whole->activeView() : nullptr;
}

Document* WindowTabs::document() const
{
    return view() != nullptr ? &view()->document() : nullptr;
}

GraphCanvas* WindowTabs::canvas() const
{
    return view() != nullptr ? view()->canvas() : nullptr;
}

int WindowTabs::current() const
{
    return m_bar->currentIndex();
}

void WindowTabs::setCurrent(int tab)
{
    m_bar->setCurrentIndex(tab);
}

void WindowTabs::step(int by)
{
    if (!m_views.empty())
        setCurrent((current() + by + count()) % count());
}

void WindowTabs::add(DocumentView* view)
{
    welcome(view);
    m_views.push_back(view);
    m_bar->addTab(view->document().file().title());
    setCurrent(count() - 1);
    renew();
    emit currentChanged();
}

void WindowTabs::close(int tab)
{
    if (tab < 0 || tab >= count())
        return;
    DocumentView* view = m_views[std::size_t(tab)];
    emit viewClosing(view);
    m_views.erase(m_views.begin() + tab);
    view->hide();
    view->deleteLater();
    {
        const QSignalBlocker blocker(m_bar);
        m_bar->removeTab(tab);
    }
    renew();
    emit currentChanged();
}

QToolButton* WindowTabs::closeButton()
{
    auto* button = new QToolButton(m_bar);
    button->setObjectName(u"tabClose"_s);
    button->setText(u"\u00D7"_s);
    button->setFixedSize(18, 18);
    button->setAccessibleName(u"Close tab"_s);
    button->setFocusPolicy(Qt::NoFocus);
    connect(button, &QToolButton::clicked, this, [this, button] {
        for (int i = 0; i < m_bar->count(); ++i)
            if (m_bar->tabButton(i, QTabBar::RightSide) == button)
                return close(i);
    });
    return button;
}

void WindowTabs::renew()
{
    m_row->setVisible(!m_views.empty());
    for (int i = 0; i < count(); ++i) {
        DocumentView* view = m_views[std::size_t(i)];
        const Document& document = view->document();
        const ProblemsPtr problems = document.check().problems();
        const auto errors = std::ranges::count(*problems, Severity::Error, &Problem::severity);
        QString text = document.file().title();
        if (const ComparedViews* compared = view->compared())
            text += u" \u21C4 "_s + compared->guestName();
        text.replace(u'&', u"&&"_s);
        if (errors > 0)
            text += u"  %1"_s.arg(errors);
        m_bar->setTabText(i, text);
        m_bar->setTabToolTip(i, plainText(document.file().path().string()) +
                                    (errors > 0 ? u'\n' + counted(errors, u"error"_s) : QString()));
        if (m_bar->tabButton(i, QTabBar::RightSide) == nullptr)
            m_bar->setTabButton(i, QTabBar::RightSide, closeButton());
    }
}

} // namespace lapidary
