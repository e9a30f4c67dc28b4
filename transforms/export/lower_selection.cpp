// SPDX-License-Identifier: Apache-2.0
// Ops that choose elements by their place, and resize pictures.
#include "transforms/export/lowering.h"

#include <array>

namespace lapidary {
namespace {

using Kind = PortableKind;

Status emitGather(LowerNode& n, std::int64_t axis, std::int64_t batchAxes)
{
    const std::int64_t rank = n.rank(0);
    if (n.target() == ExportTarget::Onnx && batchAxes != 0)
        return Error{ErrorCode::Unsupported, "it gathers along batch_dims, ONNX does not"};
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

// One row, as a write to a TensorArray is.
Status updateRow(LowerNode& n)
{
    const std::vector<std::int64_t> one{1, 1};
    if (n.dims(1) != one)
        return Error{ErrorCode::Unsupported, "it changes more than one row at a time"};
    n.emit(Kind::UpdateRow, n.inputs(0, 3));
    return Done{};
}

constexpr std::array selectionRows{
    forAnySize({"Gather", gather, "Gather"}),
    forAnySize({"GatherNd", gatherNd, "GatherNd"}),
    forAnySize({"GatherV2", gatherV2, "Gather", "constant axis; ONNX: no batch_dims"}),
    LowerRow{"OneHot", oneHot, "OneHot", "constant depth"},
    LowerRow{"ResizeBilinear", bilinear, "ResizeBilinear", "constant size"},
    LowerRow{"ResizeNearestNeighbor", nearest, "ResizeNearest", "constant size"},
    LowerRow{"TensorScatterUpdate", updateRow, "UpdateRow", "one row"},
};

} // namespace

std::span<const LowerRow> lowerSelectionRows()
{
    return selectionRows;
}

} // namespace lapidary
