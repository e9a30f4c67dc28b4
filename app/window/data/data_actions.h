// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

namespace lapidary {

extern const std::span<const ActionSpec> dataActions;

} // namespace lapidary
