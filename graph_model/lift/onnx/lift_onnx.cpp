// SPDX-License-Identifier: Apache-2.0
// Element-wise ops, reductions, products, and 8-bit numbers.
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr std::array rows = std::to_array<LiftRow>({
    {"Abs", "Abs", "T:0"},
    {"Add", "AddV2", "T:0"},
    {"And", "LogicalAnd"},
    {"Ceil", "Ceil", "T:0"},
    {"Cos", "Cos", "T:0"},
    {"Div", "Div", "T:0"},
    {"Dropout", "Identity", "T:0"},
    {"Equal", "Equal", "T:0"},
    {"Erf", "Erf", "T:0"},
    {"Exp", "Exp", "T:0"},
    {"Floor", "Floor", "T:0"},
    {"Greater", "Greater", "T:0"},
    {"GreaterOrEqual", "GreaterEqual", "T:0"},
    {"Identity", "Identity", "T:0"},
    {"IsInf", "IsInf", "T:0"},
    {"IsNaN", "IsNan", "T:0"},
    {"Less", "Less", "T:0"},
    {"LessOrEqual", "LessEqual", "T:0"},
    {"Log", "Log", "T:0"},
    {"Mul", "Mul", "T:0"},
    {"Neg", "Neg", "T:0"},
    {"Not", "LogicalNot"},
    {"Or", "LogicalOr"},
    {"Pow", "Pow", "T:0"},
    {"Reciprocal", "Reciprocal", "T:0"},
    {"Relu", "Relu", "T:0"},
    {"Round", "Round", "T:0"},
    {"ScatterND", "TensorScatterUpdate", "T:0 Tindices:1"},
    {"Sigmoid", "Sigmoid", "T:0"},
    {"Sign", "Sign", "T:0"},
    {"Sin", "Sin", "T:0"},
    {"Softplus", "Softplus", "T:0"},
    {"Softsign", "Softsign", "T:0"},
    {"Sqrt", "Sqrt", "T:0"},
    {"Sub", "Sub", "T:0"},
    {"Tanh", "Tanh", "T:0"},
    {"Where", "SelectV2", "T:1"},
});

std::string castTo(LiftDraft& d, const std::string& x, DType from, DType to)
{
    return from == to ? x : d.step("Cast", {x}, {typeAttr("SrcT", from), typeAttr("DstT", to)});
}

// Sum, Max, Min, Mean: any number of inputs.
bool liftMany(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    const std::string_view pair = op == "Max" ? "Maximum" : op == "Min" ? "Minimum" : "AddV2";
    if (op != "Sum" && op != "Mean" && op != "Max" && op != "Min")
        return false;
    const DType dtype = d.type(0);
    std::string made = d.in(0);
    for (std::size_t slot = 1; slot < d.slots(); ++slot)
        made = d.step(pair, {made, d.in(slot)}, {typeAttr("T", dtype)});
    if (op == "Mean")
        made = d.step("Mul", {made, d.oneFloat(1.0F / float(d.slots()))}, floats());
    d.give({made});
    return true;
}

bool liftCast(LiftDraft& d)
{
    if (d.node().op() != "Cast")
        return false;
    d.give({castTo(d, d.in(0), d.type(0), d.outType())});
    return d.outType() != DType::Invalid;
}

// Their bounds are inputs, before opset 11 attributes.
bool liftClip(LiftDraft& d)
{
    if (d.node().op() != "Clip")
        return false;
    const LiftDraft::Attrs attrs{typeAttr("T", d.type(0))};
    std::string made = d.in(0);
    if (d.has(1))
        made = d.step("Maximum", {made, d.in(1)}, attrs);
    else if (d.node().hasAttr("min"))
        made = d.step("Maximum", {made, d.oneFloat(d.floatAttr("min", 0))}, attrs);
    if (d.has(2))
        made = d.step("Minimum", {made, d.in(2)}, attrs);
    else if (d.node().hasAttr("max"))
        made = d.step("Minimum", {made, d.oneFloat(d.floatAttr("max", 0))}, attrs);
    d.give({made});
    return true;
}

// slope * x below 0.
std::string leaky(LiftDraft& d, const std::string& x, const std::string& slope)
{
    const std::string positive = d.step("Relu", {x}, floats());
    const std::string negative = d.step("Minimum", {x, d.oneFloat(0)}, floats());
    return d.step("AddV2", {positive, d.step("Mul", {slope, negative}, floats())}, floats());
}

std::string hardSigmoid(LiftDraft& d, const std::string& x, float alpha, float beta)
{
    const std::string line = d.step(
        "AddV2", {d.step("Mul", {x, d.oneFloat(alpha)}, floats()), d.oneFloat(beta)}, floats());
    const std::string above = d.step("Maximum", {line, d.oneFloat(0)}, floats());
    return d.step("Minimum", {above, d.oneFloat(1)}, floats());
}

std::string gelu(LiftDraft& d, const std::string& x)
{
    const float root = float(1 / std::numbers::sqrt2);
    const std::string erf =
        d.step("Erf", {d.step("Mul", {x, d.oneFloat(root)}, floats())}, floats());
    const std::string one = d.step("AddV2", {erf, d.oneFloat(1)}, floats());
    return d.step("Mul", {d.step("Mul", {x, d.oneFloat(0.5F)}, floats()), one}, floats());
}

// x above 0, alpha * (exp(x) - 1) below.
std::string scaledElu(LiftDraft& d, const std::string& x, float alpha)
{
    const std::string below = d.step("Minimum", {x, d.oneFloat(0)}, floats());
    const std::string curve = d.step("Elu", {below}, floats());
    const std::string scaled = d.step("Mul", {curve, d.oneFloat(alpha)}, floats());
    return d.step("AddV2", {d.step("Relu", {x}, floats()), scaled}, floats());
}

bool liftActivation(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    const auto isStandard = [&](std::string_view name, float standard) {
        return std::abs(d.floatAttr(name, standard) - standard) < 1e-6F;
    };
    const std::string x = d.in(0);
    if (op == "LeakyRelu")
        d.give({d.step(
            "LeakyRelu", {x},
            {typeAttr("T", d.type(0)), {"alpha", attr::fromFloat(d.floatAttr("alpha", 0.01F))}})});
    else if (op == "PRelu")
        d.give({leaky(d, x, d.in(1))});
    else if (op == "Elu" && isStandard("alpha", 1))
        d.give({d.step("Elu", {x}, {typeAttr("T", d.type(0))})});
    else if (op == "Elu")
        d.give({scaledElu(d, x, d.floatAttr("alpha", 1))});
    else if (op == "Selu" && isStandard("alpha", 1.67326319F) && isStandard("gamma", 1.05070102F))
        d.give({d.step("Selu", {x}, {typeAttr("T", d.type(0))})});
    else if (op == "HardSigmoid")
        d.give({hardSigmoid(d, x, d.floatAttr("alpha", 0.2F), d.floatAttr("beta", 0.5F))});
    else if (op == "HardSwish")
        d.give({d.step("Mul", {x, hardSigmoid(d, x, 1.0F / 6, 0.5F)}, floats())});
    else if (op == "Gelu" && d.textAttr("approximate") != "tanh")
        d.give({gelu(d, x)});
    else
        return false;
    return true;
}

std::string reduced(LiftDraft& d, std::string_view op, const std::string& x, DType dtype,
                    const Ints& axes, bool keeps)
{
    return d.step(op, {x, d.intList(axes)},
                  {typeAttr("T", dtype),
                   typeAttr("Tidx", DType::Int32),
                   {"keep_dims", attr::fromBool(keeps)}});
}

bool liftSoftmax(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    const auto shape = d.shape(0);
    if (op != "Softmax" && op != "LogSoftmax")
        return false;
    const std::int64_t axis = d.intAttr("axis", -1);
    const std::string x = d.in(0);
    if (axis == -1 || (shape && axis == std::int64_t(shape->dims.size()) - 1)) {
        d.give({d.step(op, {x}, floats())});
        return true;
    }
    const std::string largest = reduced(d, "Max", x, DType::Float, {axis}, true);
    const std::string moved = d.step("Sub", {x, largest}, floats());
    const std::string power = d.step("Exp", {moved}, floats());
    const std::string sum = reduced(d, "Sum", power, DType::Float, {axis}, true);
    d.give({op == "Softmax" ? d.step("Div", {power, sum}, floats())
                            : d.step("Sub", {moved, d.step("Log", {sum}, floats())}, floats())});
    return true;
}

struct Reduction {
    std::string_view op;
    std::string_view tensorFlow;
};
constexpr std::array reductions = std::to_array<Reduction>({
    {"ReduceMax", "Max"},
    {"ReduceMean", "Mean"},
    {"ReduceMin", "Min"},
    {"ReduceProd", "Prod"},
    {"ReduceSum", "Sum"},
    {"ReduceL2", "Sum"},
    {"ReduceSumSquare", "Sum"},
});

// Axes are an attribute or an input; without any, all are reduced.
bool liftReduction(LiftDraft& d)
{
    const auto found = std::ranges::find(reductions, d.node().op(), &Reduction::op);
    const auto shape = d.shape(0);
    if (found == reductions.end() || (d.has(1) && !d.ints(1)))
        return false;
    Ints axes = d.has(1) ? *d.ints(1) : d.intsAttr("axes");
    if (axes.empty() && d.intAttr("noop_with_empty_axes", 0) != 0)
        return false;
    if (axes.empty() && !shape)
        return false;
    const bool isWhole = axes.empty();
    for (std::size_t axis = 0; isWhole && axis < shape->dims.size(); ++axis)
        axes.push_back(std::int64_t(axis));
    const DType dtype = d.type(0);
    const LiftDraft::Attrs types{typeAttr("T", dtype)};
    const bool isSquare = found->op == "ReduceL2" || found->op == "ReduceSumSquare";
    const std::string x = isSquare ? d.step("Square", {d.in(0)}, types) : d.in(0);
    std::string made = reduced(d, found->tensorFlow, x, dtype, axes, d.intAttr("keepdims", 1) != 0);
    if (found->op == "ReduceL2")
        made = d.step("Sqrt", {made}, types);
    d.give({made});
    return true;
}

bool liftPlace(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    if ((op != "ArgMax" && op != "ArgMin") || d.intAttr("select_last_index", 0) != 0)
        return false;
    const std::int64_t axis = d.intAttr("axis", 0);
    std::string made = d.step(op, {d.in(0), d.oneInt(axis)},
                              {typeAttr("T", d.type(0)), typeAttr("Tidx", DType::Int32),
                               typeAttr("output_type", DType::Int64)});
    if (d.intAttr("keepdims", 1) != 0)
        made = d.step("ExpandDims", {made, d.oneInt(axis)},
                      {typeAttr("T", DType::Int64), typeAttr("Tdim", DType::Int32)});
    d.give({made});
    return true;
}

bool liftProduct(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    const auto x = d.shape(0);
    const auto y = d.shape(1);
    if (op == "MatMul" && x && y && x->dims.size() >= 2 && y->dims.size() >= 2) {
        const bool isPlain = x->dims.size() == 2 && y->dims.size() == 2;
        d.give({d.step(isPlain ? "MatMul" : "BatchMatMulV2", {d.in(0), d.in(1)},
                       {typeAttr("T", d.type(0))})});
        return true;
    }
    if (op != "Gemm")
        return false;
    const DType dtype = d.type(0);
    const LiftDraft::Attrs types{typeAttr("T", dtype)};
    std::string made = d.step("MatMul", {d.in(0), d.in(1)},
                              {typeAttr("T", dtype),
                               {"transpose_a", attr::fromBool(d.intAttr("transA", 0) != 0)},
                               {"transpose_b", attr::fromBool(d.intAttr("transB", 0) != 0)}});
    if (const float alpha = d.floatAttr("alpha", 1); alpha != 1)
        made = d.step("Mul", {made, d.oneFloat(alpha)}, types);
    if (d.has(2)) {
        std::string added = d.in(2);
        if (const float beta = d.floatAttr("beta", 1); beta != 1)
            added = d.step("Mul", {added, d.oneFloat(beta)}, types);
        made = d.step("AddV2", {made, added}, types);
    }
    d.give({made});
    return true;
}

// Scales and zeros of one axis, as they broadcast over a tensor of that rank.
std::string alongAxis(LiftDraft& d, std::size_t slot, const std::string& values, DType dtype)
{
    const auto own = d.dims(slot);
    const auto shape = d.shape(0);
    if (!own || own->size() != 1 || (*own)[0] == 1 || !shape)
        return values;
    const auto rank = std::int64_t(shape->dims.size());
    std::int64_t axis = d.intAttr("axis", 1);
    axis += axis < 0 ? rank : 0;
    Ints dims(std::size_t(rank), 1);
    if (axis >= 0 && axis < rank)
        dims[std::size_t(axis)] = (*own)[0];
    return reshaped(d, values, dtype, dims);
}

bool liftCodes(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    if (op != "QuantizeLinear" && op != "DequantizeLinear")
        return false;
    const bool isInto = op == "QuantizeLinear";
    const std::string scale = alongAxis(d, 1, d.in(1), DType::Float);
    std::string zero;
    if (d.has(2))
        zero = alongAxis(d, 2, castTo(d, d.in(2), d.type(2), DType::Float), DType::Float);
    if (!isInto) {
        std::string made = castTo(d, d.in(0), d.type(0), DType::Float);
        if (!zero.empty())
            made = d.step("Sub", {made, zero}, floats());
        d.give({d.step("Mul", {made, scale}, floats())});
        return true;
    }
    const DType codes = d.has(2) ? d.type(2) : DType::UInt8;
    if (codes != DType::UInt8 && codes != DType::Int8)
        return false;
    const float low = codes == DType::Int8 ? -128 : 0;
    std::string made = d.step("Round", {d.step("Div", {d.in(0), scale}, floats())}, floats());
    if (!zero.empty())
        made = d.step("AddV2", {made, zero}, floats());
    made = d.step("Minimum", {made, d.oneFloat(low + 255)}, floats());
    made = d.step("Maximum", {made, d.oneFloat(low)}, floats());
    d.give({castTo(d, made, DType::Float, codes)});
    return true;
}

// Of floats the remainder is truncated, of integers it has the divisor's sign unless said
// otherwise.
bool liftMod(LiftDraft& d)
{
    if (d.node().op() != "Mod")
        return false;
    const bool isTruncated = d.intAttr("fmod", 0) != 0;
    d.give(
        {d.step(isTruncated ? "Mod" : "FloorMod", {d.in(0), d.in(1)}, {typeAttr("T", d.type(0))})});
    return true;
}

bool liftConstant(LiftDraft& d)
{
    const Node& node = d.node();
    if (node.op() != "Constant")
        return false;
    const AttrValue value = node.attr("value");
    const auto tensor = node.tensor();
    if (value.kind() == AttrKind::Tensor && tensor)
        d.give({d.step(
            "Const", {},
            {typeAttr("dtype", tensor->dtype()), {"value", std::string(value.encoded())}})});
    else if (const auto number = node.attr("value_float").asFloat())
        d.give({d.oneFloat(*number)});
    else
        return false;
    return true;
}

// Channels are axis 1.
bool liftNormalization(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const auto channels = d.dims(1);
    if (d.node().op() != "BatchNormalization" || !shape || !channels || channels->size() != 1 ||
        d.intAttr("training_mode", 0) != 0)
        return false;
    Ints dims(shape->dims.size(), 1);
    if (dims.size() > 1)
        dims[1] = (*channels)[0];
    const std::string variance =
        d.step("AddV2", {d.in(4), d.oneFloat(d.floatAttr("epsilon", 1e-5F))}, floats());
    const std::string scale =
        d.step("Mul", {d.in(1), d.step("Rsqrt", {variance}, floats())}, floats());
    const std::string moved = d.step("Mul", {d.in(3), scale}, floats());
    const std::string offset = d.step("Sub", {d.in(2), moved}, floats());
    const std::string scaled =
        d.step("Mul", {d.in(0), reshaped(d, scale, DType::Float, dims)}, floats());
    d.give({d.step("AddV2", {scaled, reshaped(d, offset, DType::Float, dims)}, floats())});
    return true;
}

} // namespace

bool liftOnnx(LiftDraft& draft)
{
    if (const LiftRow* row = findRow(rows, draft.node().op())) {
        draft.give({liftByRow(draft, *row)});
        return true;
    }
    for (const auto lift : {liftOnnxLayer, liftOnnxShape, liftOnnxControl, liftOnnxRecurrent,
                            liftConstant, liftMany, liftCast, liftClip, liftSoftmax, liftReduction,
                            liftPlace, liftProduct, liftCodes, liftMod, liftNormalization})
        if (lift(draft))
            return true;
    return liftActivation(draft);
}

} // namespace lapidary
