// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED and BATCH_MATMUL of TFLite on 8-bit codes, as its reference kernels compute them.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/tflite/code_products.h"
#include "runner/kernels/tflite/wide_code_layer.h"
#include "runner/threads/parallel_for.h"

namespace lapidary {
namespace {

// Returns the sizes of the output for weights [out, in] and rows of `in` numbers.
Result<Dims> denseDims(const KernelContext& context)
{
    const Value& x = context.input(0);
    const Dims w = context.input(1).dims();
    const Error unfit = context.error("weights of shape " + dimsText(w) +
                                      " do not fit data of shape " + dimsText(x.dims()));
    if (w.size() != 2 || w[1] == 0 || x.elements() % w[1] != 0)
        return unfit;
    Dims dims{x.elements() / w[1], w[0]};
    if (context.boolAttr("keep_num_dims") && x.rank() > 0) {
        dims = x.dims();
        if (dims.back() != w[1])
            return unfit;
        dims.back() = w[0];
    }
    return dims;
}

Status runFullyConnected(KernelContext& context)
{
    RETURN_IF_ERROR(checkCodes(context, 2, {0, 1}));
    ASSIGN_OR_RETURN(const Dims dims, denseDims(context));
    const Dims w = context.input(1).dims();
    ASSIGN_OR_RETURN(const auto layer, CodeLayer::of(context, {}, w[0], LayerKind::Dense));
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, layer.dtype(), dims));
    std::uint8_t* to = y.mutableAs<std::uint8_t>().data();
    parallelFor(y.elements(), w[1] / 8 + 1, [&](auto begin, auto end) {
        for (std::int64_t at = begin; at < end; ++at) {
            const std::int64_t channel = at % w[0];
            const std::int16_t* row = layer.data() + at / w[0] * w[1];
            to[at] = layer.code(dotProduct(row, layer.weights() + channel * w[1], w[1]), channel);
        }
    });
    return Done{};
}

// FullyConnected for data of 16 bits, whose sums take 64.
Status runWideFullyConnected(KernelContext& context)
{
    RETURN_IF_ERROR(checkWideCodes(context));
    ASSIGN_OR_RETURN(const Dims dims, denseDims(context));
    const Dims w = context.input(1).dims();
    ASSIGN_OR_RETURN(const auto layer, WideCodeLayer::of(context, w[0]));
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, DType::Int16, dims));
    std::int16_t* to = y.mutableAs<std::int16_t>().data();
    parallelFor(y.elements(), w[1] / 4 + 1, [&](auto begin, auto end) {
        for (std::int64_t at = begin; at < end; ++at)
            to[at] = layer.code(layer.product(at / w[0] * w[1], at % w[0] * w[1], w[1]), at % w[0]);
    });
    return Done{};
}

// Returns the matrix with rows of the numbers that are summed; if `swaps`, it is transposed.
std::vector<std::int16_t> rowsOf(const std::int16_t* matrix, std::int64_t rows,
                                 std::int64_t columns, bool swaps)
{
    std::vector<std::int16_t> made(std::size_t(rows * columns));
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
            made[std::size_t(swaps ? c * rows + r : r * columns + c)] = matrix[r * columns + c];
    return made;
}

struct Matrix {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    Dims before; // sizes of the axes before the matrices

    explicit Matrix(const Dims& dims)
        : rows(dims[dims.size() - 2])
        , columns(dims.back())
        , before(dims.begin(), dims.end() - 2)
    {
    }
};

Status runBatchMatMul(KernelContext& context)
{
    RETURN_IF_ERROR(checkCodes(context, 2, {0, 1}));
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    if (x.rank() < 2 || y.rank() < 2)
        return context.error("both factors must be matrices, but are of shape " +
                             dimsText(x.dims()) + " and " + dimsText(y.dims()));
    const Matrix left(x.dims());
    const Matrix right(y.dims());
    const bool swapsLeft = context.boolAttr("adj_x");
    const bool swapsRight = context.boolAttr("adj_y");
    const std::int64_t rows = swapsLeft ? left.columns : left.rows;
    const std::int64_t depth = swapsLeft ? left.rows : left.columns;
    const std::int64_t columns = swapsRight ? right.rows : right.columns;
    const auto batches = Broadcast::of(left.before, right.before);
    if (!batches || depth != (swapsRight ? right.columns : right.rows))
        return context.error("matrices of shape " + dimsText(x.dims()) + " and " +
                             dimsText(y.dims()) + " cannot be multiplied");
    ASSIGN_OR_RETURN(const auto layer, CodeLayer::of(context, {.bias = context.inputCount()},
                                                     columns, LayerKind::Product));
    Dims dims = batches->output;
    dims.push_back(rows);
    dims.push_back(columns);
    ASSIGN_OR_RETURN(auto z, context.makeOutput(0, layer.dtype(), dims));
    if (z.elements() == 0)
        return Done{};
    std::uint8_t* to = z.mutableAs<std::uint8_t>().data();
    const auto multiply = [&](std::int64_t a, std::int64_t b, std::int64_t at) {
        const auto lines =
            rowsOf(layer.data() + a * rows * depth, left.rows, left.columns, swapsLeft);
        const auto others =
            rowsOf(layer.weights() + b * depth * columns, right.rows, right.columns, !swapsRight);
        std::uint8_t* made = to + at * rows * columns;
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                made[i * columns + j] = layer.code(
                    dotProduct(lines.data() + i * depth, others.data() + j * depth, depth), j);
    };
    eachRun(*batches, [&](std::int64_t a, std::int64_t b, std::int64_t at, Broadcast::Axis axis) {
        for (std::int64_t i = 0; i < axis.size; ++i)
            multiply(a + i * axis.xStep, b + i * axis.yStep, at + i);
    });
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(_Tflite_BATCH_MATMUL, runBatchMatMul);
LAPIDARY_KERNEL(_Tflite_FULLY_CONNECTED, runFullyConnected);
LAPIDARY_KERNEL(_Tflite_FULLY_CONNECTED_16X8, runWideFullyConnected);

} // namespace lapidary
