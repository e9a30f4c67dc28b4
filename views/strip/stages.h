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
    ItemId item;               // the item to go to
    std::vector<ItemId> items; // all that it consists of, `item` first
    std::string name;          // "block1", "layer_0…11"; for an input or output, the name of its
                               // first tensor
    std::string path;          // the full name, if the file has it
    std::uint32_t repeats = 1; // number of equal neighbors that it represents; for an input or
                               // output, of its tensors
    OpFamily family = OpFamily::Unknown; // of the ops that do its work
    std::uint32_t ops = 0;
    std::int64_t weights = 0;
    std::int64_t flops = 0; // for one example if the size of the batch is open
    double share = 0;       // of the network, by Stages::measure
    std::string shape;      // of the tensor that leaves it: "1×56×56×256"; empty: not known
};

// A whole network as a row: input, stages in the order of the data, output.
struct Stages {
    enum class Measure : std::uint8_t { Flops, Weights, Ops };
    Measure measure = Measure::Ops; // of the shares: the first that is known
    std::vector<Stage> row;
    std::vector<std::int32_t> ofNode; // by NodeId: index in `row`; -1: in no stage

    std::size_t workCount() const; // number of stages, without inputs and outputs
    // Returns the index of the stage that an item is or is in; -1 if it is in none, or holds
    // several.
    std::int32_t find(const Preparation& preparation, ItemId item) const;
};
using StagesPtr = std::shared_ptr<const Stages>;

// A shorter row would show nothing that the picture does not.
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
// the row stays short; single ops that do little join the stage before them; equal neighbors become
// one stage. Parts for training are not stages. Returns an empty row if there are fewer than
// `leastStages`; the members of a group of equal ones, such as the steps of an unrolled network,
// count separately. O(nodes + edges).
Result<StagesPtr> findStages(const StageSource& source, const Job& job);

} // namespace lapidary
