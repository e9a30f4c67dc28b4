// SPDX-License-Identifier: Apache-2.0
// Ops that scale by means and deviations, and softmax.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

Ints axesFrom(std::int64_t first, std::size_t rank)
{
    Ints axes;
    for (std::int64_t axis = first; axis < std::int64_t(rank); ++axis)
        axes.push_back(axis);
    return axes;
}

struct Normalized {
    std::string made;
    std::string mean;
    std::string root; // 1 / deviation
};

// Subtracts the mean of x and divides by its deviation along the axes.
Normalized normalizedBy(LiftDraft& d, const std::string& x, const Ints& axes, float epsilon)
{
    const std::string mean = steps::reduce(d, "Mean", x, DType::Float, axes, true);
    const std::string moved = steps::both(d, "Sub", x, mean);
    const std::string square = steps::one(d, "Square", moved);
    const std::string variance = steps::reduce(d, "Mean", square, DType::Float, axes, true);
    const std::string root =
        steps::one(d, "Rsqrt", steps::both(d, "AddV2", variance, d.oneFloat(epsilon)));
    return {steps::both(d, "Mul", moved, root), mean, root};
}

std::string normalized(LiftDraft& d, const std::string& x, const Ints& axes, float epsilon)
{
    return normalizedBy(d, x, axes, epsilon).made;
}

// Reshapes a value for each channel, for tensors with channels along axis 1.
std::string perChannel(LiftDraft& d, std::size_t slot, std::size_t rank)
{
    Ints dims(rank, 1);
    if (rank > 1)
        dims[1] = -1;
    return reshaped(d, d.in(slot), DType::Float, dims);
}

bool liftBatchNorm(LiftDraft& d)
{
    if (!isRankedFloat(d) || d.intAttr("training_mode", 0) != 0 || d.intAttr("spatial", 1) == 0)
        return false;
    const std::size_t rank = d.shape(0)->dims.size();
    Ints dims(rank, 1);
    if (rank > 1)
        dims[1] = -1;
    const std::string variance =
        steps::both(d, "AddV2", d.in(4), d.oneFloat(d.floatAttr("epsilon", 1e-5F)));
    const std::string scale = steps::both(d, "Mul", d.in(1), steps::one(d, "Rsqrt", variance));
    const std::string moved = steps::both(d, "Mul", d.in(3), scale);
    const std::string offset = steps::both(d, "Sub", d.in(2), moved);
    const std::string scaled =
        steps::both(d, "Mul", d.in(0), reshaped(d, scale, DType::Float, dims));
    d.give({steps::both(d, "AddV2", scaled, reshaped(d, offset, DType::Float, dims))});
    return true;
}

bool liftInstanceNorm(LiftDraft& d)
{
    if (!isRankedFloat(d))
        return false;
    const std::size_t rank = d.shape(0)->dims.size();
    const std::string made =
        normalized(d, d.in(0), axesFrom(2, rank), d.floatAttr("epsilon", 1e-5F));
    const std::string scaled = steps::both(d, "Mul", made, perChannel(d, 1, rank));
    d.give({steps::both(d, "AddV2", scaled, perChannel(d, 2, rank))});
    return true;
}

bool liftLayerNorm(LiftDraft& d)
{
    if (!isRankedFloat(d))
        return false;
    const std::size_t rank = d.shape(0)->dims.size();
    std::int64_t axis = d.intAttr("axis", -1);
    axis += axis < 0 ? std::int64_t(rank) : 0;
    if (axis < 0 || axis >= std::int64_t(rank))
        return false;
    const Normalized all =
        normalizedBy(d, d.in(0), axesFrom(axis, rank), d.floatAttr("epsilon", 1e-5F));
    std::string made = steps::both(d, "Mul", all.made, d.in(1));
    if (d.has(2))
        made = steps::both(d, "AddV2", made, d.in(2));
    std::vector<std::string> outputs{made, all.mean, all.root};
    outputs.resize(std::clamp<std::size_t>(d.node().attr("_output_types").types().size(), 1, 3));
    d.give(std::move(outputs));
    return true;
}

// Divides x by the root of the mean of its squares, and multiplies by a scale.
std::string scaledByRoot(LiftDraft& d, const std::string& x, const Ints& axes, std::size_t scale)
{
    const std::string mean =
        steps::reduce(d, "Mean", steps::one(d, "Square", x), DType::Float, axes, true);
    const std::string moved =
        steps::both(d, "AddV2", mean, d.oneFloat(d.floatAttr("epsilon", 1e-5F)));
    const std::string made = steps::both(d, "Mul", x, steps::one(d, "Rsqrt", moved));
    return steps::both(d, "Mul", made, d.in(scale));
}

bool liftRootNorm(LiftDraft& d)
{
    if (!isRankedFloat(d) || d.node().attr("_output_types").types().size() > 1)
        return false;
    const auto rank = std::int64_t(d.shape(0)->dims.size());
    std::int64_t axis = d.intAttr("axis", -1);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
        return false;
    d.give({scaledByRoot(d, d.in(0), axesFrom(axis, std::size_t(rank)), 1)});
    return true;
}

// com.microsoft: normalizes a sum, which may be an output too, after two outputs that are only read
// in training.
bool liftSkipNorm(LiftDraft& d)
{
    const bool isSimple = d.node().op() == "com.microsoft.SkipSimplifiedLayerNormalization";
    const std::size_t bias = isSimple ? 3 : 4;
    const std::size_t count = d.node().attr("_output_types").types().size();
    if (!isFloat(d) || (count != 1 && count != 4))
        return false;
    std::string sum = steps::both(d, "AddV2", d.in(0), d.in(1));
    if (d.has(bias))
        sum = steps::both(d, "AddV2", sum, d.in(bias));
    std::vector<std::string> outputs;
    if (isSimple) {
        outputs = {scaledByRoot(d, sum, {-1}, 2)};
        if (count == 4) {
            const std::string mean = steps::reduce(d, "Mean", sum, DType::Float, {-1}, true);
            outputs.insert(outputs.end(), {mean, mean});
        }
    } else {
        const Normalized all = normalizedBy(d, sum, {-1}, d.floatAttr("epsilon", 1e-12F));
        std::string made = steps::both(d, "Mul", all.made, d.in(2));
        if (d.has(3))
            made = steps::both(d, "AddV2", made, d.in(3));
        outputs = {made};
        if (count == 4)
            outputs.insert(outputs.end(), {all.mean, all.root});
    }
    if (count == 4)
        outputs.push_back(sum);
    d.give(std::move(outputs));
    return true;
}

// Normalizes each group of channels separately.
bool liftGroupNorm(LiftDraft& d)
{
    const std::int64_t groups = d.intAttr("num_groups", 0);
    const auto scales = d.dims(1);
    if (!isRankedFloat(d) || groups < 1 || !scales || scales->size() != 1 ||
        d.shape(0)->dims.size() < 2)
        return false;
    const std::size_t rank = d.shape(0)->dims.size();
    const std::string x = d.in(0);
    const std::string all = steps::sizes(d, x, DType::Float);
    const std::string grouped =
        steps::concat(d, {steps::part(d, all, 0, 1), d.longList({groups, -1})}, 0, DType::Int64);
    std::string made = normalized(d, steps::reshape(d, x, DType::Float, grouped), {2},
                                  d.floatAttr("epsilon", 1e-5F));
    if (scales->front() == groups && d.shape(0)->dims[1] != groups) { // as in opsets before 21
        made = steps::both(d, "Mul", made, reshaped(d, d.in(1), DType::Float, {1, groups, 1}));
        made = steps::both(d, "AddV2", made, reshaped(d, d.in(2), DType::Float, {1, groups, 1}));
        d.give({steps::reshape(d, made, DType::Float, all)});
        return true;
    }
    made = steps::reshape(d, made, DType::Float, all);
    made = steps::both(d, "Mul", made, perChannel(d, 1, rank));
    d.give({steps::both(d, "AddV2", made, perChannel(d, 2, rank))});
    return true;
}

bool liftMeanVariance(LiftDraft& d)
{
    if (!isRankedFloat(d))
        return false;
    const Ints given = d.intsAttr("axes");
    const Ints axes = given.empty() ? Ints{0, 2, 3} : given;
    const std::string x = d.in(0);
    const std::string mean = steps::reduce(d, "Mean", x, DType::Float, axes, true);
    const std::string moved = steps::both(d, "Sub", x, mean);
    const std::string variance =
        steps::reduce(d, "Mean", steps::one(d, "Square", moved), DType::Float, axes, true);
    const std::string deviation =
        steps::both(d, "AddV2", steps::one(d, "Sqrt", variance), d.oneFloat(1e-9F));
    d.give({steps::both(d, "Div", moved, deviation)});
    return true;
}

bool liftLpNorm(LiftDraft& d)
{
    const std::int64_t p = d.intAttr("p", 2);
    if (d.type(0) != DType::Float || (p != 1 && p != 2))
        return false;
    const std::string x = d.in(0);
    const std::string power = steps::one(d, p == 1 ? "Abs" : "Square", x);
    std::string sum = steps::reduce(d, "Sum", power, DType::Float, {d.intAttr("axis", -1)}, true);
    if (p == 2)
        sum = steps::one(d, "Sqrt", sum);
    d.give({steps::both(d, "DivNoNan", x, sum)}); // 0 if all are 0
    return true;
}

bool liftSoftmax(LiftDraft& d)
{
    const std::string made = softmaxOf(d, d.node().op(), d.in(0), d.type(0), d.opset());
    if (!made.empty())
        d.give({made});
    return !made.empty();
}

constexpr std::array norms = std::to_array<OnnxLift>({
    {"BatchNormalization", liftBatchNorm},
    {"GroupNormalization", liftGroupNorm},
    {"InstanceNormalization", liftInstanceNorm},
    {"LayerNormalization", liftLayerNorm},
    {"LogSoftmax", liftSoftmax},
    {"LpNormalization", liftLpNorm},
    {"MeanVarianceNormalization", liftMeanVariance},
    {"RMSNormalization", liftRootNorm},
    {"SimplifiedLayerNormalization", liftRootNorm},
    {"Softmax", liftSoftmax},
    {"com.microsoft.SkipLayerNormalization", liftSkipNorm},
    {"com.microsoft.SkipSimplifiedLayerNormalization", liftSkipNorm},
});

} // namespace

std::string softmaxAlong(LiftDraft& d, std::string_view op, const std::string& x, DType dtype,
                         const LiftDraft::Ints& axes)
{
    const std::string largest = steps::reduce(d, "Max", x, dtype, axes, true);
    const std::string moved = steps::both(d, "Sub", x, largest, dtype);
    const std::string power = steps::one(d, "Exp", moved, dtype);
    const std::string sum = steps::reduce(d, "Sum", power, dtype, axes, true);
    return op == "Softmax" ? steps::both(d, "Div", power, sum, dtype)
                           : steps::both(d, "Sub", moved, steps::one(d, "Log", sum, dtype), dtype);
}

std::string softmaxOf(LiftDraft& d, std::string_view op, const std::string& x, DType dtype,
                      std::int64_t opset)
{
    const auto shape = d.shape(0);
    const bool isOld = opset < 13;
    std::int64_t axis = d.intAttr("axis", isOld ? 1 : -1);
    if (!shape && axis != -1)
        return {};
    const auto last = shape ? std::int64_t(shape->dims.size()) - 1 : -1;
    axis += axis < 0 && shape ? last + 1 : 0;
    if (axis == last)
        return steps::one(d, op, x, dtype);
    if (axis < 0 || axis > last)
        return {};
    return softmaxAlong(d, op, x, dtype, isOld ? axesFrom(axis, shape->dims.size()) : Ints{axis});
}

bool liftOnnxNorm(LiftDraft& draft)
{
    return liftFrom(norms, draft);
}

} // namespace lapidary
