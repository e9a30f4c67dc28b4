// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/ops/op_registry.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Encoded attributes for nodes that are made by machine: what an op allows, and what it does not.

inline constexpr std::string_view kinds[] = {"string", "int",   "float",  "bool",
                                             "type",   "shape", "tensor", "func"};

std::string_view elementKind(const AttrSpec& spec); // "int" of int and of list(int)
bool isList(const AttrSpec& spec);

std::string scalarTensor(); // a TensorProto
// Returns the content of a Const; empty for types of which no constant is drawn.
std::string tensorOf(DType dtype, const Shape& shape, const std::vector<std::int64_t>& numbers);

// An element of AttrValue.ListValue, which numbers its fields as AttrValue does, except for
// functions.
std::string elementOf(std::string_view kind);
std::string listOf(std::string_view elements);
std::string valueOf(std::string_view kind);

// Return a value that the op accepts for this attribute.
std::string soundElement(const AttrSpec& spec);
std::string soundValue(const AttrSpec& spec);

} // namespace lapidary
