// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/tensor_picture.h"

#include <QImage>
#include <QWidget>

namespace lapidary {

// Returns the pixels of a tensor, for the screen and for files.
QImage imageOf(const TensorPicture& picture);

// Tiles of one size side by side, separated by lines of one pixel.
struct PictureTiles {
    QSize size;
    int count = 1;
};

// Returns the number of tiles in a row at which they are as large as the space allows.
int tilesInRow(const PictureTiles& tiles, QSize room);

// A picture as large as it fits; enlarged pixels stay sharp. Tiles are arranged in the number of
// rows that shows them largest.
class PictureView : public QWidget {
    Q_OBJECT
public:
    explicit PictureView(QWidget* parent = nullptr);
    void setImage(QImage image, const QString& description, const PictureTiles& tiles = {});
    const QImage& image() const { return m_image; }
    QSize sizeHint() const override { return {160, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const QImage& arranged();

    QImage m_image;
    QImage m_arranged; // scaled to the widget; null: not yet
    PictureTiles m_tiles;
};

} // namespace lapidary
