// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/linear/matrix_product.h"

#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/onednn/gemm.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>

namespace lapidary {
namespace {

// Below this many products the library's call costs more than the work.
constexpr std::int64_t tinyWork = 2048;

template <class W, class T>
std::vector<W> arranged(const T* from, std::int64_t rows, std::int64_t columns, bool transpose,
                        bool conjugate)
{
    std::vector<W> to(std::size_t(rows * columns));
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
            W value = wide(from[transpose ? j * rows + i : i * columns + j]);
            if constexpr (isComplex<W>)
                value = transpose && conjugate ? std::conj(value) : value;
            to[std::size_t(i * columns + j)] = value;
        }
    return to;
}

template <class W>
void sumRow(const W* a, const W* b, W* c, const MatrixProduct& p)
{
    std::fill_n(c, p.columns, W(0));
    for (std::int64_t k = 0; k < p.depth; ++k) {
        const W factor = a[k];
        for (std::int64_t j = 0; j < p.columns; ++j)
            c[j] = wrapping::add(c[j], wrapping::mul(factor, b[k * p.columns + j]));
    }
}

template <class W>
void plainProduct(const MatrixProduct& p, const W* a, const W* b, W* c, const Job& job)
{
    const std::int64_t cost = std::max<std::int64_t>(p.depth * p.columns / 2, 1);
    parallelFor(p.rows, cost, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end && !job.cancelled(); ++i)
            sumRow(a + i * p.depth, b, c + i * p.columns, p);
    });
}

Status floatProduct(KernelContext& context, const MatrixProduct& p, const float* a, const float* b,
                    float* c)
{
    const bool tiny = double(p.rows) * double(p.columns) * double(p.depth) < tinyWork;
    if (tiny && !p.transposeA && !p.transposeB) {
        plainProduct(p, a, b, c, context.job());
        return Done{};
    }
    const Status status = onednn::multiply({.transposeA = p.transposeA,
                                            .transposeB = p.transposeB,
                                            .rows = p.rows,
                                            .columns = p.columns,
                                            .depth = p.depth},
                                           a, b, c);
    return status ? status : context.error(status.error().message);
}

// Computes in W: float for the narrow types.
template <class T>
Status productOf(KernelContext& context, const MatrixProduct& p, const T* a, const T* b, T* c)
{
    using W = decltype(wide(T()));
    if constexpr (std::is_same_v<T, float>) {
        return floatProduct(context, p, a, b, c);
    } else if constexpr (!std::is_same_v<T, W>) {
        const auto x = arranged<W>(a, p.rows, p.depth, p.transposeA, false);
        const auto y = arranged<W>(b, p.depth, p.columns, p.transposeB, false);
        std::vector<W> sums(std::size_t(p.rows * p.columns));
        MatrixProduct plain = p;
        plain.transposeA = plain.transposeB = false;
        const Status status = floatProduct(context, plain, x.data(), y.data(), sums.data());
        std::ranges::transform(sums, c, [](W sum) { return T(sum); });
        return status;
    } else {
        std::vector<T> x;
        std::vector<T> y;
        if (p.transposeA)
            x = arranged<T>(a, p.rows, p.depth, true, p.conjugate);
        if (p.transposeB)
            y = arranged<T>(b, p.depth, p.columns, true, p.conjugate);
        plainProduct(p, p.transposeA ? x.data() : a, p.transposeB ? y.data() : b, c, context.job());
        return Done{};
    }
}

} // namespace

Result<MatrixProduct> matrixProductOf(const KernelContext& context, bool transposeA,
                                      bool transposeB)
{
    const Value& a = context.input(0);
    const Value& b = context.input(1);
    for (std::size_t i = 0; i < 2; ++i)
        if (context.input(i).rank() != 2)
            return context.error("input " + std::to_string(i) + " must be a matrix, but is " +
                                 dimsText(context.input(i).dims()));
    const MatrixProduct product{.transposeA = transposeA,
                                .transposeB = transposeB,
                                .rows = a.dim(transposeA ? 1 : 0),
                                .columns = b.dim(transposeB ? 0 : 1),
                                .depth = a.dim(transposeA ? 0 : 1)};
    if (product.depth != b.dim(transposeB ? 1 : 0))
        return context.error("the matrices' sizes do not fit: " + dimsText(a.dims()) + " and " +
                             dimsText(b.dims()));
    return product;
}

Status multiplyMatrices(KernelContext& context, const MatrixProduct& p, MatrixAt<const Value> a,
                        MatrixAt<const Value> b, MatrixAt<Value> c)
{
    using Types =
        TypeList<float, double, Half, BFloat16, std::int32_t, std::int64_t, Complex64, Complex128>;
    Status status = Done{};
    const bool known = dispatch(Types(), a.tensor.dtype(), [&](auto zero) {
        using T = decltype(zero);
        T* to = c.tensor.mutableAs<T>().data() + c.first;
        if (p.depth == 0 || p.rows == 0 || p.columns == 0)
            std::fill_n(to, p.rows * p.columns, T(0));
        else
            status = productOf<T>(context, p, a.tensor.as<T>().data() + a.first,
                                  b.tensor.as<T>().data() + b.first, to);
    });
    return known ? status : context.error("has no kernel for " + dtypeName(a.tensor.dtype()));
}

} // namespace lapidary
