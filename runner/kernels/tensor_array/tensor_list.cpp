// SPDX-License-Identifier: Apache-2.0
// TensorListReserve, FromTensor, EmptyTensorList, SetItem, GetItem, PushBack, PopBack, Length,
// Stack, Gather, Resize, ElementShape: lists of tensors as values, as in functional loops. A list
// is never changed; ops that change one give a new list that shares the elements.
#include "runner/kernels/tensor_array/tensor_list.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

constexpr int deepest = 64;

int listDepth(const Value& item)
{
    const auto inner = item.dtype() == DType::Variant ? item.resource<TensorList>()
                                                      : std::shared_ptr<TensorList>();
    return inner ? inner->depth : 0;
}

} // namespace

Result<ListPtr> listInput(const KernelContext& context, std::string_view dtypeAttr)
{
    const auto list = context.input(0).resource<TensorList>();
    if (!list)
        return context.error("its input 0 is not a list of tensors");
    if (!dtypeAttr.empty() && context.typeAttr(dtypeAttr) != list->dtype)
        return context.error("the list holds " + dtypeName(list->dtype) + ", not " +
                             dtypeName(context.typeAttr(dtypeAttr)));
    return ListPtr(list);
}

Result<Shape> elementShapeInput(const KernelContext& context, std::size_t i)
{
    const Value& value = context.input(i);
    const std::vector<std::int64_t> dims = value.integers();
    if (value.isScalar() && !dims.empty() && dims[0] == -1)
        return Shape{.unknownRank = true};
    if (!value.isVector() || std::ranges::any_of(dims, [](auto d) { return d < -1; }))
        return context.error("its element shape must be a vector of sizes or -1");
    return Shape{dims, false};
}

Status giveList(KernelContext& context, std::size_t output, std::shared_ptr<TensorList> list)
{
    auto charge = context.session().pool.allocate(list->elements.size() * sizeof(Value));
    if (!charge)
        return context.error(charge.error().message);
    list->charge = *std::move(charge);
    return context.setOutput(output, Value::ofResource(DType::Variant, std::move(list)));
}

std::shared_ptr<TensorList> copyOfList(const TensorList& list)
{
    auto copy = std::make_shared<TensorList>();
    copy->dtype = list.dtype;
    copy->elementShape = list.elementShape;
    copy->elements = list.elements;
    copy->depth = list.depth;
    return copy;
}

Status checkListCount(const KernelContext& context, std::int64_t count)
{
    if (count < 0)
        return context.error("a list cannot have " + std::to_string(count) + " elements");
    if (std::uint64_t(count) > context.session().pool.limitBytes() / sizeof(Value))
        return context.error("a list of " + std::to_string(count) +
                             " elements is larger than the memory limit");
    return Done{};
}

Result<Value> listElement(KernelContext& context, const TensorList& list, std::int64_t index,
                          const Shape& wanted)
{
    if (index < 0 || index >= std::int64_t(list.elements.size()))
        return context.error("index " + std::to_string(index) + " is outside of a list of " +
                             std::to_string(list.elements.size()));
    const Value& element = list.elements[std::size_t(index)];
    if (element.isSet()) {
        if (!fitsShape(element.dims(), wanted))
            return context.error("element " + std::to_string(index) + " has shape " +
                                 dimsText(element.dims()) + ", not " + shapeText(wanted));
        return element;
    }
    std::optional<Shape> shape = mergeShapes(list.elementShape, wanted);
    for (const Value& other : list.elements)
        if (shape && other.isSet())
            shape = mergeShapes(*shape, Shape{other.dims(), false});
    if (!shape || !isFullyDefined(*shape))
        return context.error("element " + std::to_string(index) +
                             " was never set, and its shape is not known");
    return zerosOf(context, list.dtype, shape->dims);
}

Status checkListItem(const KernelContext& context, const TensorList& list, const Value& item)
{
    if (item.dtype() != list.dtype || !fitsShape(item.dims(), list.elementShape))
        return context.error("a " + dtypeName(item.dtype()) + " " + dimsText(item.dims()) +
                             " does not fit a list of " + dtypeName(list.dtype) + " " +
                             shapeText(list.elementShape));
    if (listDepth(item) >= deepest)
        return context.error("lists within lists are more than " + std::to_string(deepest) +
                             " deep");
    return Done{};
}

void putListItem(TensorList& list, std::size_t index, const Value& item)
{
    list.elements[index] = item;
    list.depth = std::max(list.depth, listDepth(item) + 1);
}

namespace {

Status runReserve(KernelContext& context)
{
    const auto shape = elementShapeInput(context, 0);
    const auto count = scalarIndex(context, 1, "num_elements");
    if (!shape || !count)
        return shape ? Status(count.error()) : Status(shape.error());
    RETURN_IF_ERROR(checkListCount(context, count.value()));
    auto list = std::make_shared<TensorList>();
    list->dtype = context.typeAttr("element_dtype");
    list->elementShape = *shape;
    list->elements.resize(std::size_t(count.value()));
    return giveList(context, 0, std::move(list));
}

Status runEmpty(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto shape, elementShapeInput(context, 0));
    auto list = std::make_shared<TensorList>();
    list->dtype = context.typeAttr("element_dtype");
    list->elementShape = shape;
    return giveList(context, 0, std::move(list));
}

Status runFromTensor(KernelContext& context)
{
    const Value& tensor = context.input(0);
    const auto shape = elementShapeInput(context, 1);
    RETURN_IF_ERROR(shape);
    if (tensor.isScalar())
        return context.error("a scalar has no rows to make a list of");
    auto list = std::make_shared<TensorList>();
    list->dtype = tensor.dtype();
    list->elementShape = *shape;
    const Dims dims(tensor.dims().begin() + 1, tensor.dims().end());
    if (!fitsShape(dims, *shape))
        return context.error("rows of shape " + dimsText(dims) + " are not " + shapeText(*shape));
    RETURN_IF_ERROR(checkListCount(context, tensor.dim(0)));
    for (std::int64_t i = 0; i < tensor.dim(0); ++i) {
        ASSIGN_OR_RETURN(auto row, copyRows(context, tensor, i, 1, dims));
        list->elements.push_back(std::move(row));
    }
    return giveList(context, 0, std::move(list));
}

Status runGetItem(KernelContext& context)
{
    const auto list = listInput(context, "element_dtype");
    const auto index = scalarIndex(context, 1, "index");
    const auto shape = elementShapeInput(context, 2);
    if (!list || !index || !shape)
        return !list    ? Status(list.error())
               : !index ? Status(index.error())
                        : Status(shape.error());
    auto value = listElement(context, **list, index.value(), *shape);
    return value ? context.setOutput(0, std::move(value).value()) : Status(value.error());
}

Status runSetItem(KernelContext& context)
{
    const auto list = listInput(context);
    const auto index = scalarIndex(context, 1, "index");
    if (!list || !index)
        return list ? Status(index.error()) : Status(list.error());
    const TensorList& old = **list;
    if (index.value() < 0 || std::size_t(index.value()) >= old.elements.size())
        return context.error("index " + std::to_string(index.value()) +
                             " is outside of a list of " + std::to_string(old.elements.size()));
    RETURN_IF_ERROR(checkListItem(context, old, context.input(2)));
    auto copy = copyOfList(old);
    copy->elements[std::size_t(index.value())] = context.input(2);
    copy->depth = std::max(copy->depth, listDepth(context.input(2)) + 1);
    return giveList(context, 0, std::move(copy));
}

Status runPushBack(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto list, listInput(context));
    RETURN_IF_ERROR(checkListItem(context, *list, context.input(1)));
    auto copy = copyOfList(*list);
    copy->elements.push_back(context.input(1));
    copy->depth = std::max(copy->depth, listDepth(context.input(1)) + 1);
    return giveList(context, 0, std::move(copy));
}

Status runPopBack(KernelContext& context)
{
    const auto list = listInput(context, "element_dtype");
    const auto shape = elementShapeInput(context, 1);
    if (!list || !shape)
        return list ? Status(shape.error()) : Status(list.error());
    const auto last = std::int64_t((*list)->elements.size()) - 1;
    ASSIGN_OR_RETURN(auto value, listElement(context, **list, last, *shape));
    auto copy = copyOfList(**list);
    copy->elements.pop_back();
    RETURN_IF_ERROR(giveList(context, 0, std::move(copy)));
    return context.setOutput(1, std::move(value));
}

Status runLength(KernelContext& context)
{
    const auto list = listInput(context);
    auto made = context.makeOutput(0, DType::Int32, {});
    if (!list || !made)
        return list ? Status(made.error()) : Status(list.error());
    made.value().mutableAs<std::int32_t>()[0] = std::int32_t((*list)->elements.size());
    return Done{};
}

Status runResize(KernelContext& context)
{
    const auto list = listInput(context);
    const auto size = scalarIndex(context, 1, "size");
    if (!list || !size)
        return list ? Status(size.error()) : Status(list.error());
    RETURN_IF_ERROR(checkListCount(context, size.value()));
    auto copy = copyOfList(**list);
    copy->elements.resize(std::size_t(size.value()));
    return giveList(context, 0, std::move(copy));
}

// Stacks the elements at `indices`; if there are none, their shape must be known.
Status stack(KernelContext& context, const TensorList& list, std::span<const std::int32_t> indices,
             const Shape& wanted)
{
    std::vector<Value> values;
    for (const std::int32_t index : indices) {
        ASSIGN_OR_RETURN(auto value, listElement(context, list, index, wanted));
        values.push_back(std::move(value));
        if (values.back().dims() != values.front().dims())
            return context.error("elements of shapes " + dimsText(values.front().dims()) + " and " +
                                 dimsText(values.back().dims()) + " cannot be stacked");
    }
    Dims dims;
    if (!values.empty()) {
        dims = values.front().dims();
    } else {
        const auto shape = mergeShapes(list.elementShape, wanted);
        if (!shape || !isFullyDefined(*shape))
            return context.error("the list is empty, and the shape of its elements is not known");
        dims = shape->dims;
    }
    dims.insert(dims.begin(), std::int64_t(values.size()));
    return joinValues(context, 0, list.dtype, std::move(dims), values);
}

Status runStack(KernelContext& context)
{
    const auto list = listInput(context, "element_dtype");
    const auto shape = elementShapeInput(context, 1);
    if (!list || !shape)
        return list ? Status(shape.error()) : Status(list.error());
    const std::int64_t count = context.intAttr("num_elements", -1);
    const std::size_t size = (*list)->elements.size();
    if (count >= 0 && std::uint64_t(count) != size)
        return context.error("the list has " + std::to_string(size) + " elements, not " +
                             std::to_string(count));
    std::vector<std::int32_t> all(size);
    std::iota(all.begin(), all.end(), 0);
    return stack(context, **list, all, *shape);
}

Status runGather(KernelContext& context)
{
    const auto list = listInput(context, "element_dtype");
    const auto shape = elementShapeInput(context, 2);
    if (!list || !shape)
        return list ? Status(shape.error()) : Status(list.error());
    if (!context.input(1).isVector())
        return context.error("indices must be a vector");
    return stack(context, **list, context.input(1).as<std::int32_t>(), *shape);
}

Status runElementShape(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto list, listInput(context));
    const Shape& shape = list->elementShape;
    const std::vector<std::int64_t> sizes =
        shape.unknownRank ? std::vector<std::int64_t>{-1} : shape.dims;
    const DType dtype = context.typeAttr("shape_type", DType::Int32);
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(
                         0, dtype, shape.unknownRank ? Dims{} : Dims{std::int64_t(sizes.size())}));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (dtype == DType::Int64)
            made.mutableAs<std::int64_t>()[i] = sizes[i];
        else
            made.mutableAs<std::int32_t>()[i] = std::int32_t(sizes[i]);
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(EmptyTensorList, runEmpty);
LAPIDARY_KERNEL(TensorListReserve, runReserve);
LAPIDARY_KERNEL(TensorListFromTensor, runFromTensor);
LAPIDARY_KERNEL(TensorListGetItem, runGetItem);
LAPIDARY_KERNEL(TensorListSetItem, runSetItem);
LAPIDARY_KERNEL(TensorListPushBack, runPushBack);
LAPIDARY_KERNEL(TensorListPopBack, runPopBack);
LAPIDARY_KERNEL(TensorListLength, runLength);
LAPIDARY_KERNEL(TensorListResize, runResize);
LAPIDARY_KERNEL(TensorListStack, runStack);
LAPIDARY_KERNEL(TensorListGather, runGather);
LAPIDARY_KERNEL(TensorListElementShape, runElementShape);

} // namespace lapidary
