// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/run_metadata.h"

#include "graph_model/base/wire.h"
#include "graph_model/tensor/shape.h"

namespace lapidary {
namespace {

// Calls take(reader) for each field; returns false if the message cannot be read to its end.
template <class Take>
bool eachField(std::string_view message, Take take)
{
    WireReader reader(message);
    while (reader.next())
        take(reader);
    return !reader.failed();
}

bool takeMemory(std::string_view message, NodeRecord& record)
{
    return eachField(message, [&](const WireReader& field) {
        if (field.field() == 2 && field.type() == WireType::Varint)
            record.memoryBytes = std::int64_t(std::uint64_t(record.memoryBytes) + field.varint());
    });
}

bool takeOutput(std::string_view message, NodeRecord& record)
{
    RecordedOutput output;
    bool isWhole = true;
    isWhole &= eachField(message, [&](const WireReader& field) {
        if (field.field() != 3 || field.type() != WireType::Bytes)
            return;
        isWhole &= eachField(field.bytes(), [&](const WireReader& part) {
            if (part.field() == 1 && part.type() == WireType::Varint)
                output.dtype = DType(std::int32_t(part.varint()));
            else if (part.field() == 2 && part.type() == WireType::Bytes)
                output.dims = decodeShape(part.bytes()).dims;
        });
    });
    record.outputs.push_back(std::move(output));
    return isWhole;
}

bool takeNode(std::string_view message, NodeRecord& record)
{
    bool isWhole = true;
    isWhole &= eachField(message, [&](const WireReader& field) {
        const bool isBytes = field.type() == WireType::Bytes;
        switch (field.field()) {
        case 1: record.node = isBytes ? field.bytes() : ""; break;
        case 2: record.startMicros = std::int64_t(field.varint()); break;
        case 5: record.micros = std::int64_t(field.varint()); break;
        case 6: isWhole &= isBytes && takeMemory(field.bytes(), record); break;
        case 7: isWhole &= isBytes && takeOutput(field.bytes(), record); break;
        case 8: record.label = isBytes ? field.bytes() : ""; break;
        case 10: record.thread = std::uint32_t(field.varint()); break;
        default: break;
        }
    });
    return isWhole;
}

bool takeDevice(std::string_view message, DeviceRecords& device)
{
    bool isWhole = true;
    isWhole &= eachField(message, [&](const WireReader& field) {
        if (field.type() != WireType::Bytes)
            return;
        if (field.field() == 1) {
            device.device = field.bytes();
        } else if (field.field() == 2) {
            device.nodes.emplace_back();
            isWhole &= takeNode(field.bytes(), device.nodes.back());
        }
    });
    return isWhole;
}

std::string encodeOutput(const RecordedOutput& output, std::size_t slot)
{
    std::string description;
    WireWriter inner(description);
    inner.varint(1, std::uint64_t(output.dtype));
    inner.bytes(2, encodeShape({output.dims, false}));
    std::string message;
    WireWriter writer(message);
    if (slot != 0)
        writer.varint(1, slot);
    writer.bytes(3, description);
    return message;
}

std::string encodeNode(const NodeRecord& record)
{
    std::string message;
    WireWriter writer(message);
    writer.bytes(1, record.node);
    writer.varint(2, std::uint64_t(record.startMicros));
    writer.varint(4, std::uint64_t(record.micros));
    writer.varint(5, std::uint64_t(record.micros));
    if (record.memoryBytes != 0) {
        std::string memory;
        WireWriter inner(memory);
        inner.bytes(1, "cpu");
        inner.varint(2, std::uint64_t(record.memoryBytes));
        writer.bytes(6, memory);
    }
    for (std::size_t i = 0; i < record.outputs.size(); ++i)
        writer.bytes(7, encodeOutput(record.outputs[i], i));
    writer.bytes(8, record.label);
    if (record.thread != 0)
        writer.varint(10, record.thread);
    return message;
}

} // namespace

std::string opOfLabel(const std::string& label)
{
    const std::size_t begin = label.find(" = ");
    if (begin == std::string::npos)
        return "<>";
    const std::size_t end = label.find('(', begin + 3);
    return end == std::string::npos ? "<>" : label.substr(begin + 3, end - begin - 3);
}

Result<StepRecords> decodeRunMetadata(std::string_view bytes)
{
    StepRecords step;
    bool isWhole = true;
    isWhole &= eachField(bytes, [&](const WireReader& field) {
        if (field.field() != 1 || field.type() != WireType::Bytes)
            return;
        isWhole &= eachField(field.bytes(), [&](const WireReader& part) {
            if (part.field() != 1 || part.type() != WireType::Bytes)
                return;
            step.devices.emplace_back();
            isWhole &= takeDevice(part.bytes(), step.devices.back());
        });
    });
    if (!isWhole)
        return Error{ErrorCode::BadFile,
                     "the profile is damaged: it is not a complete RunMetadata"};
    return step;
}

std::string encodeRunMetadata(const StepRecords& step)
{
    std::string stats;
    WireWriter devices(stats);
    for (const DeviceRecords& device : step.devices) {
        std::string message;
        WireWriter writer(message);
        writer.bytes(1, device.device);
        for (const NodeRecord& record : device.nodes)
            writer.bytes(2, encodeNode(record));
        devices.bytes(1, message);
    }
    std::string metadata;
    WireWriter(metadata).bytes(1, stats);
    return metadata;
}

} // namespace lapidary
