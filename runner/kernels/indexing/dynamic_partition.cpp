// SPDX-License-Identifier: Apache-2.0
// DynamicPartition: the rows of `data`, each to the output that `partitions` names.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

template <class T>
void distribute(const Value& data, std::span<const std::int32_t> partitions, std::int64_t row,
                std::vector<Value>& outputs)
{
    std::vector<T*> next;
    for (Value& output : outputs)
        next.push_back(writeElements<T>(output).data());
    const T* from = readElements<T>(data).data();
    for (const std::int32_t partition : partitions) {
        T*& to = next[std::size_t(partition)];
        to = std::copy_n(from, row, to);
        from += row;
    }
}

Status runDynamicPartition(KernelContext& context)
{
    const Value& data = context.input(0);
    const Value& partitions = context.input(1);
    const std::size_t outer = partitions.dims().size();
    if (data.dims().size() < outer ||
        !std::equal(partitions.dims().begin(), partitions.dims().end(), data.dims().begin()))
        return context.error("the shape of data, " + dimsText(data.dims()) +
                             ", must begin with that of partitions, " +
                             dimsText(partitions.dims()));
    const auto count = std::int64_t(context.outputCount());
    std::vector<std::int64_t> rows(context.outputCount());
    for (const std::int32_t partition : partitions.as<std::int32_t>()) {
        if (partition < 0 || partition >= count)
            return context.error("partition " + std::to_string(partition) + " is not in [0, " +
                                 std::to_string(count) + ")");
        ++rows[std::size_t(partition)];
    }
    std::vector<Value> outputs;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Dims dims{rows[i]};
        dims.insert(dims.end(), data.dims().begin() + std::ptrdiff_t(outer), data.dims().end());
        ASSIGN_OR_RETURN(auto output, context.makeOutput(i, data.dtype(), std::move(dims)));
        outputs.push_back(std::move(output));
    }
    if (data.elements() == 0)
        return Done{};
    const std::int64_t row = sizeOfAxes(data.dims(), outer, data.dims().size());
    const bool known = dispatchBySize(data.dtype(), [&](auto zero) {
        distribute<decltype(zero)>(data, partitions.as<std::int32_t>(), row, outputs);
    });
    return known ? Status(Done{}) : Status(context.error("cannot move " + dtypeName(data.dtype())));
}

} // namespace

LAPIDARY_KERNEL(DynamicPartition, runDynamicPartition);

} // namespace lapidary
