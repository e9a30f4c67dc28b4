// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tflite/flex_map.h"
#include "graph_model/tflite/tflite_model.h"

#include <span>

namespace lapidary {

// A field of an options table that is read: its index, its name in the schema, and its type.
struct OptionField {
    std::uint8_t table = 0; // BuiltinOptions
    std::uint16_t field = 0;
    std::string_view name;
    TfliteOption::Type type = TfliteOption::Type::Int;
    std::int64_t standard = 0;
};

// Returns the fields of one table, in their order; empty for unknown tables.
std::span<const OptionField> optionFields(std::uint8_t table);
// Returns the options of a custom operator that are an array of numbers, as MediaPipe's are, under
// the names of the most similar builtin operator. Empty for others, and if bytes are missing.
FlexMap plainOptions(std::string_view customCode, std::string_view bytes);

} // namespace lapidary
