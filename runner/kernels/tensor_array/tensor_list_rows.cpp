// SPDX-License-Identifier: Apache-2.0
// TensorListScatter, V2, IntoExistingList: rows of a tensor as elements at indices.
// TensorListSplit: consecutive rows as one element each; TensorListConcat, V2: back again.
// TensorListConcatLists: one list after the other.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/tensor_array/tensor_list.h"

#include <algorithm>

namespace lapidary {
namespace {

// Sets elements of `list`, which grows if an index is beyond its end, at least to `least`.
Status scatterRowsInto(KernelContext& context, TensorList& list, std::size_t tensorInput,
                       std::int64_t least)
{
    const Value& tensor = context.input(tensorInput);
    const Value& indices = context.input(tensorInput == 0 ? 1 : 2);
    if (!indices.isVector() || tensor.isScalar() || tensor.dim(0) != indices.dim(0))
        return context.error("needs one row for each index, but tensor has the shape " +
                             dimsText(tensor.dims()) + " and indices " + dimsText(indices.dims()));
    std::int64_t size = std::max(least, std::int64_t(list.elements.size()));
    const std::vector<std::int64_t> places = indices.integers();
    for (const std::int64_t index : places) {
        if (index < 0)
            return context.error("indices must not be negative, but one is " +
                                 std::to_string(index));
        size = std::max(size, index + 1);
    }
    RETURN_IF_ERROR(checkListCount(context, size));
    list.elements.resize(std::size_t(size));
    const Dims dims(tensor.dims().begin() + 1, tensor.dims().end());
    for (std::int64_t i = 0; i < tensor.dim(0); ++i) {
        stopIfAsked();
        ASSIGN_OR_RETURN(const auto row, copyRows(context, tensor, i, 1, dims));
        RETURN_IF_ERROR(checkListItem(context, list, row));
        putListItem(list, std::size_t(places[std::size_t(i)]), row);
    }
    return Done{};
}

// `count`: number of elements; -1: as many as the indices need.
Status scatterIntoNew(KernelContext& context, std::int64_t count)
{
    ASSIGN_OR_RETURN(const auto shape, elementShapeInput(context, 2));
    auto list = std::make_shared<TensorList>();
    list->dtype = context.input(0).dtype();
    list->elementShape = shape;
    RETURN_IF_ERROR(scatterRowsInto(context, *list, 0, std::max<std::int64_t>(count, 0)));
    if (count >= 0 && std::int64_t(list->elements.size()) > count)
        return context.error("an index is beyond the " + std::to_string(count) +
                             " elements of num_elements");
    return giveList(context, 0, std::move(list));
}

Status runListScatter(KernelContext& context)
{
    return scatterIntoNew(context, -1);
}

Status runListScatterV2(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto count, scalarIndex(context, 3, "num_elements"));
    if (count < -1)
        return context.error("num_elements must be -1 or a number of elements, but it is " +
                             std::to_string(count));
    return scatterIntoNew(context, count);
}

Status runListScatterInto(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto list, listInput(context, "element_dtype"));
    auto copy = copyOfList(*list);
    RETURN_IF_ERROR(scatterRowsInto(context, *copy, 1, 0));
    return giveList(context, 0, std::move(copy));
}

Status checkLengthsOfRows(const KernelContext& context)
{
    const Value& tensor = context.input(0);
    const Value& lengths = context.input(2);
    if (tensor.isScalar() || !lengths.isVector())
        return context.error("needs rows and a vector of lengths, but tensor has the shape " +
                             dimsText(tensor.dims()) + " and lengths " + dimsText(lengths.dims()));
    std::int64_t sum = 0;
    for (const std::int64_t length : lengths.integers()) {
        if (length < 0)
            return context.error("lengths must not be negative, but one is " +
                                 std::to_string(length));
        sum = cappedSum(sum, length);
    }
    if (sum != tensor.dim(0))
        return context.error("lengths add up to " + std::to_string(sum) + ", but tensor has " +
                             std::to_string(tensor.dim(0)) + " rows");
    return checkListCount(context, lengths.elements());
}

Status runListSplit(KernelContext& context)
{
    RETURN_IF_ERROR(checkLengthsOfRows(context));
    ASSIGN_OR_RETURN(const auto shape, elementShapeInput(context, 1));
    auto list = std::make_shared<TensorList>();
    list->dtype = context.input(0).dtype();
    list->elementShape = shape;
    std::int64_t begin = 0;
    for (const std::int64_t length : context.input(2).integers()) {
        stopIfAsked();
        Dims dims = context.input(0).dims();
        dims[0] = length;
        ASSIGN_OR_RETURN(const auto rows, copyRows(context, context.input(0), begin, length, dims));
        RETURN_IF_ERROR(checkListItem(context, *list, rows));
        list->elements.emplace_back();
        putListItem(*list, list->elements.size() - 1, rows);
        begin += length;
    }
    return giveList(context, 0, std::move(list));
}

// Returns the shape with an open first axis, whose size may differ between elements.
Shape withOpenRows(const Shape& shape)
{
    Shape open = shape;
    if (!open.unknownRank && !open.dims.empty())
        open.dims[0] = -1;
    return open;
}

// Returns the element, or if it was never set zeros, with as many rows as leading_dims or the shape
// say.
Result<Value> concatenatedElement(KernelContext& context, const TensorList& list, std::size_t i,
                                  const Shape& wanted)
{
    if (list.elements[i].isSet())
        return listElement(context, list, std::int64_t(i), withOpenRows(wanted));
    Shape shape = wanted;
    for (const Value& other : list.elements)
        if (shape.unknownRank && other.isSet())
            shape = withOpenRows({other.dims(), false});
    const auto rows =
        context.inputCount() > 2 ? context.input(2).integers() : std::vector<std::int64_t>();
    if (!shape.unknownRank && !shape.dims.empty() && i < rows.size())
        shape.dims[0] = rows[i];
    if (!isFullyDefined(shape))
        return context.error("element " + std::to_string(i) +
                             " was never set, and its shape is not known");
    return zerosOf(context, list.dtype, shape.dims);
}

Status concatenate(KernelContext& context, const TensorList& list, const Shape& wanted)
{
    std::vector<Value> values;
    Dims dims(wanted.dims);
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < list.elements.size(); ++i) {
        stopIfAsked();
        ASSIGN_OR_RETURN(auto value, concatenatedElement(context, list, i, wanted));
        if (value.isScalar())
            return context.error("element " + std::to_string(i) +
                                 " is a scalar, which has no rows");
        if (i == 0)
            dims = value.dims();
        if (!std::equal(dims.begin() + 1, dims.end(), value.dims().begin() + 1, value.dims().end()))
            return context.error("elements of shapes " + dimsText(dims) + " and " +
                                 dimsText(value.dims()) + " cannot be concatenated");
        rows = cappedSum(rows, value.dim(0));
        values.push_back(std::move(value));
    }
    if (dims.empty() || std::any_of(dims.begin() + 1, dims.end(), [](auto d) { return d < 0; }))
        return context.error("the list is empty, and the shape of its elements is not known");
    ASSIGN_OR_RETURN(auto lengths,
                     context.makeOutput(1, DType::Int64, {std::int64_t(values.size())}));
    std::ranges::transform(values, lengths.mutableAs<std::int64_t>().begin(),
                           [](const Value& value) { return value.dim(0); });
    dims[0] = rows;
    return joinValues(context, 0, list.dtype, dims, values);
}

Status runListConcat(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto list, listInput(context, "element_dtype"));
    Shape wanted = context.attr("element_shape").asShape().value_or(Shape{.unknownRank = true});
    if (context.inputCount() > 1) {
        ASSIGN_OR_RETURN(wanted, elementShapeInput(context, 1));
    }
    if (!wanted.unknownRank && wanted.dims.empty())
        return context.error("the elements must have at least one axis, but their shape is []");
    return concatenate(context, *list, wanted);
}

Status runListConcatLists(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto first, listInput(context, "element_dtype"));
    const auto second = context.input(1).resource<TensorList>();
    if (!second || second->dtype != first->dtype)
        return context.error("its input 1 is not a list of " + dtypeName(first->dtype));
    RETURN_IF_ERROR(
        checkListCount(context, std::int64_t(first->elements.size() + second->elements.size())));
    auto joined = copyOfList(*first);
    joined->elements.insert(joined->elements.end(), second->elements.begin(),
                            second->elements.end());
    joined->depth = std::max(first->depth, second->depth);
    return giveList(context, 0, std::move(joined));
}

} // namespace

LAPIDARY_KERNEL(TensorListConcat, runListConcat);
LAPIDARY_KERNEL(TensorListConcatLists, runListConcatLists);
LAPIDARY_KERNEL(TensorListConcatV2, runListConcat);
LAPIDARY_KERNEL(TensorListScatter, runListScatter);
LAPIDARY_KERNEL(TensorListScatterIntoExistingList, runListScatterInto);
LAPIDARY_KERNEL(TensorListScatterV2, runListScatterV2);
LAPIDARY_KERNEL(TensorListSplit, runListSplit);

} // namespace lapidary
