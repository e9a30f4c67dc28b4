// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/range_bar.h"

#include "graph_model/base/digits.h"
#include "views/panels/base/obstacle.h"
#include "views/panels/base/tensor_figures.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int fieldFrame = 20; // width of a field besides its text
constexpr int typingMs = 300;

QString noTensor()
{
    return u"Choose a tensor that is rounded to 8 bits first"_s;
}

QString textOf(float number)
{
    return QString::fromStdString(shortestDigits(number));
}

std::optional<float> numberIn(const QLineEdit& field)
{
    return parsedNumber<float>(field.text().trimmed().toStdString());
}

} // namespace

RangeBar::RangeBar(QWidget* parent)
    : QWidget(parent)
    , m_title(plainLabel(this, false))
    , m_min(addField(u"rangeMin"_s, u"Smallest number of the range, at most 0"_s))
    , m_max(addField(u"rangeMax"_s, u"Largest number of the range, at least 0"_s))
    , m_result(plainLabel(this, true))
    , m_keep(new QPushButton(u"Keep"_s, this))
{
    setObjectName(u"rangeBar"_s);
    setAccessibleName(u"Range of the tensor"_s);
    m_title->setObjectName(u"rangeNode"_s);
    m_title->setText(u"Range"_s);
    for (QLineEdit* field : {m_min, m_max})
        setObstacle(*field, noTensor());
    m_result->setObjectName(u"rangeResult"_s);
    m_result->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_keep->setObjectName(u"rangeKeep"_s);
    m_keep->setAccessibleName(u"Keep the range"_s);
    m_keep->setToolTip(u"Adds the step that sets this range to the recipe (Shift+Q)"_s);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 8, 6);
    row->setSpacing(8);
    row->addWidget(m_title);
    row->addWidget(m_min);
    row->addWidget(new QLabel(u"to"_s, this));
    row->addWidget(m_max);
    row->addWidget(m_result, 1);
    row->addWidget(m_keep);
    m_delay.setSingleShot(true);
    m_delay.setInterval(typingMs);
    connect(&m_delay, &QTimer::timeout, this, &RangeBar::send);
    connect(m_keep, &QPushButton::clicked, this,
            [this] { emit actionRequested("lens.keepRange"); });
}

QLineEdit* RangeBar::addField(const QString& name, const QString& title)
{
    auto* field = new QLineEdit(this);
    field->setObjectName(name);
    field->setAccessibleName(title);
    field->setToolTip(title);
    // Space for the longest float.
    const int widest = field->fontMetrics().horizontalAdvance(u"-0.123456789e-10"_s);
    field->setFixedWidth(widest + fieldFrame);
    field->setAlignment(Qt::AlignRight);
    connect(field, &QLineEdit::textChanged, this, [this] { m_delay.start(); });
    connect(field, &QLineEdit::returnPressed, this, &RangeBar::send);
    return field;
}

void RangeBar::fill(std::pair<float, float> range)
{
    const QSignalBlocker min(m_min);
    const QSignalBlocker max(m_max);
    m_min->setText(textOf(range.first));
    m_max->setText(textOf(range.second));
    m_sent = range;
    m_delay.stop();
}

void RangeBar::setNode(const QString& node, std::optional<std::pair<float, float>> range)
{
    if (m_node == node && m_known == range)
        return;
    m_node = node;
    m_known = range;
    m_title->setToolTip(node); // the chosen row shows the whole name
    for (QLineEdit* field : {m_min, m_max})
        setObstacle(*field, node.isEmpty() ? noTensor() : QString());
    if (range)
        return fill(*range);
    const QSignalBlocker min(m_min);
    const QSignalBlocker max(m_max);
    m_min->clear();
    m_max->clear();
    m_sent.reset();
    m_delay.stop();
}

void RangeBar::setTried(float min, float max)
{
    if (m_sent != std::pair(min, max))
        fill({min, max});
}

void RangeBar::send()
{
    m_delay.stop();
    const auto min = numberIn(*m_min);
    const auto max = numberIn(*m_max);
    if (m_node.isEmpty() || !min || !max || m_sent == std::pair(*min, *max))
        return;
    m_sent = {*min, *max};
    emit tried(*min, *max);
}

void RangeBar::setResult(const QString& text, bool isProblem)
{
    m_result->setText(text);
    m_result->setToolTip(text);
    m_result->setProperty("problem", isProblem);
    m_result->setProperty("muted", !isProblem);
    m_result->style()->unpolish(m_result);
    m_result->style()->polish(m_result);
}

void RangeBar::setCanKeep(bool canKeep)
{
    setObstacle(*m_keep, canKeep ? QString() : u"Try another range first (Shift+E)"_s);
}

void RangeBar::edit()
{
    m_min->setFocus();
    m_min->selectAll();
}

} // namespace lapidary
