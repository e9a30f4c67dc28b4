// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/schema.h"

#include <algorithm>

namespace lapidary {
namespace {

#define MESSAGE(id, name)
#define FIELD(number, name, type, flags)                                                           \
    FieldSpec{name, number, FieldType::type, std::uint8_t(flags), -1},
#define MESSAGE_FIELD(number, name, flags, target)                                                 \
    FieldSpec{name, number, FieldType::Message, std::uint8_t(flags),                               \
              std::int16_t(MessageId::target)},
#define ENUM_FIELD(number, name, flags, target)                                                    \
    FieldSpec{name, number, FieldType::Enum, std::uint8_t(flags), std::int16_t(EnumId::target)},
constexpr FieldSpec allFields[] = {
#include "graph_model/read/schema_messages.inc"
};
#undef MESSAGE
#undef FIELD
#undef MESSAGE_FIELD
#undef ENUM_FIELD

// Marks each row, so that the fields of a message are found by counting.
enum class Row : std::uint8_t { Message, Field };
struct MessageRow {
    Row row;
    std::string_view name;
};
#define MESSAGE(id, name) MessageRow{Row::Message, name},
#define FIELD(number, name, type, flags) MessageRow{Row::Field, name},
#define MESSAGE_FIELD(number, name, flags, target) MessageRow{Row::Field, name},
#define ENUM_FIELD(number, name, flags, target) MessageRow{Row::Field, name},
constexpr MessageRow messageRows[] = {
#include "graph_model/read/schema_messages.inc"
};
#undef MESSAGE
#undef FIELD
#undef MESSAGE_FIELD
#undef ENUM_FIELD

using MessageTable = std::array<MessageSpec, std::size_t(MessageId::Count)>;

constexpr MessageTable makeMessages()
{
    MessageTable table;
    std::size_t message = 0;
    std::size_t field = 0;
    for (std::size_t row = 0; row < std::size(messageRows);) {
        MessageSpec& spec = table[message++];
        spec.name = messageRows[row++].name;
        for (std::int8_t& index : spec.byNumber)
            index = -1;
        const std::size_t first = field;
        for (; row < std::size(messageRows) && messageRows[row].row == Row::Field; ++row, ++field)
            spec.byNumber[allFields[field].number] = std::int8_t(field - first);
        spec.fields = std::span<const FieldSpec>(allFields + first, field - first);
    }
    return table;
}
constexpr MessageTable messages = makeMessages();

struct EnumRow {
    bool isEnum = false;
    EnumValue value;
};
#define ENUM(id, name) EnumRow{true, {name, 0}},
#define VALUE(number, name) EnumRow{false, {#name, number}},
constexpr EnumRow enumRows[] = {
#include "graph_model/read/schema_enums.inc"
};
#undef ENUM
#undef VALUE

// Returns the rows of one enum, its own row first.
std::span<const EnumRow> rowsOf(EnumId id)
{
    int seen = -1;
    std::size_t begin = 0;
    std::size_t end = std::size(enumRows);
    for (std::size_t i = 0; i < std::size(enumRows); ++i) {
        if (!enumRows[i].isEnum)
            continue;
        ++seen;
        if (seen == int(id))
            begin = i;
        if (seen == int(id) + 1)
            end = i;
    }
    return {enumRows + begin, end - begin};
}

} // namespace

const FieldSpec* MessageSpec::field(std::string_view fieldName) const
{
    const auto found = std::ranges::find(fields, fieldName, &FieldSpec::name);
    return found == fields.end() ? nullptr : &*found;
}

const MessageSpec& messageSpec(MessageId id)
{
    return messages[std::size_t(id)];
}

const MessageSpec* findMessage(std::string_view fullName, MessageId* id)
{
    constexpr std::string_view package = "tensorflow.";
    if (fullName.substr(0, package.size()) == package)
        fullName.remove_prefix(package.size());
    const auto found = std::ranges::find(messages, fullName, &MessageSpec::name);
    if (found == messages.end())
        return nullptr;
    if (id != nullptr)
        *id = MessageId(found - messages.begin());
    return &*found;
}

std::string_view enumName(EnumId id)
{
    return rowsOf(id).front().value.name;
}

const EnumValue* findEnumValue(EnumId id, std::string_view name)
{
    for (const EnumRow& row : rowsOf(id).subspan(1))
        if (row.value.name == name)
            return &row.value;
    return nullptr;
}

const EnumValue* findEnumValue(EnumId id, std::int64_t number)
{
    for (const EnumRow& row : rowsOf(id).subspan(1))
        if (row.value.number == number)
            return &row.value;
    return nullptr;
}

} // namespace lapidary
