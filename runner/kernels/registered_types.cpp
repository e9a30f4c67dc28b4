// SPDX-License-Identifier: Apache-2.0
// The types that TensorFlow 1.15's CPU build registers for each op, recorded from it
// (resources/ops/cpu_kernels.tsv), sorted by op.
#include "graph_model/base/fixed_names.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/registered_types_table.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns the types of `attr` in "T: float double; Tout: int32"; empty if it is not listed.
std::string_view typesOf(std::string_view facts, std::string_view attr)
{
    while (!facts.empty()) {
        const auto end = std::min(facts.find(';'), facts.size());
        std::string_view item = facts.substr(0, end);
        facts = facts.substr(std::min(end + 1, facts.size()));
        while (item.starts_with(' '))
            item.remove_prefix(1);
        const auto colon = item.find(':');
        if (colon != std::string_view::npos && item.substr(0, colon) == attr)
            return item.substr(colon + 1);
    }
    return {};
}

bool hasWord(std::string_view words, std::string_view word)
{
    for (auto at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
        const bool starts = at == 0 || words[at - 1] == ' ';
        const std::size_t end = at + word.size();
        if (starts && (end == words.size() || words[end] == ' '))
            return true;
    }
    return false;
}

} // namespace

Status checkRegisteredTypes(const Node& node)
{
    static const FixedNames names(registeredTypes, &RegisteredTypes::op);
    const RegisteredTypes* const types = names.entryOf(registeredTypes, node.op());
    if (types == nullptr)
        return Done{};
    for (const Attr& attr : node.attrs()) {
        const auto dtype = attr.value.asType();
        const std::string_view words = typesOf(types->facts, attr.name);
        if (!dtype || words.empty())
            continue;
        const std::string name = dtypeName(withoutReference(*dtype));
        if (!hasWord(words, name))
            return Error{ErrorCode::Unsupported,
                         std::string(node.name()) + ": " + std::string(node.op()) +
                             " has no kernel for " + std::string(attr.name) + " = " + name +
                             "; it takes" + std::string(words)};
    }
    return Done{};
}

} // namespace lapidary
