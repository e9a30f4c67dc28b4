// SPDX-License-Identifier: Apache-2.0
// Names, ops, devices and colocation of nodes.
#include "graph_model/check/check_context.h"

#include <algorithm>

namespace lapidary {
namespace {

bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Returns whether the name matches [A-Za-z0-9.][A-Za-z0-9_.\-/]*; later versions also allow '>'.
bool isLegalRest(std::string_view name, bool isNewer)
{
    return std::ranges::all_of(name, [&](char c) {
        return isLetterOrDigit(c) || c == '_' || c == '.' || c == '-' || c == '/' ||
               (isNewer && c == '>');
    });
}

void checkName(CheckContext& context, NodeId id)
{
    const std::string_view name = context.graph.node(id).name();
    if (name.empty()) {
        context.report("bad_name", Severity::Error, id,
                       "Node " + std::to_string(id.value) + " of the file has an empty name");
        return;
    }
    if (!isLegalRest(name, context.isNewer())) {
        // TensorFlow never checks the names in function bodies.
        context.report("odd_name", context.place.isBody ? Severity::Warning : Severity::Error, id,
                       "The name " + quote(name) +
                           " holds characters that TensorFlow refuses; rename the node");
    } else if (!context.place.isBody && !isLetterOrDigit(name[0]) && name[0] != '.') {
        context.report("odd_name", Severity::Error, id,
                       "The name " + quote(name) + " begins with '" + name[0] +
                           "', which TensorFlow " +
                           (name[0] == '_' ? "keeps for graphs of its own making" : "refuses") +
                           "; rename the node");
    }
}

void checkUnique(CheckContext& context, NodeId id)
{
    const std::string_view name = context.graph.node(id).name();
    const NodeId owner = context.graph.find(name);
    if (owner.isValid() && owner != id)
        context.report("duplicate_node", Severity::Error, id,
                       "Nodes " + std::to_string(owner.value) + " and " + std::to_string(id.value) +
                           " have the same name " + quote(name) +
                           "; inputs of that name mean the first");
}

void checkOp(CheckContext& context, NodeId id)
{
    const std::string_view op = context.graph.node(id).op();
    const OpSpec* spec = context.specs[id.value];
    if (op.empty()) {
        context.report("unknown_op", Severity::Error, id, "The node does not say what op it is");
        return;
    }
    if (spec == nullptr) {
        context.report("unknown_op", context.againstRegistry(), id,
                       "The op " + quote(op) + " is unknown: " +
                           (findOp(op) != nullptr ? "it is from a later version than TensorFlow "
                                                    "1.15.5, or from an extension library"
                            : context.isNewer()
                                ? "a custom op, or one of the later TensorFlow that wrote the graph"
                                : "a custom op; TensorFlow 1.15.5 has none of that name"));
        if (context.ops.hasLibrary() && !context.isNewer())
            context.report("missing_function", Severity::Error, id,
                           "The library has no function " + quote(op) + " either");
        return;
    }
    if (spec->deprecatedSince > 0 && context.place.producer >= spec->deprecatedSince &&
        !context.place.isBody)
        context.report("version", Severity::Error, id,
                       "The op " + std::string(op) + " was withdrawn in graph version " +
                           std::to_string(spec->deprecatedSince) + ", but the graph says that it " +
                           "has version " + std::to_string(context.place.producer) + "; " +
                           std::string(spec->deprecationReason));
}

std::string_view takeWord(std::string_view& text)
{
    const std::size_t end = std::min(text.find('/'), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

bool isNumberOrStar(std::string_view text)
{
    return text == "*" || (!text.empty() &&
                           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }));
}

// Returns whether it is one of "job:worker", "task:0", "device:GPU:0", "GPU:0", "cpu".
bool isDevicePart(std::string_view part)
{
    const std::size_t colon = part.find(':');
    const std::string_view key = part.substr(0, colon);
    const std::string_view rest = colon == std::string_view::npos ? "" : part.substr(colon + 1);
    const auto isWord = [](std::string_view word) {
        return !word.empty() && std::ranges::all_of(word, [](char c) {
            return isLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
        });
    };
    if (key == "job")
        return isWord(rest);
    if (key == "replica" || key == "task")
        return isNumberOrStar(rest);
    if (key == "device") {
        const std::size_t second = rest.find(':');
        const std::string_view type = rest.substr(0, second);
        return (type == "*" || isWord(type)) &&
               (second == std::string_view::npos || isNumberOrStar(rest.substr(second + 1)));
    }
    return isWord(key) && colon != std::string_view::npos && isNumberOrStar(rest);
}

bool isDevice(std::string_view device)
{
    if (device.starts_with('/'))
        device.remove_prefix(1);
    while (!device.empty()) {
        if (!isDevicePart(takeWord(device)))
            return false;
        if (device.starts_with('/'))
            device.remove_prefix(1);
    }
    return true;
}

void checkDevice(CheckContext& context, NodeId id)
{
    const std::string_view device = context.graph.node(id).device();
    if (!isDevice(device))
        context.report("bad_device", Severity::Warning, id,
                       "The device " + quote(device) +
                           " is not written as '/job:worker/task:0/device:GPU:0'");
}

// Checks "_class", which names nodes for colocation as "loc:@name".
void checkColocation(CheckContext& context, NodeId id)
{
    constexpr std::string_view prefix = "loc:@";
    for (const std::string_view entry : context.graph.node(id).attr("_class").strings())
        if (entry.starts_with(prefix) && !context.graph.find(entry.substr(prefix.size())).isValid())
            context.report("dangling_colocation", Severity::Error, id,
                           "It is to be placed with " + quote(entry.substr(prefix.size())) +
                               ", but no node has that name; remove the attribute _class");
}

} // namespace

void checkNames(CheckContext& context)
{
    for (std::uint32_t i = 0; i < context.graph.size(); ++i) {
        const NodeId id{i};
        if (context.graph.node(id).isSynthetic())
            continue;
        if ((i & 0xFFF) == 0 && context.job.cancelled())
            return;
        checkName(context, id);
        checkUnique(context, id);
        checkOp(context, id);
        if (!context.graph.node(id).device().empty())
            checkDevice(context, id);
        if (!context.place.isBody)
            checkColocation(context, id);
    }
}

} // namespace lapidary
