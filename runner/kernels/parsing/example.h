// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace lapidary {

// One feature of a tf.Example: a list of one type. Strings are views into the serialized message.
struct ExampleFeature {
    DType dtype = DType::Invalid; // Invalid: no list at all
    std::vector<float> floats;
    std::vector<std::int64_t> integers;
    std::vector<std::string_view> strings;

    std::size_t size() const { return floats.size() + integers.size() + strings.size(); }
};
using Example = std::map<std::string_view, ExampleFeature>;

// Returns nothing if the bytes are not an Example.
std::optional<Example> parseExample(std::string_view serialized);

// A tf.SequenceExample: features of the whole sequence, and lists with one feature for each step.
struct SequenceExample {
    Example context;
    std::map<std::string_view, std::vector<ExampleFeature>> lists;
};
// Returns nothing if the bytes are not a SequenceExample.
std::optional<SequenceExample> parseSequenceExample(std::string_view serialized);

} // namespace lapidary
