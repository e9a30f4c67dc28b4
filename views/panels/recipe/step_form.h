// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"
#include "transforms/recipe/recipe.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <vector>

class QGridLayout;
class QLabel;
class QLineEdit;

namespace lapidary {

// A form made from the parameters of a pass: a field for each value, and an empty one after the
// last value of a parameter that may be repeated. An empty field means that the parameter is not
// given; it shows the default.
class StepForm : public QWidget {
    Q_OBJECT
public:
    explicit StepForm(QWidget* parent = nullptr);

    // Shows the step; a field that has the focus keeps its text.
    void setStep(const RecipeStep& step);
    void clear();
    const RecipeStep& step() const { return m_step; }
    // Sets the function that completes a parameter: it returns names of nodes, ops or types, and is
    // called when a field gets the focus.
    using Complete = std::function<QStringList(const ParameterSpec&)>;
    void setComplete(Complete complete) { m_complete = std::move(complete); }

signals:
    // `parameter` is the one whose field was edited.
    void edited(const lapidary::RecipeStep& step, const QString& parameter);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Field {
        const ParameterSpec* spec;
        std::size_t number; // index among the values of that name
        QWidget* editor;
        QLabel* fault;
    };
    void build();
    void addField(const ParameterSpec& spec, std::size_t number);
    QWidget* editorFor(const ParameterSpec& spec, std::size_t number);
    QWidget* switchFor(const ParameterSpec& spec, std::size_t number);
    void edit(const ParameterSpec& spec, std::size_t number, const QString& value);
    void fill();
    void check();
    void complete(QLineEdit* field, const ParameterSpec& spec) const;
    std::vector<std::size_t> shape() const; // rows of the form: the fields of each parameter

    RecipeStep m_step;
    const Pass* m_pass = nullptr;
    Complete m_complete;
    QGridLayout* m_grid;
    QLabel* m_help;
    std::vector<Field> m_fields;
    std::vector<std::size_t> m_shape;
};

// Returns the fault in a value of that parameter; empty if it has none.
QString valueFault(const ParameterSpec& spec, const std::string& value);

} // namespace lapidary
