// SPDX-License-Identifier: Apache-2.0
// The bars of the main window: toolbar, tabs, search, status.
#include "app/window/diff/compared_views.h"
#include "app/window/document_view.h"
#include "app/window/main_window.h"
#include "app/window/window_docks.h"
#include "views/canvas/graph_canvas.h"
#include "views/models/display_text.h"
#include "views/panels/command_palette.h"
#include "views/panels/search_results.h"
#include "views/panels/theme_of.h"

#include <QGraphicsDropShadowEffect>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int progressAfterMs = 200;
constexpr int refreshDelayMs = 30;
constexpr int searchWidth = 420;

QToolBar* plainToolBar(QMainWindow* window, const QString& name, const QString& title)
{
    auto* bar = new QToolBar(title, window);
    bar->setObjectName(name);
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize(QSize(20, 20));
    window->addToolBar(bar);
    return bar;
}

QWidget* stretch(QWidget* parent)
{
    auto* space = new QWidget(parent);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    return space;
}

QString colorName(ColorMode mode)
{
    switch (mode) {
    case ColorMode::OpFamily: return u"op family"_s;
    case ColorMode::Structure: return u"structure"_s;
    case ColorMode::Device: return u"device"_s;
    case ColorMode::DType: return u"type"_s;
    case ColorMode::Time: return u"time"_s;
    case ColorMode::Memory: return u"memory"_s;
    case ColorMode::Flops: return u"FLOPs"_s;
    }
    return {};
}

} // namespace

void MainWindow::buildToolBar()
{
    QToolBar* bar = plainToolBar(this, u"toolbar"_s, u"Toolbar"_s);
    for (const std::string_view id : toolbarActions())
        bar->addAction(m_actions->action(id));
    for (QAction* action : bar->actions())
        if (QWidget* button = bar->widgetForAction(action))
            button->setAccessibleName(action->text().remove(QChar(0x2026)));
    bar->addWidget(stretch(bar));
    m_search = new QLineEdit(bar);
    m_search->setObjectName(u"searchField"_s);
    m_search->setAccessibleName(u"Search"_s);
    m_search->setPlaceholderText(u"Search name, op, attribute, type, shape  (Ctrl+F)"_s);
    m_search->setFixedWidth(searchWidth);
    bar->addWidget(m_search);
    bar->addWidget(stretch(bar));
    m_color = new QToolButton(bar);
    m_color->setObjectName(u"colorChoice"_s);
    m_color->setAccessibleName(u"Color by"_s);
    m_color->setPopupMode(QToolButton::InstantPopup);
    m_color->setMenu(m_actions->menu(u"View/Color by"_s));
    m_color->setText(u"Color: op family"_s);
    m_colorPlace = bar->addWidget(m_color);
}

void MainWindow::buildTabBar()
{
    addToolBarBreak();
    QToolBar* row = plainToolBar(this, u"tabBarRow"_s, u"Tabs"_s);
    m_tabs = new QTabBar(row);
    m_tabs->setObjectName(u"tabs"_s);
    m_tabs->setAccessibleName(u"Open files"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->setExpanding(false);
    m_tabs->setMovable(false);
    m_tabs->setElideMode(Qt::ElideMiddle);
    m_tabs->setUsesScrollButtons(true);
    row->addWidget(m_tabs);
    row->setFixedHeight(46);
    m_tabRow = row;
    connect(m_tabs, &QTabBar::currentChanged, this, &MainWindow::showTab);
}

QToolButton* MainWindow::closeButton()
{
    auto* close = new QToolButton(m_tabs);
    close->setObjectName(u"tabClose"_s);
    close->setText(u"\u00D7"_s);
    close->setFixedSize(18, 18);
    close->setAccessibleName(u"Close tab"_s);
    close->setFocusPolicy(Qt::NoFocus);
    connect(close, &QToolButton::clicked, this, [this, close] {
        for (int i = 0; i < m_tabs->count(); ++i)
            if (m_tabs->tabButton(i, QTabBar::RightSide) == close)
                return closeTab(i);
    });
    return close;
}

void MainWindow::renewTabs()
{
    m_tabRow->setVisible(!m_views.empty());
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        const Document& document = m_views[i]->document();
        const Problems problems = document.problems();
        const auto errors = std::count_if(problems.begin(), problems.end(), [](const Problem& p) {
            return p.severity == Severity::Error;
        });
        QString text = document.title();
        if (const ComparedViews* compared = m_views[i]->compared())
            text += u" \u21C4 "_s + compared->guestName();
        text.replace(u'&', u"&&"_s);
        if (errors > 0)
            text += u"  %1"_s.arg(errors);
        m_tabs->setTabText(int(i), text);
        m_tabs->setTabToolTip(int(i),
                              plainText(document.path().string()) +
                                  (errors > 0 ? u'\n' + counted(errors, u"error"_s) : QString()));
        if (m_tabs->tabButton(int(i), QTabBar::RightSide) == nullptr)
            m_tabs->setTabButton(int(i), QTabBar::RightSide, closeButton());
    }
}

void MainWindow::buildSearch()
{
    m_results = new SearchResults(this);
    m_palette = new CommandPalette(this);
    for (QWidget* floating : {static_cast<QWidget*>(m_results), static_cast<QWidget*>(m_palette)}) {
        auto* shadow = new QGraphicsDropShadowEffect(floating); // the only shadow there is
        shadow->setBlurRadius(18);
        shadow->setOffset(0, 4);
        shadow->setColor(QColor(0, 0, 0, 70));
        floating->setGraphicsEffect(shadow);
    }
    m_hitCount = new QLabel(m_search);
    m_hitCount->setObjectName(u"hitCount"_s);
    m_hitCount->setProperty("muted", true);
    m_hitCount->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_search->installEventFilter(this);
    m_results->tree()->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (document() != nullptr)
            document()->search().setQuery(text);
    });
    connect(m_results, &SearchResults::hitChosen, this, [this](int number) {
        if (document() != nullptr)
            document()->search().setCurrent(number);
    });
    connect(m_palette, &CommandPalette::chosen, this,
            [this](const QString& id) { m_actions->run(id.toStdString()); });
}

void MainWindow::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
    showSearchAnswer();
}

void MainWindow::clearSearch()
{
    m_search->clear();
    m_results->hide();
    if (canvas() != nullptr)
        canvas()->setFocus();
}

void MainWindow::openPalette()
{
    m_palette->open(m_actions->paletteEntries());
}

void MainWindow::showSearchAnswer()
{
    Document* current = document();
    if (current == nullptr || current->search().query().trimmed().isEmpty()) {
        m_hitCount->clear();
        m_results->hide();
        if (current != nullptr && current->search().query().isEmpty() && !m_search->hasFocus())
            m_search->clear();
        scheduleRefresh();
        return;
    }
    const SearchSession& search = current->search();
    if (m_search->text() != search.query()) { // asked for by a link, not by typing
        const QSignalBlocker blocker(m_search);
        m_search->setText(search.query());
    }
    const int count = int(search.answer().hits.size());
    m_hitCount->setText(search.current() < 0
                            ? countText(count)
                            : u"%1 of %2"_s.arg(search.current() + 1).arg(countText(count)));
    m_hitCount->adjustSize();
    m_hitCount->move(m_search->width() - m_hitCount->width() - 10,
                     (m_search->height() - m_hitCount->height()) / 2);
    const PreparationPtr preparation = current->preparation();
    if (preparation && (m_results->hits().hits() != search.answer().hits || search.current() < 0))
        m_results->setAnswer(current->graph(), preparation->sharedTree(), search.answer());
    m_results->setCurrent(search.current());
    const bool isWanted = m_search->hasFocus() || m_results->tree()->hasFocus();
    m_results->setVisible(isWanted && m_search->isVisible());
    placeResults();
    scheduleRefresh();
}

void MainWindow::placeResults()
{
    if (m_results->isHidden())
        return;
    const QPoint below = m_search->mapTo(this, QPoint(0, m_search->height() + 4));
    const int w = std::max(m_search->width(), 480);
    const int x = std::clamp(below.x() + (m_search->width() - w) / 2, 8, width() - w - 8);
    m_results->resize(w, 40);
    m_results->setGeometry(x, below.y(), w,
                           std::min(m_results->sizeHint().height(), height() - below.y() - 40));
    m_results->raise();
}

void MainWindow::stepSearch(int by) const
{
    if (document() != nullptr)
        document()->search().step(by);
}

bool MainWindow::searchKey(const QKeyEvent& event)
{
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: stepSearch(event.modifiers() & Qt::ShiftModifier ? -1 : 1); return true;
    case Qt::Key_Down:
        if (!m_results->isHidden())
            m_results->tree()->setFocus();
        return true;
    case Qt::Key_Escape:
        if (m_results->isHidden())
            m_search->clear();
        m_results->hide();
        if (canvas() != nullptr)
            canvas()->setFocus();
        return true;
    default: return false;
    }
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    const bool isField = watched == m_search;
    const bool isTree = watched == m_results->tree();
    if (event->type() == QEvent::KeyPress && isField)
        return searchKey(*static_cast<QKeyEvent*>(event));
    if (event->type() == QEvent::KeyPress && isTree &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        return searchKey(*static_cast<QKeyEvent*>(event));
    if (event->type() == QEvent::FocusIn && isField)
        QTimer::singleShot(0, this, &MainWindow::showSearchAnswer);
    if (event->type() == QEvent::FocusOut && (isField || isTree))
        QTimer::singleShot(0, this, [this] {
            if (!m_search->hasFocus() && !m_results->tree()->hasFocus())
                m_results->hide();
        });
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    placeResults();
    for (DocumentView* view : m_views)
        view->document().setAspect(double(m_stack->width()) / std::max(m_stack->height(), 1));
    if (m_keepLayout != nullptr)
        m_keepLayout->start();
}

void MainWindow::buildStatusBar()
{
    QStatusBar* bar = statusBar();
    bar->setSizeGripEnabled(false);
    m_counts = new QLabel(bar);
    m_counts->setObjectName(u"counts"_s);
    m_problems = new QToolButton(bar);
    m_problems->setObjectName(u"statusProblems"_s);
    m_problems->setAutoRaise(true);
    m_job = new QLabel(bar);
    m_job->setObjectName(u"jobTitle"_s);
    m_progress = new QProgressBar(bar);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(120);
    m_progress->setAccessibleName(u"Progress"_s);
    m_cancel = new QToolButton(bar);
    m_cancel->setObjectName(u"cancelJob"_s);
    m_cancel->setText(u"Stop"_s);
    m_cancel->setAccessibleName(u"Stop the running job"_s);
    m_zoom = new QLabel(bar);
    m_zoom->setObjectName(u"zoom"_s);
    bar->addWidget(m_counts);
    bar->addWidget(m_problems);
    for (QWidget* widget : {static_cast<QWidget*>(m_job), static_cast<QWidget*>(m_progress),
                            static_cast<QWidget*>(m_cancel), static_cast<QWidget*>(m_zoom)})
        bar->addPermanentWidget(widget);
    m_showProgress = new QTimer(this);
    m_showProgress->setSingleShot(true);
    m_showProgress->setInterval(progressAfterMs);
    connect(m_showProgress, &QTimer::timeout, this, [this] {
        const bool isBusy = document() != nullptr && document()->isBusy();
        for (QWidget* widget : {static_cast<QWidget*>(m_job), static_cast<QWidget*>(m_progress),
                                static_cast<QWidget*>(m_cancel)})
            widget->setVisible(isBusy);
    });
    connect(m_cancel, &QToolButton::clicked, this, [this] { m_actions->run("graph.cancel"); });
    connect(bar, &QStatusBar::messageChanged, this, &MainWindow::scheduleRefresh);
    connect(m_problems, &QToolButton::clicked, this, [this] { m_docks->showProblems(); });
    for (QWidget* widget : {static_cast<QWidget*>(m_job), static_cast<QWidget*>(m_progress),
                            static_cast<QWidget*>(m_cancel)})
        widget->hide();
}

void MainWindow::notice(const QString& text)
{
    constexpr int noticeMs = 6000;
    statusBar()->showMessage(text, noticeMs);
}

void MainWindow::scheduleRefresh()
{
    if (!m_refresh->isActive())
        m_refresh->start(refreshDelayMs);
}

QString MainWindow::problemCount(const Document& document)
{
    const auto known = document.problems().size();
    const QString text = counted(std::int64_t(known), u"problem"_s);
    switch (document.check()) {
    case Document::Check::Pending: return known == 0 ? u"checking …"_s : text + u", checking …"_s;
    case Document::Check::Stopped: return known == 0 ? u"not checked"_s : text + u", not checked"_s;
    case Document::Check::Done: break;
    }
    return known == 0 ? u"no problems"_s : text;
}

void MainWindow::renewStatus()
{
    const Document* current = document();
    const bool hasGraph = current != nullptr && current->graph() != nullptr;
    QStringList parts;
    if (hasGraph) {
        parts.append(counted(std::int64_t(current->graph()->size()), u"node"_s));
        parts.append(counted(std::int64_t(current->graph()->edgeCount()), u"edge"_s));
        if (const PreparationPtr preparation = current->preparation())
            if (const std::int64_t weights = preparation->tree().group(rootGroup).weights;
                weights > 0)
                parts.append(countText(weights) + u" weights"_s);
    }
    if (current != nullptr && current->file())
        parts.append(bytesText(current->shownBytes()));
    if (hasGraph && current->hasSeveralSelected())
        parts.append(u"%1 selected, %2"_s.arg(
            counted(std::int64_t(current->selection().size()), u"box"_s, u"boxes"_s),
            counted(std::int64_t(m_commands.selectedNodes().size()), u"node"_s)));
    m_counts->setText(parts.join(u"  \u00B7  "_s));
    const bool hasNotice = !statusBar()->currentMessage().isEmpty(); // it takes this room
    m_problems->setVisible(current != nullptr && current->file() != nullptr && !hasNotice);
    m_problems->setText(current != nullptr ? problemCount(*current) : QString());
    m_problems->setAccessibleName(m_problems->text());
    m_zoom->setText(
        current != nullptr && canvas() != nullptr && current->scene()
            ? u"%1 %"_s.arg(canvas()->zoom() * 100, 0, 'f', canvas()->zoom() < 0.1 ? 1 : 0)
            : QString());
    const bool isBusy = current != nullptr && current->isBusy();
    m_job->setText(isBusy ? current->jobTitle() : QString());
    if (isBusy && !m_showProgress->isActive() && m_progress->isHidden())
        m_showProgress->start();
    if (!isBusy) {
        m_showProgress->stop();
        for (QWidget* widget : {static_cast<QWidget*>(m_job), static_cast<QWidget*>(m_progress),
                                static_cast<QWidget*>(m_cancel)})
            widget->hide();
        m_progress->setValue(0);
    }
    m_color->setText(u"Color: "_s +
                     colorName(current != nullptr ? current->colorMode() : ColorMode::OpFamily));
    m_colorPlace->setVisible(current != nullptr);
}

void MainWindow::showContextMenu(ItemId item, const QPoint& globalPosition)
{
    if (document() == nullptr)
        return;
    if (item.isValid())
        document()->select(item);
    m_actions->refresh();
    static constexpr std::string_view ids[]{
        "view.toggle",
        "view.expandInside",
        "view.collapseParent",
        "",
        "graph.markInput",
        "graph.markOutput",
        "",
        "graph.traceUp",
        "graph.traceDown",
        "graph.pathStart",
        "graph.pathEnd",
        "graph.clearTrace",
        "",
        "graph.openFunction",
        "graph.showAlone",
        "graph.takeApart",
        "graph.hideOp",
        "graph.hideSelected",
        "graph.showHidden",
        "",
        "node.rename",
        "node.setAttribute",
        "node.bypass",
        "node.placeholder",
        "node.delete",
        "node.deleteReaders",
        "node.extract",
        "",
        "edit.copyName",
        "view.fitSelection",
    };
    auto* menu = new QMenu(this);
    menu->setObjectName(u"contextMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const std::string_view id : ids) {
        if (id.empty())
            menu->addSeparator();
        else if (m_actions->action(id)->isEnabled())
            menu->addAction(m_actions->action(id));
    }
    menu->popup(globalPosition);
}

} // namespace lapidary
