#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// parsing.cpp lists them.
extern const Kernel decodeCsv;
extern const Kernel parseExample;
extern const Kernel parseSingleExample;
extern const Kernel parseTensor;
extern const Kernel readFile;
extern const Kernel save;
extern const Kernel saveSlices;
extern const Kernel saveV2;
extern const Kernel serializeTensor;
extern const Kernel shardedFilespec;
extern const Kernel writeFile;

} // namespace lapidary::kernels
