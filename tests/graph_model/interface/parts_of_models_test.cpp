// SPDX-License-Identifier: Apache-2.0
// Parts of trained graphs, compared with a table written by hand, with the names of the file and
// with meaningless names.
#include "graph_model/graph/node_maker.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/interface/node_parts.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/shared_data.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace lapidary {
namespace {

constexpr double leastAgreement = 0.98; // of one graph

struct PartRule {
    std::regex names;
    std::string part;
};

class PartTable {
public:
    explicit PartTable(const std::filesystem::path& file)
    {
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) {
            std::istringstream fields(line);
            std::string model;
            std::string names;
            std::string part;
            if (line.starts_with('#') || !std::getline(fields, model, '\t') ||
                !std::getline(fields, names, '\t') || !std::getline(fields, part))
                continue;
            m_rules[model].push_back({std::regex(names), part});
            if (model != "*")
                m_models.insert(model);
        }
    }

    const std::set<std::string>& models() const { return m_models; }
    std::string partOf(const std::string& model, const std::string& name) const
    {
        for (const std::string& list : {model, std::string("*")})
            for (const PartRule& rule : m_rules.at(list))
                if (std::regex_match(name, rule.names))
                    return rule.part;
        return "network";
    }

private:
    std::map<std::string, std::vector<PartRule>> m_rules;
    std::set<std::string> m_models;
};

const char* wordOf(Part part)
{
    switch (part) {
    case Part::Network: return "network";
    case Part::Loss: return "loss";
    case Part::Gradients: return "gradients";
    case Part::Optimizer: return "optimizer";
    case Part::Pipeline: return "pipeline";
    case Part::Saving: return "saving";
    case Part::Summaries: return "summaries";
    }
    return "";
}

// Returns the same graph with names that say nothing.
GraphEntry shuffled(const GraphEntry& entry)
{
    const Graph& graph = *entry.graph;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < graph.size(); ++i)
        names.push_back("n" + std::to_string((i * 7919 + 13) % 1'000'003));
    NodeMaker maker;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        std::vector<std::string_view> producers;
        for (const Endpoint& from : graph.inputs(NodeId{i}))
            producers.push_back(from.node.isValid() ? std::string_view(names[from.node.value])
                                                    : std::string_view());
        NodeMaker::Changes changes;
        changes.name = names[i];
        changes.producers = producers;
        changes.oldAttr = "_class";
        maker.add(graph.node(NodeId{i}), changes);
    }
    GraphEntry other;
    other.graph = Graph::make({.nodes = std::move(maker).finish(),
                               .versions = graph.versions(),
                               .functions = graph.sharedFunctions(),
                               .unknownFields = {},
                               .firstPort = nullptr,
                               .sameWiring = nullptr});
    return other;
}

NodeParts partsOf(const GraphEntry& entry)
{
    std::vector<NodeId> results;
    for (const ChosenTensor& output : likelyChoice(*entry.graph, guessInterface(entry)).outputs)
        results.push_back(output.node);
    return nodeParts(*entry.graph, results);
}

// Returns the share of nodes whose part is that of the table; prints it, and the differences if
// asked for.
double agreement(const PartTable& table, const std::string& model, const GraphEntry& named,
                 const GraphEntry& asked, const char* what)
{
    const NodeParts parts = partsOf(asked);
    std::map<std::string, std::size_t> wrong;
    std::size_t right = 0;
    const std::size_t size = named.graph->size();
    for (std::uint32_t i = 0; i < size; ++i) {
        const std::string name(named.graph->node(NodeId{i}).name());
        const std::string wanted = table.partOf(model, name);
        const std::string found = wordOf(parts.of[i]);
        right += wanted == found ? 1 : 0;
        if (wanted != found && std::getenv("LAPIDARY_PARTS") != nullptr)
            std::printf("  %s: %s, found %s\n", name.c_str(), wanted.c_str(), found.c_str());
        if (wanted != found)
            ++wrong[wanted + " taken for " + found];
    }
    const double share = double(right) / double(std::max<std::size_t>(size, 1));
    std::printf("%-26s %-14s %5zu of %5zu  %6.2f %%", model.c_str(), what, right, size,
                share * 100);
    for (const auto& [text, count] : wrong)
        std::printf("  %zu %s", count, text.c_str());
    std::printf("\n");
    return share;
}

} // namespace

TEST_CASE("nodes of trained graphs have the parts that people give them", "[parts][models]")
{
    const PartTable table(sourceFolder() / "tests/graph_model/interface/parts_of_models.tsv");
    REQUIRE(table.models().size() >= 10);
    for (const std::string& name : table.models()) {
        const auto file = sharedData() / "models" / name;
        if (!std::filesystem::exists(file))
            continue;
        const auto model = readModel(file, Job(), {.check = false});
        REQUIRE(model.ok());
        const GraphEntry& entry = model->graphs.front();
        INFO(name);
        const double named = agreement(table, name, entry, entry, "as named");
        CHECK(named >= leastAgreement);
        CHECK(agreement(table, name, entry, shuffled(entry), "names shuffled") >= named - 0.005);
    }
}

} // namespace lapidary
