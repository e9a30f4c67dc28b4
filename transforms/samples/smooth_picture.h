// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

namespace lapidary {

// Gives all pixels of each cell of 8 rows and columns the same value, as pictures have areas.
// Values other than floats of rank 4 are not changed.
void smoothPicture(Value& picture);

} // namespace lapidary
