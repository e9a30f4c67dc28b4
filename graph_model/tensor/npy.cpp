#include "graph_model/tensor/npy.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace lapidary {
namespace {

// NumPy's description of an element; empty where it has none.
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

// Magic, version, length and a dictionary padded so that the data starts at a multiple of 64.
std::string header(std::string_view descr, const Shape& shape)
{
    std::string dictionary = "{'descr': '" + std::string(descr) +
                             "', 'fortran_order': False, 'shape': " + shapeTuple(shape) + ", }";
    const bool isLong = dictionary.size() + 64 > 0xFFFF;
    const std::size_t lead = isLong ? 12 : 10;
    const std::size_t used = (lead + dictionary.size() + 1) % 64;
    dictionary.append(used == 0 ? 0 : 64 - used, ' ');
    dictionary += '\n';
    std::string out("\x93NUMPY", 6);
    out += isLong ? '\x02' : '\x01';
    out += '\0';
    for (std::size_t i = 0; i < lead - 8; ++i)
        out += char(dictionary.size() >> (8 * i) & 0xFF);
    return out + dictionary;
}

std::string widenedBFloat16(std::string_view halves)
{
    std::string out;
    out.reserve(halves.size() * 2);
    for (std::size_t i = 0; i + 1 < halves.size(); i += 2)
        out.append({'\0', '\0', halves[i], halves[i + 1]});
    return out;
}

Result<std::string> encodeStrings(const Tensor& tensor)
{
    const auto strings = tensor.strings();
    if (!strings)
        return strings.error();
    std::size_t longest = 1;
    for (const std::string& text : strings.value())
        longest = std::max(longest, text.size());
    if (longest > (std::size_t(1) << 32) / std::max<std::size_t>(strings.value().size(), 1))
        return Error{ErrorCode::Unsupported,
                     "the strings are too long for a .npy file of fixed-length elements"};
    std::string out = header("|S" + std::to_string(longest), tensor.shape());
    for (const std::string& text : strings.value()) {
        out += text;
        out.append(longest - text.size(), '\0');
    }
    return out;
}

} // namespace

Result<std::string> encodeNpy(const Tensor& tensor)
{
    if (withoutReference(tensor.dtype()) == DType::String)
        return encodeStrings(tensor);
    const std::string_view descr = numpyType(tensor.dtype());
    if (descr.empty())
        return Error{ErrorCode::Unsupported, "a tensor of type " + dtypeName(tensor.dtype()) +
                                                 " has no values that a .npy file could hold"};
    auto values = tensor.values();
    if (!values)
        return values.error();
    const bool isBFloat16 = withoutReference(tensor.dtype()) == DType::BFloat16;
    return header(descr, tensor.shape()) +
           (isBFloat16 ? widenedBFloat16(values.value()) : std::move(values).value());
}

} // namespace lapidary
