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

NodeDraft liftedFloat(std::string name, float value)
{
    return constant(std::move(name), DType::Float, {}, std::vector{value});
}

LiftDraft::LiftDraft(const Graph& source, LiftedFunctions& functions)
    : LiftedOperator(source)
    , m_functions(functions)
{
    m_nodes.reserve(source.size());
}

void LiftDraft::begin(NodeId id, bool isWide)
{
    setNode(id);
    if (!isWide)
        m_steps.clear();
    m_lastIsOwn = false;
    m_isWide = isWide;
}

std::string LiftDraft::reference(Endpoint tensor) const
{
    return outputText(source(), tensor);
}

std::optional<LiftDraft::Scales> LiftDraft::scalesOf(Endpoint tensor) const
{
    const auto stored = storedScales(source().node(tensor.node), tensor.port);
    const DType codes = declaredFacts(source(), tensor).dtype;
    if (!stored || codes == DType::Float)
        return std::nullopt;
    return Scales{stored->scales, stored->zeroPoints, stored->axis, codes};
}

std::string LiftDraft::fresh()
{
    while (true) {
        std::string name = std::string(node().name()) + "/lifted_" + std::to_string(++m_next);
        if (!source().find(name).isValid() && m_made.insert(name).second)
            return name;
    }
}

std::string LiftDraft::numbersOf(Endpoint tensor, const Scales& scales)
{
    std::string& made = m_numbers[{tensor.node.value, tensor.port}];
    if (!made.empty())
        return made;
    Ints dims;
    const auto shape = declaredFacts(source(), tensor).shape;
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
        return std::string(inputText(slot));
    if (const auto scales = scalesOf(*from))
        return numbersOf(*from, *scales);
    if (!m_isWide || state(slot).dtype != DType::Half)
        return reference(*from);
    std::string made = step("Cast", {reference(*from)},
                            {typeAttr("SrcT", DType::Half), typeAttr("DstT", DType::Float)});
    m_lastIsOwn = false;
    return made;
}

std::string LiftDraft::stored(std::size_t slot) const
{
    const auto from = endpoint(slot);
    return from ? reference(*from) : std::string();
}

DType LiftDraft::type(std::size_t slot) const
{
    const auto from = endpoint(slot);
    return !from || scalesOf(*from) ? DType::Float : widened(state(slot).dtype);
}

DType LiftDraft::widened(DType dtype) const
{
    return m_isWide && dtype == DType::Half ? DType::Float : dtype;
}

TensorState LiftDraft::stateOf(const std::string& tensor) const
{
    const TensorState* state = m_states.find(tensor);
    return state == nullptr ? TensorState() : *state;
}

TensorState LiftDraft::state(std::size_t slot) const
{
    const auto from = endpoint(slot);
    if (!from)
        return {};
    TensorState state = stateOf(reference(*from));
    const TensorFacts declared = declaredFacts(source(), *from);
    if (declared.dtype != DType::Invalid)
        state.dtype = declared.dtype;
    if (declared.shape && areCompatible(state.shape, *declared.shape))
        state.shape = mergedShape(state.shape, *declared.shape);
    return state;
}

DType LiftDraft::outType(std::size_t port) const
{
    const Endpoint output{id(), std::int32_t(port)};
    return scalesOf(output) ? DType::Float : widened(declaredFacts(source(), output).dtype);
}

std::optional<Shape> LiftDraft::shape(std::size_t slot) const
{
    TensorState known = state(slot);
    return known.shape.unknownRank ? std::nullopt : std::optional(std::move(known.shape));
}

std::optional<Shape> LiftDraft::outShape(std::size_t port) const
{
    auto shape = declaredFacts(source(), {id(), std::int32_t(port)}).shape;
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
    const std::string_view op = source().node(from->node).op();
    if (op != "Const" && op != "Constant") {
        const KnownValuesPtr known = state(slot).known;
        if (known == nullptr || !known->isComplete())
            return std::nullopt;
        if (known->floats)
            return known->floats;
        return std::vector<double>(known->items.begin(), known->items.end());
    }
    const auto tensor = source().node(from->node).tensor();
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

void LiftDraft::append(NodeDraft draft)
{
    m_states.add(*draft.finish());
    m_steps.push_back(std::move(draft));
    m_lastIsOwn = true;
}

std::string LiftDraft::step(std::string_view op, std::vector<std::string> inputs, Attrs attrs)
{
    NodeDraft draft;
    draft.name = fresh();
    draft.op = op;
    draft.inputs = std::move(inputs);
    draft.attrs = std::move(attrs);
    append(std::move(draft));
    return m_steps.back().name;
}

std::string LiftDraft::intMatrix(const Ints& dims, const Ints& values)
{
    std::vector<std::int32_t> narrow;
    for (const std::int64_t value : values)
        narrow.push_back(std::int32_t(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX)));
    append(constant(fresh(), DType::Int32, dims, narrow));
    return m_steps.back().name;
}

std::string LiftDraft::intList(const Ints& values)
{
    return intMatrix({std::int64_t(values.size())}, values);
}

std::string LiftDraft::longList(const Ints& values)
{
    append(constant(fresh(), DType::Int64, {std::int64_t(values.size())}, values));
    return m_steps.back().name;
}

std::string LiftDraft::oneInt(std::int64_t value)
{
    return intMatrix({}, {value});
}

std::string LiftDraft::oneInt64(std::int64_t value)
{
    append(liftedInt64(fresh(), value));
    return m_steps.back().name;
}

std::string LiftDraft::oneTrue()
{
    append(constant(fresh(), DType::Bool, {}, std::vector<char>{1}));
    return m_steps.back().name;
}

std::string LiftDraft::floatList(const Ints& dims, const std::vector<float>& values)
{
    append(constant(fresh(), DType::Float, dims, values));
    return m_steps.back().name;
}

std::string LiftDraft::oneFloat(float value)
{
    return floatList({}, {value});
}

void LiftDraft::giveAll(std::vector<std::string> outputs, bool areStored)
{
    const std::string name(node().name());
    std::vector<DType> types;
    for (std::size_t port = 0; port < outputs.size(); ++port) {
        if (const auto scales = scalesOf({id(), std::int32_t(port)})) {
            if (!areStored)
                outputs[port] = codesOf(outputs[port], *scales);
            types.push_back(scales->codes);
        } else {
            DType made = declaredFacts(source(), {id(), std::int32_t(port)}).dtype;
            if (made == DType::Invalid)
                made = stateOf(outputs[port]).dtype;
            if (m_isWide && made == DType::Float)
                made = DType::Half;
            if (m_isWide && made == DType::Half)
                outputs[port] =
                    step("Cast", {outputs[port]},
                         {typeAttr("SrcT", DType::Float), typeAttr("DstT", DType::Half)});
            types.push_back(made);
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
    m_states.rename(m_steps.back().name, name);
    m_steps.back().name = name;
    for (std::size_t port = 0; port < outputs.size(); ++port)
        shareStoredScales(m_steps.back(), node(), std::int32_t(port));
    nameOutputs(types);
    for (const NodeDraft& draft : m_steps)
        m_nodes.push_back(draft.finish());
    m_steps.clear();
}

void LiftDraft::describe(std::size_t port, const TensorState& state)
{
    const std::string name(node().name());
    const TensorState* first = m_states.find(name);
    std::vector<TensorState> outputs;
    for (std::int32_t i = 0; first != nullptr; first = m_states.find(outputText(name, ++i)))
        outputs.push_back(*first);
    outputs.resize(std::max(outputs.size(), port + 1));
    if (outputs[port].shape.unknownRank)
        outputs[port] = state;
    m_states.set(name, std::move(outputs));
}

// Further outputs that have names of their own in the file can be asked for by these.
void LiftDraft::nameOutputs(const std::vector<DType>& types)
{
    const std::vector<std::string_view> names = node().attr("_output_names").strings();
    for (std::size_t port = 1; port < types.size() && port < names.size(); ++port) {
        std::string name(names[port]);
        if (name.empty() || name.find_first_of(":^") != name.npos ||
            source().find(name).isValid() || !m_made.insert(name).second)
            continue;
        NodeDraft copy;
        copy.name = std::move(name);
        copy.op = "Identity";
        copy.inputs = {outputText(node().name(), std::int32_t(port))};
        copy.setAttr("T", attr::fromType(types[port]));
        m_steps.push_back(std::move(copy));
    }
}

void LiftDraft::keep(const TensorState* state)
{
    NodePtr kept = source().nodes()[id().value];
    const DType dtype = state == nullptr ? DType::Invalid : state->dtype;
    if (dtype != DType::Invalid && !kept->hasAttr("T")) {
        NodeDraft typed = NodeDraft::of(*kept);
        typed.setAttr("T", attr::fromType(dtype));
        kept = typed.finish(kept->isSynthetic());
    }
    m_nodes.push_back(kept);
    m_states.add(*kept);
    if (state != nullptr)
        describe(0, *state);
}

void LiftDraft::refuse()
{
    // Steps that were made before it turned out stay: others may read them.
    for (const NodeDraft& draft : m_steps)
        m_nodes.push_back(draft.finish());
    m_steps.clear();
    NodeDraft draft;
    draft.name = node().name();
    draft.op = std::string(dialectName(dialectOf(source()))) + "." + std::string(node().op());
    for (const Input& input : node().inputs())
        draft.inputs.emplace_back(input.text);
    // So many outputs can be asked for, and it is the op that is said to be missing.
    if (const AttrValue types = node().attr("_output_types"); types.types().size() > 1)
        draft.setAttr("_output_types", attr::fromTypes(types.types()));
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
