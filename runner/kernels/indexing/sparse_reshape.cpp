// SparseReshape: the indices of a sparse tensor under another shape; one size may be -1.
// new_shape, with the size that -1 stands for.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/indexing/kernels.h"

namespace lapidary {
namespace {

Result<Dims> targetDims(const KernelContext& context, std::int64_t elements)
{
    auto shape = integerVector(context, 2, "new_shape");
    if (!shape)
        return shape.error();
    Dims dims = std::move(shape).value();
    std::int64_t* unknown = nullptr;
    std::int64_t known = 1;
    for (std::int64_t& size : dims) {
        if (size < -1 || (size == -1 && unknown != nullptr))
            return context.error("one size of new_shape may be -1, the others must not be "
                                 "negative: " +
                                 std::to_string(size));
        if (size == -1)
            unknown = &size;
        else
            known = cappedProduct(known, size);
    }
    const bool fits = unknown == nullptr ? known == elements : known > 0 && elements % known == 0;
    if (!fits)
        return context.error("a tensor of " + std::to_string(elements) +
                             " elements cannot be reshaped to " + dimsText(dims));
    if (unknown != nullptr)
        *unknown = elements / known;
    return dims;
}

// The flat place of an index in `from` as an index in `to`.
Status moveIndex(const KernelContext& context, const std::int64_t* index, const Dims& from,
                 const Dims& to, std::int64_t* moved)
{
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (index[i] < 0 || index[i] >= from[i])
            return context.error("index " + std::to_string(index[i]) + " is outside of the shape " +
                                 dimsText(from));
        flat = flat * from[i] + index[i];
    }
    for (std::size_t i = to.size(); i-- > 0; flat /= to[i])
        moved[i] = flat % to[i];
    return Done{};
}

Status run(KernelContext& context)
{
    const Value& indices = context.input(0);
    const auto shape = integerVector(context, 1, "input_shape");
    if (!shape)
        return shape.error();
    const Dims& from = shape.value();
    if (indices.rank() != 2 || indices.dim(1) != std::int64_t(from.size()))
        return context.error("input_indices must have one column for each of the " +
                             std::to_string(from.size()) + " axes, but their shape is " +
                             dimsText(indices.dims()));
    for (const std::int64_t size : from)
        if (size < 0)
            return context.error("input_shape must not be negative: " + std::to_string(size));
    const auto dims = targetDims(context, sizeOfAxes(from, 0, from.size()));
    if (!dims)
        return dims.error();
    const Dims& to = dims.value();
    const auto columns = std::int64_t(to.size());
    auto moved = context.makeOutput(0, DType::Int64, {indices.dim(0), columns});
    if (!moved)
        return moved.error();
    const std::int64_t* index = indices.as<std::int64_t>().data();
    std::int64_t* target = moved.value().mutableAs<std::int64_t>().data();
    for (std::int64_t i = 0; i < indices.dim(0); ++i, index += from.size(), target += columns)
        if (const Status status = moveIndex(context, index, from, to, target); !status)
            return status;
    auto newShape = context.makeOutput(1, DType::Int64, {columns});
    if (!newShape)
        return newShape.error();
    std::copy(to.begin(), to.end(), newShape.value().mutableAs<std::int64_t>().begin());
    return Done{};
}

} // namespace

const Kernel kernels::sparseReshape{.op = "SparseReshape", .run = run};

} // namespace lapidary
