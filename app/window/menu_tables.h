// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

namespace lapidary {

extern const std::span<const ActionSpec> fileActions;
extern const std::span<const ActionSpec> editActions;
extern const std::span<const ActionSpec> viewActions;
extern const std::span<const ActionSpec> graphActions;
extern const std::span<const ActionSpec> walkActions;
extern const std::span<const ActionSpec> helpActions;

} // namespace lapidary
