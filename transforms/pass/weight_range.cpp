#include "transforms/pass/weight_range.h"

#include "graph_model/tensor/shape.h"
#include "transforms/pass/const_node.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>

namespace lapidary {

namespace {

// Several ranges side by side: one vector of each, where a single one would make a chain.
struct Lanes {
    static constexpr std::size_t count = 16;
    std::array<float, count> min{};
    std::array<float, count> max{};
    std::array<std::uint32_t, count> isSpecial{};

    void add(const float* values)
    {
        constexpr std::uint32_t exponent = 0x7F800000; // all ones: NaN or infinity
        for (std::size_t i = 0; i < count; ++i) {
            const float value = values[i];
            min[i] = value < min[i] ? value : min[i];
            max[i] = max[i] < value ? value : max[i];
            const auto bits = std::bit_cast<std::uint32_t>(value) & exponent;
            isSpecial[i] |= bits == exponent ? 1U : 0U;
        }
    }
};

} // namespace

std::optional<WeightRange> weightRange(std::span<const float> values)
{
    Lanes lanes;
    lanes.min.fill(FLT_MAX);
    lanes.max.fill(FLT_MIN);
    std::size_t i = 0;
    for (; i + Lanes::count <= values.size(); i += Lanes::count)
        lanes.add(values.data() + i);
    if (i < values.size()) {
        std::array<float, Lanes::count> rest{};
        rest.fill(values[i]);
        std::ranges::copy(values.subspan(i), rest.begin());
        lanes.add(rest.data());
    }
    if (std::ranges::any_of(lanes.isSpecial, [](std::uint32_t flag) { return flag != 0; }))
        return std::nullopt;
    WeightRange range{std::ranges::min(lanes.min), std::ranges::max(lanes.max)};
    if (range.min == 0) // the first zero counts, whichever sign it has
        range.min = *std::ranges::find(values, 0.0F);
    return range;
}

Result<std::string> rewriteWeights(const Node& node, std::uint64_t fewest, const UseWeights& use)
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
    auto values = storedFloats(node);
    if (!values)
        return fault(values.error().message);
    const auto range = weightRange(values.value());
    if (!range)
        return std::string("it holds NaN or infinity");
    if (!std::isfinite(std::max(range->max, 0.0F) - std::min(range->min, 0.0F)))
        return std::string("its range is too large for a float");
    use(std::move(values).value(), *range);
    return std::string();
}

} // namespace lapidary
