// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary::onednn {

// The instructions that this processor has and DNNL_MAX_CPU_ISA allows.
struct Instructions {
    bool avx2 = false;
    bool avx512 = false;  // its foundation alone
    bool vnni512 = false; // AVX-512 with VNNI, BW, VL and DQ
    bool vnni = false;    // oneDNN's 8-bit sums are exact: VNNI of any width
};
Instructions instructions();

} // namespace lapidary::onednn
