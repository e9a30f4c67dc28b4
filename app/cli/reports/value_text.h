// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"
#include "runner/values/value.h"

#include <string>

namespace lapidary {

// Returns one line: type, shape, range and the first elements.
std::string valueText(const Value& value);

// Adds "data" (base64 of the row-major little-endian bytes), or "strings" (base64 each).
void addData(const Value& value, Json& json);

} // namespace lapidary
