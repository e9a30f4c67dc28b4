// Tile: the input repeated multiples[i] times along axis i.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    const auto multiples = vectorInput(context, 1, "multiples");
    if (!multiples)
        return multiples.error();
    Dims dims = input.dims();
    if (multiples.value().size() != dims.size())
        return context.error("multiples must have " + std::to_string(dims.size()) +
                             " entries, not " + std::to_string(multiples.value().size()));
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (multiples.value()[i] < 0)
            return context.error("multiples[" + std::to_string(i) +
                                 "] must not be negative: " + std::to_string(multiples.value()[i]));
        dims[i] = cappedProduct(dims[i], multiples.value()[i]);
    }
    if (dims == input.dims())
        return context.setOutput(0, input);
    auto output = context.makeOutput(0, input.dtype(), dims);
    if (!output)
        return output.error();
    if (output.value().elements() == 0)
        return Done{};
    const Dims from = rowMajorStrides(input.dims());
    const Dims to = rowMajorStrides(dims);
    CopyPlan plan;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        plan.axes.push_back({multiples.value()[i], 0, to[i] * input.dims()[i]});
        plan.axes.push_back({input.dims()[i], from[i], to[i]});
    }
    return stridedCopy(context, input, output.value(), std::move(plan));
}

} // namespace

const Kernel kernels::tile{.op = "Tile", .run = run};

} // namespace lapidary
