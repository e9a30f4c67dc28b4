// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/back_end.h"
#include "runner/int8/own/tile.h"

namespace lapidary::int8 {

// Prepares our own kernel for the instructions of this source.
std::unique_ptr<Prepared> prepareOwn(const Convolution& shape, const Tiles& tiles);

} // namespace lapidary::int8
