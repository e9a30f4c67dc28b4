// SPDX-License-Identifier: Apache-2.0
// gemmlowp's fixed-point numbers of 32 bits, with which TFLite's kernels compute exponentials and
// quotients.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <gemmlowp/fixedpoint/fixedpoint.h>
#pragma GCC diagnostic pop
