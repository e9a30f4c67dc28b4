// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/tensor_figures.h"

#include "views/models/display_text.h"

#include <QGridLayout>
#include <QLabel>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

QLabel* plainLabel(QWidget* parent, bool isMuted)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("muted", isMuted);
    label->setTextInteractionFlags(isMuted ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
    return label;
}

TensorFigures::TensorFigures(QWidget* parent)
    : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    const auto row = [this, grid](const QString& title) {
        const int at = grid->rowCount();
        QLabel* key = plainLabel(this, true);
        key->setText(title);
        QLabel* value = plainLabel(this, false);
        value->setAccessibleName(title);
        grid->addWidget(key, at, 0);
        grid->addWidget(value, at, 1);
        return value;
    };
    m_range = row(u"range"_s);
    m_range->setObjectName(u"tensorRange"_s);
    m_mean = row(u"mean, std"_s);
    m_mean->setObjectName(u"tensorMean"_s);
    m_zeros = row(u"zeros"_s);
    m_odd = row(u"not finite"_s);
}

void TensorFigures::setStatistics(const TensorStatistics& s)
{
    m_range->setText(s.finite() == 0 ? u"\u2013"_s
                     : s.isConstant  ? u"all are "_s + valueText(s.minimum)
                                     : valueText(s.minimum) + u" \u2026 "_s + valueText(s.maximum));
    m_mean->setText(valueText(s.mean, 4) + u", "_s + valueText(s.deviation, 4));
    m_range->setToolTip(valueText(s.minimum) + u" \u2026 "_s + valueText(s.maximum));
    m_mean->setToolTip(valueText(s.mean) + u", "_s + valueText(s.deviation));
    m_zeros->setText(u"%1 of %2"_s.arg(exactText(s.zeros), exactText(s.elements)));
    m_odd->setText(u"%1 NaN, %2 infinite"_s.arg(exactText(s.nans), exactText(s.infinities)));
}

} // namespace lapidary
