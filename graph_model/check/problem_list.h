// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"

#include <map>
#include <string>

namespace lapidary {

// Collects problems. Past a limit of problems of a kind, or of text in all, further ones are only
// counted: a hostile file must not turn into gigabytes of messages.
class ProblemList {
public:
    void add(std::string_view kind, Severity severity, std::string node, std::string message);
    // All of them, and one more for each kind that was cut short.
    Problems take() &&;

private:
    struct Count {
        std::size_t listed = 0;
        std::size_t dropped = 0;
        Severity worst = Severity::Note;
    };
    Problems m_problems;
    std::map<std::string, Count, std::less<>> m_counts;
    std::size_t m_bytes = 0;
};

} // namespace lapidary
