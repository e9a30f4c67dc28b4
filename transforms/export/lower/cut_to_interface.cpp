// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/lower/cut_to_interface.h"

#include "graph_model/binding/node_signature.h"
#include "graph_model/graph/function.h"
#include "graph_model/interface/no_outputs.h"
#include "graph_model/ops/later_ops.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/declared_shapes.h"
#include "graph_model/shapes/known_tensor.h"
#include "graph_model/shapes/shape_facts.h"
#include "runner/setup/proposed_shape.h"
#include "runner/setup/required_batch.h"
#include "runner/shapes/infer_shapes.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace lapidary {
namespace {

Result<Endpoint> endpointOf(const Graph& graph, const std::string& text, std::string_view what)
{
    const Input parsed = parseInput(text);
    const NodeId id = graph.find(parsed.node);
    if (!id.isValid() || parsed.isControl())
        return Error{ErrorCode::NotFound, "the " + std::string(what) + " '" + text +
                                              "' is not a tensor of the graph; `lapidary "
                                              "interface` lists likely ones"};
    return Endpoint{id, parsed.port};
}

using Key = std::pair<std::uint32_t, std::int32_t>;

Key keyOf(const Endpoint& tensor)
{
    return {tensor.node.value, tensor.port};
}

// In graphs of older versions, a placeholder without sizes has unknown sizes.
constexpr std::int32_t knowsScalarPlaceholders = 22;
// A graph of a later version may have ops that this program's reference does not know.
constexpr std::int32_t knowsOtherOps = 135;

// Makes the graph between the inputs and outputs.
class Cutter {
public:
    Cutter(const Graph& graph, const ExportInterface& interface)
        : m_graph(graph)
        , m_interface(interface)
        , m_isNeeded(graph.size(), false)
    {
    }

    Result<PreparedGraph> cut(const Job& job)
    {
        RETURN_IF_ERROR(findEnds());
        RETURN_IF_ERROR(readFixed());
        RETURN_IF_ERROR(findNeeded());
        RETURN_IF_ERROR(findTypes(job));
        for (const Endpoint& input : m_inputs)
            m_inputNames.insert({keyOf(input), placeholderName(input)});
        Graph::Parts parts;
        parts.versions = m_graph.versions();
        const bool hasScalar = std::ranges::any_of(m_labels, [](const TensorLabel& label) {
            return !label.shape.unknownRank && label.shape.dims.empty();
        });
        if (hasScalar)
            parts.versions.producer = std::max(parts.versions.producer, knowsScalarPlaceholders);
        if (hasForeignOp())
            parts.versions.producer = std::max(parts.versions.producer, knowsOtherOps);
        parts.functions = m_graph.sharedFunctions();
        for (std::size_t i = 0; i < m_inputs.size(); ++i)
            parts.nodes.push_back(placeholder(i));
        parts.nodes.insert(parts.nodes.end(), m_constants.begin(), m_constants.end());
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (m_isNeeded[i])
                parts.nodes.push_back(rewired(NodeId{i}));
        PreparedGraph prepared;
        prepared.graph = Graph::make(std::move(parts));
        prepared.notes = std::move(m_notes);
        nameEnds(prepared);
        return prepared;
    }

private:
    // Returns whether the graph has custom ops. They are refused, or have a counterpart; nodes that
    // do not depend on them are folded.
    bool hasForeignOp() const
    {
        const FunctionLibrary* functions = m_graph.functions();
        return std::ranges::any_of(m_graph.nodes(), [functions](const NodePtr& node) {
            return findReferenceOp(node->op()) == nullptr &&
                   (functions == nullptr || functions->find(node->op()) == nullptr);
        });
    }

    Status findEnds()
    {
        for (const std::string& text : m_interface.inputs) {
            ASSIGN_OR_RETURN(const Endpoint input, endpointOf(m_graph, text, "input"));
            m_inputs.push_back(input);
            m_fed.insert(keyOf(input));
        }
        for (const std::string& text : m_interface.outputs) {
            ASSIGN_OR_RETURN(const Endpoint output, endpointOf(m_graph, text, "output"));
            m_outputs.push_back(output);
        }
        if (m_outputs.empty())
            return noOutputs(m_graph, "no outputs are given");
        return Done{};
    }

    Status readFixed()
    {
        for (const auto& [name, value] : m_interface.fixed) {
            ASSIGN_OR_RETURN(const Endpoint tensor, endpointOf(m_graph, name, "tensor"));
            const Node& node = m_graph.node(tensor.node);
            const DType dtype = node.attr("dtype").asType().value_or(DType::Invalid);
            if (!isPlaceholder(node.op())) {
                RETURN_IF_ERROR(fixTensor(tensor, value));
                continue;
            }
            auto draft = fixedConst(std::string(node.name()), dtype, value);
            if (!draft)
                return draft.error();
            m_fixed.emplace(tensor.node.value, draft->finish());
        }
        return Done{};
    }

    // Replaces a tensor by a constant.
    Status fixTensor(const Endpoint& tensor, const std::string& value)
    {
        const Node& node = m_graph.node(tensor.node);
        const OpSpec* const spec = findOp(node.op());
        std::string name(node.name());
        do
            name += "__set" + std::to_string(tensor.port);
        while (m_graph.find(name).isValid());
        auto draft = fixedConst(
            name, spec == nullptr ? DType::Invalid : outputDtype(node, *spec, tensor.port), value);
        if (!draft)
            return draft.error();
        m_constants.push_back(draft->finish());
        m_inputNames.emplace(keyOf(tensor), std::move(name));
        m_fed.insert(keyOf(tensor));
        std::erase(m_inputs, tensor);
        return Done{};
    }

    // Returns the number in a text; nothing if the text is not a number, or the type does not hold
    // it.
    template <class T>
    static std::optional<T> read(const std::string& text)
    {
        T number = 0;
        const char* const end = text.data() + text.size();
        const auto parsed = std::from_chars(text.data(), end, number);
        return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(number) : std::nullopt;
    }

    static Result<NodeDraft> fixedConst(std::string name, DType dtype, const std::string& value)
    {
        const bool isTrue = value == "true" || value == "1";
        if (dtype == DType::Bool && (isTrue || value == "false" || value == "0"))
            return constNode(std::move(name), dtype, {}, std::string(1, isTrue ? '\1' : '\0'));
        const Error wrong{ErrorCode::InvalidArgument, "'" + value + "' is not a value for '" +
                                                          name + "', which is of type " +
                                                          dtypeName(dtype)};
        if (dtype == DType::Float) {
            const auto number = read<float>(value);
            return number ? Result<NodeDraft>(floatScalar(std::move(name), *number)) : wrong;
        }
        if (dtype == DType::Int32) {
            const auto whole = read<std::int32_t>(value);
            return whole ? Result<NodeDraft>(intConst(std::move(name), {}, {&*whole, 1})) : wrong;
        }
        if (dtype == DType::Int64) {
            const auto whole = read<std::int64_t>(value);
            if (!whole)
                return wrong;
            return constNode(std::move(name), dtype, {},
                             {reinterpret_cast<const char*>(&*whole), sizeof(*whole)});
        }
        return Error{ErrorCode::Unsupported, "'" + name + "' is of type " + dtypeName(dtype) +
                                                 "; bool, float, int32 and int64 can be set"};
    }

    // Walks from the outputs to the inputs along data edges.
    Status findNeeded()
    {
        std::vector<NodeId> open;
        const auto need = [&](const Endpoint& tensor) {
            if (tensor.isControl() || m_fed.contains(keyOf(tensor)) || !tensor.node.isValid() ||
                m_isNeeded[tensor.node.value])
                return;
            m_isNeeded[tensor.node.value] = true;
            if (!m_fixed.contains(tensor.node.value))
                open.push_back(tensor.node);
        };
        for (const Endpoint& output : m_outputs)
            need(output);
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            const Node& node = m_graph.node(id);
            if (isPlaceholder(node.op()) && m_graph.inputs(id).empty())
                return Error{
                    ErrorCode::InvalidArgument,
                    "the outputs need " + std::string(node.name()) +
                        ", which is not among the inputs; add it to them, or set it to a constant"};
            for (const Endpoint& from : m_graph.inputs(id)) {
                if (!from.node.isValid())
                    return Error{ErrorCode::BadFile,
                                 std::string(node.name()) + ": reads a node that does not exist"};
                need(from);
            }
        }
        return Done{};
    }

    Status findTypes(const Job& job)
    {
        ShapeOptions options;
        std::map<Key, Shape> given;
        for (const auto& [name, shape] : m_interface.shapes) {
            ASSIGN_OR_RETURN(const Endpoint tensor, endpointOf(m_graph, name, "input"));
            options.given.emplace_back(tensor, shape);
            given[keyOf(tensor)] = shape;
        }
        ASSIGN_OR_RETURN(const InferredShapes shapes, inferShapes(m_graph, options, job));
        for (const Endpoint& input : m_inputs) {
            TensorLabel label = knownTensor(m_graph, &shapes, input);
            if (const auto own = given.find(keyOf(input)); own != given.end())
                label.shape = own->second;
            m_labels.push_back(std::move(label));
        }
        ASSIGN_OR_RETURN(const Batch batch, batchOf(options, job));
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            const std::string name = outputText(m_graph, m_inputs[i]);
            if (m_labels[i].dtype == DType::String)
                RETURN_IF_ERROR(closeStrings(m_labels[i].shape, name, options, job));
            RETURN_IF_ERROR(closeSizes(m_labels[i], name, batch));
        }
        for (const Endpoint& output : m_outputs)
            m_outputTypes.push_back(knownTensor(m_graph, &shapes, output).dtype);
        return Done{};
    }

    // The size of the first axis of inputs that leave it open.
    struct Batch {
        std::int64_t size = 1;
        const char* why = "";
    };

    Result<Batch> batchOf(const ShapeOptions& options, const Job& job) const
    {
        if (const auto given = givenBatch(options))
            return Batch{*given, ", the one that was given for other inputs"};
        std::vector<std::pair<Endpoint, Shape>> inputs;
        for (std::size_t i = 0; i < m_inputs.size(); ++i)
            inputs.emplace_back(m_inputs[i], m_labels[i].shape);
        ASSIGN_OR_RETURN(const std::int64_t required,
                         requiredBatch(m_graph, inputs, m_isNeeded, job));
        return Batch{required, required > 1 ? ", which sizes in the graph require" : ""};
    }

    // Returns the size that was given for the first axis of inputs that the graph leaves open;
    // nothing if different ones were given.
    std::optional<std::int64_t> givenBatch(const ShapeOptions& options) const
    {
        std::optional<std::int64_t> batch;
        for (const auto& [tensor, shape] : options.given) {
            const auto declared = declaredFacts(m_graph, tensor).shape;
            const bool isOpen = declared && !declared->dims.empty() && declared->dims.front() < 0;
            if (!isOpen || shape.unknownRank || shape.dims.empty() || shape.dims.front() < 0)
                continue;
            if (batch && *batch != shape.dims.front())
                return std::nullopt;
            batch = shape.dims.front();
        }
        return batch;
    }

    Status closeSizes(TensorLabel& label, const std::string& name, const Batch& batch)
    {
        if (label.dtype == DType::Invalid)
            return Error{ErrorCode::InvalidArgument,
                         "the type of the input " + name + " is not known; choose another input"};
        auto& dims = label.shape.dims;
        if (!label.shape.unknownRank && !dims.empty() && dims.front() < 0 &&
            std::ranges::count_if(dims, [](std::int64_t dim) { return dim < 0; }) == 1) {
            dims.front() = batch.size;
            m_notes.push_back("the first size of " + name + " is unknown and was set to " +
                              std::to_string(dims.front()) + batch.why +
                              "; give its shape for another");
        }
        if (!isFullyKnown(label.shape))
            return Error{ErrorCode::InvalidArgument,
                         "the input " + name + " has unknown sizes (" + shapeText(label.shape) +
                             ")",
                         ErrorReason::MissingSize, name};
        return Done{};
    }

    // Gives strings whatever sizes the graph does not contradict: no device takes strings, so the
    // node is refused, and unknown sizes must not hide that reason.
    Status closeStrings(Shape& shape, const std::string& name, const ShapeOptions& options,
                        const Job& job) const
    {
        if (shape.unknownRank) {
            ASSIGN_OR_RETURN(const auto proposed,
                             proposedShape(m_graph, feedTarget(m_graph, name), options.given, job));
            shape = proposed.value_or(Shape{});
        }
        std::ranges::replace_if(
            shape.dims, [](std::int64_t dim) { return dim < 0; }, 1);
        return Done{};
    }

    // Returns the input's own name, or a new one if its node is kept because of another output.
    std::string placeholderName(const Endpoint& input) const
    {
        std::string name(m_graph.node(input.node).name());
        if (!m_isNeeded[input.node.value] && input.port == 0)
            return name;
        do
            name += "__input" + std::to_string(input.port);
        while (m_graph.find(name).isValid());
        return name;
    }

    NodePtr placeholder(std::size_t number) const
    {
        const TensorLabel& label = m_labels[number];
        NodeDraft draft = newNode(m_inputNames.at(keyOf(m_inputs[number])), "Placeholder");
        draft.setAttr("dtype", attr::fromType(label.dtype));
        draft.setAttr("shape", attr::fromShape(label.shape));
        return draft.finish();
    }

    NodePtr rewired(NodeId id) const
    {
        if (const auto fixed = m_fixed.find(id.value); fixed != m_fixed.end())
            return fixed->second;
        const NodePtr& node = m_graph.nodes()[id.value];
        const auto ends = m_graph.inputs(id);
        const bool isDefault = node->op() == "PlaceholderWithDefault";
        const bool stays = !isDefault && !node->hasAttr("_class") &&
                           std::ranges::none_of(ends, [&](const Endpoint& from) {
                               return from.isControl() || m_fed.contains(keyOf(from));
                           });
        if (stays)
            return node;
        NodeDraft draft = NodeDraft::of(*node);
        std::vector<std::string> inputs;
        for (std::size_t slot = 0; slot < ends.size(); ++slot) {
            const auto fed = m_inputNames.find(keyOf(ends[slot]));
            if (fed != m_inputNames.end())
                inputs.push_back(fed->second);
            else if (!ends[slot].isControl())
                inputs.push_back(draft.inputs[slot]);
        }
        draft.inputs = std::move(inputs);
        draft.removeAttr("_class"); // may name a node that is cut off
        if (isDefault) {            // it is not fed
            draft.op = "Identity";
            draft.setAttr("T", attr::fromType(node->attr("dtype").asType().value_or(DType::Float)));
            draft.removeAttr("dtype");
            draft.removeAttr("shape");
        }
        return draft.finish();
    }

    void nameEnds(PreparedGraph& prepared) const
    {
        for (std::size_t i = 0; i < m_inputs.size(); ++i)
            prepared.inputs.push_back(
                {{prepared.graph->find(m_inputNames.at(keyOf(m_inputs[i]))), 0},
                 outputText(m_graph, m_inputs[i]),
                 m_labels[i].dtype == DType::Half});
        for (std::size_t i = 0; i < m_outputs.size(); ++i) {
            const Endpoint& output = m_outputs[i];
            const auto fed = m_inputNames.find(keyOf(output));
            const std::string_view node = m_graph.node(output.node).name();
            const Endpoint tensor = fed != m_inputNames.end()
                                        ? Endpoint{prepared.graph->find(fed->second), 0}
                                        : Endpoint{prepared.graph->find(node), output.port};
            prepared.outputs.push_back(
                {tensor, outputText(node, output.port), m_outputTypes[i] == DType::Half});
        }
    }

    const Graph& m_graph;
    const ExportInterface& m_interface;
    std::vector<Endpoint> m_inputs;
    std::vector<Endpoint> m_outputs;
    std::vector<TensorLabel> m_labels; // shapes and types of the inputs
    std::vector<DType> m_outputTypes;  // types of the outputs in the graph
    std::vector<bool> m_isNeeded;
    std::set<Key> m_fed;
    std::map<std::uint32_t, NodePtr> m_fixed;
    std::vector<NodePtr> m_constants;        // constants for fixed tensors
    std::map<Key, std::string> m_inputNames; // names of the new placeholders and constants
    std::vector<std::string> m_notes;
};

} // namespace

Result<PreparedGraph> cutToInterface(const Graph& graph, const ExportInterface& interface,
                                     const Job& job)
{
    return Cutter(graph, interface).cut(job);
}

} // namespace lapidary
