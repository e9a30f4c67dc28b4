// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/event_file.h"

#include "graph_model/base/crc32c.h"
#include "graph_model/base/wire.h"
#include "graph_model/write/write_model.h"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace lapidary {
namespace {

constexpr std::string_view formatVersion = "brain.Event:2";
constexpr std::uint32_t versionField = 3;
constexpr std::uint32_t graphField = 4;

template <class Number>
void appendLittleEndian(std::string& out, Number number)
{
    for (std::size_t i = 0; i < sizeof number; ++i)
        out.push_back(char((number >> (8 * i)) & 0xFFU));
}

void appendRecord(std::string& out, std::string_view data)
{
    std::string length;
    appendLittleEndian(length, std::uint64_t(data.size()));
    out += length;
    appendLittleEndian(out, maskedCrc32c(length));
    out += data;
    appendLittleEndian(out, maskedCrc32c(data));
}

std::string event(double wallTime, std::uint32_t field, std::string_view content)
{
    constexpr char wallTimeTag = 0x09; // field 1, 64 bits
    std::string message(1, wallTimeTag);
    appendLittleEndian(message, std::bit_cast<std::uint64_t>(wallTime));
    WireWriter(message).bytes(field, content);
    return message;
}

} // namespace

std::string encodeEventFile(const Graph& graph, double wallTime)
{
    std::string out;
    appendRecord(out, event(wallTime, versionField, formatVersion));
    appendRecord(out, event(wallTime, graphField, encodeGraphDef(graph)));
    return out;
}

std::string eventFileName(double wallTime, const std::string& host)
{
    char seconds[24];
    std::snprintf(seconds, sizeof seconds, "%010lld", static_cast<long long>(wallTime));
    return "events.out.tfevents." + std::string(seconds) + "." + host;
}

} // namespace lapidary
