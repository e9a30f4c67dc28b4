// SPDX-License-Identifier: Apache-2.0
// Ops that move elements and compute nothing.
#include "transforms/export/lower/coded_constants.h"
#include "transforms/export/lower/lowering.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lapidary {
namespace {

using Kind = PortableKind;
using Ints = std::vector<std::int64_t>;

std::int64_t countFromFront(std::int64_t axis, std::int64_t rank)
{
    return axis < 0 ? axis + rank : axis;
}

Status reshape(LowerNode& n)
{
    if (std::ranges::count(n.outputDims(), -1) > 1)
        return Error{ErrorCode::Unsupported, "several sizes of its output are unknown"};
    if (!reshapesCodes(n))
        n.emit(Kind::Reshape, {n.input(0)});
    return Done{};
}

Status transpose(LowerNode& n)
{
    ASSIGN_OR_RETURN(Ints order, n.ints(1, "order of axes"));
    for (std::int64_t& axis : order)
        axis = countFromFront(axis, n.rank(0));
    if (!turnsCodes(n, order))
        n.emit(Kind::Transpose, {n.input(0)}).parameters.axes = std::move(order);
    return Done{};
}

Status joinAlong(LowerNode& n, std::size_t axisSlot, std::size_t first, std::size_t count)
{
    ASSIGN_OR_RETURN(const std::int64_t axis, n.oneInt(axisSlot, "axis"));
    const auto rank = std::int64_t(n.outputDims().size());
    std::vector<TensorIndex> parts;
    for (const TensorIndex part : n.inputs(first, count))
        if (n.tensor(part).elements() != 0 || count == 1)
            parts.push_back(part);
    if (parts.size() == 1) {
        n.alias(0, parts.front());
        return Done{};
    }
    n.emit(Kind::Concat, std::move(parts)).parameters.axis = countFromFront(axis, rank);
    return Done{};
}

Status concat(LowerNode& n)
{
    return joinAlong(n, 0, 1, n.inputCount() - 1);
}

Status concatV2(LowerNode& n)
{
    return joinAlong(n, n.inputCount() - 1, 0, n.inputCount() - 1);
}

Status pack(LowerNode& n)
{
    const auto rank = std::int64_t(n.outputDims().size());
    const std::int64_t axis = countFromFront(n.intAttr("axis", 0), rank);
    n.emit(Kind::Pack, n.inputs(0, n.inputCount())).parameters.axis = axis;
    return Done{};
}

std::vector<TensorIndex> outputsOf(LowerNode& n, std::size_t count)
{
    std::vector<TensorIndex> outputs;
    for (std::size_t port = 0; port < count; ++port)
        outputs.push_back(n.output(port));
    return outputs;
}

Status unpack(LowerNode& n)
{
    const std::int64_t axis = countFromFront(n.intAttr("axis", 0), n.rank(0));
    const auto count = std::size_t(n.dims(0)[std::size_t(axis)]);
    n.emit(Kind::Unpack, {n.input(0)}, outputsOf(n, count)).parameters.axis = axis;
    return Done{};
}

Status emitSplit(LowerNode& n, TensorIndex x, std::int64_t axis, Ints sizes)
{
    if (sizes.size() == 1) {
        n.alias(0, x);
        return Done{};
    }
    PortableOperation& op = n.emit(Kind::Split, {x}, outputsOf(n, sizes.size()));
    op.parameters.axis = axis;
    op.parameters.sizes = std::move(sizes);
    return Done{};
}

Status split(LowerNode& n)
{
    ASSIGN_OR_RETURN(std::int64_t axis, n.oneInt(0, "axis"));
    axis = countFromFront(axis, n.rank(1));
    const std::int64_t parts = n.intAttr("num_split", 1);
    const std::int64_t size = n.dims(1)[std::size_t(axis)];
    return emitSplit(n, n.input(1), axis, Ints(std::size_t(parts), size / parts));
}

Status splitV(LowerNode& n)
{
    ASSIGN_OR_RETURN(std::int64_t axis, n.oneInt(2, "axis"));
    ASSIGN_OR_RETURN(Ints sizes, n.ints(1, "list of sizes"));
    axis = countFromFront(axis, n.rank(0));
    std::int64_t rest = n.dims(0)[std::size_t(axis)];
    for (const std::int64_t size : sizes)
        rest -= std::max<std::int64_t>(size, 0);
    for (std::int64_t& size : sizes)
        size = size < 0 ? rest : size;
    return emitSplit(n, n.input(0), axis, std::move(sizes));
}

Status padWith(LowerNode& n, Kind kind, TensorIndex value)
{
    ASSIGN_OR_RETURN(const Ints sizes, n.ints(1, "list of paddings"));
    std::vector<TensorIndex> inputs{n.input(0)};
    if (value != noTensor)
        inputs.push_back(value);
    PortableOperation& op = n.emit(kind, std::move(inputs));
    for (std::size_t i = 0; i + 1 < sizes.size(); i += 2) {
        op.parameters.before.push_back(sizes[i]);
        op.parameters.after.push_back(sizes[i + 1]);
    }
    return Done{};
}

Status pad(LowerNode& n)
{
    return padWith(n, Kind::Pad, noTensor);
}

Status padV2(LowerNode& n)
{
    const bool isZero = n.isConstant(2) && floatsOf(n.tensor(n.input(2))) == std::vector{0.0F};
    return padWith(n, Kind::Pad, isZero ? noTensor : n.input(2));
}

Status mirrorPad(LowerNode& n)
{
    const bool isSymmetric = n.textAttr("mode", "REFLECT") == "SYMMETRIC";
    ASSIGN_OR_RETURN(const Ints sizes, n.ints(1, "list of paddings"));
    PortableOperation& op = n.emit(Kind::MirrorPad, {n.input(0)});
    op.parameters.isSymmetric = isSymmetric;
    for (std::size_t i = 0; i + 1 < sizes.size(); i += 2) {
        op.parameters.before.push_back(sizes[i]);
        op.parameters.after.push_back(sizes[i + 1]);
    }
    return Done{};
}

Status tile(LowerNode& n)
{
    ASSIGN_OR_RETURN(Ints repeats, n.ints(1, "list of repetitions"));
    n.emit(Kind::Tile, {n.input(0)}).parameters.sizes = std::move(repeats);
    return Done{};
}

// Repeats the value until it has the output's size.
Status spread(LowerNode& n, TensorIndex value)
{
    const Ints dims = n.outputDims();
    const Ints from = n.tensor(value).dims;
    Ints ones(dims.size(), 1);
    std::ranges::copy(from, ones.end() - std::ptrdiff_t(from.size()));
    Ints repeats;
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
        repeats.push_back(ones[axis] == dims[axis] ? 1 : dims[axis]);
    if (dims.empty()) {
        n.alias(0, value);
        return Done{};
    }
    const TensorIndex shaped = n.between("shaped", n.outputType(), ones);
    n.emit(Kind::Reshape, {value}, {shaped});
    n.emit(Kind::Tile, {shaped}).parameters.sizes = std::move(repeats);
    return Done{};
}

Status fill(LowerNode& n)
{
    if (n.tensor(n.output()).isOpen()) {
        n.emit(Kind::Fill, {n.input(0), n.input(1)});
        return Done{};
    }
    return spread(n, n.input(1));
}

Status broadcastTo(LowerNode& n)
{
    return spread(n, n.input(0));
}

Status slice(LowerNode& n)
{
    ASSIGN_OR_RETURN(const Ints begin, n.ints(1, "begin"));
    ASSIGN_OR_RETURN(const Ints size, n.ints(2, "size"));
    const Ints dims = n.dims(0);
    if (begin.size() != dims.size() || size.size() != dims.size())
        return Error{ErrorCode::Unsupported, "its begin and size do not fit the input's rank"};
    PortableOperation& op = n.emit(Kind::StridedSlice, {n.input(0)});
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
        op.parameters.begin.push_back(begin[axis]);
        op.parameters.end.push_back(size[axis] < 0 ? dims[axis] : begin[axis] + size[axis]);
        op.parameters.step.push_back(1);
    }
    op.parameters.shrink.assign(dims.size(), false);
    return Done{};
}

bool hasBit(std::int64_t mask, std::size_t bit)
{
    return bit < 63 && ((mask >> bit) & 1) != 0;
}

// A number after the end of any axis: the runtimes stop at the last element.
constexpr std::int64_t farEnd = std::numeric_limits<std::int32_t>::max();

// The bounds of TensorFlow's strided slice, axis by axis of the input, masks and ellipsis resolved.
class SliceBounds {
public:
    SliceBounds(const LowerNode& n, Ints dims)
        : m_dims(std::move(dims))
        , m_beginMask(n.intAttr("begin_mask", 0))
        , m_endMask(n.intAttr("end_mask", 0))
        , m_ellipsis(n.intAttr("ellipsis_mask", 0))
        , m_newAxis(n.intAttr("new_axis_mask", 0))
        , m_shrink(n.intAttr("shrink_axis_mask", 0))
    {
    }

    Status read(const Ints& begin, const Ints& end, const Ints& step)
    {
        for (std::size_t i = 0; i < begin.size(); ++i) {
            if (hasBit(m_ellipsis, i)) {
                skip(begin.size(), i);
            } else if (hasBit(m_newAxis, i)) {
                hasNewAxis = true;
            } else if (parameters.begin.size() < m_dims.size() && sizeHere() < 0) {
                RETURN_IF_ERROR(addOpen(i, begin[i], end[i], step[i]));
            } else if (parameters.begin.size() < m_dims.size()) {
                add(i, begin[i], end[i], step[i]);
            } else {
                return Error{ErrorCode::Unsupported, "it slices more axes than its input has"};
            }
        }
        while (parameters.begin.size() < m_dims.size())
            addWhole();
        return Done{};
    }

    PortableParameters parameters;
    bool hasNewAxis = false;

private:
    std::int64_t sizeHere() const { return m_dims[parameters.begin.size()]; }

    // Adds an entry for an axis of unknown size; it has to count from the front.
    Status addOpen(std::size_t entry, std::int64_t begin, std::int64_t end, std::int64_t step)
    {
        const bool isShrunk = hasBit(m_shrink, entry);
        begin = hasBit(m_beginMask, entry) && !isShrunk ? 0 : begin;
        end = isShrunk ? begin + 1 : hasBit(m_endMask, entry) ? farEnd : end;
        if (begin < 0 || end < 0 || step < 1)
            return Error{ErrorCode::Unsupported,
                         "it counts from the end of an axis whose size is not known"};
        parameters.begin.push_back(begin);
        parameters.end.push_back(end);
        parameters.step.push_back(isShrunk ? 1 : step);
        parameters.shrink.push_back(isShrunk);
        return Done{};
    }

    void addWhole()
    {
        parameters.end.push_back(sizeHere() < 0 ? farEnd : sizeHere());
        parameters.begin.push_back(0);
        parameters.step.push_back(1);
        parameters.shrink.push_back(false);
    }

    // Adds the axes of an ellipsis: those that no other entry names.
    void skip(std::size_t entries, std::size_t at)
    {
        std::size_t named = parameters.begin.size();
        for (std::size_t i = at + 1; i < entries; ++i)
            named += hasBit(m_newAxis, i) ? 0 : 1;
        while (named++ < m_dims.size())
            addWhole();
    }

    void add(std::size_t entry, std::int64_t begin, std::int64_t end, std::int64_t step)
    {
        const std::int64_t size = sizeHere();
        const bool isForward = step > 0;
        const auto inside = [&](std::int64_t bound) {
            bound += bound < 0 ? size : 0;
            return isForward ? std::clamp<std::int64_t>(bound, 0, size)
                             : std::clamp<std::int64_t>(bound, -1, size - 1);
        };
        const bool isShrunk = hasBit(m_shrink, entry);
        std::int64_t first =
            hasBit(m_beginMask, entry) && !isShrunk ? (isForward ? 0 : size - 1) : inside(begin);
        std::int64_t last =
            hasBit(m_endMask, entry) && !isShrunk ? (isForward ? size : -1) : inside(end);
        if (isShrunk) {
            first = begin < 0 ? begin + size : begin;
            last = first + 1;
            step = 1;
        }
        parameters.begin.push_back(first);
        parameters.end.push_back(last);
        parameters.step.push_back(step);
        parameters.shrink.push_back(isShrunk);
    }

    Ints m_dims;
    std::int64_t m_beginMask;
    std::int64_t m_endMask;
    std::int64_t m_ellipsis;
    std::int64_t m_newAxis;
    std::int64_t m_shrink;
};

// Returns whether the node takes x[i] with a computed i, as loops read their inputs.
bool takesOneRow(LowerNode& n)
{
    const Ints one{1};
    return !n.isConstant(1) && n.dims(1) == one && n.rank(0) > 0 &&
           n.intAttr("shrink_axis_mask", 0) == 1 && n.intAttr("begin_mask", 0) == 0 &&
           n.intAttr("new_axis_mask", 0) == 0 && n.intAttr("ellipsis_mask", 0) == 0;
}

Status takeRow(LowerNode& n)
{
    const TensorIndex place = n.between("place", n.tensor(n.input(1)).dtype, {});
    n.emit(Kind::Reshape, {n.input(1)}, {place});
    n.emit(Kind::Gather, {n.input(0), place});
    n.note(std::string(n.node().name()) +
           " takes a row with a computed index; TFLite does not support negative indices, which "
           "count from the end");
    return Done{};
}

Status stridedSlice(LowerNode& n)
{
    if (takesOneRow(n))
        return takeRow(n);
    ASSIGN_OR_RETURN(const Ints begin, n.ints(1, "begin"));
    ASSIGN_OR_RETURN(const Ints end, n.ints(2, "end"));
    ASSIGN_OR_RETURN(const Ints step, n.ints(3, "step"));
    if (begin.size() != end.size() || begin.size() != step.size())
        return Error{ErrorCode::Unsupported, "its begin, end and step differ in length"};
    const Ints dims = n.dims(0);
    SliceBounds bounds(n, dims);
    RETURN_IF_ERROR(bounds.read(begin, end, step));
    PortableParameters& p = bounds.parameters;
    if (!bounds.hasNewAxis) {
        n.emit(Kind::StridedSlice, {n.input(0)}).parameters = std::move(p);
        return Done{};
    }
    Ints sliced;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
        const std::int64_t way = p.end[axis] - p.begin[axis];
        const std::int64_t one = p.step[axis];
        sliced.push_back(dims[axis] < 0
                             ? -1
                             : std::max<std::int64_t>((way + one + (one > 0 ? -1 : 1)) / one, 0));
        p.shrink[axis] = false;
    }
    const TensorIndex part = n.between("part", n.outputType(), sliced);
    n.emit(Kind::StridedSlice, {n.input(0)}, {part}).parameters = std::move(p);
    n.emit(Kind::Reshape, {part});
    return Done{};
}

Status batchSpace(LowerNode& n, Kind kind)
{
    ASSIGN_OR_RETURN(Ints block, n.ints(1, "block"));
    ASSIGN_OR_RETURN(const Ints sizes, n.ints(2, "list of paddings"));
    PortableOperation& op = n.emit(kind, {n.input(0)});
    op.parameters.sizes = std::move(block);
    for (std::size_t i = 0; i + 1 < sizes.size(); i += 2) {
        op.parameters.before.push_back(sizes[i]);
        op.parameters.after.push_back(sizes[i + 1]);
    }
    return Done{};
}

Status spaceToBatch(LowerNode& n)
{
    return batchSpace(n, Kind::SpaceToBatch);
}

Status batchToSpace(LowerNode& n)
{
    return batchSpace(n, Kind::BatchToSpace);
}

Status depthSpace(LowerNode& n, Kind kind)
{
    if (n.textAttr("data_format", "NHWC") != "NHWC")
        return Error{ErrorCode::Unsupported, "it works on channels-first pictures"};
    const std::int64_t block = n.intAttr("block_size", 2);
    n.emit(kind, {n.input(0)}).parameters.window = {block, block};
    return Done{};
}

Status spaceToDepth(LowerNode& n)
{
    return depthSpace(n, Kind::SpaceToDepth);
}

Status depthToSpace(LowerNode& n)
{
    return depthSpace(n, Kind::DepthToSpace);
}

Status reverse(LowerNode& n)
{
    ASSIGN_OR_RETURN(Ints axes, n.ints(1, "list of axes"));
    for (std::int64_t& axis : axes)
        axis = countFromFront(axis, n.rank(0));
    if (axes.empty()) {
        n.alias(0, n.input(0));
        return Done{};
    }
    // TFLite reverses one axis at a time.
    TensorIndex x = n.input(0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const TensorIndex made = i + 1 == axes.size()
                                     ? n.output()
                                     : n.between("reversed", n.outputType(), n.outputDims());
        n.emit(Kind::Reverse, {x}, {made}).parameters.axes = {axes[i]};
        x = made;
    }
    return Done{};
}

Status reverseSequence(LowerNode& n)
{
    const std::int64_t axis = n.intAttr("seq_dim", 0);
    const std::int64_t batch = n.intAttr("batch_dim", 0);
    if (n.target() == ExportTarget::Onnx && axis + batch != 1)
        return Error{ErrorCode::Unsupported,
                     "ONNX reverses sequences along axis 0 or 1, with the batch on the other one"};
    PortableOperation& op = n.emit(Kind::ReverseSequence, {n.input(0), n.input(1)});
    op.parameters.axis = axis;
    op.parameters.batchAxes = batch;
    return Done{};
}

constexpr std::string_view constantSizes = "constant sizes";

constexpr std::array shapeRows{
    LowerRow{"BatchToSpaceND", batchToSpace, "BatchToSpace", constantSizes},
    LowerRow{"BroadcastTo", broadcastTo, "Reshape, Tile", constantSizes},
    forAnySize({"Concat", concat, "Concat", "constant axis"}),
    forAnySize({"ConcatV2", concatV2, "Concat", "constant axis"}),
    LowerRow{"DepthToSpace", depthToSpace, "DepthToSpace", "channels last"},
    forAnySize({"ExpandDims", reshape, "Reshape"}),
    forAnySize({"Fill", fill, "Reshape, Tile; Fill"}),
    LowerRow{"MirrorPad", mirrorPad, "MirrorPad", constantSizes},
    forAnySize({"Pack", pack, "Pack"}),
    LowerRow{"Pad", pad, "Pad", constantSizes},
    LowerRow{"PadV2", padV2, "Pad", constantSizes},
    forAnySize({"Reshape", reshape, "Reshape", "sizes that follow from those of the inputs"}),
    LowerRow{"ReverseSequence", reverseSequence, "ReverseSequence", "ONNX: axes 0 and 1"},
    LowerRow{"ReverseV2", reverse, "Reverse", "constant axes"},
    LowerRow{"Slice", slice, "StridedSlice", "constant bounds"},
    LowerRow{"SpaceToBatchND", spaceToBatch, "SpaceToBatch", constantSizes},
    LowerRow{"SpaceToDepth", spaceToDepth, "SpaceToDepth", "channels last"},
    LowerRow{"Split", split, "Split", "constant axis"},
    LowerRow{"SplitV", splitV, "Split", "constant axis and sizes"},
    forAnySize({"Squeeze", reshape, "Reshape"}),
    forAnySize(
        {"StridedSlice", stridedSlice, "StridedSlice, Gather", "constant bounds, or one row"}),
    LowerRow{"Tile", tile, "Tile", constantSizes},
    forAnySize({"Transpose", transpose, "Transpose", "constant order"}),
    LowerRow{"Unpack", unpack, "Unpack"},
};

} // namespace

std::span<const LowerRow> lowerShapeRows()
{
    return shapeRows;
}

} // namespace lapidary
