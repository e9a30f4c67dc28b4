// SPDX-License-Identifier: Apache-2.0
// Elementwise ops: one operand, two that are broadcast to each other, or several of one shape.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

void comparison(RuleContext& context)
{
    if (context.attrs().flag("incompatible_shape_error", true)) {
        broadcast(context);
        return;
    }
    // Incompatible shapes give one `false` instead of an error, so nothing is certain if an unknown
    // size might not fit.
    const Shape& a = context.input(0);
    const Shape& b = context.input(1);
    if (a.unknownRank || b.unknownRank)
        return;
    const std::size_t rank = std::min(a.dims.size(), b.dims.size());
    for (std::size_t i = rank; i > 0; --i) {
        const std::int64_t x = a.dims[a.dims.size() - i];
        const std::int64_t y = b.dims[b.dims.size() - i];
        if (x == 1 || y == 1)
            continue;
        if (x == unknownDim || y == unknownDim)
            return;
        if (x != y) {
            context.set(0, Shape{});
            return;
        }
    }
    broadcast(context);
}

void mergeAll(RuleContext& context)
{
    Shape shape = unknownShape();
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        shape = context.merge(shape, context.input(i));
    context.setAll(shape);
}

void select(RuleContext& context)
{
    const Shape& condition = context.input(0);
    const Shape data = context.merge(context.input(1), context.input(2));
    context.set(0, data);
    if (condition.unknownRank || data.unknownRank || condition.dims.empty())
        return;
    if (condition.dims.size() == 1 && !data.dims.empty()) {
        context.set(0, withDim(data, 0, context.merge(condition.dims[0], data.dims[0])));
        return;
    }
    context.set(0, context.merge(data, condition));
}

void selectV2(RuleContext& context)
{
    const Shape data = broadcastShape(context, context.input(1), context.input(2));
    context.set(0, broadcastShape(context, context.input(0), data));
}

// The gradient of an activation has the shape of the incoming gradient and of the activation's
// input.
void gradient(RuleContext& context)
{
    context.set(0, context.merge(context.input(0), context.input(1)));
}

void softmax(RuleContext& context)
{
    context.set(0, context.rankedAtLeast(context.input(0), 1));
}

void fakeQuantVars(RuleContext& context)
{
    context.ranked(1, 0);
    context.ranked(2, 0);
    same(context);
}

void fakeQuantPerChannel(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 1);
    std::int64_t channels = sizeAt(input, -1);
    channels = context.merge(channels, context.ranked(1, 1).dims[0]);
    channels = context.merge(channels, context.ranked(2, 1).dims[0]);
    context.set(0, withDim(input, -1, channels));
}

// Inputs 0 and 1 are the incoming gradient and the data, followed by min and max.
void fakeQuantVarsGrad(RuleContext& context)
{
    const Shape data = context.merge(context.input(0), context.input(1));
    context.ranked(2, 0);
    context.ranked(3, 0);
    context.set(0, data);
    context.set(1, Shape{});
    context.set(2, Shape{});
}

void fakeQuantPerChannelGrad(RuleContext& context)
{
    Shape data = context.rankedAtMost(context.rankedAtLeast(context.input(0), 1), 4);
    data = context.merge(data, context.input(1));
    std::int64_t channels = sizeAt(data, -1);
    channels = context.merge(channels, context.ranked(2, 1).dims[0]);
    channels = context.merge(channels, context.ranked(3, 1).dims[0]);
    context.set(0, data);
    context.set(1, {{channels}, false});
    context.set(2, {{channels}, false});
}

void compareAndBitpack(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 1);
    context.set(0, withDim(input, -1, quotient(context, sizeAt(input, -1), 8, true)));
}

// Each feature has as many buckets as values; all features have the same number of values.
void bucketizeFeatures(RuleContext& context)
{
    for (std::size_t i = 0; i < context.outputCount(); ++i) {
        context.set(i, context.ranked(i, 1));
        context.merge(sizeAt(context.input(0), 0), sizeAt(context.input(i), 0));
    }
}

void bitcast(RuleContext& context)
{
    const auto from = std::int64_t(dtypeSize(withoutReference(context.inputDtype(0))));
    const DType type = context.node().attr("type").asType().value_or(DType::Invalid);
    const auto to = std::int64_t(dtypeSize(type));
    Shape shape = context.input(0);
    if (shape.unknownRank || from == 0 || to == 0)
        return;
    if (to < from) {
        shape.dims.push_back(from / to);
    } else if (to > from) {
        shape = context.rankedAtLeast(shape, 1);
        if (context.failed())
            return;
        context.merge(shape.dims.back(), to / from);
        shape.dims.pop_back();
    }
    context.set(0, shape);
}

// Other outputs describe the memory layout of the first one.
void broadcastFirst(RuleContext& context)
{
    context.set(0, broadcastShape(context, context.input(0), context.input(1)));
}

// All inputs except scalars have one shape.
void betainc(RuleContext& context)
{
    Shape common = unknownShape();
    bool isScalar = true;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Shape& input = context.input(i);
        isScalar = isScalar && !input.unknownRank && input.dims.empty();
        if (input.unknownRank || !input.dims.empty())
            common = context.merge(common, input);
    }
    context.set(0, isScalar ? Shape{} : common);
}

constexpr ShapeRule elementwiseTable[] = {
    {"Abs", same},
    {"AccumulateNV2", ownShape},
    {"Acos", same},
    {"Acosh", same},
    {"Add", broadcast},
    {"AddN", mergeAll},
    {"AddV2", broadcast},
    {"Angle", same},
    {"ApproximateEqual", mergeAll},
    {"Asin", same},
    {"Asinh", same},
    {"Atan", same},
    {"Atan2", broadcast},
    {"Atanh", same},
    {"BesselI0e", same},
    {"BesselI1e", same},
    {"Betainc", betainc},
    {"Bitcast", bitcast},
    {"BitwiseAnd", broadcast},
    {"BitwiseOr", broadcast},
    {"BitwiseXor", broadcast},
    {"BoostedTreesBucketize", bucketizeFeatures},
    {"Bucketize", same},
    {"Cast", same},
    {"Ceil", same},
    {"CheckNumerics", same},
    {"ClipByValue", same},
    {"CompareAndBitpack", compareAndBitpack},
    {"Complex", broadcast},
    {"ComplexAbs", same},
    {"Conj", same},
    {"Cos", same},
    {"Cosh", same},
    {"Digamma", same},
    {"Div", broadcast},
    {"DivNoNan", broadcast},
    {"Elu", same},
    {"EluGrad", gradient},
    {"Equal", comparison},
    {"Erf", same},
    {"Erfc", same},
    {"Exp", same},
    {"Expm1", same},
    {"FakeQuantWithMinMaxArgs", same},
    {"FakeQuantWithMinMaxArgsGradient", same},
    {"FakeQuantWithMinMaxVars", fakeQuantVars},
    {"FakeQuantWithMinMaxVarsGradient", fakeQuantVarsGrad},
    {"FakeQuantWithMinMaxVarsPerChannel", fakeQuantPerChannel},
    {"FakeQuantWithMinMaxVarsPerChannelGradient", fakeQuantPerChannelGrad},
    {"Floor", same},
    {"FloorDiv", broadcast},
    {"FloorMod", broadcast},
    {"Greater", broadcast},
    {"GreaterEqual", broadcast},
    {"HardSwish", same},
    {"Igamma", broadcast},
    {"IgammaGradA", broadcast},
    {"Igammac", broadcast},
    {"Imag", same},
    {"InplaceAdd", same},
    {"InplaceSub", same},
    {"InplaceUpdate", same},
    {"Inv", same},
    {"InvGrad", same},
    {"Invert", same},
    {"IsFinite", same},
    {"IsInf", same},
    {"IsNan", same},
    {"LeakyRelu", same},
    {"LeakyReluGrad", gradient},
    {"LeftShift", broadcast},
    {"Less", broadcast},
    {"LessEqual", broadcast},
    {"Lgamma", same},
    {"Log", same},
    {"Log1p", same},
    {"LogSoftmax", softmax},
    {"LogicalAnd", broadcast},
    {"LogicalNot", same},
    {"LogicalOr", broadcast},
    {"Maximum", broadcast},
    {"Minimum", broadcast},
    {"Mod", broadcast},
    {"Mul", broadcast},
    {"MulNoNan", broadcast},
    {"Ndtri", same},
    {"Neg", same},
    {"NextAfter", broadcast},
    {"NotEqual", comparison},
    {"OnesLike", same},
    {"Polygamma", broadcast},
    {"PopulationCount", same},
    {"Pow", broadcast},
    {"PreventGradient", same},
    {"Real", same},
    {"RealDiv", broadcast},
    {"Reciprocal", same},
    {"ReciprocalGrad", same},
    {"Relu", same},
    {"Relu6", same},
    {"Relu6Grad", gradient},
    {"ReluGrad", gradient},
    {"RightShift", broadcast},
    {"Rint", same},
    {"Round", same},
    {"Rsqrt", same},
    {"RsqrtGrad", same},
    {"Select", select},
    {"SelectV2", selectV2},
    {"Selu", same},
    {"SeluGrad", gradient},
    {"Sigmoid", same},
    {"SigmoidGrad", same},
    {"Sign", same},
    {"Sin", same},
    {"Sinh", same},
    {"Softmax", softmax},
    {"Softplus", same},
    {"SoftplusGrad", gradient},
    {"Softsign", same},
    {"SoftsignGrad", gradient},
    {"Sqrt", same},
    {"SqrtGrad", same},
    {"Square", same},
    {"SquaredDifference", broadcast},
    {"Sub", broadcast},
    {"Tan", same},
    {"Tanh", same},
    {"TanhGrad", same},
    {"TruncateDiv", broadcast},
    {"TruncateMod", broadcast},
    {"Xdivy", broadcast},
    {"Xlogy", broadcast},
    {"ZerosLike", same},
    {"Zeta", broadcast},
    {"_MklMaximum", broadcastFirst},
    {"_MklMul", broadcastFirst},
    {"_MklSquaredDifference", broadcastFirst},
    {"_MklSub", broadcastFirst},
};

} // namespace

std::span<const ShapeRule> elementwiseRules()
{
    return elementwiseTable;
}

} // namespace lapidary
