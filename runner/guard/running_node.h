// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// The node that a run of this process executes, where another thread or process can read it after
// the run was ended from outside. It may lie in memory that processes share. The run may end while
// a node is noted, and its threads note theirs at the same time: so each goes to a slot of its own,
// and counts when it is whole.
struct RunningNode {
    struct Slot {
        std::uint32_t length = 0;
        std::array<char, 508> text{};
    };
    std::array<Slot, 16> slots;
    std::atomic<std::uint32_t> begun = 0; // slots taken so far, one after the other and around
    std::atomic<std::uint32_t> whole = 0; // the slot that counts, from 1; 0: none
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free); // processes share it

// From now on runs note their nodes there; null: nowhere. The record must live as long as they do.
void noteNodesIn(RunningNode* record) noexcept;
bool isNotingNodes() noexcept;
void noteNode(std::string_view name, std::string_view op) noexcept;
void noteNoNode() noexcept;
// "NAME (OP)"; empty: none. A name that does not fit is cut.
std::string notedNode(const RunningNode& record);
std::string notedNode(); // of this process's record

} // namespace lapidary
