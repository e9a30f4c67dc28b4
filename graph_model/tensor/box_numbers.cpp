// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/box_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace lapidary {
namespace {

using Numbers = std::span<const double>;
using Four = std::span<const double, 4>;

constexpr double mostRelative = 2;
constexpr double leastShare = 0.75;       // share of boxes with a size, if they are boxes
constexpr std::size_t fewestOfGrid = 128; // boxes; fewer do not show the rows of a grid
constexpr double clearlyMore = 1.5;

Four fourOf(Numbers numbers, std::size_t box)
{
    return Four(numbers.data() + 4 * box, 4);
}

// Returns whether the numbers are padding or not finite, and therefore say nothing.
bool isSilent(Four four)
{
    return !std::ranges::all_of(four, [](double x) { return std::isfinite(x); }) ||
           std::ranges::all_of(four, [](double x) { return x == 0; });
}

template <class Is>
double shareOf(Numbers numbers, const Is& is)
{
    std::int64_t all = 0;
    std::int64_t found = 0;
    for (std::size_t box = 0; box < numbers.size() / 4; ++box) {
        const Four four = fourOf(numbers, box);
        if (isSilent(four))
            continue;
        ++all;
        found += is(four) ? 1 : 0;
    }
    return all == 0 ? 1 : double(found) / double(all);
}

bool areCorners(Four four)
{
    return four[2] > four[0] && four[3] > four[1] && four[2] > 0 && four[3] > 0;
}

bool isCenterAndSize(Four four)
{
    return four[0] >= 0 && four[1] >= 0 && four[2] > 0 && four[3] > 0;
}

// Returns how often the centers of the boxes cross from one side to the other along each axis.
std::array<double, 2> swings(Numbers numbers)
{
    std::array<double, 2> way{};
    for (std::size_t axis = 0; axis < 2; ++axis) {
        std::optional<double> last;
        double least = 0;
        double most = 0;
        for (std::size_t box = 0; box < numbers.size() / 4; ++box) {
            const Four four = fourOf(numbers, box);
            if (isSilent(four))
                continue;
            const double middle = four[axis] + four[axis + 2];
            least = last ? std::min(least, middle) : middle;
            most = last ? std::max(most, middle) : middle;
            way[axis] += last ? std::abs(middle - *last) : 0;
            last = middle;
        }
        way[axis] = most > least ? way[axis] / (most - least) : 0;
    }
    return way;
}

// A coordinate beyond the shorter side of the picture must be along the longer one.
std::optional<BoxOrder> orderByPixels(Numbers numbers, PixelSize size)
{
    if (size.width <= 0 || size.height <= 0 || !arePixels(numbers))
        return {};
    std::array<double, 2> most{};
    for (std::size_t box = 0; box < numbers.size() / 4; ++box)
        if (const Four four = fourOf(numbers, box); !isSilent(four))
            for (std::size_t axis = 0; axis < 2; ++axis)
                most[axis] = std::max(most[axis], four[axis] + four[axis + 2]);
    const auto fits = [&](double wide, double high) {
        return wide <= 2.0 * size.width && high <= 2.0 * size.height;
    };
    const bool isXFirst = fits(most[0], most[1]);
    const bool isYFirst = fits(most[1], most[0]);
    if (isXFirst == isYFirst)
        return {};
    return isXFirst ? BoxOrder::LeftTopRightBottom : BoxOrder::TopLeftBottomRight;
}

} // namespace

bool arePixels(Numbers numbers)
{
    const auto reachesFar = [](Four four) {
        return std::ranges::any_of(four, [](double x) { return std::abs(x) > mostRelative; });
    };
    constexpr double most = 0.5;
    return std::ranges::any_of(numbers, [](double x) { return std::isfinite(x) && x != 0; }) &&
           shareOf(numbers, reachesFar) > most;
}

std::optional<BoxOrder> orderOf(Numbers numbers, PixelSize size, BoxOrder usual)
{
    const double corners = shareOf(numbers, areCorners);
    const double centers = shareOf(numbers, isCenterAndSize);
    if (std::max(corners, centers) < leastShare)
        return {};
    if (corners < leastShare || (usual == BoxOrder::CenterAndSize && centers >= leastShare))
        return BoxOrder::CenterAndSize;
    if (numbers.size() / 4 >= fewestOfGrid) {
        const auto [first, second] = swings(numbers);
        if (first > clearlyMore * second)
            return BoxOrder::LeftTopRightBottom;
        if (second > clearlyMore * first)
            return BoxOrder::TopLeftBottomRight;
    }
    const BoxOrder otherwise =
        usual == BoxOrder::CenterAndSize ? BoxOrder::TopLeftBottomRight : usual;
    return orderByPixels(numbers, size).value_or(otherwise);
}

} // namespace lapidary
