// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace lapidary {

// The message types of TensorFlow 1.15 in graph files, as data: the wire walk, the text parser and
// the text printer use one table, so that they cannot disagree.
enum class FieldType : std::uint8_t {
    Int32,
    Int64,
    UInt32,
    UInt64,
    SInt64,
    Bool,
    Enum,
    Float,
    Double,
    String,
    Bytes,
    Message,
};
inline constexpr std::uint8_t fieldRepeated = 1;
inline constexpr std::uint8_t fieldPacked = 2; // written packed; both forms are read
inline constexpr std::uint8_t fieldMap = 4;    // target is the entry message (key 1, value 2)
inline constexpr std::uint8_t fieldOneof = 8;  // no message here has more than one oneof

enum class EnumId : std::int16_t {
#define ENUM(id, name) id,
#define VALUE(number, name)
#include "graph_model/read/schema_enums.inc"
#undef ENUM
#undef VALUE
};

enum class MessageId : std::int16_t {
#define MESSAGE(id, name) id,
#define FIELD(number, name, type, flags)
#define MESSAGE_FIELD(number, name, flags, target)
#define ENUM_FIELD(number, name, flags, target)
#include "graph_model/read/schema_messages.inc"
#undef MESSAGE
#undef FIELD
#undef MESSAGE_FIELD
#undef ENUM_FIELD
    Count,
};

struct FieldSpec {
    std::string_view name;
    std::uint16_t number = 0;
    FieldType type = FieldType::Int32;
    std::uint8_t flags = 0;
    std::int16_t target = -1; // MessageId or EnumId

    bool isRepeated() const { return (flags & fieldRepeated) != 0; }
    bool isPacked() const { return (flags & fieldPacked) != 0; }
    bool isMap() const { return (flags & fieldMap) != 0; }
    bool isOneof() const { return (flags & fieldOneof) != 0; }
    MessageId message() const { return MessageId(target); }
    EnumId enumeration() const { return EnumId(target); }
};

struct MessageSpec {
    std::string_view name;
    std::span<const FieldSpec> fields;
    std::array<std::int8_t, 64> byNumber{}; // index into fields, -1: unknown

    const FieldSpec* field(std::uint32_t number) const
    {
        return number < byNumber.size() && byNumber[number] >= 0
                   ? &fields[std::size_t(byNumber[number])]
                   : nullptr;
    }
    const FieldSpec* field(std::string_view fieldName) const;
};

struct EnumValue {
    std::string_view name;
    std::int32_t number = 0;
};

const MessageSpec& messageSpec(MessageId id);
// Returns null if no message has the name ("NodeDef"; for google.protobuf.Any
// "tensorflow.NodeDef").
const MessageSpec* findMessage(std::string_view fullName, MessageId* id = nullptr);
std::string_view enumName(EnumId id);
const EnumValue* findEnumValue(EnumId id, std::string_view name);
const EnumValue* findEnumValue(EnumId id, std::int64_t number);

} // namespace lapidary
