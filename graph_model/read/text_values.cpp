// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/text_values.h"

#include "graph_model/base/text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

namespace lapidary {
namespace {

using Kind = TextToken::Kind;

// Reads decimal, hexadecimal (0x) and octal (0) integers up to `most`.
std::optional<std::uint64_t> readInteger(std::string_view text, std::uint64_t most)
{
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text.remove_prefix(2);
    } else if (text.size() > 1 && text[0] == '0') {
        base = 8;
        text.remove_prefix(1);
    }
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value, base);
    if (fault != std::errc() || stop != end || value > most)
        return std::nullopt;
    return value;
}

TextScalar readInt(const TextToken& token, bool isNegative, std::uint64_t most, bool isSigned)
{
    if (token.kind != Kind::Number || (isNegative && !isSigned))
        return {0, "a whole number is expected"};
    const std::uint64_t limit = isNegative ? most + 1 : most;
    const std::optional<std::uint64_t> value = readInteger(token.text, limit);
    if (!value)
        return {0, "this is not an integer, or it is too large for the field"};
    return {isNegative ? std::uint64_t(0) - *value : *value, nullptr};
}

TextScalar readBool(const TextToken& token, bool isNegative)
{
    const std::string_view text = token.text;
    if (!isNegative && token.kind == Kind::Number) {
        const std::optional<std::uint64_t> value = readInteger(text, 1);
        if (value)
            return {*value, nullptr};
    }
    if (!isNegative && token.kind == Kind::Word) {
        if (text == "true" || text == "True" || text == "t")
            return {1, nullptr};
        if (text == "false" || text == "False" || text == "f")
            return {0, nullptr};
    }
    return {0, "true or false is expected"};
}

TextScalar readEnum(const FieldSpec& field, const TextToken& token, bool isNegative)
{
    if (token.kind == Kind::Word && !isNegative) {
        if (const EnumValue* value = findEnumValue(field.enumeration(), token.text))
            return {std::uint64_t(std::int64_t(value->number)), nullptr};
        return {0, "the type has no value of this name"};
    }
    return readInt(token, isNegative, INT32_MAX, true);
}

std::optional<double> readWordAsFloat(std::string_view text)
{
    const std::string lower = lowerCase(text);
    if (lower == "inf" || lower == "infinity" || lower == "inff")
        return std::numeric_limits<double>::infinity();
    if (lower == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
}

std::optional<double> readFloating(const TextToken& token)
{
    if (token.kind == Kind::Word)
        return readWordAsFloat(token.text);
    if (token.kind != Kind::Number)
        return std::nullopt;
    std::string_view text = token.text;
    const bool isHex = text.size() > 1 && (text[1] | 0x20) == 'x';
    const bool isPlain = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    if (isHex || (isPlain && text.size() > 1 && text[0] == '0'))
        return std::nullopt;
    if (text.back() == 'f' || text.back() == 'F')
        text.remove_suffix(1);
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    if (fault == std::errc::result_out_of_range && stop == end) {
        const bool isTiny = text.find("e-") != text.npos || text.find("E-") != text.npos;
        return isTiny ? 0.0 : std::numeric_limits<double>::infinity();
    }
    if (fault != std::errc() || stop != end)
        return std::nullopt;
    return value;
}

TextScalar readFloat(const FieldSpec& field, const TextToken& token, bool isNegative)
{
    const std::optional<double> value = readFloating(token);
    if (!value)
        return {0, "a number is expected"};
    const double number = isNegative ? -*value : *value;
    if (field.type == FieldType::Double)
        return {std::bit_cast<std::uint64_t>(number), nullptr};
    return {std::bit_cast<std::uint32_t>(float(number)), nullptr};
}

} // namespace

TextScalar readTextScalar(const FieldSpec& field, const TextToken& token, bool isNegative)
{
    switch (field.type) {
    case FieldType::Int32: return readInt(token, isNegative, INT32_MAX, true);
    case FieldType::Int64: return readInt(token, isNegative, INT64_MAX, true);
    case FieldType::UInt32: return readInt(token, isNegative, UINT32_MAX, false);
    case FieldType::UInt64: return readInt(token, isNegative, UINT64_MAX, false);
    case FieldType::SInt64: {
        TextScalar scalar = readInt(token, isNegative, INT64_MAX, true);
        const auto value = std::int64_t(scalar.bits);
        scalar.bits = (std::uint64_t(value) << 1) ^ std::uint64_t(value >> 63);
        return scalar;
    }
    case FieldType::Bool: return readBool(token, isNegative);
    case FieldType::Enum: return readEnum(field, token, isNegative);
    default: return readFloat(field, token, isNegative);
    }
}

} // namespace lapidary
