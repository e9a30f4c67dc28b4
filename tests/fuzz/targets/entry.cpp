// SPDX-License-Identifier: Apache-2.0
// The entry point for libFuzzer and the like; LAPIDARY_FUZZ_TARGET names the target of this
// executable.
#include "tests/fuzz/targets/targets.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const lapidary::fuzz::Target* const target =
        lapidary::fuzz::findTarget(LAPIDARY_FUZZ_TARGET);
    target->run({reinterpret_cast<const char*>(data), size});
    return 0;
}
