#include "runner/kernels/rooms.h"
#include "runner/kernels/speech/kernels.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> speechKernels()
{
    static constexpr std::array list{&kernels::audioSpectrogram, &kernels::decodeWav,
                                     &kernels::encodeWav, &kernels::mfcc};
    return list;
}

} // namespace lapidary
