// QuantizedMatMul: a product of matrices of codes, less the codes of 0, with int32 sums (spec:
// kernels, B7). It runs as a convolution with a filter of 1x1.
#include "runner/kernels/linear/matrix_product.h"
#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/quantised/packed_filter.h"
#include "runner/kernels/quantised/ranges.h"
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

// The bytes of input `i`, transposed into `store` where asked for.
Result<const std::uint8_t*> operand(const KernelContext& context, std::size_t i, bool transposed,
                                    std::optional<Bytes>& store)
{
    const Value& matrix = context.input(i);
    if (!transposed)
        return matrix.as<std::uint8_t>().data();
    auto bytes = Bytes::make(context.session().pool, matrix.elements());
    if (!bytes)
        return bytes.error();
    store = std::move(bytes).value();
    transpose(matrix, store->all());
    return static_cast<const std::uint8_t*>(store->all().data());
}

Result<int8::Convolution> geometryOf(const KernelContext& context, bool transposeA, bool transposeB)
{
    const auto matrices = matrixProductOf(context, transposeA, transposeB);
    if (!matrices)
        return matrices.error();
    int8::Convolution product;
    product.width = product.outWidth = matrices.value().rows;
    product.channels = matrices.value().depth;
    product.filters = matrices.value().columns;
    return product;
}

// Sums over nothing are 0.
Status multiply(KernelContext& context, const int8::Convolution& product, int8::Zeros zeros,
                const std::uint8_t* a, const PackedFilter::Filter& b, Value& out)
{
    const auto sums = out.mutableAs<std::int32_t>();
    if (product.channels == 0)
        std::ranges::fill(sums, 0);
    if (sums.empty() || product.channels == 0)
        return Done{};
    return context.state<PackedFilter>().run(context, product, zeros, a, b, sums.data());
}

Status run(KernelContext& context)
{
    const bool transposeA = context.boolAttr("transpose_a");
    const bool transposeB = context.boolAttr("transpose_b");
    auto product = geometryOf(context, transposeA, transposeB);
    if (!product)
        return product.error();
    const auto aRange = growingRangeOf(context, 2, "a");
    if (!aRange)
        return aRange.error();
    const auto bRange = growingRangeOf(context, 4, "b");
    if (!bRange)
        return bRange.error();
    const int8::Zeros zeros{std::int32_t(unclampedCode<std::uint8_t>(0, aRange.value())),
                            std::int32_t(unclampedCode<std::uint8_t>(0, bRange.value()))};
    auto out =
        context.makeOutput(0, DType::QInt32, {product.value().width, product.value().filters});
    if (!out)
        return out.error();
    std::optional<Bytes> aStore;
    std::optional<Bytes> bStore;
    const auto a = operand(context, 0, transposeA, aStore);
    if (!a)
        return a.error();
    const PackedFilter::Filter filter{context.input(1),
                                      [&] { return operand(context, 1, transposeB, bStore); }};
    if (const Status summed =
            multiply(context, product.value(), zeros, a.value(), filter, out.value());
        !summed)
        return summed;
    return setRange(context,
                    productRange<std::uint8_t, std::uint8_t>(aRange.value(), bRange.value()));
}

} // namespace

const Kernel kernels::quantizedMatMul{.op = "QuantizedMatMul", .run = run};

} // namespace lapidary
