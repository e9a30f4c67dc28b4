// SPDX-License-Identifier: Apache-2.0
#include "app/window/docks/window_docks.h"

#include "app/document/data/data_facts.h"
#include "app/document/picture/visible_items.h"
#include "app/document/recipe/lineage_facts.h"
#include "app/window/docks/difference_dock.h"
#include "app/window/docks/dock_room.h"
#include "app/window/docks/profile_dock.h"
#include "app/window/docks/selected_facts.h"
#include "app/window/docks/target_dock.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/local_name.h"
#include "runner/checkpoint/stored_tensor.h"
#include "views/models/display_text.h"
#include "views/models/tensor_table_model.h"
#include "views/panels/base/fact_view.h"
#include "views/panels/base/panel_title.h"
#include "views/panels/base/table_panels.h"
#include "views/panels/diff/difference_panel.h"
#include "views/panels/interface_panel.h"
#include "views/panels/node_panel.h"
#include "views/panels/outline_panel.h"
#include "views/panels/profile/profile_panel.h"
#include "views/panels/target/target_panel.h"
#include "views/panels/tensor_section.h"

#include <QDockWidget>
#include <QHeaderView>
#include <QMainWindow>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {
InterfaceSide sideOf(InterfaceModel::Side side)
{
    return side == InterfaceModel::Side::Inputs ? InterfaceSide::Inputs : InterfaceSide::Outputs;
}

} // namespace

WindowDocks::WindowDocks(QMainWindow* window)
    : QObject(window)
    , m_window(window)
    , m_room(new DockRoom(window))
    , m_outline(new OutlinePanel)
    , m_interface(new InterfacePanel)
    , m_node(new NodePanel)
{
    const Dock outline = addDock(u"outline"_s, u"Outline"_s, m_outline, Qt::LeftDockWidgetArea);
    const Dock interface =
        addDock(u"interface"_s, u"Interface"_s, m_interface, Qt::LeftDockWidgetArea);
    const Dock node = addDock(u"node"_s, u"Node"_s, m_node, Qt::RightDockWidgetArea);
    buildTables();
    const Dock tables = addDock(u"tables"_s, u"Tables"_s, m_tabs, Qt::BottomDockWidgetArea);
    m_outlineDock = outline.dock;
    m_interfaceDock = interface.dock;
    m_nodeDock = node.dock;
    m_tableDock = tables.dock;
    m_outlineTitle = outline.title;
    m_interfaceTitle = interface.title;
    // The row of tabs replaces the title bar.
    m_tableDock->setTitleBarWidget(new QWidget(m_tableDock));
    tables.title->deleteLater();
    connect(m_tabs, &TableTabs::closeRequested, m_tableDock, &QDockWidget::hide);
    m_tableDock->hide();
    connect(
        m_tableDock, &QDockWidget::visibilityChanged, m_room,
        [this](bool isVisible) {
            if (isVisible)
                m_room->fit();
        },
        Qt::QueuedConnection); // called later, when the dock has its size
    window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    connectPanels();
}

WindowDocks::Dock WindowDocks::addDock(const QString& name, const QString& title, QWidget* panel,
                                       Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, m_window);
    dock->setObjectName(name);
    panel->setAttribute(Qt::WA_StyledBackground);
    // Several docks share a side.
    panel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    dock->setWidget(panel);
    auto* bar = new PanelTitle(title, dock);
    dock->setTitleBarWidget(bar);
    connect(bar, &PanelTitle::closeRequested, dock, &QDockWidget::hide);
    m_window->addDockWidget(area, dock);
    return {dock, bar};
}

QDockWidget* WindowDocks::addPanel(const QString& name, const QString& title, QWidget* panel,
                                   Qt::DockWidgetArea area)
{
    QDockWidget* dock = addDock(name, title, panel, area).dock;
    dock->hide();
    return dock;
}

void WindowDocks::setPanelSummary(QDockWidget* panel, const QString& summary)
{
    if (auto* title = qobject_cast<PanelTitle*>(panel->titleBarWidget()))
        title->setSummary(summary);
}

void WindowDocks::addTable(QWidget* table, TableGroup group, const QString& title,
                           const QString& tip)
{
    m_tabs->addTable(table, group, title, tip);
}

void WindowDocks::showTable(QWidget* table, int leastHeight)
{
    const bool isOpen = isTableShown(table);
    const bool isLow = m_tableDock->isHidden() || m_tableDock->height() < leastHeight;
    m_tableDock->show();
    m_tabs->showTable(table);
    if (leastHeight > 0 && !isOpen && isLow)
        m_window->resizeDocks({m_tableDock}, {leastHeight}, Qt::Vertical);
    table->setFocus();
}

bool WindowDocks::isTableShown(const QWidget* table) const
{
    return !m_tableDock->isHidden() && m_tabs->isCurrent(table);
}

void WindowDocks::buildTables()
{
    m_tabs = new TableTabs;
    m_problems = new ProblemPanel;
    m_ops = new OpPanel;
    m_profile = new ProfileDock(this);
    m_differences = new DifferenceDock(this);
    m_target = new TargetDock(this);
    addTable(m_ops, TableGroup::Graph, u"Ops"_s, u"How often each op is used"_s);
    addTable(m_problems, TableGroup::Graph, u"Problems"_s, u"What is wrong with the graph (F8)"_s);
    addTable(m_differences->panel(), TableGroup::Recipe, u"Differences"_s,
             u"What differs between the compared graphs (Ctrl+K)"_s);
    addTable(m_profile->panel(), TableGroup::Measurement, u"Profile"_s,
             u"How long each node takes (Shift+F6)"_s);
    addTable(m_target->panel(), TableGroup::Measurement, u"Target"_s,
             u"Ops without a kernel on a phone or board (Ctrl+Shift+F5)"_s);
}

void WindowDocks::setInitialSizes()
{
    m_window->resizeDocks({m_outlineDock, m_nodeDock}, {272, 308}, Qt::Horizontal);
    m_window->resizeDocks({m_outlineDock, m_interfaceDock}, {300, 360}, Qt::Vertical);
    m_window->resizeDocks({m_tableDock}, {200}, Qt::Vertical);
    m_room->fit();
}

void WindowDocks::connectPanels()
{
    connectOutline();
    connectInterface();
    connectNode();
    connectMeasurements();
    connectOps();
}

void WindowDocks::connectOutline()
{
    connect(m_outline, &OutlinePanel::itemSelected, this, &WindowDocks::itemRequested);
    connect(m_outline, &OutlinePanel::itemActivated, this, [this](ItemId item) {
        if (m_document && !item.isNode())
            m_document->scopes().toggle(item);
        emit itemRequested(item);
    });
    connect(m_outline, &OutlinePanel::problemsRequested, this, &WindowDocks::showProblems);
    connect(m_problems, &ProblemPanel::problemActivated, this, &WindowDocks::showProblem);
}

void WindowDocks::showProblem(const Problem& problem)
{
    if (!m_document || !m_document->graph())
        return;
    if (const NodeId node = problemNode(*m_document->graph(), problem); node.isValid())
        emit itemRequested(ItemId::of(node));
    else
        openFaultyGraph(problem);
}

void WindowDocks::connectInterface()
{
    connect(m_interface, &InterfacePanel::nodeActivated, this,
            [this](NodeId node) { emit itemRequested(ItemId::of(node)); });
    connect(m_interface, &InterfacePanel::markRequested, this,
            [this](InterfaceModel::Side side, const QString& tensor, bool isMarked) {
                if (m_document)
                    m_document->interface().mark(sideOf(side), tensor.toStdString(), isMarked);
            });
    connect(m_interface, &InterfacePanel::namesDropped, this,
            [this](InterfaceModel::Side side, const QStringList& names) {
                for (const QString& name : names)
                    if (m_document)
                        m_document->interface().mark(sideOf(side), name.toStdString(), true);
            });
    connect(m_interface, &InterfacePanel::edited, this,
            [this](InterfaceModel::Side side, const ChosenTensor& tensor) {
                if (m_document)
                    m_document->interface().edit(sideOf(side), tensor);
            });
    connect(m_interface, &InterfacePanel::copyRequested, this, &WindowDocks::copyFlagsRequested);
    connect(m_interface, &InterfacePanel::showKeptRequested, this, [this](bool isOn) {
        if (m_document)
            m_document->interface().setShowKept(isOn);
    });
}

void WindowDocks::connectNode()
{
    connect(m_node, &NodePanel::linkActivated, this, &WindowDocks::followLink);
    connect(m_node->tensor(), &TensorSection::chosen, this, &WindowDocks::reportTensor);
    connect(m_node->tensor(), &TensorSection::tableRequested, this, &WindowDocks::openTensorTable);
    connect(m_node->tensor(), &TensorSection::saveRequested, this,
            &WindowDocks::saveTensorRequested);
}

// Connects the tables of differences, profiles and targets.
void WindowDocks::connectMeasurements()
{
    connect(m_differences, &DifferenceDock::factsChanged, this, &WindowDocks::showSelection);
    connect(m_profile, &ProfileDock::itemRequested, this, &WindowDocks::itemRequested);
    connect(m_profile, &ProfileDock::actionRequested, this, &WindowDocks::actionRequested);
    connect(m_profile, &ProfileDock::profileShown, this, &WindowDocks::showProfile);
    connect(m_profile, &ProfileDock::factsChanged, this, &WindowDocks::showSelection);
    connect(m_profile, &ProfileDock::heightWanted, this, [this](int least) {
        if (isProfileShown() && m_tableDock->height() < least)
            m_window->resizeDocks({m_tableDock}, {least}, Qt::Vertical);
    });
    connect(m_target, &TargetDock::itemRequested, this, &WindowDocks::itemRequested);
    connect(m_target, &TargetDock::actionRequested, this, &WindowDocks::actionRequested);
    connect(m_target, &TargetDock::factsChanged, this, &WindowDocks::showSelection);
}

void WindowDocks::connectOps()
{
    connect(m_ops, &OpPanel::hideOpRequested, this, [this](const QString& op, bool isHidden) {
        if (m_document)
            m_document->picture().change([name = op.toStdString(), isHidden](PictureLook& look) {
                look.hiddenOps.erase(name);
                if (isHidden)
                    look.hiddenOps.insert(name);
            });
    });
    connect(m_ops, &OpPanel::opActivated, this, [this](const QString& op) {
        if (m_document)
            m_document->search().setQuery(u"op:^"_s + op + u"$"_s);
    });
}

void WindowDocks::setDocument(Document* document)
{
    if (m_document == document)
        return;
    if (m_document) {
        m_document->forgetListener(this);
    }
    m_document = document;
    if (document != nullptr)
        connectDocument();
    m_profile->setDocument(document);
    emit documentChanged(document);
    m_target->setDocument(document);
    showTree();
    showSelection();
    showInterface();
    showProblemList();
}

void WindowDocks::connectDocument()
{
    const auto showAll = [this] {
        showTree();
        showSelection();
        showInterface();
        showProblemList();
    };
    connect(&m_document->picture(), &Picture::prepared, this, showAll);
    connect(m_document, &Document::fileChanged, this, showAll);
    connect(&m_document->check(), &GraphCheck::changed, this, &WindowDocks::showProblemList);
    connect(&m_document->selection(), &ItemSelection::changed, this, &WindowDocks::showSelection);
    connect(&m_document->notes(), &NoteSession::changed, this, &WindowDocks::showSelection);
    connect(&m_document->data(), &DataSession::changed, this, &WindowDocks::showSelection);
    connect(&m_document->picture(), &Picture::shapesChanged, this, [this] {
        showSelection();
        showInterface();
        showProblemList();
    });
    // The lineage of a node becomes known while the steps are run.
    connect(&m_document->recipe(), &RecipeSession::changed, this, [this] {
        if (textOf(lineageOfSelection()) != m_lineage)
            showSelection();
    });
    connect(&m_document->interface(), &InterfaceSession::choiceChanged, this,
            &WindowDocks::showInterface);
    connect(&m_document->interface(), &InterfaceSession::keptChanged, this,
            &WindowDocks::showInterface);
}

void WindowDocks::showTree()
{
    const PreparationPtr preparation = m_document ? m_document->picture().preparation() : nullptr;
    const bool isCurrent = preparation && preparation->sharedGraph() == m_document->graph();
    m_outline->setTree(isCurrent ? m_document->graph() : nullptr,
                       isCurrent ? preparation->sharedTree() : nullptr);
    const auto nodes = std::int64_t(isCurrent ? m_document->graph()->size() : 0);
    m_outlineTitle->setSummary(
        isCurrent ? countText(nodes) + (nodes == 1 ? u" node"_s : u" nodes"_s) : QString());
    if (!m_document)
        return;
    m_ops->setOps(isCurrent ? m_document->picture().facts().ops : std::vector<OpCount>());
    QStringList hidden;
    for (const std::string& op : m_document->picture().look().hiddenOps)
        hidden.append(plainText(op));
    m_ops->setHiddenOps(hidden);
}

void WindowDocks::showSelection()
{
    const PreparationPtr preparation = m_document ? m_document->picture().preparation() : nullptr;
    const bool isCurrent = preparation && preparation->sharedGraph() == m_document->graph();
    const GraphShapesPtr shapes = isCurrent ? m_document->picture().shapes() : nullptr;
    FactSections lineage = lineageOfSelection();
    m_lineage = textOf(lineage);
    m_node->showItem(
        isCurrent ? preparation : nullptr, isCurrent ? m_document->selection().item() : ItemId{},
        shapes ? &shapes->inferred : nullptr, isCurrent && !m_document->file().checkpoint().empty(),
        isCurrent ? measuredFacts() : FactSections(), std::move(lineage));
    m_outline->setCurrent(isCurrent ? m_document->selection().item() : ItemId{});
}

void WindowDocks::showInterface()
{
    if (!m_document) {
        m_interface->setInterface({}, {});
        m_interface->setKeptSummary({});
        m_interfaceTitle->setSummary({});
        return;
    }
    const InterfaceSession& session = m_document->interface();
    m_interface->setInterface(
        session.guess(), session.choice(),
        [&session](const ChosenTensor& tensor) { return session.shapeOf(tensor); });
    m_interface->setShowKept(session.isShowingKept());
    m_interfaceTitle->setSummary(u"%1 in \u00B7 %2 out"_s.arg(session.choice().inputs.size())
                                     .arg(session.choice().outputs.size()));
    m_interface->setKeptSummary(
        session.keptItems() && m_document->graph()
            ? u"Keeps %1 of %2 nodes"_s.arg(exactText(session.keptCount()),
                                            exactText(std::int64_t(m_document->graph()->size())))
            : QString());
}

// Returns a remark about the list that its rows cannot express.
QString WindowDocks::problemRemark(const Document& document)
{
    if (!document.file().model())
        return {};
    switch (document.check().state()) {
    case GraphCheck::State::Pending: return u"Still checking the graph …"_s;
    case GraphCheck::State::Stopped: return u"The check was stopped; reload the file to run it"_s;
    case GraphCheck::State::Done: break;
    }
    return document.check().problems()->empty() ? u"No problems were found"_s : QString();
}

void WindowDocks::showProblemList()
{
    m_problems->setProblems(m_document ? m_document->check().problems()
                                       : std::make_shared<const Problems>());
    m_problems->setRemark(m_document ? problemRemark(*m_document) : QString());
    const int all = m_problems->problems().rowCount();
    m_outline->setProblems(m_problems->problems().problems());
    m_tabs->setTabText(m_tabs->tabOf(m_problems),
                       all == 0 ? u"Problems"_s : u"Problems (%1)"_s.arg(all));
}

void WindowDocks::showProblems()
{
    m_tableDock->show();
    m_tabs->showTable(m_problems);
    m_problems->setFocus();
}

// Returns the facts that precede those from the file, such as the item's differences and costs.
FactSections WindowDocks::measuredFacts() const
{
    FactSections sections = selectedFacts(*m_document);
    for (FactSection& section : noteFacts(*m_document))
        sections.push_back(std::move(section));
    for (FactSection& section : m_differences->facts(*m_document, m_document->selection().item()))
        sections.push_back(std::move(section));
    for (FactSection& section : profileFacts(*m_document, m_document->selection().item()))
        sections.push_back(std::move(section));
    for (FactSection& section : dataFacts(m_document->data(), m_document->selection().item()))
        sections.push_back(std::move(section));
    for (FactSection& section : targetFacts(*m_document, m_document->selection().item()))
        sections.push_back(std::move(section));
    return sections;
}

FactSections WindowDocks::lineageOfSelection() const
{
    const ItemId item = m_document ? m_document->selection().item() : ItemId{};
    if (!item.isValid() || !item.isNode() || !m_document->picture().preparation() ||
        m_document->picture().preparation()->sharedGraph() != m_document->recipe().shownGraph())
        return {};
    return lineageFacts(m_document->recipe(), item.node());
}

void WindowDocks::setDifferences(DiffSession* session)
{
    m_differences->setSession(session);
}

QWidget* WindowDocks::differencePanel() const
{
    return m_differences->panel();
}

void WindowDocks::chooseDifferences()
{
    m_tabs->showTable(m_differences->panel());
}

void WindowDocks::showProfile()
{
    m_tableDock->show();
    m_tabs->showTable(m_profile->panel());
}

bool WindowDocks::isProfileShown() const
{
    return isTableShown(m_profile->panel());
}

void WindowDocks::showTarget()
{
    m_tableDock->show();
    m_tabs->showTable(m_target->panel());
    m_target->panel()->setFocus();
}

bool WindowDocks::isTargetShown() const
{
    return isTableShown(m_target->panel());
}

} // namespace lapidary
