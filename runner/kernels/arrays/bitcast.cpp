// Bitcast: the same bytes as another type. A larger one takes up the last axis, a smaller one adds
// an axis. The data is shared.
#include "runner/kernels/arrays/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& input = context.input(0);
    const DType dtype = context.typeAttr("type");
    const auto from = std::int64_t(dtypeSize(input.dtype()));
    const auto to = std::int64_t(dtypeSize(dtype));
    if (from == 0 || to == 0)
        return context.error("cannot bitcast " + dtypeName(input.dtype()) + " to " +
                             dtypeName(dtype));
    Dims dims = input.dims();
    if (from > to) {
        dims.push_back(from / to);
    } else if (from < to) {
        if (dims.empty() || dims.back() != to / from)
            return context.error("the last axis of " + dimsText(dims) + " must have the size " +
                                 std::to_string(to / from));
        dims.pop_back();
    }
    return context.setOutput(0, input.reinterpreted(dtype, std::move(dims)));
}

} // namespace

const Kernel kernels::bitcast{.op = "Bitcast", .run = run};

} // namespace lapidary
