// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/base/portable_edit.h"

namespace lapidary {

// x * 0.5 * (1 + erf(x / sqrt(2))), multiplied in any order, becomes one operation.
void recognizeGelu(PortableEdit& edit);

} // namespace lapidary
