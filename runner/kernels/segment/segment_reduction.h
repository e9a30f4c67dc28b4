// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace lapidary {

// The segments of the rows of input 0: row `i` belongs to segment ids[i]; -1: to none.
struct Segments {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> rows; // if not empty, ids[i] is for row rows[i] of input 0
    std::int64_t count = 0;         // number of segments
    std::int64_t rowSize = 0;       // elements of a row
    Dims output;                    // [count, the dimensions of a row]

    // Reads the inputs of Segment*: data, ids (ascending).
    static Result<Segments> sorted(const KernelContext& context);
    // Reads the inputs of UnsortedSegment*: data, ids (of any rank), number of segments.
    static Result<Segments> unsorted(const KernelContext& context);
    // Reads the inputs of SparseSegment*: data, rows, ids (ascending)[, number of segments].
    static Result<Segments> sparse(const KernelContext& context);
};

// The combinations of the rows of a segment. Half and bfloat16 are rounded after each step.
struct SegmentSum {
    template <class T>
    static T start()
    {
        return T(decltype(wide(T()))(0));
    }
    template <class T>
    static T combine(T x, T y)
    {
        return T(wrapping::add(wide(x), wide(y)));
    }
};

struct SegmentProduct {
    template <class T>
    static T start()
    {
        return T(decltype(wide(T()))(1));
    }
    template <class T>
    static T combine(T x, T y)
    {
        return T(wrapping::mul(wide(x), wide(y)));
    }
};

// Returns the largest or lowest finite number of a type.
template <class T>
T extreme(bool largest)
{
    if constexpr (std::is_same_v<T, Half>)
        return Half(largest ? 65504.0F : -65504.0F);
    else if constexpr (std::is_same_v<T, BFloat16>)
        return BFloat16(largest ? 0x1.FEp127F : -0x1.FEp127F);
    else
        return largest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
}

struct SegmentMax {
    template <class T>
    static T start()
    {
        return extreme<T>(false);
    }
    template <class T>
    static T combine(T x, T y)
    {
        return wide(x) < wide(y) ? y : x;
    }
};

struct SegmentMin {
    template <class T>
    static T start()
    {
        return extreme<T>(true);
    }
    template <class T>
    static T combine(T x, T y)
    {
        return wide(y) < wide(x) ? y : x;
    }
};

// The value of a segment without rows: the start of the combination, or 0.
enum class EmptySegment { Start, Zero };

template <class Combine, class T>
void combineSegments(const Segments& segments, std::span<const T> x, std::span<T> y,
                     EmptySegment empty)
{
    const auto size = std::size_t(segments.rowSize);
    const T start = Combine::template start<T>();
    const bool beginsWithStart = empty == EmptySegment::Start;
    std::vector<bool> isFilled(std::size_t(segments.count), false);
    for (std::size_t i = 0; i < segments.ids.size(); ++i) {
        if (segments.ids[i] < 0)
            continue;
        const auto segment = std::size_t(segments.ids[i]);
        const auto row = segments.rows.empty() ? i : std::size_t(segments.rows[i]);
        const T* from = x.data() + row * size;
        T* to = y.data() + segment * size;
        if (isFilled[segment])
            for (std::size_t k = 0; k < size; ++k)
                to[k] = Combine::combine(to[k], from[k]);
        else if (beginsWithStart) // infinity is replaced by the largest number
            for (std::size_t k = 0; k < size; ++k)
                to[k] = Combine::combine(from[k], start);
        else
            std::copy_n(from, size, to);
        isFilled[segment] = true;
    }
    const T blank = beginsWithStart ? start : SegmentSum::start<T>();
    for (std::size_t segment = 0; segment < isFilled.size(); ++segment)
        if (!isFilled[segment])
            std::fill_n(y.data() + segment * size, size, blank);
}

// Combines the rows of each segment into output 0, and then calls after(segments, output), for
// example to divide sums by their counts.
template <class Combine, class Types, class After>
Status runSegments(KernelContext& context, Types types, const Result<Segments>& segments,
                   EmptySegment empty, const After& after)
{
    RETURN_IF_ERROR(segments);
    const Value& data = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, data.dtype(), segments->output));
    if (made.elements() == 0)
        return Done{};
    const bool known = dispatch(types, data.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const std::span<T> y = made.template mutableAs<T>();
        combineSegments<Combine>(*segments, data.as<T>(), y, empty);
        after(*segments, y);
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(data.dtype()));
}

template <class Combine, class Types>
Status runSegments(KernelContext& context, Types types, const Result<Segments>& segments,
                   EmptySegment empty)
{
    return runSegments<Combine>(context, types, segments, empty, [](const Segments&, auto) {});
}

// Divides each segment by divisor(number of its rows).
template <class T, class Divisor>
void divideSegments(const Segments& segments, std::span<T> y, const Divisor& divisor)
{
    std::vector<std::int64_t> rows(std::size_t(segments.count), 0);
    for (const std::int64_t id : segments.ids)
        if (id >= 0)
            ++rows[std::size_t(id)];
    const auto size = std::size_t(segments.rowSize);
    for (std::size_t segment = 0; segment < rows.size(); ++segment)
        if (rows[segment] > 1)
            for (T& element : y.subspan(segment * size, size))
                element = divisor(element, rows[segment]);
}

// Turns sums into means; quotients of integers are rounded towards zero.
inline constexpr auto divideByRows = [](const Segments& segments, auto y) {
    divideSegments(segments, y, [](auto sum, std::int64_t rows) {
        using T = decltype(sum);
        if constexpr (std::is_integral_v<T>)
            return T(std::int64_t(sum) / rows);
        else if constexpr (isComplex<T>)
            return sum / typename T::value_type(rows);
        else
            return T(wide(sum) / decltype(wide(sum))(rows));
    });
};

} // namespace lapidary
