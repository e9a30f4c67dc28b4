// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/bind_attr.h"

#include "graph_model/base/wire.h"

namespace lapidary {
namespace {

using Values = std::map<std::string, std::string>;

constexpr std::uint32_t fieldPlaceholder = 9; // of AttrValue
constexpr int deepest = 16;                   // functions named in attributes of functions

enum class Message { AttrValue, ListValue, NameAttrList, MapEntry };

// Returns the kind of message in a field, if it may contain a placeholder.
std::optional<Message> messageIn(Message message, std::uint32_t field)
{
    switch (message) {
    case Message::AttrValue:
        if (field == 1)
            return Message::ListValue;
        return field == 10 ? std::optional(Message::NameAttrList) : std::nullopt;
    case Message::ListValue:
        return field == 9 ? std::optional(Message::NameAttrList) : std::nullopt;
    case Message::NameAttrList: return field == 2 ? std::optional(Message::MapEntry) : std::nullopt;
    case Message::MapEntry: return field == 2 ? std::optional(Message::AttrValue) : std::nullopt;
    }
    return std::nullopt;
}

// Depth is bounded, so that a file cannot exhaust the stack.
Result<std::optional<std::string>> bind(std::string_view bytes, Message message,
                                        const Values& values, int depth)
{
    if (depth > 4 * deepest)
        return Error{ErrorCode::InvalidArgument, "its attributes are nested too deeply"};
    std::string out;
    bool changed = false;
    WireReader reader(bytes);
    while (reader.next()) {
        const bool isText = reader.type() == WireType::Bytes;
        if (isText && message == Message::AttrValue && reader.field() == fieldPlaceholder) {
            const auto value = values.find(std::string(reader.bytes()));
            if (value == values.end())
                return Error{ErrorCode::InvalidArgument, "its attribute is the placeholder " +
                                                             std::string(reader.bytes()) +
                                                             ", which the function does not have"};
            return std::optional(value->second);
        }
        const auto inner = isText ? messageIn(message, reader.field()) : std::nullopt;
        if (!inner) {
            out += reader.raw();
            continue;
        }
        auto bound = bind(reader.bytes(), *inner, values, depth + 1);
        if (!bound)
            return bound;
        changed = changed || bound->has_value();
        WireWriter(out).bytes(reader.field(), *bound ? **bound : reader.bytes());
    }
    return changed ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace

Result<std::optional<std::string>> bindAttr(std::string_view encoded, const Values& values)
{
    return bind(encoded, Message::AttrValue, values, 0);
}

} // namespace lapidary
