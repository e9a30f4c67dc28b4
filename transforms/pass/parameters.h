// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// The parameters of one step of a recipe: each name with its values in the order of the text.
// Getters read as the original does (spec: transforms, section 3.10); errors name the parameter.
class Parameters {
public:
    Parameters() = default;

    void add(std::string name, std::string value);
    std::size_t count(std::string_view name) const;
    std::vector<std::string> all(std::string_view name) const;
    const std::vector<std::pair<std::string, std::string>>& entries() const { return m_entries; }

    Result<std::string> oneString(std::string_view name, std::string_view fallback) const;
    Result<std::int32_t> oneInt32(std::string_view name, std::int32_t fallback) const;
    Result<std::int64_t> oneInt64(std::string_view name, std::int64_t fallback) const;
    Result<float> oneFloat(std::string_view name, float fallback) const;
    Result<bool> oneBool(std::string_view name, bool fallback) const;
    // Returns the value of a parameter that has to be given exactly once.
    Result<std::string> required(std::string_view name, std::string_view pass) const;

    bool operator==(const Parameters&) const = default;

private:
    std::vector<std::pair<std::string, std::string>> m_entries;
};

// Parses "1, 224,224,3", where -1 is an unknown size. Also parses "scalar" and "unknown".
Result<Shape> parseShapeList(std::string_view text);

} // namespace lapidary
