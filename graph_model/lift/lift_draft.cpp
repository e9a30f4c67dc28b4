// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_draft.h"

#include "graph_model/base/utf8.h"
#include "graph_model/base/wire.h"
#include "graph_model/graph/attr_lists.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lifted_functions.h"
#include "graph_model/shapes/shape_facts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lapidary {
namespace {

constexpr std::int64_t mostValues = 1 << 16; // in lists of parameters, which are not data

template <class T>
NodeDraft drafted(std::string name, DType dtype, const std::vector<std::int64_t>& dims,
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

// Returns the first part of an operator's name, for names of its steps; its length is limited
// because there may be many steps.
std::string_view beginningOf(std::string_view name)
{
    constexpr std::size_t longest = 256;
    return name.substr(0, utf8Boundary(name, longest));
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
    return drafted(std::move(name), DType::Int64, {}, std::vector{value});
}

NodeDraft liftedInt32(std::string name, std::int32_t value)
{
    return drafted(std::move(name), DType::Int32, {}, std::vector{value});
}

NodeDraft liftedFloat(std::string name, float value)
{
    return drafted(std::move(name), DType::Float, {}, std::vector{value});
}

LiftDraft::LiftDraft(const Graph& source, CodedOperators coded, LiftedFunctions& functions)
    : LiftedOperator(source, coded)
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

std::optional<LiftDraft::Codes> LiftDraft::codesOf(Endpoint tensor) const
{
    const StoredScales* stored = scalesOf(tensor);
    const DType dtype = declared(tensor).dtype;
    return stored == nullptr || dtype == DType::Float ? std::nullopt
                                                      : std::optional(Codes{*stored, dtype});
}

std::string LiftDraft::fresh()
{
    const std::string beginning = std::string(beginningOf(node().name())).append(liftedMark);
    while (true) {
        std::string name = beginning + std::to_string(++m_next);
        if (!source().find(name).isValid() && m_made.insert(name).second)
            return name;
    }
}

// Returns whether a runtime of another format supports these codes.
bool LiftDraft::arePaired(const Codes& codes) const
{
    return coded() == CodedOperators::AsPairs &&
           (codes.dtype == DType::Int8 || codes.dtype == DType::UInt8);
}

std::string LiftDraft::numbersOf(Endpoint tensor, const Codes& codes)
{
    std::string& made = m_numbers[{tensor.node.value, tensor.port}];
    if (!made.empty())
        return made;
    if (arePaired(codes)) {
        made = dequantized(*this, reference(tensor), codes.dtype, codes.scales);
        m_lastIsOwn = false;
        return made;
    }
    Ints dims;
    const StoredScales& scales = codes.scales;
    const auto& shape = declared(tensor).shape;
    if (scales.scales.size() > 1 && shape && !shape->unknownRank) {
        dims.assign(shape->dims.size(), 1);
        const auto axis = std::size_t(std::max<std::int64_t>(scales.axis, 0));
        if (axis < dims.size())
            dims[axis] = std::int64_t(scales.scales.size());
    }
    const std::vector<float> zeros(scales.zeroPoints.begin(), scales.zeroPoints.end());
    std::string value = step("Cast", {reference(tensor)},
                             {typeAttr("SrcT", codes.dtype), typeAttr("DstT", DType::Float)});
    if (std::ranges::any_of(zeros, [](float zero) { return zero != 0; }))
        value = step("Sub", {value, floatList(dims, zeros)}, {typeAttr("T", DType::Float)});
    made = step("Mul", {value, floatList(dims, scales.scales)}, {typeAttr("T", DType::Float)});
    m_lastIsOwn = false;
    return made;
}

std::string LiftDraft::asCodes(const std::string& numbers, const Codes& codes)
{
    if (arePaired(codes)) {
        Attrs attrs{typeAttr("T", DType::Float), typeAttr("out_codes", codes.dtype)};
        addOperandScales(attrs, "out", codes.scales);
        return step("_Tflite_QUANTIZE", {numbers}, std::move(attrs));
    }
    const Attrs floats{typeAttr("T", DType::Float)};
    const auto [low, high] = rangeOf(codes.dtype);
    const std::string scaled = step("Div", {numbers, oneFloat(codes.scales.scales[0])}, floats);
    const std::string rounded = step("Round", {scaled}, floats);
    const std::string moved =
        step("AddV2", {rounded, oneFloat(float(codes.scales.zeroPoints[0]))}, floats);
    const std::string below = step("Minimum", {moved, oneFloat(high)}, floats);
    const std::string within = step("Maximum", {below, oneFloat(low)}, floats);
    return step("Cast", {within}, {typeAttr("SrcT", DType::Float), typeAttr("DstT", codes.dtype)});
}

std::string LiftDraft::in(std::size_t slot)
{
    const auto from = endpoint(slot);
    if (!from)
        return std::string(inputText(slot));
    if (const auto codes = codesOf(*from))
        return numbersOf(*from, *codes);
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
    return !from || codesOf(*from) ? DType::Float : widened(state(slot).dtype);
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
    const TensorFacts& facts = declared(*from);
    if (facts.dtype != DType::Invalid)
        state.dtype = facts.dtype;
    if (facts.shape && areCompatible(state.shape, *facts.shape))
        state.shape = mergedShape(state.shape, *facts.shape);
    return state;
}

DType LiftDraft::outType(std::size_t port) const
{
    const Endpoint output{id(), std::int32_t(port)};
    return codesOf(output) ? DType::Float : widened(declared(output).dtype);
}

std::optional<Shape> LiftDraft::shape(std::size_t slot) const
{
    TensorState known = state(slot);
    return known.shape.unknownRank ? std::nullopt : std::optional(std::move(known.shape));
}

std::optional<Shape> LiftDraft::outShape(std::size_t port) const
{
    const auto& shape = declared({id(), std::int32_t(port)}).shape;
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
    // Bounds of slices are often the largest 64-bit numbers, so values are clamped.
    constexpr double most = 4.0e18;
    Ints rounded;
    for (const double value : *values)
        if (std::isnan(value))
            return std::nullopt;
        else
            rounded.push_back(std::int64_t(std::clamp(value, -most, most)));
    return rounded;
}

std::string LiftDraft::append(NodeDraft draft)
{
    constexpr std::size_t fewSteps = 64;       // for one operator
    constexpr std::int64_t numbersOfStep = 64; // numbers that take as many bytes as a step
    if (m_steps.size() >= fewSteps && !m_functions.takeRoom(numbersOfStep))
        return std::string(beginningOf(node().name()));
    m_states.add(*draft.finish());
    m_steps.push_back(std::move(draft));
    m_lastIsOwn = true;
    return m_steps.back().name;
}

template <class T>
std::string LiftDraft::constant(DType dtype, const Ints& dims, const std::vector<T>& values)
{
    constexpr std::size_t fewNumbers = 64; // takes no more than a step itself
    if (values.size() > fewNumbers && !m_functions.takeRoom(std::int64_t(values.size())))
        return std::string(beginningOf(node().name()));
    return append(drafted(fresh(), dtype, dims, values));
}

std::string LiftDraft::step(std::string_view op, std::vector<std::string> inputs, Attrs attrs)
{
    NodeDraft draft;
    draft.name = fresh();
    draft.op = op;
    draft.inputs = std::move(inputs);
    draft.attrs = std::move(attrs);
    return append(std::move(draft));
}

std::string LiftDraft::intMatrix(const Ints& dims, const Ints& values)
{
    std::vector<std::int32_t> narrow;
    for (const std::int64_t value : values)
        narrow.push_back(std::int32_t(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX)));
    return constant(DType::Int32, dims, narrow);
}

std::string LiftDraft::intList(const Ints& values)
{
    return intMatrix({std::int64_t(values.size())}, values);
}

std::string LiftDraft::longList(const Ints& values)
{
    return constant(DType::Int64, {std::int64_t(values.size())}, values);
}

std::string LiftDraft::oneInt(std::int64_t value)
{
    return intMatrix({}, {value});
}

std::string LiftDraft::oneInt64(std::int64_t value)
{
    return append(liftedInt64(fresh(), value));
}

std::string LiftDraft::oneTrue()
{
    return constant(DType::Bool, {}, std::vector<char>{1});
}

std::string LiftDraft::floatList(const Ints& dims, const std::vector<float>& values)
{
    return constant(DType::Float, dims, values);
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
        if (const auto codes = codesOf({id(), std::int32_t(port)})) {
            if (!areStored)
                outputs[port] = asCodes(outputs[port], *codes);
            types.push_back(codes->dtype);
        } else {
            DType made = declared({id(), std::int32_t(port)}).dtype;
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
    if (m_functions.isFull()) {
        refuse();
        return;
    }
    m_states.rename(m_steps.back().name, name);
    m_steps.back().name = name;
    shareStoredScales(m_steps.back(), node(), outputs.size());
    nameOutputs(types);
    for (const NodeDraft& draft : m_steps)
        m_nodes.push_back(draft.finish());
    m_steps.clear();
}

void LiftDraft::describe(std::size_t port, const TensorState& state)
{
    TensorState& output = m_states.output(std::string(node().name()), port);
    if (output.shape.unknownRank)
        output = state;
}

// Adds nodes for further outputs that have names in the file, so that they can be fetched by these.
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

void LiftDraft::keep(const TensorState* state, const Shape* shape)
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
    if (shape != nullptr)
        m_states.output(std::string(node().name()), 0).shape = *shape;
}

void LiftDraft::refuse()
{
    // Steps that were made before the failure stay, because others may read them.
    for (const NodeDraft& draft : m_steps)
        m_nodes.push_back(draft.finish());
    m_steps.clear();
    NodeDraft draft;
    draft.name = node().name();
    draft.op = std::string(dialectName(dialectOf(source()))) + "." + std::string(node().op());
    for (const Input& input : node().inputs())
        draft.inputs.emplace_back(input.text);
    // All outputs can be requested, and the error names the op.
    if (const AttrValue types = node().attr("_output_types"); types.types().size() > 1)
        draft.setAttr("_output_types", attr::fromTypes(types.types()));
    m_nodes.push_back(draft.finish());
    // Readers are lifted by their input's type: if the file does not declare it, it is that of the
    // operator's own input.
    TensorState& made = m_states.output(draft.name, 0);
    if (made.dtype == DType::Invalid && declared({id(), 0}).dtype == DType::Invalid && slots() > 0)
        made.dtype = type(0);
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
