// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/arrays/strided_copy.h"

#include "runner/kernels/arrays/transposed_copy.h"
#include "runner/kernels/elements_by_size.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace lapidary {
namespace {

// Drops axes of size 1, puts the axes into the order in which `to` is written and joins those that
// are one run on both sides. Works in place: there are few of them.
void simplify(std::vector<CopyAxis>& axes)
{
    std::erase_if(axes, [](const CopyAxis& axis) { return axis.size == 1; });
    for (auto next = axes.begin(); next != axes.end(); ++next) {
        const auto place =
            std::ranges::upper_bound(axes.begin(), next, std::abs(next->to), std::ranges::greater(),
                                     [](const CopyAxis& axis) { return std::abs(axis.to); });
        std::rotate(place, next, next + 1);
    }
    std::size_t joined = 0;
    for (const CopyAxis axis : axes) {
        CopyAxis* const outer = joined == 0 ? nullptr : &axes[joined - 1];
        if (outer != nullptr && outer->from == axis.from * axis.size &&
            outer->to == axis.to * axis.size)
            *outer = {outer->size * axis.size, axis.from, axis.to};
        else
            axes[joined++] = axis;
    }
    axes.resize(joined);
}

// Removes the innermost axis and returns it; one of size 1 if there is none.
CopyAxis takeLast(std::vector<CopyAxis>& axes)
{
    if (axes.empty())
        return {1, 0, 0};
    const CopyAxis last = axes.back();
    axes.pop_back();
    return last;
}

template <class T>
void copyRun(const T* from, T* to, std::int64_t count)
{
    constexpr std::int64_t fewBytes = 64; // for fewer, a call costs more than it saves
    if constexpr (std::is_trivially_copyable_v<T>) {
        if (count * std::int64_t(sizeof(T)) > fewBytes) {
            std::memcpy(to, from, std::size_t(count) * sizeof(T));
            return;
        }
    }
    for (std::int64_t i = 0; i < count; ++i)
        to[i] = from[i];
}

// Copies the two innermost axes.
template <class T>
void copyPlane(const T* from, T* to, const CopyAxis& outer, const CopyAxis& inner)
{
    if constexpr (std::is_trivially_copyable_v<T>) {
        if (inner.to == 1 && outer.from == 1 && inner.from != 0 && outer.size > 1) {
            transposedCopy(from, inner.from, to, outer.to, outer.size, inner.size);
            return;
        }
    }
    for (std::int64_t i = 0; i < outer.size; ++i) {
        const T* source = from + i * outer.from;
        T* target = to + i * outer.to;
        if (inner.from == 1 && inner.to == 1)
            copyRun(source, target, inner.size);
        else if (inner.from == 0 && inner.to == 1)
            std::fill_n(target, inner.size, *source);
        else
            for (std::int64_t k = 0; k < inner.size; ++k)
                target[k * inner.to] = source[k * inner.from];
    }
}

// Moves the axis that is contiguous in `from` next to the innermost one of `to`: a transposition is
// fastest in tiles over these two.
void pairForTiles(std::vector<CopyAxis>& axes)
{
    if (axes.size() < 3 || axes.back().from == 1 || axes.back().to != 1)
        return;
    const auto contiguous =
        std::ranges::find_if(axes, [](const CopyAxis& axis) { return axis.from == 1; });
    if (contiguous != axes.end())
        std::rotate(contiguous, contiguous + 1, axes.end() - 1);
}

template <class T>
Status copyAll(const KernelContext& context, const T* from, T* to, std::vector<CopyAxis> axes)
{
    const CopyAxis inner = takeLast(axes);
    const CopyAxis outer = takeLast(axes);
    std::vector<std::int64_t> index(axes.size());
    constexpr std::int64_t elementsBetweenLooks =
        std::is_trivially_copyable_v<T> ? 1 << 22 : 1 << 16;
    const std::int64_t rows = std::max<std::int64_t>(elementsBetweenLooks / inner.size, 1);
    std::int64_t sinceLook = 0;
    for (;;) {
        for (std::int64_t row = 0; row < outer.size; row += rows) {
            const CopyAxis some{std::min(rows, outer.size - row), outer.from, outer.to};
            copyPlane(from + row * outer.from, to + row * outer.to, some, inner);
            if ((sinceLook += some.size * inner.size) < elementsBetweenLooks)
                continue;
            sinceLook = 0;
            if (context.job().cancelled())
                return cancelledError();
        }
        std::size_t axis = axes.size();
        for (; axis > 0; --axis) {
            const CopyAxis& at = axes[axis - 1];
            from += at.from;
            to += at.to;
            if (++index[axis - 1] < at.size)
                break;
            from -= at.from * at.size;
            to -= at.to * at.size;
            index[axis - 1] = 0;
        }
        if (axis == 0)
            return Done{};
    }
}

// Copies the most common plans: some rows, each in one piece on both sides. Returns false for other
// kinds, for rows so short that a call for each is slow, and for so much data that the copy should
// be cancellable.
bool copyRows(const Value& from, Value& to, const CopyPlan& plan)
{
    constexpr std::int64_t most = 1 << 20;
    const auto size = std::int64_t(from.dtype() == DType::String ? 0 : dtypeSize(from.dtype()));
    if (size == 0 || plan.axes.size() != 2 || plan.axes[1].from != 1 || plan.axes[1].to != 1)
        return false;
    const CopyAxis& rows = plan.axes[0];
    const std::int64_t columns = plan.axes[1].size;
    constexpr std::int64_t fewBytes = 32;
    if (columns > most || rows.size > most / columns ||
        (rows.size > 1 && columns * size < fewBytes))
        return false;
    const char* const source = from.bytes().data() + plan.fromOffset * size;
    auto* const target = to.mutableAs<char>().data() + plan.toOffset * size;
    for (std::int64_t row = 0; row < rows.size; ++row)
        std::memcpy(target + row * rows.to * size, source + row * rows.from * size,
                    std::size_t(columns * size));
    return true;
}

Error cannotMove(const KernelContext& context, DType dtype)
{
    return context.error("cannot move elements of type " + dtypeName(dtype));
}

} // namespace

Status stridedCopy(const KernelContext& context, const Value& from, Value& to, CopyPlan plan)
{
    if (std::ranges::any_of(plan.axes, [](const CopyAxis& axis) { return axis.size <= 0; }))
        return Done{};
    if (copyRows(from, to, plan))
        return Done{};
    std::vector<CopyAxis> axes = std::move(plan.axes);
    simplify(axes);
    pairForTiles(axes);
    Status status = Done{};
    const bool known = dispatchMoved(from.dtype(), [&](auto zero) {
        using T = decltype(zero);
        status = copyAll(context, readElements<T>(from).data() + plan.fromOffset,
                         writeElements<T>(to).data() + plan.toOffset, std::move(axes));
    });
    return known ? status : cannotMove(context, from.dtype());
}

Dims rowMajorStrides(const Dims& dims)
{
    Dims strides(dims.size());
    std::uint64_t stride = 1; // may wrap if another dim is 0: then nothing is copied
    for (std::size_t i = dims.size(); i-- > 0;) {
        strides[i] = std::int64_t(stride);
        stride *= std::uint64_t(dims[i]);
    }
    return strides;
}

namespace {

// Fills in pieces, so that it can be stopped between them.
template <class T>
Status fillAll(const KernelContext& context, T* to, std::int64_t count, const T& element)
{
    constexpr std::int64_t piece = std::is_trivially_copyable_v<T> ? 1 << 22 : 1 << 16;
    for (std::int64_t i = 0; i < count; i += piece) {
        if (context.job().cancelled())
            return cancelledError();
        std::fill_n(to + i, std::min(piece, count - i), element);
    }
    return Done{};
}

} // namespace

Status fillWith(const KernelContext& context, Value& to, const Value& scalar)
{
    Status status = cannotMove(context, to.dtype());
    dispatchBySize(to.dtype(), [&](auto zero) {
        using T = decltype(zero);
        status = fillAll(context, writeElements<T>(to).data(), to.elements(),
                         *readElements<T>(scalar).data());
    });
    return status;
}

Status fillWithZeros(const KernelContext& context, Value& to)
{
    Status status = cannotMove(context, to.dtype());
    dispatchBySize(to.dtype(), [&](auto zero) {
        status = fillAll(context, writeElements<decltype(zero)>(to).data(), to.elements(), zero);
    });
    return status;
}

} // namespace lapidary
