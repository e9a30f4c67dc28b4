// SPDX-License-Identifier: Apache-2.0
// fold_constants
//
// Computes what does not depend on the inputs, with this program's own kernels; also Shape, Size
// and Rank of tensors whose shape is known. Removes nodes that the outputs do not need, fills in
// default attributes and removes _output_shapes. Needs outputs and a graph that could be imported.
// An output keeps its node. Placeholders that are not listed, stateful ops, control flow, and nodes
// that cannot be computed are kept.
#include "transforms/attributes/default_attributes.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/fold/evaluate_tensors.h"
#include "transforms/fold/fold_leniently.h"
#include "transforms/fold/import_check.h"
#include "transforms/fold/import_order.h"
#include "transforms/fold/passed_const.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "clear_output_shapes",
                  .type = ParameterType::Bool,
                  .defaultText = "true",
                  .help = "ignore _output_shapes attributes"},
    ParameterSpec{.name = "exclude_op",
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .help = "an op not to fold",
                  .isRepeated = true},
    ParameterSpec{.name = "exclude_node",
                  .type = ParameterType::String,
                  .role = ParameterRole::Node,
                  .help = "a node not to fold",
                  .isRepeated = true},
    ParameterSpec{.name = "max_constant_size_in_bytes",
                  .type = ParameterType::Int64,
                  .defaultText = "10485760",
                  .help = "do not store larger results; -1: no limit"},
};

struct Folded {
    Endpoint tensor;
    std::string name; // name of the new Const
    NodeId source;    // the Const whose value was only passed on; it is shared
    Value value;      // set if the value had to be computed
};

std::uint64_t storedBytes(const Value& value)
{
    std::uint64_t bytes = value.byteCount();
    if (value.dtype() == DType::String)
        for (const std::string& text : value.strings())
            bytes += sizeof(std::string) + text.size();
    return bytes;
}

// Numbers continue those of constants that were folded before: "sum/_0__cf__7" makes it 8.
std::uint64_t nextSerial(const Graph& graph)
{
    constexpr std::string_view mark = "__cf__";
    std::uint64_t next = 0;
    for (const NodePtr& node : graph.nodes()) {
        const std::size_t at = node->name().rfind(mark);
        if (at == std::string_view::npos)
            continue;
        const std::string_view digits = node->name().substr(at + mark.size());
        std::uint32_t number = 0;
        const auto [end, fault] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (fault == std::errc() && end == digits.data() + digits.size())
            next = std::max(next, std::uint64_t(number) + 1);
    }
    return next;
}

class ConstantFolder {
public:
    ConstantFolder(const GraphPtr& graph, FoldRequest request, FoldLimits limits,
                   std::uint64_t maxBytes)
        : m_graph(graph)
        , m_request(std::move(request))
        , m_limits(std::move(limits))
        , m_maxBytes(maxBytes)
    {
    }

    Status fold(const InferredShapes& shapes, const Job& job)
    {
        findNeeded();
        for (const NodeId id : importOrder(*m_graph))
            if (m_isNeeded[id.value])
                m_order.push_back(id);
        m_part = findConstantPart(*m_graph, m_order, m_request, shapes, m_limits);
        if (!m_part.hasWork)
            return Done{};
        const std::vector<Endpoint> tensors = borderTensors(shapes);
        PassedConsts passed(*m_graph);
        std::vector<Endpoint> computed;
        for (const Endpoint& tensor : tensors)
            if (!passed.sourceOf(tensor).isValid())
                computed.push_back(tensor);
        ASSIGN_OR_RETURN(auto values, evaluateTensors(*m_graph, m_part, computed, job));
        takeValues(tensors, passed, values);
        return Done{};
    }

    Findings findings()
    {
        Findings findings = m_declined;
        keptNodes();
        for (std::size_t i = 0; i < m_folded.size(); ++i)
            findings.push_back(
                {{m_folded[i].tensor.node}, m_isRead[i] ? "" : "it is an output, which stays"});
        return findings;
    }

    Result<EditResult> edit()
    {
        const std::vector<bool> kept = keptNodes();
        GraphEdit edit(m_graph);
        for (const NodeId id : m_order)
            if (kept[id.value] && !isRestored(id))
                keep(edit, id);
        const std::vector<std::vector<NodeId>> origins = foldedOrigins(kept);
        edit.countPlaces(0); // cleaning up is not counted
        for (std::size_t i = 0; i < m_folded.size(); ++i) {
            if (!m_isRead[i])
                continue;
            edit.countPlaces(1);
            edit.addAt(NodeId{0}, foldedNode(m_folded[i]), origins[i]);
        }
        for (auto input = m_request.inputs().rbegin(); input != m_request.inputs().rend(); ++input)
            if (isRestored(*input))
                restore(edit, *input);
        for (std::uint32_t i = 0; i < m_graph->size(); ++i)
            if (!kept[i])
                edit.remove(NodeId{i}, m_part.isConstant[i] ? "its value is stored as a constant"
                                                            : "no output needs it");
        return std::move(edit).finish();
    }

private:
    bool isRestored(NodeId id) const
    {
        return m_request.isInput(id) && FoldRequest::isPlaceholder(m_graph->node(id));
    }

    // Returns the outputs and inputs. Inputs other than placeholders are kept, with everything that
    // they depend on, and so are the control inputs of placeholders.
    std::vector<NodeId> roots() const
    {
        std::vector<NodeId> roots;
        for (const Endpoint& output : m_request.outputs())
            roots.push_back(output.node);
        roots.insert(roots.end(), m_request.inputs().begin(), m_request.inputs().end());
        return roots;
    }

    // Calls `use` for each tensor that a kept node reads, unless it is fed.
    template <class Use>
    void forEachRead(NodeId id, const Use& use) const
    {
        for (const Endpoint& from : m_graph->inputs(id)) {
            if (!from.node.isValid() || m_request.isFed(*m_graph, from))
                continue;
            if (!isRestored(id) || (from.isControl() && m_graph->node(id).op() == "Placeholder"))
                use(from);
        }
    }

    void findNeeded()
    {
        m_isNeeded = reachedNodes(m_graph->size(), roots(), [this](NodeId id, auto& open) {
            forEachRead(id, [&](const Endpoint& from) { open.push_back(from.node); });
        });
    }

    // Returns the tensors of the constant part that other nodes read, by the names of their nodes.
    std::vector<Endpoint> borderTensors(const InferredShapes& shapes)
    {
        std::vector<Endpoint> tensors;
        for (const NodeId id : m_order) {
            if (!m_part.contains(id) || m_graph->node(id).op() == "Const")
                continue;
            std::vector<std::int32_t> ports;
            for (const Consumer& consumer : m_graph->consumers(id))
                if (!consumer.isControl() && m_isNeeded[consumer.node.value] &&
                    !m_part.contains(consumer.node))
                    ports.push_back(consumer.port);
            for (const Endpoint& output : m_request.outputs())
                if (output.node == id && !output.isControl())
                    ports.push_back(output.port);
            std::ranges::sort(ports);
            ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
            for (const std::int32_t port : ports)
                if (!m_request.isFed(*m_graph, {id, port}) && !isTooLarge({id, port}, shapes))
                    tensors.push_back({id, port});
        }
        std::ranges::stable_sort(tensors, {}, [this](const Endpoint& tensor) {
            return m_graph->node(tensor.node).name();
        });
        return tensors;
    }

    bool isTooLarge(const Endpoint& tensor, const InferredShapes& shapes)
    {
        const TensorLabel* label = shapes.find(tensor);
        if (label == nullptr || !isFullyKnown(label->shape))
            return false;
        std::uint64_t bytes = dtypeSize(label->dtype);
        for (const std::int64_t dim : label->shape.dims)
            if (__builtin_mul_overflow(bytes, std::uint64_t(dim), &bytes))
                bytes = UINT64_MAX;
        if (bytes > m_maxBytes)
            m_declined.push_back({{tensor.node}, "its value is larger than the limit"});
        return bytes > m_maxBytes;
    }

    // `values`: the tensors that had to be computed.
    void takeValues(const std::vector<Endpoint>& tensors, PassedConsts& passed,
                    std::vector<std::optional<Value>>& values)
    {
        std::uint64_t serial = nextSerial(*m_graph);
        // The original stores and numbers shapes one by one, too.
        for (const auto& [id, outputs] : m_part.shapes)
            serial += outputs.size();
        auto value = values.begin();
        for (const Endpoint& tensor : tensors) {
            Folded folded{tensor, "", passed.sourceOf(tensor), {}};
            const bool isKnown = folded.source.isValid() || value->has_value();
            if (!folded.source.isValid() && isKnown)
                folded.value = std::move(**value);
            if (!folded.source.isValid())
                ++value;
            if (!isKnown || bytesOf(folded) > m_maxBytes) {
                m_declined.push_back({{tensor.node},
                                      isKnown ? "its value is larger than the limit"
                                              : "its value cannot be computed"});
                continue;
            }
            folded.name = std::string(m_graph->node(tensor.node).name()) + "/_" +
                          std::to_string(m_folded.size()) + "__cf__" + std::to_string(serial++);
            m_folded.push_back(std::move(folded));
        }
        for (std::size_t i = 0; i < m_folded.size(); ++i)
            m_foldedAt[{m_folded[i].tensor.node, m_folded[i].tensor.port}] = i;
        m_isRead.assign(m_folded.size(), false);
    }

    std::uint64_t bytesOf(const Folded& folded) const
    {
        return folded.source.isValid() ? passedBytes(m_graph->node(folded.source))
                                       : storedBytes(folded.value);
    }

    const std::size_t* foldedAt(const Endpoint& from) const
    {
        const auto found = m_foldedAt.find({from.node, from.port});
        return found == m_foldedAt.end() || m_request.isFed(*m_graph, from) ? nullptr
                                                                            : &found->second;
    }

    // Finds the nodes that the outputs need once values are constants; marks the constants that are
    // read.
    std::vector<bool> keptNodes()
    {
        return reachedNodes(m_graph->size(), roots(), [this](NodeId id, auto& open) {
            forEachRead(id, [&](const Endpoint& from) { readFrom(from, open); });
        });
    }

    void readFrom(const Endpoint& from, std::vector<NodeId>& open)
    {
        const std::size_t* folded = foldedAt(from);
        if (folded == nullptr) {
            open.push_back(from.node);
        } else if (!m_isRead[*folded]) {
            m_isRead[*folded] = true;
            const std::vector<NodeId>& before = waits(from.node);
            open.insert(open.end(), before.begin(), before.end());
        }
    }

    const std::vector<NodeId>& waits(NodeId id) const
    {
        static const std::vector<NodeId> none;
        const auto found = m_part.waitsFor.find(id);
        return found == m_part.waitsFor.end() ? none : found->second;
    }

    void keep(GraphEdit& edit, NodeId id) const
    {
        const Node& node = m_graph->node(id);
        edit.moveTo(id, NodeId{0});
        auto defaults = missingDefaults(*m_graph, node);
        if (!defaults) // an op of a later TensorFlow
            defaults = std::vector<std::pair<std::string, std::string>>();
        std::vector<std::string> inputs = wiredInputs(id);
        const bool isRewired = !std::ranges::equal(inputs, node.inputs(), {}, {}, &Input::text);
        if (defaults->empty() && !isRewired && !node.hasAttr("_output_shapes"))
            return;
        NodeDraft draft = NodeDraft::of(node);
        draft.removeAttr("_output_shapes");
        for (auto& [name, value] : *defaults)
            draft.setAttr(name, std::move(value));
        draft.inputs = std::move(inputs);
        edit.replace(id, std::move(draft));
    }

    // Returns the inputs of a node as they are written afterwards: a fed input names its port.
    std::vector<std::string> wiredInputs(NodeId id) const
    {
        std::vector<std::string> inputs;
        const auto endpoints = m_graph->inputs(id);
        for (std::size_t k = 0; k < endpoints.size(); ++k) {
            const Input& input = m_graph->node(id).inputs()[k];
            const std::string port = ":" + std::to_string(input.port);
            if (const std::size_t* folded = foldedAt(endpoints[k]))
                inputs.push_back(m_folded[*folded].name);
            else if (input.isControl() || !input.output.empty())
                inputs.emplace_back(input.text);
            else if (input.port > 0 || m_request.isFed(*m_graph, endpoints[k]))
                inputs.push_back(std::string(input.node) + port);
            else
                inputs.emplace_back(input.node);
        }
        return inputs;
    }

    NodeDraft foldedNode(const Folded& folded) const
    {
        NodeDraft draft = folded.source.isValid()
                              ? passedNode(folded.name, m_graph->node(folded.source))
                              : valueNode(folded.name, folded.value);
        for (const NodeId before : waits(folded.tensor.node))
            draft.inputs.push_back("^" + std::string(m_graph->node(before).name()));
        return draft;
    }

    void restore(GraphEdit& edit, NodeId id) const
    {
        edit.moveTo(id, NodeId{0});
        if (m_graph->node(id).op() == "Placeholder")
            return;
        NodeDraft draft = NodeDraft::of(m_graph->node(id));
        draft.op = "Placeholder";
        draft.inputs.clear();
        edit.replace(id, std::move(draft));
    }

    // Returns which removed nodes each new Const replaces; a node belongs to the first Const that
    // needs it.
    std::vector<std::vector<NodeId>> foldedOrigins(const std::vector<bool>& kept) const
    {
        std::vector<std::vector<NodeId>> origins(m_folded.size());
        std::vector<bool> isTaken = kept;
        for (std::size_t i = 0; i < m_folded.size(); ++i) {
            origins[i].push_back(m_folded[i].tensor.node);
            std::vector<NodeId> open = origins[i];
            for (bool isFirst = true; !open.empty() && m_isRead[i]; isFirst = false) {
                const NodeId id = open.back();
                open.pop_back();
                if (!m_part.contains(id) || (isTaken[id.value] && !isFirst))
                    continue;
                if (!isFirst)
                    origins[i].push_back(id);
                isTaken[id.value] = true;
                for (const Endpoint& from : m_graph->inputs(id))
                    if (from.node.isValid() && !from.isControl())
                        open.push_back(from.node);
            }
        }
        return origins;
    }

    GraphPtr m_graph;
    FoldRequest m_request;
    FoldLimits m_limits;
    std::uint64_t m_maxBytes;
    std::vector<bool> m_isNeeded; // by node
    std::vector<NodeId> m_order;  // needed nodes, producers first
    ConstantPart m_part;
    std::vector<Folded> m_folded;
    // Indices into m_folded, by tensor.
    std::map<std::pair<NodeId, std::int32_t>, std::size_t> m_foldedAt;
    std::vector<bool> m_isRead; // by index into m_folded
    Findings m_declined;
};

Result<ConstantFolder> folderOf(const GraphPtr& graph, const PassArgs& args, bool isLenient,
                                const Job& job)
{
    ASSIGN_OR_RETURN(const auto clear, args.parameters.oneBool("clear_output_shapes", true));
    ASSIGN_OR_RETURN(const auto limit, args.parameters.oneInt64("max_constant_size_in_bytes",
                                                                std::int64_t{10} << 20));
    ASSIGN_OR_RETURN(auto request, FoldRequest::make(*graph, args));
    ASSIGN_OR_RETURN(
        const auto shapes,
        importShapes(*graph, ShapeOptions{.trustsOutputShapes = !clear}, isLenient, job));
    FoldLimits limits;
    for (std::string& op : args.parameters.all("exclude_op"))
        limits.excludedOps.insert(std::move(op));
    for (std::string& node : args.parameters.all("exclude_node"))
        limits.excludedNodes.insert(std::move(node));
    ConstantFolder folder(graph, std::move(request), std::move(limits), std::uint64_t(limit));
    RETURN_IF_ERROR(folder.fold(shapes, job));
    return folder;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(auto folder, folderOf(graph, args, false, job));
    return folder.findings();
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(auto folder, folderOf(graph, args, false, job));
    return folder.edit();
}

} // namespace

Result<EditResult> foldLeniently(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(auto folder, folderOf(graph, args, true, job));
    return folder.edit();
}

const Pass passes::foldConstants{
    .name = "fold_constants",
    .summary =
        "Evaluates subgraphs that do not depend on the inputs and stores the results as constants.",
    .before = "s = Add(a, b), a and b Const\n"
              "y = Mul(s, x)",
    .after = "y = Mul(add/_0__cf__0, x), one Const",
    .declines = "Placeholders that are not inputs, stateful ops, control flow, results larger "
                "than max_constant_size_in_bytes, and nodes without a kernel or whose computation "
                "fails. An output keeps its node.",
    .differences = "What cannot be computed is left alone; in the original it fails the recipe. "
                   "An empty graph, an input that is not a placeholder and a tensor that is input "
                   "and output are not faults. Computed with this program's kernels: values differ "
                   "in the last bits at most.",
    .parameters = parameters,
    .find = find,
    .run = run,
    .repeats = true,
};

} // namespace lapidary
