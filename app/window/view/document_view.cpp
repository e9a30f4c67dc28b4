// SPDX-License-Identifier: Apache-2.0
#include "app/window/view/document_view.h"

#include "app/document/picture/visible_items.h"
#include "app/window/view/compared_views.h"
#include "app/window/view/first_fit.h"
#include "app/window/view/legend_entries.h"
#include "app/window/view/pane_grid.h"
#include "app/window/view/strip_follower.h"
#include "graph_model/graph/function.h"
#include "views/canvas/graph_canvas.h"
#include "views/models/display_text.h"
#include "views/panels/base/button_row.h"
#include "views/panels/breadcrumb_bar.h"
#include "views/panels/diff/comparison_bar.h"
#include "views/panels/diff/pane_caption.h"
#include "views/panels/legend_bar.h"
#include "views/strip/architecture_strip.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

DocumentView::DocumentView(std::unique_ptr<Document> document, QWidget* parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_caption(new PaneCaption(this))
    , m_strip(new ArchitectureStrip(this))
    , m_breadcrumb(new BreadcrumbBar(this))
    , m_pages(new QStackedWidget(this))
    , m_canvas(new GraphCanvas(m_pages))
    , m_legend(new LegendBar(this))
    , m_theme(&lightTheme())
{
    m_canvas->setObjectName(u"canvas"_s);
    if (m_canvas->accessibleName().isEmpty())
        m_canvas->setAccessibleName(u"Graph"_s);
    buildMessagePage();
    m_pages->addWidget(m_canvas);
    m_pages->addWidget(m_messagePage);
    m_sides = new PaneGrid(this);
    m_own = new QWidget(m_sides);
    auto* column = new QVBoxLayout(m_own);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_caption);
    column->addWidget(m_strip);
    column->addWidget(m_breadcrumb);
    column->addWidget(m_pages, 1);
    column->addWidget(m_legend);
    m_comparisonBar = new ComparisonBar(this);
    m_comparisonBar->hide();
    m_sharedLegend = new LegendBar(this);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addWidget(m_comparisonBar);
    whole->addWidget(m_sides, 1);
    whole->addWidget(m_sharedLegend);
    m_sides->setPanes({m_own});
    setFocusProxy(m_canvas);
    m_fitFirst.setSingleShot(true);
    connect(&m_fitFirst, &QTimer::timeout, this, [this] { m_canvas->camera().showFirstView(); });
    connectCanvas();
    connectStrip();
    connectDocument();
    m_refit = new FirstFit(*m_document, *m_canvas, this);
    showStage();
    renewBreadcrumb();
}

double DocumentView::aspect() const
{
    return double(std::max(m_pages->width(), 1)) / std::max(m_pages->height(), 1);
}

DocumentView::~DocumentView()
{
    endCompare();
}

void DocumentView::buildMessagePage()
{
    m_messagePage = new QWidget(m_pages);
    m_messagePage->setObjectName(u"messagePage"_s);
    m_messagePage->setAttribute(Qt::WA_StyledBackground);
    m_message = new QLabel(m_messagePage);
    m_message->setObjectName(u"message"_s);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setProperty("heading", true);
    m_message->setWordWrap(true);
    m_message->setMaximumWidth(560);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_messageDetail = new QLabel(m_messagePage);
    m_messageDetail->setObjectName(u"messageDetail"_s);
    m_messageDetail->setTextFormat(Qt::PlainText);
    m_messageDetail->setProperty("muted", true);
    m_messageDetail->setWordWrap(true);
    m_messageDetail->setMaximumWidth(560);
    // A label that is aligned in its cell gets the height for its largest width, which would cut
    // its text.
    auto* texts = new QVBoxLayout;
    texts->addStretch(2);
    texts->addWidget(m_message);
    texts->addSpacing(8);
    texts->addWidget(m_messageDetail);
    texts->addSpacing(16);
    texts->addWidget(buildMessageButtons());
    texts->addStretch(3);
    auto* row = new QHBoxLayout(m_messagePage);
    row->addStretch(1);
    row->addLayout(texts, 8);
    row->addStretch(1);
}

QWidget* DocumentView::buildMessageButtons()
{
    auto* row = new ButtonRow(m_messagePage);
    const auto add = [this, row](const QString& text, const QString& name, const char* id) {
        auto* button = new QPushButton(text, row);
        button->setObjectName(name);
        row->addButton(button);
        connect(button, &QPushButton::clicked, this, [this, id] { emit actionRequested(id); });
    };
    add(u"Open another file \u2026"_s, u"openAnother"_s, "file.open");
    add(u"Try again"_s, u"tryAgain"_s, "file.reload");
    row->addStretch();
    return row;
}

void DocumentView::connectCanvas()
{
    Document* document = m_document.get();
    connect(&m_canvas->highlights(), &CanvasHighlights::selectionChanged, this,
            [this, document](ItemId item) {
                if (!m_isGoing)
                    document->selection().select(item);
            });
    connect(m_canvas, &GraphCanvas::walkedTo, &document->selection(), &ItemSelection::walkTo);
    connect(m_canvas, &GraphCanvas::toggleRequested, &document->selection(),
            &ItemSelection::toggle);
    connect(m_canvas, &GraphCanvas::areaSelected, &document->selection(),
            &ItemSelection::selectItems);
    connect(m_canvas, &GraphCanvas::itemActivated, this, [this, document](ItemId item) {
        if (!item.isNode())
            return document->scopes().toggle(item);
        const Node& node = document->graph()->node(item.node());
        const FunctionLibrary* library = document->graph()->functions();
        if (library == nullptr)
            return;
        const auto called = calledFunctions(*document->graph(), node, *library);
        if (!called.empty())
            document->graphs().openFunction(std::string(called.front()->name));
    });
    connect(m_canvas, &GraphCanvas::collapseRequested, document, [document](ItemId group) {
        document->scopes().collapse(group.group());
        document->selection().select(group);
    });
    connect(m_canvas, &GraphCanvas::stubActivated, this, &DocumentView::goTo);
    connect(m_canvas, &GraphCanvas::viewChanged, document, [this, document] {
        const Camera& camera = m_canvas->camera().now();
        document->memory().keepCamera({camera.origin.x(), camera.origin.y(), camera.scale});
    });
    connect(m_breadcrumb, &BreadcrumbBar::itemActivated, this, &DocumentView::goTo);
    connect(m_breadcrumb, &BreadcrumbBar::graphActivated, document, [this, document](int depth) {
        if (depth + 1 < document->graphs().path().size())
            document->graphs().closeFunctions(depth);
        else
            m_canvas->camera().fitAll();
    });
    connect(m_breadcrumb, &BreadcrumbBar::entryChosen, &document->graphs(), &GraphChoice::choose);
}

// After a click in the strip, the canvas gets the focus; after a key, the strip keeps it.
void DocumentView::connectStrip()
{
    m_stripFollower = new StripFollower(*m_document, *m_strip, this);
    connect(m_stripFollower, &StripFollower::chosen, this, [this](ItemId item) {
        if (m_isFollowing || !m_strip->isAncestorOf(QApplication::focusWidget()))
            m_canvas->setFocus();
        m_isArriving = true;
        goTo(item);
    });
}

void DocumentView::show(ItemId item)
{
    const ScenePtr& scene = m_document->picture().scene();
    const ItemId shown =
        scene ? visibleItem(*scene, *m_document->picture().preparation(), item) : ItemId{};
    const bool isArriving = std::exchange(m_isArriving, false);
    if (!shown.isValid() || m_isFollowing)
        return;
    if (isArriving)
        m_canvas->camera().set(arrivalAt(scene->boxes[scene->boxOf.at(shown)].rect,
                                         m_canvas->camera().now(), m_canvas->viewport()->size()),
                               true);
    else
        m_canvas->camera().reveal(shown);
}

void DocumentView::connectDocument()
{
    Document* document = m_document.get();
    connect(&document->work(), &DocumentWork::stageChanged, this, &DocumentView::showStage);
    connect(&document->picture(), &Picture::sceneChanged, this, &DocumentView::showScene);
    connect(&document->picture(), &Picture::revealed, this, &DocumentView::show);
    connect(&document->selection(), &ItemSelection::changed, this, [this, document] {
        m_isGoing = true;
        const ItemId item = document->selection().item();
        m_canvas->highlights().setSelected(item);
        const std::vector<ItemId> all = document->selection().items();
        m_canvas->highlights().setChosen(all.size() > 1 || document->selection().isKept(item)
                                             ? ItemSet(all.begin(), all.end())
                                             : ItemSet());
        m_isGoing = false;
        renewBreadcrumb();
    });
    connect(document, &Document::fileChanged, this, &DocumentView::renewBreadcrumb);
    connect(&document->picture(), &Picture::prepared, this, &DocumentView::renewBreadcrumb);
    connect(&document->check(), &GraphCheck::changed, this, &DocumentView::renewMarks);
    connect(&document->highlight(), &Highlight::changed, this,
            [this, document] { m_canvas->highlights().setLit(document->highlight().items()); });
    connect(&document->colors(), &PictureColors::changed, this, [this, document] {
        m_canvas->highlights().setColoring(document->colors().classes().coloring);
        renewLegend();
    });
    connect(&document->search(), &SearchSession::answered, this, &DocumentView::renewHits);
    connect(&document->search(), &SearchSession::currentChanged, this, [this, document] {
        goTo(ItemId::of(document->search().currentNode()));
        renewHits();
    });
    connect(&document->interface(), &InterfaceSession::choiceChanged, this,
            &DocumentView::renewMarks);
}

void DocumentView::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_canvas->setTheme(theme);
    for (std::size_t i = 0; m_compared && i < m_compared->count(); ++i)
        if (m_compared->pane(i) != this)
            m_compared->pane(i)->setTheme(theme);
    renewLegend();
}

DocumentView* DocumentView::compareWith(ComparedDocument other)
{
    if (!other.isAdded)
        endCompare();
    auto* guest = new DocumentView(std::move(other.document), m_sides);
    guest->setTheme(*m_theme);
    if (!m_compared)
        m_compared = std::make_unique<ComparedViews>(this, m_sides);
    m_compared->add(guest, other.name, other.isBefore);
    return guest;
}

void DocumentView::endCompare()
{
    m_compared.reset();
}

void DocumentView::setCompared(bool isCompared)
{
    m_isCompared = isCompared;
    m_refit->setPaused(isCompared);
    renewLegend();
    renewBreadcrumb();
}

void DocumentView::setCaptioned(bool isCaptioned)
{
    m_isCaptioned = isCaptioned;
    showBars();
    renewLegend();
}

void DocumentView::showBars()
{
    const bool isFailed = m_document->work().stage() == DocumentStage::Failed;
    m_caption->setVisible(m_isCaptioned);
    m_strip->setWanted(!isFailed);
    m_breadcrumb->setVisible(!m_isCaptioned || m_document->graphs().titles().size() > 1);
    m_legend->setVisible(!isFailed && !m_isCaptioned);
    m_sharedLegend->setVisible(m_isCaptioned && m_compared != nullptr);
}

void DocumentView::setStateTitle(const QString& title)
{
    if (m_stateTitle == title)
        return;
    m_stateTitle = title;
    renewBreadcrumb();
}

DocumentView* DocumentView::activeView()
{
    return m_compared ? m_compared->active() : this;
}

void DocumentView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (std::exchange(m_isFirstViewDue, false) && m_document->picture().scene())
        m_fitFirst.start(0);
}

bool DocumentView::isIdle() const
{
    if (m_fitFirst.isActive() || m_refit->isDue())
        return false;
    if (m_compared && !m_compared->isIdle())
        return false;
    return !m_document->work().isBusy() && m_canvas->isSettled() &&
           m_document->work().stage() != DocumentStage::Loading &&
           m_document->work().stage() != DocumentStage::Preparing;
}

void DocumentView::goTo(ItemId item)
{
    m_document->selection().select(item);
    m_document->scopes().makeVisible(item);
}

void DocumentView::showStage()
{
    const DocumentStage stage = m_document->work().stage();
    const bool isFailed = stage == DocumentStage::Failed;
    m_pages->setCurrentWidget(isFailed ? m_messagePage : static_cast<QWidget*>(m_canvas));
    showBars();
    if (!isFailed)
        return;
    m_message->setText(m_document->work().failure());
    const std::filesystem::path& path = m_document->file().path();
    std::error_code ignored;
    m_messageDetail->setText(
        std::filesystem::exists(path, ignored)
            ? plainText(path.string())
            : u"There is no such file. It may have been moved or renamed since "
              u"it was opened last."_s);
}

// Returns the reason why there is no box to see; empty if there is one.
QString DocumentView::emptiness() const
{
    const Document& document = *m_document;
    if (!document.picture().scene() || !document.picture().scene()->boxes.empty() ||
        !document.graph())
        return {};
    if (document.graph()->size() > 0)
        return u"Every node is hidden; Shift+H shows them again"_s;
    if (const auto known = std::int64_t(document.check().problems()->size()); known > 0)
        return u"No node of this graph could be read; F8 lists what is wrong: %1"_s.arg(
            counted(known, u"problem"_s));
    const FunctionLibrary* library = document.graph()->functions();
    const auto functions = library != nullptr ? library->functions.size() : 0;
    return functions == 0 ? u"This graph has no nodes"_s
                          : u"This graph has no nodes, only %1; choose one at the top right"_s.arg(
                                counted(std::int64_t(functions), u"function"_s));
}

void DocumentView::showScene(bool isFirst)
{
    const Document& document = *m_document;
    // Shapes that become known change the sizes of boxes: a view of the whole picture must still
    // show all of it.
    const bool staysFirst =
        !isFirst && document.picture().isAsOpened() && m_canvas->camera().isAtFirstView();
    if (document.picture().isReplacing()) {
        m_canvas->replaceScene(document.picture().scene(), document.picture().sceneIndex(),
                               [&](ItemId item) { return document.picture().counterpart(item); });
        m_canvas->highlights().setLit(document.highlight().items());
    } else {
        m_canvas->setScene(document.picture().scene(), !isFirst, document.picture().acted(),
                           document.picture().sceneIndex());
    }
    if (staysFirst)
        m_canvas->camera().showFirstView();
    if (isFirst) {
        m_canvas->camera().showFirstView();
        m_isFirstViewDue = !isVisible();
        m_canvas->highlights().setLit(document.highlight().items());
    }
    if (const auto camera = m_document->memory().takeCamera()) {
        m_canvas->camera().follow({{camera->x, camera->y}, camera->scale});
        m_isFirstViewDue = false;
    }
    renewMarks();
    renewHits();
    renewLegend();
    m_canvas->setEmptyText(emptiness());
}

void DocumentView::renewMarks()
{
    const PreparationPtr preparation = m_document->picture().preparation();
    if (!preparation || !m_document->picture().scene())
        return;
    auto marks = visibleMarks(*m_document->picture().scene(), *preparation,
                              m_document->interface().choice(), *m_document->check().problems());
    if (m_previewed && m_previewed->before == m_document->graph())
        markFindings(marks, *m_document->picture().scene(), *preparation, m_previewed->findings);
    m_canvas->highlights().setMarks(std::move(marks));
}

void DocumentView::setPreviewed(std::optional<PreviewedStep> step)
{
    m_previewed = std::move(step);
    renewMarks();
}

void DocumentView::renewHits()
{
    const PreparationPtr preparation = m_document->picture().preparation();
    if (!preparation || !m_document->picture().scene())
        return;
    SearchSession& search = m_document->search();
    const NodeId node = search.currentNode();
    const ItemId current =
        node.isValid() ? visibleItem(*m_document->picture().scene(), *preparation, ItemId::of(node))
                       : ItemId{};
    m_canvas->highlights().setHits(
        visibleHits(*m_document->picture().scene(), *preparation, search.answer().hits), current);
}

void DocumentView::renewLegend()
{
    if (!m_document->picture().scene() || !m_document->picture().preparation())
        return;
    auto entries = legendEntries(*m_document->picture().scene(), m_document->colors().classes(),
                                 *m_theme, m_isCompared);
    m_sharedLegend->setEntries(entries);
    m_legend->setEntries(std::move(entries));
    m_legend->setNote(legendNote(*m_document));
}

void DocumentView::renewBreadcrumb()
{
    const PreparationPtr preparation = m_document->picture().preparation();
    QStringList path = m_document->graphs().path();
    if (m_isCompared && !m_stateTitle.isEmpty())
        path.first() = m_stateTitle;
    m_caption->setName(path.first());
    m_breadcrumb->setGraphs(path);
    m_breadcrumb->setEntries(m_document->graphs().titles(), m_document->graphs().number());
    const bool isCurrent = preparation && preparation->sharedGraph() == m_document->graph();
    m_breadcrumb->setItem(m_document->graph(), isCurrent ? preparation->sharedTree() : nullptr,
                          isCurrent ? m_document->selection().item() : ItemId{});
}

QImage DocumentView::smallPicture() const
{
    if (!m_document->picture().scene())
        return {};
    return m_canvas->picture().scaled(384, 240, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

} // namespace lapidary
