// SPDX-License-Identifier: Apache-2.0
#include "graph_model/onnx/onnx_values.h"

#include "graph_model/base/varint.h"

#include <bit>
#include <charconv>
#include <cstring>

namespace lapidary {
namespace {

// TensorProto.
enum Field : std::uint32_t {
    Dims = 1,
    DataType = 2,
    FloatData = 4,
    Int32Data = 5,
    StringData = 6,
    Int64Data = 7,
    Name = 8,
    RawData = 9,
    DoubleData = 10,
    Uint64Data = 11,
    ExternalData = 13,
    DataLocation = 14,
};

Error faultOf(const OnnxTensor& tensor, const std::string& what)
{
    return {ErrorCode::BadFile, "the constant " + tensor.name + " " + what};
}

std::uint64_t numberIn(std::string_view text)
{
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

// Reads a StringStringEntryProto: key 1, value 2.
void readExternal(std::string_view entry, OnnxTensor& tensor)
{
    std::string_view key;
    std::string_view value;
    WireCursor cursor(entry);
    WireField field;
    while (cursor.next(field)) {
        if (field.type != WireType::Bytes)
            continue;
        if (field.field == 1)
            key = field.bytes();
        else if (field.field == 2)
            value = field.bytes();
    }
    if (key == "location")
        tensor.externalFile = value;
    else if (key == "offset")
        tensor.externalOffset = numberIn(value);
    else if (key == "length")
        tensor.externalLength = numberIn(value);
}

// Values that are not stored as bytes of memory.
class ListedValues {
public:
    void add(const WireField& field)
    {
        const bool isFixed = field.field == FloatData || field.field == DoubleData;
        if (!isFixed)
            appendNumbers(field, m_numbers);
        else if (field.type == WireType::Bytes)
            m_fixed += field.bytes();
        else
            appendFixed(field);
    }

    // Returns the numbers as bytes: those with a fixed size unchanged, of others the first `size`
    // bytes.
    std::string bytes(std::size_t size) const
    {
        std::string bytes = m_fixed;
        for (const std::int64_t number : m_numbers)
            bytes.append(reinterpret_cast<const char*>(&number), size);
        return bytes;
    }

private:
    void appendFixed(const WireField& field)
    {
        const std::size_t size = field.type == WireType::Fixed32 ? 4 : 8;
        m_fixed.append(reinterpret_cast<const char*>(&field.number), size);
    }

    std::vector<std::int64_t> m_numbers;
    std::string m_fixed;
};

Status checkSize(const OnnxTensor& tensor)
{
    if (tensor.dims.size() > mostOnnxAxes)
        return faultOf(tensor, "has " + std::to_string(tensor.dims.size()) + " axes");
    std::uint64_t elements = 1;
    for (const std::int64_t dim : tensor.dims) {
        if (dim < 0 || (dim > 0 && elements > (std::uint64_t(1) << 44) / std::uint64_t(dim)))
            return faultOf(tensor, "has impossible sizes");
        elements *= std::uint64_t(dim);
    }
    if (tensor.dtype == DType::String && tensor.texts.size() != elements)
        return faultOf(tensor, "has " + std::to_string(tensor.texts.size()) +
                                   " strings where its sizes need " + std::to_string(elements));
    const std::size_t size = dtypeSize(tensor.dtype);
    const std::uint64_t needed = elements * size;
    const bool isExternal = !tensor.externalFile.empty();
    const std::uint64_t stored =
        isExternal ? tensor.externalLength.value_or(needed) : tensor.bytes.size();
    if (size > 0 && stored != needed)
        return faultOf(tensor, "has " + std::to_string(stored) + " bytes where its sizes need " +
                                   std::to_string(needed));
    return Done{};
}

} // namespace

void appendNumbers(const WireField& field, std::vector<std::int64_t>& numbers)
{
    if (field.type != WireType::Bytes)
        return numbers.push_back(std::int64_t(field.number));
    for (const std::uint64_t number : packedVarints(field.bytes()))
        numbers.push_back(std::int64_t(number));
}

void appendFloats(const WireField& field, std::vector<float>& floats)
{
    if (field.type == WireType::Fixed32)
        return floats.push_back(std::bit_cast<float>(std::uint32_t(field.number)));
    const std::string_view bytes =
        field.type == WireType::Bytes ? field.bytes() : std::string_view();
    const std::size_t before = floats.size();
    floats.resize(before + bytes.size() / sizeof(float));
    if (floats.size() > before)
        std::memcpy(floats.data() + before, bytes.data(), (floats.size() - before) * sizeof(float));
}

Result<OnnxTensor> onnxTensorOf(std::string_view message, const BufferPtr& owner)
{
    OnnxTensor tensor;
    ListedValues listed;
    bool isListed = false;
    bool isElsewhere = false;
    tensor.dtype = DType::Invalid;
    WireCursor cursor(message);
    WireField field;
    while (cursor.next(field)) {
        const bool isBytes = field.type == WireType::Bytes;
        if (field.field == Dims)
            appendNumbers(field, tensor.dims);
        else if (field.field == DataType && !isBytes)
            tensor.dtype = dtypeOfOnnx(std::int32_t(field.number));
        else if (field.field == Name && isBytes)
            tensor.name = field.bytes();
        else if (field.field == RawData && isBytes)
            tensor.bytes = ConstantBytes(field.bytes(), owner);
        else if (field.field == StringData && isBytes)
            tensor.texts.push_back(field.bytes());
        else if (field.field == ExternalData && isBytes)
            readExternal(field.bytes(), tensor);
        else if (field.field == DataLocation && !isBytes)
            isElsewhere = field.number == 1;
        else if (field.field == FloatData || field.field == Int32Data || field.field == Int64Data ||
                 field.field == DoubleData || field.field == Uint64Data) {
            listed.add(field);
            isListed = true;
        }
    }
    if (isListed && tensor.bytes.empty()) {
        tensor.bytes = ConstantBytes(listed.bytes(dtypeSize(tensor.dtype)));
    }
    if (!isElsewhere)
        tensor.externalFile.clear();
    else if (tensor.externalFile.empty())
        return faultOf(tensor, "is in another file, which it does not name");
    RETURN_IF_ERROR(checkSize(tensor));
    return tensor;
}

} // namespace lapidary
