// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/slice.h"

#include "graph_model/tensor/make_tensor.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

// The positions of a slice among the row-major elements.
struct Steps {
    std::int64_t first = 0;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t rowStep = 0;
    std::int64_t columnStep = 0;
};

Error outside(const Tensor& tensor, const std::string& what)
{
    return {ErrorCode::InvalidArgument,
            "a tensor of shape " + shapeText(tensor.shape()) + " has no " + what};
}

Result<Steps> stepsOf(const Tensor& tensor, const TensorSlice& slice)
{
    const std::vector<std::int64_t>& dims = tensor.shape().dims;
    const int rank = int(dims.size());
    if (slice.rows >= rank || slice.columns >= rank)
        return outside(tensor, "axis " + std::to_string(std::max(slice.rows, slice.columns)));
    if (slice.rows >= 0 && slice.rows == slice.columns)
        return Error{ErrorCode::InvalidArgument, "rows and columns are the same axis"};
    Steps steps;
    std::int64_t step = 1;
    for (int axis = rank - 1; axis >= 0; --axis) {
        const std::int64_t size = dims[std::size_t(axis)];
        if (axis == slice.rows) {
            steps.rows = size;
            steps.rowStep = step;
        } else if (axis == slice.columns) {
            steps.columns = size;
            steps.columnStep = step;
        } else {
            const std::int64_t at =
                std::size_t(axis) < slice.at.size() ? slice.at[std::size_t(axis)] : 0;
            if (at < 0 || at >= size)
                return outside(tensor,
                               "place " + std::to_string(at) + " on axis " + std::to_string(axis));
            steps.first += at * step;
        }
        // The product of all sizes fits, unless one of them is 0; then there is nothing to step
        // over.
        step *= tensor.elements() > 0 ? size : 1;
    }
    return steps;
}

// Calls copy(element, count) for runs of adjacent elements, in the slice's order.
template <class Copy>
Status forRuns(const Steps& steps, const Job& job, Copy copy)
{
    const bool isDense = steps.columnStep == 1;
    if (steps.columns == 0)
        return Done{};
    for (std::int64_t row = 0; row < steps.rows; ++row) {
        if (row % 256 == 0 && job.cancelled())
            return cancelledError();
        const std::int64_t begin = steps.first + row * steps.rowStep;
        if (isDense) {
            RETURN_IF_ERROR(copy(begin, steps.columns));
            continue;
        }
        for (std::int64_t column = 0; column < steps.columns; ++column)
            RETURN_IF_ERROR(copy(begin + column * steps.columnStep, std::int64_t(1)));
    }
    return Done{};
}

Result<Tensor> sliceOfStrings(const Tensor& tensor, const Steps& steps, const Shape& shape,
                              const Job& job)
{
    ASSIGN_OR_RETURN(const auto all, tensor.strings());
    std::vector<std::string> some;
    const Status copied = forRuns(steps, job, [&](std::int64_t begin, std::int64_t count) {
        for (std::int64_t i = begin; i < begin + count; ++i)
            some.push_back(all[std::size_t(i)]);
        return Status(Done{});
    });
    RETURN_IF_ERROR(copied);
    return makeStringTensor(shape, some);
}

} // namespace

TensorSlice firstSlice(const Shape& shape)
{
    const int rank = int(shape.dims.size());
    return {rank - 2, rank - 1, std::vector<std::int64_t>(shape.dims.size(), 0)};
}

Result<Tensor> sliceOf(const Tensor& tensor, const TensorSlice& slice, const Job& job)
{
    ASSIGN_OR_RETURN(const auto steps, stepsOf(tensor, slice));
    const Shape shape{{steps.rows, steps.columns}, false};
    const DType dtype = withoutReference(tensor.dtype());
    if (dtype == DType::String)
        return sliceOfStrings(tensor, steps, shape, job);
    std::string bytes;
    bytes.reserve(std::size_t(steps.rows * steps.columns) * dtypeSize(dtype));
    const auto copy = [&](std::int64_t begin, std::int64_t count) -> Status {
        ASSIGN_OR_RETURN(const auto run, tensor.bytes(begin, begin + count));
        bytes += run;
        return Done{};
    };
    const Status copied = forRuns(steps, job, copy);
    RETURN_IF_ERROR(copied);
    return makeTensor(dtype, shape, bytes);
}

} // namespace lapidary
