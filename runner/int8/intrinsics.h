// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to the runner: <immintrin.h>, without the warnings that it causes itself.
#if defined(__x86_64__)

// GCC 12 warns of operands that its own header leaves undefined on purpose.
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop

#endif
