// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/elided_choice.h"

#include "views/panels/base/elided_name.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace lapidary {

QString ElidedChoice::shownText() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    constexpr int margin = 2; // of the text in its field
    const QRect field =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    QStringList others;
    for (const int other : {currentIndex() - 1, currentIndex() + 1})
        if (other >= 0 && other < count())
            others.append(itemText(other));
    return elidedName(currentText(), fontMetrics(), field.width() - 2 * margin, others);
}

void ElidedChoice::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText = shownText();
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace lapidary
