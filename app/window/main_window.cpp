// SPDX-License-Identifier: Apache-2.0
#include "app/window/main_window.h"

#include "app/base/install_paths.h"
#include "app/window/document_view.h"
#include "app/window/recipe/recipe_controller.h"
#include "app/window/sample_pictures.h"
#include "app/window/session_file.h"
#include "app/window/style_sheet.h"
#include "app/window/window_docks.h"
#include "graph_model/write/write_model.h"
#include "views/canvas/graph_canvas.h"
#include "views/models/display_text.h"
#include "views/panels/command_palette.h"
#include "views/panels/search_results.h"
#include "views/panels/start_page.h"
#include "views/theme/text_measure.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QProgressBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;
using nlohmann::json;

namespace {

constexpr int keepLayoutMs = 1000;

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightnessF() < 0.5F;
}

QFileInfoList sampleFiles()
{
    const QDir folder(QString::fromStdString(samplesFolder().string()));
    return folder.entryInfoList({u"*.pb"_s}, QDir::Files, QDir::Name);
}

} // namespace

MainWindow::MainWindow(const StateStore& store, WorkPools& pools, QWidget* parent)
    : QMainWindow(parent)
    , m_store(store)
    , m_session(store)
    , m_pools(pools)
    , m_commands(*this)
    , m_actions(new ActionSet(m_commands, this))
    , m_docks(nullptr)
{
    setObjectName(u"window"_s);
    setWindowTitle(u"Lapidary"_s);
    setAcceptDrops(true);
    resize(1280, 800);
    m_systemIsDark = isDark(QApplication::palette());
    m_refresh = new QTimer(this);
    m_refresh->setSingleShot(true);
    connect(m_refresh, &QTimer::timeout, this, [this] {
        m_actions->refresh();
        renewStatus();
    });
    m_actions->fillMenuBar(menuBar());
    buildToolBar();
    buildTabBar();
    m_stack = new QStackedWidget(this);
    m_start = new StartPage(m_stack);
    m_stack->addWidget(m_start);
    m_samples = new SamplePictures(pools.layout, this);
    m_drawSamples = new QTimer(this); // not before it is sure that no file is opened at once
    m_drawSamples->setSingleShot(true);
    connect(m_drawSamples, &QTimer::timeout, this, &MainWindow::drawSamples);
    connect(m_samples, &SamplePictures::pictureMade, this, [this](const QString& path) {
        m_start->setPicture(path, m_samples->picture(path, theme().isDark));
    });
    setCentralWidget(m_stack);
    m_docks = new WindowDocks(this);
    m_recipes = new RecipeController(*this);
    buildStatusBar();
    buildSearch();
    connect(m_docks, &WindowDocks::itemRequested, this, &MainWindow::goTo);
    connect(m_docks, &WindowDocks::copyFlagsRequested, this,
            [this](FlagStyle style) { m_commands.copyFlags(style); });
    connect(m_docks, &WindowDocks::saveTensorRequested, this,
            [this](NodeId node) { m_commands.saveTensor(node); });
    connect(m_docks, &WindowDocks::actionRequested, this,
            [this](const char* id) { m_actions->run(id); });
    connect(m_start, &StartPage::openRequested, this, [this] { m_actions->run("file.open"); });
    connect(m_start, &StartPage::fileRequested, this,
            qOverload<const QString&>(&MainWindow::openFile));
    const std::string theme = store.setting("theme").value_or("system");
    m_themeChoice = theme == "dark"    ? ThemeChoice::Dark
                    : theme == "light" ? ThemeChoice::Light
                                       : ThemeChoice::System;
    m_keepLayout = new QTimer(this);
    m_keepLayout->setSingleShot(true);
    m_keepLayout->setInterval(keepLayoutMs);
    connect(m_keepLayout, &QTimer::timeout, this, &MainWindow::keepLayout);
    applyTheme();
    restoreLayout();
    renewTabs();
    showTab(-1);
}

MainWindow::~MainWindow()
{
    // Views hold documents whose jobs report to them; panels must let go first.
    m_docks->setDocument(nullptr);
    m_recipes->setView(nullptr);
    for (DocumentView* view : m_views)
        delete view;
}

void MainWindow::restoreLayout()
{
    if (const auto geometry = m_store.setting("geometry"))
        restoreGeometry(QByteArray::fromBase64(QByteArray::fromStdString(*geometry)));
    if (const auto state = m_store.setting("docks")) {
        m_dockLayout = QByteArray::fromBase64(QByteArray::fromStdString(*state));
        restoreState(m_dockLayout);
    }
}

void MainWindow::openFile(const QString& path)
{
    openFile(path, json());
}

void MainWindow::openFile(const QString& path, const json& state)
{
    if (isSessionPath(path.toStdString()))
        return openSession(path);
    const QString canonical = QFileInfo(path).canonicalFilePath();
    bool isOpen = false;
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        const Document& known = m_views[i]->document();
        const QFileInfo other(QString::fromStdString(known.path().string()));
        if (canonical.isEmpty() || other.canonicalFilePath() != canonical)
            continue;
        isOpen = true;
        if (!state.is_object() || known.state() == state) {
            m_tabs->setCurrentIndex(int(i));
            return;
        }
    }
    // What a session made of a file that is open already gets a tab of its own, and is not what is
    // remembered of the file: neither takes the place of the other.
    if (isOpen)
        notice(u"%1 was open already; what the session made of it is in a tab of its own"_s.arg(
            QFileInfo(path).fileName()));
    auto document = std::make_unique<Document>(DocumentContext{
        &m_pools.layout, measureCanvasText(), isOpen ? nullptr : &m_store, &m_pools.run});
    document->setAspect(double(m_stack->width()) / std::max(m_stack->height(), 1));
    if (state.is_object())
        document->open(std::filesystem::path(path.toStdString()), state);
    else
        document->open(std::filesystem::path(path.toStdString()));
    adopt(std::move(document));
}

void MainWindow::adopt(std::unique_ptr<Document> document)
{
    auto* view = new DocumentView(std::move(document), m_stack);
    view->setTheme(theme());
    m_actions->addCanvas(view->canvas());
    connectView(view);
    m_stack->addWidget(view);
    m_views.push_back(view);
    m_tabs->addTab(view->document().title());
    m_tabs->setCurrentIndex(int(m_views.size()) - 1);
    renewTabs();
    showTab(m_tabs->currentIndex());
}

void MainWindow::connectView(DocumentView* view)
{
    Document* document = &view->document();
    for (const auto signal :
         {&Document::stageChanged, &Document::busyChanged, &Document::fileChanged,
          &Document::graphPrepared, &Document::problemsChanged, &Document::selectionChanged,
          &Document::litChanged, &Document::colorsChanged})
        connect(document, signal, this, &MainWindow::scheduleRefresh);
    connect(document, &Document::stageChanged, this, &MainWindow::renewTabs);
    connect(document, &Document::fileChanged, this, &MainWindow::renewTabs);
    connect(document, &Document::problemsChanged, this, &MainWindow::renewTabs);
    connect(document, &Document::sceneChanged, this, &MainWindow::scheduleRefresh);
    connect(document, &Document::notice, this, &MainWindow::notice);
    connect(document, &Document::progressed, this, [this, document](int permille) {
        if (this->document() == document)
            m_progress->setValue(permille);
    });
    connect(&document->interface(), &InterfaceSession::choiceChanged, this,
            &MainWindow::scheduleRefresh);
    connect(&document->search(), &SearchSession::answered, this, [this, document] {
        if (this->document() == document)
            showSearchAnswer();
    });
    connect(&document->search(), &SearchSession::currentChanged, this, [this, document] {
        if (this->document() == document)
            showSearchAnswer();
    });
    connect(view->canvas(), &GraphCanvas::viewChanged, this, &MainWindow::scheduleRefresh);
    connect(view->canvas(), &GraphCanvas::detailsRequested, this,
            [this] { m_actions->run("graph.details"); });
    connect(view->canvas(), &GraphCanvas::contextMenuRequested, this, &MainWindow::showContextMenu);
}

DocumentView* MainWindow::view() const
{
    DocumentView* whole = tabView();
    return whole != nullptr ? whole->activeView() : nullptr;
}

DocumentView* MainWindow::tabView() const
{
    const int at = m_tabs->currentIndex();
    return at >= 0 && std::size_t(at) < m_views.size() ? m_views[std::size_t(at)] : nullptr;
}

Document* MainWindow::document() const
{
    return view() != nullptr ? &view()->document() : nullptr;
}

GraphCanvas* MainWindow::canvas() const
{
    return view() != nullptr ? view()->canvas() : nullptr;
}

int MainWindow::tabCount() const
{
    return int(m_views.size());
}

void MainWindow::stepTab(int by)
{
    if (!m_views.empty())
        m_tabs->setCurrentIndex((m_tabs->currentIndex() + by + tabCount()) % tabCount());
}

void MainWindow::showTab(int)
{
    DocumentView* current = tabView();
    showActiveSide();
    m_recipes->setView(current);
    m_stack->setCurrentWidget(current != nullptr ? static_cast<QWidget*>(current) : m_start);
    showDocks(current != nullptr);
    if (current != nullptr) {
        m_drawSamples->stop();
        m_samples->stop();
        view()->canvas()->setFocus();
    } else {
        renewStartPage();
    }
    setWindowTitle(current != nullptr ? current->document().title() + u" \u2014 Lapidary"_s
                                      : u"Lapidary"_s);
    const QSignalBlocker blocker(m_search);
    m_search->setText(current != nullptr ? current->document().search().query() : QString());
    m_search->setEnabled(current != nullptr);
    m_results->hide();
    showSearchAnswer();
    keepSession();
    scheduleRefresh();
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
            m_docks->setInitialSizes();
        else
            restoreState(m_dockLayout);
        return;
    }
    if (isVisible() && m_docksToShow.empty())
        m_dockLayout = saveState();
    for (QDockWidget* dock : {m_docks->outline(), m_docks->interface(), m_recipes->dock(),
                              m_docks->node(), m_docks->tables()}) {
        if (dock->isHidden())
            continue;
        dock->hide();
        m_docksToShow.push_back(dock);
    }
}

void MainWindow::closeCurrentTab()
{
    closeTab(m_tabs->currentIndex());
}

void MainWindow::closeTab(int tab)
{
    if (tab < 0 || std::size_t(tab) >= m_views.size())
        return;
    DocumentView* view = m_views[std::size_t(tab)];
    view->document().remember(view->smallPicture());
    if (tabView() == view) {
        m_docks->setDifferences(nullptr);
        m_docks->setDocument(nullptr);
        m_recipes->setView(nullptr);
    }
    m_views.erase(m_views.begin() + tab);
    m_stack->removeWidget(view);
    view->hide();
    view->deleteLater();
    {
        const QSignalBlocker blocker(m_tabs);
        m_tabs->removeTab(tab);
    }
    renewTabs();
    showTab(m_tabs->currentIndex());
}

void MainWindow::startWriting(const QString& path,
                              std::function<Result<std::string>(const Job&)> makeBytes)
{
    startWriting(path,
                 [makeBytes = std::move(makeBytes)](const std::filesystem::path& to,
                                                    const Job& job) -> Status {
                     const auto bytes = makeBytes(job);
                     return bytes ? writeFileAtomically(to, bytes.value()) : Status(bytes.error());
                 });
}

void MainWindow::startWriting(const QString& path,
                              std::function<Status(const std::filesystem::path&, const Job&)> write)
{
    notice(u"Writing "_s + path);
    m_writeJob.start(
        [path = std::filesystem::path(path.toStdString()),
         write = std::move(write)](const Job& job) -> Status { return write(path, job); },
        [this, path](const Status& written) {
            notice(written ? u"Written to "_s + path : plainText(written.error().message));
        });
}

void MainWindow::goTo(ItemId item) const
{
    if (view() != nullptr)
        view()->goTo(item);
}

bool MainWindow::isIdle() const
{
    const DocumentView* current = tabView();
    if (current == nullptr)
        return !m_drawSamples->isActive() && !m_samples->isBusy();
    return !m_refresh->isActive() && !m_writeJob.isRunning() && !m_recipes->isBusy() &&
           current->isIdle();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    for (DocumentView* view : m_views)
        view->document().remember(view->smallPicture());
    m_keepLayout->stop();
    keepLayout();
    m_session.end();
    QMainWindow::closeEvent(event);
}

void MainWindow::keepLayout()
{
    m_store.setSetting("geometry", saveGeometry().toBase64().toStdString());
    if (!m_views.empty())
        m_store.setSetting("docks", saveState().toBase64().toStdString());
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ApplicationPaletteChange && !m_isApplyingTheme &&
        m_themeChoice == ThemeChoice::System) {
        m_systemIsDark = isDark(QApplication::palette());
        applyTheme();
    }
    QMainWindow::changeEvent(event);
}

const Theme& MainWindow::theme() const
{
    return themeFor(m_themeChoice == ThemeChoice::System ? m_systemIsDark
                                                         : m_themeChoice == ThemeChoice::Dark);
}

void MainWindow::setThemeChoice(ThemeChoice choice)
{
    m_themeChoice = choice;
    m_store.setSetting("theme", choice == ThemeChoice::Dark    ? "dark"
                                : choice == ThemeChoice::Light ? "light"
                                                               : "system");
    applyTheme();
}

void MainWindow::applyTheme()
{
    m_isApplyingTheme = true;
    QApplication::setPalette(widgetPalette(theme()));
    setStyleSheet(lapidary::styleSheet(theme()));
    m_actions->setTheme(theme());
    for (DocumentView* view : m_views)
        view->setTheme(theme());
    if (view() == nullptr)
        renewStartPage();
    m_isApplyingTheme = false;
    scheduleRefresh();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            openFile(url.toLocalFile());
    event->acceptProposedAction();
}

void MainWindow::renewStartPage()
{
    std::vector<StartEntry> recent;
    for (const RecentFile& file : m_store.recentFiles())
        recent.push_back(
            {file.path, file.title, QFileInfo(file.path).absolutePath(), file.picture});
    std::vector<StartEntry> samples;
    for (const QFileInfo& file : sampleFiles())
        samples.push_back({file.absoluteFilePath(), file.completeBaseName().replace(u'_', u' '),
                           bytesText(std::uint64_t(file.size())),
                           m_samples->picture(file.absoluteFilePath(), theme().isDark)});
    m_start->setEntries(recent, samples);
    m_drawSamples->start(0);
}

void MainWindow::drawSamples()
{
    QStringList paths;
    for (const QFileInfo& file : sampleFiles())
        paths.append(file.absoluteFilePath());
    m_samples->request(paths);
}

} // namespace lapidary
