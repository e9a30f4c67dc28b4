// SPDX-License-Identifier: Apache-2.0
#include "transforms/attributes/default_text.h"

#include "graph_model/base/wire.h"
#include "graph_model/graph/attr_value.h"
#include "graph_model/read/text_lexer.h"

#include <bit>
#include <cstdlib>
#include <vector>

namespace lapidary {
namespace {

std::vector<std::string> listItems(std::string_view text)
{
    if (text.starts_with('['))
        text.remove_prefix(1);
    if (text.ends_with(']'))
        text.remove_suffix(1);
    std::vector<std::string> items;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        items.emplace_back(text.substr(0, comma));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return items;
}

// Reads "<?>" or "<2,3>" after a word.
Shape shapeOf(std::string_view text)
{
    const std::size_t open = text.find('<');
    const std::size_t close = text.find('>');
    if (open == std::string_view::npos || close == std::string_view::npos)
        return {};
    const std::string_view sizes = text.substr(open + 1, close - open - 1);
    if (sizes == "?")
        return {{}, true};
    Shape shape;
    for (const std::string& size : listItems(sizes))
        shape.dims.push_back(std::atoll(size.c_str()));
    return shape;
}

// "tensor<DT_UINT8;shape<4>;255,0,0,255>" becomes a TensorProto with dtype 1, shape 2, int_val 7
// packed.
std::string encodedTensor(std::string_view text)
{
    const std::size_t open = text.find('<');
    const std::size_t first = text.find(';');
    const std::size_t second = text.find(';', first + 1);
    if (second == std::string_view::npos || !text.ends_with('>'))
        return attr::fromTensorProto("");
    const auto dtype = parseDtype(text.substr(open + 1, first - open - 1));
    std::string values;
    for (const std::string& item : listItems(text.substr(second + 1, text.size() - second - 2)))
        appendVarint(values, std::uint64_t(std::atoll(item.c_str())));
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(dtype.value_or(DType::Invalid)));
    writer.bytes(2, encodeShape(shapeOf(text.substr(first + 1, second - first - 1))));
    writer.bytes(7, values);
    return attr::fromTensorProto(proto);
}

// Encodes an AttrValue.ListValue (1): i 3, f 4 and type 6 packed; lists of other kinds have no
// default items.
std::string encodedList(std::string_view kind, const std::vector<std::string>& items)
{
    std::string packed;
    std::uint32_t field = 3;
    for (const std::string& item : items) {
        if (kind == "list(float)") {
            const auto bits = std::bit_cast<std::uint32_t>(std::strtof(item.c_str(), nullptr));
            for (int shift = 0; shift < 32; shift += 8)
                packed += char(bits >> shift);
            field = 4;
        } else if (kind == "list(type)") {
            appendVarint(packed, std::uint64_t(parseDtype(item).value_or(DType::Invalid)));
            field = 6;
        } else {
            appendVarint(packed, std::uint64_t(std::atoll(item.c_str())));
        }
    }
    std::string list;
    if (!packed.empty())
        WireWriter(list).bytes(field, packed);
    std::string value;
    WireWriter(value).bytes(1, list);
    return value;
}

} // namespace

std::string encodedDefault(std::string_view kind, std::string_view text)
{
    const std::string plain(text);
    if (kind.starts_with("list("))
        return encodedList(kind, listItems(text));
    if (kind == "bool")
        return attr::fromBool(text == "true");
    if (kind == "int")
        return attr::fromInt(std::atoll(plain.c_str()));
    if (kind == "float")
        return attr::fromFloat(std::strtof(plain.c_str(), nullptr));
    if (kind == "type")
        return attr::fromType(parseDtype(text).value_or(DType::Invalid));
    if (kind == "shape")
        return attr::fromShape(shapeOf(text));
    if (kind == "tensor")
        return encodedTensor(text);
    std::string unquoted;
    if (text.size() >= 2 && text.front() == '"')
        unescapeText(text, unquoted);
    return attr::fromString(unquoted);
}

} // namespace lapidary
