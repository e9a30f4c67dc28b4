// SPDX-License-Identifier: Apache-2.0
// render_icon IN.svg OUT.png SIZE: draws the application's icon in one of the sizes that icon
// themes need.
#include <QImage>
#include <QPainter>
#include <QString>
#include <QSvgRenderer>

#include <cstdlib>
#include <iostream>

int main(int argc, char** argv)
{
    const int size = argc == 4 ? std::atoi(argv[3]) : 0; // NOLINT(cert-err34-c): 0 is refused
    if (size <= 0) {
        std::cerr << "usage: render_icon IN.svg OUT.png SIZE\n";
        return 2;
    }
    QSvgRenderer renderer(QString::fromLocal8Bit(argv[1]));
    QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    if (!renderer.isValid() || !image.save(QString::fromLocal8Bit(argv[2]), "PNG")) {
        std::cerr << "render_icon: cannot draw " << argv[1] << " to " << argv[2] << '\n';
        return 1;
    }
    return 0;
}
