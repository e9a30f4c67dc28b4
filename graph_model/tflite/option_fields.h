// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tflite/flex_map.h"
#include "graph_model/tflite/tflite_model.h"

#include <span>

namespace lapidary {

// A field of a table of options that is read: its index, its name in the schema, and its type.
struct OptionField {
    std::uint8_t table = 0; // BuiltinOptions
    std::uint16_t field = 0;
    std::string_view name;
    TfliteOption::Type type = TfliteOption::Type::Int;
    std::int64_t standard = 0;
};

// The fields of one table, in their order; empty for tables that are not known.
std::span<const OptionField> optionFields(std::uint8_t table);
// The options of a custom operator that are a row of numbers, as MediaPipe's are: they get the
// names of those of the builtin operator that is nearest. Empty for others, and where bytes are
// missing.
FlexMap plainOptions(std::string_view customCode, std::string_view bytes);

} // namespace lapidary
