// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/session.h"
#include "tests/goldens/golden_data.h"

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

namespace lapidary::goldens {

// A recorded tensor (goldens/README.md, "A tensor"), or a seeded one (goldens/runs/README.md).
Result<Value> decodeTensor(const nlohmann::json& tensor, MemoryPool& pool);

// Empty where `ours` holds against the recorded tensor within `tol`; else what differs first.
std::string compareTensor(const Value& ours, const nlohmann::json& expected,
                          const nlohmann::json& tol);

struct Comparison {
    std::string difference;  // empty: holds
    double largestError = 0; // of the floats compared: abs(ours - theirs)
};
// As compareTensor. With "every" in `expected`, only the elements 0, k, 2k, ... are compared;
// "exact_integers" in `tol` leaves the tolerance to the floats.
Comparison compareValues(const Value& ours, const nlohmann::json& expected,
                         const nlohmann::json& tol);

// One step of a case: what was fed, what should come out.
Comparison compareStep(Session& session, const nlohmann::json& step, const nlohmann::json& tol);

// The ops without a kernel that a step needs, joined by ", ".
std::string missingOps(const Session& session, const nlohmann::json& step);

// Runs every case of a file of run cases (goldens/README.md, "A run case") and tallies it. Cases
// whose ops have no kernel here are skipped by the op's name. 8-bit products run on the back end.
void runCaseFile(const std::filesystem::path& file, Tally& tally, const std::string& backEnd = {});

} // namespace lapidary::goldens
