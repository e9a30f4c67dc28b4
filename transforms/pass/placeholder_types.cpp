#include "transforms/pass/placeholder_types.h"

#include <algorithm>

namespace lapidary {
namespace {

Result<DType> dtypeOf(const std::string& text)
{
    const auto dtype = parseDtype(text);
    const bool hasCapitals = std::ranges::any_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!dtype || hasCapitals)
        return Error{ErrorCode::InvalidArgument,
                     "\"" + text + "\" is no dtype; write float, int32, uint8, string..."};
    return *dtype;
}

} // namespace

Result<PlaceholderType> placeholderType(const std::string& node, const Parameters& parameters)
{
    const auto type = parameters.oneString("type", "float");
    if (!type)
        return type.error();
    const auto shape = parameters.oneString("shape", "");
    if (!shape)
        return shape.error();
    std::string dtypeText = type.value();
    std::string shapeText = shape.value();
    bool hasShape = parameters.count("shape") > 0;
    const auto names = parameters.all("name");
    const auto types = parameters.all("type_for_name");
    const auto shapes = parameters.all("shape_for_name");
    if (names.size() != types.size() || names.size() != shapes.size())
        return Error{ErrorCode::InvalidArgument,
                     "strip_unused_nodes needs as many type_for_name and shape_for_name as name"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] != node)
            continue;
        dtypeText = types[i];
        shapeText = shapes[i];
        hasShape = true;
    }
    const auto dtype = dtypeOf(dtypeText);
    if (!dtype)
        return dtype.error();
    if (!hasShape)
        return PlaceholderType{dtype.value(), {}};
    auto dims = parseShapeList(shapeText);
    if (!dims)
        return dims.error();
    return PlaceholderType{dtype.value(), std::move(dims).value()};
}

} // namespace lapidary
