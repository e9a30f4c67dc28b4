// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace lapidary {

using BoundAttrs = std::map<std::string, std::string>; // name: encoded AttrValue

// A function that a node names, with the values that it gives to the function's attributes.
struct FunctionReference {
    std::string name; // empty: there is none
    BoundAttrs attrs;
};

// Returns the `index`-th function that an attribute names, which is of kind Func or a list of them.
FunctionReference referenceIn(const AttrValue& value, std::size_t index = 0);
// Returns all functions that the attribute names.
std::vector<FunctionReference> referencesIn(const AttrValue& value);
// Returns the reference of a node whose op is a function of the library: its attributes are the
// function's.
FunctionReference referenceByOp(const Node& caller);

} // namespace lapidary
