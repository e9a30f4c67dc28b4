// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/recurrent/recurrent_cell.h"

#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// A loop that runs recurrent cells over all steps of a sequence. Its tensors are those of the body;
// slots are inputs of the operation.
struct RecurrentLoop {
    struct Layer {
        RecurrentCell cell;
        std::optional<std::size_t> sequence; // the slot with its input, step after step
        std::optional<std::size_t> below;    // else the layer whose h it reads
        std::size_t h = 0;                   // slots of the states
        std::optional<std::size_t> c;
    };
    struct Array { // the outputs of all steps of a layer
        std::size_t slot = 0;
        std::size_t layer = 0;
    };
    struct Latest { // the output of a layer in the latest step, maybe in another shape
        std::size_t slot = 0;
        std::size_t layer = 0;
    };
    std::int64_t steps = 0;
    std::vector<Layer> layers; // each after the one that it reads
    std::vector<Array> arrays;
    std::vector<Latest> latest;
    std::vector<std::pair<std::size_t, std::int64_t>> counters; // slots, with their final values
    TensorIndex lengths = noTensor;                             // of the rows, as the body reads it
};

// Reads a While of a model that is not simplified yet. Returns nothing if it contains no cell; an
// error, with the reason, if it does and the loop does something else as well.
Result<std::optional<RecurrentLoop>> readRecurrentLoop(const PortableModel& model,
                                                       const PortableOperation& loop);

} // namespace lapidary
