// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/base/portable_edit.h"

namespace lapidary {

// Replaces values that do not depend on the random numbers they are computed from by constants: the
// mask of a dropout that keeps everything.
void settleRandom(PortableEdit& edit);

} // namespace lapidary
