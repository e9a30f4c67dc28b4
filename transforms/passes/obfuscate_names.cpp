// SPDX-License-Identifier: Apache-2.0
// obfuscate_names
//
// Every name except those of inputs and outputs becomes its number in base 62; references to it are
// changed, too.
#include "transforms/edits/dangling_input.h"
#include "transforms/pass/interface_names.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

std::string base62(std::uint64_t number)
{
    constexpr std::string_view digits =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string text;
    do {
        text += digits[number % digits.size()];
        number /= digits.size();
    } while (number > 0);
    std::ranges::reverse(text);
    return text;
}

// Names that must stay and must not be given to other nodes. Most others are recognized by their
// length alone.
class KeptNames {
public:
    explicit KeptNames(const PassArgs& args)
        : m_names(interfaceNodes(args))
    {
        for (const std::string& name : m_names)
            m_hasLength[name.size() % m_hasLength.size()] = true;
    }
    bool contains(std::string_view name) const
    {
        return m_hasLength[name.size() % m_hasLength.size()] && m_names.contains(name);
    }

private:
    std::set<std::string, std::less<>> m_names;
    std::array<bool, 256> m_hasLength{};
};

struct NewName {
    NodeId id;
    std::string name;
};

Result<std::vector<NewName>> newNames(const Graph& graph, const PassArgs& args, const Job& job)
{
    const KeptNames kept(args);
    std::vector<NewName> names;
    std::uint64_t number = 0;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        const Node& node = graph.node(NodeId{i});
        if (std::string fault = danglingInput(graph, NodeId{i}); !fault.empty())
            return Error{ErrorCode::InvalidArgument, std::move(fault)};
        if (kept.contains(node.name()))
            continue;
        std::string name = base62(number++);
        while (kept.contains(name))
            name = base62(number++);
        if (name != node.name())
            names.push_back({NodeId{i}, std::move(name)});
    }
    return names;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto names, newNames(*graph, args, job));
    Findings findings;
    for (const NewName& renamed : names)
        findings.push_back({{renamed.id}, ""});
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(auto names, newNames(*graph, args, job));
    GraphEdit edit(graph);
    edit.countPlaces(names.size());
    for (NewName& renamed : names)
        edit.rename(renamed.id, std::move(renamed.name));
    return std::move(edit).finish();
}

} // namespace

const Pass passes::obfuscateNames{
    .name = "obfuscate_names",
    .summary =
        "Replaces the names of all nodes, except inputs and outputs, by short meaningless ones.",
    .before = "tower/conv1/weights",
    .after = "3",
    .declines = "Inputs and outputs keep their names.",
    .differences = "Names follow the order of the nodes, which the original leaves to hashes. A "
                   "port or caret on an input or output protects its node too.",
    .find = find,
    .run = run,
};

} // namespace lapidary
