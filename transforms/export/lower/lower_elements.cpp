// SPDX-License-Identifier: Apache-2.0
// Ops that compute element by element.
#include "transforms/export/lower/lowering.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace lapidary {
namespace {

using Kind = PortableKind;

template <Kind kind>
Status unary(LowerNode& n)
{
    n.emit(kind, {n.input(0)});
    return Done{};
}

template <Kind kind>
Status floatUnary(LowerNode& n)
{
    RETURN_IF_ERROR(n.needReal());
    return unary<kind>(n);
}

template <Kind kind>
Status binary(LowerNode& n)
{
    n.emit(kind, {n.input(0), n.input(1)});
    return Done{};
}

// Divides. For integers, TensorFlow's Div truncates; RealDiv does not take them.
Status divide(LowerNode& n)
{
    return binary<Kind::Div>(n);
}

Status addAll(LowerNode& n)
{
    TensorIndex sum = n.input(0);
    const std::size_t count = n.inputCount();
    if (count == 1) {
        n.alias(0, sum);
        return Done{};
    }
    for (std::size_t i = 1; i < count; ++i) {
        const bool isLast = i + 1 == count;
        const TensorIndex next =
            isLast ? n.output() : n.between("sum", n.outputType(), n.outputDims());
        n.emit(Kind::Add, {sum, n.input(i)}, {next});
        sum = next;
    }
    return Done{};
}

Status leakyRelu(LowerNode& n)
{
    n.emit(Kind::LeakyRelu, {n.input(0)}).parameters.alpha = n.floatAttr("alpha", 0.2F);
    return Done{};
}

Status cast(LowerNode& n)
{
    if (n.tensor(n.input(0)).dtype == n.outputType()) {
        n.alias(0, n.input(0));
        return Done{};
    }
    return unary<Kind::Cast>(n);
}

Status reciprocal(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const TensorIndex one = n.constant("one", {}, {1.0F});
    n.emit(Kind::Div, {one, n.input(0)});
    return Done{};
}

Status log1p(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const TensorIndex sum = n.between("plus_one", DType::Float, n.outputDims());
    n.emit(Kind::Add, {n.input(0), n.constant("one", {}, {1.0F})}, {sum});
    n.emit(Kind::Log, {sum});
    n.note(std::string(n.node().name()) + " is written as log(1 + x), which loses digits near 0");
    return Done{};
}

Status softsign(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const TensorIndex size = n.between("abs", DType::Float, n.outputDims());
    n.emit(Kind::Abs, {n.input(0)}, {size});
    const TensorIndex sum = n.between("plus_one", DType::Float, n.outputDims());
    n.emit(Kind::Add, {size, n.constant("one", {}, {1.0F})}, {sum});
    n.emit(Kind::Div, {n.input(0), sum});
    return Done{};
}

Status clip(LowerNode& n)
{
    const TensorIndex below = n.between("below", n.outputType(), n.outputDims());
    n.emit(Kind::Minimum, {n.input(0), n.input(2)}, {below});
    n.emit(Kind::Maximum, {below, n.input(1)});
    return Done{};
}

// The result is 0 where the divisor is 0, even if the dividend is 0, too.
Status divideNoNan(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const TensorIndex zero = n.constant("zero", {}, {0.0F});
    const TensorIndex isZero = n.between("is_zero", DType::Bool, n.dims(1));
    n.emit(Kind::Equal, {n.input(1), zero}, {isZero});
    const TensorIndex quotient = n.between("quotient", DType::Float, n.outputDims());
    n.emit(Kind::Div, {n.input(0), n.input(1)}, {quotient});
    n.emit(Kind::Select, {isZero, zero, quotient});
    return Done{};
}

Status l2Loss(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const auto dims = n.dims(0);
    const TensorIndex squares = n.between("squares", DType::Float, dims);
    n.emit(Kind::Square, {n.input(0)}, {squares});
    const TensorIndex sum = n.between("sum", DType::Float, {});
    PortableOperation& op = n.emit(Kind::ReduceSum, {squares}, {sum});
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
        op.parameters.axes.push_back(std::int64_t(axis));
    n.emit(Kind::Mul, {sum, n.constant("half", {}, {0.5F})});
    return Done{};
}

// A condition of rank 1 chooses rows; else it has the shape of what it chooses from.
Status select(LowerNode& n)
{
    TensorIndex condition = n.input(0);
    const auto rank = std::size_t(n.rank(1));
    if (n.rank(0) == 1 && rank > 1) {
        std::vector<std::int64_t> dims(rank, 1);
        dims[0] = n.dims(0)[0];
        const TensorIndex rows = n.between("rows", DType::Bool, dims);
        n.emit(Kind::Reshape, {condition}, {rows});
        condition = rows;
    }
    n.emit(Kind::Select, {condition, n.input(1), n.input(2)});
    return Done{};
}

template <bool isOne>
Status filled(LowerNode& n)
{
    const auto dims = n.outputDims();
    std::int64_t count = 1;
    for (const std::int64_t dim : dims)
        count *= dim;
    const std::size_t size = dtypeSize(n.outputType());
    std::string bytes(std::size_t(count) * size, '\0');
    const float one = 1;
    const double wide = 1;
    for (std::size_t i = 0; isOne && i < std::size_t(count); ++i) {
        if (n.outputType() == DType::Float)
            std::memcpy(bytes.data() + i * size, &one, size);
        else if (n.outputType() == DType::Double)
            std::memcpy(bytes.data() + i * size, &wide, size);
        else
            bytes[i * size] = 1;
    }
    n.alias(0, n.constantOf("values", n.outputType(), dims, std::move(bytes)));
    return Done{};
}

// A range whose limits were moved so that 0 is one of its levels.
struct FakeLevels {
    std::vector<float> low;
    std::vector<float> high;
    std::vector<float> scale;

    void add(float min, float max, float lowest, float highest)
    {
        const float one = (max - min) / (highest - lowest);
        const float zero = std::clamp(std::round(lowest - min / one), lowest, highest);
        low.push_back((lowest - zero) * one);
        high.push_back((highest - zero) * one);
        scale.push_back(one);
    }
};

// Returns whether one operator rounds to the levels of such a range: TFLite has it for one range
// around 0. Layers that compute in 8 bits would have to leave their codes for it.
bool hasOneOperator(const LowerNode& n, const std::vector<float>& min,
                    const std::vector<float>& max)
{
    return n.target() == ExportTarget::Tflite && !n.computesCodes() && min.size() == 1 &&
           min.front() <= 0 && max.front() >= 0;
}

// Computes floor((clamp(x) - low) / scale + 0.5) * scale + low, as in a graph that was trained for
// 8 bits; the limits are one range, or one for each channel.
Status roundToLevels(LowerNode& n, const std::vector<float>& min, const std::vector<float>& max)
{
    const bool isNarrow = n.boolAttr("narrow_range", false);
    const std::int64_t bits = std::clamp<std::int64_t>(n.intAttr("num_bits", 8), 2, 16);
    FakeLevels levels;
    for (std::size_t i = 0; i < min.size(); ++i) {
        if (!(min[i] < max[i]))
            return Error{ErrorCode::Unsupported, "its range is empty"};
        levels.add(min[i], max[i], isNarrow ? 1.0F : 0.0F, float((std::int64_t(1) << bits) - 1));
    }
    if (hasOneOperator(n, min, max) && !isNarrow) {
        PortableParameters& p = n.emit(Kind::FakeQuant, {n.input(0)}).parameters;
        p.alpha = min.front();
        p.beta = max.front();
        p.count = bits;
        return Done{};
    }
    using Dims = std::vector<std::int64_t>;
    const Dims dims = min.size() == 1 ? Dims{} : Dims{std::int64_t(min.size())};
    const auto step = [&](Kind kind, TensorIndex x, std::string_view name,
                          const std::vector<float>& values) {
        const TensorIndex made = n.between(name, DType::Float, n.outputDims());
        const TensorIndex by =
            n.constant(std::string(name) + "_by", values.size() == 1 ? Dims{} : dims, values);
        n.emit(kind, {x, by}, {made});
        return made;
    };
    const TensorIndex below = step(Kind::Minimum, n.input(0), "below", levels.high);
    const TensorIndex within = step(Kind::Maximum, below, "within", levels.low);
    const TensorIndex moved = step(Kind::Sub, within, "moved", levels.low);
    const TensorIndex scaled = step(Kind::Div, moved, "scaled", levels.scale);
    const TensorIndex half = step(Kind::Add, scaled, "half", {0.5F});
    const TensorIndex level = n.between("level", DType::Float, n.outputDims());
    n.emit(Kind::Floor, {half}, {level});
    const TensorIndex back = step(Kind::Mul, level, "back", levels.scale);
    n.emit(Kind::Add, {back, n.constant("low", dims, levels.low)});
    return Done{};
}

Status fakeQuantArgs(LowerNode& n)
{
    return roundToLevels(n, {n.floatAttr("min", -6)}, {n.floatAttr("max", 6)});
}

Status fakeQuantVars(LowerNode& n)
{
    ASSIGN_OR_RETURN(const std::vector<float> min, n.floats(1, "range"));
    ASSIGN_OR_RETURN(const std::vector<float> max, n.floats(2, "range"));
    if (min.empty() || min.size() != max.size())
        return Error{ErrorCode::Unsupported, "the ends of its range do not fit each other"};
    return roundToLevels(n, min, max);
}

// NaN is the only number that differs from itself.
Status isNan(LowerNode& n)
{
    n.emit(Kind::NotEqual, {n.input(0), n.input(0)});
    return Done{};
}

template <Kind compare>
Status sizeBeside(LowerNode& n, float limit)
{
    if (n.tensor(n.input(0)).dtype != DType::Float)
        return Error{ErrorCode::Unsupported, "it asks for numbers that are not float"};
    const TensorIndex size = n.between("abs", DType::Float, n.outputDims());
    n.emit(Kind::Abs, {n.input(0)}, {size});
    n.emit(compare, {size, n.constant("largest", {}, {limit})});
    return Done{};
}

Status isFinite(LowerNode& n)
{
    return sizeBeside<Kind::LessEqual>(n, std::numeric_limits<float>::max());
}

Status isInf(LowerNode& n)
{
    return sizeBeside<Kind::Greater>(n, std::numeric_limits<float>::max());
}

Status expm1(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const TensorIndex power = n.between("power", DType::Float, n.outputDims());
    n.emit(Kind::Exp, {n.input(0)}, {power});
    n.emit(Kind::Sub, {power, n.constant("one", {}, {1.0F})});
    n.note(std::string(n.node().name()) + " is written as exp(x) - 1, which loses digits near 0");
    return Done{};
}

// Computes (exp(x) + exp(-x)) / 2 or (exp(x) - exp(-x)) / 2.
template <Kind join>
Status hyperbolic(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const auto step = [&](Kind kind, std::vector<TensorIndex> inputs, std::string_view what) {
        const TensorIndex made = n.between(what, DType::Float, n.outputDims());
        n.emit(kind, std::move(inputs), {made});
        return made;
    };
    const TensorIndex up = step(Kind::Exp, {n.input(0)}, "up");
    const TensorIndex down = step(Kind::Exp, {step(Kind::Neg, {n.input(0)}, "negative")}, "down");
    const TensorIndex both = step(join, {up, down}, "both");
    n.emit(Kind::Mul, {both, n.constant("half", {}, {0.5F})});
    return Done{};
}

// The result is 0 where x is 0, for any y.
template <bool isProduct>
Status unlessZero(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const TensorIndex zero = n.constant("zero", {}, {0.0F});
    const TensorIndex isZero = n.between("is_zero", DType::Bool, n.dims(0));
    n.emit(Kind::Equal, {n.input(0), zero}, {isZero});
    const TensorIndex made = n.between("unless_zero", DType::Float, n.outputDims());
    if (isProduct) {
        const TensorIndex log = n.between("log", DType::Float, n.dims(1));
        n.emit(Kind::Log, {n.input(1)}, {log});
        n.emit(Kind::Mul, {n.input(0), log}, {made});
    } else {
        n.emit(Kind::Div, {n.input(0), n.input(1)}, {made});
    }
    n.emit(Kind::Select, {isZero, zero, made});
    return Done{};
}

Status tangent(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const TensorIndex sine = n.between("sine", DType::Float, n.outputDims());
    n.emit(Kind::Sin, {n.input(0)}, {sine});
    const TensorIndex cosine = n.between("cosine", DType::Float, n.outputDims());
    n.emit(Kind::Cos, {n.input(0)}, {cosine});
    n.emit(Kind::Div, {sine, cosine});
    return Done{};
}

Status erfc(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const TensorIndex inner = n.between("erf", DType::Float, n.outputDims());
    n.emit(Kind::Erf, {n.input(0)}, {inner});
    n.emit(Kind::Sub, {n.constant("one", {}, {1.0F}), inner});
    n.note(std::string(n.node().name()) +
           " is written as 1 - erf(x), which loses digits where that is near 0");
    return Done{};
}

// The result is 0 where y is 0, for any x.
Status productNoNan(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const TensorIndex zero = n.constant("zero", {}, {0.0F});
    const TensorIndex isZero = n.between("is_zero", DType::Bool, n.dims(1));
    n.emit(Kind::Equal, {n.input(1), zero}, {isZero});
    const TensorIndex product = n.between("product", DType::Float, n.outputDims());
    n.emit(Kind::Mul, {n.input(0), n.input(1)}, {product});
    n.emit(Kind::Select, {isZero, zero, product});
    return Done{};
}

constexpr std::string_view fakeQuantSteps = "Minimum, Maximum, ChannelAffine, Floor";
constexpr std::string_view fakeQuantOne = "FakeQuant; ONNX: Minimum, Maximum, ChannelAffine, Floor";

constexpr std::array elementRows{
    forAnySize({"Abs", unary<Kind::Abs>, "Abs"}),
    forAnySize({"Add", binary<Kind::Add>, "Add"}),
    forAnySize({"AddN", addAll, "Add"}),
    forAnySize({"AddV2", binary<Kind::Add>, "Add"}),
    forAnySize({"Cast", cast, "Cast"}),
    forAnySize({"Ceil", floatUnary<Kind::Ceil>, "Ceil", "float"}),
    forAnySize({"ClipByValue", clip, "Minimum, Maximum"}),
    forAnySize({"Cos", floatUnary<Kind::Cos>, "Cos", "float"}),
    forAnySize({"Cosh", hyperbolic<Kind::Add>, "Exp, Add, Mul", "float"}),
    forAnySize({"Div", divide, "Div"}),
    forAnySize({"DivNoNan", divideNoNan, "Equal, Div, Select", "float"}),
    forAnySize({"Elu", floatUnary<Kind::Elu>, "Elu", "float"}),
    forAnySize({"Equal", binary<Kind::Equal>, "Equal"}),
    forAnySize({"Erf", floatUnary<Kind::Erf>, "Erf", "float; TFLite: inside of GELU only"}),
    forAnySize({"Erfc", erfc, "Erf, Sub", "float; ONNX; fewer digits near 0"}),
    forAnySize({"Exp", floatUnary<Kind::Exp>, "Exp", "float"}),
    forAnySize({"Expm1", expm1, "Exp, Sub", "float; fewer digits near 0"}),
    LowerRow{"FakeQuantWithMinMaxArgs", fakeQuantArgs, fakeQuantOne},
    LowerRow{"FakeQuantWithMinMaxVars", fakeQuantVars, fakeQuantOne, "constant range"},
    LowerRow{"FakeQuantWithMinMaxVarsPerChannel", fakeQuantVars, fakeQuantSteps, "constant range"},
    forAnySize({"Floor", floatUnary<Kind::Floor>, "Floor", "float"}),
    forAnySize({"FloorDiv", binary<Kind::FloorDiv>, "FloorDiv"}),
    forAnySize({"FloorMod", binary<Kind::FloorMod>, "FloorMod"}),
    forAnySize({"Greater", binary<Kind::Greater>, "Greater"}),
    forAnySize({"GreaterEqual", binary<Kind::GreaterEqual>, "GreaterEqual"}),
    forAnySize({"IsFinite", isFinite, "Abs, LessEqual", "float"}),
    forAnySize({"IsInf", isInf, "Abs, Greater", "float"}),
    forAnySize({"IsNan", isNan, "NotEqual"}),
    LowerRow{"L2Loss", l2Loss, "Square, ReduceSum, Mul", "float"},
    forAnySize({"LeakyRelu", leakyRelu, "LeakyRelu"}),
    forAnySize({"Less", binary<Kind::Less>, "Less"}),
    forAnySize({"LessEqual", binary<Kind::LessEqual>, "LessEqual"}),
    forAnySize({"Log", floatUnary<Kind::Log>, "Log", "float"}),
    forAnySize({"Log1p", log1p, "Add, Log", "float; fewer digits near 0"}),
    forAnySize({"LogicalAnd", binary<Kind::And>, "And"}),
    forAnySize({"LogicalNot", unary<Kind::Not>, "Not"}),
    forAnySize({"LogicalOr", binary<Kind::Or>, "Or"}),
    forAnySize({"Maximum", binary<Kind::Maximum>, "Maximum"}),
    forAnySize({"Minimum", binary<Kind::Minimum>, "Minimum"}),
    forAnySize({"Mul", binary<Kind::Mul>, "Mul"}),
    forAnySize({"MulNoNan", productNoNan, "Equal, Mul, Select", "float"}),
    forAnySize({"Neg", unary<Kind::Neg>, "Neg"}),
    forAnySize({"NotEqual", binary<Kind::NotEqual>, "NotEqual"}),
    LowerRow{"OnesLike", filled<true>, "a constant"},
    forAnySize({"Pow", binary<Kind::Pow>, "Pow"}),
    forAnySize({"RealDiv", divide, "Div"}),
    forAnySize({"Reciprocal", reciprocal, "Div", "float"}),
    forAnySize({"Relu", floatUnary<Kind::Relu>, "Relu", "float"}),
    forAnySize({"Relu6", floatUnary<Kind::Relu6>, "Relu6", "float"}),
    forAnySize({"Rint", floatUnary<Kind::Round>, "Round", "float"}),
    forAnySize({"Round", floatUnary<Kind::Round>, "Round", "float"}),
    forAnySize({"Rsqrt", floatUnary<Kind::Rsqrt>, "Rsqrt", "float"}),
    forAnySize({"Select", select, "Select"}),
    forAnySize({"SelectV2", select, "Select"}),
    forAnySize({"Selu", floatUnary<Kind::Selu>, "Selu", "float"}),
    forAnySize({"Sigmoid", floatUnary<Kind::Sigmoid>, "Sigmoid", "float"}),
    forAnySize({"Sign", floatUnary<Kind::Sign>, "Sign", "float"}),
    forAnySize({"Sin", floatUnary<Kind::Sin>, "Sin", "float"}),
    forAnySize({"Sinh", hyperbolic<Kind::Sub>, "Exp, Sub, Mul", "float; fewer digits near 0"}),
    forAnySize({"Softplus", floatUnary<Kind::Softplus>, "Softplus", "float"}),
    forAnySize({"Softsign", softsign, "Abs, Add, Div", "float"}),
    forAnySize({"Sqrt", floatUnary<Kind::Sqrt>, "Sqrt", "float"}),
    forAnySize({"Square", floatUnary<Kind::Square>, "Square", "float"}),
    forAnySize({"SquaredDifference", binary<Kind::SquaredDifference>, "SquaredDifference"}),
    forAnySize({"Sub", binary<Kind::Sub>, "Sub"}),
    forAnySize({"Tan", tangent, "Sin, Cos, Div", "float"}),
    forAnySize({"Tanh", floatUnary<Kind::Tanh>, "Tanh", "float"}),
    forAnySize({"TruncateDiv", divide, "Div"}),
    forAnySize({"Xdivy", unlessZero<false>, "Equal, Div, Select", "float"}),
    forAnySize({"Xlogy", unlessZero<true>, "Equal, Log, Mul, Select", "float"}),
    LowerRow{"ZerosLike", filled<false>, "a constant"},
};

} // namespace

std::span<const LowerRow> lowerElementRows()
{
    return elementRows;
}

} // namespace lapidary
