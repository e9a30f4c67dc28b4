// SPDX-License-Identifier: Apache-2.0
// AsString: numbers as text, as printf would write them. StringToNumber: the reverse.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lapidary {
namespace {

struct Format {
    std::string flags; // for printf: "%08", with the width and the precision
    char floats = 'f';
};

Result<Format> readFormat(const KernelContext& context, DType dtype)
{
    const bool isFloating = dtype == DType::Float || dtype == DType::Double ||
                            dtype == DType::Complex64 || dtype == DType::Complex128;
    const std::int64_t precision = context.intAttr("precision", -1);
    const std::int64_t width = context.intAttr("width", -1);
    const bool scientific = context.boolAttr("scientific", false);
    const bool shortest = context.boolAttr("shortest", false);
    const std::string_view fill = context.stringAttr("fill");
    constexpr std::int64_t widest = 1000;
    if (precision > widest || width > widest)
        return context.error("width and precision may be at most " + std::to_string(widest));
    if (!isFloating && precision > -1)
        return context.error("precision is not for " + dtypeName(dtype));
    if (!isFloating && (scientific || shortest))
        return context.error("scientific and shortest notation are not for " + dtypeName(dtype));
    if (scientific && shortest)
        return context.error("cannot be both scientific and shortest");
    if (fill.size() > 1 || (fill.size() == 1 && std::string_view(" +-0#").find(fill) == fill.npos))
        return context.error("fill must be one of ' ', '+', '-', '0' and '#'");
    Format format{.flags = "%" + std::string(fill)};
    if (width > -1)
        format.flags += std::to_string(width);
    if (precision > -1)
        format.flags += "." + std::to_string(precision);
    format.floats = scientific ? 'e' : shortest ? 'g' : 'f';
    return format;
}

template <class... Numbers>
std::string printed(const std::string& format, Numbers... numbers)
{
    const int length = std::snprintf(nullptr, 0, format.c_str(), numbers...);
    std::string text(std::size_t(std::max(length, 0)) + 1, '\0');
    std::snprintf(text.data(), text.size(), format.c_str(), numbers...);
    text.pop_back();
    return text;
}

template <class T>
std::string textOf(T number, const Format& format)
{
    if constexpr (isComplex<T>) {
        const std::string part = format.flags + format.floats;
        return printed("(" + part + "," + part + ")", double(number.real()), double(number.imag()));
    } else if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(number)) // without the sign that printf would show
            number = std::abs(number);
        return printed(format.flags + format.floats, double(number));
    } else {
        return printed(format.flags + "lld", static_cast<long long>(number));
    }
}

Status runAsString(KernelContext& context)
{
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(const auto format, readFormat(context, x.dtype()));
    std::vector<std::string> out;
    out.reserve(std::size_t(x.elements()));
    if (x.dtype() == DType::Bool) {
        for (const bool flag : x.as<bool>())
            out.push_back(printed(format.flags + "s", flag ? "true" : "false"));
        return context.setOutput(0, Value::ofStrings(x.dims(), std::move(out)));
    }
    using Types = TypeList<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                           Complex64, Complex128>;
    const bool known = dispatch(Types(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        for (const T number : x.as<T>())
            out.push_back(textOf(number, format));
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    return context.setOutput(0, Value::ofStrings(x.dims(), std::move(out)));
}

Status runToNumber(KernelContext& context)
{
    const Value& x = context.input(0);
    const DType dtype = context.typeAttr("out_type", DType::Float);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, dtype, x.dims()));
    for (std::size_t i = 0; i < x.strings().size(); ++i) {
        const std::string& text = x.strings()[i];
        const bool isInteger = dtype == DType::Int32 || dtype == DType::Int64;
        const auto integer = isInteger ? parseInteger(text, dtype) : std::nullopt;
        const auto floating = isInteger ? std::nullopt : parseFloating(text);
        if (!integer && !floating)
            return context.error("'" + text.substr(0, 100) + "' is not a valid " +
                                 dtypeName(dtype));
        switch (dtype) {
        case DType::Int32:
            made.mutableAs<std::int32_t>()[i] = std::int32_t(integer.value_or(0));
            break;
        case DType::Int64: made.mutableAs<std::int64_t>()[i] = integer.value_or(0); break;
        case DType::Double: made.mutableAs<double>()[i] = floating.value_or(0); break;
        case DType::Float: made.mutableAs<float>()[i] = parseFloat32(text).value_or(0); break;
        default: return context.error("has no kernel for " + dtypeName(dtype));
        }
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(AsString, runAsString);
LAPIDARY_KERNEL(StringToNumber, runToNumber);

} // namespace lapidary
