// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "runner/profile/node_profile.h"

#include <filesystem>
#include <string_view>

namespace lapidary {

// Read a profile: a log of benchmark_model, RunMetadata, a Chrome trace or the output of
// `benchmark --json`, recognized by the content.
Result<NodeProfilePtr> readNodeProfile(const std::filesystem::path& path, const Job& job);
Result<NodeProfilePtr> decodeNodeProfile(std::string_view bytes, const Job& job);

} // namespace lapidary
