// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to this folder: shared parts of its loops over eight numbers with AVX2.
#include "runner/int8/intrinsics.h"

#include <cstddef>

#if defined(__x86_64__)

#define LAPIDARY_AVX2 [[gnu::target("avx2,fma")]]

namespace lapidary::int8 {

inline constexpr std::size_t block = 32; // elements

// Puts four times eight numbers in order after they were packed into bytes.
LAPIDARY_AVX2 inline __m256i inOrder(__m256i bytes)
{
    return _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

enum class Halves : bool { Even, Away };

template <Halves halves>
LAPIDARY_AVX2 inline __m256 rounded(__m256 x)
{
    if constexpr (halves == Halves::Even)
        return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    // Adds the number just below one half, with the sign of x, and truncates.
    const __m256 sign = _mm256_and_ps(x, _mm256_set1_ps(-0.0F));
    const __m256 half = _mm256_or_ps(_mm256_set1_ps(0.49999997F), sign);
    return _mm256_round_ps(_mm256_add_ps(x, half), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

} // namespace lapidary::int8

#endif
