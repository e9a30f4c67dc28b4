// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/tensor_picture.h"

#include <QImage>
#include <QWidget>

namespace lapidary {

// The pixels of a tensor, for the screen and for files.
QImage imageOf(const TensorPicture& picture);

// A picture as large as it fits, without mixing pixels where they are enlarged.
class PictureView : public QWidget {
    Q_OBJECT
public:
    explicit PictureView(QWidget* parent = nullptr);
    void setImage(QImage image, const QString& description);
    const QImage& image() const { return m_image; }
    QSize sizeHint() const override { return {160, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QImage m_image;
};

} // namespace lapidary
