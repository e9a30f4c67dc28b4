// SPDX-License-Identifier: Apache-2.0
// DynamicStitch, ParallelDynamicStitch: puts each row of several tensors at its index. The last row
// with an index replaces the others; rows that no index names are zero. Returns the shape of one
// row: the axes of data[i] after those of indices[i].
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

Result<Dims> rowDims(const KernelContext& context, std::size_t i)
{
    const Dims& indices = context.input(i).dims();
    const Dims& data = context.input(context.inputCount() / 2 + i).dims();
    if (data.size() < indices.size() || !std::equal(indices.begin(), indices.end(), data.begin()))
        return context.error("the shape of data[" + std::to_string(i) + "], " + dimsText(data) +
                             ", must begin with that of its indices, " + dimsText(indices));
    return Dims(data.begin() + std::ptrdiff_t(indices.size()), data.end());
}

Status runDynamicStitch(KernelContext& context)
{
    const std::size_t count = context.inputCount() / 2;
    ASSIGN_OR_RETURN(const auto row, rowDims(context, 0));
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < count; ++i) {
        ASSIGN_OR_RETURN(const auto other, rowDims(context, i));
        if (other != row)
            return context.error("the rows of data[0], " + dimsText(row) + ", and data[" +
                                 std::to_string(i) + "], " + dimsText(other) +
                                 ", must have one shape");
        for (const std::int32_t index : context.input(i).as<std::int32_t>()) {
            if (index < 0)
                return context.error("an index must not be negative: " + std::to_string(index));
            rows = std::max(rows, std::int64_t(index) + 1);
        }
    }
    Dims dims{rows};
    dims.insert(dims.end(), row.begin(), row.end());
    auto output = context.makeOutput(0, context.input(count).dtype(), std::move(dims));
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    RETURN_IF_ERROR(fillWithZeros(context, output.value()));
    const std::int64_t size = output.value().elements() / rows;
    dispatchBySize(output.value().dtype(), [&](auto zero) {
        using T = decltype(zero);
        for (std::size_t i = 0; i < count; ++i) {
            const T* from = readElements<T>(context.input(count + i)).data();
            for (const std::int32_t index : context.input(i).as<std::int32_t>()) {
                std::copy_n(from, size, writeElements<T>(output.value()).data() + index * size);
                from += size;
            }
        }
    });
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(DynamicStitch, runDynamicStitch);
LAPIDARY_KERNEL(ParallelDynamicStitch, runDynamicStitch);

} // namespace lapidary
