// SPDX-License-Identifier: Apache-2.0
// SparseToDense: values at index tuples, default_value elsewhere. validate_indices requires indices
// in order and without repetition. Indices that are a scalar or a vector are treated as a matrix
// [count, rank].
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/indexing/slice_numbers.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Result<Value> indexMatrix(const KernelContext& context)
{
    const Value& indices = context.input(0);
    if (indices.rank() > 2)
        return context.error("sparse_indices must have at most 2 axes, but their shape is " +
                             dimsText(indices.dims()));
    return indices.rank() == 2 ? indices : indices.reshaped({indices.elements(), 1});
}

Status checkOrder(const KernelContext& context, const std::vector<std::int64_t>& places)
{
    if (!context.boolAttr("validate_indices", true))
        return Done{};
    for (std::size_t i = 1; i < places.size(); ++i)
        if (places[i] <= places[i - 1])
            return context.error("index number " + std::to_string(i) +
                                 " is out of order or repeated");
    return Done{};
}

Status runSparseToDense(KernelContext& context)
{
    const auto indices = indexMatrix(context);
    const auto shape = integerVector(context, 1, "output_shape");
    if (!indices || !shape)
        return indices ? shape.error() : indices.error();
    const Value& values = context.input(2);
    const std::int64_t count = indices.value().dim(0);
    if (indices.value().dim(1) != std::int64_t(shape.value().size()))
        return context.error("output_shape must have " + std::to_string(indices.value().dim(1)) +
                             " sizes, not " + std::to_string(shape.value().size()));
    if (!values.isScalar() && values.dims() != Dims{count})
        return context.error("sparse_values must have the shape [] or " + dimsText({count}) +
                             ", not " + dimsText(values.dims()));
    if (!context.input(3).isScalar())
        return context.error("default_value must be a scalar, but its shape is " +
                             dimsText(context.input(3).dims()));
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, values.dtype(), shape.value()));
    ASSIGN_OR_RETURN(const auto places, readSliceNumbers(context, indices.value(), shape.value()));
    RETURN_IF_ERROR(checkOrder(context, places.numbers));
    RETURN_IF_ERROR(fillWith(context, output, context.input(3)));
    dispatchBySize(values.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* from = readElements<T>(values).data();
        for (const std::int64_t place : places.numbers) {
            writeElements<T>(output)[place] = *from;
            from += values.isScalar() ? 0 : 1;
        }
    });
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(SparseToDense, runSparseToDense);

} // namespace lapidary
