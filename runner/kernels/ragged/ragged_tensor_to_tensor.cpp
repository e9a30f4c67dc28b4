// SPDX-License-Identifier: Apache-2.0
// RaggedTensorToTensor: a ragged tensor as a dense one; rows that are too short are filled with
// default_value, and values beyond the shape are left out. Each ragged axis is given by its splits
// or by the row of each value.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

enum class Partition : std::uint8_t { Splits, Rows };

struct RaggedAxis {
    Partition partition = Partition::Splits;
    std::vector<std::int64_t> numbers;
    std::string name; // of its input, for errors
};

struct RaggedTensor {
    std::int64_t rows = 0;
    std::vector<RaggedAxis> axes;
    Dims shape; // of the result
};

Result<std::vector<std::string>> partitionTypes(const KernelContext& context)
{
    std::vector<std::string> types;
    for (const std::string_view type : context.attr("row_partition_types").strings())
        types.emplace_back(type);
    if (types.empty() || types.size() + 3 != context.inputCount())
        return context.error("row_partition_types must name one type for each of " +
                             std::to_string(context.inputCount() - 3) + " row partitions");
    return types;
}

Status readAxes(const KernelContext& context, RaggedTensor& tensor)
{
    ASSIGN_OR_RETURN(const auto types, partitionTypes(context));
    for (std::size_t i = 0; i < types.size(); ++i) {
        const std::string name = "row_partition_tensors[" + std::to_string(i) + "]";
        if (types[i] == "FIRST_DIM_SIZE" && i == 0) {
            ASSIGN_OR_RETURN(tensor.rows, integerScalar(context, 3, name));
            continue;
        }
        if (types[i] != "ROW_SPLITS" && (types[i] != "VALUE_ROWIDS" || i == 0))
            return context.error("row_partition_types[" + std::to_string(i) + "] cannot be " +
                                 types[i]);
        ASSIGN_OR_RETURN(auto numbers, integerVector(context, 3 + i, name));
        const auto partition = types[i] == "ROW_SPLITS" ? Partition::Splits : Partition::Rows;
        if (partition == Partition::Splits && (numbers.empty() || numbers[0] != 0))
            return context.error(name + " must be splits that begin with 0");
        if (!std::ranges::is_sorted(numbers) || (!numbers.empty() && numbers[0] < 0))
            return context.error(name + " must not be negative or descend");
        if (i == 0)
            tensor.rows = std::int64_t(numbers.size()) - 1;
        tensor.axes.push_back({partition, std::move(numbers), name});
    }
    if (tensor.rows < 0)
        return context.error("row_partition_tensors[0] must not be negative");
    return Done{};
}

std::int64_t widestRow(const RaggedAxis& axis)
{
    const auto& numbers = axis.numbers;
    std::int64_t widest = 0;
    std::size_t start = 0;
    for (std::size_t i = 1; i <= numbers.size(); ++i) {
        if (axis.partition == Partition::Splits) {
            widest = std::max(widest, i < numbers.size() ? numbers[i] - numbers[i - 1] : 0);
        } else if (i == numbers.size() || numbers[i] != numbers[start]) {
            widest = std::max(widest, std::int64_t(i - start));
            start = i;
        }
    }
    return widest;
}

// Returns the requested shape, with -1 for open sizes; all sizes are open if `shape` is a scalar
// -1.
Result<Dims> wantedShape(const KernelContext& context, std::size_t rank)
{
    const Value& shape = context.input(0);
    const auto sizes = shape.integers();
    if (shape.isScalar() && sizes.size() == 1 && sizes[0] == -1)
        return Dims(rank, -1);
    if (!shape.isVector() || sizes.size() != rank)
        return context.error("shape must be -1 or have " + std::to_string(rank) +
                             " sizes, but its own shape is " + dimsText(shape.dims()));
    if (std::ranges::any_of(sizes, [](std::int64_t size) { return size < -1; }))
        return context.error("shape must not be below -1, but it is " + dimsText(sizes));
    return sizes;
}

Status decideShape(const KernelContext& context, RaggedTensor& tensor)
{
    const Dims& values = context.input(1).dims();
    if (values.empty())
        return context.error("values must have at least one axis");
    ASSIGN_OR_RETURN(tensor.shape, wantedShape(context, tensor.axes.size() + values.size()));
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        std::int64_t& size = tensor.shape[i];
        if (i == 0) {
            size = size < 0 ? tensor.rows : size;
        } else if (i <= tensor.axes.size()) {
            size = size < 0 ? widestRow(tensor.axes[i - 1]) : size;
        } else if (const std::int64_t own = values[i - tensor.axes.size()]; size < 0) {
            size = own;
        } else if (size != own) {
            return context.error("shape " + dimsText(tensor.shape) +
                                 " does not fit values of shape " + dimsText(values));
        }
    }
    return Done{};
}

// Returns the positions of the rows of one axis in the result, counted in elements of that axis;
// -1: left out. `places` are those of the enclosing axis.
Result<std::vector<std::int64_t>> placesWithin(const KernelContext& context, const RaggedAxis& axis,
                                               std::int64_t size,
                                               const std::vector<std::int64_t>& places)
{
    std::vector<std::int64_t> inner;
    const auto place = [&](std::int64_t row, std::int64_t at) {
        stopPoint();
        const std::int64_t outer = places[std::size_t(row)];
        inner.push_back(outer < 0 || at >= size ? -1 : outer * size + at);
    };
    const auto& numbers = axis.numbers;
    const std::int64_t rows = axis.partition == Partition::Splits
                                  ? std::int64_t(numbers.size()) - 1
                                  : (numbers.empty() ? 0 : numbers.back() + 1);
    if (rows > std::int64_t(places.size()) ||
        (axis.partition == Partition::Splits && rows < std::int64_t(places.size())))
        return context.error(axis.name + " has " + std::to_string(rows) +
                             " rows, but the axis around it " + std::to_string(places.size()));
    if (axis.partition == Partition::Splits) {
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = numbers[std::size_t(row)]; i < numbers[std::size_t(row) + 1]; ++i)
                place(row, i - numbers[std::size_t(row)]);
    } else {
        std::size_t start = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            start = numbers[i] == numbers[start] ? start : i;
            place(numbers[i], std::int64_t(i - start));
        }
    }
    return inner;
}

// Returns the position of each row of values in the result, counted in such rows; -1: left out.
Result<std::vector<std::int64_t>> placesOf(KernelContext& context, const RaggedTensor& tensor)
{
    RETURN_IF_ERROR(context.allocate(DType::Int64, {tensor.rows})); // fails if memory is short
    std::vector<std::int64_t> places(std::size_t(tensor.rows));
    for (std::size_t row = 0; row < places.size(); ++row)
        places[row] = std::int64_t(row) < tensor.shape[0] ? std::int64_t(row) : -1;
    for (std::size_t i = 0; i < tensor.axes.size(); ++i) {
        ASSIGN_OR_RETURN(places,
                         placesWithin(context, tensor.axes[i], tensor.shape[i + 1], places));
    }
    if (std::int64_t(places.size()) != context.input(1).dim(0))
        return context.error("the row partitions say " + std::to_string(places.size()) +
                             " rows of values, but there are " +
                             std::to_string(context.input(1).dim(0)));
    return places;
}

// default_value is one row of values, or can be broadcast to it.
Result<std::vector<std::size_t>> defaultElements(const KernelContext& context, const Dims& row,
                                                 std::int64_t each)
{
    const Dims& dims = context.input(2).dims();
    bool fits = dims.size() <= row.size();
    for (std::size_t i = 1; fits && i <= dims.size(); ++i)
        fits = dims[dims.size() - i] == 1 || dims[dims.size() - i] == row[row.size() - i];
    if (!fits)
        return context.error("default_value of shape " + dimsText(dims) +
                             " cannot be broadcast to rows of shape " + dimsText(row));
    std::vector<std::size_t> elements(std::size_t(each), 0);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        std::size_t rest = i;
        std::size_t stride = 1;
        for (std::size_t k = 1; k <= dims.size(); ++k) {
            const auto size = std::size_t(row[row.size() - k]);
            const auto own = std::size_t(dims[dims.size() - k]);
            elements[i] += own == 1 ? 0 : rest % size * stride;
            rest /= size;
            stride *= own;
        }
    }
    return elements;
}

template <class T>
void fillResult(const KernelContext& context, const std::vector<std::int64_t>& places,
                const std::vector<std::size_t>& defaults, std::span<T> to)
{
    const auto blank = readElements<T>(context.input(2));
    const auto values = readElements<T>(context.input(1));
    const std::size_t each = defaults.size();
    for (std::size_t i = 0; i < to.size(); ++i) {
        stopPoint();
        to[i] = blank[defaults[i % each]];
    }
    for (std::size_t row = 0; row < places.size(); ++row) {
        stopPoint();
        if (places[row] >= 0)
            std::ranges::copy(values.subspan(row * each, each),
                              to.begin() + std::ptrdiff_t(std::size_t(places[row]) * each));
    }
}

Status runToTensor(KernelContext& context)
{
    RaggedTensor tensor;
    RETURN_IF_ERROR(readAxes(context, tensor));
    RETURN_IF_ERROR(decideShape(context, tensor));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, context.input(1).dtype(), tensor.shape));
    if (made.elements() == 0)
        return Done{};
    ASSIGN_OR_RETURN(const auto places, placesOf(context, tensor));
    const Dims row(tensor.shape.begin() + std::ptrdiff_t(tensor.axes.size()) + 1,
                   tensor.shape.end());
    ASSIGN_OR_RETURN(const auto defaults,
                     defaultElements(context, row, sizeOfAxes(row, 0, row.size())));
    const bool known = dispatchBySize(made.dtype(), [&](auto zero) {
        using T = decltype(zero);
        fillResult<T>(context, places, defaults, writeElements<T>(made));
    });
    return known ? Status(Done{}) : context.error("cannot move " + dtypeName(made.dtype()));
}

} // namespace

LAPIDARY_KERNEL(RaggedTensorToTensor, runToTensor);

} // namespace lapidary
