// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/device/device_plan.h"
#include "graph_model/base/job.h"

#include <functional>
#include <string>

namespace lapidary {

// Does what the plan says with the `adb` on PATH. Tells the title of each step as it begins. Where
// one fails, or the job is cancelled, neither the log nor the results are written, and what was
// copied is taken off the device again as far as it can be reached. The error is one sentence.
Status runOnDevice(const DevicePlan& plan, const std::function<void(const std::string&)>& tell,
                   const Job& job);

} // namespace lapidary
