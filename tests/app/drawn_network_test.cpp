// SPDX-License-Identifier: Apache-2.0
#include "app/base/drawn_network.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"

#include <string>

namespace lapidary {
namespace {

// A function that doubles its argument, and a node that calls it by its name.
const char* const doubled = R"(
node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }
node { name: 'twice' op: 'Double' input: 'x' }
node { name: 'y' op: 'Relu' input: 'twice' attr { key: 'T' value { type: DT_FLOAT } } }
library {
  function {
    signature {
      name: 'Double'
      input_arg { name: 'a' type: DT_FLOAT }
      output_arg { name: 'b' type: DT_FLOAT }
    }
    node_def {
      name: 'sum' op: 'Add' input: 'a' input: 'a'
      attr { key: 'T' value { type: DT_FLOAT } }
    }
    ret { key: 'b' value: 'sum:z:0' }
  }
}
versions { producer: 134 }
)";

std::optional<GraphEntry> drawn(const std::string& text)
{
    const auto file = readModelBytes(text, "graph.pbtxt", Job());
    REQUIRE(file.ok());
    return drawnNetwork(file->graphs.at(0), Job());
}

} // namespace

TEST_CASE("functions that a graph calls are drawn in place", "[cli]")
{
    const auto opened = drawn(doubled);
    REQUIRE(opened.has_value());
    CHECK(opened->title == "functions opened");
    CHECK(opened->graph->find("twice/sum").isValid());
    CHECK(!opened->graph->find("twice").isValid());
    // A library without calls changes nothing.
    std::string uncalled = doubled;
    uncalled.replace(uncalled.find("op: 'Double'"), 12, "op: 'Neg'");
    CHECK(!drawn(uncalled).has_value());
}

} // namespace lapidary
