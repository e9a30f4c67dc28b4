// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/detection_bar.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int leastWidth = 64;
constexpr int mostWidthOfLeast = 104;
constexpr int firstTensor = 2; // behind what is found by its name, and none

QComboBox* choiceOf(const QString& name, const QString& title, QWidget* parent)
{
    auto* field = new QComboBox(parent);
    field->setObjectName(name);
    field->setAccessibleName(title);
    field->setToolTip(title);
    field->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // beside others in a narrow row
    field->setMinimumWidth(leastWidth);
    return field;
}

void fill(QComboBox& field, const QString& what, const std::string& chosen,
          const QStringList& tensors)
{
    const QSignalBlocker blocker(&field);
    field.clear();
    field.addItems({what, u"No %1"_s.arg(what.toLower())});
    field.setItemData(0, u"The tensor that is named so"_s, Qt::ToolTipRole);
    field.addItems(tensors);
    const auto at = tensors.indexOf(QString::fromStdString(chosen));
    field.setCurrentIndex(chosen == "-" ? 1 : at < 0 ? 0 : int(at) + firstTensor);
}

std::string chosenIn(const QComboBox& field)
{
    const int at = field.currentIndex();
    return at == 0 ? std::string() : at == 1 ? std::string("-") : field.currentText().toStdString();
}

} // namespace

DetectionBar::DetectionBar(QWidget* parent)
    : QWidget(parent)
    , m_order(choiceOf(u"boxOrder"_s, u"What the four numbers of a box are"_s, this))
    , m_scores(choiceOf(u"boxScores"_s, u"Tensor of the scores"_s, this))
    , m_classes(choiceOf(u"boxClasses"_s, u"Tensor of the classes"_s, this))
    , m_least(new QDoubleSpinBox(this))
{
    for (const auto& [name, numbers] : {std::pair(u"yxyx"_s, u"Top, left, bottom, right"_s),
                                        std::pair(u"xyxy"_s, u"Left, top, right, bottom"_s),
                                        std::pair(u"cxcywh"_s, u"Center, width and height"_s)}) {
        m_order->addItem(name);
        m_order->setItemData(m_order->count() - 1, numbers, Qt::ToolTipRole);
    }
    m_least->setObjectName(u"boxLeast"_s);
    m_least->setAccessibleName(u"Least score of a box that is shown"_s);
    m_least->setToolTip(u"Least score of a box that is shown"_s);
    m_least->setPrefix(u"from "_s);
    m_least->setRange(-1000, 1000);
    m_least->setSingleStep(0.05);
    m_least->setMaximumWidth(mostWidthOfLeast);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_least);
    for (QComboBox* field : {m_order, m_scores, m_classes})
        row->addWidget(field, 1);
    for (const QComboBox* field : {m_order, m_scores, m_classes})
        connect(field, &QComboBox::activated, this, &DetectionBar::choose);
    connect(m_least, &QDoubleSpinBox::valueChanged, this, &DetectionBar::choose);
}

void DetectionBar::setChoice(const DetectionChoice& choice, const QStringList& tensors)
{
    m_choice = choice;
    const QSignalBlocker order(m_order);
    m_order->setCurrentIndex(int(choice.order));
    fill(*m_scores, u"Scores"_s, choice.scores, tensors);
    fill(*m_classes, u"Classes"_s, choice.classes, tensors);
    const QSignalBlocker least(m_least);
    m_least->setValue(choice.leastScore);
}

void DetectionBar::choose()
{
    m_choice.order = BoxOrder(m_order->currentIndex());
    m_choice.scores = chosenIn(*m_scores);
    m_choice.classes = chosenIn(*m_classes);
    m_choice.leastScore = m_least->value();
    emit chosen(m_choice);
}

} // namespace lapidary
