// SPDX-License-Identifier: Apache-2.0
#include "app/cli/benchmark/benchmark_flags.h"

#include "runner/values/memory_pool.h"

#include <charconv>
#include <cstring>

namespace lapidary {
namespace {

Error wrong(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message)};
}

template <class Number>
bool readAll(const std::string& text, Number& number)
{
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return !text.empty() && read.ec == std::errc() && read.ptr == end;
}

Result<Dims> readDims(const std::string& text)
{
    Dims dims;
    for (const std::string& part : splitFlag(text, ',')) {
        std::int64_t dim = 0;
        if (!readAll(part, dim))
            return wrong("--input_layer_shape: '" + part + "' in " + text + " is not a size");
        if (dim < 0)
            return wrong("Any unknown sizes in the shapes (-1's) must be replaced with the size "
                         "you want to benchmark with.");
        dims.push_back(dim);
    }
    return dims;
}

Result<std::vector<float>> readValues(const std::string& text)
{
    std::vector<float> values;
    for (const std::string& part : splitFlag(text, ',')) {
        float value = 0;
        if (!readAll(part, value))
            return wrong("--input_layer_values: '" + part + "' is not a number");
        values.push_back(value);
    }
    return values;
}

Error wrongCounts(const BenchmarkFlags& flags, std::size_t names, std::size_t types,
                  std::size_t shapes)
{
    const auto line = [](const char* flag, const std::string& text, std::size_t count) {
        return std::string("; --") + flag + "=" + text + " (" + std::to_string(count) + " items)";
    };
    return wrong("There must be the same number of items in --input_layer, --input_layer_shape, "
                 "and --input_layer_type, for example --input_layer=input1,input2 "
                 "--input_layer_type=float,float --input_layer_shape=1,224,224,4:1,20" +
                 line("input_layer", flags.inputLayer, names) +
                 line("input_layer_type", flags.inputType, types) +
                 line("input_layer_shape", flags.inputShape, shapes));
}

template <class T>
void overwrite(Value& value, const std::vector<float>& numbers)
{
    const auto elements = value.mutableAs<T>();
    for (std::size_t i = 0; i < numbers.size(); ++i)
        elements[i] = T(numbers[i]);
}

template <>
void overwrite<bool>(Value& value, const std::vector<float>& numbers)
{
    const auto elements = value.mutableAs<std::uint8_t>();
    for (std::size_t i = 0; i < numbers.size(); ++i)
        elements[i] = numbers[i] != 0 ? 1 : 0;
}

} // namespace

std::vector<std::string> splitFlag(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    if (text.empty())
        return parts;
    std::size_t begin = 0;
    for (std::size_t at = text.find(separator); at != std::string::npos;
         at = text.find(separator, begin)) {
        parts.push_back(text.substr(begin, at - begin));
        begin = at + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

Result<double> secondsFlag(const std::string& flag, const std::string& text)
{
    double seconds = 0;
    if (!readAll(text, seconds))
        return wrong("--" + flag + "=" + text + ": a number of seconds is needed");
    return seconds;
}

Result<std::vector<BenchmarkInput>> benchmarkInputs(const BenchmarkFlags& flags)
{
    const auto names = splitFlag(flags.inputLayer, ',');
    const auto types = splitFlag(flags.inputType, ',');
    auto shapes = splitFlag(flags.inputShape, ':');
    const auto values = splitFlag(flags.inputValues, ':');
    if (shapes.empty() && names.size() == 1)
        shapes.emplace_back(); // a scalar
    if (names.size() != types.size() || names.size() != shapes.size())
        return wrongCounts(flags, names.size(), types.size(), shapes.size());
    std::vector<BenchmarkInput> inputs;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto dtype = parseDtype(types[i]);
        auto dims = readDims(shapes[i]);
        auto numbers = readValues(i < values.size() ? values[i] : "");
        if (!dtype)
            return wrong("--input_layer_type: " + types[i] + " is not a type");
        RETURN_IF_ERROR(dims);
        RETURN_IF_ERROR(numbers);
        inputs.push_back({names[i], *dtype, *std::move(dims), *std::move(numbers)});
    }
    return inputs;
}

Result<Value> makeBenchmarkInput(const BenchmarkInput& input, MemoryPool& pool)
{
    auto made = Value::make(input.dtype, input.dims, pool);
    if (!made)
        return Error{made.error().code, "input " + input.name + ": " + made.error().message};
    Value& value = *made;
    if (std::int64_t(input.values.size()) > value.elements())
        return wrong("input " + input.name + ": " + std::to_string(input.values.size()) +
                     " values for " + std::to_string(value.elements()) + " elements");
    if (input.dtype != DType::String && value.byteCount() > 0)
        std::memset(value.mutableAs<char>().data(), 0, value.byteCount());
    switch (input.dtype) {
    case DType::Float: overwrite<float>(value, input.values); break;
    case DType::Double: overwrite<double>(value, input.values); break;
    case DType::Int32: overwrite<std::int32_t>(value, input.values); break;
    case DType::Int64: overwrite<std::int64_t>(value, input.values); break;
    case DType::UInt8:
    case DType::QUInt8: overwrite<std::uint8_t>(value, input.values); break;
    case DType::Bool: overwrite<bool>(value, input.values); break;
    default:
        if (!input.values.empty())
            return wrong("input " + input.name + ": no values can be given for type " +
                         dtypeName(input.dtype));
    }
    return made;
}

} // namespace lapidary
