// SPDX-License-Identifier: Apache-2.0
// sparsify_gather
//
// Handles Const weights, and variables whose values input_checkpoint has. A NoOp groups the nodes
// that fill the tables. Declines weights that the outputs need in another way, too.
#include "graph_model/checkpoint/checkpoint.h"
#include "transforms/constants/const_node.h"
#include "transforms/passes/passes.h"
#include "transforms/sparse/weight_removal.h"
#include "transforms/sparse/weight_values.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "input_checkpoint",
                  .type = ParameterType::String,
                  .role = ParameterRole::File,
                  .help = "prefix of the checkpoint with the values of variables"},
    ParameterSpec{.name = "group_init_node",
                  .type = ParameterType::String,
                  .role = ParameterRole::Node,
                  .defaultText = "group_deps",
                  .help = "the NoOp that initializes all tables, created if missing"},
};

std::string firstValue(const Parameters& given, std::string_view name, const std::string& fallback)
{
    const auto values = given.all(name);
    return values.empty() ? fallback : values.front();
}

template <class T>
std::string_view bytesOf(const std::vector<T>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

class GatherSparsifier {
public:
    GatherSparsifier(const GraphPtr& graph, const PassArgs& args)
        : m_graph(graph)
        , m_edit(graph)
        , m_weights(findColumnWeights(*graph))
        , m_removal(*graph, args, m_weights)
        , m_prefix(firstValue(args.parameters, "input_checkpoint", ""))
        , m_group(firstValue(args.parameters, "group_init_node", "group_deps"))
    {
    }

    Status run(const Job& job)
    {
        for (const ColumnWeight& weight : m_weights) {
            if (job.cancelled())
                return cancelledError();
            for (const auto& [gather, why] : weight.declined)
                m_findings.push_back({{gather}, why});
            if (weight.gathers.empty())
                continue;
            ASSIGN_OR_RETURN(const auto read, readColumn(*m_graph, weight.weights, m_prefix, job));
            std::string why = read.declined;
            if (why.empty())
                why = m_removal.remove(weight);
            for (const NodeId gather : weight.gathers)
                m_findings.push_back({{gather, weight.weights}, why});
            if (why.empty())
                m_found.push_back({&weight, read.column});
        }
        return Done{};
    }

    Findings takeFindings() { return std::move(m_findings); }

    Result<EditResult> finish()
    {
        m_edit.countPlaces(0);
        for (const Found& found : m_found) {
            m_edit.countPlaces(found.weight->gathers.size());
            convert(*found.weight, found.column);
        }
        if (!m_initializers.empty())
            RETURN_IF_ERROR(group());
        for (std::uint32_t i = 0; i < m_graph->size(); ++i)
            if (m_removal.isGone()[i])
                m_edit.remove(NodeId{i}, "its values are in a table");
        for (const auto& [id, draft] : m_removal.changed())
            if (m_graph->node(id).name() != m_group)
                m_edit.replace(id, draft);
        return std::move(m_edit).finish();
    }

private:
    struct Found {
        const ColumnWeight* weight;
        SparseColumn column;
    };

    void convert(const ColumnWeight& weight, const SparseColumn& column)
    {
        const std::string name(m_graph->node(weight.weights).name());
        const NodeId at = weight.gathers.front();
        std::vector<NodeId> origins{weight.weights};
        const auto add = [&](NodeDraft draft) { m_edit.addAt(at, std::move(draft), origins); };
        const Shape shape{{std::int64_t(column.rows.size())}, false};
        add(constNode(name + "/indices", DType::Int64, shape, bytesOf(column.rows)));
        add(constNode(name + "/values", DType::Float, shape, bytesOf(column.values)));
        NodeDraft table = newNode(name + "/HashTable", "HashTable");
        table.setAttr("key_dtype", attr::fromType(DType::Int64));
        table.setAttr("value_dtype", attr::fromType(DType::Float));
        add(std::move(table));
        NodeDraft fill = newNode(name + "/InitializeTable", "InitializeTable",
                                 {name + "/HashTable", name + "/indices", name + "/values"});
        fill.setAttr("Tkey", attr::fromType(DType::Int64));
        fill.setAttr("Tval", attr::fromType(DType::Float));
        add(std::move(fill));
        m_initializers.push_back("^" + name + "/InitializeTable");
        std::vector<std::string> controls = lostControls(weight);
        if (controls.size() > 1 && weight.gathers.size() > 1) {
            add(newNode(name + "/NoOp", "NoOp", std::move(controls)));
            controls = {"^" + name + "/NoOp"}; // instead of a list of them at each gather
        }
        for (const NodeId gather : weight.gathers)
            lookUp(gather, name + "/HashTable", controls);
    }

    // Moves the control inputs of removed weights and their copies.
    std::vector<std::string> lostControls(const ColumnWeight& weight) const
    {
        std::vector<NodeId> nodes = weight.reads;
        nodes.push_back(weight.weights);
        std::vector<std::string> controls;
        std::unordered_set<std::string_view> known;
        for (const NodeId id : nodes) {
            for (const Input& input : m_graph->node(id).inputs()) {
                const NodeId from = m_graph->find(input.node);
                if (input.isControl() && m_removal.isGone()[id.value] && from.isValid() &&
                    !m_removal.isGone()[from.value] && known.insert(input.text).second)
                    controls.emplace_back(input.text);
            }
        }
        return controls;
    }

    void lookUp(NodeId gather, const std::string& table, const std::vector<std::string>& controls)
    {
        const Node& node = m_graph->node(gather);
        const std::string name(node.name());
        const auto add = [&](NodeDraft draft) { m_edit.addAt(gather, std::move(draft), {gather}); };
        std::string ids(node.inputs()[1].text);
        if (node.attr("Tindices").asType() == DType::Int32) {
            NodeDraft wide = newNode(name + "/Cast", "Cast", {ids});
            wide.setAttr("SrcT", attr::fromType(DType::Int32));
            wide.setAttr("DstT", attr::fromType(DType::Int64));
            add(std::move(wide));
            ids = name + "/Cast";
        }
        std::vector<std::string> inputs{table, ids, name + "/Const"};
        std::unordered_set<std::string_view> own;
        for (const Input& input : node.inputs())
            if (input.isControl() && own.insert(input.text).second)
                inputs.emplace_back(input.text);
        for (const std::string& control : controls)
            if (!own.contains(control))
                inputs.push_back(control);
        NodeDraft find = newNode(name + "/LookupTableFind", "LookupTableFind", std::move(inputs));
        find.setAttr("Tin", attr::fromType(DType::Int64));
        find.setAttr("Tout", attr::fromType(DType::Float));
        add(std::move(find));
        add(floatScalar(name + "/Const", 0));
        const std::int32_t last = -1;
        add(intConst(name + "/ExpandDims/Const", {}, {&last, 1}));
        NodeDraft expand =
            newNode(name, "ExpandDims", {name + "/LookupTableFind", name + "/ExpandDims/Const"});
        expand.setAttr("T", attr::fromType(DType::Float));
        m_edit.replace(gather, std::move(expand));
    }

    Status group()
    {
        const NodeId id = m_graph->find(m_group);
        const auto changed = m_removal.changed().find(id);
        if (!id.isValid() || m_removal.isGone()[id.value]) {
            m_edit.add(newNode(m_group, "NoOp", m_initializers));
            return Done{};
        }
        if (m_graph->node(id).op() != "NoOp")
            return Error{ErrorCode::InvalidArgument,
                         m_group + " is not a NoOp; give another group_init_node"};
        NodeDraft draft = changed == m_removal.changed().end() ? NodeDraft::of(m_graph->node(id))
                                                               : changed->second;
        draft.inputs.insert(draft.inputs.end(), m_initializers.begin(), m_initializers.end());
        m_edit.replace(id, std::move(draft));
        return Done{};
    }

    GraphPtr m_graph;
    GraphEdit m_edit;
    std::vector<ColumnWeight> m_weights;
    WeightRemoval m_removal;
    std::string m_prefix;
    std::string m_group;
    std::vector<Found> m_found;
    std::vector<std::string> m_initializers;
    Findings m_findings;
};

Status checkCheckpoint(const PassArgs& args, const Job& job)
{
    if (args.parameters.count("input_checkpoint") == 0)
        return Done{};
    const OpenedCheckpoint opened =
        openCheckpoint(firstValue(args.parameters, "input_checkpoint", ""), job);
    if (job.cancelled())
        return cancelledError();
    if (opened.checkpoint != nullptr)
        return Done{};
    return Error{ErrorCode::NotFound,
                 "input_checkpoint: " +
                     (opened.problems.empty() ? "it cannot be read" : opened.problems[0].message)};
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    RETURN_IF_ERROR(checkCheckpoint(args, job));
    GatherSparsifier sparsifier(graph, args);
    RETURN_IF_ERROR(sparsifier.run(job));
    return sparsifier.finish();
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    RETURN_IF_ERROR(checkCheckpoint(args, job));
    GatherSparsifier sparsifier(graph, args);
    RETURN_IF_ERROR(sparsifier.run(job));
    return sparsifier.takeFindings();
}

} // namespace

const Pass passes::sparsifyGather{
    .name = "sparsify_gather",
    .summary =
        "Replaces a sparse column of weights that Gather reads by a hash table without zeros.",
    .before = "g = Gather(w, ids), w of shape [N, 1]",
    .after = "l = LookupTableFind(w/HashTable, ids, 0)\n"
             "g = ExpandDims(l, -1)",
    .declines = "Weights of another shape, with batch dimensions, that the outputs need in "
                "another way, or that are inputs or outputs; an axis that is not a constant.",
    .differences = "NaN is stored too, control inputs are kept, two gathers may read one table, "
                   "and no NoOp is made where there is no table; the original makes malformed "
                   "graphs of such places or fails.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
