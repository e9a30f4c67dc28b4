// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/statistics.h"

#include "graph_model/base/clamped_cast.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lapidary {
namespace {

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

// Records of streams are counted once, in "/stream:all"; those of the tracer are never counted.
bool isCounted(std::string_view device)
{
    if (contains(device, "/stream") && !contains(device, "/stream:all"))
        return false;
    return !contains(device, "/host:CPU");
}

std::vector<std::string> splitAtColons(const std::string& text)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find(':', begin)) {
        parts.push_back(text.substr(begin, at - begin));
        begin = at + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

struct RowName {
    std::string name;
    std::string type;
};

// Kernels and copies of a GPU have rows of their own.
RowName rowNameOf(const std::string& device, const NodeRecord& record)
{
    const bool isStream = contains(device, "/stream:all");
    const bool isCopy = contains(device, "/memcpy");
    if (!isStream && !isCopy)
        return {record.node, opOfLabel(record.label)};
    const std::vector<std::string> parts = splitAtColons(record.node);
    if (isStream && parts.size() == 2)
        return {parts[0] + " [Kernel]", "gpu:" + parts[1]};
    if (isCopy && (parts.size() == 2 || parts.size() == 3))
        return {parts[0] + " [MemCpy]", "gpu:" + parts.back()};
    return {record.node, opOfLabel(record.label)};
}

std::optional<std::int64_t> originOf(const StepRecords& step)
{
    for (const DeviceRecords& device : step.devices)
        if (!device.nodes.empty())
            return device.nodes.front().startMicros;
    return {};
}

std::int64_t wrappingSum(std::int64_t a, std::int64_t b)
{
    return std::int64_t(std::uint64_t(a) + std::uint64_t(b));
}

} // namespace

void Series::add(std::int64_t value)
{
    m_first = m_count == 0 ? value : m_first;
    m_min = m_count == 0 ? value : std::min(m_min, value);
    m_max = m_count == 0 ? value : std::max(m_max, value);
    m_newest = value;
    ++m_count;
    m_sum = wrappingSum(m_sum, value);
    m_squares += double(value) * double(value);
    m_values.push_back(value);
}

double Series::mean() const
{
    return m_count == 0 ? std::nan("") : double(m_sum) / double(m_count);
}

double Series::deviation() const
{
    if (m_count == 0 || m_min == m_max)
        return 0;
    const double average = mean();
    return std::sqrt(std::max(0.0, m_squares / double(m_count) - average * average));
}

double Series::median() const
{
    if (m_values.empty())
        return 0;
    std::vector<std::int64_t> sorted = m_values;
    std::ranges::sort(sorted);
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? double(sorted[middle])
                                  : (double(sorted[middle - 1]) + double(sorted[middle])) / 2;
}

void ProfileStatistics::add(const StepRecords& step)
{
    const auto origin = originOf(step);
    if (!origin)
        return;
    std::int64_t total = 0;
    std::int64_t memory = 0;
    std::int64_t order = 0;
    for (const DeviceRecords& device : step.devices) {
        if (!isCounted(device.device))
            continue;
        for (const NodeRecord& record : device.nodes) {
            const RowName row = rowNameOf(device.device, record);
            ++order;
            NodeStatistics& node = m_nodes[row.name];
            if (node.micros.count() == 0) {
                node.name = row.name;
                node.type = row.type;
                node.order = order;
                node.outputs = record.outputs;
            }
            node.start.add(record.startMicros - *origin);
            node.micros.add(record.micros);
            node.memory.add(record.memoryBytes);
            total = wrappingSum(total, record.micros);
            memory = wrappingSum(memory, record.memoryBytes);
        }
    }
    m_totals.add(total);
    m_memory.add(memory);
}

std::vector<const NodeStatistics*> ProfileStatistics::inRunOrder() const
{
    std::vector<const NodeStatistics*> nodes;
    for (const auto& [name, node] : m_nodes)
        nodes.push_back(&node);
    std::ranges::stable_sort(nodes, {}, &NodeStatistics::order);
    return nodes;
}

std::vector<ProfileStatistics::TypeStatistics> ProfileStatistics::types() const
{
    std::map<std::string, TypeStatistics> byType;
    const std::int64_t runs = std::max<std::int64_t>(m_totals.count(), 1);
    for (const auto& [name, node] : m_nodes) {
        TypeStatistics& type = byType[node.type];
        type.type = node.type;
        ++type.nodes;
        type.micros = wrappingSum(
            type.micros, clampedTo<std::int64_t>(double(node.micros.sum()) / double(runs)));
        type.memory = wrappingSum(type.memory, node.memory.newest());
        type.calls += node.micros.count() / runs;
    }
    std::vector<TypeStatistics> sorted;
    for (auto& [name, type] : byType)
        sorted.push_back(std::move(type));
    std::ranges::sort(sorted, [](const TypeStatistics& a, const TypeStatistics& b) {
        return a.micros != b.micros ? a.micros > b.micros : a.type > b.type;
    });
    return sorted;
}

} // namespace lapidary
