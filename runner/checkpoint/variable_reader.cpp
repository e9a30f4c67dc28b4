// SPDX-License-Identifier: Apache-2.0
#include "runner/checkpoint/variable_reader.h"

#include "graph_model/base/wire.h"
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

namespace lapidary {
namespace {

constexpr int mostSteps = 8;      // copies between a restored value and its variable
constexpr int deepestRestore = 4; // calls between a variable and its assignment
constexpr std::string_view objectGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";
constexpr std::string_view partPrefix = "/part_";

Error fault(const Node& node, ErrorCode code, std::string why)
{
    return {code, std::string(node.name()) + ": " + std::move(why)};
}

std::optional<std::int64_t> number(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// Parses a slice: the sizes of the whole, then for each dimension "-" (all) or "start,length", with
// colons in between. "6 4 0,3:-" is [0, 3) of the first and all of the second of two dimensions.
std::optional<Slice> parseSlice(std::string_view text)
{
    const std::size_t space = text.rfind(' ');
    if (space == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(space + 1);
    Slice slice;
    while (true) {
        const std::size_t colon = std::min(text.find(':'), text.size());
        const std::string_view extent = text.substr(0, colon);
        const std::size_t comma = extent.find(',');
        if (extent == "-") {
            slice.push_back({});
        } else {
            const auto start = number(extent.substr(0, std::min(comma, extent.size())));
            const auto length =
                comma == std::string_view::npos ? std::nullopt : number(extent.substr(comma + 1));
            if (!start || !length)
                return std::nullopt;
            slice.push_back({*start, *length});
        }
        if (colon == text.size())
            return slice;
        text.remove_prefix(colon + 1);
    }
}

std::string shapeOf(const std::vector<std::int64_t>& dims)
{
    return shapeText({dims, false});
}

bool agrees(const Shape& declared, const std::vector<std::int64_t>& dims)
{
    if (declared.unknownRank)
        return true;
    if (declared.dims.size() != dims.size())
        return false;
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (declared.dims[i] >= 0 && declared.dims[i] != dims[i])
            return false;
    return true;
}

// Copies the elements of one slice of the whole.
CheckpointValue cut(const CheckpointValue& whole, const Slice& slice)
{
    CheckpointValue part;
    part.dtype = whole.dtype;
    part.dims = sliceDims(slice, whole.dims);
    std::size_t count = 1;
    for (const std::int64_t size : part.dims)
        count *= std::size_t(size);
    const std::size_t size = dtypeSize(whole.dtype);
    part.bytes.resize(count * size);
    part.strings.resize(size == 0 ? count : 0);
    forEachRun(whole.dims, slice, [&](std::size_t from, std::size_t to, std::size_t run) {
        if (size != 0)
            std::memcpy(part.bytes.data() + to * size, whole.bytes.data() + from * size,
                        run * size);
        for (std::size_t i = 0; size == 0 && i < run; ++i)
            part.strings[to + i] = whole.strings[from + i];
    });
    return part;
}

// A value that an object of a checkpoint has.
struct SavedAttribute {
    std::string fullName;
    std::string key;
};

// Fields of a TrackableObject: attributes 2 { full_name 2, checkpoint_key 3 }
std::vector<SavedAttribute> savedAttributes(std::string_view object)
{
    std::vector<SavedAttribute> attributes;
    WireReader reader(object);
    while (reader.next()) {
        if (reader.field() != 2 || reader.type() != WireType::Bytes)
            continue;
        SavedAttribute& attribute = attributes.emplace_back();
        WireReader saved(reader.bytes());
        while (saved.next())
            if (saved.type() == WireType::Bytes && saved.field() == 2)
                attribute.fullName = saved.bytes();
            else if (saved.type() == WireType::Bytes && saved.field() == 3)
                attribute.key = saved.bytes();
    }
    return attributes;
}

bool liesInside(const Slice& slice, const std::vector<std::int64_t>& dims)
{
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const SliceExtent& extent = slice[i];
        if (extent.start < 0 || extent.start > dims[i] ||
            (extent.length >= 0 && extent.length > dims[i] - extent.start))
            return false;
    }
    return true;
}

} // namespace

VariableReader::VariableReader(GraphPtr graph, CheckpointPtr checkpoint, const BoundInputs& bound)
    : m_graph(std::move(graph))
    , m_checkpoint(std::move(checkpoint))
{
    readObjectGraph(bound);
}

Result<VariableReader> VariableReader::open(GraphPtr graph, const std::filesystem::path& checkpoint,
                                            const Job& job, const BoundInputs& bound)
{
    const OpenedCheckpoint opened = openCheckpoint(checkpoint, job);
    if (!opened.checkpoint)
        return Error{ErrorCode::BadFile,
                     checkpoint.string() + ": " +
                         (opened.problems.empty() ? "this checkpoint cannot be read"
                                                  : opened.problems.front().message)};
    return VariableReader(std::move(graph), opened.checkpoint, bound);
}

// The objects of the checkpoint have the numbers that they have in the SavedModel.
void VariableReader::readObjectGraph(const BoundInputs& bound)
{
    if (m_checkpoint->find(objectGraphKey) == nullptr)
        return;
    const CheckpointRead read = m_checkpoint->read(objectGraphKey);
    if (read.problem || read.value.strings.empty())
        return;
    std::size_t number = 0;
    WireReader objects(read.value.strings.front());
    while (objects.next()) {
        if (objects.field() != 1 || objects.type() != WireType::Bytes)
            continue;
        const BoundValue* value = number < bound.values.size() ? &bound.values[number] : nullptr;
        ++number;
        for (const SavedAttribute& saved : savedAttributes(objects.bytes())) {
            if (saved.fullName.empty())
                continue;
            if (value != nullptr && value->isVariable && value->name == saved.fullName)
                m_keyOfNode.emplace(value->node, saved.key);
            const auto [known, isNew] = m_keyOfFullName.emplace(saved.fullName, saved.key);
            if (!isNew && known->second != saved.key)
                known->second.clear(); // several tf.Variables without a name: ambiguous
        }
    }
}

// Each list is decoded once, however many variables are read from it.
std::string VariableReader::stringAt(const Graph& graph, Endpoint list, std::int32_t at) const
{
    if (!list.node.isValid())
        return {};
    const Node& node = graph.node(list.node);
    const auto [known, isNew] = m_known.lists.try_emplace(&node);
    if (isNew)
        if (const auto tensor = node.tensor())
            if (auto strings = tensor->strings())
                known->second = *std::move(strings);
    const std::vector<std::string>& strings = known->second;
    return at >= 0 && std::size_t(at) < strings.size() ? strings[std::size_t(at)] : std::string();
}

// Returns the variable of the checkpoint that RestoreV2 reads for the value of an assignment.
VariableReader::Stored VariableReader::restoredBy(const Graph& graph, Endpoint from) const
{
    for (int i = 0; i < mostSteps && from.node.isValid() && !from.isControl(); ++i) {
        const auto inputs = graph.inputs(from.node);
        if (graph.node(from.node).op() == "RestoreV2" && inputs.size() > 2) {
            const std::string slice = stringAt(graph, inputs[2], from.port);
            const std::string key = stringAt(graph, inputs[1], from.port);
            if (m_checkpoint->find(key) != nullptr)
                return {key, parseSlice(slice).value_or(Slice{})};
            break;
        }
        if (!copiesInput(graph.node(from.node).op()) || inputs.empty())
            break;
        from = inputs[0];
    }
    return {};
}

// Returns the stored value that the graph's own restore operation reads for the variable; in
// TensorFlow 2 that is a function that gets all variables. `depth` limits the calls that are
// followed. Results are kept, so that a function that is called many times, and makes many calls
// itself, is searched once.
const VariableReader::Stored& VariableReader::restored(const Graph& graph, NodeId variable,
                                                       int depth) const
{
    const auto [known, isNew] = m_known.restored.try_emplace({&graph.node(variable), depth});
    Stored& stored = known->second;
    const auto readers = isNew ? graph.consumers(variable) : std::span<const Consumer>();
    for (const Consumer& reader : readers) {
        const auto operands = graph.inputs(reader.node);
        const Node& node = graph.node(reader.node);
        if (assignsVariable(node.op()) && reader.slot == 0 && operands.size() >= 2)
            stored = restoredBy(graph, operands[1]);
        else if (depth > 0 && !reader.isControl())
            stored = restoredIn(node, reader.slot, depth - 1);
        if (!stored.key.empty())
            break;
    }
    return stored;
}

// Returns the stored value that the called function reads for its argument `slot`.
VariableReader::Stored VariableReader::restoredIn(const Node& call, std::uint32_t slot,
                                                  int depth) const
{
    const FunctionLibrary* library = m_graph->functions();
    if (library == nullptr || callKind(call.op()) != CallKind::Call)
        return {};
    const FunctionPtr called =
        library->find(call.attr("f").asFunctionName().value_or(std::string_view()));
    if (!called || slot >= called->arguments.size())
        return {};
    return restored(*called->body, NodeId{slot}, depth);
}

// Returns the index along a dimension at which a part begins, by the shapes of the parts before it;
// nothing if one of them is missing or has another rank.
std::optional<std::int64_t> VariableReader::startOf(const PartAxis& of, std::int64_t part) const
{
    std::vector<std::int64_t>& starts = m_known.starts[of];
    if (starts.empty())
        starts.push_back(0);
    while (std::int64_t(starts.size()) <= part) {
        const NodeId sibling =
            m_graph->find(of.key + std::string(partPrefix) + std::to_string(starts.size() - 1));
        const auto shape = sibling.isValid() ? m_graph->node(sibling).attr("shape").asShape()
                                             : std::optional<Shape>();
        std::int64_t next = 0;
        if (!shape || shape->dims.size() != of.rank ||
            __builtin_add_overflow(starts.back(), shape->dims[of.axis], &next))
            return std::nullopt;
        starts.push_back(next);
    }
    return part < 0 ? std::nullopt : std::optional(starts[std::size_t(part)]);
}

// Returns the slice of the variable `x/part_2` in the stored `x`: it comes after its siblings,
// along the one dimension in which it is smaller.
VariableReader::Stored VariableReader::partOf(NodeId variable) const
{
    const std::string_view name = m_graph->node(variable).name();
    const std::size_t at = name.rfind(partPrefix);
    if (at == std::string_view::npos)
        return {};
    const auto part = number(name.substr(at + partPrefix.size()));
    const std::string key(name.substr(0, at));
    const CheckpointVariable* whole = m_checkpoint->find(key);
    const auto own = m_graph->node(variable).attr("shape").asShape();
    if (!part || whole == nullptr || !own || own->dims.size() != whole->shape.dims.size())
        return {};
    std::size_t axis = 0;
    while (axis < own->dims.size() && own->dims[axis] == whole->shape.dims[axis])
        ++axis;
    if (axis == own->dims.size())
        return {key, {}};
    const auto start = startOf({key, own->dims.size(), axis}, *part);
    if (!start)
        return {};
    Slice slice(own->dims.size());
    slice[axis] = {*start, own->dims[axis]};
    return {key, slice};
}

VariableReader::Stored VariableReader::find(NodeId variable) const
{
    if (const Stored& stored = restored(*m_graph, variable, deepestRestore); !stored.key.empty())
        return stored;
    const Node& node = m_graph->node(variable);
    const auto shared = node.attr("shared_name").asString();
    // A network that is drawn may have given the node another name.
    for (const std::string_view name : {shared.value_or(std::string_view()), node.name()})
        if (const auto bound = m_keyOfNode.find(name);
            bound != m_keyOfNode.end() && m_checkpoint->find(bound->second) != nullptr)
            return {bound->second, {}};
    for (const std::string_view name : {node.name(), shared.value_or(std::string_view())}) {
        if (!name.empty() && m_checkpoint->find(name) != nullptr)
            return {std::string(name), {}};
        const auto object = m_keyOfFullName.find(name);
        if (object != m_keyOfFullName.end() && m_checkpoint->find(object->second) != nullptr)
            return {object->second, {}};
    }
    return partOf(variable);
}

Status VariableReader::agreesWith(NodeId variable, const Stored& stored, DType dtype,
                                  const std::vector<std::int64_t>& dims) const
{
    const Node& node = m_graph->node(variable);
    const DType wanted = node.attr("dtype").asType().value_or(dtype);
    const Shape declared = node.attr("shape").asShape().value_or(Shape{{}, true});
    if (wanted == dtype && agrees(declared, dims))
        return Done{};
    return fault(node, ErrorCode::InvalidArgument,
                 "is " + dtypeName(wanted) + " " + shapeText(declared) + ", but " + stored.key +
                     " in the checkpoint is " + dtypeName(dtype) + " " + shapeOf(dims) +
                     "; it is the checkpoint of another model");
}

Status VariableReader::fits(NodeId variable) const
{
    const Stored stored = find(variable);
    const CheckpointVariable* entry = m_checkpoint->find(stored.key);
    if (stored.key.empty() || entry == nullptr)
        return fault(m_graph->node(variable), ErrorCode::NotFound,
                     "the checkpoint has no variable of its name");
    const std::vector<std::int64_t>& whole = entry->shape.dims;
    if (!stored.slice.empty() && stored.slice.size() != whole.size())
        return fault(m_graph->node(variable), ErrorCode::BadFile,
                     "is read as a slice that does not fit " + stored.key);
    return agreesWith(variable, stored, entry->dtype,
                      stored.slice.empty() ? whole : sliceDims(stored.slice, whole));
}

std::optional<CheckpointPlace> VariableReader::place(NodeId variable, std::uint64_t fewestBytes,
                                                     PlaceChecks checks) const
{
    const Stored stored = find(variable);
    if (stored.key.empty() || !stored.slice.empty())
        return std::nullopt;
    auto place = m_checkpoint->place(stored.key, fewestBytes, checks);
    if (!place || !agreesWith(variable, stored, place->dtype, place->dims))
        return std::nullopt;
    return place;
}

Result<CheckpointValue> VariableReader::read(NodeId variable) const
{
    const Node& node = m_graph->node(variable);
    const Stored stored = find(variable);
    if (stored.key.empty())
        return fault(node, ErrorCode::NotFound, "the checkpoint has no variable of its name");
    auto part =
        stored.slice.empty() ? std::nullopt : m_checkpoint->readPart(stored.key, stored.slice);
    CheckpointRead read = part ? *std::move(part) : m_checkpoint->read(stored.key);
    if (read.problem)
        return fault(node, ErrorCode::BadFile, read.problem->message);
    CheckpointValue value = std::move(read.value);
    if (!part && !stored.slice.empty()) {
        if (stored.slice.size() != value.dims.size() || !liesInside(stored.slice, value.dims))
            return fault(node, ErrorCode::BadFile,
                         "is read as a slice that does not fit " + stored.key);
        value = cut(value, stored.slice);
    }
    RETURN_IF_ERROR(agreesWith(variable, stored, value.dtype, value.dims));
    return value;
}

} // namespace lapidary
