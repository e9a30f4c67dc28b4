// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reports/value_text.h"

#include "graph_model/base/base64.h"
#include "graph_model/base/digits.h"
#include "graph_model/base/printable.h"
#include "graph_model/summary/number_text.h"
#include "graph_model/tensor/narrow_float.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace lapidary {
namespace {

// Returns element i as a number; for a complex one, its magnitude.
double numberAt(const Value& value, std::size_t i)
{
    switch (value.dtype()) {
    case DType::Float: return value.as<float>()[i];
    case DType::Double: return value.as<double>()[i];
    case DType::Half: return value.as<Half>()[i];
    case DType::BFloat16: return value.as<BFloat16>()[i];
    case DType::Bool:
    case DType::UInt8:
    case DType::QUInt8: return value.as<std::uint8_t>()[i];
    case DType::Int8:
    case DType::QInt8: return value.as<std::int8_t>()[i];
    case DType::UInt16:
    case DType::QUInt16: return value.as<std::uint16_t>()[i];
    case DType::Int16:
    case DType::QInt16: return value.as<std::int16_t>()[i];
    case DType::UInt32: return value.as<std::uint32_t>()[i];
    case DType::Int32:
    case DType::QInt32: return value.as<std::int32_t>()[i];
    case DType::UInt64: return double(value.as<std::uint64_t>()[i]);
    case DType::Int64: return double(value.as<std::int64_t>()[i]);
    case DType::Complex64: return std::abs(value.as<std::complex<float>>()[i]);
    case DType::Complex128: return std::abs(value.as<std::complex<double>>()[i]);
    default: return 0;
    }
}

std::string range(const Value& value)
{
    const auto count = std::size_t(value.elements());
    double least = INFINITY;
    double most = -INFINITY;
    double sum = 0;
    std::size_t nans = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = numberAt(value, i);
        nans += std::isnan(x) ? 1 : 0;
        least = std::fmin(least, x);
        most = std::fmax(most, x);
        sum += std::isnan(x) ? 0 : x;
    }
    if (nans == count)
        return "  only NaN";
    std::string text = "  min " + sixDigits(least) + "  max " + sixDigits(most) + "  mean " +
                       sixDigits(sum / double(count - nans));
    return nans == 0 ? text : text + "  NaN " + std::to_string(nans);
}

} // namespace

std::string valueText(const Value& value)
{
    constexpr std::size_t most = 8;
    std::string text = dtypeName(value.dtype()) + ' ' + dimsText(value.dims());
    const bool isStrings = value.dtype() == DType::String;
    if (value.elements() == 0)
        return text + "  empty";
    if (!isStrings && value.byteCount() == 0)
        return text;
    const auto count = std::size_t(value.elements());
    if (count > 1 && !isStrings)
        text += range(value);
    text += "  ";
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        text += i == 0 ? "" : " ";
        text += isStrings ? '"' + printable(value.strings()[i].substr(0, 60)) + '"'
                          : sixDigits(numberAt(value, i));
    }
    return count > most ? text + " ..." : text;
}

void addData(const Value& value, Json& json)
{
    if (value.dtype() != DType::String) {
        json["data"] = encodedBase64(value.bytes());
        return;
    }
    Json strings = Json::array();
    for (const std::string& text : value.strings())
        strings.push_back(encodedBase64(text));
    json["strings"] = std::move(strings);
}

} // namespace lapidary
