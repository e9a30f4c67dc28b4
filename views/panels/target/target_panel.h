// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/ids.h"

#include <QString>
#include <QWidget>

#include <array>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace lapidary {

// Nodes of one op and type that cannot run on a target, or perhaps cannot.
struct TargetFinding {
    QString op;
    QString types;
    QString why;
    bool isMissing = true; // whether they certainly cannot
    qint64 count = 0;
    std::vector<std::pair<NodeId, QString>> nodes; // some of them, with their names
};

// A step that reduces the number of such nodes.
struct TargetRemedy {
    QString text;     // "strip_unused"
    QString effect;   // "12 → 3"
    QString obstacle; // why it cannot be added to the recipe; empty: it can
};

// Shows the target of a graph, the nodes without a kernel there, and the steps that help.
class TargetPanel : public QWidget {
    Q_OBJECT
public:
    explicit TargetPanel(QWidget* parent = nullptr);

    // Sets the targets: names, and a sentence on each. The panel adds a first choice for no target.
    void setTargets(const std::vector<std::pair<QString, QString>>& targets);
    void setTarget(int number); // -1: none
    void setSummary(const QString& text, bool isProblem = false);
    void setFindings(const std::vector<TargetFinding>& findings);
    void setRemedies(const std::vector<TargetRemedy>& remedies);

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void targetChosen(int number); // -1: none
    void nodeActivated(lapidary::NodeId node);
    void remedyRequested(int number); // only one without an obstacle

private:
    QWidget* buildHead();
    QWidget* buildFindings();
    QWidget* buildRemedies();
    void fitFindings();
    void showAddable();

    QComboBox* m_choice;
    QLabel* m_summary;
    QTreeWidget* m_findings;
    std::array<int, 3> m_wanted{}; // widths of the columns before the reasons, so that all texts
                                   // fit
    QTreeWidget* m_remedies;
    QPushButton* m_add;
    QLabel* m_why; // the reason why the button is disabled
};

} // namespace lapidary
