// SPDX-License-Identifier: Apache-2.0
// Qr: x = q r of each matrix, q with orthonormal columns, r upper triangular, by Householder's
// reflections. The diagonal of r is real; its signs are those of Eigen's HouseholderQR.
#include "runner/kernels/linear/lu.h"

#include <algorithm>
#include <limits>
#include <span>

namespace lapidary {
namespace {

struct QrSizes {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t qColumns = 0; // number of columns of q and of rows of r

    std::int64_t steps() const { return std::min(rows, columns); }
};

// One reflection I - tau v v*; v is 1 at `first` and in `tail` below.
template <class W>
struct Reflection {
    W tau = W(0);
    std::int64_t first = 0;
    std::vector<W> tail = {};

    // Applies the reflection to the columns of a matrix from `column` on.
    void apply(std::span<W> a, std::int64_t columns, std::int64_t column, const W& factor) const
    {
        for (std::int64_t c = column; c < columns; ++c) {
            stopPoint();
            W sum = a[std::size_t(first * columns + c)];
            for (std::size_t i = 0; i < tail.size(); ++i)
                sum += conjugateOf(tail[i]) *
                       a[std::size_t((first + 1 + std::int64_t(i)) * columns + c)];
            sum *= factor;
            a[std::size_t(first * columns + c)] -= sum;
            for (std::size_t i = 0; i < tail.size(); ++i)
                a[std::size_t((first + 1 + std::int64_t(i)) * columns + c)] -= tail[i] * sum;
        }
    }
};

// Returns the reflection that makes all elements of a column below the diagonal zero.
template <class W>
Reflection<W> reflectionOf(std::span<W> a, const QrSizes& sizes, std::int64_t step)
{
    Reflection<W> made{.first = step};
    const auto at = [&](std::int64_t row) -> W& {
        return a[std::size_t(row * sizes.columns + step)];
    };
    double rest = 0;
    for (std::int64_t row = step + 1; row < sizes.rows; ++row) {
        made.tail.push_back(at(row));
        rest += std::norm(at(row));
    }
    const W head = at(step);
    constexpr double least = std::numeric_limits<double>::min();
    const double imaginary = std::imag(head);
    if (rest <= least && imaginary * imaginary <= least) {
        std::ranges::fill(made.tail, W(0));
        return made;
    }
    const double length = std::sqrt(std::norm(head) + rest);
    const double diagonal = std::real(head) >= 0 ? -length : length;
    for (W& element : made.tail)
        element /= head - diagonal;
    made.tau = conjugateOf(W((diagonal - head) / diagonal));
    return made;
}

template <class W>
void factorizeQr(std::span<W> a, const QrSizes& sizes, std::span<W> q)
{
    std::vector<Reflection<W>> reflections;
    for (std::int64_t step = 0; step < sizes.steps(); ++step) {
        stopIfAsked();
        reflections.push_back(reflectionOf(a, sizes, step));
        reflections.back().apply(a, sizes.columns, step, reflections.back().tau);
    }
    for (std::size_t i = 0; i < q.size(); ++i)
        q[i] = W(double(std::int64_t(i) / sizes.qColumns == std::int64_t(i) % sizes.qColumns));
    for (std::size_t i = reflections.size(); i-- > 0;)
        reflections[i].apply(q, sizes.qColumns, 0, conjugateOf(reflections[i].tau));
}

template <class T>
Status decomposeEach(KernelContext& context, const QrSizes& sizes, Value& q, Value& r)
{
    using W = Precise<T>;
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto work, context.allocate(dtypeOf<W>(), {sizes.rows, sizes.columns}));
    ASSIGN_OR_RETURN(auto left, context.allocate(dtypeOf<W>(), {sizes.rows, sizes.qColumns}));
    const auto a = work.template mutableAs<W>();
    const auto b = left.template mutableAs<W>();
    const auto toR = r.mutableAs<T>();
    const std::int64_t eachR = sizes.qColumns * sizes.columns;
    const std::int64_t batch = x.elements() / std::int64_t(a.size());
    for (std::int64_t i = 0; i < batch; ++i) {
        std::ranges::transform(x.as<T>().subspan(std::size_t(i) * a.size(), a.size()), a.begin(),
                               [](T value) { return W(value); });
        factorizeQr<W>(a, sizes, b);
        std::ranges::transform(b, q.mutableAs<T>().begin() + i * std::int64_t(b.size()),
                               [](W value) { return T(value); });
        for (std::int64_t k = 0; k < eachR; ++k)
            toR[std::size_t(i * eachR + k)] =
                k % sizes.columns < k / sizes.columns ? T(0) : T(a[std::size_t(k)]);
    }
    return Done{};
}

Status runQr(KernelContext& context)
{
    const Value& x = context.input(0);
    if (x.rank() < 2)
        return context.error("needs matrices, but the shape is " + dimsText(x.dims()));
    QrSizes sizes{x.dim(x.rank() - 2), x.dim(x.rank() - 1)};
    sizes.qColumns = context.boolAttr("full_matrices") ? sizes.rows : sizes.steps();
    Dims qDims = x.dims();
    Dims rDims = x.dims();
    qDims.back() = sizes.qColumns;
    rDims[rDims.size() - 2] = sizes.qColumns;
    ASSIGN_OR_RETURN(auto q, context.makeOutput(0, x.dtype(), qDims));
    ASSIGN_OR_RETURN(auto r, context.makeOutput(1, x.dtype(), rDims));
    Status status = Done{};
    const bool known = dispatch(MatrixTypes(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        if (x.elements() > 0) {
            status = decomposeEach<T>(context, sizes, q, r);
            return;
        }
        const auto units = q.template mutableAs<T>(); // for matrices without columns
        for (std::size_t i = 0; i < units.size(); ++i) {
            const auto inMatrix = std::int64_t(i) % (sizes.rows * sizes.qColumns);
            units[i] = T(float(inMatrix / sizes.qColumns == inMatrix % sizes.qColumns));
        }
    });
    return known ? status : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(Qr, runQr);

} // namespace lapidary
