// SPDX-License-Identifier: Apache-2.0
// Lifts support vector machines for regression and for outliers.
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_classes.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <array>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

// Multiplies x [rows, features] by the transposed matrix y.
std::string timesTransposed(LiftDraft& d, const std::string& x, const std::string& y)
{
    return d.step("MatMul", {x, y},
                  {typeAttr("T", DType::Float),
                   {"transpose_a", attr::fromBool(false)},
                   {"transpose_b", attr::fromBool(true)}});
}

// Applies the kernel to each row and each vector [vectors, features]; empty if the kernel is
// unknown.
std::string nearness(LiftDraft& d, const std::string& x, const std::string& vectors)
{
    const std::string_view kernel = d.textAttr("kernel_type");
    std::vector<float> numbers = d.node().attr("kernel_params").floats();
    numbers.resize(3, 0);
    const auto [gamma, offset, degree] = std::array{numbers[0], numbers[1], numbers[2]};
    if (kernel == "RBF") {
        const std::string away =
            steps::both(d, "SquaredDifference", steps::expandDims(d, x, DType::Float, 1), vectors);
        const std::string distance = steps::reduce(d, "Sum", away, DType::Float, {-1}, false);
        return steps::one(d, "Exp", steps::both(d, "Mul", distance, d.oneFloat(-gamma)));
    }
    const std::string product = timesTransposed(d, x, vectors);
    if (kernel.empty() || kernel == "LINEAR")
        return product;
    const std::string moved = steps::both(
        d, "AddV2", steps::both(d, "Mul", product, d.oneFloat(gamma)), d.oneFloat(offset));
    if (kernel == "POLY")
        return steps::both(d, "Pow", moved, d.oneFloat(degree));
    return kernel == "SIGMOID" ? steps::one(d, "Tanh", moved) : std::string();
}

bool liftSvmRegressor(LiftDraft& d)
{
    const std::string x = featuresOf(d, 0);
    const auto vectors = d.node().attr("support_vectors").floats();
    const auto coefficients = d.node().attr("coefficients").floats();
    const auto rho = d.node().attr("rho").floats();
    const std::int64_t count = d.intAttr("n_supports", 0);
    if (x.empty() || rho.empty() || coefficients.empty() || count < 0)
        return false;
    std::string near = x;
    if (count > 0) {
        if (coefficients.size() != std::size_t(count) || vectors.empty() ||
            vectors.size() % std::size_t(count) != 0)
            return false;
        const Ints dims{count, std::int64_t(vectors.size()) / count};
        near = nearness(d, x, d.floatList(dims, vectors));
        if (near.empty())
            return false;
    }
    const Ints row{1, std::int64_t(coefficients.size())};
    std::string made = timesTransposed(d, near, d.floatList(row, coefficients));
    made = steps::both(d, "AddV2", made, d.oneFloat(rho[0]));
    if (d.intAttr("one_class", 0) != 0)
        made = steps::select(d, steps::both(d, "Greater", made, d.oneFloat(0)), d.oneFloat(1),
                             d.oneFloat(-1), DType::Float);
    made = scoresAfter(d, made);
    if (made.empty())
        return false;
    d.give({made});
    return true;
}

constexpr std::array machines = std::to_array<OnnxLift>({
    {"ai.onnx.ml.SVMRegressor", liftSvmRegressor},
});

} // namespace

bool liftOnnxVectors(LiftDraft& draft)
{
    return liftFrom(machines, draft);
}

} // namespace lapidary
