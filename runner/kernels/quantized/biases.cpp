// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/quantized/biases.h"

#include "runner/onednn/instructions.h"

namespace lapidary {
namespace {

template <class T>
[[gnu::always_inline]] inline CodeTable tableOf(CodeRange from, CodeRange to)
{
    const Real<T> real(from);
    const Code<std::int32_t> code(to);
    CodeTable table{};
    for (int bits = 0; bits < int(table.size()); ++bits)
        table[std::size_t(bits)] = code(real(T(bits)));
    return table;
}

#if defined(__x86_64__)

// Does the same with AVX2, in which rounding is an instruction, not a call: a fused node makes two
// tables in each run.
template <class T>
[[gnu::target("avx2")]] CodeTable tableWithAvx2(CodeRange from, CodeRange to)
{
    return tableOf<T>(from, to);
}

template <class T>
CodeTable fastestTableOf(CodeRange from, CodeRange to)
{
    static const bool hasAvx2 = onednn::instructions().avx2;
    return hasAvx2 ? tableWithAvx2<T>(from, to) : tableOf<T>(from, to);
}

#else

template <class T>
CodeTable fastestTableOf(CodeRange from, CodeRange to)
{
    return tableOf<T>(from, to);
}

#endif

} // namespace

template <class T>
CodeTable movedTable(CodeRange from, CodeRange to)
{
    return fastestTableOf<T>(from, to);
}
template CodeTable movedTable<std::uint8_t>(CodeRange from, CodeRange to);
template CodeTable movedTable<std::int8_t>(CodeRange from, CodeRange to);

} // namespace lapidary
