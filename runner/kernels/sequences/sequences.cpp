#include "runner/kernels/rooms.h"
#include "runner/kernels/sequences/kernels.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> sequencesKernels()
{
    static constexpr std::array list{
        &kernels::blockLstm,        &kernels::blockLstmV2,  &kernels::ctcBeamSearchDecoder,
        &kernels::ctcGreedyDecoder, &kernels::gruBlockCell, &kernels::lstmBlockCell};
    return list;
}

} // namespace lapidary
