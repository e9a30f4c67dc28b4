#include "runner/kernels/rooms.h"
#include "runner/kernels/strings/kernels.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> stringsKernels()
{
    static constexpr std::array list{&kernels::asString,
                                     &kernels::decodeBase64,
                                     &kernels::encodeBase64,
                                     &kernels::reduceJoin,
                                     &kernels::regexFullMatch,
                                     &kernels::regexReplace,
                                     &kernels::staticRegexFullMatch,
                                     &kernels::staticRegexReplace,
                                     &kernels::stringFormat,
                                     &kernels::stringJoin,
                                     &kernels::stringLength,
                                     &kernels::stringLower,
                                     &kernels::stringSplit,
                                     &kernels::stringSplitV2,
                                     &kernels::stringToHashBucket,
                                     &kernels::stringToHashBucketFast,
                                     &kernels::stringToHashBucketStrong,
                                     &kernels::stringToNumber,
                                     &kernels::stringUpper,
                                     &kernels::substr};
    return list;
}

} // namespace lapidary
