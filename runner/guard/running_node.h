// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// The node that a run of this process executes, readable by another thread or process after the run
// was stopped from outside. It may be in memory that processes share. A run may stop while it notes
// a node, and several threads may note nodes at the same time: so each note has its own slot, which
// counts once it is complete.
struct RunningNode {
    struct Slot {
        std::uint32_t length = 0;
        std::array<char, 508> text{};
    };
    std::array<Slot, 16> slots;
    std::atomic<std::uint32_t> begun = 0; // slots taken so far; they are used in turn
    std::atomic<std::uint32_t> whole = 0; // number of the slot that counts, from 1; 0: none
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free); // processes share it

// From now on, runs note their nodes in `record`, which must outlive them; null: nowhere.
void noteNodesIn(RunningNode* record) noexcept;
bool isNotingNodes() noexcept;
void noteNode(std::string_view name, std::string_view op) noexcept;
void noteNoNode() noexcept;
// Returns "NAME (OP)", or an empty text if there is none. A name that does not fit is cut.
std::string notedNode(const RunningNode& record);
std::string notedNode(); // in the record of this process

} // namespace lapidary
