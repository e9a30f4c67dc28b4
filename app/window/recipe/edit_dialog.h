// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/recipe/recipe.h"

#include <QDialog>

class QLabel;

namespace lapidary {

class StepForm;

// Asks for the parameters of one step. It stays open and shows the error while the step is wrong.
class EditDialog : public QDialog {
    Q_OBJECT
public:
    // The field of `parameter` gets the focus.
    EditDialog(const QString& title, const RecipeStep& step, const QString& parameter,
               QWidget* parent);

    const RecipeStep& step() const;
    void setFault(const QString& fault);

signals:
    void confirmed();

private:
    StepForm* m_form;
    QLabel* m_fault;
};

} // namespace lapidary
