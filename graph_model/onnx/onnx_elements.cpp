// SPDX-License-Identifier: Apache-2.0
// Elementwise ops, reductions, and ops that only have an axis: all of them accept a picture in
// either form.
#include "graph_model/onnx/onnx_draft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lapidary {
namespace {

using Kind = PortableKind;

struct PlainOperator {
    Kind kind;
    std::string_view op;
};

// Kinds whose nodes have the same inputs and outputs, and no attributes.
constexpr std::array plainOperators{
    PlainOperator{Kind::Abs, "Abs"},
    PlainOperator{Kind::Add, "Add"},
    PlainOperator{Kind::And, "And"},
    PlainOperator{Kind::Cast, "Cast"},
    PlainOperator{Kind::Ceil, "Ceil"},
    PlainOperator{Kind::Cos, "Cos"},
    PlainOperator{Kind::Copy, "Identity"},
    PlainOperator{Kind::Div, "Div"},
    PlainOperator{Kind::Elu, "Elu"},
    PlainOperator{Kind::Equal, "Equal"},
    PlainOperator{Kind::Erf, "Erf"},
    PlainOperator{Kind::Exp, "Exp"},
    PlainOperator{Kind::Floor, "Floor"},
    PlainOperator{Kind::Greater, "Greater"},
    PlainOperator{Kind::GreaterEqual, "GreaterOrEqual"},
    PlainOperator{Kind::LeakyRelu, "LeakyRelu"},
    PlainOperator{Kind::Less, "Less"},
    PlainOperator{Kind::LessEqual, "LessOrEqual"},
    PlainOperator{Kind::Log, "Log"},
    PlainOperator{Kind::LogSoftmax, "LogSoftmax"},
    PlainOperator{Kind::Maximum, "Max"},
    PlainOperator{Kind::Minimum, "Min"},
    PlainOperator{Kind::Mul, "Mul"},
    PlainOperator{Kind::Neg, "Neg"},
    PlainOperator{Kind::Not, "Not"},
    PlainOperator{Kind::Or, "Or"},
    PlainOperator{Kind::Pow, "Pow"},
    PlainOperator{Kind::Relu, "Relu"},
    PlainOperator{Kind::Round, "Round"},
    PlainOperator{Kind::Select, "Where"},
    PlainOperator{Kind::Selu, "Selu"},
    PlainOperator{Kind::Sigmoid, "Sigmoid"},
    PlainOperator{Kind::Sign, "Sign"},
    PlainOperator{Kind::Sin, "Sin"},
    PlainOperator{Kind::Softmax, "Softmax"},
    PlainOperator{Kind::Softplus, "Softplus"},
    PlainOperator{Kind::Sqrt, "Sqrt"},
    PlainOperator{Kind::Sub, "Sub"},
    PlainOperator{Kind::Tanh, "Tanh"},
};

constexpr std::array reductions{
    PlainOperator{Kind::ReduceMax, "ReduceMax"}, PlainOperator{Kind::ReduceMean, "ReduceMean"},
    PlainOperator{Kind::ReduceMin, "ReduceMin"}, PlainOperator{Kind::ReduceProd, "ReduceProd"},
    PlainOperator{Kind::ReduceSum, "ReduceSum"}, PlainOperator{Kind::ReduceAll, "ReduceMin"},
    PlainOperator{Kind::ReduceAny, "ReduceMax"}, PlainOperator{Kind::ArgMax, "ArgMax"},
    PlainOperator{Kind::ArgMin, "ArgMin"},
};

// Kinds that become several nodes.
constexpr std::array composed{
    Kind::ChannelAffine,
    Kind::FloorDiv,
    Kind::FloorMod,
    Kind::Gelu,
    Kind::NotEqual,
    Kind::Relu6,
    Kind::Rsqrt,
    Kind::Square,
    Kind::Concat,
    Kind::Split,
    Kind::Pad,
    Kind::Tile,
    Kind::SquaredDifference,
    Kind::Quantize,
    Kind::Dequantize,
};

const PlainOperator* findIn(std::span<const PlainOperator> table, Kind kind)
{
    const auto found = std::ranges::find(table, kind, &PlainOperator::kind);
    return found == table.end() ? nullptr : &*found;
}

// Chooses channels first if a picture among the inputs has its channels first and all others can be
// converted.
OnnxForm formOf(const OnnxDraft& draft, const PortableOperation& o)
{
    bool isFront = false;
    for (const TensorIndex input : o.inputs) {
        if (input == noTensor)
            continue;
        const PortableTensor& tensor = draft.portable(input);
        const bool isPicture = tensor.dims.size() == 4 && !tensor.isConstant;
        isFront = isFront || (isPicture && draft.exists(input, OnnxForm::Front));
        if (tensor.dims.size() > 4 || (!isPicture && !tensor.isConstant && tensor.elements() != 1))
            return OnnxForm::Last;
    }
    const bool makesPicture = draft.portable(o.outputs[0]).dims.size() == 4;
    return isFront && makesPicture ? OnnxForm::Front : OnnxForm::Last;
}

// One operation while it is written in one form.
class Writing {
public:
    Writing(OnnxDraft& draft, const PortableOperation& o, OnnxForm form)
        : m_draft(draft)
        , m_o(o)
        , m_form(form)
    {
    }

    std::string in(std::size_t slot) { return m_draft.name(m_o.inputs[slot], m_form); }
    std::string out(std::size_t port = 0) { return m_draft.make(m_o.outputs[port], m_form); }
    std::vector<std::string> allIn()
    {
        std::vector<std::string> names;
        for (const TensorIndex input : m_o.inputs)
            names.push_back(m_draft.name(input, m_form));
        return names;
    }
    std::int64_t axis(std::int64_t axis, std::size_t rank) const
    {
        return m_form == OnnxForm::Front && rank == 4 ? frontAxis(axis) : axis;
    }
    DType type() const { return m_draft.portable(m_o.inputs[0]).dtype; }
    DType outType() const { return m_draft.portable(m_o.outputs[0]).dtype; }
    std::vector<std::int64_t> outDims() const
    {
        return dimsIn(m_draft.portable(m_o.outputs[0]).dims, m_form);
    }
    // Adds an intermediate node with the output's size.
    std::string step(const std::string& op, std::vector<std::string> inputs)
    {
        return m_draft.step(op, std::move(inputs), outType(), outDims());
    }
    OnnxNode& last(const std::string& op, std::vector<std::string> inputs)
    {
        return m_draft.append(op, std::move(inputs), {out()});
    }
    OnnxDraft& draft() { return m_draft; }
    const PortableOperation& operation() const { return m_o; }

private:
    OnnxDraft& m_draft;
    const PortableOperation& m_o;
    OnnxForm m_form;
};

void appendPlain(Writing& w, const PlainOperator& plain)
{
    const PortableOperation& o = w.operation();
    const auto rank = w.draft().portable(o.inputs[0]).dims.size();
    const auto inputs = w.allIn();
    OnnxNode& node = w.last(std::string(plain.op), inputs);
    if (o.kind == Kind::LeakyRelu)
        node.attributes = {onnxFloat("alpha", o.parameters.alpha)};
    if (o.kind == Kind::Softmax || o.kind == Kind::LogSoftmax)
        node.attributes = {onnxInt("axis", w.axis(std::int64_t(rank) - 1, rank))};
    if (o.kind == Kind::Cast)
        node.attributes = {onnxInt("to", onnxType(w.outType()))};
}

// Divides integers after subtracting the remainder, so that no rounding is necessary.
void appendFloorDiv(Writing& w)
{
    const std::string x = w.in(0);
    const std::string y = w.in(1);
    if (w.outType() == DType::Float) {
        w.last("Floor", {w.step("Div", {x, y})});
        return;
    }
    const std::string rest = w.step("Mod", {x, y}); // has the divisor's sign
    w.last("Div", {w.step("Sub", {x, rest}), y});
}

void appendFloorMod(Writing& w)
{
    const std::string x = w.in(0);
    const std::string y = w.in(1);
    if (w.outType() != DType::Float) {
        w.last("Mod", {x, y});
        return;
    }
    const std::string whole = w.step("Floor", {w.step("Div", {x, y})});
    w.last("Sub", {x, w.step("Mul", {y, whole})});
}

// Computes 0.5 * x * (1 + erf(x / sqrt(2))).
void appendGelu(Writing& w)
{
    OnnxDraft& d = w.draft();
    const std::string x = w.in(0);
    const std::string scaled = w.step("Mul", {x, d.oneFloat(float(1 / std::numbers::sqrt2))});
    const std::string sum = w.step("Add", {w.step("Erf", {scaled}), d.oneFloat(1)});
    w.last("Mul", {w.step("Mul", {x, sum}), d.oneFloat(0.5F)});
}

// Writes a BatchNormalization with mean 0 and variance 1 if the channels are axis 1.
void appendAffine(Writing& w, OnnxForm form)
{
    OnnxDraft& d = w.draft();
    const PortableOperation& o = w.operation();
    const PortableTensor& x = d.portable(o.inputs[0]);
    const std::int64_t channels = x.channels();
    const bool isWide = d.portable(o.inputs[1]).elements() == channels &&
                        d.portable(o.inputs[2]).elements() == channels;
    const bool isSecond = form == OnnxForm::Front || x.dims.size() == 2;
    if (!isWide || !isSecond) {
        w.last("Add", {w.step("Mul", {w.in(0), w.in(1)}), w.in(2)});
        return;
    }
    const auto repeated = [&](const std::string& name, float value) {
        return d.constant(name, DType::Float, {channels},
                          bytesOf(std::vector<float>(std::size_t(channels), value)));
    };
    const std::string scale = d.shared(o.inputs[1], {channels});
    const std::string offset = d.shared(o.inputs[2], {channels});
    const std::string base = d.portable(o.outputs[0]).name;
    w.last("BatchNormalization",
           {w.in(0), scale, offset, repeated(base + "/mean", 0), repeated(base + "/variance", 1)})
        .attributes = {onnxFloat("epsilon", 0)};
}

void appendConcat(Writing& w)
{
    const PortableOperation& o = w.operation();
    const auto rank = w.draft().portable(o.outputs[0]).dims.size();
    const auto inputs = w.allIn();
    w.last("Concat", inputs).attributes = {onnxInt("axis", w.axis(o.parameters.axis, rank))};
}

void appendSplit(Writing& w)
{
    const PortableOperation& o = w.operation();
    const auto rank = w.draft().portable(o.inputs[0]).dims.size();
    const std::vector<std::string> inputs{w.in(0), w.draft().ints(o.parameters.sizes)};
    std::vector<std::string> outputs;
    for (std::size_t port = 0; port < o.outputs.size(); ++port)
        outputs.push_back(w.out(port));
    w.draft().append("Split", inputs, outputs).attributes = {
        onnxInt("axis", w.axis(o.parameters.axis, rank))};
}

std::vector<std::int64_t> inForm(const std::vector<std::int64_t>& list, OnnxForm form)
{
    return dimsIn(list, form);
}

void appendPad(Writing& w, OnnxForm form)
{
    const PortableOperation& o = w.operation();
    std::vector<std::int64_t> pads = inForm(o.parameters.before, form);
    const std::vector<std::int64_t> after = inForm(o.parameters.after, form);
    pads.insert(pads.end(), after.begin(), after.end());
    std::vector<std::string> inputs{w.in(0), w.draft().ints(pads)};
    if (o.inputs.size() > 1)
        inputs.push_back(w.draft().name(o.inputs[1], OnnxForm::Last));
    w.last("Pad", inputs);
}

// The tensor has one scale, that of the 8-bit side.
void appendRounding(Writing& w)
{
    OnnxDraft& d = w.draft();
    const PortableOperation& o = w.operation();
    const bool isInto = o.kind == Kind::Quantize;
    const PortableTensor& codes = d.portable(isInto ? o.outputs[0] : o.inputs[0]);
    const std::string zero =
        d.constant(codes.name + "/zero", codes.dtype, {},
                   std::string(1, char(std::int8_t(codes.quantized.zeros[0]))));
    w.last(isInto ? "QuantizeLinear" : "DequantizeLinear",
           {w.in(0), d.oneFloat(codes.quantized.scales[0]), zero});
}

void appendComposed(Writing& w, OnnxForm form)
{
    OnnxDraft& d = w.draft();
    switch (w.operation().kind) {
    case Kind::ChannelAffine: appendAffine(w, form); break;
    case Kind::FloorDiv: appendFloorDiv(w); break;
    case Kind::FloorMod: appendFloorMod(w); break;
    case Kind::Gelu: appendGelu(w); break;
    case Kind::NotEqual: w.last("Not", {w.step("Equal", {w.in(0), w.in(1)})}); break;
    case Kind::Relu6: w.last("Clip", {w.in(0), d.oneFloat(0), d.oneFloat(6)}); break;
    case Kind::Rsqrt: w.last("Reciprocal", {w.step("Sqrt", {w.in(0)})}); break;
    case Kind::Square: w.last("Mul", {w.in(0), w.in(0)}); break;
    case Kind::SquaredDifference: {
        const std::string difference = w.step("Sub", {w.in(0), w.in(1)});
        w.last("Mul", {difference, difference});
        break;
    }
    case Kind::Quantize:
    case Kind::Dequantize: appendRounding(w); break;
    case Kind::Concat: appendConcat(w); break;
    case Kind::Split: appendSplit(w); break;
    case Kind::Pad: appendPad(w, form); break;
    default: w.last("Tile", {w.in(0), d.ints(inForm(w.operation().parameters.sizes, form))}); break;
    }
}

// Returns the axes of a reduction; an ArgMax has one.
std::vector<std::int64_t> axesOf(const PortableOperation& o)
{
    const bool isPlace = o.kind == Kind::ArgMax || o.kind == Kind::ArgMin;
    return isPlace ? std::vector<std::int64_t>{o.parameters.axis} : o.parameters.axes;
}

// Chooses channels first only if the remaining axes keep their order.
OnnxForm reductionForm(const OnnxDraft& draft, const PortableOperation& o)
{
    const PortableTensor& x = draft.portable(o.inputs[0]);
    if (x.dims.size() != 4 || !draft.exists(o.inputs[0], OnnxForm::Front))
        return OnnxForm::Last;
    if (o.parameters.keepsAxes)
        return OnnxForm::Front;
    const auto axes = axesOf(o);
    const auto stays = [&](std::int64_t axis) {
        return std::ranges::find(axes, axis) == axes.end();
    };
    return stays(3) && (stays(1) || stays(2)) ? OnnxForm::Last : OnnxForm::Front;
}

// Bools are reduced as integers, and indices are int64.
Status appendReduction(OnnxDraft& draft, const PortableOperation& o, const PlainOperator& plain)
{
    const OnnxForm form = reductionForm(draft, o);
    Writing w(draft, o, form);
    const PortableTensor& x = draft.portable(o.inputs[0]);
    std::vector<std::int64_t> axes = axesOf(o);
    for (std::int64_t& axis : axes)
        axis = w.axis(axis, x.dims.size());
    std::ranges::sort(axes);
    std::string input = w.in(0);
    const bool isBool = o.kind == Kind::ReduceAll || o.kind == Kind::ReduceAny;
    const bool isPlace = o.kind == Kind::ArgMax || o.kind == Kind::ArgMin;
    if (isBool) {
        const std::string whole = draft.between(draft.portable(o.outputs[0]).name + "/whole",
                                                DType::Int32, dimsIn(x.dims, form));
        draft.append("Cast", {input}, {whole}).attributes = {onnxInt("to", onnxType(DType::Int32))};
        input = whole;
    }
    const bool isCast = isBool || (isPlace && w.outType() != DType::Int64);
    const DType dtype = isBool ? DType::Int32 : isPlace ? DType::Int64 : w.outType();
    const std::string base = draft.portable(o.outputs[0]).name + "/" + std::string(plain.op);
    const std::string made = isCast ? draft.between(base, dtype, w.outDims()) : w.out();
    std::vector<std::string> inputs{input};
    const bool asInput = o.kind == Kind::ReduceSum || draft.opset() >= 18;
    if (!isPlace && asInput)
        inputs.push_back(draft.ints(axes));
    OnnxNode& node = draft.append(std::string(plain.op), inputs, {made});
    node.attributes.push_back(onnxInt("keepdims", o.parameters.keepsAxes ? 1 : 0));
    if (isPlace)
        node.attributes.push_back(onnxInt("axis", axes.front()));
    else if (!asInput)
        node.attributes.push_back(onnxInts("axes", axes));
    if (isCast)
        w.last("Cast", {made}).attributes = {onnxInt("to", onnxType(w.outType()))};
    return Done{};
}

} // namespace

bool isOnnxElement(PortableKind kind)
{
    return findIn(plainOperators, kind) != nullptr || findIn(reductions, kind) != nullptr ||
           std::ranges::find(composed, kind) != composed.end();
}

Status appendOnnxElement(OnnxDraft& draft, const PortableOperation& o)
{
    if (const PlainOperator* reduction = findIn(reductions, o.kind))
        return appendReduction(draft, o, *reduction);
    const OnnxForm form = formOf(draft, o);
    Writing w(draft, o, form);
    if (const PlainOperator* plain = findIn(plainOperators, o.kind))
        appendPlain(w, *plain);
    else
        appendComposed(w, form);
    return Done{};
}

} // namespace lapidary
