// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/interface_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QTreeView;

namespace lapidary {

// The inputs and outputs of the model: ranked candidates with their reasons, and the choice made
// from them, with type and shape to edit.
class InterfacePanel : public QWidget {
    Q_OBJECT
public:
    explicit InterfacePanel(QWidget* parent = nullptr);

    void setInterface(const InterfaceGuess& guess, const InterfaceChoice& choice,
                      const InterfaceModel::KnownShape& known = {});
    void setShowKept(bool isOn);
    void setKeptSummary(const QString& text); // "keeps 312 of 1 186 nodes"; empty hides it
    QTreeView* tree() const { return m_tree; }

signals:
    void markRequested(lapidary::InterfaceModel::Side side, const QString& tensor, bool isMarked);
    void namesDropped(lapidary::InterfaceModel::Side side, const QStringList& names);
    void edited(lapidary::InterfaceModel::Side side, const lapidary::ChosenTensor& tensor);
    void nodeActivated(lapidary::NodeId node);
    void copyRequested(lapidary::FlagStyle style);
    void showKeptRequested(bool isOn);

private:
    QWidget* buildEditor();
    QWidget* buildButtons();
    void showRow(const QModelIndex& index);
    void applyEdit();
    void activate(const QModelIndex& index);

    InterfaceModel* m_model;
    QTreeView* m_tree;
    QWidget* m_editor = nullptr;
    QLabel* m_editorTitle = nullptr;
    QComboBox* m_dtype = nullptr;
    QLineEdit* m_shape = nullptr;
    QLabel* m_fault = nullptr;
    QLabel* m_kept = nullptr;
    QToolButton* m_copy = nullptr;
    QPushButton* m_showKept = nullptr;
    std::string m_currentTensor; // kept while the model is filled again
    InterfaceModel::Side m_currentSide = InterfaceModel::Side::Inputs;
};

} // namespace lapidary
