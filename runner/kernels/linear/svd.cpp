// SPDX-License-Identifier: Apache-2.0
// Svd: x = u diag(s) v* of each matrix, the singular values from large to small. Columns of u and v
// are unique only up to a factor of magnitude 1. Matrices with a value that is not finite give NaN.
#include "runner/kernels/linear/jacobi_svd.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

using jacobi::Decomposition;
using jacobi::Vectors;

// The outputs, and their sizes for one matrix.
struct Factors {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t least = 0;
    std::int64_t uColumns = 0;
    std::int64_t vColumns = 0;
    bool hasVectors = true;
    Value s;
    Value u;
    Value v;
};

// Stores `count` vectors as the columns of matrix `index` of an output.
template <class T, class W>
void store(Vectors<W>& vectors, std::int64_t count, Value& out, std::int64_t index)
{
    T* const at = out.mutableAs<T>().data() + index * count * vectors.length;
    for (std::int64_t k = 0; k < count; ++k)
        for (std::int64_t i = 0; i < vectors.length; ++i)
            at[i * count + k] = T(vectors[k][std::size_t(i)]);
}

template <class T>
void storeUnknown(Factors& factors, std::int64_t index)
{
    const auto fill = [&](Value& out, std::int64_t each) {
        T* const at = out.mutableAs<T>().data() + index * each;
        std::fill(at, at + each, T(std::numeric_limits<float>::quiet_NaN()));
    };
    fill(factors.s, factors.least);
    if (factors.hasVectors) {
        fill(factors.u, factors.rows * factors.uColumns);
        fill(factors.v, factors.columns * factors.vColumns);
    }
}

// Decomposes matrix `index` of the batch. For wide ones, the conjugate transpose is decomposed: a*
// = v diag(s) u*.
template <class T>
bool decompose(const T* x, std::int64_t index, Factors& factors, const Job& job)
{
    using W = Precise<T>;
    const bool isWide = factors.columns > factors.rows;
    const std::int64_t length = isWide ? factors.columns : factors.rows;
    Decomposition<W> made(factors.least, length, isWide ? factors.vColumns : factors.uColumns);
    bool isFinite = true;
    for (std::int64_t row = 0; row < factors.rows; ++row)
        for (std::int64_t column = 0; column < factors.columns; ++column) {
            const W value = W(x[row * factors.columns + column]);
            isFinite = isFinite && std::isfinite(std::abs(value));
            (isWide ? made.u[row][std::size_t(column)] : made.u[column][std::size_t(row)]) =
                isWide ? conjugateOf(value) : value;
        }
    if (!isFinite) {
        storeUnknown<T>(factors, index);
        return true;
    }
    if (!made.run(job))
        return false;
    T* const s = factors.s.mutableAs<T>().data() + index * factors.least;
    std::ranges::transform(made.s, s, [](double value) { return T(W(value)); });
    if (factors.hasVectors) {
        store<T>(isWide ? made.v : made.u, factors.uColumns, factors.u, index);
        store<T>(isWide ? made.u : made.v, factors.vColumns, factors.v, index);
    }
    return true;
}

Result<Factors> makeFactors(KernelContext& context)
{
    const Value& x = context.input(0);
    if (x.rank() < 2)
        return context.error("needs matrices, but the shape is " + dimsText(x.dims()));
    Factors factors;
    factors.rows = x.dims()[x.dims().size() - 2];
    factors.columns = x.dims().back();
    factors.least = std::min(factors.rows, factors.columns);
    factors.hasVectors = context.boolAttr("compute_uv", true);
    const bool isFull = context.boolAttr("full_matrices");
    factors.uColumns = isFull ? factors.rows : factors.least;
    factors.vColumns = isFull ? factors.columns : factors.least;
    const Dims batch(x.dims().begin(), x.dims().end() - 2);
    const auto dimsOf = [&](std::initializer_list<std::int64_t> sizes) {
        Dims dims = batch;
        dims.insert(dims.end(), sizes);
        return dims;
    };
    ASSIGN_OR_RETURN(factors.s, context.makeOutput(0, x.dtype(), dimsOf({factors.least})));
    const bool has = factors.hasVectors;
    ASSIGN_OR_RETURN(
        factors.u,
        context.makeOutput(1, x.dtype(), has ? dimsOf({factors.rows, factors.uColumns}) : Dims{0}));
    ASSIGN_OR_RETURN(
        factors.v, context.makeOutput(2, x.dtype(),
                                      has ? dimsOf({factors.columns, factors.vColumns}) : Dims{0}));
    return factors;
}

// For matrices without elements, u and v are unit matrices, if they have elements.
template <class T>
void setUnits(Value& out, std::int64_t rows, std::int64_t columns)
{
    const auto elements = out.mutableAs<T>();
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto inMatrix = std::int64_t(i) % (rows * columns);
        elements[i] = T(float(inMatrix / columns == inMatrix % columns));
    }
}

template <class T>
Status decomposeAll(KernelContext& context, Factors& factors)
{
    const Value& x = context.input(0);
    if (x.elements() == 0) {
        setUnits<T>(factors.u, factors.rows, factors.uColumns);
        setUnits<T>(factors.v, factors.columns, factors.vColumns);
        return Done{};
    }
    const std::int64_t each = factors.rows * factors.columns;
    for (std::int64_t i = 0; i < x.elements() / each; ++i) {
        if (!decompose(x.as<T>().data() + i * each, i, factors, context.job()))
            return cancelledError();
    }
    return Done{};
}

Status runSvd(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto factors, makeFactors(context));
    Status status = Done{};
    const bool known = dispatch(MatrixTypes(), context.input(0).dtype(), [&](auto zero) {
        status = decomposeAll<decltype(zero)>(context, factors);
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    return status;
}

} // namespace

LAPIDARY_KERNEL(BatchSvd, runSvd);
LAPIDARY_KERNEL(Svd, runSvd);

} // namespace lapidary
