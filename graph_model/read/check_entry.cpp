// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/check_entry.h"

#include "graph_model/check/check_graph.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

// Returns whether there are encoding problems that lose nodes, not only values.
bool hasLostNodes(const Problems& problems)
{
    constexpr std::array<std::string_view, 9> damages{
        "truncated", "overlong_length", "bad_varint",  "bad_tag", "wrong_wire_type",
        "too_deep",  "not_a_model",     "text_syntax", "bad_crc"};
    return std::ranges::any_of(problems, [&](const Problem& problem) {
        return problem.severity == Severity::Error &&
               std::ranges::find(damages, problem.kind) != damages.end();
    });
}

// Merges dangling references to lost nodes, which are not further defects of the graph, into one
// note.
void sumUpLostReferences(Problems& found)
{
    constexpr std::array<std::string_view, 4> followUps{"dangling_input", "dangling_colocation",
                                                        "dangling_ret", "missing_function"};
    const std::size_t all = found.size();
    std::erase_if(found, [&](const Problem& problem) {
        return std::ranges::find(followUps, problem.kind) != followUps.end();
    });
    if (found.size() == all)
        return;
    Problem note;
    note.kind = "dangling_input";
    note.severity = Severity::Note;
    note.message = std::to_string(all - found.size()) +
                   " references lead to the part of the file that is lost";
    found.push_back(std::move(note));
}

} // namespace

Result<Problems> checkEntry(const ModelFile& file, std::size_t entry, const Job& job)
{
    const GraphEntry& graph = file.graphs[entry];
    Problems found = checkGraph(*graph.graph, job);
    if (job.cancelled())
        return cancelledError();
    if (hasLostNodes(file.problems) || hasLostNodes(graph.problems))
        sumUpLostReferences(found);
    return found;
}

} // namespace lapidary
