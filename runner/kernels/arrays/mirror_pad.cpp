// MirrorPad: the input and, around it, its mirror image: with its edge (SYMMETRIC) or without it
// (REFLECT).
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/pieces.h"

#include <algorithm>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    constexpr int mostAxes = 5; // as TensorFlow
    const Value& input = context.input(0);
    if (input.rank() > mostAxes)
        return context.error("pads at most 5 axes, but the shape is " + dimsText(input.dims()));
    const auto pads = sizePairs(context, 1, "paddings", input.rank());
    if (!pads)
        return pads.error();
    const std::int64_t edge = context.stringAttr("mode") == "REFLECT" ? 1 : 0;
    std::vector<std::vector<AxisPiece>> pieces;
    Dims dims;
    for (std::size_t i = 0; i < input.dims().size(); ++i) {
        const std::int64_t size = input.dims()[i];
        const std::int64_t before = pads.value()[2 * i];
        const std::int64_t after = pads.value()[2 * i + 1];
        if (before > size - edge || after > size - edge)
            return context.error("axis " + std::to_string(i) + " of " + dimsText(input.dims()) +
                                 " can be padded by at most " +
                                 std::to_string(std::max<std::int64_t>(0, size - edge)));
        std::vector<AxisPiece> axis{{.from = 0, .to = before, .size = size}};
        if (before > 0)
            axis.push_back({.from = before - 1 + edge, .to = 0, .size = before, .step = -1});
        if (after > 0)
            axis.push_back(
                {.from = size - 1 - edge, .to = before + size, .size = after, .step = -1});
        pieces.push_back(std::move(axis));
        dims.push_back(cappedSum(size, cappedSum(before, after)));
    }
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    return copyPieces(context, input, output.value(), pieces);
}

} // namespace

const Kernel kernels::mirrorPad{.op = "MirrorPad", .run = run};

} // namespace lapidary
