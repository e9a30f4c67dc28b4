// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

namespace lapidary {

// Makes cells of 8 rows and columns the same number, as pictures have areas. Values that are no
// floats of rank 4 stay.
void smoothPicture(Value& picture);

} // namespace lapidary
