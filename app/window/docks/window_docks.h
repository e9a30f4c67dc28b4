// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "app/window/docks/table_tabs.h"
#include "views/models/node_facts.h"
#include "views/models/tensor_report.h"

#include <QObject>
#include <QPointer>

#include <vector>

class QDockWidget;
class QMainWindow;

namespace lapidary {

class InterfacePanel;
class NodePanel;
class OpPanel;
class OutlinePanel;
class PanelTitle;
class ProblemPanel;
class DiffSession;
class DifferenceDock;
class DockRoom;
class ProfileDock;
class TargetDock;

// The panels around the canvas; they show the document of the current tab.
class WindowDocks : public QObject {
    Q_OBJECT
public:
    explicit WindowDocks(QMainWindow* window);

    void setDocument(Document* document); // null: no file is open
    QDockWidget* outline() const { return m_outlineDock; }
    QDockWidget* interface() const { return m_interfaceDock; }
    QDockWidget* node() const { return m_nodeDock; }
    QDockWidget* tables() const { return m_tableDock; }
    OutlinePanel* outlinePanel() const { return m_outline; }
    InterfacePanel* interfacePanel() const { return m_interface; }
    NodePanel* nodePanel() const { return m_node; }
    ProblemPanel* problemPanel() const { return m_problems; }
    void setInitialSizes();
    void showProblems();
    void setDifferences(DiffSession* session); // null: no comparison
    // Makes the table of differences the current one, without showing the dock.
    void chooseDifferences();
    QWidget* differencePanel() const;
    DockRoom& room() const { return *m_room; }
    void showProfile();
    bool isProfileShown() const;
    void showTarget(); // with the focus on the choice of a target
    bool isTargetShown() const;

    // Adds a panel that another part owns and fills.
    QDockWidget* addPanel(const QString& name, const QString& title, QWidget* panel,
                          Qt::DockWidgetArea area);
    void setPanelSummary(QDockWidget* panel, const QString& summary);
    // `tip`: a description of the table, with its key.
    void addTable(QWidget* table, TableGroup group, const QString& title, const QString& tip);
    // Shows a table. If another one or none was shown, the dock becomes at least this high, in
    // pixels.
    void showTable(QWidget* table, int leastHeight = 0);
    bool isTableShown(const QWidget* table) const;

signals:
    void documentChanged(lapidary::Document* document); // null: no file is open
    void itemRequested(lapidary::ItemId item);          // select it and go there
    void copyFlagsRequested(lapidary::FlagStyle style);
    void saveTensorRequested(lapidary::NodeId node);
    void actionRequested(const char* id);

private:
    struct Dock {
        QDockWidget* dock;
        PanelTitle* title;
    };
    Dock addDock(const QString& name, const QString& title, QWidget* panel,
                 Qt::DockWidgetArea area);
    void buildTables();
    void connectPanels();
    void connectOutline();
    void connectInterface();
    void connectNode();
    void connectMeasurements();
    void connectOps();
    void connectDocument();
    void followLink(const FactLink& link);
    void followState(const FactLink& link);
    void showProblem(const Problem& problem);
    void openFaultyGraph(const Problem& problem);
    void showTree();
    void showSelection();
    void showInterface();
    void showProblemList();
    FactSections measuredFacts() const;
    FactSections lineageOfSelection() const;
    static QString problemRemark(const Document& document);
    void reportTensor(NodeId node);
    void openTensorTable(NodeId node);
    void showTensorTable(NodeId node, Result<Tensor> tensor);

    QMainWindow* m_window;
    DockRoom* m_room;
    QPointer<Document> m_document;
    OutlinePanel* m_outline;
    InterfacePanel* m_interface;
    NodePanel* m_node;
    ProblemPanel* m_problems = nullptr;
    OpPanel* m_ops = nullptr;
    ProfileDock* m_profile = nullptr;
    DifferenceDock* m_differences = nullptr;
    TargetDock* m_target = nullptr;
    TableTabs* m_tabs = nullptr;
    QDockWidget* m_outlineDock;
    QDockWidget* m_interfaceDock;
    QDockWidget* m_nodeDock;
    QDockWidget* m_tableDock;
    PanelTitle* m_outlineTitle;
    PanelTitle* m_interfaceTitle;
    QPointer<QWidget> m_tensorTable;
    QString m_lineage; // text of the lineage that is shown
    LatestJob m_tensorJob;
    LatestJob m_tableJob;
};

} // namespace lapidary
