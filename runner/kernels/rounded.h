// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/dispatch.h"

namespace lapidary {

// Rounds one step of a computation to T: half and bfloat16 are rounded after each step, as in
// TensorFlow.
template <class T>
decltype(wide(T())) rounded(decltype(wide(T())) x)
{
    return wide(T(x));
}

} // namespace lapidary
