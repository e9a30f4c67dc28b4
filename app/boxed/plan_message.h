// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/message.h"
#include "runner/setup/compute_tensors.h"
#include "runner/setup/run_plan.h"
#include "runner/values/memory_pool.h"
#include "transforms/verify/verify_graphs.h"

#include <string>
#include <vector>

namespace lapidary {

// Encodes a plan with its session options, except their folder, which is the model's.
Message messageOf(const RunPlan& plan);
RunPlan runPlanOf(const Message& message, MemoryPool& pool);

Message messageOf(const VerifyPlan& plan);
VerifyPlan verifyPlanOf(const Message& message, MemoryPool& pool);

// Return the files that are fed.
std::vector<std::string> filesOf(const RunPlan& plan);
std::vector<std::string> filesOf(const VerifyPlan& plan);

Message messageOf(const std::vector<ComputedOutput>& outputs);
std::vector<ComputedOutput> computedOutputsOf(const Message& message, MemoryPool& pool);

} // namespace lapidary
