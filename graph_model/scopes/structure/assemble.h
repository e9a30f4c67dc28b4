// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/structure/cut.h"

namespace lapidary::structure {

// A stretch of the sequence, or a box joined from several stretches.
struct Unit {
    Stretch stretch{};                // the whole of it
    std::vector<std::uint32_t> parts; // indices into the pool; empty for a plain stretch
    Way way = Way::Leaf;              // Sequence, Run or Light if it has parts
    std::uint64_t label = 0;
    std::uint64_t detail = 0;
    std::uint64_t family = 0;
    bool isHeavy = false; // contains an op with weights
    bool isPair = false;  // a sequence found by repetition
};

struct Assembly {
    std::vector<Unit> pool;
    std::vector<std::uint32_t> top;
};

// Joins neighboring parts: light ops with the heavy op that they belong to, equal neighbors to
// runs, repeated pairs to sequences.
Assembly assemble(const Sequence& sequence, const Cut& cut);

// The steps of assemble().
void describeUnit(const Sequence& sequence, Unit& unit);
void joinLightUnits(const Sequence& sequence, bool isChain, Assembly& assembly);
void pairUnits(const Sequence& sequence, Assembly& assembly);
std::uint32_t addUnit(Assembly& assembly, Way way, std::vector<std::uint32_t> parts);
// Returns whether the second stretch, which follows the first, reads the first.
bool isWired(const Sequence& sequence, Stretch first, Stretch second);

} // namespace lapidary::structure
