// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/shape_facts.h"

#include <algorithm>

namespace lapidary {

bool KnownValues::isComplete() const
{
    return floats.has_value() || std::ranges::find(items, unknownItem) == items.end();
}

bool isFullyKnown(const Shape& shape)
{
    return !shape.unknownRank &&
           std::ranges::none_of(shape.dims, [](std::int64_t size) { return size < 0; });
}

Shape commonShape(const Shape& a, const Shape& b)
{
    if (a.unknownRank || b.unknownRank || a.dims.size() != b.dims.size())
        return unknownShape();
    Shape common = a;
    for (std::size_t i = 0; i < a.dims.size(); ++i)
        if (a.dims[i] != b.dims[i])
            common.dims[i] = unknownDim;
    return common;
}

bool refines(const Shape& a, const Shape& b)
{
    if (b.unknownRank)
        return true;
    if (a.unknownRank || a.dims.size() != b.dims.size())
        return false;
    for (std::size_t i = 0; i < a.dims.size(); ++i)
        if (b.dims[i] != unknownDim && a.dims[i] != b.dims[i])
            return false;
    return true;
}

bool areCompatible(const Shape& a, const Shape& b)
{
    if (a.unknownRank || b.unknownRank)
        return true;
    if (a.dims.size() != b.dims.size())
        return false;
    for (std::size_t i = 0; i < a.dims.size(); ++i)
        if (a.dims[i] != unknownDim && b.dims[i] != unknownDim && a.dims[i] != b.dims[i])
            return false;
    return true;
}

Shape mergedShape(const Shape& a, const Shape& b)
{
    if (a.unknownRank)
        return b;
    Shape merged = a;
    for (std::size_t i = 0; i < merged.dims.size() && i < b.dims.size(); ++i)
        if (merged.dims[i] == unknownDim)
            merged.dims[i] = b.dims[i];
    return merged;
}

} // namespace lapidary
