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

// Calls loop(). It is compiled a second time, with all that can be inlined into it, for vectors of
// eight floats; that version runs if the processor has them. The results are the same: nothing is
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
