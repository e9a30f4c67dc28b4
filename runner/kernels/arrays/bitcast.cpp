// SPDX-License-Identifier: Apache-2.0
// Bitcast: the same bytes as another type. A larger type removes the last axis, a smaller one adds
// an axis. The data is shared if its alignment allows.
#include "runner/kernels/kernel.h"

#include <cstring>

namespace lapidary {
namespace {

Status runBitcast(KernelContext& context)
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
    const auto address = reinterpret_cast<std::uintptr_t>(input.bytes().data());
    if (address % std::uintptr_t(to) == 0)
        return context.setOutput(0, input.reinterpreted(dtype, std::move(dims)));
    auto output = context.makeOutput(0, dtype, std::move(dims));
    if (output)
        std::memcpy(output->mutableAs<char>().data(), input.bytes().data(), input.byteCount());
    return output ? Status(Done{}) : Status(output.error());
}

} // namespace

LAPIDARY_KERNEL(Bitcast, runBitcast);

} // namespace lapidary
