// SPDX-License-Identifier: Apache-2.0
#include "graph_model/dot/dot_text.h"

#include "graph_model/dot/cgraph_mutex.h"
#include "graph_model/dot/dot_words.h"
#include "graph_model/dot/numbered_ids.h"
#include "graph_model/ops/op_registry.h"

#include <array>
#include <memory>
#include <unordered_map>

#include <graphviz/cgraph.h>

namespace lapidary {
namespace {

// Deeper scopes share the cluster at this depth: cgraph writes nested clusters by recursion.
constexpr std::size_t maxClusterDepth = 60;
constexpr std::uint32_t nodesBetweenLooks = 4096;

// A light tint for each op family, in the order of OpFamily.
constexpr std::array<const char*, opFamilyCount> familyTints{
    "#d7ecd9", "#d7ecd9", "#f3e6c4", "#cfdff5", "#dcd6f0", "#f7d9c9", "#cfeaea",
    "#eeeeee", "#e6ebef", "#e3e3e3", "#f4d3e0", "#f2dede", "#ffffff"};

struct CloseGraph {
    void operator()(Agraph_t* graph) const { agclose(graph); }
};

// cgraph expects writable strings but does not write to them.
char* word(const char* text)
{
    return const_cast<char*>(text);
}

// The text in the making. cgraph looks for every node in every cluster beside it, so that writing
// takes long where there are many.
struct Written {
    std::string text;
    const Job& job;
};

int putText(void* out, const char* text)
{
    auto& written = *static_cast<Written*>(out);
    if (written.job.cancelled())
        return -1;
    written.text += text;
    return 0;
}

int flushNothing(void*)
{
    return 0;
}

// Builds one cgraph graph and writes it.
class DotWriter {
public:
    DotWriter(const Graph& graph, const DotOptions& options);

    Result<std::string> write(const Job& job);

private:
    void declareAttributes();
    Agraph_t* clusterOf(std::string_view nodeName);
    Agraph_t* newCluster(Agraph_t* parent, std::string_view label);
    void addNode(NodeId id);
    Agnode_t* missingNode(std::string_view name);
    void addEdge(NodeId id, std::uint32_t slot);
    void set(void* object, const char* attribute, const std::string& value);

    const Graph& m_graph;
    DotOptions m_options;
    Agiodisc_t m_io{AgIoDisc.afread, putText, flushNothing};
    Agdisc_t m_disc{&AgMemDisc, numberedIds(), &m_io};
    std::unique_ptr<Agraph_t, CloseGraph> m_dot;
    std::vector<Agnode_t*> m_nodes;
    std::unordered_map<std::string_view, Agraph_t*> m_clusters; // by scope path
    std::unordered_map<std::string_view, Agnode_t*> m_missing;
    std::size_t m_edges = 0;
};

DotWriter::DotWriter(const Graph& graph, const DotOptions& options)
    : m_graph(graph)
    , m_options(options)
    , m_dot(agopen(word("model"), Agdirected, &m_disc))
{
    declareAttributes();
}

void DotWriter::declareAttributes()
{
    Agraph_t* dot = m_dot.get();
    const auto declare = [dot](int kind, const char* name, const char* value) {
        agattr(dot, kind, word(name), word(value));
    };
    declare(AGRAPH, "linelength", "0"); // do not break lines within names
    declare(AGRAPH, "rankdir", "TB");
    declare(AGRAPH, "charset", "UTF-8");
    declare(AGRAPH, "fontname", "sans-serif");
    declare(AGRAPH, "label", "");
    declare(AGRAPH, "style", "");
    declare(AGRAPH, "color", "#9aa4ad");
    declare(AGNODE, "shape", "box");
    declare(AGNODE, "style", "rounded,filled");
    declare(AGNODE, "fillcolor", "#ffffff");
    declare(AGNODE, "fontname", "sans-serif");
    declare(AGNODE, "label", "\\N");
    declare(AGNODE, "op", "");
    declare(AGNODE, "device", "");
    declare(AGEDGE, "style", "solid");
    declare(AGEDGE, "color", "#555f68");
    declare(AGEDGE, "fontsize", "9");
    declare(AGEDGE, "taillabel", ""); // the producer's output port, if it is not 0
    declare(AGEDGE, "headlabel", ""); // the reader's input number, if it has several inputs
}

void DotWriter::set(void* object, const char* attribute, const std::string& value)
{
    agset(object, word(attribute), word(value.c_str()));
}

Agraph_t* DotWriter::newCluster(Agraph_t* parent, std::string_view label)
{
    const std::string name = "cluster_" + std::to_string(m_clusters.size());
    Agraph_t* cluster = agsubg(parent, word(name.c_str()), 1);
    set(cluster, "label", dotWord(label));
    set(cluster, "style", "rounded");
    return cluster;
}

Agraph_t* DotWriter::clusterOf(std::string_view nodeName)
{
    Agraph_t* cluster = m_dot.get();
    if (!m_options.scopes)
        return cluster;
    std::size_t start = 0;
    for (std::size_t depth = 0; depth < maxClusterDepth; ++depth) {
        const std::size_t slash = nodeName.find('/', start);
        if (slash == std::string_view::npos)
            break;
        const std::string_view path = nodeName.substr(0, slash);
        auto found = m_clusters.find(path);
        if (found == m_clusters.end())
            found = m_clusters.emplace(path, newCluster(cluster, path.substr(start))).first;
        cluster = found->second;
        start = slash + 1;
    }
    return cluster;
}

void DotWriter::addNode(NodeId id)
{
    const Node& node = m_graph.node(id);
    std::string name = dotWord(node.name());
    // A second node of the same name, or with an empty name, gets a separate box.
    if (name.empty() || namedNode(m_dot.get(), name.c_str(), false) != nullptr)
        name += "#" + std::to_string(id.value);
    Agnode_t* box = namedNode(m_dot.get(), name.c_str(), true);
    m_nodes.push_back(box);
    Agraph_t* cluster = clusterOf(node.name());
    if (cluster != m_dot.get())
        agsubnode(cluster, box, 1);
    const std::string_view shortName = node.name().substr(node.name().rfind('/') + 1);
    set(box, "label", dotWord(shortName) + "\\n" + dotWord(node.op()));
    set(box, "op", dotWord(node.op()));
    set(box, "fillcolor", familyTints[std::size_t(opFamily(node.op()))]);
    if (!node.device().empty())
        set(box, "device", dotWord(node.device()));
}

Agnode_t* DotWriter::missingNode(std::string_view name)
{
    const auto found = m_missing.find(name);
    if (found != m_missing.end())
        return found->second;
    std::string unique = dotWord(name);
    if (unique.empty() || namedNode(m_dot.get(), unique.c_str(), false) != nullptr)
        unique += "#missing";
    Agnode_t* box = namedNode(m_dot.get(), unique.c_str(), true);
    set(box, "label", dotWord(name) + "\\nmissing");
    set(box, "style", "dotted");
    return m_missing[name] = box;
}

void DotWriter::addEdge(NodeId id, std::uint32_t slot)
{
    const Endpoint from = m_graph.inputs(id)[slot];
    const Input& input = m_graph.node(id).inputs()[slot];
    Agnode_t* tail = from.node.isValid() ? m_nodes[from.node.value] : missingNode(input.node);
    const std::string key = "e" + std::to_string(m_edges++);
    Agedge_t* edge = agedge(m_dot.get(), tail, m_nodes[id.value], word(key.c_str()), 1);
    if (from.isControl()) {
        set(edge, "style", "dashed");
        set(edge, "color", "#a0a8b0");
        return;
    }
    if (from.port != 0)
        set(edge, "taillabel", std::to_string(from.port));
    if (m_graph.node(id).inputs().size() > 1)
        set(edge, "headlabel", std::to_string(slot));
}

Result<std::string> DotWriter::write(const Job& job)
{
    const Error stopped = cancelledError();
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        if (i % nodesBetweenLooks == 0 && job.cancelled())
            return stopped;
        addNode(NodeId{i});
    }
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        if (i % nodesBetweenLooks == 0 && job.cancelled())
            return stopped;
        for (std::uint32_t slot = 0; slot < m_graph.inputs(NodeId{i}).size(); ++slot)
            addEdge(NodeId{i}, slot);
    }
    Written written{{}, job};
    const bool isWhole = agwrite(m_dot.get(), &written) == 0;
    if (job.cancelled())
        return stopped;
    if (!isWhole)
        return Error{ErrorCode::Internal, "the graph could not be written as Graphviz text"};
    return std::move(written.text);
}

} // namespace

Result<std::string> dotText(const Graph& graph, const DotOptions& options, const Job& job)
{
    const std::lock_guard lock(cgraphMutex());
    agseterr(AGMAX);
    return DotWriter(graph, options).write(job);
}

} // namespace lapidary
