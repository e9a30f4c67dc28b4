// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/layers/layer.h"

#include <string>
#include <vector>

namespace lapidary {

// Returns the layers of `folded` that globs name: by the product, by the weights, or by what reads
// these weights in the original, whose product has another name if a normalization was folded into
// it. Error: a glob that names none; the message suggests similar names.
Result<std::vector<std::string>> keptLayers(const Graph& original, const Graph& folded,
                                            const std::vector<std::string>& globs);

// Returns the name of a layer of `folded` in the original: the node of its op that reads its
// weights there, else its present name.
std::string originalName(const Graph& original, const Graph& folded, const Layer& layer);

} // namespace lapidary
