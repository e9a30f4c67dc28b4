// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/search_bar.h"

#include "app/document/document.h"
#include "app/window/base/floating.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/view/document_view.h"
#include "views/canvas/graph_canvas.h"
#include "views/models/display_text.h"
#include "views/panels/search_results.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolBar>
#include <QTreeView>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int fieldWidth = 420;
constexpr int leastFieldWidth = 180;
constexpr int widestList = 720;

// A field that has its full width, unless the buttons beside it need the space.
class QueryField : public QLineEdit {
public:
    using QLineEdit::QLineEdit;
    QSize sizeHint() const override { return {fieldWidth, QLineEdit::sizeHint().height()}; }
    QSize minimumSizeHint() const override
    {
        return {leastFieldWidth, QLineEdit::minimumSizeHint().height()};
    }
};

} // namespace

SearchBar::SearchBar(QToolBar* bar, QMainWindow* window, const WindowTabs& tabs)
    : QObject(window)
    , m_window(window)
    , m_tabs(tabs)
    , m_field(new QueryField(bar))
    , m_count(new QLabel(m_field))
    , m_results(new SearchResults(window))
{
    m_field->setObjectName(u"searchField"_s);
    m_field->setAccessibleName(u"Search"_s);
    m_field->setPlaceholderText(u"Search name, op, attribute, type, shape  (Ctrl+F)"_s);
    m_field->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    bar->addWidget(m_field);
    castShadow(m_results);
    m_count->setObjectName(u"hitCount"_s);
    m_count->setProperty("muted", true);
    m_count->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_field->installEventFilter(this);
    m_results->tree()->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (Document* document = m_tabs.document())
            document->search().setQuery(text);
    });
    connect(m_results, &SearchResults::hitChosen, this, [this](int number) {
        if (Document* document = m_tabs.document())
            document->search().setCurrent(number);
    });
}

void SearchBar::focus()
{
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
    showAnswer();
}

void SearchBar::clear()
{
    m_field->clear();
    m_results->hide();
    focusCanvas();
}

void SearchBar::focusCanvas()
{
    if (GraphCanvas* canvas = m_tabs.canvas())
        canvas->setFocus();
}

void SearchBar::showTab()
{
    const DocumentView* tab = m_tabs.tabView();
    {
        const QSignalBlocker blocker(m_field);
        m_field->setText(tab != nullptr ? tab->document().search().query() : QString());
    }
    m_field->setEnabled(tab != nullptr);
    m_results->hide();
    showAnswer();
}

void SearchBar::showAnswer()
{
    const Document* current = m_tabs.document();
    if (current == nullptr || current->search().query().trimmed().isEmpty()) {
        m_count->clear();
        m_results->hide();
        if (current != nullptr && current->search().query().isEmpty() && !m_field->hasFocus())
            m_field->clear();
        emit changed();
        return;
    }
    const SearchSession& search = current->search();
    if (m_field->text() != search.query()) { // requested by a link, not by typing
        const QSignalBlocker blocker(m_field);
        m_field->setText(search.query());
    }
    const int count = int(search.answer().hits.size());
    m_count->setText(search.current() < 0
                         ? countText(count)
                         : u"%1 of %2"_s.arg(search.current() + 1).arg(countText(count)));
    m_count->adjustSize();
    m_count->move(m_field->width() - m_count->width() - 10,
                  (m_field->height() - m_count->height()) / 2);
    const PreparationPtr preparation = current->picture().preparation();
    if (preparation && (m_results->hits().hits() != search.answer().hits || search.current() < 0))
        m_results->setAnswer(search.index(), preparation->sharedTree(), search.answer());
    m_results->setCurrent(search.current());
    const bool isWanted = m_field->hasFocus() || m_results->tree()->hasFocus();
    const bool saysAnything = preparation && !search.isBusy();
    m_results->setVisible(isWanted && saysAnything && m_field->isVisible());
    place();
    emit changed();
}

void SearchBar::place()
{
    if (m_results->isHidden())
        return;
    const QPoint below = m_field->mapTo(m_window, QPoint(0, m_field->height() + 4));
    const int w = std::clamp(m_window->width() - 16, m_field->width(), widestList);
    const int x = std::clamp(below.x() + (m_field->width() - w) / 2, 8, m_window->width() - w - 8);
    m_results->resize(w, 40);
    m_results->setGeometry(
        x, below.y(), w,
        std::min(m_results->sizeHint().height(), m_window->height() - below.y() - 40));
    m_results->raise();
}

bool SearchBar::handleKey(const QKeyEvent& event)
{
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (Document* document = m_tabs.document())
            document->search().step(event.modifiers() & Qt::ShiftModifier ? -1 : 1);
        return true;
    case Qt::Key_Down:
        if (!m_results->isHidden())
            m_results->tree()->setFocus();
        return true;
    case Qt::Key_Escape:
        if (m_results->isHidden())
            m_field->clear();
        m_results->hide();
        focusCanvas();
        return true;
    default: return false;
    }
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event)
{
    const bool isField = watched == m_field;
    const bool isTree = watched == m_results->tree();
    if (event->type() == QEvent::KeyPress && isField)
        return handleKey(*static_cast<QKeyEvent*>(event));
    if (event->type() == QEvent::KeyPress && isTree &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        return handleKey(*static_cast<QKeyEvent*>(event));
    if (event->type() == QEvent::FocusIn && isField)
        QTimer::singleShot(0, this, &SearchBar::showAnswer);
    if (event->type() == QEvent::FocusOut && (isField || isTree))
        QTimer::singleShot(0, this, [this] {
            if (!m_field->hasFocus() && !m_results->tree()->hasFocus())
                m_results->hide();
        });
    return QObject::eventFilter(watched, event);
}

} // namespace lapidary
