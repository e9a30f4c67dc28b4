// SPDX-License-Identifier: Apache-2.0
#include "app/window/base/themed_icon.h"

#include "views/theme/color.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int iconSize = 20;

QPixmap drawn(const QByteArray& drawing, const QColor& color, int ratio)
{
    QByteArray colored = drawing;
    colored.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(colored);
    QPixmap pixmap(iconSize * ratio, iconSize * ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, iconSize * ratio, iconSize * ratio));
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

} // namespace

QIcon themedIcon(const QString& name, const Theme& theme)
{
    QFile file(u":/icons/"_s + name + u".svg"_s);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray drawing = file.readAll();
    QIcon icon;
    for (const int ratio : {1, 2}) {
        icon.addPixmap(drawn(drawing, theme[Role::Text], ratio), QIcon::Normal);
        icon.addPixmap(
            drawn(drawing, mixed(theme[Role::TextMuted], theme[Role::Raised], 0.55), ratio),
            QIcon::Disabled);
    }
    return icon;
}

} // namespace lapidary
