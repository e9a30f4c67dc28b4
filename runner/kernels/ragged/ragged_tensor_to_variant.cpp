// SPDX-License-Identifier: Apache-2.0
// RaggedTensorToVariant: a ragged tensor as a variant, or each of its rows as one.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/ragged/encoded_ragged.h"
#include "runner/kernels/ragged/row_splits.h"

#include <algorithm>

namespace lapidary {
namespace {

Result<Value> integersOf(KernelContext& context, DType dtype, std::span<const std::int64_t> numbers)
{
    ASSIGN_OR_RETURN(auto made, context.allocate(dtype, {std::int64_t(numbers.size())}));
    if (dtype == DType::Int32)
        std::ranges::transform(numbers, made.mutableAs<std::int32_t>().begin(),
                               [](std::int64_t number) { return std::int32_t(number); });
    else
        std::ranges::copy(numbers, made.mutableAs<std::int64_t>().begin());
    return made;
}

Result<Value> rowsOf(KernelContext& context, const Value& values, std::int64_t begin,
                     std::int64_t end)
{
    Dims dims = values.dims();
    const std::int64_t each = sizeOfAxes(dims, 1, dims.size());
    dims[0] = end - begin;
    ASSIGN_OR_RETURN(auto made, context.allocate(values.dtype(), std::move(dims)));
    const bool known = dispatchBySize(values.dtype(), [&](auto zero) {
        using T = decltype(zero);
        std::ranges::copy(readElements<T>(values).subspan(std::size_t(begin * each),
                                                          std::size_t((end - begin) * each)),
                          writeElements<T>(made).begin());
    });
    return known ? Result<Value>(std::move(made))
                 : context.error("cannot move " + dtypeName(values.dtype()));
}

// One row of the outermost axis, as a ragged tensor of one axis less.
Result<ResourcePtr> rowAsRagged(KernelContext& context, const std::vector<RowSplits>& splits,
                                const Value& values, std::size_t row)
{
    auto ragged = std::make_shared<EncodedRagged>();
    std::int64_t begin = splits[0][row];
    std::int64_t end = splits[0][row + 1];
    for (std::size_t level = 1; level < splits.size(); ++level) {
        const RowSplits& of = splits[level];
        RowSplits own;
        for (std::int64_t i = begin; i <= end; ++i) {
            stopPoint();
            own.push_back(of[std::size_t(i)] - of[std::size_t(begin)]);
        }
        ASSIGN_OR_RETURN(auto made, integersOf(context, context.input(level).dtype(), own));
        ragged->splits.push_back(std::move(made));
        begin = of[std::size_t(begin)];
        end = of[std::size_t(end)];
    }
    ASSIGN_OR_RETURN(ragged->values, rowsOf(context, values, begin, end));
    return ResourcePtr(std::move(ragged));
}

Status runToVariant(KernelContext& context)
{
    const std::size_t levels = context.inputCount() - 1;
    const Value& values = context.input(levels);
    if (levels == 0 || values.isScalar())
        return context.error("needs splits and values of at least one axis");
    ASSIGN_OR_RETURN(const auto splits, rowSplits(context, 0, levels, values.dim(0)));
    if (!context.boolAttr("batched_input")) {
        auto ragged = std::make_shared<EncodedRagged>();
        for (std::size_t i = 0; i < levels; ++i)
            ragged->splits.push_back(context.input(i));
        ragged->values = values;
        return context.setOutput(0, Value::ofResource(DType::Variant, std::move(ragged)));
    }
    const auto rows = std::int64_t(splits[0].size()) - 1;
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Variant, {rows}));
    for (std::size_t row = 0; row < std::size_t(rows); ++row) {
        stopIfAsked();
        ASSIGN_OR_RETURN(made.mutableVariants()[row], rowAsRagged(context, splits, values, row));
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(RaggedTensorToVariant, runToVariant);

} // namespace lapidary
