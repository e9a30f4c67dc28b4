// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace lapidary::checked {

// Arithmetic on two known sizes. Returns nothing if the result exceeds 64 bits or a division is
// undefined.
using Combine = std::optional<std::int64_t> (*)(std::int64_t a, std::int64_t b);

std::optional<std::int64_t> add(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> subtract(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> multiply(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> floorDivide(std::int64_t a, std::int64_t b); // towards -infinity
std::optional<std::int64_t> divide(std::int64_t a, std::int64_t b);      // towards zero
std::optional<std::int64_t> floorModulo(std::int64_t a, std::int64_t b); // with the sign of b
std::optional<std::int64_t> larger(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> smaller(std::int64_t a, std::int64_t b);

} // namespace lapidary::checked
