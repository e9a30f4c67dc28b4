// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/export_picture.h"

#include "views/canvas/paint/scene_painter.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr float pageMargin = 28;
constexpr double longestPage = 14'400; // points, the limit of PDF 1.x

// The part of the scene that is exported, its scale, and the size of the picture.
struct Placement {
    QPointF origin;
    QSizeF size;
    double scale = 1;
};

Rect exportedArea(const Scene& scene, const ExportOptions& options)
{
    if (options.area)
        return *options.area;
    const Rect& all = scene.bounds;
    return {all.x - pageMargin, all.y - pageMargin, all.w + 2 * pageMargin, all.h + 2 * pageMargin};
}

// Fitted pictures are never larger than 150 %, so that a graph of three nodes does not become a
// poster.
Placement placed(const Rect& area, const QSize& asked)
{
    if (asked.isEmpty())
        return {QPointF(area.x, area.y), QSizeF(std::ceil(area.w), std::ceil(area.h)), 1.0};
    const double fit = std::min(asked.width() / double(area.w), asked.height() / double(area.h));
    const double scale = std::min(fit, 1.5);
    const QSizeF shown = QSizeF(asked) / scale;
    return {QPointF(area.x - (shown.width() - area.w) / 2, area.y - (shown.height() - area.h) / 2),
            QSizeF(asked), scale};
}

Placement limited(Placement place, double longest, double pixels)
{
    const double side = std::max(place.size.width(), place.size.height());
    double factor = std::min(1.0, longest / side);
    const double count = place.size.width() * place.size.height() * factor * factor;
    factor *= std::min(1.0, std::sqrt(pixels / count));
    place.size = QSizeF(std::max(1.0, std::floor(place.size.width() * factor)),
                        std::max(1.0, std::floor(place.size.height() * factor)));
    place.scale *= factor;
    return place;
}

class Exporter {
public:
    Exporter(const ScenePtr& scene, const ExportOptions& options)
        : m_options(options)
        , m_place(placed(exportedArea(*scene, options), options.size))
    {
        m_painter.setScene(scene);
    }

    Result<QByteArray> encoded(PictureFileFormat format, ExportedPicture* made)
    {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        if (!buffer.open(QIODevice::WriteOnly))
            return Error{ErrorCode::Internal, "no memory for the picture"};
        const bool isWritten = format == PictureFileFormat::Png   ? writePng(buffer)
                               : format == PictureFileFormat::Svg ? writeSvg(buffer)
                                                                  : writePdf(buffer);
        buffer.close();
        if (!isWritten)
            return Error{ErrorCode::Internal, "no memory for a picture of this size",
                         ErrorReason::PictureSize};
        if (made)
            *made = {m_place.size.toSize(), m_place.scale};
        return bytes;
    }

private:
    bool writePng(QBuffer& buffer)
    {
        const double ratio = m_options.pixelRatio;
        m_place = limited(m_place, longestSide / ratio, mostPixels / (ratio * ratio));
        QImage image((m_place.size * ratio).toSize(), QImage::Format_RGB32);
        if (image.isNull())
            return false;
        image.setDevicePixelRatio(ratio);
        const PictureRequest request = requestAt(ratio);
        m_painter.paint(image, request);
        QPainter painter(&image);
        m_painter.paintOverlay(painter, request, false);
        painter.end();
        return image.save(&buffer, "PNG");
    }

    bool writeSvg(QBuffer& buffer)
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(m_place.size.toSize());
        generator.setViewBox(QRectF(QPointF(0, 0), m_place.size));
        generator.setTitle(QStringLiteral("Graph"));
        return paintVector(generator, 1);
    }

    bool writePdf(QBuffer& buffer)
    {
        m_place = limited(m_place, longestPage / 0.75, 1e18);
        QPdfWriter writer(&buffer);
        const QSizeF points = m_place.size * 0.75;
        writer.setPageSize(QPageSize(points, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setResolution(960);
        return paintVector(writer, writer.width() / m_place.size.width());
    }

    // Vector pictures are painted at 100 %, so they keep every detail at any size.
    bool paintVector(QPaintDevice& device, double unit)
    {
        QPainter painter;
        if (!painter.begin(&device))
            return false;
        const double scale = m_place.scale;
        painter.scale(unit * scale, unit * scale);
        const PictureRequest request{.origin = m_place.origin,
                                     .size = m_place.size / scale,
                                     .scale = 1,
                                     .pixelRatio = 1,
                                     .theme = themeFor(m_options.dark),
                                     .state = m_options.state};
        m_painter.paint(painter, request);
        m_painter.paintOverlay(painter, request, false);
        return painter.end();
    }

    PictureRequest requestAt(double ratio) const
    {
        return {.origin = m_place.origin,
                .size = m_place.size,
                .scale = m_place.scale,
                .pixelRatio = ratio,
                .theme = themeFor(m_options.dark),
                .state = m_options.state};
    }

    const ExportOptions& m_options;
    Placement m_place;
    ScenePainter m_painter;
};

} // namespace

Result<PictureFileFormat> pictureFileFormat(const std::filesystem::path& path)
{
    const QString extension = QString::fromStdString(path.extension().string()).toLower();
    if (extension == QLatin1String(".png"))
        return PictureFileFormat::Png;
    if (extension == QLatin1String(".svg"))
        return PictureFileFormat::Svg;
    if (extension == QLatin1String(".pdf"))
        return PictureFileFormat::Pdf;
    return Error{ErrorCode::InvalidArgument,
                 path.string() + ": not a picture format; use .png, .svg or .pdf"};
}

Result<QByteArray> encodePicture(const ScenePtr& scene, PictureFileFormat format,
                                 const ExportOptions& options, ExportedPicture* made)
{
    return Exporter(scene, options).encoded(format, made);
}

Result<ExportedPicture> exportPicture(const ScenePtr& scene, const std::filesystem::path& path,
                                      const ExportOptions& options)
{
    ASSIGN_OR_RETURN(const auto format, pictureFileFormat(path));
    ExportedPicture made;
    const auto bytes = encodePicture(scene, format, options, &made);
    if (!bytes)
        return Error{bytes.error().code, path.string() + ": " + bytes.error().message};
    QSaveFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::WriteOnly) || file.write(*bytes) != bytes->size() || !file.commit())
        return Error{ErrorCode::Io, path.string() + ": " + file.errorString().toStdString() +
                                        "; choose another place for the picture"};
    return made;
}

} // namespace lapidary
