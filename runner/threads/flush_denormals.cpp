// SPDX-License-Identifier: Apache-2.0
#include "runner/threads/flush_denormals.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace lapidary {

#if defined(__SSE2__)
namespace {
constexpr unsigned int flushToZero = 0x8000;
constexpr unsigned int denormalsAreZero = 0x0040;
} // namespace

FlushDenormals::FlushDenormals()
    : m_before(_mm_getcsr())
{
    _mm_setcsr(static_cast<unsigned int>(m_before) | flushToZero | denormalsAreZero);
}

FlushDenormals::~FlushDenormals()
{
    _mm_setcsr(static_cast<unsigned int>(m_before));
}

KeepDenormals::KeepDenormals()
    : m_before(_mm_getcsr())
{
    _mm_setcsr(static_cast<unsigned int>(m_before) & ~(flushToZero | denormalsAreZero));
}

KeepDenormals::~KeepDenormals()
{
    _mm_setcsr(static_cast<unsigned int>(m_before));
}
#elif defined(__aarch64__)
namespace {
constexpr unsigned long long flushBoth = 1ULL << 24; // FPCR.FZ
} // namespace

FlushDenormals::FlushDenormals()
{
    asm volatile("mrs %0, fpcr" : "=r"(m_before));
    asm volatile("msr fpcr, %0" : : "r"(m_before | flushBoth));
}

FlushDenormals::~FlushDenormals()
{
    asm volatile("msr fpcr, %0" : : "r"(m_before));
}

KeepDenormals::KeepDenormals()
{
    asm volatile("mrs %0, fpcr" : "=r"(m_before));
    asm volatile("msr fpcr, %0" : : "r"(m_before & ~flushBoth));
}

KeepDenormals::~KeepDenormals()
{
    asm volatile("msr fpcr, %0" : : "r"(m_before));
}
#else
FlushDenormals::FlushDenormals() = default;
FlushDenormals::~FlushDenormals() = default;
KeepDenormals::KeepDenormals() = default;
KeepDenormals::~KeepDenormals() = default;
#endif

} // namespace lapidary
