// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/ops/op_registry.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Encoded attributes for generated nodes: values that an op allows, and values that it does not.

inline constexpr std::string_view kinds[] = {"string", "int",   "float",  "bool",
                                             "type",   "shape", "tensor", "func"};

std::string_view elementKind(const AttrSpec& spec); // "int" of int and of list(int)
bool isList(const AttrSpec& spec);

std::string scalarTensor(); // a TensorProto
// Returns the content of a Const; empty for types without generated constants.
std::string tensorOf(DType dtype, const Shape& shape, const std::vector<std::int64_t>& numbers);

// Encodes an element of AttrValue.ListValue, whose fields have the numbers of AttrValue's, except
// for functions.
std::string elementOf(std::string_view kind);
std::string listOf(std::string_view elements);
std::string valueOf(std::string_view kind);

// Return a value that the op accepts for this attribute.
std::string soundElement(const AttrSpec& spec);
std::string soundValue(const AttrSpec& spec);

} // namespace lapidary
