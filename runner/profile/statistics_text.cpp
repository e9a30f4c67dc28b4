// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/clamped_cast.h"
#include "graph_model/base/digits.h"
#include "runner/profile/statistics.h"

#include <algorithm>
#include <cstdio>

namespace lapidary {
namespace {

std::string fixed(double value)
{
    char text[400];
    const int length = std::snprintf(text, sizeof text, "%.3f", value);
    return {text, std::size_t(std::clamp(length, 0, int(sizeof text) - 1))};
}

// Writes a tab and the text, right-aligned; longer text is not cut.
std::string cell(std::string text, std::size_t width)
{
    if (text.size() < width)
        text.insert(0, width - text.size(), ' ');
    return '\t' + text;
}

std::string percent(double value, std::size_t width)
{
    return cell(fixed(value), width) + '%';
}

std::string title(std::string_view text)
{
    const std::string bar(30, '=');
    return bar + ' ' + std::string(text) + ' ' + bar + '\n';
}

std::string nodeHeader()
{
    return cell("[node type]", 24) + cell("[start]", 17) + cell("[first]", 9) +
           cell("[avg ms]", 9) + cell("[%]", 8) + cell("[cdf%]", 8) + cell("[mem KB]", 10) +
           cell("[times called]", 9) + "\t[Name]\n";
}

std::string nodeRow(const NodeStatistics& node, std::int64_t timeSoFar, const Series& totals)
{
    const double share = double(node.micros.sum()) * 100.0 / double(totals.sum());
    const double soFar = double(float(timeSoFar) * 100.0F / float(totals.sum()));
    return cell(node.type, 24) + cell(fixed(node.start.mean() / 1000.0), 17) +
           cell(fixed(double(node.micros.first()) / 1000.0), 9) +
           cell(fixed(node.micros.mean() / 1000.0), 9) + percent(share, 7) + percent(soFar, 7) +
           cell(fixed(double(node.memory.newest()) / 1000.0), 10) +
           cell(std::to_string(node.micros.count() / totals.count()), 9) + '\t' + node.name + '\n';
}

std::string nodeTable(std::string_view name, const std::vector<const NodeStatistics*>& nodes,
                      int limit, const Series& totals)
{
    std::string text = title(name) + nodeHeader();
    std::int64_t timeSoFar = 0;
    std::size_t rows = 0;
    for (const NodeStatistics* node : nodes) {
        if (limit > 0 && rows++ == std::size_t(limit))
            break;
        timeSoFar += node->micros.sum();
        text += nodeRow(*node, timeSoFar, totals);
    }
    return text + '\n';
}

template <class Key>
std::vector<const NodeStatistics*> sortedDown(std::vector<const NodeStatistics*> nodes, Key key)
{
    std::ranges::stable_sort(
        nodes, [&](const NodeStatistics* a, const NodeStatistics* b) { return key(*a) > key(*b); });
    return nodes;
}

// The original computes this table in single precision.
std::string typeTable(const std::vector<ProfileStatistics::TypeStatistics>& types,
                      std::size_t nodes)
{
    std::string text = "Number of nodes executed: " + std::to_string(nodes) + '\n' +
                       title("Summary by node type") + cell("[Node type]", 24) +
                       cell("[count]", 9) + cell("[avg ms]", 10) + cell("[avg %]", 11) +
                       cell("[cdf %]", 11) + cell("[mem KB]", 10) + cell("[times called]", 10) +
                       '\n';
    std::int64_t all = 0;
    for (const auto& type : types)
        all += type.micros;
    float soFar = 0;
    for (const auto& type : types) {
        const float share = float(type.micros) / float(all) * 100.0F;
        soFar += share;
        text += cell(type.type, 24) + cell(std::to_string(type.nodes), 9) +
                cell(fixed(double(float(type.micros) / 1000.0F)), 10) + percent(double(share), 10) +
                percent(double(soFar), 10) + cell(fixed(double(float(type.memory) / 1000.0F)), 10) +
                cell(std::to_string(type.calls), 9) + '\n';
    }
    return text + '\n';
}

} // namespace

std::string Series::text() const
{
    std::string text = "count=" + std::to_string(m_count);
    if (m_count == 0)
        return text;
    if (m_min == m_max)
        return text + " curr=" + std::to_string(m_newest) + (m_count > 1 ? "(all same)" : "");
    return text + " first=" + std::to_string(m_first) + " curr=" + std::to_string(m_newest) +
           " min=" + std::to_string(m_min) + " max=" + std::to_string(m_max) +
           " avg=" + sixDigits(mean()) +
           " std=" + std::to_string(clampedTo<std::int64_t>(deviation()));
}

std::string ProfileStatistics::summary() const
{
    return "Timings (microseconds): " + m_totals.text() + "\nMemory (bytes): " + m_memory.text() +
           '\n' + std::to_string(m_nodes.size()) + " nodes observed\n";
}

std::string ProfileStatistics::tables(const TableOptions& options) const
{
    const std::vector<const NodeStatistics*> nodes = inRunOrder();
    std::string text;
    if (options.runOrder)
        text += nodeTable("Run Order", nodes, options.runOrderLimit, m_totals);
    if (options.time)
        text += nodeTable(
            "Top by Computation Time",
            sortedDown(nodes, [](const NodeStatistics& node) { return node.micros.mean(); }),
            options.timeLimit, m_totals);
    if (options.memory)
        text += nodeTable(
            "Top by Memory Use",
            sortedDown(nodes, [](const NodeStatistics& node) { return node.memory.mean(); }),
            options.memoryLimit, m_totals);
    if (options.type)
        text += typeTable(types(), m_nodes.size());
    if (options.summary)
        text += summary() + '\n';
    return text;
}

std::string ProfileStatistics::outputSizes() const
{
    std::vector<const NodeStatistics*> nodes = inRunOrder();
    std::ranges::stable_sort(nodes, [](const NodeStatistics* a, const NodeStatistics* b) {
        return a->start.mean() < b->start.mean();
    });
    std::string text = "============ Node output tensor sizes in run order ========\n";
    for (const NodeStatistics* node : nodes) {
        text += node->name + '\t' + std::to_string(node->outputs.size());
        for (const RecordedOutput& output : node->outputs) {
            text += '\t' + dtypeName(output.dtype) + '\t' + std::to_string(output.dims.size());
            for (const std::int64_t dim : output.dims)
                text += '\t' + std::to_string(dim);
        }
        text += '\n';
    }
    return text;
}

} // namespace lapidary
