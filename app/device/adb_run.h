// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/device/device_plan.h"
#include "graph_model/base/job.h"

#include <functional>
#include <string>

namespace lapidary {

// Executes the plan with the `adb` on PATH. Calls `tell` with the title of each step as it begins.
// If a step fails or the job is cancelled, neither the log nor the results are written, and the
// copied files are removed from the device if it can still be reached. The error is one sentence.
Status runOnDevice(const DevicePlan& plan, const std::function<void(const std::string&)>& tell,
                   const Job& job);

} // namespace lapidary
