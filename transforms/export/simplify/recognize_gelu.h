// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/base/portable_edit.h"

namespace lapidary {

// x * 0.5 * (1 + erf(x / sqrt(2))), in whatever order it is multiplied, becomes one operation.
void recognizeGelu(PortableEdit& edit);

} // namespace lapidary
