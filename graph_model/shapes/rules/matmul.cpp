// SPDX-License-Identifier: Apache-2.0
// Products of matrices, and other linear algebra.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"
#include "graph_model/tensor/einsum_equation.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

Shape productOf(RuleContext& context)
{
    const Shape a = context.ranked(0, 2);
    const Shape b = context.ranked(1, 2);
    const bool turnsA = context.attrs().flag("transpose_a");
    const bool turnsB = context.attrs().flag("transpose_b");
    context.merge(a.dims[turnsA ? 0 : 1], b.dims[turnsB ? 1 : 0]);
    return {{a.dims[turnsA ? 1 : 0], b.dims[turnsB ? 0 : 1]}, false};
}

void matMul(RuleContext& context)
{
    context.set(0, productOf(context));
}

void quantizedMatMul(RuleContext& context)
{
    context.set(0, productOf(context));
    for (std::size_t i = 2; i < 6; ++i)
        context.ranked(i, 0);
    context.set(1, Shape{});
    context.set(2, Shape{});
}

void batchProduct(RuleContext& context, bool broadcasts)
{
    const Shape a = context.rankedAtLeast(context.input(0), 2);
    const Shape b = context.rankedAtLeast(context.input(1), 2);
    const bool turnsA = context.attrs().flag("adj_x");
    const bool turnsB = context.attrs().flag("adj_y");
    const std::int64_t rows = sizeAt(a, turnsA ? -1 : -2);
    const std::int64_t columns = sizeAt(b, turnsB ? -2 : -1);
    const Shape batchA = partOf(a, 0, -2);
    const Shape batchB = partOf(b, 0, -2);
    const Shape batch =
        broadcasts ? broadcastShape(context, batchA, batchB) : context.merge(batchA, batchB);
    context.merge(sizeAt(a, turnsA ? -2 : -1), sizeAt(b, turnsB ? -1 : -2));
    context.set(0, joined(batch, {{rows, columns}, false}));
}

void batchMatMul(RuleContext& context)
{
    batchProduct(context, false);
}

void batchMatMulV2(RuleContext& context)
{
    batchProduct(context, true);
}

void squareMatrix(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    const std::int64_t size = context.merge(sizeAt(input, -2), sizeAt(input, -1));
    context.setAll(withDim(withDim(input, -1, size), -2, size));
}

void determinant(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    context.merge(sizeAt(input, -2), sizeAt(input, -1));
    context.setAll(partOf(input, 0, -2));
}

void diag(RuleContext& context)
{
    context.set(0, joined(context.input(0), context.input(0)));
}

void diagPart(RuleContext& context)
{
    const Shape& input = context.input(0);
    if (input.unknownRank)
        return;
    if (input.dims.size() % 2 != 0 || input.dims.empty()) {
        context.fail("Input must have even and non-zero rank, input rank is " +
                     std::to_string(input.dims.size()));
        return;
    }
    const auto half = std::int64_t(input.dims.size() / 2);
    context.set(0, context.merge(partOf(input, 0, half), partOf(input, half)));
}

void cross(RuleContext& context)
{
    const Shape vectors = context.merge(context.input(0), context.input(1));
    context.merge(sizeAt(vectors, -1), 3);
    context.set(0, vectors);
}

// Checks the square matrices of the first input and the right-hand sides.
void matrixSolve(RuleContext& context)
{
    const Shape matrix = context.rankedAtLeast(context.input(0), 2);
    const Shape right = context.rankedAtLeast(context.input(1), 2);
    const Shape batch = context.merge(partOf(matrix, 0, -2), partOf(right, 0, -2));
    const std::int64_t rows = context.merge(sizeAt(matrix, -2), sizeAt(right, -2));
    const std::int64_t size = context.merge(rows, sizeAt(matrix, -1));
    context.set(0, joined(batch, {{size, sizeAt(right, -1)}, false}));
}

// The first factor has as many columns as the second has rows.
void qrFactors(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    const bool isFull = context.attrs().flag("full_matrices");
    const std::int64_t inner =
        isFull ? sizeAt(input, -2) : smaller(sizeAt(input, -2), sizeAt(input, -1));
    context.set(0, withDim(input, -1, inner));
    context.set(1, withDim(input, -2, inner));
}

// Returns as many singular values as the smaller side; vectors on request.
void singularValues(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    const std::int64_t rows = sizeAt(input, -2);
    const std::int64_t columns = sizeAt(input, -1);
    const std::int64_t count = smaller(rows, columns);
    const Shape batch = partOf(input, 0, -2);
    const bool isFull = context.attrs().flag("full_matrices");
    context.setAll({{0}, false});
    context.set(0, joined(batch, {{count}, false}));
    if (!context.attrs().flag("compute_uv", true))
        return;
    context.set(1, joined(batch, {{rows, isFull ? rows : count}, false}));
    context.set(2, joined(batch, {{columns, isFull ? columns : count}, false}));
}

void luFactors(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    const std::int64_t size = context.merge(sizeAt(input, -2), sizeAt(input, -1));
    const Shape matrices = withDim(withDim(input, -1, size), -2, size);
    context.set(0, matrices);
    context.set(1, partOf(matrices, 0, -1));
}

void eigenvalues(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    const std::int64_t size = context.merge(sizeAt(input, -2), sizeAt(input, -1));
    const Shape matrices = withDim(withDim(input, -1, size), -2, size);
    context.set(0, partOf(matrices, 0, -1));
    context.set(1, context.attrs().flag("compute_v", true) ? matrices : Shape{{0}, false});
}

// The eigenvalues are a row above the eigenvectors.
void eigenvaluesAbove(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    const std::int64_t size = context.merge(sizeAt(input, -2), sizeAt(input, -1));
    context.set(0, withDim(withDim(input, -1, size), -2, sum(context, size, 1)));
}

// Takes three diagonals of one shape; the right-hand side has as many rows.
void tridiagonalProduct(RuleContext& context)
{
    Shape diagonals = context.rankedAtLeast(context.input(0), 2);
    for (std::size_t i = 1; i < 3; ++i)
        diagonals = context.merge(diagonals, context.input(i));
    const Shape right = context.rankedAtLeast(context.input(3), 2);
    context.merge(partOf(diagonals, 0, -2), partOf(right, 0, -2));
    context.merge(sizeAt(diagonals, -1), sizeAt(right, -2));
    context.set(0, right);
}

// The three diagonals are rows of the first input.
void tridiagonalSolve(RuleContext& context)
{
    const Shape diagonals = context.rankedAtLeast(context.input(0), 2);
    const Shape right = context.rankedAtLeast(context.input(1), 2);
    context.merge(partOf(diagonals, 0, -2), partOf(right, 0, -2));
    context.merge(sizeAt(diagonals, -2), 3);
    context.merge(sizeAt(diagonals, -1), sizeAt(right, -2));
    context.set(0, right);
}

// The result has as many rows as the matrix has columns, and as many columns as the right-hand
// sides.
void leastSquares(RuleContext& context)
{
    const Shape left = context.rankedAtLeast(context.input(0), 2);
    const Shape right = context.rankedAtLeast(context.input(1), 2);
    context.merge(sizeAt(left, -2), sizeAt(right, -2));
    context.ranked(2, 0);
    const Shape batch = context.merge(partOf(left, 0, -2), partOf(right, 0, -2));
    context.set(0, joined(batch, {{sizeAt(left, -1), sizeAt(right, -1)}, false}));
}

void einsum(RuleContext& context)
{
    const std::string_view text = context.attrs().string("equation");
    std::vector<Shape> inputs;
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        inputs.push_back(context.input(i));
    const bool isOpen = std::ranges::any_of(inputs, &Shape::unknownRank);
    const auto equation = readEinsum(text, inputs);
    if (!equation)
        return context.fail(equation.error().message);
    const auto sizes = einsumSizes(*equation, inputs);
    if (!sizes)
        return context.fail(sizes.error().message);
    if (isOpen && hasEllipsis(text))
        return;
    Shape output;
    for (const char label : equation->output)
        output.dims.push_back(sizes->at(label));
    context.set(0, output);
}

// TensorFlow only reads the equation if the ranks are known.
void xlaEinsum(RuleContext& context)
{
    if (!context.input(0).unknownRank && !context.input(1).unknownRank)
        einsum(context);
}

constexpr ShapeRule matmulTable[] = {
    {"BatchMatMul", batchMatMul},
    {"BatchMatMulV2", batchMatMulV2},
    {"Cholesky", squareMatrix},
    {"CholeskyGrad", squareMatrix},
    {"Cross", cross},
    {"Diag", diag},
    {"DiagPart", diagPart},
    {"Einsum", einsum},
    {"LogMatrixDeterminant", determinant},
    {"Lu", luFactors},
    {"MatMul", matMul},
    {"MatrixBandPart", same},
    {"MatrixDeterminant", determinant},
    {"MatrixExponential", squareMatrix},
    {"MatrixInverse", squareMatrix},
    {"MatrixLogarithm", squareMatrix},
    {"MatrixSolve", matrixSolve},
    {"MatrixSolveLs", leastSquares},
    {"MatrixSquareRoot", squareMatrix},
    {"MatrixTriangularSolve", matrixSolve},
    {"Qr", qrFactors},
    {"QuantizedMatMul", quantizedMatMul},
    {"SelfAdjointEig", eigenvaluesAbove},
    {"SelfAdjointEigV2", eigenvalues},
    {"SparseMatMul", matMul},
    {"Svd", singularValues},
    {"TridiagonalMatMul", tridiagonalProduct},
    {"TridiagonalSolve", tridiagonalSolve},
    {"XlaEinsum", xlaEinsum},
    {"_FusedMatMul", matMul},
};

} // namespace

std::span<const ShapeRule> matmulRules()
{
    return matmulTable;
}

} // namespace lapidary
