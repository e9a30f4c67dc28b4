// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <array>

namespace lapidary {
namespace {

using steps::both;
using steps::one;

std::string below(LiftDraft& d, const std::string& x)
{
    return both(d, "Minimum", x, d.oneFloat(0));
}

std::string times(LiftDraft& d, const std::string& x, float factor)
{
    return factor == 1 ? x : both(d, "Mul", x, d.oneFloat(factor));
}

bool liftLeaky(LiftDraft& d)
{
    d.give({d.step(
        "LeakyRelu", {d.in(0)},
        {typeAttr("T", d.type(0)), {"alpha", attr::fromFloat(d.floatAttr("alpha", 0.01F))}})});
    return true;
}

// Computes slope * x below 0. Before opset 7 a list of slopes has one for each channel.
bool liftPrelu(LiftDraft& d)
{
    if (!isFloat(d))
        return false;
    const std::string x = d.in(0);
    std::string slope = d.in(1);
    const auto shape = d.shape(0);
    const auto slopes = d.dims(1);
    if (d.opset() < 7 && shape && shape->dims.size() > 2 && slopes && slopes->size() == 1) {
        LiftDraft::Ints dims(shape->dims.size() - 1, 1);
        dims.front() = slopes->front();
        slope = reshaped(d, slope, DType::Float, dims);
    }
    const std::string scaled = both(d, "Mul", slope, below(d, x));
    d.give({both(d, "AddV2", one(d, "Relu", x), scaled)});
    return true;
}

// Computes gamma * (x above 0, alpha * (exp(x / width) - 1) below).
std::string curved(LiftDraft& d, const std::string& x, float alpha, float width, float gamma)
{
    const std::string curve = one(d, "Elu", times(d, below(d, x), 1 / width));
    const std::string made = both(d, "AddV2", one(d, "Relu", x), times(d, curve, alpha));
    return times(d, made, gamma);
}

bool liftElu(LiftDraft& d)
{
    const float alpha = d.floatAttr("alpha", 1);
    if (!isFloat(d) && alpha != 1)
        return false;
    d.give({alpha == 1 ? one(d, "Elu", d.in(0), d.type(0)) : curved(d, d.in(0), alpha, 1, 1)});
    return true;
}

bool liftCelu(LiftDraft& d)
{
    const float alpha = d.floatAttr("alpha", 1);
    if (!isFloat(d) || alpha == 0)
        return false;
    d.give({curved(d, d.in(0), alpha, alpha, 1)});
    return true;
}

bool liftSelu(LiftDraft& d)
{
    if (!isFloat(d))
        return false;
    d.give({curved(d, d.in(0), d.floatAttr("alpha", 1.67326324F), 1,
                   d.floatAttr("gamma", 1.05070102F))});
    return true;
}

std::string hardSigmoid(LiftDraft& d, const std::string& x, float alpha, float beta)
{
    const std::string line = both(d, "AddV2", times(d, x, alpha), d.oneFloat(beta));
    return both(d, "Minimum", both(d, "Maximum", line, d.oneFloat(0)), d.oneFloat(1));
}

bool liftHardSigmoid(LiftDraft& d)
{
    if (!isFloat(d))
        return false;
    const std::string x = d.in(0);
    if (d.node().op() == "HardSwish")
        d.give({both(d, "Mul", x, hardSigmoid(d, x, 1.0F / 6, 0.5F))});
    else
        d.give({hardSigmoid(d, x, d.floatAttr("alpha", 0.2F), d.floatAttr("beta", 0.5F))});
    return true;
}

bool liftMish(LiftDraft& d)
{
    if (!isFloat(d))
        return false;
    const std::string x = d.in(0);
    d.give({both(d, "Mul", x, one(d, "Tanh", one(d, "Softplus", x)))});
    return true;
}

bool liftGelu(LiftDraft& d)
{
    if (!isFloat(d))
        return false;
    d.give({geluOf(d, d.in(0), d.textAttr("approximate") == "tanh")});
    return true;
}

// Computes x * sigmoid(alpha * x).
bool liftSwish(LiftDraft& d)
{
    if (!isFloat(d))
        return false;
    const float standard = d.node().op() == "Swish" ? 1.0F : 1.702F;
    const std::string x = d.in(0);
    d.give({both(d, "Mul", x, one(d, "Sigmoid", times(d, x, d.floatAttr("alpha", standard))))});
    return true;
}

// com.microsoft: with a bias that is added first.
bool liftBiasGelu(LiftDraft& d)
{
    if (!isFloat(d))
        return false;
    const std::string x = d.has(1) ? both(d, "AddV2", d.in(0), d.in(1)) : d.in(0);
    d.give({geluOf(d, x, d.node().op() == "com.microsoft.FastGelu")});
    return true;
}

bool liftThreshold(LiftDraft& d)
{
    if (!isFloat(d))
        return false;
    const std::string x = d.in(0);
    const std::string isAbove = both(d, "Greater", x, d.oneFloat(d.floatAttr("alpha", 1)));
    d.give({steps::select(d, isAbove, x, one(d, "ZerosLike", x), DType::Float)});
    return true;
}

// Sets numbers near 0 to 0, and moves others towards 0 by the bias.
bool liftShrink(LiftDraft& d)
{
    if (!isFloat(d))
        return false;
    const float edge = d.floatAttr("lambd", 0.5F);
    const float bias = d.floatAttr("bias", 0);
    const std::string x = d.in(0);
    const std::string isAbove = both(d, "Greater", x, d.oneFloat(edge));
    const std::string isBelow = both(d, "Less", x, d.oneFloat(-edge));
    const std::string less = both(d, "Sub", x, d.oneFloat(bias));
    const std::string more = both(d, "AddV2", x, d.oneFloat(bias));
    const std::string rest = steps::select(d, isBelow, more, one(d, "ZerosLike", x), DType::Float);
    d.give({steps::select(d, isAbove, less, rest, DType::Float)});
    return true;
}

// Computes the Swish of a, times b.
bool liftSwishGate(LiftDraft& d)
{
    const DType dtype = d.type(0);
    const std::string a = d.in(0);
    const std::string steep =
        steps::both(d, "Mul", a, steps::scalar(d, dtype, double(d.floatAttr("alpha", 1))), dtype);
    const std::string swish =
        steps::both(d, "Mul", a, steps::one(d, "Sigmoid", steep, dtype), dtype);
    d.give({steps::both(d, "Mul", swish, d.in(1), dtype)});
    return true;
}

constexpr std::array activations = std::to_array<OnnxLift>({
    {"Celu", liftCelu},
    {"Elu", liftElu},
    {"Gelu", liftGelu},
    {"HardSigmoid", liftHardSigmoid},
    {"HardSwish", liftHardSigmoid},
    {"LeakyRelu", liftLeaky},
    {"Mish", liftMish},
    {"PRelu", liftPrelu},
    {"Selu", liftSelu},
    {"Shrink", liftShrink},
    {"SwiGLU", liftSwishGate},
    {"Swish", liftSwish},
    {"ThresholdedRelu", liftThreshold},
    {"com.microsoft.BiasGelu", liftBiasGelu},
    {"com.microsoft.FastGelu", liftBiasGelu},
    {"com.microsoft.Gelu", liftBiasGelu},
    {"com.microsoft.QuickGelu", liftSwish},
});

} // namespace

bool liftOnnxActivation(LiftDraft& draft)
{
    return liftFrom(activations, draft);
}

} // namespace lapidary
