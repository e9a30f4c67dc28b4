// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verbs.h"

namespace lapidary::verbs {

extern const Verb exportModel;

} // namespace lapidary::verbs
