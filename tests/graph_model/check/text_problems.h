// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "tests/catch.h"

#include <string>
#include <vector>

namespace lapidary {

// Problems of a text GraphDef as "kind at place", warnings marked.
inline std::vector<std::string> found(const std::string& text)
{
    const auto file = readModelBytes(text, "test.pbtxt", Job());
    REQUIRE(file.ok());
    REQUIRE_FALSE(file->isRefused());
    std::vector<std::string> lines;
    for (const Problem& problem : file->graphs[0].problems)
        lines.push_back(problem.kind + " at " + problem.node +
                        (problem.severity == Severity::Error ? "" : " (warning)"));
    return lines;
}

} // namespace lapidary
