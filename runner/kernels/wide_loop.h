// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

#ifdef __x86_64__
namespace detail {
inline bool hasVectorsOfEight()
{
    static const bool known = __builtin_cpu_supports("avx2") != 0;
    return known;
}

template <class Loop>
[[gnu::target("avx2"), gnu::flatten]] void runWide(const Loop& loop)
{
    loop();
}
} // namespace detail

// Calls loop(). It and what can be inlined into it are compiled a second time, for vectors of eight
// floats, and that is what runs where the processor has them. The results are the same: nothing is
// contracted or reordered.
template <class Loop>
void wideLoop(const Loop& loop)
{
    if (detail::hasVectorsOfEight())
        detail::runWide(loop);
    else
        loop();
}
#else
template <class Loop>
void wideLoop(const Loop& loop)
{
    loop();
}
#endif

} // namespace lapidary
