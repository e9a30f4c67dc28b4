// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/raise/raise_portable.h"

#include "graph_model/lift/lifted_functions.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/base/stored_weights.h"

#include <algorithm>
#include <array>
#include <numbers>

namespace lapidary {
namespace {

using Kind = PortableKind;

struct PlainOp {
    Kind kind;
    std::string_view op;
    bool hasType = true; // an attribute T, the type of the first input
};

constexpr std::array plainOps{
    PlainOp{Kind::Abs, "Abs"},
    PlainOp{Kind::Add, "AddV2"},
    PlainOp{Kind::And, "LogicalAnd", false},
    PlainOp{Kind::Ceil, "Ceil"},
    PlainOp{Kind::Copy, "Identity"},
    PlainOp{Kind::Cos, "Cos"},
    PlainOp{Kind::Div, "Div"},
    PlainOp{Kind::Elu, "Elu"},
    PlainOp{Kind::Equal, "Equal"},
    PlainOp{Kind::Erf, "Erf"},
    PlainOp{Kind::Exp, "Exp"},
    PlainOp{Kind::Floor, "Floor"},
    PlainOp{Kind::FloorDiv, "FloorDiv"},
    PlainOp{Kind::FloorMod, "FloorMod"},
    PlainOp{Kind::Greater, "Greater"},
    PlainOp{Kind::GreaterEqual, "GreaterEqual"},
    PlainOp{Kind::Less, "Less"},
    PlainOp{Kind::LessEqual, "LessEqual"},
    PlainOp{Kind::Log, "Log"},
    PlainOp{Kind::LogSoftmax, "LogSoftmax"},
    PlainOp{Kind::Maximum, "Maximum"},
    PlainOp{Kind::Minimum, "Minimum"},
    PlainOp{Kind::Mul, "Mul"},
    PlainOp{Kind::Neg, "Neg"},
    PlainOp{Kind::Not, "LogicalNot", false},
    PlainOp{Kind::NotEqual, "NotEqual"},
    PlainOp{Kind::Or, "LogicalOr", false},
    PlainOp{Kind::Pow, "Pow"},
    PlainOp{Kind::Relu, "Relu"},
    PlainOp{Kind::Relu6, "Relu6"},
    PlainOp{Kind::Round, "Round"},
    PlainOp{Kind::Rsqrt, "Rsqrt"},
    PlainOp{Kind::Selu, "Selu"},
    PlainOp{Kind::Sigmoid, "Sigmoid"},
    PlainOp{Kind::Sign, "Sign"},
    PlainOp{Kind::Sin, "Sin"},
    PlainOp{Kind::Softmax, "Softmax"},
    PlainOp{Kind::Softplus, "Softplus"},
    PlainOp{Kind::Sqrt, "Sqrt"},
    PlainOp{Kind::Square, "Square"},
    PlainOp{Kind::SquaredDifference, "SquaredDifference"},
    PlainOp{Kind::Sub, "Sub"},
    PlainOp{Kind::Tanh, "Tanh"},
    PlainOp{Kind::Where, "Where"},
};

constexpr std::array reductions{
    PlainOp{Kind::ReduceAll, "All", false}, PlainOp{Kind::ReduceAny, "Any", false},
    PlainOp{Kind::ReduceMax, "Max"},        PlainOp{Kind::ReduceMean, "Mean"},
    PlainOp{Kind::ReduceMin, "Min"},        PlainOp{Kind::ReduceProd, "Prod"},
    PlainOp{Kind::ReduceSum, "Sum"},
};

const PlainOp* findIn(std::span<const PlainOp> table, Kind kind)
{
    const auto found = std::ranges::find(table, kind, &PlainOp::kind);
    return found == table.end() ? nullptr : &*found;
}

void setType(NodeDraft& draft, std::string_view name, DType dtype)
{
    draft.setAttr(name, attr::fromType(dtype));
}

void raiseLayer(Raising& r, const PortableOperation& o)
{
    const std::string made = raisedProduct(r, o);
    if (o.input(2) == noTensor)
        setType(r.make(o, "Identity", {made}), "T", DType::Float);
    else
        setType(r.make(o, "BiasAdd", {made, r.in(o, 2)}), "T", DType::Float);
}

void raiseGelu(Raising& r, const PortableOperation& o)
{
    const std::string x = r.in(o, 0);
    const std::string scaled =
        r.step(o, "Mul", {x, r.oneFloat(float(1 / std::numbers::sqrt2))}, DType::Float);
    const std::string erf = r.step(o, "Erf", {scaled}, DType::Float);
    const std::string sum = r.step(o, "AddV2", {erf, r.oneFloat(1)}, DType::Float);
    const std::string twice = r.step(o, "Mul", {x, sum}, DType::Float);
    setType(r.make(o, "Mul", {twice, r.oneFloat(0.5F)}), "T", DType::Float);
}

void raiseAffine(Raising& r, const PortableOperation& o)
{
    const std::string scaled = r.step(o, "Mul", {r.in(o, 0), r.in(o, 1)}, DType::Float);
    setType(r.make(o, "AddV2", {scaled, r.in(o, 2)}), "T", DType::Float);
}

void raisePool(Raising& r, const PortableOperation& o)
{
    NodeDraft& draft = r.make(o, o.kind == Kind::MaxPool ? "MaxPool" : "AvgPool", {r.in(o, 0)});
    setRaisedWindow(draft, o.parameters);
    draft.setAttr("ksize", attr::fromInts({1, o.parameters.window[0], o.parameters.window[1], 1}));
}

void raiseLrn(Raising& r, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    NodeDraft& draft = r.make(o, "LRN", {r.in(o, 0)});
    setType(draft, "T", DType::Float);
    draft.setAttr("depth_radius", attr::fromInt(p.radius));
    draft.setAttr("bias", attr::fromFloat(p.bias));
    draft.setAttr("alpha", attr::fromFloat(p.alpha));
    draft.setAttr("beta", attr::fromFloat(p.beta));
}

void raiseReduction(Raising& r, const PortableOperation& o, const PlainOp& plain)
{
    NodeDraft& draft = r.make(o, std::string(plain.op), {r.in(o, 0), r.ints(o.parameters.axes)});
    if (plain.hasType)
        setType(draft, "T", r.tensor(o.inputs[0]).dtype);
    setType(draft, "Tidx", DType::Int32);
    draft.setAttr("keep_dims", attr::fromBool(o.parameters.keepsAxes));
}

// The order of gates that BlockLSTM has: input, candidate, forget, output.
std::vector<float> blockOrder(const std::vector<float>& values, std::size_t units)
{
    std::vector<float> made;
    made.reserve(values.size());
    for (std::size_t row = 0; row + 4 * units <= values.size(); row += 4 * units)
        for (const std::size_t gate : {0U, 3U, 2U, 1U}) {
            const auto first = values.begin() + std::ptrdiff_t(row + gate * units);
            made.insert(made.end(), first, first + std::ptrdiff_t(units));
        }
    return made;
}

// An LSTM over a whole sequence whose gates end with sigmoid and tanh.
void raiseLstm(Raising& r, const PortableOperation& o)
{
    const PortableTensor& weights = r.tensor(o.inputs[1]);
    const auto units = std::size_t(weights.dims[1]) / 4;
    std::vector<float> rows = floatsOf(weights);
    const std::vector<float> recurrent = floatsOf(r.tensor(o.inputs[2]));
    rows.insert(rows.end(), recurrent.begin(), recurrent.end());
    const auto matrix =
        r.floats({weights.dims[0] + std::int64_t(units), weights.dims[1]}, blockOrder(rows, units));
    const bool hasPeepholes = o.input(7) != noTensor;
    const std::vector<float> peepholes =
        hasPeepholes ? floatsOf(r.tensor(o.inputs[7])) : std::vector<float>(3 * units, 0);
    std::vector<std::string> inputs{r.oneLong(r.tensor(o.inputs[0]).dims[0]), r.in(o, 0),
                                    r.in(o, 5), r.in(o, 4), matrix};
    for (const std::size_t gate : {0U, 2U, 1U}) { // their order is input, output, forget gate
        const auto first = peepholes.begin() + std::ptrdiff_t(gate * units);
        inputs.push_back(r.floats({std::int64_t(units)}, {first, first + std::ptrdiff_t(units)}));
    }
    inputs.push_back(
        r.floats({weights.dims[1]}, blockOrder(floatsOf(r.tensor(o.inputs[3])), units)));
    const std::string layer = r.step(o, "BlockLSTM", std::move(inputs), DType::Float);
    r.last().setAttr("forget_bias", attr::fromFloat(0));
    r.last().setAttr("cell_clip", attr::fromFloat(-1));
    r.last().setAttr("use_peephole", attr::fromBool(hasPeepholes));
    constexpr std::int32_t h = 6;
    setType(r.make(o, "Identity", {tensorName(layer, h)}), "T", DType::Float);
}

void raiseOther(Raising& r, const PortableOperation& o)
{
    const DType type = r.tensor(o.inputs[0]).dtype;
    switch (o.kind) {
    case Kind::ChannelAffine: raiseAffine(r, o); break;
    case Kind::Gelu: raiseGelu(r, o); break;
    case Kind::MaxPool:
    case Kind::AveragePool: raisePool(r, o); break;
    case Kind::Lrn: raiseLrn(r, o); break;
    case Kind::Lstm: raiseLstm(r, o); break;
    case Kind::Cast: {
        NodeDraft& draft = r.make(o, "Cast", {r.in(o, 0)});
        setType(draft, "SrcT", type);
        setType(draft, "DstT", r.tensor(o.outputs[0]).dtype);
        break;
    }
    case Kind::FakeQuant: {
        NodeDraft& draft = r.make(o, "FakeQuantWithMinMaxArgs", {r.in(o, 0)});
        draft.setAttr("min", attr::fromFloat(o.parameters.alpha));
        draft.setAttr("max", attr::fromFloat(o.parameters.beta));
        draft.setAttr("num_bits", attr::fromInt(o.parameters.count));
        break;
    }
    case Kind::LeakyRelu: {
        NodeDraft& draft = r.make(o, "LeakyRelu", {r.in(o, 0)});
        setType(draft, "T", type);
        draft.setAttr("alpha", attr::fromFloat(o.parameters.alpha));
        break;
    }
    case Kind::Select:
        setType(r.make(o, "SelectV2", {r.in(o, 0), r.in(o, 1), r.in(o, 2)}), "T",
                r.tensor(o.inputs[1]).dtype);
        break;
    case Kind::BatchMatMul: {
        NodeDraft& draft = r.make(o, "BatchMatMulV2", {r.in(o, 0), r.in(o, 1)});
        setType(draft, "T", type);
        draft.setAttr("adj_x", attr::fromBool(o.parameters.adjointX));
        draft.setAttr("adj_y", attr::fromBool(o.parameters.adjointY));
        break;
    }
    default: raiseLayer(r, o); break;
    }
}

void raiseOne(Raising& r, const PortableOperation& o)
{
    if (const PlainOp* plain = findIn(plainOps, o.kind)) {
        std::vector<std::string> inputs;
        for (std::size_t slot = 0; slot < o.inputs.size(); ++slot)
            inputs.push_back(r.in(o, slot));
        NodeDraft& draft = r.make(o, std::string(plain->op), std::move(inputs));
        if (plain->hasType)
            setType(draft, "T", r.tensor(o.inputs[0]).dtype);
    } else if (const PlainOp* reduction = findIn(reductions, o.kind)) {
        raiseReduction(r, o, *reduction);
    } else if (isRaisedAsShape(o.kind)) {
        raiseShape(r, o);
    } else {
        raiseOther(r, o);
    }
}

// Adds the activation of an operation as a separate node, which has the output's name.
void raiseActivation(Raising& r, const PortableOperation& o)
{
    if (o.activation == PortableActivation::None)
        return;
    NodeDraft& draft = r.last();
    const std::string name = draft.name;
    draft.name += "_linear";
    const std::string before = draft.name;
    setType(r.make(o, o.activation == PortableActivation::Relu ? "Relu" : "Relu6", {before}), "T",
            DType::Float);
}

NodeDraft constantNode(std::string name, const PortableTensor& tensor)
{
    if (const auto values = restoredWeights(tensor))
        return floatConst(std::move(name), tensor.dims, *values);
    return constNode(std::move(name), tensor.dtype, {tensor.dims, false},
                     tensor.bytes.read().view());
}

} // namespace

Raising::Raising(const PortableModel& model, std::shared_ptr<LiftedFunctions> functions)
    : m_model(model)
    , m_functions(std::move(functions))
    , m_tensors(model.tensors.size())
{
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const PortableTensor& one = model.tensors[i];
        m_tensors[i] = "t" + std::to_string(i) + ":0";
        if (one.isConstant)
            m_drafts.push_back(constantNode("t" + std::to_string(i), one));
    }
    for (const TensorIndex input : model.inputs) {
        NodeDraft draft = newNode("t" + std::to_string(input), "Placeholder");
        draft.setAttr("dtype", attr::fromType(tensor(input).dtype));
        draft.setAttr("shape", attr::fromShape({tensor(input).dims, false}));
        m_drafts.push_back(std::move(draft));
    }
}

std::string Raising::in(const PortableOperation& operation, std::size_t slot) const
{
    return m_tensors[std::size_t(operation.inputs[slot])];
}

NodeDraft& Raising::make(const PortableOperation& operation, std::string op,
                         std::vector<std::string> inputs)
{
    const std::string name = "t" + std::to_string(operation.outputs.front());
    for (std::size_t port = 0; port < operation.outputs.size(); ++port)
        m_tensors[std::size_t(operation.outputs[port])] = tensorName(name, std::int32_t(port));
    m_drafts.push_back(newNode(name, op, std::move(inputs)));
    return m_drafts.back();
}

std::string Raising::step(const PortableOperation& operation, std::string op,
                          std::vector<std::string> inputs, DType dtype)
{
    const std::string name =
        "t" + std::to_string(operation.outputs.front()) + "_" + std::to_string(m_drafts.size());
    m_drafts.push_back(newNode(name, op, std::move(inputs)));
    setType(m_drafts.back(), "T", dtype);
    return name;
}

std::string Raising::intConstant(const std::vector<std::int64_t>& dims,
                                 const std::vector<std::int64_t>& values)
{
    const std::vector<std::int32_t> narrow(values.begin(), values.end());
    m_drafts.push_back(intConst("c" + std::to_string(m_drafts.size()), dims, narrow));
    return m_drafts.back().name;
}

std::string Raising::ints(const std::vector<std::int64_t>& values)
{
    return intConstant({std::int64_t(values.size())}, values);
}

std::string Raising::oneInt(std::int64_t value)
{
    return intConstant({}, {value});
}

std::string Raising::matrix(const std::vector<std::int64_t>& before,
                            const std::vector<std::int64_t>& after)
{
    std::vector<std::int64_t> values;
    for (std::size_t row = 0; row < before.size(); ++row) {
        values.push_back(before[row]);
        values.push_back(after[row]);
    }
    return intConstant({std::int64_t(before.size()), 2}, values);
}

std::string Raising::oneLong(std::int64_t value)
{
    const std::string_view bytes(reinterpret_cast<const char*>(&value), sizeof(value));
    m_drafts.push_back(
        constNode("c" + std::to_string(m_drafts.size()), DType::Int64, {{}, false}, bytes));
    return m_drafts.back().name;
}

std::string Raising::floats(const std::vector<std::int64_t>& dims, const std::vector<float>& values)
{
    m_drafts.push_back(floatConst("c" + std::to_string(m_drafts.size()), dims, values));
    return m_drafts.back().name;
}

std::string Raising::oneFloat(float value)
{
    m_drafts.push_back(floatScalar("c" + std::to_string(m_drafts.size()), value));
    return m_drafts.back().name;
}

void Raising::raiseAll()
{
    for (const PortableOperation& operation : m_model.operations) {
        if (operation.kind == Kind::While) {
            raiseLoop(operation);
            continue;
        }
        raiseOne(*this, operation);
        raiseActivation(*this, operation);
    }
}

RaisedGraph Raising::finish() &&
{
    Graph::Parts parts;
    for (const NodeDraft& draft : m_drafts)
        parts.nodes.push_back(draft.finish());
    parts.versions.producer = 134; // TensorFlow 1.15
    parts.versions.present = true;
    parts.functions = m_functions->library();
    return {Graph::make(std::move(parts)), std::move(m_tensors)};
}

Result<RaisedGraph> raisePortable(const PortableModel& model)
{
    Raising raising(model, std::make_shared<LiftedFunctions>());
    raising.raiseAll();
    return std::move(raising).finish();
}

} // namespace lapidary
