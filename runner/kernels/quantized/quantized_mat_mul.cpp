// SPDX-License-Identifier: Apache-2.0
// QuantizedMatMul: a product of matrices of codes minus the codes of 0, with int32 sums (spec:
// kernels, B7). It runs as a convolution with a filter of 1x1.
#include "runner/kernels/kernel.h"
#include "runner/kernels/linear/matrix_product.h"
#include "runner/kernels/quantized/packed_filter.h"
#include "runner/kernels/quantized/ranges.h"
#include "runner/kernels/scratch.h"

#include <algorithm>
#include <optional>

namespace lapidary {
namespace {

using Bytes = Scratch<std::uint8_t>;

void transpose(const Value& matrix, std::span<std::uint8_t> out)
{
    const auto rows = std::size_t(matrix.dim(0));
    const auto columns = std::size_t(matrix.dim(1));
    const auto from = matrix.as<std::uint8_t>();
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            out[c * rows + r] = from[r * columns + c];
}

// Returns the bytes of input `i`; if `transposed`, transposes them into `store`.
Result<const std::uint8_t*> operand(const KernelContext& context, std::size_t i, bool transposed,
                                    std::optional<Bytes>& store)
{
    const Value& matrix = context.input(i);
    if (!transposed)
        return matrix.as<std::uint8_t>().data();
    ASSIGN_OR_RETURN(auto bytes, Bytes::make(context.session().pool, matrix.elements()));
    store = std::move(bytes);
    transpose(matrix, store->all());
    return static_cast<const std::uint8_t*>(store->all().data());
}

Result<int8::Convolution> geometryOf(const KernelContext& context, bool transposeA, bool transposeB)
{
    ASSIGN_OR_RETURN(const auto matrices, matrixProductOf(context, transposeA, transposeB));
    int8::Convolution product;
    product.width = product.outWidth = matrices.rows;
    product.channels = matrices.depth;
    product.filters = matrices.columns;
    return product;
}

// Multiplies; empty sums are 0.
Status multiply(KernelContext& context, const int8::Convolution& product, int8::Zeros zeros,
                const std::uint8_t* a, const PackedFilter::Filter& b, Value& out)
{
    const auto sums = out.mutableAs<std::int32_t>();
    if (product.channels == 0)
        std::ranges::fill(sums, 0);
    if (sums.empty() || product.channels == 0)
        return Done{};
    return context.state<PackedFilter>().run(context, product, b,
                                             {.zeros = zeros, .input = a, .out = sums.data()});
}

Status runQuantizedMatMul(KernelContext& context)
{
    const bool transposeA = context.boolAttr("transpose_a");
    const bool transposeB = context.boolAttr("transpose_b");
    ASSIGN_OR_RETURN(auto product, geometryOf(context, transposeA, transposeB));
    ASSIGN_OR_RETURN(const auto aRange, growingRangeOf(context, 2, "a"));
    ASSIGN_OR_RETURN(const auto bRange, growingRangeOf(context, 4, "b"));
    const int8::Zeros zeros{std::int32_t(unclampedCode<std::uint8_t>(0, aRange)),
                            std::int32_t(unclampedCode<std::uint8_t>(0, bRange))};
    ASSIGN_OR_RETURN(auto out,
                     context.makeOutput(0, DType::QInt32, {product.width, product.filters}));
    std::optional<Bytes> aStore;
    std::optional<Bytes> bStore;
    ASSIGN_OR_RETURN(const auto a, operand(context, 0, transposeA, aStore));
    const PackedFilter::Filter filter{context.input(1),
                                      [&] { return operand(context, 1, transposeB, bStore); }};
    if (const Status summed = multiply(context, product, zeros, a, filter, out); !summed)
        return summed;
    return setRange(context, productRange<std::uint8_t, std::uint8_t>(aRange, bRange));
}

} // namespace

LAPIDARY_KERNEL(QuantizedMatMul, runQuantizedMatMul);

} // namespace lapidary
