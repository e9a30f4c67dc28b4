// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/message.h"
#include "transforms/export/export_plan.h"

#include <string>
#include <vector>

namespace lapidary {

Message messageOf(const ExportPlan& plan);
ExportPlan exportPlanOf(const Message& message);
// Returns the files that the ranges are taken from.
std::vector<std::string> filesOf(const ExportPlan& plan);

Result<Message> messageOf(const ExportReport& report);
ExportReport exportReportOf(const Message& message);

} // namespace lapidary
