// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

namespace lapidary {

// Makes cells of 8 rows and columns the same number, as pictures have areas. Values other than
// floats of rank 4 are not changed.
void smoothPicture(Value& picture);

} // namespace lapidary
