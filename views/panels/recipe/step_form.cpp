// SPDX-License-Identifier: Apache-2.0
#include "views/panels/recipe/step_form.h"

#include "graph_model/tensor/dtype.h"
#include "views/models/display_text.h"

#include <QCheckBox>
#include <QCompleter>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStringListModel>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// A parameter that every pass accepts.
constexpr ParameterSpec ignoreErrors{
    .name = "ignore_errors",
    .type = ParameterType::Bool,
    .defaultText = "false",
    .help = "Continues without this step if it fails.",
};

void setValue(RecipeStep& step, const std::string& name, std::size_t number,
              const std::string& value)
{
    Parameters changed;
    std::size_t at = 0;
    bool isSet = false;
    const std::size_t given = step.parameters.count(name);
    for (const auto& [key, old] : step.parameters.entries()) {
        const bool isIt = key == name && at++ == number;
        if (!isIt)
            changed.add(key, old);
        else if (!value.empty())
            changed.add(key, value);
        isSet = isSet || isIt;
        // The value follows the last one of that name.
        if (key == name && at == given && !isSet && !value.empty()) {
            changed.add(name, value);
            isSet = true;
        }
    }
    if (!isSet && !value.empty())
        changed.add(name, value);
    step.parameters = std::move(changed);
}

QString valueAt(const RecipeStep& step, const ParameterSpec& spec, std::size_t number)
{
    const auto values = step.parameters.all(spec.name);
    return number < values.size() ? QString::fromStdString(values[number]) : QString();
}

bool isTrue(const QString& value)
{
    return value == u"true" || value == u"1";
}

} // namespace

QString valueFault(const ParameterSpec& spec, const std::string& value)
{
    if (value.empty())
        return spec.isRequired ? u"is needed"_s : QString();
    Parameters one;
    one.add(std::string(spec.name), value);
    const auto fault = [](const auto& result) {
        return result.ok() ? QString() : plainText(result.error().message);
    };
    switch (spec.type) {
    case ParameterType::Int32: return fault(one.oneInt32(spec.name, 0));
    case ParameterType::Int64: return fault(one.oneInt64(spec.name, 0));
    case ParameterType::Float: return fault(one.oneFloat(spec.name, 0));
    case ParameterType::Bool: return fault(one.oneBool(spec.name, false));
    case ParameterType::Shape: return fault(parseShapeList(value));
    case ParameterType::String:
    case ParameterType::Dtype: break;
    }
    return {};
}

StepForm::StepForm(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
    , m_help(new QLabel(this))
{
    setObjectName(u"stepForm"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_grid->setContentsMargins(12, 8, 12, 8);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    m_grid->setAlignment(Qt::AlignTop);
    m_help->setObjectName(u"stepHelp"_s);
    m_help->setTextFormat(Qt::PlainText);
    m_help->setProperty("muted", true);
    m_help->setWordWrap(true);
    m_grid->addWidget(m_help, 0, 0, 1, 2);
}

std::vector<std::size_t> StepForm::shape() const
{
    std::vector<std::size_t> sizes;
    if (m_pass != nullptr)
        for (const ParameterSpec& spec : m_pass->parameters)
            sizes.push_back(spec.isRepeated ? m_step.parameters.count(spec.name) + 1 : 1);
    return sizes;
}

void StepForm::clear()
{
    m_step = {};
    m_pass = nullptr;
    build();
}

void StepForm::setStep(const RecipeStep& step)
{
    const bool isSamePass = m_pass != nullptr && m_step.pass == step.pass;
    m_step = step;
    m_pass = findPass(step.pass);
    if (!isSamePass || m_shape != shape())
        build();
    fill();
    check();
}

void StepForm::build()
{
    const QString focused = focusWidget() != nullptr ? focusWidget()->objectName() : QString();
    for (QWidget* child : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (child == m_help)
            continue;
        child->hide();
        child->deleteLater();
    }
    m_fields.clear();
    m_shape = shape();
    m_help->setText(m_pass != nullptr ? plainText(m_pass->summary) : QString());
    m_help->setToolTip({});
    if (m_pass == nullptr)
        return;
    for (std::size_t i = 0; i < m_shape.size(); ++i)
        for (std::size_t number = 0; number < m_shape[i]; ++number)
            addField(m_pass->parameters[i], number);
    addField(ignoreErrors, 0);
    for (const Field& field : m_fields)
        if (!focused.isEmpty() && field.editor->objectName() == focused)
            field.editor->setFocus();
}

void StepForm::addField(const ParameterSpec& spec, std::size_t number)
{
    Field field{&spec, number, nullptr, new QLabel(this)};
    const bool isSwitch = spec.type == ParameterType::Bool && !spec.isRepeated;
    field.editor = isSwitch ? switchFor(spec, number) : editorFor(spec, number);
    const QString name = plainText(spec.name);
    field.editor->setObjectName(number == 0 ? u"step_"_s + name
                                            : u"step_%1_%2"_s.arg(name).arg(number + 1));
    field.editor->setAccessibleName(number == 0 ? name : u"%1 %2"_s.arg(name).arg(number + 1));
    field.editor->setAccessibleDescription(plainText(spec.help));
    field.editor->setToolTip(plainText(spec.help));
    field.editor->installEventFilter(this);
    field.fault->setProperty("problem", true);
    field.fault->setTextFormat(Qt::PlainText);
    field.fault->setWordWrap(true);
    field.fault->hide();
    const int row = 1 + 2 * int(m_fields.size());
    if (isSwitch) {
        m_grid->addWidget(field.editor, row, 0, 1, 2);
    } else {
        auto* label = new QLabel(number == 0 ? name : QString(), this);
        label->setProperty("muted", true);
        label->setBuddy(field.editor);
        label->setToolTip(plainText(spec.help));
        m_grid->addWidget(label, row, 0);
        m_grid->addWidget(field.editor, row, 1);
    }
    m_grid->addWidget(field.fault, row + 1, 0, 1, 2);
    field.editor->show();
    m_fields.push_back(field);
}

QWidget* StepForm::switchFor(const ParameterSpec& spec, std::size_t number)
{
    auto* box = new QCheckBox(plainText(spec.name), this);
    connect(box, &QCheckBox::clicked, this, [this, &spec, number](bool isOn) {
        const bool isDefault = isOn == isTrue(plainText(spec.defaultText));
        edit(spec, number, isDefault ? QString() : isOn ? u"true"_s : u"false"_s);
    });
    return box;
}

QWidget* StepForm::editorFor(const ParameterSpec& spec, std::size_t number)
{
    auto* field = new QLineEdit(this);
    field->setPlaceholderText(number > 0                  ? u"one more"_s
                              : !spec.defaultText.empty() ? plainText(spec.defaultText)
                              : spec.isRequired           ? u"needed"_s
                                                : plainText(parameterTypeName(spec.type)));
    connect(field, &QLineEdit::textEdited, this,
            [this, &spec, number](const QString& text) { edit(spec, number, text); });
    return field;
}

void StepForm::edit(const ParameterSpec& spec, std::size_t number, const QString& value)
{
    setValue(m_step, std::string(spec.name), number, value.toStdString());
    check();
    const RecipeStep step = m_step;
    emit edited(step, plainText(spec.name));
}

void StepForm::fill()
{
    for (const Field& field : m_fields) {
        const QString value = valueAt(m_step, *field.spec, field.number);
        if (auto* box = qobject_cast<QCheckBox*>(field.editor))
            box->setChecked(isTrue(value.isEmpty() ? plainText(field.spec->defaultText) : value));
        else if (auto* line = qobject_cast<QLineEdit*>(field.editor); line->text() != value)
            line->setText(value);
    }
}

void StepForm::check()
{
    for (const Field& field : m_fields) {
        const bool isMore = field.number > 0 || m_step.parameters.count(field.spec->name) > 0;
        const std::string value = valueAt(m_step, *field.spec, field.number).toStdString();
        const QString fault = value.empty() && isMore ? QString() : valueFault(*field.spec, value);
        field.fault->setText(fault == u"is needed" ? plainText(field.spec->name) + u" is needed"_s
                                                   : fault);
        field.fault->setVisible(!fault.isEmpty());
    }
}

void StepForm::complete(QLineEdit* field, const ParameterSpec& spec) const
{
    const QStringList words = m_complete ? m_complete(spec) : QStringList();
    if (words.isEmpty())
        return;
    auto* completer = new QCompleter(words, field);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    completer->setMaxVisibleItems(8);
    field->setCompleter(completer);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), field,
            [field](const QString& word) { emit field->textEdited(word); });
}

bool StepForm::eventFilter(QObject* watched, QEvent* event)
{
    const auto field = std::ranges::find_if(
        m_fields, [watched](const Field& one) { return one.editor == watched; });
    if (field == m_fields.end())
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::FocusIn) {
        m_help->setText(plainText(field->spec->help));
        auto* line = qobject_cast<QLineEdit*>(field->editor);
        if (line != nullptr && line->completer() == nullptr)
            complete(line, *field->spec);
    }
    if (event->type() == QEvent::FocusOut && m_pass != nullptr)
        m_help->setText(plainText(m_pass->summary));
    return QWidget::eventFilter(watched, event);
}

} // namespace lapidary
