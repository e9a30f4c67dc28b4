#include "runner/kernels/parsing/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> parsingKernels()
{
    static constexpr std::array list{
        &kernels::decodeCsv,       &kernels::parseExample, &kernels::parseSingleExample,
        &kernels::parseTensor,     &kernels::readFile,     &kernels::save,
        &kernels::saveSlices,      &kernels::saveV2,       &kernels::serializeTensor,
        &kernels::shardedFilespec, &kernels::writeFile};
    return list;
}

} // namespace lapidary
