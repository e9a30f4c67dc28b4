// SPDX-License-Identifier: Apache-2.0
#include "views/models/run/value_report.h"

#include "graph_model/tensor/packed_boxes.h"
#include "views/models/display_text.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::int64_t mostPixels = 1 << 22;
constexpr std::int64_t mostClasses = 100'000;
constexpr std::int64_t fewestClasses = 2;
constexpr std::size_t shownClasses = 10;
constexpr std::int64_t mostReadElements = 64;
constexpr int waveColumns = 1024;
constexpr int spectrogramColumns = 512;

bool isScores(const Tensor& tensor)
{
    const std::vector<std::int64_t>& dims = tensor.shape().dims;
    return !dims.empty() && dims.back() == tensor.elements() && dims.back() >= fewestClasses &&
           dims.back() <= mostClasses;
}

// A slice fits if it names axes that the tensor has and indices within them.
bool fits(const TensorSlice& slice, const Shape& shape)
{
    const int rank = int(shape.dims.size());
    if (slice.at.size() != shape.dims.size() || slice.rows >= rank || slice.columns >= rank)
        return false;
    for (std::size_t axis = 0; axis < slice.at.size(); ++axis)
        if (slice.at[axis] < 0 || slice.at[axis] >= std::max<std::int64_t>(shape.dims[axis], 1))
            return false;
    return slice.rows < 0 || slice.rows != slice.columns;
}

Status addTable(const ValueChoice& choice, const Job& job, ValueReport& report)
{
    const Shape& shape = report.tensor.shape();
    report.slice = choice.slice && fits(*choice.slice, shape) ? *choice.slice : firstSlice(shape);
    if (shape.dims.size() <= 2 && report.slice == firstSlice(shape))
        return Done{};
    if (report.tensor.elements() == 0)
        return Done{};
    ASSIGN_OR_RETURN(auto table, sliceOf(report.tensor, report.slice, job));
    report.table = std::move(table);
    return Done{};
}

Status addPicture(const ValueChoice& choice, const Job& job, ValueReport& report)
{
    const Shape& shape = report.tensor.shape();
    report.mode = choice.mode.value_or(usualMode(shape));
    const std::int64_t pictures = shape.dims.size() == 4 ? shape.dims[0] : 1;
    const PictureChoice wanted{report.mode, choice.scale,
                               choice.picture < pictures ? choice.picture : 0};
    auto picture = tensorPicture(report.tensor, wanted, mostPixels, job);
    RETURN_IF_ERROR(picture);
    report.picture = *std::move(picture);
    return Done{};
}

void addBoxes(const ValueChoice& choice, const DetectionContext& context, const Job& job,
              ValueReport& report)
{
    auto found = detectionsOf({report.tensor, context.scores, context.classes, context.pictureWidth,
                               context.pictureHeight, context.usualOrder},
                              choice.boxes, job);
    if (found)
        report.found = *std::move(found);
    else
        report.fault = plainText(found.error().message);
}

} // namespace

std::vector<ValueView> viewsOf(const Tensor& tensor)
{
    const DType dtype = withoutReference(tensor.dtype());
    if (dtypeSize(dtype) == 0 || tensor.elements() < 2)
        return {ValueView::Table};
    std::vector<ValueView> views;
    const bool isReal = dtype != DType::Complex64 && dtype != DType::Complex128;
    if (isReal && isPictureShape(tensor.shape()) && tensor.shape().dims.size() > 2)
        views.push_back(ValueView::Picture);
    if (isReal && isScores(tensor))
        views.push_back(ValueView::Bars);
    if (isReal && isWaveformShape(tensor.shape()))
        views.push_back(ValueView::Wave);
    const bool isSmall = tensor.elements() <= mostReadElements;
    if (isSmall) // its numbers can be read at a glance
        views.push_back(ValueView::Table);
    views.push_back(ValueView::HeatMap);
    if (isReal && (isBoxShape(tensor.shape()) || packedShape(tensor.shape())))
        views.push_back(ValueView::Boxes);
    if (!isSmall)
        views.push_back(ValueView::Table);
    // A matrix may be a picture, but is rarely one.
    if (isReal && isPictureShape(tensor.shape()) && tensor.shape().dims.size() == 2)
        views.push_back(ValueView::Picture);
    return views;
}

Result<ValueReport> makeValueReport(const Tensor& tensor, const ValueChoice& choice, const Job& job,
                                    const DetectionContext& context)
{
    ASSIGN_OR_RETURN(auto figures, reportOf(tensor, job));
    ValueReport report;
    report.tensor = tensor;
    report.figures = std::move(figures);
    report.views = viewsOf(tensor);
    // Sound swings around zero: values that are never negative are more likely scores or lengths.
    if (report.views.front() == ValueView::Wave && report.figures.statistics.minimum >= 0)
        std::swap(report.views[0], report.views[1]);
    report.view = report.views.front();
    const ValueView otherwise = report.view;
    const bool areChosen = context.mayBeChosen && areChosenBoxes(tensor);
    if ((context.isNamedSo || context.isShapedSo || areChosen) &&
        std::ranges::find(report.views, ValueView::Boxes) != report.views.end())
        report.view = ValueView::Boxes;
    if (choice.view && std::ranges::find(report.views, *choice.view) != report.views.end())
        report.view = *choice.view;
    if (report.view == ValueView::Boxes) {
        addBoxes(choice, context, job, report);
        if (!report.fault.isEmpty() && !choice.view && !context.isNamedSo)
            report.view = otherwise;
    }
    switch (report.view) {
    case ValueView::Picture: RETURN_IF_ERROR(addPicture(choice, job, report)); break;
    case ValueView::Table: RETURN_IF_ERROR(addTable(choice, job, report)); break;
    case ValueView::Bars: {
        ASSIGN_OR_RETURN(report.best, topElements(tensor, 0, shownClasses, job));
        break;
    }
    case ValueView::Wave: {
        ASSIGN_OR_RETURN(report.wave, waveformOf(tensor, waveColumns, job));
        ASSIGN_OR_RETURN(report.spectrogram, spectrogramOf(tensor, spectrogramColumns, job));
        break;
    }
    case ValueView::Boxes:
    case ValueView::HeatMap: break;
    }
    return report;
}

} // namespace lapidary
