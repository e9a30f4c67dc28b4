// SPDX-License-Identifier: Apache-2.0
// Unique, UniqueV2: the different elements (or, along an axis, slices) in the order of their first
// occurrence, and the number of each element among them. UniqueWithCounts(V2): also how often each
// occurs. The input is seen as [outer, rows, inner]; rows are compared.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/indexing/row_table.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

struct Rows {
    int axis = 0;
    std::int64_t outer = 1;
    std::int64_t count = 0;
    std::int64_t inner = 1;
};

Result<Rows> rowsOf(const KernelContext& context)
{
    const Value& input = context.input(0);
    const bool hasAxis = context.inputCount() == 2 && context.input(1).elements() > 0;
    if (!hasAxis && !input.isVector())
        return context.error("the input must be a vector, but its shape is " +
                             dimsText(input.dims()));
    if (hasAxis && (context.input(1).elements() != 1 || context.input(1).rank() > 1))
        return context.error("axis must have one element at most, but its shape is " +
                             dimsText(context.input(1).dims()));
    ASSIGN_OR_RETURN(
        const auto axis,
        resolveAxis(context, hasAxis ? context.input(1).integers().front() : 0, input.rank()));
    const auto at = std::size_t(axis);
    return Rows{axis, sizeOfAxes(input.dims(), 0, at), input.dims()[at],
                sizeOfAxes(input.dims(), at + 1, input.dims().size())};
}

struct Numbering {
    Value numbers;                       // int64, one for each row
    std::vector<std::int64_t> firstRows; // one for each number
};

template <class T>
Result<Numbering> numberRows(KernelContext& context, const T* elements, const Rows& rows)
{
    auto made = RowTable::make(context, rows.count);
    auto numbers = context.allocate(DType::Int64, {rows.count});
    if (!made || !numbers)
        return made ? numbers.error() : made.error();
    RowTable& table = made.value();
    const auto numberOf = numbers.value().mutableAs<std::int64_t>();
    constexpr std::int64_t elementsBetweenLooks = 1 << 20;
    std::int64_t sinceLook = 0;
    const auto part = [&](std::int64_t outer, std::int64_t row) {
        return elements + (outer * rows.count + row) * rows.inner;
    };
    for (std::int64_t row = 0; row < rows.count; ++row) {
        sinceLook += rows.outer * rows.inner;
        if (sinceLook > elementsBetweenLooks) {
            sinceLook = 0;
            if (context.job().cancelled())
                return cancelledError();
        }
        std::uint64_t hash = 0;
        for (std::int64_t o = 0; o < rows.outer; ++o)
            for (std::int64_t i = 0; i < rows.inner; ++i)
                hash = std::rotl(hash, 7) * 31 + rowHashOf(part(o, row)[i], row);
        const auto equal = [&](std::int64_t other) {
            for (std::int64_t o = 0; o < rows.outer; ++o)
                for (std::int64_t i = 0; i < rows.inner; ++i)
                    if (!areEqual(part(o, row)[i], part(o, other)[i]))
                        return false;
            return true;
        };
        numberOf[std::size_t(row)] = table.findOrAdd(row, hash, equal);
    }
    return Numbering{std::move(numbers).value(), table.firstRows()};
}

// Sets output 0 to the first row of each kind.
Status setRows(KernelContext& context, const Rows& rows, const std::vector<std::int64_t>& first)
{
    const Value& input = context.input(0);
    Dims dims = input.dims();
    const auto count = std::int64_t(first.size());
    dims[std::size_t(rows.axis)] = count;
    auto output = context.makeOutput(0, input.dtype(), std::move(dims));
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    dispatchBySize(input.dtype(), [&](auto zero) {
        using T = decltype(zero);
        T* to = writeElements<T>(output.value()).data();
        for (std::int64_t o = 0; o < rows.outer; ++o)
            for (const std::int64_t row : first)
                to =
                    std::copy_n(readElements<T>(input).data() + (o * rows.count + row) * rows.inner,
                                rows.inner, to);
    });
    return Done{};
}

Status runUnique(KernelContext& context)
{
    const Value& input = context.input(0);
    ASSIGN_OR_RETURN(const auto rows, rowsOf(context));
    Result<Numbering> found = context.error("cannot compare " + dtypeName(input.dtype()));
    dispatchComparable(input.dtype(), [&](auto zero) {
        found = numberRows(context, readElements<decltype(zero)>(input).data(), rows);
    });
    RETURN_IF_ERROR(found);
    const auto& [numbers, firstRows] = *found;
    RETURN_IF_ERROR(setRows(context, rows, firstRows));
    const DType dtype = context.typeAttr("out_idx", DType::Int32);
    const Status status = setIntegers(context, 1, dtype, {rows.count}, numbers.as<std::int64_t>());
    if (!status || context.outputCount() == 2)
        return status;
    std::vector<std::int64_t> counts(firstRows.size());
    for (const std::int64_t number : numbers.as<std::int64_t>())
        ++counts[std::size_t(number)];
    return setIntegers(context, 2, dtype, {std::int64_t(counts.size())}, counts);
}

} // namespace

LAPIDARY_KERNEL(Unique, runUnique);
LAPIDARY_KERNEL(UniqueV2, runUnique);
LAPIDARY_KERNEL(UniqueWithCounts, runUnique);
LAPIDARY_KERNEL(UniqueWithCountsV2, runUnique);

} // namespace lapidary
