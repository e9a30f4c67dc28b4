// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/session.h"
#include "tests/goldens/golden_data.h"

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

namespace lapidary::goldens {

// A recorded tensor (goldens/README.md, "A tensor"), or a tensor made from a seed
// (goldens/runs/README.md).
Result<Value> decodeTensor(const nlohmann::json& tensor, MemoryPool& pool);

// Returns the first difference of `ours` from the recorded tensor beyond `tol`; empty if there is
// none.
std::string compareTensor(const Value& ours, const nlohmann::json& expected,
                          const nlohmann::json& tol);

struct Comparison {
    std::string difference;  // empty: equal within the tolerance
    double largestError = 0; // of the compared floats: abs(ours - theirs)
};
// As compareTensor(). If `expected` has "every", only the elements 0, k, 2k, ... are compared; if
// `tol` has "exact_integers", the tolerance is for floats only.
Comparison compareValues(const Value& ours, const nlohmann::json& expected,
                         const nlohmann::json& tol);

// One step of a case: its feeds and the expected results.
Comparison compareStep(Session& session, const nlohmann::json& step, const nlohmann::json& tol);

// The ops without a kernel that a step needs, joined by ", ".
std::string missingOps(const Session& session, const nlohmann::json& step);

// Runs every case of a file of run cases (goldens/README.md, "A run case") and tallies it. Cases
// with an op that has no kernel are skipped under the name of the op. 8-bit products use the back
// end.
void runCaseFile(const std::filesystem::path& file, Tally& tally, const std::string& backEnd = {});

} // namespace lapidary::goldens
