// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

namespace lapidary {

extern const std::span<const ActionSpec> recipeActions;
extern const std::span<const ActionSpec> autopilotActions;
extern const std::span<const ActionSpec> changeActions;
extern const std::span<const ActionSpec> stateActions;

} // namespace lapidary
