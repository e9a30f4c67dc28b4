// SPDX-License-Identifier: Apache-2.0
#include "runner/guard/running_node.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace lapidary {
namespace {

std::atomic<RunningNode*> runningNode = nullptr;

std::uint32_t append(RunningNode::Slot& slot, std::uint32_t at, std::string_view text)
{
    const std::size_t length = std::min(text.size(), slot.text.size() - at);
    std::memcpy(slot.text.data() + at, text.data(), length);
    return at + std::uint32_t(length);
}

} // namespace

void noteNodesIn(RunningNode* record) noexcept
{
    runningNode = record;
}

bool isNotingNodes() noexcept
{
    return runningNode != nullptr;
}

void noteNode(std::string_view name, std::string_view op) noexcept
{
    RunningNode* const record = runningNode.load(std::memory_order_relaxed);
    if (record == nullptr)
        return;
    constexpr std::size_t mostOfName = 400; // leaves space for the op
    const std::uint32_t taken =
        record->begun.fetch_add(1, std::memory_order_relaxed) % std::uint32_t(record->slots.size());
    RunningNode::Slot& slot = record->slots[taken];
    std::uint32_t end = append(slot, 0, name.substr(0, mostOfName));
    end = append(slot, end, " (");
    end = append(slot, end, op.substr(0, 100));
    slot.length = append(slot, end, ")");
    record->whole.store(taken + 1, std::memory_order_release);
}

void noteNoNode() noexcept
{
    if (RunningNode* const record = runningNode.load(std::memory_order_relaxed))
        record->whole = 0;
}

std::string notedNode(const RunningNode& record)
{
    const std::uint32_t whole = record.whole.load(std::memory_order_acquire);
    if (whole == 0 || whole > record.slots.size())
        return {};
    const RunningNode::Slot& slot = record.slots[whole - 1];
    return {slot.text.data(), std::min<std::size_t>(slot.length, slot.text.size())};
}

std::string notedNode()
{
    const RunningNode* const record = runningNode;
    return record == nullptr ? std::string() : notedNode(*record);
}

} // namespace lapidary
