#include "runner/onednn/instructions.h"

#include <dnnl.hpp>

namespace lapidary::onednn {

Instructions instructions()
{
    Instructions found;
#if defined(__x86_64__)
    // A limit of the library's own counts; the rest is asked of the processor, which some kernels
    // of ours need more of.
    const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
    const bool allowsAvx2 = isa != dnnl::cpu_isa::sse41 && isa != dnnl::cpu_isa::avx;
    const bool isOld = isa == dnnl::cpu_isa::sse41 || isa == dnnl::cpu_isa::avx ||
                       isa == dnnl::cpu_isa::avx2 || isa == dnnl::cpu_isa::avx512_mic ||
                       isa == dnnl::cpu_isa::avx512_mic_4ops || isa == dnnl::cpu_isa::avx512_core;
    found.vnni = !isOld;
    found.avx2 = allowsAvx2 && __builtin_cpu_supports("avx2");
    found.avx512 = allowsAvx2 && isa != dnnl::cpu_isa::avx2 && isa != dnnl::cpu_isa::avx2_vnni &&
                   __builtin_cpu_supports("avx512f");
    found.vnni512 = found.vnni && isa != dnnl::cpu_isa::avx2_vnni &&
                    __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vnni");
#endif
    return found;
}

} // namespace lapidary::onednn
