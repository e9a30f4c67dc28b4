// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/wire.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

inline std::string field(std::uint32_t number, std::string_view value)
{
    std::string out;
    WireWriter(out).bytes(number, value);
    return out;
}

// A node of a GraphDef.
inline std::string node(const std::string& name)
{
    return field(1, field(1, name) + field(2, "NoOp"));
}

} // namespace lapidary
