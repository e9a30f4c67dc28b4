// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/picture_view.h"

#include "views/panels/base/theme_of.h"

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

int tilesInRow(const PictureTiles& tiles, QSize room)
{
    int best = 1;
    double largest = 0;
    for (int across = 1; across <= tiles.count; ++across) {
        const int down = (tiles.count + across - 1) / across;
        const double scale = std::min(double(room.width()) / (across * (tiles.size.width() + 1)),
                                      double(room.height()) / (down * (tiles.size.height() + 1)));
        if (scale > largest) {
            largest = scale;
            best = across;
        }
    }
    return best;
}

void PictureView::setImage(QImage image, const QString& description, const PictureTiles& tiles)
{
    m_image = std::move(image);
    m_tiles = tiles;
    m_arranged = {};
    setAccessibleDescription(description);
    setToolTip(description);
    update();
}

const QImage& PictureView::arranged()
{
    if (m_tiles.count <= 1 || m_image.isNull())
        return m_image;
    const int across = tilesInRow(m_tiles, size());
    const int stepX = m_tiles.size.width() + 1;
    const int stepY = m_tiles.size.height() + 1;
    if (!m_arranged.isNull() && m_arranged.width() == across * stepX - 1)
        return m_arranged;
    const int down = (m_tiles.count + across - 1) / across;
    const int acrossBefore = (m_image.width() + 1) / stepX;
    m_arranged = QImage(across * stepX - 1, down * stepY - 1, m_image.format());
    m_arranged.fill(Qt::black);
    const auto pixel = std::size_t(m_image.depth() / 8);
    for (int tile = 0; tile < m_tiles.count; ++tile)
        for (int y = 0; y < m_tiles.size.height(); ++y)
            std::memcpy(m_arranged.scanLine(tile / across * stepY + y) +
                            std::size_t(tile % across * stepX) * pixel,
                        m_image.constScanLine(tile / acrossBefore * stepY + y) +
                            std::size_t(tile % acrossBefore * stepX) * pixel,
                        std::size_t(m_tiles.size.width()) * pixel);
    return m_arranged;
}

void PictureView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), themeOf(*this)[Role::Canvas]);
    if (m_image.isNull())
        return;
    const QImage& image = arranged();
    double scale = std::min(double(width()) / image.width(), double(height()) / image.height());
    if (scale > 1)
        scale = std::floor(scale); // whole pixels
    const QSizeF size(image.width() * scale, image.height() * scale);
    const QRectF target(0, (height() - size.height()) / 2, size.width(), size.height());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, scale < 1);
    painter.drawImage(target, image);
}

} // namespace lapidary
