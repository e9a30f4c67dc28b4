// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/error_reasons.h"

#include "tests/catch.h"
#include "tests/goldens/case_table.h"

#include <algorithm>
#include <cctype>
#include <memory>

#include <re2/re2.h>

namespace lapidary::goldens {
namespace {

// One reason in the words of the original, and in ours.
struct Reason {
    std::unique_ptr<RE2> recorded;
    std::unique_ptr<RE2> ours;
};

std::vector<Reason> readReasons()
{
    RE2::Options options;
    options.set_case_sensitive(false);
    options.set_dot_nl(true);
    std::vector<Reason> reasons;
    for (const auto& row : tableRows("reasons.tsv")) {
        INFO("reasons.tsv: a row is two regular expressions: " << row[0]);
        REQUIRE(row.size() == 2);
        reasons.push_back(
            {std::make_unique<RE2>(row[0], options), std::make_unique<RE2>(row[1], options)});
        REQUIRE((reasons.back().recorded->ok() && reasons.back().ours->ok()));
    }
    return reasons;
}

const std::vector<Reason>& reasons()
{
    static const std::vector<Reason> read = readReasons();
    return read;
}

// Returns the fetched or fed node from which TensorFlow made an internal name:
// "_retval_NAME_PORT_NUMBER", "_recv_NAME_PORT".
std::string withoutRetval(std::string name)
{
    for (const auto& [made, numbers] : {std::pair("_retval_", 2), std::pair("_recv_", 1)}) {
        if (!name.starts_with(made))
            continue;
        name.erase(0, std::string_view(made).size());
        for (int i = 0; i < numbers; ++i)
            name.resize(std::min(name.size(), name.rfind('_')));
    }
    return name;
}

void addMarked(const std::string& message, std::string_view open, std::string_view close,
               std::vector<std::string>& names)
{
    for (std::size_t at = message.find(open); at != message.npos; at = message.find(open, at + 1)) {
        const std::size_t first = at + open.size();
        std::string name = withoutRetval(message.substr(first, message.find(close, first) - first));
        name.resize(std::min(name.size(), name.find("/Internal/"))); // created by the import
        while (name.ends_with('.')) // "NODE..." where the message is cut short
            name.pop_back();
        if (!name.starts_with("{{") && !name.empty())
            names.push_back(std::move(name));
    }
}

std::string text(const nlohmann::json& error)
{
    return error.value("message", "");
}

} // namespace

std::vector<std::string> recordedNodes(const nlohmann::json& error)
{
    const std::string message = text(error);
    std::vector<std::string> names;
    addMarked(message, "{{node ", "}}", names);
    addMarked(message, "[[", "]]", names);
    static const RE2 inWords("for '([^']+)' \\(op: |[Ii]nput \\d+ of node ([^ ]+) was passed|"
                             "device for operation ([^ :]+)[: ]|^Node '([^']+)'[: ]|"
                             "node named ([^ ]+)|Const node (\\S+)|^(\\S+) is both fed");
    re2::StringPiece rest(message);
    std::string name[7];
    while (RE2::FindAndConsume(&rest, inWords, &name[0], &name[1], &name[2], &name[3], &name[4],
                               &name[5], &name[6]))
        for (std::string& one : name)
            if (!one.empty())
                names.push_back(withoutRetval(std::exchange(one, {})));
    return names;
}

bool saysName(std::string_view text, std::string_view name)
{
    const auto isPart = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !isPart(text[at - 1])) && (end == text.size() || !isPart(text[end])))
            return true;
    }
    return false;
}

std::string reasonFault(const nlohmann::json& error, const std::string& ours)
{
    const std::vector<std::string> nodes = recordedNodes(error);
    if (!nodes.empty() &&
        std::ranges::none_of(nodes, [&](const std::string& node) { return saysName(ours, node); }))
        return "the error does not name the node " + nodes.front() + ": " + ours +
               "; recorded: " + text(error);
    if (error.value("code", "") == "Crash")
        return ""; // the original gave no reason
    for (const Reason& reason : reasons())
        if (RE2::PartialMatch(text(error), *reason.recorded))
            return RE2::PartialMatch(ours, *reason.ours)
                       ? ""
                       : "another reason: '" + ours + "', recorded '" + text(error) + "'";
    return "reasons.tsv does not know '" + text(error) + "'; ours: '" + ours + "'";
}

} // namespace lapidary::goldens
