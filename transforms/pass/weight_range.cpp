#include "transforms/pass/weight_range.h"

#include "graph_model/tensor/shape.h"
#include "transforms/pass/const_node.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace lapidary {

WeightRange weightRange(const std::vector<float>& values)
{
    WeightRange range{FLT_MAX, FLT_MIN};
    for (const float value : values) {
        range.min = std::min(range.min, value);
        range.max = std::max(range.max, value);
    }
    return range;
}

Result<std::string> rewriteWeights(const Node& node, std::uint64_t fewest,
                                   const std::function<void(const std::vector<float>&)>& use)
{
    const auto fault = [&](const std::string& what) {
        return Error{ErrorCode::InvalidArgument, std::string(node.name()) + ": " + what};
    };
    if (!node.hasAttr("dtype"))
        return fault("a Const without the attribute dtype");
    if (!node.hasAttr("value"))
        return fault("a Const without the attribute value");
    const auto tensor = node.tensor();
    if (!tensor)
        return fault("its value cannot be decoded: " + tensor.error().message);
    if (node.attr("dtype").asType() != DType::Float || tensor.value().dtype() != DType::Float)
        return std::string("it is not float");
    if (std::uint64_t(tensor.value().elements()) < fewest)
        return "it has only " + std::to_string(tensor.value().elements()) + " elements";
    const auto values = floatValues(node);
    if (!values)
        return fault(values.error().message);
    if (!std::ranges::all_of(values.value(), [](float v) { return std::isfinite(v); }))
        return std::string("it holds NaN or infinity");
    const WeightRange range = weightRange(values.value());
    if (!std::isfinite(std::max(range.max, 0.0F) - std::min(range.min, 0.0F)))
        return std::string("its range is too large for a float");
    use(values.value());
    return std::string();
}

} // namespace lapidary
