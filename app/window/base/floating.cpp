// SPDX-License-Identifier: Apache-2.0
#include "app/window/base/floating.h"

#include <QGraphicsDropShadowEffect>

namespace lapidary {

void castShadow(QWidget* floating)
{
    auto* shadow = new QGraphicsDropShadowEffect(floating);
    shadow->setBlurRadius(18);
    shadow->setOffset(0, 4);
    shadow->setColor(QColor(0, 0, 0, 70));
    floating->setGraphicsEffect(shadow);
}

} // namespace lapidary
