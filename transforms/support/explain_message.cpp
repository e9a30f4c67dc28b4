// SPDX-License-Identifier: Apache-2.0
#include "transforms/support/explain_message.h"

#include "graph_model/base/text.h"

#include <algorithm>
#include <set>

namespace lapidary {
namespace {

bool hasTypes(const Node& node, const std::vector<std::pair<std::string, std::string>>& attrs)
{
    for (const auto& [name, value] : attrs) {
        const auto wanted = parseDtype(value);
        const auto type = node.attr(name).asType();
        if (wanted && type && withoutReference(*type) != *wanted)
            return false;
    }
    return true;
}

// Returns the types for which kernels are registered, without their order: "T: float int32".
std::set<std::string> typesInCell(std::string_view cell)
{
    std::set<std::string> types;
    std::string word;
    for (const char c : std::string(cell) + ' ') {
        if (c != ' ' && c != ';') {
            word += c;
            continue;
        }
        if (!word.empty() && word.back() != ':')
            types.insert(word);
        word.clear();
    }
    return types;
}

std::vector<std::string> fittingTargets(const KernelMessage& message, const OpSupport& table)
{
    std::vector<std::string> names;
    if (!message.listsKernels || message.ops.size() != 1)
        return names;
    std::set<std::string> theirs;
    for (const std::string& row : message.registered)
        theirs.merge(typesInCell(row));
    for (const Target& target : allTargets()) {
        const std::string_view cell = table.cell(message.ops[0], target.name);
        if (target.kind == Target::Kind::Converter || cell.empty())
            continue;
        const bool isEmpty = cell == "no";
        const bool isListed = cell.find(':') != std::string_view::npos;
        const bool fits = message.registered.empty() ? isEmpty
                          : isListed                 ? typesInCell(cell) == theirs
                                                     : !isEmpty && theirs.empty();
        if (fits)
            names.emplace_back(target.name);
    }
    return names;
}

} // namespace

std::string whatItSays(const KernelMessage& message)
{
    const std::string ops = listed(message.ops);
    switch (message.kind) {
    case KernelMessage::Kind::NoKernel:
    case KernelMessage::Kind::NoExecutable: return "the program has no kernel for " + ops;
    case KernelMessage::Kind::NotAllowed:
        return "the program's definition of " + (ops.empty() ? "the op" : ops) +
               " lacks a type, as builds by contrib/makefile do";
    case KernelMessage::Kind::NotRegistered:
        return "the program does not know the op " + ops +
               " at all: it is a custom op, or selective registration left it out";
    case KernelMessage::Kind::Converter: return "the converter does not know " + ops;
    }
    return ops;
}

std::string explanationOf(const MessageAnswer& answer)
{
    std::string text = whatItSays(answer.message);
    for (const auto& [name, value] : answer.message.attrs)
        if (parseDtype(value))
            text += ' ' + name + '=' + value;
    if (!answer.targets.empty())
        text += "; its list of kernels is that of " + listed(answer.targets);
    if (answer.nodes.empty())
        text += "; the graph has no such node";
    return text;
}

MessageAnswer explainMessage(const Graph& graph, KernelMessage message, const OpSupport& table)
{
    MessageAnswer answer;
    answer.targets = fittingTargets(message, table);
    if (const NodeId id = graph.find(message.node); !message.node.empty() && id.isValid()) {
        answer.nodes.push_back(id);
        answer.message = std::move(message);
        return answer;
    }
    // Finds nodes of the types that the message names, or else all nodes of the op.
    for (const bool typesCount : {true, false}) {
        for (std::uint32_t i = 0; i < graph.size(); ++i) {
            const Node& node = graph.node(NodeId{i});
            const bool isMeant = std::ranges::find(message.ops, node.op()) != message.ops.end();
            if (isMeant && (!typesCount || hasTypes(node, message.attrs)))
                answer.nodes.push_back(NodeId{i});
        }
        if (!answer.nodes.empty())
            break;
    }
    answer.message = std::move(message);
    return answer;
}

} // namespace lapidary
