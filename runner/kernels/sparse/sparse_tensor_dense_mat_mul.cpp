// SPDX-License-Identifier: Apache-2.0
// SparseTensorDenseMatMul: a sparse matrix, or its transpose, times a dense one, or its conjugate
// transpose: TensorFlow does not conjugate the sparse one.
#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

// The types that TensorFlow registers.
using ProductTypes = TypeList<float, double, BFloat16, std::int32_t, Complex64, Complex128>;

struct Product {
    std::vector<std::int64_t> indices; // pairs: row and column of a, or of its transpose
    std::int64_t rows = 0;
    std::int64_t inner = 0;
    std::int64_t columns = 0;
    bool adjointA = false;
    bool adjointB = false;
};

Result<Product> productOf(const KernelContext& context)
{
    const Value& indices = context.input(0);
    const Value& b = context.input(3);
    const auto shape = context.input(2).integers();
    if (shape.size() != 2 || indices.dim(1) != 2 || indices.dim(0) != context.input(1).dim(0))
        return context.error("indices " + dimsText(indices.dims()) + ", values " +
                             dimsText(context.input(1).dims()) + " and shape " +
                             dimsText(context.input(2).dims()) +
                             " are not a sparse matrix: [n,2], [n] and [2]");
    if (shape[0] < 0 || shape[1] < 0)
        return context.error("a_shape " + dimsText(shape) + " must not be negative");
    Product product;
    product.indices = indices.integers();
    product.adjointA = context.boolAttr("adjoint_a");
    product.adjointB = context.boolAttr("adjoint_b");
    product.rows = shape[product.adjointA ? 1 : 0];
    product.inner = shape[product.adjointA ? 0 : 1];
    product.columns = b.dim(product.adjointB ? 0 : 1);
    if (b.dim(product.adjointB ? 1 : 0) != product.inner)
        return context.error("a sparse matrix of shape " + dimsText(shape) +
                             (product.adjointA ? ", transposed," : "") +
                             " cannot be multiplied by one of shape " + dimsText(b.dims()) +
                             (product.adjointB ? ", transposed" : ""));
    for (std::size_t i = 0; i < product.indices.size(); ++i)
        if (product.indices[i] < 0 || product.indices[i] >= shape[i % 2])
            return context.error("index " + std::to_string(product.indices[i]) + " in row " +
                                 std::to_string(i / 2) + " of a_indices is not in an axis of " +
                                 std::to_string(shape[i % 2]));
    return product;
}

template <class T>
auto conjugateIf(const T& x, bool isAsked)
{
    if constexpr (isComplex<T>)
        return isAsked ? std::conj(x) : x;
    else
        return x;
}

template <class T>
void multiply(const Product& product, std::span<const T> a, std::span<const T> b, std::span<T> y)
{
    std::ranges::fill(y, T(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        stopIfAsked();
        const std::int64_t row = product.indices[2 * i + (product.adjointA ? 1 : 0)];
        const std::int64_t k = product.indices[2 * i + (product.adjointA ? 0 : 1)];
        const auto factor = wide(a[i]);
        for (std::int64_t column = 0; column < product.columns; ++column) {
            const std::int64_t from =
                product.adjointB ? column * product.inner + k : k * product.columns + column;
            T& to = y[std::size_t(row * product.columns + column)];
            const T element = conjugateIf(b[std::size_t(from)], product.adjointB);
            to = T(wrapping::add(wide(to), wide(T(wrapping::mul(factor, wide(element))))));
        }
    }
}

Status runProduct(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto product, productOf(context));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, context.input(1).dtype(),
                                                   {product.rows, product.columns}));
    const bool known = dispatch(ProductTypes(), made.dtype(), [&](auto zero) {
        using T = decltype(zero);
        multiply<T>(product, context.input(1).as<T>(), context.input(3).as<T>(),
                    made.template mutableAs<T>());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(made.dtype()));
}

} // namespace

LAPIDARY_KERNEL(SparseTensorDenseMatMul, runProduct,
                .ranks = {Rank::Matrix, Rank::Vector, Rank::Vector, Rank::Matrix});

} // namespace lapidary
