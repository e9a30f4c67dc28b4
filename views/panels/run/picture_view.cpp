// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/picture_view.h"

#include "views/panels/theme_of.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

QImage imageOf(const TensorPicture& picture)
{
    QImage image(picture.width, picture.height, QImage::Format_RGB888);
    const std::size_t line = std::size_t(picture.width) * 3;
    for (int y = 0; y < picture.height; ++y)
        std::memcpy(image.scanLine(y), picture.pixels.data() + std::size_t(y) * line, line);
    return image;
}

PictureView::PictureView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"valuePicture"_s);
    setAccessibleName(u"Picture"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void PictureView::setImage(QImage image, const QString& description)
{
    m_image = std::move(image);
    setAccessibleDescription(description);
    setToolTip(description);
    update();
}

void PictureView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), themeOf(*this)[Role::Canvas]);
    if (m_image.isNull())
        return;
    double scale = std::min(double(width()) / m_image.width(), double(height()) / m_image.height());
    if (scale > 1)
        scale = std::floor(scale); // whole pixels
    const QSizeF size(m_image.width() * scale, m_image.height() * scale);
    const QRectF target(0, (height() - size.height()) / 2, size.width(), size.height());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, scale < 1);
    painter.drawImage(target, m_image);
}

} // namespace lapidary
