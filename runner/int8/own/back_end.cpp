// SPDX-License-Identifier: Apache-2.0
#include "runner/int8/own/own.h"
#include "runner/int8/tested.h"
#include "runner/onednn/instructions.h"

namespace lapidary::int8 {
namespace {

// DNNL_MAX_CPU_ISA, by which a user restricts oneDNN to older instructions, applies here, too.
const Tiles* tilesHere()
{
    const onednn::Instructions here = onednn::instructions();
    if (here.vnni512 && vnniTiles() != nullptr)
        return vnniTiles();
    return here.avx2 ? avx2Tiles() : nullptr;
}

} // namespace

const BackEnd ownBackEnd{
    .name = "own",
    .summary = "our kernels for AVX-512 VNNI and AVX2",
    .isAvailable = [] { return tilesHere() != nullptr; },
    .prepare = [](const Convolution& shape) { return prepareOwn(shape, *tilesHere()); },
    .verdict = &verdictOf<ownBackEnd>,
};

} // namespace lapidary::int8
