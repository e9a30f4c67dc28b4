// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Returns the AttrValue message of a value as a person writes it. `kind` is a kind of the op
// registry: "int" "-3"; "float" "1e-3"; "bool" "true"; "type" "float"; "shape" "1,224,?,3" is
// "1,224,-1,3"; "string" is the text itself; "list(int)" "1,2,2,1", brackets allowed, the shapes of
// a list separated by semicolons. The error says what cannot be read. Tensors and functions have no
// text.
Result<std::string> attributeFromText(std::string_view kind, std::string_view text);

// Returns the kind of the attribute `name` of this node: from the op registry, else from its
// present value; empty if neither knows.
std::string attributeKind(const Node& node, std::string_view name);

// Returns why the op does not allow a value that could be read: it is not one of its words or
// types, or too small. Empty if the op allows it or is not known.
std::string attributeFault(const Node& node, std::string_view name, std::string_view encoded);

} // namespace lapidary
