// SPDX-License-Identifier: Apache-2.0
#include "views/panels/recipe/autopilot_form.h"

#include "views/panels/base/tensor_figures.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int besideWidth = 84; // width of a field for a number at the end of a row

} // namespace

AutopilotForm::AutopilotForm(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"autopilotForm"_s);
    setAttribute(Qt::WA_StyledBackground);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(8, 2, 8, 3);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    m_goal = new QComboBox(this);
    m_goal->setObjectName(u"autopilotGoal"_s);
    m_goal->setAccessibleName(u"Goal of the search"_s);
    m_goal->setToolTip(
        u"Without a budget, the search looks for the smallest file that keeps the answers; with "
        u"one, for the most accurate file of that size, or of that speed on this machine"_s);
    m_goal->addItems(
        {u"as small as it can be"_s, u"a file of"_s, u"compressed, of"_s, u"as fast as"_s});
    m_goal->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_size = addText(
        u"autopilotSize"_s, u"Size"_s,
        u"A factor, such as 3.7x, or a size, such as 1.2MB or 500kB; for speed a factor, such as "
        u"2x, or a time, such as 5ms or 800us"_s);
    m_size->setFixedWidth(64);
    addRow(*grid, u"Goal"_s, m_goal, m_size);
    m_accuracy =
        addText(u"autopilotAccuracy"_s, u"Loss"_s,
                u"The largest share of correct answers to lose, such as 0.5%, or the least "
                u"signal-to-noise ratio, such as 30 dB"_s);
    m_seconds = addNumber(u"autopilotSeconds"_s, u"Seconds"_s, u"Seconds for the search"_s);
    m_seconds->setSuffix(u" s"_s);
    m_seconds->setFixedWidth(besideWidth);
    addRow(*grid, u"Loss"_s, m_accuracy, m_seconds);
    m_images = addText(
        u"autopilotPictures"_s, u"Pictures"_s,
        u"A folder of pictures to evaluate files on, as on the tab Pictures; without one, inputs "
        u"are random"_s);
    m_images->setPlaceholderText(u"random inputs"_s);
    addRow(*grid, u"Pictures"_s, m_images, addButton(m_images, &AutopilotForm::imagesRequested));
    m_labels = addText(
        u"autopilotLabels"_s, u"Labels"_s,
        u"A text file with one class per line, to count correct answers; without it, changed "
        u"answers are counted"_s);
    m_labels->setPlaceholderText(u"none"_s);
    addRow(*grid, u"Labels"_s, m_labels, addButton(m_labels, &AutopilotForm::labelsRequested));
    m_kept = addText(u"autopilotKept"_s, u"Keep"_s,
                     u"Layers to keep in float, separated by spaces; * and ? match any "
                     u"characters"_s);
    m_kept->setPlaceholderText(u"no layer"_s);
    m_seed = addNumber(u"autopilotSeed"_s, u"Seed"_s,
                       u"Seed of the random inputs; the same seed finds the same files"_s);
    m_seed->setPrefix(u"seed "_s);
    m_seed->setFixedWidth(besideWidth);
    addRow(*grid, u"Keep"_s, m_kept, m_seed);
    connect(m_goal, &QComboBox::currentIndexChanged, this, &AutopilotForm::take);
    setFields(AutopilotFields());
    take();
}

void AutopilotForm::addRow(QGridLayout& grid, const QString& title, QWidget* field, QWidget* beside)
{
    const int row = grid.rowCount();
    QLabel* key = plainLabel(this, true);
    key->setText(title);
    auto* fields = new QHBoxLayout;
    fields->setSpacing(6);
    fields->addWidget(field, 1);
    if (beside != nullptr)
        fields->addWidget(beside);
    grid.addWidget(key, row, 0);
    grid.addLayout(fields, row, 1);
}

QLineEdit* AutopilotForm::addText(const QString& name, const QString& title, const QString& tip)
{
    auto* field = new QLineEdit(this);
    field->setObjectName(name);
    field->setAccessibleName(title);
    field->setToolTip(tip);
    connect(field, &QLineEdit::textChanged, this, &AutopilotForm::take);
    return field;
}

QSpinBox* AutopilotForm::addNumber(const QString& name, const QString& title, const QString& tip)
{
    constexpr int most = 100000;
    auto* field = new QSpinBox(this);
    field->setObjectName(name);
    field->setAccessibleName(title);
    field->setToolTip(tip);
    field->setRange(1, most);
    connect(field, &QSpinBox::valueChanged, this, &AutopilotForm::take);
    return field;
}

QWidget* AutopilotForm::addButton(QLineEdit* field, void (AutopilotForm::*wish)())
{
    auto* button = new QToolButton(this);
    button->setObjectName(field->objectName() + u"Button"_s);
    button->setText(u"\u2026"_s);
    button->setAccessibleName(u"Choose: %1"_s.arg(field->accessibleName()));
    button->setToolTip(u"Choose: %1"_s.arg(field->accessibleName()));
    connect(button, &QToolButton::clicked, this, wish);
    return button;
}

void AutopilotForm::take()
{
    m_fields.goal = AutopilotFields::Goal(std::max(m_goal->currentIndex(), 0));
    m_fields.size = m_size->text();
    m_fields.accuracy = m_accuracy->text();
    m_fields.seconds = m_seconds->value();
    m_fields.seed = m_seed->value();
    m_fields.kept = m_kept->text();
    m_fields.images = m_images->text();
    m_fields.labels = m_labels->text();
    m_size->setVisible(m_fields.goal != AutopilotFields::Goal::Smallest);
    emit edited();
}

void AutopilotForm::setFields(const AutopilotFields& fields)
{
    if (m_fields == fields && m_accuracy->text() == fields.accuracy)
        return;
    m_fields = fields;
    const QSignalBlocker goal(m_goal);
    const QSignalBlocker seconds(m_seconds);
    const QSignalBlocker seed(m_seed);
    m_goal->setCurrentIndex(int(fields.goal));
    m_seconds->setValue(fields.seconds);
    m_seed->setValue(fields.seed);
    for (const auto& [field, text] : {std::pair(m_size, fields.size),
                                      {m_accuracy, fields.accuracy},
                                      {m_kept, fields.kept},
                                      {m_images, fields.images},
                                      {m_labels, fields.labels}}) {
        const QSignalBlocker blocker(field);
        if (field->text() != text)
            field->setText(text);
    }
    m_size->setVisible(fields.goal != AutopilotFields::Goal::Smallest);
}

} // namespace lapidary
