// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"

#include <map>
#include <string>

namespace lapidary {

// Collects problems. Beyond a number of problems of one kind, or a total length of texts, further
// ones are only counted, so that a hostile file does not cause gigabytes of messages.
class ProblemList {
public:
    void add(std::string_view kind, Severity severity, std::string node, std::string message);
    // Returns the problems, and one more for each kind with further ones.
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
