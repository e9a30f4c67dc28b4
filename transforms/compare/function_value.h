// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/attr_value.h"

#include <map>
#include <string_view>

namespace lapidary {

// A NameAttrList (name 1, attr 2: a map of key 1 and value 2): a function and the attributes that
// it is called with.
struct FunctionValue {
    std::string_view name;
    std::map<std::string_view, AttrValue> attrs;
};
// Reads an attribute of kind Func; empty for others.
FunctionValue functionValue(const AttrValue& value);

} // namespace lapidary
