// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/prepared_scope.h"
#include "views/models/node_facts.h"

#include <QWidget>

class QAction;
class QLabel;
class QToolButton;

namespace lapidary {

class ElidedLabel;
class FactView;
class TensorSection;

// Everything known of the selected node or group.
class NodePanel : public QWidget {
    Q_OBJECT
public:
    explicit NodePanel(QWidget* parent = nullptr);

    // Shows an item; for an invalid item, or without a preparation, explains how to choose a node.
    // With a checkpoint, variables have values.
    void showItem(const PreparationPtr& preparation, ItemId item,
                  const InferredShapes* shapes = nullptr, bool hasCheckpoint = false,
                  FactSections measured = {}, // precede the facts from the file
                  FactSections lineage = {}); // follow the node's name and op
    TensorSection* tensor() const { return m_tensor; }
    FactView* facts() const { return m_facts; }
    // Sets the action of the button beside the name.
    void setEditActions(const QList<QAction*>& actions);

signals:
    void linkActivated(const lapidary::FactLink& link);

private:
    ElidedLabel* m_name;
    ElidedLabel* m_op;
    QToolButton* m_edit;
    QWidget* m_head;
    QLabel* m_empty;
    FactView* m_facts;
    TensorSection* m_tensor;
};

} // namespace lapidary
