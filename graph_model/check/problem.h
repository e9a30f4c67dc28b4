// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {

enum class Severity { Note, Warning, Error };

// One defect of a file or graph. `kind` is one of the words that the documentation of `lapidary
// check` lists (dangling_input, truncated, bad_utf8, ...).
struct Problem {
    std::string kind;
    Severity severity = Severity::Error;
    std::string node;                    // node, "function/node", variable; empty: the whole file
    std::optional<std::uint64_t> offset; // byte offset of the damage in the file
    std::optional<int> line;             // 1-based, text formats
    std::optional<int> column;           // 1-based, text formats
    std::string message;                 // one sentence for people

    bool operator==(const Problem&) const = default;
};
using Problems = std::vector<Problem>;

// Returns a problem of a node, signature or other part with that name.
inline Problem problemAt(std::string kind, std::string where, std::string message,
                         Severity severity = Severity::Error)
{
    Problem problem;
    problem.kind = std::move(kind);
    problem.severity = severity;
    problem.node = std::move(where);
    problem.message = std::move(message);
    return problem;
}

} // namespace lapidary
