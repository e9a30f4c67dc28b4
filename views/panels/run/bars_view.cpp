// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/bars_view.h"

#include "views/models/display_text.h"
#include "views/panels/base/theme_of.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

BarsView::BarsView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"valueBars"_s);
    setAccessibleName(u"Largest values"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void BarsView::setElements(std::vector<TopElement> elements)
{
    m_elements = std::move(elements);
    setAccessibleDescription(text());
    update();
}

void BarsView::setLabels(QStringList labels)
{
    m_labels = std::move(labels);
    setAccessibleDescription(text());
    update();
}

QString BarsView::labelOf(const TopElement& element) const
{
    const QString number = QString::number(element.index);
    const QString label = element.index < m_labels.size() ? m_labels[element.index] : QString();
    return label.isEmpty() ? number : u"%1  %2"_s.arg(number, label);
}

QString BarsView::text() const
{
    QStringList lines;
    for (const TopElement& element : m_elements)
        lines.append(labelOf(element) + u"  "_s + valueText(element.value));
    return lines.join(u'\n');
}

void BarsView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(*this);
    const int line = fontMetrics().height() + 4;
    double most = 0;
    int names = 0;
    for (const TopElement& element : m_elements) {
        most = std::max(most, std::abs(element.value));
        names = std::max(names, fontMetrics().horizontalAdvance(labelOf(element)) + 16);
    }
    names = std::min({names, 220, width() / 2});
    const int numbers = fontMetrics().horizontalAdvance(u"-0.0000000"_s) + 8;
    const int room = std::max(width() - names - numbers - 8, 0);
    int top = 4;
    for (const TopElement& element : m_elements) {
        if (top + line > height())
            break;
        const QRect name(0, top, names - 8, line);
        painter.setPen(theme[Role::Text]);
        painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft,
                         fontMetrics().elidedText(labelOf(element), Qt::ElideMiddle, name.width()));
        const double share = most > 0 ? std::abs(element.value) / most : 0;
        const QRectF bar(names, top + 3, std::max(1.0, share * room), line - 6);
        const Role color = element.value < 0 ? Role::Removed : Role::Accent;
        painter.fillRect(bar, theme[color]);
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(QRectF(bar.right() + 6, top, numbers, line),
                         Qt::AlignVCenter | Qt::AlignLeft, valueText(element.value, 4));
        top += line;
    }
}

} // namespace lapidary
