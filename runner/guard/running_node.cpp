// SPDX-License-Identifier: Apache-2.0
#include "runner/guard/running_node.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace lapidary {
namespace {

std::atomic<RunningNode*> runningNode = nullptr;

std::uint32_t append(RunningNode& record, std::uint32_t at, std::string_view text)
{
    const std::size_t length = std::min(text.size(), record.text.size() - at);
    std::memcpy(record.text.data() + at, text.data(), length);
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
    constexpr std::size_t mostOfName = 400; // so that the op has room
    std::uint32_t end = append(*record, 0, name.substr(0, mostOfName));
    end = append(*record, end, " (");
    end = append(*record, end, op.substr(0, 100));
    record->length = append(*record, end, ")");
}

void noteNoNode() noexcept
{
    if (RunningNode* const record = runningNode.load(std::memory_order_relaxed))
        record->length = 0;
}

std::string notedNode(const RunningNode& record)
{
    return {record.text.data(), std::min<std::size_t>(record.length, record.text.size())};
}

std::string notedNode()
{
    const RunningNode* const record = runningNode;
    return record == nullptr ? std::string() : notedNode(*record);
}

} // namespace lapidary
