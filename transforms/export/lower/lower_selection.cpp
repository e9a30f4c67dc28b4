// SPDX-License-Identifier: Apache-2.0
// Ops that choose elements by index, and resize pictures.
#include "transforms/export/lower/lowering.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>

namespace lapidary {
namespace {

using Kind = PortableKind;

std::int64_t productOf(std::span<const std::int64_t> dims)
{
    return std::accumulate(dims.begin(), dims.end(), std::int64_t(1), std::multiplies());
}

// Returns the index of the first value of each batch after the batch axes are flattened into one.
TensorIndex batchStarts(LowerNode& n, std::size_t batchAxes, std::int64_t length)
{
    const std::vector<std::int64_t> indices = n.dims(1);
    std::vector<std::int64_t> dims(indices.size(), 1);
    std::copy_n(indices.begin(), batchAxes, dims.begin());
    std::string bytes;
    for (std::int64_t batch = 0; batch < productOf(dims); ++batch) {
        const std::int64_t start = batch * length;
        const auto narrow = std::int32_t(start);
        bytes.append(
            n.tensor(n.input(1)).dtype == DType::Int64
                ? std::string_view(reinterpret_cast<const char*>(&start), sizeof(start))
                : std::string_view(reinterpret_cast<const char*>(&narrow), sizeof(narrow)));
    }
    return n.constantOf("starts", n.tensor(n.input(1)).dtype, dims, std::move(bytes));
}

// Gathers for ONNX, which has no batches: all batches become one list, and each index is moved by
// the start of its batch.
Status gatherInBatches(LowerNode& n, std::int64_t axis, std::int64_t batchAxes)
{
    const std::vector<std::int64_t> dims = n.dims(0);
    const auto isOpen = [](const auto& sizes) { return std::ranges::count(sizes, -1) > 0; };
    if (isOpen(dims) || isOpen(n.dims(1)) || isOpen(n.outputDims()))
        return Error{ErrorCode::Unsupported, "it gathers in batches of sizes that are not known"};
    if (axis != batchAxes || batchAxes > std::int64_t(n.rank(1)))
        return Error{ErrorCode::Unsupported, "it gathers after the axes of its batches"};
    const auto at = dims.begin() + std::ptrdiff_t(axis);
    std::vector<std::int64_t> flat{productOf({dims.begin(), at + 1})};
    flat.insert(flat.end(), at + 1, dims.end());
    const TensorIndex values = n.between("all_batches", n.outputType(), flat);
    n.emit(Kind::Reshape, {n.input(0)}, {values});
    const TensorIndex places = n.between("places", n.tensor(n.input(1)).dtype, n.dims(1));
    n.emit(Kind::Add, {n.input(1), batchStarts(n, std::size_t(batchAxes), *at)}, {places});
    n.emit(Kind::Gather, {values, places}).parameters.axis = 0;
    return Done{};
}

Status emitGather(LowerNode& n, std::int64_t axis, std::int64_t batchAxes)
{
    const std::int64_t rank = n.rank(0);
    if (batchAxes < 0)
        batchAxes += n.rank(1);
    if (n.target() == ExportTarget::Onnx && batchAxes != 0)
        return gatherInBatches(n, axis < 0 ? axis + rank : axis, batchAxes);
    PortableOperation& op = n.emit(Kind::Gather, {n.input(0), n.input(1)});
    op.parameters.axis = axis < 0 ? axis + rank : axis;
    op.parameters.batchAxes = batchAxes;
    return Done{};
}

Status gather(LowerNode& n)
{
    return emitGather(n, 0, 0);
}

Status gatherV2(LowerNode& n)
{
    ASSIGN_OR_RETURN(const std::int64_t axis, n.oneInt(2, "axis"));
    return emitGather(n, axis, n.intAttr("batch_dims", 0));
}

Status gatherNd(LowerNode& n)
{
    n.emit(Kind::GatherNd, {n.input(0), n.input(1)});
    return Done{};
}

Status oneHot(LowerNode& n)
{
    RETURN_IF_ERROR(n.oneInt(1, "depth"));
    const std::int64_t axis = n.intAttr("axis", -1);
    const std::int64_t last = n.rank(0);
    n.emit(Kind::OneHot, {n.input(0), n.input(2), n.input(3)}).parameters.axis =
        axis < 0 ? last : axis;
    return Done{};
}

Status resize(LowerNode& n, Kind kind)
{
    RETURN_IF_ERROR(n.ints(1, "size"));
    const bool aligns = n.boolAttr("align_corners", false);
    const bool halves = n.boolAttr("half_pixel_centers", false);
    TensorIndex x = n.input(0);
    if (kind == Kind::ResizeBilinear && n.tensor(x).dtype != DType::Float) {
        const TensorIndex real = n.between("float", DType::Float, n.dims(0));
        n.emit(Kind::Cast, {x}, {real});
        x = real;
    }
    PortableOperation& op = n.emit(kind, {x});
    op.parameters.alignsCorners = aligns;
    op.parameters.halfPixels = halves;
    return Done{};
}

Status bilinear(LowerNode& n)
{
    return resize(n, Kind::ResizeBilinear);
}

Status nearest(LowerNode& n)
{
    return resize(n, Kind::ResizeNearest);
}

constexpr std::array selectionRows{
    forAnySize({"Gather", gather, "Gather"}),
    forAnySize({"GatherNd", gatherNd, "GatherNd"}),
    forAnySize({"GatherV2", gatherV2, "Gather",
                "constant axis; ONNX: in batches along the axis after them"}),
    LowerRow{"OneHot", oneHot, "OneHot", "constant depth"},
    LowerRow{"ResizeBilinear", bilinear, "ResizeBilinear", "constant size"},
    LowerRow{"ResizeNearestNeighbor", nearest, "ResizeNearest", "constant size"},
};

} // namespace

std::span<const LowerRow> lowerSelectionRows()
{
    return selectionRows;
}

} // namespace lapidary
