// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/fold_items.h"

#include "graph_model/shapes/item_arithmetic.h"
#include "graph_model/shapes/strided_slice.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

namespace lapidary {
namespace {

using Items = std::vector<std::int64_t>;
using Lists = std::vector<Items>;

struct Folding {
    const Node& node;
    std::span<const TensorState> inputs;
    std::span<const TensorState> outputs;

    const Items* items(std::size_t i) const
    {
        if (i >= inputs.size() || !inputs[i].known || inputs[i].known->floats)
            return nullptr;
        return &inputs[i].known->items;
    }
    std::optional<std::int64_t> scalar(std::size_t i) const
    {
        const Items* all = items(i);
        if (all == nullptr || all->size() != 1 || all->front() == unknownItem)
            return std::nullopt;
        return all->front();
    }
    std::int64_t rank(std::size_t i) const
    {
        return i >= inputs.size() || inputs[i].shape.unknownRank
                   ? -1
                   : std::int64_t(inputs[i].shape.dims.size());
    }
    std::optional<std::int64_t> outputElements(std::size_t port = 0) const
    {
        if (port >= outputs.size() || !isFullyKnown(outputs[port].shape))
            return std::nullopt;
        return elementCount(outputs[port].shape);
    }
};

// Returns the value as stored in the dtype: integer arithmetic wraps.
std::int64_t stored(std::int64_t value, DType dtype)
{
    if (dtype == DType::Int32)
        return std::int64_t(std::int32_t(std::uint64_t(value)));
    // A computed value that equals the mark for unknown values becomes unknown.
    return value;
}

Lists shapeOf(const Folding& folding)
{
    Lists lists;
    for (const auto& input : folding.inputs) {
        const Shape& shape = input.shape;
        if (shape.unknownRank) {
            lists.emplace_back();
            continue;
        }
        Items items = shape.dims;
        std::ranges::replace(items, unknownDim, unknownItem);
        lists.push_back(std::move(items));
    }
    return lists;
}

Lists rankOf(const Folding& folding)
{
    if (folding.rank(0) < 0)
        return {};
    return {{folding.rank(0)}};
}

Lists sizeOf(const Folding& folding)
{
    if (folding.rank(0) < 0)
        return {};
    const auto& dims = folding.inputs[0].shape.dims;
    if (std::ranges::find(dims, 0) != dims.end())
        return {{0}};
    const auto count = elementCount(folding.inputs[0].shape);
    if (!count)
        return {};
    return {{*count}};
}

// Returns the first input's elements in their order.
Lists sameItems(const Folding& folding)
{
    const Items* items = folding.items(0);
    return items == nullptr ? Lists{} : Lists{*items};
}

// Combines items; those with an unknown operand are unknown.
template <checked::Combine combine>
Lists binary(const Folding& folding)
{
    const Items* a = folding.items(0);
    const Items* b = folding.items(1);
    if (a == nullptr || b == nullptr)
        return {};
    const bool isEven = folding.inputs[0].shape == folding.inputs[1].shape;
    if (!isEven && a->size() != 1 && b->size() != 1)
        return {};
    const std::size_t count =
        std::min(a->size(), b->size()) == 0 ? 0 : std::max(a->size(), b->size());
    const DType dtype = folding.inputs[0].dtype;
    Items result(count, unknownItem);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t x = (*a)[a->size() == 1 ? 0 : i];
        const std::int64_t y = (*b)[b->size() == 1 ? 0 : i];
        if (combine == &checked::multiply && (x == 0 || y == 0))
            result[i] = 0;
        else if (x != unknownItem && y != unknownItem)
            if (const auto value = combine(x, y))
                result[i] = stored(*value, dtype);
    }
    return {std::move(result)};
}

Lists negate(const Folding& folding)
{
    const Items* items = folding.items(0);
    if (items == nullptr)
        return {};
    Items result = *items;
    for (std::int64_t& item : result)
        item = item == unknownItem ? item : stored(-item, folding.inputs[0].dtype);
    return {std::move(result)};
}

Lists cast(const Folding& folding)
{
    const Items* items = folding.items(0);
    const DType to = folding.outputs[0].dtype;
    if (items == nullptr || (to != DType::Int32 && to != DType::Int64))
        return {};
    Items result = *items;
    for (std::int64_t& item : result)
        item = item == unknownItem ? item : stored(item, to);
    return {std::move(result)};
}

// Concatenates inputs; an input that is not followed has as many unknown items as its shape says.
std::optional<Items> concatenated(const Folding& folding, std::size_t begin, std::size_t end)
{
    Items result;
    for (std::size_t i = begin; i < end; ++i) {
        if (const Items* items = folding.items(i)) {
            result.insert(result.end(), items->begin(), items->end());
        } else {
            const auto count = isFullyKnown(folding.inputs[i].shape)
                                   ? elementCount(folding.inputs[i].shape)
                                   : std::nullopt;
            if (!count || *count > maxKnownElements)
                return std::nullopt;
            result.insert(result.end(), std::size_t(*count), unknownItem);
        }
        if (std::int64_t(result.size()) > maxKnownElements)
            return std::nullopt;
    }
    return result;
}

Lists asLists(std::optional<Items> items)
{
    return items ? Lists{std::move(*items)} : Lists{};
}

Lists pack(const Folding& folding)
{
    const bool isFlat = folding.rank(0) == 0 || folding.node.attr("axis").asInt().value_or(0) == 0;
    return isFlat ? asLists(concatenated(folding, 0, folding.inputs.size())) : Lists{};
}

Lists concat(const Folding& folding)
{
    return folding.rank(1) == 1 ? asLists(concatenated(folding, 1, folding.inputs.size()))
                                : Lists{};
}

Lists concatV2(const Folding& folding)
{
    return folding.rank(0) == 1 ? asLists(concatenated(folding, 0, folding.inputs.size() - 1))
                                : Lists{};
}

Lists stridedSlice(const Folding& folding)
{
    const Items* items = folding.items(0);
    if (items == nullptr || folding.rank(0) != 1 || !isFullyKnown(folding.outputs[0].shape))
        return {};
    SliceSpec spec = SliceSpec::of(folding.node);
    const Items* operands[] = {folding.items(1), folding.items(2), folding.items(3)};
    if (std::ranges::find(operands, nullptr) != std::end(operands) || operands[0]->size() >= 32)
        return {};
    for (std::size_t i = 0; i < operands[0]->size(); ++i) {
        if (i >= operands[1]->size() || i >= operands[2]->size())
            return {};
        spec.entries.push_back({(*operands[0])[i], (*operands[1])[i], (*operands[2])[i]});
    }
    const auto slicing = sliceShape(folding.inputs[0].shape, spec);
    if (!slicing.ok() || slicing.value().axes.size() != 1)
        return {};
    const Slicing::Axis& axis = slicing.value().axes[0];
    if (axis.begin == unknownItem || axis.stride == unknownItem || axis.size < 0)
        return {};
    Items result;
    for (std::int64_t i = 0; i < axis.size; ++i) {
        const std::int64_t at = axis.begin + i * axis.stride;
        if (at < 0 || at >= std::int64_t(items->size()))
            return {};
        result.push_back((*items)[std::size_t(at)]);
    }
    return {std::move(result)};
}

Lists slice(const Folding& folding)
{
    const Items* items = folding.items(0);
    const auto begin = folding.scalar(1);
    const auto count = folding.outputElements();
    if (items == nullptr || folding.rank(0) != 1 || !begin || !count || *begin < 0 ||
        *begin > std::int64_t(items->size()) || *count > std::int64_t(items->size()) - *begin)
        return {};
    return {{items->begin() + *begin, items->begin() + *begin + *count}};
}

Lists gather(const Folding& folding)
{
    const Items* items = folding.items(0);
    const Items* indices = folding.items(1);
    if (items == nullptr || indices == nullptr || folding.rank(0) != 1)
        return {};
    Items result;
    for (const std::int64_t index : *indices) {
        if (index != unknownItem && (index < 0 || index >= std::int64_t(items->size())))
            return {};
        result.push_back(index == unknownItem ? unknownItem : (*items)[std::size_t(index)]);
    }
    return {std::move(result)};
}

Lists unpack(const Folding& folding)
{
    const Items* items = folding.items(0);
    if (items == nullptr || folding.rank(0) != 1)
        return {};
    Lists lists;
    for (const std::int64_t item : *items)
        lists.push_back({item});
    return lists;
}

// Splits a vector evenly, or by a list of sizes; both follow from the shapes of the outputs.
template <std::size_t dataAt>
Lists split(const Folding& folding)
{
    const Items* items = folding.items(dataAt);
    if (items == nullptr || folding.rank(dataAt) != 1)
        return {};
    Lists lists;
    std::size_t at = 0;
    for (std::size_t port = 0; port < folding.outputs.size(); ++port) {
        const auto count = folding.outputElements(port);
        if (!count || std::size_t(*count) > items->size() - at)
            return {};
        lists.emplace_back(items->begin() + std::ptrdiff_t(at),
                           items->begin() + std::ptrdiff_t(at) + *count);
        at += std::size_t(*count);
    }
    return lists;
}

template <checked::Combine combine>
Lists reduce(const Folding& folding)
{
    const Items* items = folding.items(0);
    const Items* axes = folding.items(1);
    if (items == nullptr || items->empty() || folding.rank(0) != 1 || axes == nullptr ||
        axes->size() != 1)
        return {};
    std::int64_t result = items->front();
    for (std::size_t i = 1; i < items->size(); ++i) {
        const std::int64_t item = (*items)[i];
        if (combine == &checked::multiply && (item == 0 || result == 0))
            result = 0;
        else if (item == unknownItem || result == unknownItem)
            result = unknownItem;
        else
            result = combine(result, item).value_or(unknownItem);
    }
    if (result != unknownItem)
        result = stored(result, folding.inputs[0].dtype);
    return {{result}};
}

Lists fill(const Folding& folding)
{
    const Items* value = folding.items(1);
    const auto count = folding.outputElements();
    if (value == nullptr || value->size() != 1 || !count || *count > maxKnownElements)
        return {};
    return {Items(std::size_t(*count), value->front())};
}

template <std::int64_t value>
Lists constant(const Folding& folding)
{
    const auto count = folding.outputElements();
    if (!count || *count > maxKnownElements)
        return {};
    return {Items(std::size_t(*count), value)};
}

Lists range(const Folding& folding)
{
    const auto start = folding.scalar(0);
    const auto delta = folding.scalar(2);
    const auto count = folding.outputElements();
    if (!start || !delta || !count || *count > maxKnownElements)
        return {};
    Items result;
    std::uint64_t value = std::uint64_t(*start);
    for (std::int64_t i = 0; i < *count; ++i, value += std::uint64_t(*delta))
        result.push_back(stored(std::int64_t(value), folding.inputs[0].dtype));
    return {std::move(result)};
}

Lists tile(const Folding& folding)
{
    const Items* items = folding.items(0);
    const auto times = folding.scalar(1);
    const auto count = folding.outputElements();
    if (items == nullptr || folding.rank(0) != 1 || !times || !count || *count > maxKnownElements)
        return {};
    Items result;
    for (std::int64_t i = 0; i < *times && !items->empty(); ++i)
        result.insert(result.end(), items->begin(), items->end());
    return {std::move(result)};
}

Lists select(const Folding& folding)
{
    const Items* conditions = folding.items(0);
    const Items* yes = folding.items(1);
    const Items* no = folding.items(2);
    if (yes == nullptr || no == nullptr || yes->size() != no->size())
        return {};
    Items result(yes->size(), unknownItem);
    for (std::size_t i = 0; i < result.size(); ++i) {
        std::int64_t condition = unknownItem;
        if (conditions != nullptr && conditions->size() == 1)
            condition = conditions->front();
        else if (conditions != nullptr && conditions->size() == result.size())
            condition = (*conditions)[i];
        if ((*yes)[i] == (*no)[i])
            result[i] = (*yes)[i];
        else if (condition != unknownItem)
            result[i] = condition != 0 ? (*yes)[i] : (*no)[i];
    }
    return {std::move(result)};
}

// Joins vectors by indices; later values win.
Lists stitch(const Folding& folding)
{
    const auto count = folding.outputElements();
    if (!count || *count > maxKnownElements || folding.outputs[0].shape.dims.size() != 1)
        return {};
    const std::size_t parts = folding.inputs.size() / 2;
    Items result(std::size_t(*count), unknownItem);
    for (std::size_t part = 0; part < parts; ++part) {
        const Items* indices = folding.items(part);
        const Items* data = folding.items(parts + part);
        if (indices == nullptr)
            return {};
        for (std::size_t i = 0; i < indices->size(); ++i) {
            const std::int64_t at = (*indices)[i];
            if (at < 0 || at >= *count)
                return {};
            const bool isKnown = data != nullptr && data->size() == indices->size();
            result[std::size_t(at)] = isKnown ? (*data)[i] : unknownItem;
        }
    }
    return {std::move(result)};
}

using Fold = Lists (*)(const Folding& folding);
struct FoldEntry {
    std::string_view op;
    Fold fold;
};
constexpr FoldEntry folds[] = {
    // sorted
    {"Add", binary<checked::add>},
    {"AddV2", binary<checked::add>},
    {"Cast", cast},
    {"Concat", concat},
    {"ConcatV2", concatV2},
    {"Div", binary<checked::divide>},
    {"DynamicStitch", stitch},
    {"ExpandDims", sameItems},
    {"Fill", fill},
    {"FloorDiv", binary<checked::floorDivide>},
    {"FloorMod", binary<checked::floorModulo>},
    {"Gather", gather},
    {"GatherV2", gather},
    {"Max", reduce<checked::larger>},
    {"Maximum", binary<checked::larger>},
    {"Min", reduce<checked::smaller>},
    {"Minimum", binary<checked::smaller>},
    {"Mul", binary<checked::multiply>},
    {"Neg", negate},
    {"OnesLike", constant<1>},
    {"Pack", pack},
    {"Prod", reduce<checked::multiply>},
    {"Range", range},
    {"Rank", rankOf},
    {"Reshape", sameItems},
    {"Select", select},
    {"SelectV2", select},
    {"Shape", shapeOf},
    {"ShapeN", shapeOf},
    {"Size", sizeOf},
    {"Slice", slice},
    {"Split", split<1>},
    {"SplitV", split<0>},
    {"Squeeze", sameItems},
    {"StridedSlice", stridedSlice},
    {"Sub", binary<checked::subtract>},
    {"Sum", reduce<checked::add>},
    {"Tile", tile},
    {"TruncateDiv", binary<checked::divide>},
    {"Unpack", unpack},
    {"ZerosLike", constant<0>},
};

} // namespace

std::vector<std::vector<std::int64_t>> foldItems(const Node& node,
                                                 std::span<const TensorState> inputs,
                                                 std::span<const TensorState> outputs)
{
    const auto found = std::ranges::lower_bound(folds, node.op(), {}, &FoldEntry::op);
    if (found == std::end(folds) || found->op != node.op() || outputs.empty() || inputs.empty())
        return {};
    const DType dtype = outputs[0].dtype;
    if (dtype != DType::Int32 && dtype != DType::Int64)
        return {};
    return found->fold({node, inputs, outputs});
}

} // namespace lapidary
