// SPDX-License-Identifier: Apache-2.0
#include "transforms/freeze/text_tables.h"

#include "graph_model/base/below_folder.h"
#include "graph_model/base/mapped_file.h"
#include "graph_model/graph/table_handle.h"
#include "graph_model/ops/op_traits.h"
#include "runner/kernels/tables/text_rows.h"
#include "transforms/constants/const_node.h"
#include "transforms/fold/evaluate_tensors.h"
#include "transforms/freeze/filled_tables.h"
#include "transforms/pass/fresh_name.h"

#include <map>
#include <system_error>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

using Column = std::vector<std::string>;

// Replaces the nodes that fill tables of one graph from text.
class TextTables {
public:
    TextTables(const GraphPtr& graph, const GraphEntry& entry, const fs::path& model)
        : m_graph(*graph)
        , m_edit(graph)
    {
        std::error_code fault;
        m_folder = (fs::is_directory(model, fault) ? model : model.parent_path()) / "assets";
        for (const auto& [tensor, file] : entry.loading.assets)
            m_assets.emplace(parseInput(tensor).node, file);
    }

    void replace(NodeId filler);
    Result<EditResult> finish() && { return std::move(m_edit).finish(); }

private:
    BufferPtr fileOf(Endpoint name) const;
    NodeDraft constantOf(const std::string& name, DType dtype, Column column) const;

    const Graph& m_graph;
    GraphEdit m_edit;
    fs::path m_folder;
    std::map<std::string, std::string, std::less<>> m_assets; // file by node
};

// Returns the file whose path this tensor is, or null if it is not an asset or cannot be read.
BufferPtr TextTables::fileOf(Endpoint name) const
{
    for (std::size_t steps = 0; name.node.isValid() && steps < m_graph.size(); ++steps) {
        const Node& node = m_graph.node(name.node);
        const auto asset = m_assets.find(node.name());
        if (asset != m_assets.end()) {
            const fs::path file = m_folder / asset->second;
            std::error_code fault;
            if (!liesBelow(file, m_folder) || !fs::is_regular_file(file, fault))
                return nullptr;
            const auto opened = openFile(file);
            return opened ? *opened : nullptr;
        }
        if (!copiesInput(node.op()) || m_graph.inputs(name.node).empty())
            return nullptr;
        name = m_graph.inputs(name.node)[0];
    }
    return nullptr;
}

NodeDraft TextTables::constantOf(const std::string& name, DType dtype, Column column) const
{
    const auto count = std::int64_t(column.size());
    const std::string fresh = freshName(m_graph, name);
    if (dtype == DType::String)
        return valueNode(fresh, Value::ofStrings({count}, std::move(column)));
    std::string bytes;
    for (const std::string& element : column)
        bytes += element;
    return constNode(fresh, dtype, {{count}, false}, bytes);
}

void TextTables::replace(NodeId filler)
{
    const auto inputs = m_graph.inputs(filler);
    const NodeId made = inputs.size() < 2 ? NodeId() : tableOf(m_graph, inputs[0]);
    if (!made.isValid())
        return;
    const BufferPtr file = fileOf(inputs[1]);
    if (!file)
        return;
    const Node& node = m_graph.node(filler);
    const Node& table = m_graph.node(made);
    const DType keyType = table.attr("key_dtype").asType().value_or(DType::Invalid);
    const DType valueType = table.attr("value_dtype").asType().value_or(DType::Invalid);
    auto rows = textRows(file->bytes(), textColumnsOf(node, keyType, valueType));
    if (!rows || !file->intact())
        return;
    Column keys;
    Column values;
    for (auto& [key, value] : *rows) {
        keys.push_back(std::move(key));
        values.push_back(std::move(value));
    }
    const std::string name(node.name());
    NodeDraft keyDraft = constantOf(name + "/keys", keyType, std::move(keys));
    NodeDraft valueDraft = constantOf(name + "/values", valueType, std::move(values));
    NodeDraft draft{.name = name,
                    .op = node.op().ends_with("V2") ? "InitializeTableV2" : "InitializeTable",
                    .device = std::string(node.device()),
                    .inputs = {std::string(node.inputs()[0].text), keyDraft.name, valueDraft.name}};
    draft.setAttr("Tkey", attr::fromType(keyType));
    draft.setAttr("Tval", attr::fromType(valueType));
    for (const Input& input : node.inputs())
        if (input.isControl())
            draft.inputs.emplace_back(input.text);
    m_edit.addAt(made, std::move(keyDraft));
    m_edit.addAt(made, std::move(valueDraft));
    m_edit.replace(filler, std::move(draft));
}

} // namespace

bool fillsTableFromText(std::string_view op)
{
    return op.starts_with("InitializeTableFromTextFile");
}

Result<EditResult> withTextTables(const GraphPtr& graph, const GraphEntry& entry,
                                  const fs::path& model, const Job& job)
{
    TextTables tables(graph, entry, model);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (!fillsTableFromText(graph->node(NodeId{i}).op()))
            continue;
        if (job.cancelled())
            return cancelledError();
        tables.replace(NodeId{i});
    }
    return std::move(tables).finish();
}

} // namespace lapidary
