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

// Nodes of one op and type that do not run on a target, or may not.
struct TargetFinding {
    QString op;
    QString types;
    QString why;
    bool isMissing = true; // certainly
    qint64 count = 0;
    std::vector<std::pair<NodeId, QString>> nodes; // some of them, with their names
};

// Something that lets more of them run.
struct TargetRemedy {
    QString text;     // "strip_unused"
    QString effect;   // "12 → 3"
    QString obstacle; // why it cannot be added to the recipe; empty: it can
};

// Shows where a graph is to run, what has no kernel there, and what helps.
class TargetPanel : public QWidget {
    Q_OBJECT
public:
    explicit TargetPanel(QWidget* parent = nullptr);

    // Names with a sentence each; a first choice for none is added.
    void setTargets(const std::vector<std::pair<QString, QString>>& targets);
    void setTarget(int number); // -1: none
    void setSummary(const QString& text, bool isProblem = false);
    void setFindings(const std::vector<TargetFinding>& findings);
    void setRemedies(const std::vector<TargetRemedy>& remedies);

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void targetChosen(int number); // -1: none
    void nodeActivated(lapidary::NodeId node);
    void remedyRequested(int number); // one that can be added

private:
    QWidget* buildHead();
    QWidget* buildFindings();
    QWidget* buildRemedies();
    void fitFindings();
    void showAddable();

    QComboBox* m_choice;
    QLabel* m_summary;
    QTreeWidget* m_findings;
    std::array<int, 3> m_wanted{}; // widths of its columns in front of the reasons, for all texts
    QTreeWidget* m_remedies;
    QPushButton* m_add;
    QLabel* m_why; // it cannot be pressed
};

} // namespace lapidary
