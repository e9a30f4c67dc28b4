// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <string>
#include <vector>

namespace lapidary {

// One condition on an attribute: strides=1, padding!=VALID, shape=[-1,224,224,3]. Values are globs
// over the text of a value; numbers are compared as numbers.
struct AttributeTest {
    std::string attribute; // "name" and "device": the node's own
    std::vector<std::string> values;
    bool isList = false; // fits a list or shape of exactly these values; else every element has to
                         // fit the value
    bool isNegated =
        false; // fits what the plain test does not fit, and nodes without the attribute
};

// Returns whether a node passes; an attribute that it leaves out has its op's default.
bool fitsTest(const Node& node, const AttributeTest& test);

} // namespace lapidary
