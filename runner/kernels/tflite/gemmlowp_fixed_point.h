// SPDX-License-Identifier: Apache-2.0
// gemmlowp's numbers of 32 bits with a point between two of them, of which TFLite's kernels make
// exponentials and quotients.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <gemmlowp/fixedpoint/fixedpoint.h>
#pragma GCC diagnostic pop
