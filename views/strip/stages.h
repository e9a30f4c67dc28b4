// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/shapes/known_tensor.h"
#include "views/layout/scene.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

// One stage of a network, or one of its inputs or outputs.
struct Stage {
    enum class Kind : std::uint8_t { Input, Work, Output };
    Kind kind = Kind::Work;
    ItemId item;               // where to go to see it
    std::vector<ItemId> items; // all that it consists of, `item` first
    std::string name;          // "block1", "layer_0…11"; of an end, the first tensor's
    std::string path;          // the name in full, as far as it is one of the file
    std::uint32_t repeats = 1; // number of equal neighbors that it represents; for an input or
                               // output, of its tensors
    OpFamily family = OpFamily::Unknown; // that does its work
    std::uint32_t ops = 0;
    std::int64_t weights = 0;
    std::int64_t flops = 0; // for one example where the size of the batch is open
    double share = 0;       // of the network, by Stages::measure
    std::string shape;      // of the tensor that leaves it: "1×56×56×256"; empty: not known
};

// A whole network as a row: input, stages in the order of the data, output.
struct Stages {
    enum class Measure : std::uint8_t { Flops, Weights, Ops };
    Measure measure = Measure::Ops; // that shares are of: the first that is known
    std::vector<Stage> row;
    std::vector<std::int32_t> ofNode; // for each node the number in `row`; -1: in none

    std::size_t workCount() const; // without inputs and outputs
    // The stage that an item is in or is; -1: it is in none, or holds several.
    std::int32_t find(const Preparation& preparation, ItemId item) const;
};
using StagesPtr = std::shared_ptr<const Stages>;

// A row of less says nothing that the picture does not.
inline constexpr std::size_t leastStages = 3;

struct StageSource {
    const Preparation& preparation;
    std::span<const NodeId> inputs;
    std::span<const NodeId> outputs;
    const InferredShapes* shapes; // may be null
    const DescribeEdge& describe;
};

// Finds the stages by the work of the graph: the children of the root that are on the way from the
// inputs to the outputs. One that holds most of the network is replaced by its own children while
// the row stays short; single ops that do little join the stage before them; equal neighbors are
// one. Parts for training are not stages. Returns an empty row if there are fewer than
// `leastStages`; the members of a group of equal ones, such as the steps of an unrolled network,
// count separately. O(nodes + edges).
Result<StagesPtr> findStages(const StageSource& source, const Job& job);

} // namespace lapidary
