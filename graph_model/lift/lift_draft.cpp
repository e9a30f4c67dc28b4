// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_draft.h"

#include "graph_model/base/wire.h"
#include "graph_model/graph/attr_lists.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/graph/stored_scales.h"
#include "graph_model/shapes/declared_shapes.h"
#include "graph_model/shapes/shape_facts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lapidary {
namespace {

constexpr std::int64_t mostValues = 1 << 16; // of lists that say how, not what

template <class T>
NodeDraft constant(std::string name, DType dtype, const std::vector<std::int64_t>& dims,
                   const std::vector<T>& values)
{
    std::string bytes(values.size() * sizeof(T), '\0');
    if (!bytes.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(dtype));
    writer.bytes(2, encodeShape({dims, false}));
    writer.bytes(4, bytes);
    NodeDraft draft;
    draft.name = std::move(name);
    draft.op = "Const";
    draft.setAttr("dtype", attr::fromType(dtype));
    draft.setAttr("value", attr::fromTensorProto(proto));
    return draft;
}

std::optional<LiftDraft::Ints> known(const std::optional<Shape>& shape)
{
    if (!shape || !isFullyKnown(*shape))
        return std::nullopt;
    return shape->dims;
}

std::pair<float, float> rangeOf(DType codes)
{
    switch (codes) {
    case DType::UInt8: return {0, 255};
    case DType::Int16: return {-32768, 32767};
    case DType::UInt16: return {0, 65535};
    default: return {-128, 127};
    }
}

} // namespace

NodeDraft liftedInt64(std::string name, std::int64_t value)
{
    return constant(std::move(name), DType::Int64, {}, std::vector{value});
}

NodeDraft liftedInt32(std::string name, std::int32_t value)
{
    return constant(std::move(name), DType::Int32, {}, std::vector{value});
}

LiftDraft::LiftDraft(const Graph& source, LiftedFunctions& functions)
    : m_source(source)
    , m_functions(functions)
{
    m_nodes.reserve(source.size());
}

void LiftDraft::begin(NodeId id)
{
    m_id = id;
    m_steps.clear();
    m_slots.clear();
    m_lastIsOwn = false;
    const Ints leftOut = intsAttr("_left_out");
    std::size_t next = 0;
    for (std::size_t place = 0; place < node().inputs().size(); ++place) {
        while (next < leftOut.size() && leftOut[next] == std::int64_t(m_slots.size())) {
            m_slots.emplace_back();
            ++next;
        }
        m_slots.emplace_back(place);
    }
}

bool LiftDraft::has(std::size_t slot) const
{
    return slot < m_slots.size() && m_slots[slot].has_value();
}

std::optional<Endpoint> LiftDraft::endpoint(std::size_t slot) const
{
    if (!has(slot))
        return std::nullopt;
    const Endpoint from = m_source.inputs(m_id)[*m_slots[slot]];
    return from.node.isValid() && !from.isControl() ? std::optional(from) : std::nullopt;
}

std::string LiftDraft::reference(Endpoint tensor) const
{
    return outputText(m_source, tensor);
}

std::optional<LiftDraft::Scales> LiftDraft::scalesOf(Endpoint tensor) const
{
    const auto stored = storedScales(m_source.node(tensor.node), tensor.port);
    const DType codes = declaredFacts(m_source, tensor).dtype;
    if (!stored || codes == DType::Float)
        return std::nullopt;
    return Scales{stored->scales, stored->zeroPoints, stored->axis, codes};
}

std::string LiftDraft::fresh()
{
    while (true) {
        std::string name = std::string(node().name()) + "/lifted_" + std::to_string(++m_next);
        if (!m_source.find(name).isValid() && m_made.insert(name).second)
            return name;
    }
}

std::string LiftDraft::numbersOf(Endpoint tensor, const Scales& scales)
{
    std::string& made = m_numbers[{tensor.node.value, tensor.port}];
    if (!made.empty())
        return made;
    Ints dims;
    const auto shape = declaredFacts(m_source, tensor).shape;
    if (scales.scales.size() > 1 && shape && !shape->unknownRank) {
        dims.assign(shape->dims.size(), 1);
        const auto axis = std::size_t(std::max<std::int64_t>(scales.axis, 0));
        if (axis < dims.size())
            dims[axis] = std::int64_t(scales.scales.size());
    }
    const std::vector<float> zeros(scales.zeros.begin(), scales.zeros.end());
    std::string value = step("Cast", {reference(tensor)},
                             {typeAttr("SrcT", scales.codes), typeAttr("DstT", DType::Float)});
    if (std::ranges::any_of(zeros, [](float zero) { return zero != 0; }))
        value = step("Sub", {value, floatList(dims, zeros)}, {typeAttr("T", DType::Float)});
    made = step("Mul", {value, floatList(dims, scales.scales)}, {typeAttr("T", DType::Float)});
    m_lastIsOwn = false;
    return made;
}

std::string LiftDraft::codesOf(const std::string& numbers, const Scales& scales)
{
    const Attrs floats{typeAttr("T", DType::Float)};
    const auto [low, high] = rangeOf(scales.codes);
    const std::string scaled = step("Div", {numbers, oneFloat(scales.scales[0])}, floats);
    const std::string rounded = step("Round", {scaled}, floats);
    const std::string moved = step("AddV2", {rounded, oneFloat(float(scales.zeros[0]))}, floats);
    const std::string below = step("Minimum", {moved, oneFloat(high)}, floats);
    const std::string within = step("Maximum", {below, oneFloat(low)}, floats);
    return step("Cast", {within}, {typeAttr("SrcT", DType::Float), typeAttr("DstT", scales.codes)});
}

std::string LiftDraft::in(std::size_t slot)
{
    const auto from = endpoint(slot);
    if (!from)
        return has(slot) ? std::string(node().inputs()[*m_slots[slot]].text) : "";
    const auto scales = scalesOf(*from);
    return scales ? numbersOf(*from, *scales) : reference(*from);
}

DType LiftDraft::type(std::size_t slot) const
{
    const auto from = endpoint(slot);
    if (!from)
        return DType::Float;
    if (scalesOf(*from))
        return DType::Float;
    const DType declared = declaredFacts(m_source, *from).dtype;
    if (declared != DType::Invalid)
        return declared;
    const auto value = m_source.node(from->node).tensor(); // of a Constant without a description
    return value ? value->dtype() : declared;
}

DType LiftDraft::outType(std::size_t port) const
{
    const Endpoint output{m_id, std::int32_t(port)};
    return scalesOf(output) ? DType::Float : declaredFacts(m_source, output).dtype;
}

std::optional<Shape> LiftDraft::shape(std::size_t slot) const
{
    const auto from = endpoint(slot);
    auto shape = from ? declaredFacts(m_source, *from).shape : std::nullopt;
    return shape && shape->unknownRank ? std::nullopt : shape;
}

std::optional<Shape> LiftDraft::outShape(std::size_t port) const
{
    auto shape = declaredFacts(m_source, {m_id, std::int32_t(port)}).shape;
    return shape && shape->unknownRank ? std::nullopt : shape;
}

std::optional<LiftDraft::Ints> LiftDraft::dims(std::size_t slot) const
{
    return known(shape(slot));
}

std::optional<LiftDraft::Ints> LiftDraft::outDims(std::size_t port) const
{
    return known(outShape(port));
}

std::optional<std::vector<double>> LiftDraft::numbers(std::size_t slot) const
{
    const auto from = endpoint(slot);
    if (!from)
        return std::nullopt;
    const std::string_view op = m_source.node(from->node).op();
    if (op != "Const" && op != "Constant")
        return std::nullopt;
    const auto tensor = m_source.node(from->node).tensor();
    if (!tensor || tensor->elements() > mostValues)
        return std::nullopt;
    auto values = tensor->numbers(0, tensor->elements());
    return values ? std::optional(*std::move(values)) : std::nullopt;
}

std::optional<LiftDraft::Ints> LiftDraft::ints(std::size_t slot) const
{
    const auto values = numbers(slot);
    if (!values)
        return std::nullopt;
    // The bounds of slices are often the largest numbers of 64 bits.
    constexpr double most = 4.0e18;
    Ints rounded;
    for (const double value : *values)
        if (std::isnan(value))
            return std::nullopt;
        else
            rounded.push_back(std::int64_t(std::clamp(value, -most, most)));
    return rounded;
}

std::int64_t LiftDraft::intAttr(std::string_view name, std::int64_t standard) const
{
    return node().attr(name).asInt().value_or(standard);
}

float LiftDraft::floatAttr(std::string_view name, float standard) const
{
    return node().attr(name).asFloat().value_or(standard);
}

std::string_view LiftDraft::textAttr(std::string_view name) const
{
    return node().attr(name).asString().value_or("");
}

std::string LiftDraft::step(std::string_view op, std::vector<std::string> inputs, Attrs attrs)
{
    NodeDraft draft;
    draft.name = fresh();
    draft.op = op;
    draft.inputs = std::move(inputs);
    draft.attrs = std::move(attrs);
    m_steps.push_back(std::move(draft));
    m_lastIsOwn = true;
    return m_steps.back().name;
}

std::string LiftDraft::intMatrix(const Ints& dims, const Ints& values)
{
    std::vector<std::int32_t> narrow;
    for (const std::int64_t value : values)
        narrow.push_back(std::int32_t(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX)));
    m_steps.push_back(constant(fresh(), DType::Int32, dims, narrow));
    m_lastIsOwn = true;
    return m_steps.back().name;
}

std::string LiftDraft::intList(const Ints& values)
{
    return intMatrix({std::int64_t(values.size())}, values);
}

std::string LiftDraft::oneInt(std::int64_t value)
{
    return intMatrix({}, {value});
}

std::string LiftDraft::oneInt64(std::int64_t value)
{
    m_steps.push_back(liftedInt64(fresh(), value));
    m_lastIsOwn = true;
    return m_steps.back().name;
}

std::string LiftDraft::oneTrue()
{
    m_steps.push_back(constant(fresh(), DType::Bool, {}, std::vector<char>{1}));
    m_lastIsOwn = true;
    return m_steps.back().name;
}

std::string LiftDraft::floatList(const Ints& dims, const std::vector<float>& values)
{
    m_steps.push_back(constant(fresh(), DType::Float, dims, values));
    m_lastIsOwn = true;
    return m_steps.back().name;
}

std::string LiftDraft::oneFloat(float value)
{
    return floatList({}, {value});
}

void LiftDraft::give(std::vector<std::string> outputs)
{
    const std::string name(node().name());
    std::vector<DType> types;
    for (std::size_t port = 0; port < outputs.size(); ++port) {
        if (const auto scales = scalesOf({m_id, std::int32_t(port)})) {
            outputs[port] = codesOf(outputs[port], *scales);
            types.push_back(scales->codes);
        } else {
            types.push_back(outType(port));
        }
    }
    const bool isLast =
        m_lastIsOwn && !m_steps.empty() && !outputs.empty() && outputs[0] == m_steps.back().name;
    bool arePorts = isLast;
    for (std::size_t port = 1; port < outputs.size(); ++port)
        arePorts = arePorts && outputs[port] == tensorName(outputs[0], std::int32_t(port));
    if (!arePorts && outputs.size() == 1)
        step("Identity", outputs, {typeAttr("T", types[0])});
    else if (!arePorts)
        step("IdentityN", outputs, {{"T", attr::fromTypes(types)}});
    m_steps.back().name = name;
    for (std::size_t port = 0; port < outputs.size(); ++port)
        shareStoredScales(m_steps.back(), node(), std::int32_t(port));
    nameOutputs(outputs.size(), types);
    for (const NodeDraft& draft : m_steps)
        m_nodes.push_back(draft.finish());
    m_steps.clear();
}

// Further outputs that have names of their own in the file can be asked for by these.
void LiftDraft::nameOutputs(std::size_t count, const std::vector<DType>& types)
{
    const std::vector<std::string_view> names = node().attr("_output_names").strings();
    for (std::size_t port = 1; port < count && port < names.size(); ++port) {
        std::string name(names[port]);
        if (name.empty() || name.find_first_of(":^") != name.npos ||
            m_source.find(name).isValid() || !m_made.insert(name).second)
            continue;
        NodeDraft copy;
        copy.name = std::move(name);
        copy.op = "Identity";
        copy.inputs = {outputText(node().name(), std::int32_t(port))};
        copy.setAttr("T", attr::fromType(types[port]));
        m_steps.push_back(std::move(copy));
    }
}

void LiftDraft::keep()
{
    m_nodes.push_back(m_source.nodes()[m_id.value]);
}

void LiftDraft::refuse()
{
    // Steps that were made before it turned out stay: others may read them.
    for (const NodeDraft& draft : m_steps)
        m_nodes.push_back(draft.finish());
    m_steps.clear();
    NodeDraft draft;
    draft.name = node().name();
    draft.op = std::string(dialectName(dialectOf(m_source))) + "." + std::string(node().op());
    for (const Input& input : node().inputs())
        draft.inputs.emplace_back(input.text);
    m_nodes.push_back(draft.finish());
}

GraphPtr LiftDraft::finish(std::shared_ptr<const FunctionLibrary> functions) &&
{
    Graph::Parts parts;
    parts.functions = std::move(functions);
    parts.nodes = std::move(m_nodes);
    parts.versions.producer = 134; // TensorFlow 1.15
    parts.versions.present = true;
    return Graph::make(std::move(parts));
}

} // namespace lapidary
