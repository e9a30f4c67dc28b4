// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/npy_header.h"

#include <charconv>
#include <optional>

namespace lapidary {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

std::string shapeTuple(const Shape& shape)
{
    std::string text = "(";
    for (const std::int64_t dim : shape.dims)
        text += std::to_string(dim) + ", ";
    if (shape.dims.size() > 1)
        text.resize(text.size() - 2);
    else if (shape.dims.size() == 1)
        text.pop_back();
    return text + ")";
}

Error damaged(const std::string& what)
{
    return {ErrorCode::BadFile, "the .npy header is damaged: " + what};
}

// Returns the text after `'key':` in the dictionary, spaces skipped; empty if the key is missing.
std::string_view valueOf(std::string_view dictionary, std::string_view key)
{
    for (const char quote : {'\'', '"'}) {
        const std::string word = quote + std::string(key) + quote;
        const std::size_t at = dictionary.find(word);
        if (at == std::string_view::npos)
            continue;
        const std::size_t value = dictionary.find_first_not_of(" :", at + word.size());
        return value == std::string_view::npos ? std::string_view() : dictionary.substr(value);
    }
    return {};
}

std::optional<std::vector<std::int64_t>> readTuple(std::string_view text)
{
    if (text.empty() || text[0] != '(')
        return {};
    std::vector<std::int64_t> dims;
    const char* at = text.data() + 1;
    const char* const end = text.data() + text.size();
    while (at != end && *at != ')') {
        if (*at == ' ' || *at == ',' || *at == 'L') {
            ++at;
            continue;
        }
        std::int64_t dim = 0;
        const auto read = std::from_chars(at, end, dim);
        if (read.ec != std::errc() || dim < 0 || dims.size() == 254)
            return {};
        dims.push_back(dim);
        at = read.ptr;
    }
    return at == end ? std::nullopt : std::optional(dims);
}

Status readDescr(std::string_view text, NpyHeader& header)
{
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
        return Error{ErrorCode::Unsupported,
                     "a .npy file of records; one of plain numbers is needed"};
    std::string_view descr = text.substr(1, text.find(text[0], 1) - 1);
    if (!descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos) {
        header.byteOrder = descr[0] == '=' ? '<' : descr[0];
        descr.remove_prefix(1);
    }
    if (descr.empty())
        return damaged("no element type");
    header.kind = descr[0];
    const auto read =
        std::from_chars(descr.data() + 1, descr.data() + descr.size(), header.itemSize);
    const bool known = std::string_view("fiubcSU").find(header.kind) != std::string_view::npos;
    if (!known || read.ec != std::errc() || header.itemSize > (1U << 28))
        return Error{ErrorCode::Unsupported,
                     "a .npy file of elements '" + std::string(descr) + "', which are not numbers"};
    header.itemSize *= header.kind == 'U' ? 4 : 1;
    return Done{};
}

// Returns offset and length of the dictionary.
std::optional<std::pair<std::size_t, std::size_t>> dictionaryPlace(std::string_view bytes)
{
    if (!isNpy(bytes) || bytes.size() < 12)
        return {};
    const auto byteAt = [&](std::size_t i) { return std::size_t(std::uint8_t(bytes[i])); };
    const bool isLong = bytes[6] != 1;
    std::size_t length = byteAt(8) | byteAt(9) << 8;
    if (isLong)
        length |= byteAt(10) << 16 | byteAt(11) << 24;
    const std::size_t lead = isLong ? 12 : 10;
    if (length > bytes.size() - lead)
        return {};
    return std::pair(lead, length);
}

} // namespace

std::string_view numpyType(DType dtype)
{
    switch (withoutReference(dtype)) {
    case DType::Float: return "<f4";
    case DType::Double: return "<f8";
    case DType::Half: return "<f2";
    case DType::BFloat16: return "<f4";
    case DType::Int8:
    case DType::QInt8: return "|i1";
    case DType::UInt8:
    case DType::QUInt8: return "|u1";
    case DType::Int16:
    case DType::QInt16: return "<i2";
    case DType::UInt16:
    case DType::QUInt16: return "<u2";
    case DType::Int32:
    case DType::QInt32: return "<i4";
    case DType::UInt32: return "<u4";
    case DType::Int64: return "<i8";
    case DType::UInt64: return "<u8";
    case DType::Bool: return "|b1";
    case DType::Complex64: return "<c8";
    case DType::Complex128: return "<c16";
    default: return {};
    }
}

std::string npyHeader(std::string_view descr, const Shape& shape)
{
    std::string dictionary = "{'descr': '" + std::string(descr) +
                             "', 'fortran_order': False, 'shape': " + shapeTuple(shape) + ", }";
    const bool isLong = dictionary.size() + 64 > 0xFFFF;
    const std::size_t lead = isLong ? 12 : 10;
    const std::size_t used = (lead + dictionary.size() + 1) % 64;
    dictionary.append(used == 0 ? 0 : 64 - used, ' ');
    dictionary += '\n';
    std::string out(magic);
    out += isLong ? '\x02' : '\x01';
    out += '\0';
    for (std::size_t i = 0; i < lead - 8; ++i)
        out += char(dictionary.size() >> (8 * i) & 0xFF);
    return out + dictionary;
}

bool isNpy(std::string_view bytes)
{
    return bytes.starts_with(magic);
}

Result<NpyHeader> readNpyHeader(std::string_view bytes)
{
    const auto place = dictionaryPlace(bytes);
    if (!place)
        return damaged("it is cut short");
    const std::string_view dictionary = bytes.substr(place->first, place->second);
    NpyHeader header;
    header.dataOffset = place->first + place->second;
    RETURN_IF_ERROR(readDescr(valueOf(dictionary, "descr"), header));
    header.fortranOrder = valueOf(dictionary, "fortran_order").starts_with("True");
    const auto dims = readTuple(valueOf(dictionary, "shape"));
    if (!dims)
        return damaged("no shape");
    header.dims = *dims;
    const auto count = elementCount({header.dims, false});
    std::int64_t needed = 0;
    if (!count || __builtin_mul_overflow(*count, std::int64_t(header.itemSize), &needed))
        return damaged("a shape larger than any memory");
    header.elements = *count;
    if (std::uint64_t(needed) > bytes.size() - header.dataOffset)
        return Error{ErrorCode::BadFile, "the .npy file is cut short: shape " +
                                             shapeText({header.dims, false}) + " needs " +
                                             std::to_string(needed) + " bytes, it has " +
                                             std::to_string(bytes.size() - header.dataOffset)};
    return header;
}

} // namespace lapidary
