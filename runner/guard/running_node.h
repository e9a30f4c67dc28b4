// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// The node that a run of this process executes, where another thread or process can read it after
// the run was ended from outside. Plain bytes: it may lie in memory that processes share.
struct RunningNode {
    std::uint32_t length = 0;
    std::array<char, 508> text{};
};

// From now on runs note their nodes there; null: nowhere. The record must live as long as they do.
void noteNodesIn(RunningNode* record) noexcept;
bool isNotingNodes() noexcept;
void noteNode(std::string_view name, std::string_view op) noexcept;
void noteNoNode() noexcept;
// "NAME (OP)"; empty: none. A name that does not fit is cut.
std::string notedNode(const RunningNode& record);
std::string notedNode(); // of this process's record

} // namespace lapidary
