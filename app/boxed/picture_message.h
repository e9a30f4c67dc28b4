// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/message.h"
#include "transforms/classify/observe_ranges.h"

#include <string>
#include <vector>

namespace lapidary {

Message messageOf(const PictureFolder& folder);
PictureFolder folderOf(const Message& message);
// Return the files and folders that are read.
std::vector<std::string> filesOf(const PictureFolder& folder);

std::vector<std::string> filesOf(const ClassifyPlan& plan);

Message messageOf(const ClassifyPlan& plan);
ClassifyPlan classifyPlanOf(const Message& message);

Message messageOf(const FolderEvaluation& evaluation);
FolderEvaluation evaluationOf(const Message& message);

Message messageOf(const RangeObservation& observation);
RangeObservation observationOf(const Message& message);

} // namespace lapidary
