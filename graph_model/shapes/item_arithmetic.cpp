// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/item_arithmetic.h"

#include <algorithm>
#include <limits>

namespace lapidary::checked {
namespace {

bool cannotDivide(std::int64_t a, std::int64_t b)
{
    return b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min());
}

} // namespace

std::optional<std::int64_t> add(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

std::optional<std::int64_t> subtract(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

std::optional<std::int64_t> multiply(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

std::optional<std::int64_t> floorDivide(std::int64_t a, std::int64_t b)
{
    if (cannotDivide(a, b))
        return std::nullopt;
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::optional<std::int64_t> divide(std::int64_t a, std::int64_t b)
{
    return cannotDivide(a, b) ? std::nullopt : std::optional(a / b);
}

std::optional<std::int64_t> floorModulo(std::int64_t a, std::int64_t b)
{
    if (cannotDivide(a, b))
        return std::nullopt;
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::optional<std::int64_t> larger(std::int64_t a, std::int64_t b)
{
    return std::max(a, b);
}

std::optional<std::int64_t> smaller(std::int64_t a, std::int64_t b)
{
    return std::min(a, b);
}

} // namespace lapidary::checked
