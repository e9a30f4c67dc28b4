// SPDX-License-Identifier: Apache-2.0
// Elementwise ops, reductions and products.
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_classes.h"
#include "graph_model/lift/onnx/onnx_operands.h"
#include "graph_model/onnx/onnx_model.h"

#include <algorithm>
#include <array>
#include <map>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr std::array rows = std::to_array<LiftRow>({
    {"Abs", "Abs", "T:0"},
    {"Acos", "Acos", "T:0"},
    {"Acosh", "Acosh", "T:0"},
    {"Add", "AddV2", "T:0"},
    {"And", "LogicalAnd"},
    {"Asin", "Asin", "T:0"},
    {"Asinh", "Asinh", "T:0"},
    {"Atan", "Atan", "T:0"},
    {"Atanh", "Atanh", "T:0"},
    {"BitwiseAnd", "BitwiseAnd", "T:0"},
    {"BitwiseNot", "Invert", "T:0"},
    {"BitwiseOr", "BitwiseOr", "T:0"},
    {"BitwiseXor", "BitwiseXor", "T:0"},
    {"Ceil", "Ceil", "T:0"},
    {"Cos", "Cos", "T:0"},
    {"Cosh", "Cosh", "T:0"},
    {"Det", "MatrixDeterminant", "T:0"},
    {"Div", "Div", "T:0"},
    {"Equal", "Equal", "T:0"},
    {"Erf", "Erf", "T:0"},
    {"Exp", "Exp", "T:0"},
    {"Floor", "Floor", "T:0"},
    {"Greater", "Greater", "T:0"},
    {"GreaterOrEqual", "GreaterEqual", "T:0"},
    {"Identity", "Identity", "T:0"},
    {"IsNaN", "IsNan", "T:0"},
    {"Less", "Less", "T:0"},
    {"LessOrEqual", "LessEqual", "T:0"},
    {"Log", "Log", "T:0"},
    {"Mul", "Mul", "T:0"},
    {"Neg", "Neg", "T:0"},
    {"Not", "LogicalNot"},
    {"Or", "LogicalOr"},
    {"Reciprocal", "Reciprocal", "T:0"},
    {"Relu", "Relu", "T:0"},
    {"Round", "Round", "T:0"},
    {"Sigmoid", "Sigmoid", "T:0"},
    {"Sign", "Sign", "T:0"},
    {"Sin", "Sin", "T:0"},
    {"Sinh", "Sinh", "T:0"},
    {"Softplus", "Softplus", "T:0"},
    {"Softsign", "Softsign", "T:0"},
    {"Sqrt", "Sqrt", "T:0"},
    {"Sub", "Sub", "T:0"},
    {"Tan", "Tan", "T:0"},
    {"Tanh", "Tanh", "T:0"},
    {"Where", "SelectV2", "T:1"},
});

// Returns whether TensorFlow can compare the type, but has no minimum and maximum for it.
bool isNarrow(DType dtype)
{
    return dtype == DType::Int8 || dtype == DType::Int16 || dtype == DType::UInt8 ||
           dtype == DType::UInt16 || dtype == DType::UInt32 || dtype == DType::UInt64;
}

// Returns the maximum or minimum of both.
std::string boundOf(LiftDraft& d, bool isMax, const std::string& a, const std::string& b,
                    DType dtype)
{
    const bool isUnsigned = dtype == DType::UInt16 || dtype == DType::UInt32;
    const DType wide = isUnsigned ? DType::Int64 : dtype;
    if (!isNarrow(wide)) {
        const std::string x = steps::cast(d, a, dtype, wide);
        const std::string y = steps::cast(d, b, dtype, wide);
        return steps::cast(d, steps::both(d, isMax ? "Maximum" : "Minimum", x, y, wide), wide,
                           dtype);
    }
    const std::string isFirst = steps::both(d, isMax ? "Greater" : "Less", a, b, dtype);
    return steps::select(d, isFirst, a, b, dtype);
}

// Lifts Sum, Max, Min, Mean with any number of inputs.
bool liftMany(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    const DType dtype = d.type(0);
    const bool isBound = op == "Max" || op == "Min";
    std::string made = d.in(0);
    for (std::size_t slot = 1; slot < d.slots(); ++slot) {
        const std::string other = d.in(slot);
        made = isBound ? boundOf(d, op == "Max", made, other, dtype)
                       : steps::both(d, "AddV2", made, other, dtype);
    }
    if (op == "Mean")
        made = steps::both(d, "Div", made, steps::scalar(d, dtype, double(d.slots())), dtype);
    d.give({made});
    return true;
}

bool liftCast(LiftDraft& d)
{
    const DType from = d.type(0);
    const DType to =
        d.node().op() == "CastLike" ? d.type(1) : dtypeOfOnnx(std::int32_t(d.intAttr("to", 0)));
    if (from == DType::Invalid || to == DType::Invalid)
        return false;
    d.give({steps::cast(d, d.in(0), from, to)});
    return true;
}

// The bounds are inputs, or attributes before opset 11.
bool liftClip(LiftDraft& d)
{
    const DType dtype = d.type(0);
    std::string made = d.in(0);
    if (d.has(1))
        made = boundOf(d, true, made, d.in(1), dtype);
    else if (d.node().hasAttr("min"))
        made =
            boundOf(d, true, made, steps::scalar(d, dtype, double(d.floatAttr("min", 0))), dtype);
    if (d.has(2))
        made = boundOf(d, false, made, d.in(2), dtype);
    else if (d.node().hasAttr("max"))
        made =
            boundOf(d, false, made, steps::scalar(d, dtype, double(d.floatAttr("max", 0))), dtype);
    d.give({made});
    return true;
}

// The exponent may be of another type.
bool liftPow(LiftDraft& d)
{
    const DType base = d.type(0);
    const DType exponent = d.type(1);
    const bool isInexact = exponent == DType::Float || exponent == DType::Double;
    const bool isWhole = base == DType::Int32 || base == DType::Int64;
    const DType common = isInexact && isWhole ? exponent : base;
    const std::string x = steps::cast(d, d.in(0), base, common);
    const std::string y = steps::cast(d, d.in(1), exponent, common);
    d.give({steps::cast(d, steps::both(d, "Pow", x, y, common), common, base)});
    return true;
}

struct Reduction {
    std::string_view op;
    std::string_view tensorFlow;
    std::string_view before = {};
    std::string_view behind = {};
};
constexpr std::array reductions = std::to_array<Reduction>({
    {"ReduceL1", "Sum", "Abs"},
    {"ReduceL2", "Sum", "Square", "Sqrt"},
    {"ReduceLogSum", "Sum", {}, "Log"},
    {"ReduceLogSumExp", "Sum", "Exp", "Log"},
    {"ReduceMax", "Max"},
    {"ReduceMean", "Mean"},
    {"ReduceMin", "Min"},
    {"ReduceProd", "Prod"},
    {"ReduceSum", "Sum"},
    {"ReduceSumSquare", "Sum", "Square"},
});

std::string reducedBy(LiftDraft& d, const Reduction& reduction, const std::string& x,
                      const std::string& axes, DType ofAxes, bool keeps)
{
    const DType dtype = d.type(0);
    const auto along = [&](std::string_view op, const std::string& from, bool keepsAxes) {
        return d.step(op, {from, axes},
                      {typeAttr("T", dtype),
                       typeAttr("Tidx", ofAxes),
                       {"keep_dims", attr::fromBool(keepsAxes)}});
    };
    if (reduction.op == "ReduceLogSumExp") {
        // The largest is subtracted to prevent overflow.
        const std::string largest = along("Max", x, true);
        const std::string power =
            steps::one(d, "Exp", steps::both(d, "Sub", x, largest, dtype), dtype);
        const std::string sum = steps::one(d, "Log", along("Sum", power, keeps), dtype);
        return steps::both(d, "AddV2", sum, keeps ? largest : along("Max", x, false), dtype);
    }
    std::string made = reduction.before.empty() ? x : steps::one(d, reduction.before, x, dtype);
    made = along(reduction.tensorFlow, made, keeps);
    return reduction.behind.empty() ? made : steps::one(d, reduction.behind, made, dtype);
}

// Axes are an attribute or an input; without any, all axes are reduced.
bool liftReduction(LiftDraft& d)
{
    const auto found = std::ranges::find(reductions, d.node().op(), &Reduction::op);
    if (found == reductions.end())
        return false;
    const bool keeps = d.intAttr("keepdims", 1) != 0;
    const auto given = listOf(d, 1, "axes");
    const std::string x = d.in(0);
    if (!given) {
        const auto count = d.dims(1);
        if (!count || count->size() != 1 || count->front() < 1)
            return false;
        d.give({reducedBy(d, *found, x, d.in(1), d.type(1), keeps)});
        return true;
    }
    Ints axes = *given;
    const auto shape = d.shape(0);
    if (axes.empty() && d.intAttr("noop_with_empty_axes", 0) != 0) {
        if (!found->before.empty() || !found->behind.empty())
            return false;
        d.give({steps::one(d, "Identity", x, d.type(0))});
        return true;
    }
    if (axes.empty() && !shape)
        return false;
    const bool isWhole = axes.empty();
    for (std::size_t axis = 0; isWhole && axis < shape->dims.size(); ++axis)
        axes.push_back(std::int64_t(axis));
    d.give({reducedBy(d, *found, x, d.intList(axes), DType::Int32, keeps)});
    return true;
}

// A vector is a row if it is the first operand, and a column if it is the second.
bool liftMatMul(LiftDraft& d)
{
    const auto x = d.shape(0);
    const auto y = d.shape(1);
    const DType dtype = d.type(0);
    const auto hasRank = [](const std::optional<Shape>& shape, std::size_t rank) {
        return shape && shape->dims.size() == rank;
    };
    std::string a = d.in(0);
    std::string b = d.in(1);
    if (hasRank(x, 1))
        a = steps::expandDims(d, a, dtype, 0);
    if (hasRank(y, 1))
        b = steps::expandDims(d, b, dtype, 1);
    const bool isPlain = hasRank(x, 2) && hasRank(y, 2);
    std::string made = steps::both(d, isPlain ? "MatMul" : "BatchMatMulV2", a, b, dtype);
    Ints added;
    if (hasRank(x, 1))
        added.push_back(-2);
    if (hasRank(y, 1))
        added.push_back(-1);
    if (!added.empty())
        made = d.step("Squeeze", {made},
                      {typeAttr("T", dtype), {"squeeze_dims", attr::fromInts(added)}});
    d.give({made});
    return true;
}

// com.microsoft: a product of matrices whose last axes may be transposed, times a number.
bool liftFusedMatMul(LiftDraft& d)
{
    const DType dtype = d.type(0);
    if (d.intAttr("transBatchA", 0) != 0 || d.intAttr("transBatchB", 0) != 0 ||
        dtype != DType::Float)
        return false;
    std::string made = d.step("BatchMatMulV2", {d.in(0), d.in(1)},
                              {typeAttr("T", dtype),
                               {"adj_x", attr::fromBool(d.intAttr("transA", 0) != 0)},
                               {"adj_y", attr::fromBool(d.intAttr("transB", 0) != 0)}});
    if (const float alpha = d.floatAttr("alpha", 1); alpha != 1)
        made = steps::both(d, "Mul", made, d.oneFloat(alpha));
    d.give({made});
    return true;
}

bool liftGemm(LiftDraft& d)
{
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

// The remainder of floats is truncated; that of integers has the divisor's sign unless fmod is set.
bool liftMod(LiftDraft& d)
{
    const std::string_view op = d.intAttr("fmod", 0) != 0 ? "Mod" : "FloorMod";
    const DType own = d.type(0);
    const DType computed = own == DType::Half                             ? DType::Float
                           : own == DType::UInt32 || own == DType::UInt64 ? DType::Int64
                           : isNarrow(own)                                ? DType::Int32
                                                                          : own;
    const std::string a = steps::cast(d, d.in(0), own, computed);
    const std::string b = steps::cast(d, d.in(1), own, computed);
    std::string made = steps::both(d, op, a, b, computed);
    if (op == "FloorMod" && (computed == DType::Float || computed == DType::Double)) {
        // 0 has the divisor's sign.
        const std::string zero = steps::scalar(d, computed, 0);
        const std::string isZero = steps::both(d, "Equal", made, zero, computed);
        made = steps::select(d, isZero, steps::both(d, "Mul", zero, b, computed), made, computed);
    }
    d.give({steps::cast(d, made, computed, own)});
    return true;
}

bool liftConstant(LiftDraft& d)
{
    const Node& node = d.node();
    const AttrValue value = node.attr("value");
    const auto tensor = node.tensor();
    if (value.kind() == AttrKind::Tensor && tensor)
        d.give({d.step(
            "Const", {},
            {typeAttr("dtype", tensor->dtype()), {"value", std::string(value.encoded())}})});
    else if (const auto number = node.attr("value_float").asFloat())
        d.give({d.oneFloat(*number)});
    else if (const auto whole = node.attr("value_int").asInt())
        d.give({d.oneInt64(*whole)});
    else if (const auto text = node.attr("value_string").asString())
        d.give({textList(d, {}, {std::string(*text)})});
    else if (node.hasAttr("value_strings")) {
        const auto all = node.attr("value_strings").strings();
        d.give({textList(d, {std::int64_t(all.size())}, {all.begin(), all.end()})});
    } else if (node.hasAttr("value_ints"))
        d.give({d.longList(d.intsAttr("value_ints"))});
    else if (const auto floats = node.attr("value_floats").floats(); !floats.empty())
        d.give({d.floatList({std::int64_t(floats.size())}, floats)});
    else
        return false;
    return true;
}

bool isZero(const std::optional<std::vector<double>>& numbers)
{
    return numbers && !numbers->empty() && numbers->front() == 0;
}

// It only drops elements, at random, in training.
bool liftDropout(LiftDraft& d)
{
    const bool isTrained = d.has(2) && !isZero(d.numbers(2));
    if (isTrained && !(d.has(1) && isZero(d.numbers(1))))
        return false;
    const DType dtype = d.type(0);
    std::vector<std::string> outputs{steps::one(d, "Identity", d.in(0), dtype)};
    if (d.node().attr("_output_types").types().size() > 1) {
        const DType ofMask = d.opset() < 10 ? dtype : DType::Bool; // as in older versions
        outputs.push_back(steps::cast(d, steps::one(d, "OnesLike", d.in(0), dtype), dtype, ofMask));
    }
    d.give(std::move(outputs));
    return true;
}

bool liftIsInf(LiftDraft& d)
{
    const DType dtype = d.type(0);
    const bool isBelow = d.intAttr("detect_negative", 1) != 0;
    const bool isAbove = d.intAttr("detect_positive", 1) != 0;
    const std::string x = d.in(0);
    std::string made = steps::one(d, "IsInf", x, dtype);
    if (!isBelow || !isAbove) {
        const std::string side =
            steps::both(d, isAbove ? "Greater" : "Less", x, steps::scalar(d, dtype, 0), dtype);
        made = d.step("LogicalAnd", {made, side});
        if (!isBelow && !isAbove)
            made = d.step("LogicalAnd", {made, d.step("LogicalNot", {made})});
    }
    d.give({made});
    return true;
}

bool liftXor(LiftDraft& d)
{
    d.give({steps::both(d, "NotEqual", d.in(0), d.in(1), DType::Bool)});
    return true;
}

// Returns an equation with the default result: the labels that occur once, in their order.
std::string wholeEquation(std::string_view given)
{
    std::string equation;
    std::map<char, int> uses;
    for (const char label : given)
        if (label != ' ')
            equation += label;
    if (equation.find("->") != equation.npos)
        return equation;
    for (const char label : equation)
        if (label != ',' && label != '.')
            ++uses[label];
    std::string result = equation.find("...") == equation.npos ? "" : "...";
    for (const auto& [label, count] : uses)
        if (count == 1)
            result += label;
    return equation + "->" + result;
}

bool liftEinsum(LiftDraft& d)
{
    std::vector<std::string> inputs;
    for (std::size_t slot = 0; slot < d.slots(); ++slot)
        inputs.push_back(d.in(slot));
    const auto count = std::int64_t(inputs.size());
    d.give({d.step("Einsum", std::move(inputs),
                   {typeAttr("T", d.type(0)),
                    {"N", attr::fromInt(count)},
                    {"equation", attr::fromString(wholeEquation(d.textAttr("equation")))}})});
    return true;
}

constexpr std::array plain = std::to_array<OnnxLift>({
    {"Cast", liftCast},
    {"CastLike", liftCast},
    {"Clip", liftClip},
    {"Constant", liftConstant},
    {"Dropout", liftDropout},
    {"Einsum", liftEinsum},
    {"Gemm", liftGemm},
    {"IsInf", liftIsInf},
    {"MatMul", liftMatMul},
    {"Max", liftMany},
    {"Mean", liftMany},
    {"Min", liftMany},
    {"Mod", liftMod},
    {"Pow", liftPow},
    {"Sum", liftMany},
    {"Xor", liftXor},
    {"com.microsoft.FusedMatMul", liftFusedMatMul},
});

bool liftAsIs(LiftDraft& draft)
{
    if (liftOnnxUnsigned(draft))
        return true;
    if (const LiftRow* row = findRow(rows, draft.node().op())) {
        draft.give({liftByRow(draft, *row)});
        return true;
    }
    for (const auto lift :
         {liftOnnxLayer,   liftOnnxPool,      liftOnnxResize,   liftOnnxSample,
          liftOnnxSizes,   liftOnnxShape,     liftOnnxGather,   liftOnnxScatter,
          liftOnnxNorm,    liftOnnxCodes,     liftOnnxBoxes,    liftOnnxActivation,
          liftOnnxControl, liftOnnxRecurrent, liftReduction,    liftOnnxAttention,
          liftOnnxLoss,    liftOnnxSequence,  liftOnnxSpectrum, liftOnnxPatches,
          liftOnnxBits,    liftOnnxFeatures,  liftOnnxTrees,    liftOnnxVectors,
          liftOnnxVolume,  liftOnnxCodedLayer})
        if (lift(draft))
            return true;
    return liftFrom(plain, draft);
}

bool readsHalves(const LiftDraft& draft)
{
    for (std::size_t slot = 0; slot < draft.slots(); ++slot)
        if (draft.has(slot) && draft.state(slot).dtype == DType::Half)
            return true;
    return false;
}

} // namespace

// Operators that are lifted for floats only are computed in floats, as runtimes do on CPUs.
bool liftOnnx(LiftDraft& draft)
{
    if (liftAsIs(draft))
        return true;
    if (!readsHalves(draft))
        return false;
    draft.begin(draft.id(), true);
    return liftAsIs(draft);
}

} // namespace lapidary
