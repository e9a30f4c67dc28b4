// SPDX-License-Identifier: Apache-2.0
#include "runner/onednn/instructions.h"

#include <dnnl.hpp>

namespace lapidary::onednn {
#if defined(__x86_64__)
namespace {

// Returns whether the instruction set has 256 bits and products of 8-bit numbers.
bool isAvx2Vnni(dnnl::cpu_isa isa)
{
#if DNNL_VERSION_MAJOR >= 3
    if (isa == dnnl::cpu_isa::avx2_vnni_2)
        return true;
#endif
    return isa == dnnl::cpu_isa::avx2_vnni;
}

// Returns whether the instruction set has 512 bits but no such products.
bool isOld512(dnnl::cpu_isa isa)
{
#if DNNL_VERSION_MAJOR < 3
    if (isa == dnnl::cpu_isa::avx512_mic || isa == dnnl::cpu_isa::avx512_mic_4ops)
        return true;
#endif
    return isa == dnnl::cpu_isa::avx512_core;
}

} // namespace
#endif

Instructions instructions()
{
    Instructions found;
#if defined(__x86_64__)
    // A limit set for the library (ONEDNN_MAX_CPU_ISA) holds for our kernels as well; the processor
    // is asked for the parts of AVX-512 that they need beyond that.
    const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
    const bool allowsAvx2 = isa != dnnl::cpu_isa::sse41 && isa != dnnl::cpu_isa::avx;
    const bool allows512 = allowsAvx2 && isa != dnnl::cpu_isa::avx2 && !isAvx2Vnni(isa);
    found.vnni = isAvx2Vnni(isa) || (allows512 && !isOld512(isa));
    found.avx2 = allowsAvx2 && __builtin_cpu_supports("avx2");
    found.avx512 = allows512 && __builtin_cpu_supports("avx512f");
    found.vnni512 = found.vnni && allows512 && __builtin_cpu_supports("avx512f") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vnni");
#endif
    return found;
}

} // namespace lapidary::onednn
