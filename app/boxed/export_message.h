// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/message.h"
#include "transforms/export/export_plan.h"

#include <string>
#include <vector>

namespace lapidary {

Message messageOf(const ExportPlan& plan);
ExportPlan exportPlanOf(const Message& message);
// The files that the ranges come from.
std::vector<std::string> filesOf(const ExportPlan& plan);

Result<Message> messageOf(const ExportReport& report);
ExportReport exportReportOf(const Message& message);

} // namespace lapidary
