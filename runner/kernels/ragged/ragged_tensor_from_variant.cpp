// SPDX-License-Identifier: Apache-2.0
// RaggedTensorFromVariant: joins the ragged tensors in variants one after the other to one ragged
// tensor; each axis of the variants becomes one more ragged axis around them.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/ragged/encoded_ragged.h"
#include "runner/kernels/ragged/row_splits.h"

#include <algorithm>

namespace lapidary {
namespace {

using Parts = std::vector<std::shared_ptr<const EncodedRagged>>;

Status checkPart(const KernelContext& context, const EncodedRagged& part, std::size_t levels,
                 const std::string& name)
{
    const DType splits = context.typeAttr("Tsplits", DType::Int64);
    if (part.splits.size() != levels)
        return context.error(name + " holds a tensor of " + std::to_string(part.splits.size()) +
                             " ragged axes, but the node expects " + std::to_string(levels));
    for (const Value& level : part.splits)
        if (level.dtype() != splits)
            return context.error(name + " has splits of type " + dtypeName(level.dtype()) +
                                 ", but Tsplits is " + dtypeName(splits));
    if (part.values.dtype() != context.typeAttr("Tvalues"))
        return context.error(name + " holds " + dtypeName(part.values.dtype()) +
                             ", but Tvalues is " + dtypeName(context.typeAttr("Tvalues")));
    return Done{};
}

Result<Parts> partsOf(const KernelContext& context, std::size_t levels)
{
    Parts parts;
    for (const ResourcePtr& element : context.input(0).variants()) {
        stopPoint();
        const std::string name = "element " + std::to_string(parts.size()) + " of its input 0";
        auto part = std::dynamic_pointer_cast<const EncodedRagged>(element);
        if (!part)
            return context.error(name + " holds no ragged tensor");
        RETURN_IF_ERROR(checkPart(context, *part, levels, name));
        const Dims& first = parts.empty() ? part->values.dims() : parts[0]->values.dims();
        const Dims& dims = part->values.dims();
        if (!std::equal(first.begin() + 1, first.end(), dims.begin() + 1, dims.end()))
            return context.error(name + " has values of shape " + dimsText(dims) +
                                 ", which do not go with those of shape " + dimsText(first));
        parts.push_back(std::move(part));
    }
    return parts;
}

// Returns the number of ragged axes of each element: the attribute, or the difference of the other
// two numbers.
Result<std::size_t> levelsOfParts(const KernelContext& context)
{
    const std::int64_t all = context.intAttr("output_ragged_rank");
    const std::int64_t axes = context.input(0).rank();
    const std::int64_t stated = context.intAttr("input_ragged_rank", -1);
    if (all < 1 || context.outputCount() != std::size_t(all) + 1)
        return context.error("output_ragged_rank must be the number of its output_nested_splits");
    if (axes > all || (stated != -1 && stated != all - axes))
        return context.error("output_ragged_rank is " + std::to_string(all) +
                             ", but input_ragged_rank and the " + std::to_string(axes) +
                             " axes of encoded_ragged are " +
                             std::to_string(std::max<std::int64_t>(stated, 0) + axes));
    return std::size_t(all - axes);
}

// Adds splits for the axes of the variants, each of which has rows of one length.
void addOuterSplits(const Dims& dims, std::vector<RowSplits>& all)
{
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < dims.size(); ++axis) {
        rows *= dims[axis];
        RowSplits splits;
        for (std::int64_t i = 0; i <= rows; ++i) {
            stopPoint();
            splits.push_back(i * dims[axis + 1]);
        }
        all.push_back(std::move(splits));
    }
}

RowSplits lengthsOf(const Parts& parts)
{
    RowSplits splits{0};
    for (const auto& part : parts) {
        stopPoint();
        const std::int64_t rows =
            part->splits.empty() ? part->values.dim(0) : part->splits[0].dim(0) - 1;
        splits.push_back(splits.back() + rows);
    }
    return splits;
}

RowSplits joinedSplits(const Parts& parts, std::size_t level)
{
    RowSplits joined{0};
    for (const auto& part : parts) {
        const std::int64_t before = joined.back();
        const std::vector<std::int64_t> splits = part->splits[level].integers();
        for (std::size_t i = 1; i < splits.size(); ++i) {
            stopPoint();
            joined.push_back(before + splits[i]);
        }
    }
    return joined;
}

// Joins the values. Without parts, nothing is known of the shape except that it is empty.
Status giveJoinedValues(KernelContext& context, std::size_t output, const Parts& parts)
{
    Dims dims = parts.empty() ? Dims{0} : parts[0]->values.dims();
    dims[0] = 0;
    for (const auto& part : parts)
        dims[0] = cappedSum(dims[0], part->values.dim(0));
    const DType dtype = context.typeAttr("Tvalues");
    ASSIGN_OR_RETURN(auto made, context.makeOutput(output, dtype, std::move(dims)));
    const bool known = dispatchBySize(dtype, [&](auto zero) {
        using T = decltype(zero);
        auto to = writeElements<T>(made).begin();
        for (const auto& part : parts) {
            stopPoint();
            to = std::ranges::copy(readElements<T>(part->values), to).out;
        }
    });
    return known ? Status(Done{}) : Status(context.error("cannot move " + dtypeName(dtype)));
}

Status runFromVariant(KernelContext& context)
{
    const Value& encoded = context.input(0);
    ASSIGN_OR_RETURN(const auto levels, levelsOfParts(context));
    ASSIGN_OR_RETURN(const auto parts, partsOf(context, levels));
    if (encoded.isScalar()) {
        for (std::size_t i = 0; i < levels; ++i)
            RETURN_IF_ERROR(context.setOutput(i, parts[0]->splits[i]));
        return context.setOutput(levels, parts[0]->values);
    }
    std::vector<RowSplits> all;
    addOuterSplits(encoded.dims(), all);
    all.push_back(lengthsOf(parts));
    for (std::size_t level = 0; level < levels; ++level)
        all.push_back(joinedSplits(parts, level));
    for (std::size_t i = 0; i < all.size(); ++i)
        RETURN_IF_ERROR(setIntegers(context, i, context.typeAttr("Tsplits", DType::Int64),
                                    {std::int64_t(all[i].size())}, all[i]));
    return giveJoinedValues(context, all.size(), parts);
}

} // namespace

LAPIDARY_KERNEL(RaggedTensorFromVariant, runFromVariant);

} // namespace lapidary
