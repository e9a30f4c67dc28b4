// SPDX-License-Identifier: Apache-2.0
#include "app/window/main_window.h"

#include "app/actions/action_set.h"
#include "app/window/action_tables.h"
#include "app/window/base/floating.h"
#include "app/window/data/data_controller.h"
#include "app/window/docks/dock_room.h"
#include "app/window/docks/window_docks.h"
#include "app/window/export/export_for_device.h"
#include "app/window/notes/note_controller.h"
#include "app/window/parts/comparison.h"
#include "app/window/parts/copy_interface.h"
#include "app/window/parts/document_opener.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/file_writer.h"
#include "app/window/parts/plain_tool_bar.h"
#include "app/window/parts/save_graph.h"
#include "app/window/parts/search_bar.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/theme_switch.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/profile/delta_controller.h"
#include "app/window/recipe/autopilot_controller.h"
#include "app/window/recipe/recipe_controller.h"
#include "app/window/run/lens_controller.h"
#include "app/window/run/picture_controller.h"
#include "app/window/run/run_controller.h"
#include "app/window/run/sensitivity_controller.h"
#include "app/window/settings/settings.h"
#include "app/window/start_area.h"
#include "app/window/view/document_view.h"
#include "views/canvas/graph_canvas.h"
#include "views/panels/command_palette.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int keepLayoutMs = 1000;

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
    case ColorMode::Target: return u"target"_s;
    case ColorMode::TwoRuns: return u"two runs"_s;
    case ColorMode::Data: return u"node data"_s;
    }
    return {};
}

} // namespace

MainWindow::MainWindow(const StateStore& store, WorkPools& pools, QWidget* parent)
    : QMainWindow(parent)
    , m_stack(new QStackedWidget(this))
{
    setObjectName(u"window"_s);
    setWindowTitle(u"Lapidary"_s);
    setAcceptDrops(true);
    resize(1280, 800);
    m_parts.window = this;
    m_parts.store = &store;
    buildParts(pools);
    connectParts();
    connectDocks();
    m_keepLayout = new QTimer(this);
    m_keepLayout->setSingleShot(true);
    m_keepLayout->setInterval(keepLayoutMs);
    connect(m_keepLayout, &QTimer::timeout, this, &MainWindow::keepLayout);
    for (const QDockWidget* dock : findChildren<QDockWidget*>())
        connect(dock, &QDockWidget::visibilityChanged, m_keepLayout, qOverload<>(&QTimer::start));
    m_parts.theme->apply();
    restoreLayout();
    m_parts.tabs->renew();
    showTab();
}

MainWindow::~MainWindow()
{
    // Views own documents whose jobs report to them; panels must release these first.
    m_parts.docks->setDocument(nullptr);
    m_parts.recipes->setView(nullptr);
    m_parts.tabs->deleteViews();
}

void MainWindow::buildParts(WorkPools& pools)
{
    m_parts.status = new StatusLine(this);
    m_parts.theme = new ThemeSwitch(*m_parts.store, this);
    m_parts.settings = new Settings(*m_parts.store, this);
    m_parts.writer = new FileWriter(*m_parts.status, this);
    m_questions = std::make_unique<FileQuestions>(m_parts);
    m_parts.questions = m_questions.get();
    m_parts.actions = new ActionSet(
        actionTables(),
        [this] {
            const WindowTabs* tabs = m_parts.tabs;
            return ActionContext{m_parts, tabs->document(), tabs->canvas()};
        },
        this);
    m_parts.actions->fillMenuBar(menuBar());
    buildToolBar();
    m_start = new StartArea(pools.layout, m_parts, m_stack);
    m_stack->addWidget(m_start->page());
    setCentralWidget(m_stack);
    m_parts.opener = new DocumentOpener(m_parts, pools, this);
    m_parts.docks = new WindowDocks(this);
    m_parts.comparison = new Comparison(m_parts, pools, this);
    m_parts.recipes = new RecipeController(m_parts);
    m_parts.runs = new RunController(m_parts);
    m_parts.lens = new LensController(m_parts);
    m_parts.notes = new NoteController(m_parts);
    m_parts.delta = new DeltaController(m_parts);
    m_parts.data = new DataController(m_parts);
    m_parts.pictures = new PictureController(m_parts);
    m_parts.sensitivity = new SensitivityController(m_parts);
    m_parts.autopilot = new AutopilotController(m_parts);
    m_parts.palette = new CommandPalette(this);
    castShadow(m_parts.palette);
}

void MainWindow::buildToolBar()
{
    QToolBar* bar = plainToolBar(this, u"toolbar"_s, u"Toolbar"_s);
    for (const std::string_view id : toolbarActions())
        bar->addAction(m_parts.actions->action(id));
    for (QAction* action : bar->actions())
        if (QWidget* button = bar->widgetForAction(action))
            button->setAccessibleName(action->text().remove(QChar(0x2026)));
    addToolBarBreak();
    m_parts.tabs = new WindowTabs(this);
    bar->addWidget(stretch(bar));
    m_parts.search = new SearchBar(bar, this, *m_parts.tabs);
    bar->addWidget(stretch(bar));
    m_color = new QToolButton(bar);
    m_color->setObjectName(u"colorChoice"_s);
    m_color->setAccessibleName(u"Color by"_s);
    m_color->setPopupMode(QToolButton::InstantPopup);
    m_color->setMenu(m_parts.actions->menu(u"View/Color by"_s));
    m_color->setText(u"Color: op family"_s);
    m_colorPlace = bar->addWidget(m_color);
}

void MainWindow::connectParts()
{
    const WindowParts& parts = m_parts;
    connect(parts.actions, &ActionSet::refused, parts.status, &StatusLine::notice);
    connect(parts.status, &StatusLine::refreshDue, this, &MainWindow::refresh);
    connect(parts.status, &StatusLine::problemsRequested, parts.docks, &WindowDocks::showProblems);
    connect(parts.status, &StatusLine::stopRequested, this,
            [this] { m_parts.actions->run("graph.cancel"); });
    connect(parts.theme, &ThemeSwitch::changed, this, &MainWindow::applyTheme);
    connect(parts.search, &SearchBar::changed, parts.status, &StatusLine::refreshSoon);
    connect(parts.palette, &CommandPalette::chosen, this,
            [this](const QString& id) { m_parts.actions->run(id.toStdString()); });
    connect(parts.tabs, &WindowTabs::currentChanged, this, &MainWindow::showTab);
    connect(parts.tabs, &WindowTabs::viewAdded, this, &MainWindow::connectView);
    connect(parts.tabs, &WindowTabs::viewClosing, this, &MainWindow::closeView);
}

void MainWindow::connectDocks()
{
    connect(m_parts.docks, &WindowDocks::itemRequested, this, [this](ItemId item) {
        if (DocumentView* view = m_parts.tabs->view())
            view->goTo(item);
    });
    connect(m_parts.docks, &WindowDocks::copyFlagsRequested, this,
            [this](FlagStyle style) { copyInterface(m_parts, style); });
    connect(m_parts.docks, &WindowDocks::saveTensorRequested, this,
            [this](NodeId node) { askToSaveTensor(m_parts, node); });
    connect(m_parts.docks, &WindowDocks::actionRequested, this,
            [this](const char* id) { m_parts.actions->run(id); });
}

void MainWindow::connectView(DocumentView* view)
{
    m_parts.actions->addCanvas(view->canvas());
    const auto applySettings = [this, view] { m_parts.settings->apply(*view->canvas()); };
    connect(m_parts.settings, &Settings::changed, view, applySettings);
    applySettings();
    if (view->parentWidget() == m_stack)
        m_stack->addWidget(view);
    Document* document = &view->document();
    WindowTabs* tabs = m_parts.tabs;
    StatusLine* status = m_parts.status;
    const auto refreshSoon = [status] { status->refreshSoon(); };
    connect(&document->work(), &DocumentWork::stageChanged, status, refreshSoon);
    connect(&document->work(), &DocumentWork::busyChanged, status, refreshSoon);
    connect(document, &Document::fileChanged, status, refreshSoon);
    connect(&document->picture(), &Picture::prepared, status, refreshSoon);
    connect(&document->picture(), &Picture::sceneChanged, status, refreshSoon);
    connect(&document->check(), &GraphCheck::changed, status, refreshSoon);
    connect(&document->selection(), &ItemSelection::changed, status, refreshSoon);
    connect(&document->highlight(), &Highlight::changed, status, refreshSoon);
    connect(&document->colors(), &PictureColors::changed, status, refreshSoon);
    connect(&document->interface(), &InterfaceSession::choiceChanged, status, refreshSoon);
    connect(view->canvas(), &GraphCanvas::viewChanged, status, refreshSoon);
    connect(&document->work(), &DocumentWork::stageChanged, tabs, &WindowTabs::renew);
    connect(document, &Document::fileChanged, tabs, &WindowTabs::renew);
    connect(&document->check(), &GraphCheck::changed, tabs, &WindowTabs::renew);
    connect(&document->work(), &DocumentWork::notice, status, &StatusLine::notice);
    connect(&document->work(), &DocumentWork::progressed, this, [this, document](int permille) {
        if (m_parts.tabs->document() == document)
            m_parts.status->setProgress(permille);
    });
    const auto showAnswer = [this, document] {
        if (m_parts.tabs->document() == document)
            m_parts.search->showAnswer();
    };
    connect(&document->search(), &SearchSession::answered, this, showAnswer);
    connect(&document->search(), &SearchSession::currentChanged, this, showAnswer);
    connect(view->canvas(), &GraphCanvas::detailsRequested, this,
            [this] { m_parts.actions->run("graph.details"); });
    connect(view, &DocumentView::actionRequested, this,
            [this](const char* id) { m_parts.actions->run(id); });
    connect(view->canvas(), &GraphCanvas::contextMenuRequested, this, &MainWindow::showContextMenu);
}

void MainWindow::showTab()
{
    DocumentView* current = m_parts.tabs->tabView();
    m_parts.comparison->showActiveSide();
    m_parts.recipes->setView(current);
    m_stack->setCurrentWidget(current != nullptr ? static_cast<QWidget*>(current)
                                                 : m_start->page());
    showDocks(current != nullptr);
    m_start->setShown(current == nullptr);
    if (current != nullptr)
        m_parts.tabs->canvas()->setFocus();
    setWindowTitle(current != nullptr ? current->document().file().title() + u" \u2014 Lapidary"_s
                                      : u"Lapidary"_s);
    m_parts.search->showTab();
    m_parts.opener->keepSession();
    m_parts.status->refreshSoon();
}

void MainWindow::closeView(DocumentView* view)
{
    view->document().memory().addToRecent(view->smallPicture());
    if (m_parts.tabs->tabView() == view) {
        m_parts.docks->setDifferences(nullptr);
        m_parts.docks->setDocument(nullptr);
        m_parts.recipes->setView(nullptr);
    }
    m_stack->removeWidget(view);
}

void MainWindow::refresh()
{
    m_parts.actions->refresh();
    const Document* document = m_parts.tabs->document();
    m_parts.status->show(document, m_parts.tabs->canvas());
    m_color->setText(u"Color: "_s + colorName(document != nullptr ? document->colors().mode()
                                                                  : ColorMode::OpFamily));
    m_colorPlace->setVisible(document != nullptr);
}

void MainWindow::showDocks(bool areShown)
{
    if (areShown) {
        if (m_docksToShow.empty())
            return;
        for (QDockWidget* dock : std::exchange(m_docksToShow, {}))
            dock->show();
        layout()->activate(); // hidden docks have no sizes to change
        if (m_dockLayout.isEmpty())
            m_parts.docks->setInitialSizes();
        else
            restoreState(m_dockLayout);
        m_parts.docks->room().fit();
        return;
    }
    if (isVisible() && m_docksToShow.empty())
        m_dockLayout = saveState();
    for (QDockWidget* dock :
         {m_parts.docks->outline(), m_parts.docks->interface(), m_parts.recipes->dock(),
          m_parts.docks->node(), m_parts.docks->tables()}) {
        if (dock->isHidden())
            continue;
        dock->hide();
        m_docksToShow.push_back(dock);
    }
}

bool MainWindow::isIdle() const
{
    const DocumentView* current = m_parts.tabs->tabView();
    if (current == nullptr)
        return !m_start->isBusy();
    return !m_parts.status->isRefreshPending() && !m_parts.writer->isBusy() &&
           !m_parts.recipes->isBusy() && !m_parts.runs->isBusy() && !isExporting(*this) &&
           current->isIdle();
}

void MainWindow::restoreLayout()
{
    if (const auto geometry = m_parts.store->setting("geometry"))
        restoreGeometry(QByteArray::fromBase64(QByteArray::fromStdString(*geometry)));
    if (const auto state = m_parts.store->setting("docks")) {
        m_dockLayout = QByteArray::fromBase64(QByteArray::fromStdString(*state));
        restoreState(m_dockLayout);
    }
}

void MainWindow::keepLayout()
{
    m_parts.store->setSetting("geometry", saveGeometry().toBase64().toStdString());
    if (m_parts.tabs->count() > 0 && !m_parts.docks->room().isComparing())
        m_parts.store->setSetting("docks", saveState().toBase64().toStdString());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    for (DocumentView* view : m_parts.tabs->views())
        view->document().memory().addToRecent(view->smallPicture());
    m_keepLayout->stop();
    keepLayout();
    m_parts.opener->endSession();
    QMainWindow::closeEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_parts.search->place();
    m_parts.docks->room().fit();
    const DocumentView* current = m_parts.tabs->tabView();
    const double aspect = current != nullptr ? current->aspect() : 1;
    for (DocumentView* view : m_parts.tabs->views())
        view->document().picture().change([aspect](PictureLook& look) { look.aspect = aspect; });
    if (m_keepLayout != nullptr)
        m_keepLayout->start();
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ApplicationPaletteChange && m_parts.theme != nullptr)
        m_parts.theme->followSystem();
    QMainWindow::changeEvent(event);
}

// The widget that has the focus passes on the key of an action that cannot be run now.
void MainWindow::keyPressEvent(QKeyEvent* event)
{
    const ActionSpec* action = m_parts.actions->findKey(QKeySequence(event->keyCombination()));
    const bool actsHere =
        action != nullptr &&
        (action->scope == KeyScope::Window ||
         (m_parts.tabs->canvas() != nullptr && m_parts.tabs->canvas()->hasFocus()));
    if (!actsHere || m_parts.actions->isEnabled(action->id))
        return QMainWindow::keyPressEvent(event);
    m_parts.actions->run(action->id);
    event->accept();
}

void MainWindow::applyTheme()
{
    const Theme& theme = m_parts.theme->theme();
    m_parts.actions->setTheme(theme);
    for (DocumentView* view : m_parts.tabs->views())
        view->setTheme(theme);
    if (m_parts.tabs->view() == nullptr)
        m_start->renew();
    m_parts.status->refreshSoon();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

// Returns the node whose box is at a point of the window; invalid if there is none.
NodeId MainWindow::nodeAt(const QPoint& place) const
{
    const GraphCanvas* canvas = m_parts.tabs->canvas();
    if (canvas == nullptr)
        return {};
    const QPoint inCanvas = canvas->viewport()->mapFrom(this, place);
    if (!canvas->isVisible() || !canvas->viewport()->rect().contains(inCanvas))
        return {};
    const ItemId item = canvas->itemAt(inCanvas);
    return item.isValid() && item.isNode() ? item.node() : NodeId{};
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const NodeId node = nodeAt(event->position().toPoint());
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile() && !m_parts.runs->feedFile(node, url.toLocalFile()) &&
            !m_parts.data->takeFile(url.toLocalFile()))
            m_parts.opener->open(url.toLocalFile());
    event->acceptProposedAction();
}

void MainWindow::showContextMenu(ItemId item, const QPoint& globalPosition)
{
    const Document* document = m_parts.tabs->document();
    if (document == nullptr)
        return;
    if (item.isValid())
        document->selection().select(item);
    m_parts.actions->refresh();
    auto* menu = new QMenu(this);
    menu->setObjectName(u"contextMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const std::string_view id : contextMenuActions()) {
        if (id.empty())
            menu->addSeparator();
        else if (m_parts.actions->action(id)->isEnabled())
            menu->addAction(m_parts.actions->action(id));
    }
    menu->popup(globalPosition);
}

} // namespace lapidary
