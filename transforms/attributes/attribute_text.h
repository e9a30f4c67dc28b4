// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The AttrValue message of a value as a person writes it. `kind` as in the op registry: "int"
// "-3"; "float" "1e-3"; "bool" "true"; "type" "float"; "shape" "1,224,?,3" is "1,224,-1,3";
// "string" is the text itself; "list(int)" "1,2,2,1", brackets allowed, the shapes of a list
// between semicolons. The error says what cannot be read. Tensors and functions have no text.
Result<std::string> attributeFromText(std::string_view kind, std::string_view text);

// Returns the kind of the attribute `name` of this node: by the op registry, else by the value that
// is there; empty if neither knows.
std::string attributeKind(const Node& node, std::string_view name);

// Why the op does not allow a value that can be read: not one of its words or types, or too small.
// Empty where it does, or is not known.
std::string attributeFault(const Node& node, std::string_view name, std::string_view encoded);

} // namespace lapidary
