#include "tests/graph_testing.h"

namespace lapidary {
namespace {

std::string_view trim(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

NodePtr parseLine(std::string_view line)
{
    const auto equals = line.find('=');
    const auto open = line.find('(', equals);
    NodeDraft draft;
    draft.name = trim(line.substr(0, equals));
    draft.op = trim(line.substr(equals + 1, open - equals - 1));
    std::string_view rest = line.substr(open + 1, line.rfind(')') - open - 1);
    while (!trim(rest).empty()) {
        const auto comma = rest.find(',');
        draft.inputs.emplace_back(trim(rest.substr(0, comma)));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return draft.finish();
}

} // namespace

GraphPtr graph(std::string_view text)
{
    Graph::Parts parts;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = trim(text.substr(0, end));
        if (!line.empty() && line[0] != '#')
            parts.nodes.push_back(parseLine(line));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return Graph::make(std::move(parts));
}

std::string printGraph(const Graph& graph)
{
    std::string out;
    for (const NodePtr& node : graph.nodes()) {
        out += std::string(node->name()) + " = " + std::string(node->op()) + "(";
        for (std::size_t i = 0; i < node->inputs().size(); ++i)
            out += (i > 0 ? ", " : "") + std::string(node->inputs()[i].text);
        out += ")\n";
    }
    return out;
}

} // namespace lapidary
