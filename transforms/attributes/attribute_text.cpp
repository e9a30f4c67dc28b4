// SPDX-License-Identifier: Apache-2.0
#include "transforms/attributes/attribute_text.h"

#include "graph_model/base/text.h"
#include "graph_model/base/wire.h"
#include "graph_model/ops/op_registry.h"
#include "transforms/pass/number_values.h"
#include "transforms/pass/parameters.h"

#include <algorithm>
#include <bit>

namespace lapidary {
namespace {

Error unreadable(std::string_view text, std::string_view kind)
{
    return {ErrorCode::InvalidArgument,
            "\"" + std::string(text) + "\" is not a value of kind " + std::string(kind)};
}

Result<Shape> shapeFrom(std::string_view text)
{
    std::string sizes(trimmed(text));
    if (sizes == "?")
        sizes = "unknown";
    if (sizes.starts_with('[') && sizes.ends_with(']'))
        sizes = sizes.substr(1, sizes.size() - 2);
    if (trimmed(sizes).empty())
        sizes = "scalar";
    for (std::size_t at = sizes.find('?'); at != std::string::npos; at = sizes.find('?'))
        sizes.replace(at, 1, "-1");
    return parseShapeList(sizes);
}

// Appends an item to an AttrValue.ListValue: s 2, i 3, f 4, b 5, type 6, shape 7.
Status appendItem(std::string_view kind, std::string_view text, std::string& list)
{
    WireWriter writer(list);
    if (kind == "string") {
        writer.bytes(2, text);
    } else if (kind == "int") {
        const auto number = integerValue(text);
        if (!number)
            return unreadable(text, kind);
        writer.varint(3, std::uint64_t(*number));
    } else if (kind == "float") {
        const auto number = floatValue(text);
        if (!number)
            return unreadable(text, kind);
        writer.fixed32(4, std::bit_cast<std::uint32_t>(*number));
    } else if (kind == "bool") {
        if (text != "true" && text != "false")
            return unreadable(text, kind);
        writer.varint(5, text == "true" ? 1 : 0);
    } else if (kind == "type") {
        const auto dtype = parseDtype(text);
        if (!dtype)
            return unreadable(text, kind);
        writer.varint(6, std::uint64_t(*dtype));
    } else if (kind == "shape") {
        ASSIGN_OR_RETURN(const auto shape, shapeFrom(text));
        writer.bytes(7, encodeShape(shape));
    } else {
        return Error{ErrorCode::InvalidArgument,
                     "values of kind " + std::string(kind) + " cannot be given as text"};
    }
    return Done{};
}

Result<std::string> listFrom(std::string_view kind, std::string_view text)
{
    text = trimmed(text);
    const char between = kind == "shape" ? ';' : ',';
    const bool isNested = text.starts_with("[[") && text.ends_with("]]");
    if (text == "[]" || isNested ||
        (between == ',' && text.starts_with('[') && text.ends_with(']')))
        text = trimmed(text.substr(1, text.size() - 2));
    std::string list;
    for (std::size_t start = 0; !text.empty() && start <= text.size();) {
        const std::size_t end = std::min(text.find(between, start), text.size());
        RETURN_IF_ERROR(appendItem(kind, trimmed(text.substr(start, end - start)), list));
        start = end + 1;
    }
    std::string value;
    WireWriter(value).bytes(1, list);
    return value;
}

Result<std::string> singleFrom(std::string_view kind, std::string_view text)
{
    if (kind == "string")
        return attr::fromString(text);
    text = trimmed(text);
    if (const auto number = integerValue(text); kind == "int" && number)
        return attr::fromInt(*number);
    if (const auto number = floatValue(text); kind == "float" && number)
        return attr::fromFloat(*number);
    if (kind == "bool" && (text == "true" || text == "false"))
        return attr::fromBool(text == "true");
    if (const auto dtype = parseDtype(text); kind == "type" && dtype)
        return attr::fromType(*dtype);
    if (kind == "shape") {
        const auto shape = shapeFrom(text);
        return shape ? Result<std::string>(attr::fromShape(shape.value())) : shape.error();
    }
    if (kind == "tensor" || kind == "func")
        return Error{ErrorCode::InvalidArgument,
                     "values of kind " + std::string(kind) + " cannot be given as text"};
    return unreadable(text, kind);
}

std::string kindOf(const AttrValue& value)
{
    switch (value.kind()) {
    case AttrKind::String: return "string";
    case AttrKind::Int: return "int";
    case AttrKind::Float: return "float";
    case AttrKind::Bool: return "bool";
    case AttrKind::Type: return "type";
    case AttrKind::Shape: return "shape";
    case AttrKind::Tensor: return "tensor";
    case AttrKind::Func: return "func";
    case AttrKind::List: break;
    case AttrKind::None:
    case AttrKind::Placeholder: return "";
    }
    if (!value.strings().empty())
        return "list(string)";
    if (!value.floats().empty())
        return "list(float)";
    if (!value.bools().empty())
        return "list(bool)";
    if (!value.types().empty())
        return "list(type)";
    if (!value.shapes().empty())
        return "list(shape)";
    return value.ints().empty() ? "" : "list(int)";
}

const AttrSpec* specOf(const Node& node, std::string_view name)
{
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return nullptr;
    const auto found = std::ranges::find(op->attrs, name, &AttrSpec::name);
    return found == op->attrs.end() ? nullptr : &*found;
}

// Returns whether `word` is one of "A|B|C".
bool isOneOf(std::string_view all, std::string_view word)
{
    while (!all.empty()) {
        const std::size_t bar = std::min(all.find('|'), all.size());
        if (trimmed(all.substr(0, bar)) == word)
            return true;
        all.remove_prefix(std::min(bar + 1, all.size()));
    }
    return false;
}

} // namespace

Result<std::string> attributeFromText(std::string_view kind, std::string_view text)
{
    constexpr std::string_view list = "list(";
    if (kind.starts_with(list) && kind.ends_with(')'))
        return listFrom(kind.substr(list.size(), kind.size() - list.size() - 1), text);
    return singleFrom(kind, text);
}

std::string attributeKind(const Node& node, std::string_view name)
{
    const AttrSpec* spec = specOf(node, name);
    return spec != nullptr ? std::string(spec->kind) : kindOf(node.attr(name));
}

std::string attributeFault(const Node& node, std::string_view name, std::string_view encoded)
{
    const AttrSpec* spec = specOf(node, name);
    if (spec == nullptr)
        return "";
    const AttrValue value(encoded);
    const std::string who = std::string(node.op()) + " wants " + std::string(name) + " to be ";
    const auto number = value.asInt();
    if (spec->hasMinimum && number && *number < spec->minimum)
        return who + "at least " + std::to_string(spec->minimum);
    if (spec->allowedText.empty())
        return "";
    const auto word = value.asString();
    const auto dtype = value.asType();
    std::string written;
    if (word)
        written = "\"" + std::string(*word) + "\"";
    if (dtype) {
        written = "DT_" + dtypeName(*dtype);
        std::ranges::transform(written, written.begin(), [](char c) {
            return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
        });
    }
    return written.empty() || isOneOf(spec->allowedText, written)
               ? ""
               : who + "one of " + std::string(spec->allowedText);
}

} // namespace lapidary
