// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/onnx/onnx_model.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lapidary::foreign {

inline OnnxAttribute number(std::string name, std::int64_t value)
{
    OnnxAttribute attribute{.name = std::move(name)};
    attribute.number = value;
    return attribute;
}

inline OnnxAttribute list(std::string name, std::vector<std::int64_t> values)
{
    OnnxAttribute attribute{.name = std::move(name), .type = OnnxAttribute::Type::Ints};
    attribute.numbers = std::move(values);
    return attribute;
}

inline OnnxAttribute word(std::string name, std::string value)
{
    OnnxAttribute attribute{.name = std::move(name), .type = OnnxAttribute::Type::String};
    attribute.text = std::move(value);
    return attribute;
}

inline OnnxAttribute reals(std::string name, std::vector<float> values)
{
    OnnxAttribute attribute{.name = std::move(name), .type = OnnxAttribute::Type::Floats};
    attribute.reals = std::move(values);
    return attribute;
}

inline OnnxAttribute words(std::string name, std::vector<std::string> values)
{
    OnnxAttribute attribute{.name = std::move(name), .type = OnnxAttribute::Type::Strings};
    attribute.texts = std::move(values);
    return attribute;
}

} // namespace lapidary::foreign
