// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/portable_edit.h"

namespace lapidary {

// What is the same whatever numbers are drawn becomes a constant: the mask of a dropout that keeps
// everything.
void settleRandom(PortableEdit& edit);

} // namespace lapidary
