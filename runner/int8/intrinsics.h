// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to the runner: <immintrin.h>, without the warnings that are its own.
#if defined(__x86_64__)

// GCC 12 takes the operands that its own header leaves undefined on purpose for mistakes.
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop

#endif
