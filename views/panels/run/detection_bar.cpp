// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/detection_bar.h"

#include "views/models/run/detection_text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QSignalBlocker>
#include <QSpinBox>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int leastWidth = 64;
constexpr int firstTensor = 2; // index after the entries "found by name" and "none"
constexpr int mostShown = 1000;
constexpr double told = -0.05; // in the field of the overlap: the value is derived from the scores

void name(QWidget& field, const QString& id, const QString& title)
{
    field.setObjectName(id);
    field.setAccessibleName(title);
    field.setToolTip(title);
    // The field is beside others in a narrow row.
    field.setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    field.setMinimumWidth(leastWidth);
}

QComboBox* choiceOf(const QString& id, const QString& title, QWidget* parent)
{
    auto* field = new QComboBox(parent);
    name(*field, id, title);
    return field;
}

void fill(QComboBox& field, const QString& what, const std::string& chosen,
          const QStringList& tensors)
{
    const QSignalBlocker blocker(&field);
    field.clear();
    field.addItems({what, u"No %1"_s.arg(what.toLower())});
    field.setItemData(0, u"The tensor that its name or shape suggests"_s, Qt::ToolTipRole);
    field.addItems(tensors);
    const auto at = tensors.indexOf(QString::fromStdString(chosen));
    field.setCurrentIndex(chosen == "-" ? 1 : at < 0 ? 0 : int(at) + firstTensor);
}

std::string chosenIn(const QComboBox& field)
{
    const int at = field.currentIndex();
    return at == 0 ? std::string() : at == 1 ? std::string("-") : field.currentText().toStdString();
}

// Sets a field. Its first entry means that the value is derived from the numbers.
template <class Choice>
void choose(QComboBox& field, const std::optional<Choice>& choice)
{
    const QSignalBlocker blocker(&field);
    field.setCurrentIndex(choice ? 1 + int(*choice) : 0);
}

template <class Choice>
std::optional<Choice> chosenOf(const QComboBox& field)
{
    const int at = field.currentIndex();
    return at > 0 ? std::optional(Choice(at - 1)) : std::nullopt;
}

} // namespace

DetectionBar::DetectionBar(QWidget* parent)
    : QWidget(parent)
    , m_order(choiceOf(u"boxOrder"_s, u"Meaning of the four numbers of a box"_s, this))
    , m_scores(choiceOf(u"boxScores"_s, u"Tensor of the scores"_s, this))
    , m_classes(choiceOf(u"boxClasses"_s, u"Tensor of the classes"_s, this))
    , m_noObject(choiceOf(u"boxNoObject"_s, u"The background class"_s, this))
    , m_objectness(choiceOf(u"boxObjectness"_s,
                            u"Whether the fifth number of a box is an object score"_s, this))
    , m_least(new QDoubleSpinBox(this))
    , m_overlap(new QDoubleSpinBox(this))
    , m_most(new QSpinBox(this))
{
    m_order->addItems({u"Order"_s, orderName(BoxOrder::TopLeftBottomRight),
                       orderName(BoxOrder::LeftTopRightBottom),
                       orderName(BoxOrder::CenterAndSize)});
    int row = 0;
    for (const QString& numbers : {u"What the numbers say"_s, u"Top, left, bottom, right"_s,
                                   u"Left, top, right, bottom"_s, u"Center, width and height"_s})
        m_order->setItemData(row++, numbers, Qt::ToolTipRole);
    m_noObject->addItems({u"Background"_s, u"No background"_s, u"First class"_s, u"Last class"_s});
    m_noObject->setItemData(0, u"What the scores say"_s, Qt::ToolTipRole);
    m_objectness->addItems({u"Object score"_s, u"No object score"_s, u"Object score first"_s});
    m_objectness->setItemData(0, u"What the numbers say"_s, Qt::ToolTipRole);
    buildNumbers();
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    row = 0;
    for (QWidget* field : std::initializer_list<QWidget*>{m_least, m_most, m_overlap, m_order,
                                                          m_scores, m_classes}) {
        grid->addWidget(field, row / 2, row % 2);
        ++row;
    }
    grid->addWidget(m_noObject, row / 2, 0, 1, 2);
    grid->addWidget(m_objectness, row / 2, 0, 1, 2);
    grid->setRowStretch(row / 2 + 1, 1);
    for (const QComboBox* field : {m_order, m_scores, m_classes, m_noObject, m_objectness})
        connect(field, &QComboBox::activated, this, &DetectionBar::choose);
    for (const QDoubleSpinBox* field : {m_least, m_overlap})
        connect(field, &QDoubleSpinBox::valueChanged, this, &DetectionBar::choose);
    connect(m_most, &QSpinBox::valueChanged, this, &DetectionBar::choose);
}

void DetectionBar::buildNumbers()
{
    name(*m_least, u"boxLeast"_s, u"Lowest score of a shown box"_s);
    m_least->setPrefix(u"from "_s);
    m_least->setRange(-1000, 1000);
    m_least->setSingleStep(0.05);
    name(*m_overlap, u"boxOverlap"_s,
         u"Largest overlap of two boxes of a class; the one with the higher score is kept"_s);
    m_overlap->setPrefix(u"overlap "_s);
    m_overlap->setRange(told, 1);
    m_overlap->setSingleStep(0.05);
    m_overlap->setSpecialValueText(u"overlap"_s);
    name(*m_most, u"boxMost"_s, u"Maximum number of shown boxes"_s);
    m_most->setPrefix(u"at most "_s);
    m_most->setRange(1, mostShown);
}

void DetectionBar::setChoice(const DetectionChoice& choice, const QStringList& tensors,
                             const Detections& found)
{
    m_choice = choice;
    m_order->setItemText(0, u"Order: "_s + orderName(found.order));
    lapidary::choose(*m_order, choice.order);
    m_noObject->setItemText(0, found.noObject == NoObject::None    ? u"Background: none"_s
                               : found.noObject == NoObject::First ? u"Background: 0"_s
                                                                   : u"Background: last"_s);
    lapidary::choose(*m_noObject, choice.noObject);
    m_objectness->setItemText(0, found.hasObjectness ? u"Object score: first"_s
                                                     : u"Object score: none"_s);
    lapidary::choose(*m_objectness, choice.hasObjectness);
    for (QComboBox* field : {m_scores, m_classes})
        field->setVisible(!found.arePacked);
    m_noObject->setVisible(!found.arePacked && found.classes > 1);
    m_objectness->setVisible(found.arePacked);
    fill(*m_scores, u"Scores"_s, choice.scores, tensors);
    fill(*m_classes, u"Classes"_s, choice.classes, tensors);
    const QSignalBlocker least(m_least);
    m_least->setValue(choice.leastScore);
    const QSignalBlocker overlap(m_overlap);
    m_overlap->setSpecialValueText(found.areApart ? u"overlap 0.50"_s : u"any overlap"_s);
    m_overlap->setValue(choice.mostOverlap.value_or(told));
    const QSignalBlocker most(m_most);
    m_most->setValue(int(choice.mostBoxes));
}

void DetectionBar::choose()
{
    m_choice.order = chosenOf<BoxOrder>(*m_order);
    m_choice.noObject = chosenOf<NoObject>(*m_noObject);
    m_choice.hasObjectness = chosenOf<bool>(*m_objectness);
    m_choice.scores = chosenIn(*m_scores);
    m_choice.classes = chosenIn(*m_classes);
    m_choice.leastScore = m_least->value();
    const double overlap = m_overlap->value();
    m_choice.mostOverlap = overlap < 0 ? std::nullopt : std::optional(overlap);
    m_choice.mostBoxes = m_most->value();
    emit chosen(m_choice);
}

} // namespace lapidary
