#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// strings.cpp lists them.
extern const Kernel asString;
extern const Kernel decodeBase64;
extern const Kernel encodeBase64;
extern const Kernel reduceJoin;
extern const Kernel regexFullMatch;
extern const Kernel regexReplace;
extern const Kernel staticRegexFullMatch;
extern const Kernel staticRegexReplace;
extern const Kernel stringFormat;
extern const Kernel stringJoin;
extern const Kernel stringLength;
extern const Kernel stringLower;
extern const Kernel stringSplit;
extern const Kernel stringSplitV2;
extern const Kernel stringToHashBucket;
extern const Kernel stringToHashBucketFast;
extern const Kernel stringToHashBucketStrong;
extern const Kernel stringToNumber;
extern const Kernel stringUpper;
extern const Kernel substr;

} // namespace lapidary::kernels
