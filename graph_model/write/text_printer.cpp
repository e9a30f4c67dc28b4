// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/text_printer.h"

#include "graph_model/base/text.h"
#include "graph_model/read/wire_check.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace lapidary {
namespace {

template <class Number>
void appendNumber(std::string& out, Number number)
{
    char digits[40];
    const auto [end, fault] = std::to_chars(digits, digits + sizeof(digits), number);
    out.append(digits, end);
}

// Readers parse a double and round it to float, which may give another float for the shortest
// digits.
void appendFloat(std::string& out, float number)
{
    char digits[40];
    auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
    double back = 0;
    std::from_chars(digits, end, back);
    if (float(back) != number)
        end = std::to_chars(digits, digits + sizeof(digits), number, std::chars_format::general, 9)
                  .ptr;
    out.append(digits, end);
}

template <class Number>
bool appendSpecial(std::string& out, Number number)
{
    if (std::isfinite(number))
        return false;
    out += std::signbit(number) ? "-" : "";
    out += std::isnan(number) ? "nan" : "inf";
    return true;
}

bool isPlainNan(FieldType type, std::uint64_t bits)
{
    return type == FieldType::Float ? (bits & 0x7FFFFFFFU) == 0x7FC00000U
                                    : (bits & 0x7FFFFFFFFFFFFFFFU) == 0x7FF8000000000000U;
}

std::string_view entryKey(std::string_view entry)
{
    WireCursor cursor(entry);
    WireField field;
    std::string_view key;
    while (cursor.next(field))
        if (field.field == 1)
            key = field.type == WireType::Bytes ? field.bytes() : field.raw();
    return key;
}

} // namespace

// Keeps the last value of a singular field and of equal map keys, joins messages in pieces, and
// keeps the last member of a oneof.
void TextPrinter::keepLast(std::vector<Item>& items)
{
    const FieldSpec* oneof = nullptr;
    for (const Item& item : items)
        if (item.spec->isOneof())
            oneof = item.spec;
    std::erase_if(items,
                  [&](const Item& item) { return item.spec->isOneof() && item.spec != oneof; });
    std::ranges::stable_sort(items, [](const Item& a, const Item& b) {
        if (a.spec != b.spec)
            return a.spec < b.spec;
        return a.spec->isMap() && a.key < b.key;
    });
    std::vector<Item> kept;
    kept.reserve(items.size());
    for (Item& item : items) {
        const bool isAgain =
            !kept.empty() && kept.back().spec == item.spec &&
            (!item.spec->isRepeated() || (item.spec->isMap() && kept.back().key == item.key));
        if (!isAgain) {
            kept.push_back(item);
            continue;
        }
        if (item.spec->type == FieldType::Message && !item.spec->isMap()) {
            m_merged.push_back(std::string(kept.back().message) + std::string(item.message));
            item.message = m_merged.back();
        }
        kept.back() = item;
    }
    items = std::move(kept);
}

TextPrinter::Frame TextPrinter::collect(std::string_view message, MessageId type)
{
    Frame frame;
    const MessageSpec& spec = messageSpec(type);
    WireCursor cursor(message);
    Item item;
    while (cursor.next(item.field)) {
        item.spec = spec.field(item.field.field);
        const bool isPacked =
            item.spec != nullptr && item.spec->isRepeated() && item.field.type == WireType::Bytes;
        const bool isKnown =
            item.spec != nullptr && (isPacked || item.field.type == wireTypeOf(item.spec->type));
        if (!isKnown) {
            m_dropped.insert(std::string(spec.name) + " field " + std::to_string(item.field.field));
            continue;
        }
        const bool isMessage = item.spec->type == FieldType::Message;
        item.message = isMessage ? item.field.bytes() : std::string_view();
        item.key = item.spec->isMap() ? entryKey(item.message) : std::string_view();
        frame.items.push_back(item);
    }
    keepLast(frame.items);
    return frame;
}

void TextPrinter::printNumber(const FieldSpec& spec, std::uint64_t bits)
{
    switch (spec.type) {
    case FieldType::Int32: appendNumber(m_out, std::int32_t(bits)); break;
    case FieldType::Int64: appendNumber(m_out, std::int64_t(bits)); break;
    case FieldType::UInt32: appendNumber(m_out, std::uint32_t(bits)); break;
    case FieldType::SInt64:
        appendNumber(m_out, std::int64_t((bits >> 1) ^ (std::uint64_t(0) - (bits & 1))));
        break;
    case FieldType::Bool: m_out += bits != 0 ? "true" : "false"; break;
    case FieldType::Enum:
        if (const EnumValue* value = findEnumValue(spec.enumeration(), std::int32_t(bits)))
            m_out += value->name;
        else
            appendNumber(m_out, std::int32_t(bits));
        break;
    case FieldType::Float: {
        const auto number = std::bit_cast<float>(std::uint32_t(bits));
        if (std::isnan(number) && !isPlainNan(spec.type, bits))
            m_dropped.insert("the payload of a NaN in " + std::string(spec.name));
        if (!appendSpecial(m_out, number))
            appendFloat(m_out, number);
        break;
    }
    case FieldType::Double: {
        const auto number = std::bit_cast<double>(bits);
        if (std::isnan(number) && !isPlainNan(spec.type, bits))
            m_dropped.insert("the payload of a NaN in " + std::string(spec.name));
        if (!appendSpecial(m_out, number))
            appendNumber(m_out, number);
        break;
    }
    default: appendNumber(m_out, bits); break;
    }
}

void TextPrinter::printScalars(const Item& item)
{
    const FieldSpec& spec = *item.spec;
    const auto start = [&] {
        indent(m_stack.size() - 1);
        m_out.append(spec.name).append(": ");
    };
    const WireType element = wireTypeOf(spec.type);
    if (element == WireType::Bytes) {
        start();
        m_out += inQuotes(escapedBytes(item.field.bytes()));
        m_out.push_back('\n');
        return;
    }
    const auto print = [&](std::uint64_t bits) {
        start();
        printNumber(spec, bits);
        m_out.push_back('\n');
    };
    if (item.field.type != WireType::Bytes)
        return print(item.field.number);
    if (element == WireType::Varint) {
        for (const std::uint64_t number : packedVarints(item.field.bytes()))
            print(number);
        return;
    }
    const std::size_t size = element == WireType::Fixed32 ? 4 : 8;
    const std::string_view bytes = item.field.bytes();
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes.data() + at, size);
        print(bits);
    }
}

void TextPrinter::open(const Item& item)
{
    indent(m_stack.size() - 1);
    m_out.append(item.spec->name).append(" {\n");
    m_stack.push_back(collect(item.message, item.spec->message()));
}

void TextPrinter::run()
{
    while (!m_stack.empty()) {
        Frame& frame = m_stack.back();
        if (frame.next == frame.items.size()) {
            m_stack.pop_back();
            if (m_stack.empty())
                break;
            indent(m_stack.size() - 1);
            m_out += "}\n";
            continue;
        }
        const Item item = frame.items[frame.next++];
        if (item.spec->type != FieldType::Message)
            printScalars(item);
        else if (m_stack.size() <= std::size_t(maxMessageDepth))
            open(item);
        else
            m_dropped.insert("messages nested more than 100 deep");
    }
}

void TextPrinter::printMessage(std::string_view message, MessageId type)
{
    m_stack.push_back(collect(message, type));
    run();
    m_merged.clear();
}

void TextPrinter::printField(const FieldSpec& field, std::string_view message)
{
    Item item;
    item.spec = &field;
    item.message = message;
    m_stack.emplace_back().items.push_back(item);
    run();
    m_merged.clear();
}

} // namespace lapidary
