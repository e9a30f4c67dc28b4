// SPDX-License-Identifier: Apache-2.0
#include "transforms/edits/placeholder_types.h"

#include <algorithm>

namespace lapidary {
namespace {

Result<DType> dtypeOf(const std::string& text)
{
    const auto dtype = parseDtype(text);
    const bool hasCapitals = std::ranges::any_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!dtype || hasCapitals)
        return Error{ErrorCode::InvalidArgument,
                     "\"" + text + "\" is not a dtype; write float, int32, uint8, string..."};
    return *dtype;
}

} // namespace

Result<PlaceholderType> placeholderType(const std::string& node, const Parameters& parameters)
{
    ASSIGN_OR_RETURN(const auto type, parameters.oneString("type", "float"));
    const auto shape = parameters.oneString("shape", "");
    RETURN_IF_ERROR(shape);
    std::string dtypeText = type;
    std::string shapeText = *shape;
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
    ASSIGN_OR_RETURN(const auto dtype, dtypeOf(dtypeText));
    if (!hasShape)
        return PlaceholderType{dtype, {}};
    ASSIGN_OR_RETURN(auto dims, parseShapeList(shapeText));
    return PlaceholderType{dtype, std::move(dims)};
}

} // namespace lapidary
