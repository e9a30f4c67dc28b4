// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace lapidary {

// Returns a number of a JSON object, rounded; 0 if there is none or it does not fit into 64 bits.
// The file may have been edited by hand.
template <class Json>
std::int64_t wholeNumber(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number())
        return 0;
    if (found->is_number_integer())
        return found->template get<std::int64_t>();
    const double number = found->template get<double>();
    return number > -9e18 && number < 9e18 ? std::llround(number) : 0;
}

} // namespace lapidary
