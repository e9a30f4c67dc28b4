#pragma once

#include "runner/execute/session.h"
#include "tests/goldens/golden_data.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace lapidary::goldens {

// A recorded tensor (goldens/README.md, "A tensor").
Result<Value> decodeTensor(const nlohmann::json& tensor, MemoryPool& pool);

// Empty where `ours` holds against the recorded tensor within `tol`; else what differs first.
std::string compareTensor(const Value& ours, const nlohmann::json& expected,
                          const nlohmann::json& tol);

// Runs every case of a file of run cases (goldens/README.md, "A run case") and tallies it. Cases
// whose ops have no kernel here are skipped by the op's name.
void runCaseFile(const std::filesystem::path& file, Tally& tally);

} // namespace lapidary::goldens
