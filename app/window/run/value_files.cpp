// SPDX-License-Identifier: Apache-2.0
#include "app/window/run/value_files.h"

#include "app/window/parts/file_questions.h"
#include "app/window/parts/file_writer.h"
#include "app/window/parts/window_parts.h"
#include "graph_model/tensor/csv.h"
#include "graph_model/tensor/npy.h"
#include "views/models/display_text.h"
#include "views/panels/base/histogram_view.h"
#include "views/panels/run/picture_view.h"

#include <QBuffer>
#include <QImage>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::int64_t mostPixels = 1 << 24;
constexpr std::int64_t mostCopied = 1'000'000; // number of elements

const Tensor& shownTable(const ValueReport& report)
{
    return report.view == ValueView::Table && report.table ? *report.table : report.tensor;
}

Result<QImage> picture(const ValueReport& report, const Job& job)
{
    if (report.picture)
        return imageOf(*report.picture);
    const Shape& shape = report.tensor.shape();
    if (isPictureShape(shape)) {
        ASSIGN_OR_RETURN(const auto made,
                         tensorPicture(report.tensor, {.mode = usualMode(shape)}, mostPixels, job));
        return imageOf(made);
    }
    if (report.figures.grid.cells.empty())
        return Error{ErrorCode::Unsupported, "this value has no picture; save it as .npy or .csv"};
    return heatMapImage(report.figures.grid, false);
}

Result<std::string> pngBytes(const ValueReport& report, const Job& job)
{
    ASSIGN_OR_RETURN(const auto image, picture(report, job));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        return Error{ErrorCode::Io, "the picture cannot be written as PNG"};
    return bytes.toStdString();
}

} // namespace

Result<std::string> valueBytes(const ValueReport& report, const QString& path, const Job& job)
{
    if (path.endsWith(u".csv"_s, Qt::CaseInsensitive))
        return encodeCsv(shownTable(report), job);
    if (path.endsWith(u".png"_s, Qt::CaseInsensitive))
        return pngBytes(report, job);
    return encodeNpy(report.tensor);
}

void askToSaveValue(const WindowParts& window, std::shared_ptr<const ValueReport> report,
                    const std::string& tensor)
{
    QString name = lastPathPart(tensor);
    name.replace(u':', u'_');
    window.questions->askToWrite(
        u"Save the value"_s, name + u".npy"_s,
        u"NumPy (*.npy);;Comma-separated values (*.csv);;Picture (*.png)"_s,
        [writer = window.writer, report = std::move(report)](const QString& path) {
            writer->writeBytes(
                path, [report, path](const Job& job) { return valueBytes(*report, path, job); });
        });
}

Result<std::string> valueLines(const ValueReport& report, const Job& job)
{
    const Tensor& table = shownTable(report);
    if (table.elements() > mostCopied)
        return Error{ErrorCode::InvalidArgument,
                     std::to_string(table.elements()) +
                         " values are too many to copy; save the value instead"};
    return encodeCsv(table, job);
}

} // namespace lapidary
