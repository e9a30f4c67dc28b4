// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/npy_values.h"

#include "graph_model/tensor/npy_header.h"
#include "runner/values/memory_pool.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

DType dtypeOf(const NpyHeader& header)
{
    constexpr DType numbers[] = {DType::Float,     DType::Double,    DType::Half,   DType::Int8,
                                 DType::UInt8,     DType::Int16,     DType::UInt16, DType::Int32,
                                 DType::UInt32,    DType::Int64,     DType::UInt64, DType::Bool,
                                 DType::Complex64, DType::Complex128};
    const std::string text = header.kind + std::to_string(header.itemSize);
    for (const DType dtype : numbers)
        if (numpyType(dtype).substr(1) == text)
            return dtype;
    return DType::Invalid;
}

// Copies the elements in row-major order; in a file in Fortran order the first index varies
// fastest.
void copyElements(const NpyHeader& header, std::string_view data, std::byte* out)
{
    const std::size_t size = header.itemSize;
    if (header.elements == 0)
        return;
    if (!header.fortranOrder || header.dims.size() < 2) {
        std::memcpy(out, data.data(), std::size_t(header.elements) * size);
        return;
    }
    const std::size_t rank = header.dims.size();
    std::vector<std::int64_t> index(rank, 0);
    std::vector<std::int64_t> stride(rank, 1);
    for (std::size_t i = 1; i < rank; ++i)
        stride[i] = stride[i - 1] * header.dims[i - 1];
    std::int64_t from = 0;
    for (std::int64_t i = 0; i < header.elements; ++i) {
        std::memcpy(out + std::size_t(i) * size, data.data() + std::size_t(from) * size, size);
        for (std::size_t axis = rank; axis-- > 0;) {
            from += stride[axis];
            if (++index[axis] < header.dims[axis])
                break;
            from -= stride[axis] * index[axis];
            index[axis] = 0;
        }
    }
}

void swapBytes(std::byte* data, std::size_t count, std::size_t size)
{
    for (std::size_t i = 0; i < count; ++i)
        std::reverse(data + i * size, data + (i + 1) * size);
}

std::string utf8(std::string_view utf32, bool bigEndian)
{
    std::string out;
    for (std::size_t i = 0; i + 4 <= utf32.size(); i += 4) {
        std::uint32_t c = 0;
        for (std::size_t k = 0; k < 4; ++k)
            c |= std::uint32_t(std::uint8_t(utf32[i + (bigEndian ? 3 - k : k)])) << (8 * k);
        if (c < 0x80) {
            out += char(c);
            continue;
        }
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        constexpr std::uint32_t lead[] = {0, 0xC0, 0xE0, 0xF0};
        out += char(lead[more] | c >> (6 * more));
        for (int k = more - 1; k >= 0; --k)
            out += char(0x80 | (c >> (6 * k) & 0x3F));
    }
    while (!out.empty() && out.back() == '\0')
        out.pop_back();
    return out;
}

Result<Value> decodeStrings(const NpyHeader& header, std::string_view data, MemoryPool& pool)
{
    auto value = Value::make(DType::String, header.dims, pool);
    if (!value)
        return value;
    std::string rowMajor(std::size_t(header.elements) * header.itemSize, '\0');
    copyElements(header, data, reinterpret_cast<std::byte*>(rowMajor.data()));
    const std::string_view all = rowMajor;
    std::size_t at = 0;
    for (std::string& text : value->mutableStrings()) {
        const std::string_view item = all.substr(at, header.itemSize);
        at += header.itemSize;
        if (header.kind == 'U')
            text = utf8(item, header.byteOrder == '>');
        else
            text = item.substr(0, item.find_last_not_of('\0') + 1);
    }
    return value;
}

Result<std::string> encodeStrings(const Value& value)
{
    std::size_t longest = 1;
    for (const std::string& text : value.strings())
        longest = std::max(longest, text.size());
    if (longest > (std::size_t(1) << 32) / std::max<std::size_t>(value.strings().size(), 1))
        return Error{ErrorCode::Unsupported,
                     "the strings are too long for a .npy file of fixed-length elements"};
    std::string out = npyHeader("|S" + std::to_string(longest), {value.dims(), false});
    for (const std::string& text : value.strings()) {
        out += text;
        out.append(longest - text.size(), '\0');
    }
    return out;
}

} // namespace

Result<Value> decodeNpy(std::string_view bytes, MemoryPool& pool)
{
    ASSIGN_OR_RETURN(const auto read, readNpyHeader(bytes));
    const NpyHeader& header = read;
    const std::string_view data = bytes.substr(header.dataOffset);
    if (header.kind == 'S' || header.kind == 'U')
        return decodeStrings(header, data, pool);
    const DType dtype = dtypeOf(header);
    if (dtype == DType::Invalid)
        return Error{ErrorCode::Unsupported, "elements '" + std::string(1, header.kind) +
                                                 std::to_string(header.itemSize) +
                                                 "' of NumPy have no type in TensorFlow"};
    auto value = Value::make(dtype, header.dims, pool);
    if (!value || header.elements == 0)
        return value;
    const auto out = std::as_writable_bytes(value->mutableAs<std::byte>()).data();
    copyElements(header, data, out);
    const bool isComplex = header.kind == 'c';
    if (header.byteOrder == '>')
        swapBytes(out, std::size_t(header.elements) * (isComplex ? 2 : 1),
                  header.itemSize / (isComplex ? 2 : 1));
    if (dtype == DType::Bool)
        for (std::byte& b : value->mutableAs<std::byte>())
            b = std::byte(b != std::byte(0));
    return value;
}

Result<std::string> encodeNpy(const Value& value)
{
    if (value.dtype() == DType::String)
        return encodeStrings(value);
    const std::string_view descr = numpyType(value.dtype());
    if (descr.empty())
        return Error{ErrorCode::Unsupported, "a tensor of type " + dtypeName(value.dtype()) +
                                                 " has no values that a .npy file could hold"};
    std::string out = npyHeader(descr, {value.dims(), false});
    if (value.dtype() != DType::BFloat16)
        return out.append(value.bytes());
    for (const BFloat16 narrow : value.as<BFloat16>()) {
        const float wide = narrow;
        out.append(reinterpret_cast<const char*>(&wide), sizeof wide);
    }
    return out;
}

} // namespace lapidary
