// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

namespace lapidary {

extern const std::span<const ActionSpec> runActions;
extern const std::span<const ActionSpec> pictureActions;
extern const std::span<const ActionSpec> sensitivityActions;

} // namespace lapidary
