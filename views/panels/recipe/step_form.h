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

// A form made from the parameters of a pass: a field for each value, an empty one behind the last
// of those that may be repeated. What is left empty is not given, and the default is shown in it.
class StepForm : public QWidget {
    Q_OBJECT
public:
    explicit StepForm(QWidget* parent = nullptr);

    // Shows the step; fields that have the focus keep what is typed in them.
    void setStep(const RecipeStep& step);
    void clear();
    const RecipeStep& step() const { return m_step; }
    // Words that complete a parameter: names of nodes, ops or types; asked when a field gets the
    // focus.
    using Complete = std::function<QStringList(const ParameterSpec&)>;
    void setComplete(Complete complete) { m_complete = std::move(complete); }

signals:
    // `parameter` is the one that was typed in.
    void edited(const lapidary::RecipeStep& step, const QString& parameter);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Field {
        const ParameterSpec* spec;
        std::size_t number; // of the values of that name
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
    std::vector<std::size_t> shape() const; // of the form: fields of each parameter

    RecipeStep m_step;
    const Pass* m_pass = nullptr;
    Complete m_complete;
    QGridLayout* m_grid;
    QLabel* m_help;
    std::vector<Field> m_fields;
    std::vector<std::size_t> m_shape;
};

// What is wrong with a value of that parameter; empty: nothing.
QString valueFault(const ParameterSpec& spec, const std::string& value);

} // namespace lapidary
