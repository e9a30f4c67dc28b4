// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>
#include <string>

namespace lapidary {
namespace {

std::string number(std::int64_t size)
{
    return std::to_string(size);
}

} // namespace

std::int64_t sizeAt(const Shape& shape, std::int64_t index)
{
    const auto rank = std::int64_t(shape.dims.size());
    if (index < 0)
        index += rank;
    if (shape.unknownRank || index < 0 || index >= rank)
        return unknownDim;
    return shape.dims[std::size_t(index)];
}

Shape partOf(const Shape& shape, std::int64_t begin, std::int64_t end)
{
    if (shape.unknownRank)
        return unknownShape();
    const auto rank = std::int64_t(shape.dims.size());
    const auto place = [rank](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
    };
    begin = place(begin);
    end = std::max(begin, place(end));
    return {{shape.dims.begin() + begin, shape.dims.begin() + end}, false};
}

Shape joined(const Shape& a, const Shape& b)
{
    if (a.unknownRank || b.unknownRank)
        return unknownShape();
    Shape result = a;
    result.dims.insert(result.dims.end(), b.dims.begin(), b.dims.end());
    return result;
}

Shape withDim(Shape shape, std::int64_t index, std::int64_t size)
{
    const auto rank = std::int64_t(shape.dims.size());
    index = index < 0 ? index + rank : index;
    if (!shape.unknownRank && index >= 0 && index < rank)
        shape.dims[std::size_t(index)] = size;
    return shape;
}

std::int64_t sum(RuleContext& context, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (a == 0 || b == 0)
        return a + b;
    if (a == unknownDim || b == unknownDim)
        return unknownDim;
    if (__builtin_add_overflow(a, b, &result)) {
        context.fail("The sizes " + number(a) + " and " + number(b) + " add up to more than fits");
        return unknownDim;
    }
    return result;
}

std::int64_t difference(RuleContext& context, std::int64_t a, std::int64_t b)
{
    if (b == 0)
        return a;
    if (a == unknownDim || b == unknownDim)
        return unknownDim;
    if (a < b) {
        context.fail("Negative dimension size caused by subtracting " + number(b) + " from " +
                     number(a));
        return unknownDim;
    }
    std::int64_t result = 0;
    if (__builtin_sub_overflow(a, b, &result)) {
        context.fail("The sizes " + number(a) + " and " + number(b) +
                     " are further apart than fits");
        return unknownDim;
    }
    return result;
}

std::int64_t product(RuleContext& context, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (a == 0 || b == 0)
        return 0;
    if (a == 1)
        return b;
    if (b == 1)
        return a;
    if (a == unknownDim || b == unknownDim)
        return unknownDim;
    if (__builtin_mul_overflow(a, b, &result)) {
        context.fail("The sizes " + number(a) + " and " + number(b) +
                     " multiply to more than fits");
        return unknownDim;
    }
    return result;
}

std::int64_t smaller(std::int64_t a, std::int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    return a == unknownDim || b == unknownDim ? unknownDim : std::min(a, b);
}

std::int64_t elementsOf(RuleContext& context, const Shape& shape)
{
    if (shape.unknownRank)
        return unknownDim;
    std::int64_t count = 1;
    for (const std::int64_t size : shape.dims)
        count = product(context, count, size);
    return count;
}

std::int64_t quotient(RuleContext& context, std::int64_t a, std::int64_t by, bool exact)
{
    if (by == 1)
        return a;
    if (by == 0 || by < unknownDim) {
        context.fail("Divisor must be positive but is " + number(by));
        return unknownDim;
    }
    if (a == unknownDim || by == unknownDim)
        return unknownDim;
    if (exact && a % by != 0)
        context.fail("Dimension size must be evenly divisible by " + number(by) + " but is " +
                     number(a));
    return a / by;
}

Shape broadcastShape(RuleContext& context, const Shape& a, const Shape& b)
{
    if (a.unknownRank || b.unknownRank)
        return unknownShape();
    const std::size_t rank = std::max(a.dims.size(), b.dims.size());
    Shape result = unknownDims(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t padA = rank - a.dims.size();
        const std::size_t padB = rank - b.dims.size();
        const std::int64_t x = i < padA ? 1 : a.dims[i - padA];
        const std::int64_t y = i < padB ? 1 : b.dims[i - padB];
        if (x == 1 || y == 1)
            result.dims[i] = x == 1 ? y : x;
        else
            result.dims[i] = context.merge(x, y);
    }
    return result;
}

} // namespace lapidary
