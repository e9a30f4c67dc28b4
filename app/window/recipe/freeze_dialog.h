// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/freeze/freeze_model.h"
#include "transforms/recipe/recipe.h"
#include "views/models/latest_job.h"

#include <QDialog>

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace lapidary {

// Asks what to freeze in a model: for which outputs, from which checkpoint, and which variables
// stay variables. Lists the source of each value before anything is done.
class FreezeDialog : public QDialog {
    Q_OBJECT
public:
    // `entry` contains the graph that is shown. `wish` fills the fields: the model, its own
    // checkpoint, and the outputs that a step keeps by itself.
    FreezeDialog(GraphEntry entry, const FreezeRequest& wish, QWidget* parent);

    RecipeStep step() const;
    void setFault(const QString& fault);
    bool isBusy() const { return m_job.isRunning(); }

signals:
    void confirmed();

private:
    void buildFields();
    void buildList();
    void takeSignature(int number);
    FreezeRequest request() const;
    void listSources();
    void showSources(const std::vector<VariableSource>& sources);
    void showCount();
    QStringList kept() const;

    GraphEntry m_entry;
    FreezeRequest m_wish;
    QString m_listed; // the fields that the list was made for
    QComboBox* m_signature;
    QLineEdit* m_outputs;
    QLineEdit* m_checkpoint;
    QTreeWidget* m_list;
    QLabel* m_summary;
    QLabel* m_fault;
    QPushButton* m_done = nullptr;
    LatestJob m_job;
};

} // namespace lapidary
