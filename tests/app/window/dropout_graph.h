// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary::testing {

// A dropout from the two numbers "x" to "y", as text, followed by more nodes. "prob", the share
// that is kept, does not declare that it is one number.
inline std::string dropoutGraph(const std::string& further = "")
{
    return R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "prob" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "size" op: "Shape" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "r" op: "RandomUniform" input: "size" attr { key: "T" value { type: DT_INT32 } }
  attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "sum" op: "Add" input: "prob" input: "r" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "mask" op: "Floor" input: "sum" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Mul" input: "x" input: "mask" attr { key: "T" value { type: DT_FLOAT } } }
)" + further +
           "\nversions { producer: 134 }\n";
}

} // namespace lapidary::testing
