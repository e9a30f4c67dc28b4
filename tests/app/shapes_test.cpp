// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

// A layer in a function, as TensorFlow 2 saves networks.
const char* const calling = R"(
node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } }
  attr { key: 'shape' value { shape { dim { size: -1 } dim { size: 3 } } } } }
node { name: 'w' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } }
  attr { key: 'value' value { tensor { dtype: DT_FLOAT
    tensor_shape { dim { size: 3 } dim { size: 4 } } float_val: 1 } } } }
node { name: 'layer' op: 'Layer' input: 'x' input: 'w' }
node { name: 'y' op: 'Relu' input: 'layer' attr { key: 'T' value { type: DT_FLOAT } } }
library { function {
  signature { name: 'Layer' input_arg { name: 'a' type: DT_FLOAT }
    input_arg { name: 'b' type: DT_FLOAT } output_arg { name: 'c' type: DT_FLOAT } }
  node_def { name: 'product' op: 'MatMul' input: 'a' input: 'b'
    attr { key: 'T' value { type: DT_FLOAT } } }
  ret { key: 'c' value: 'product:product:0' } } }
versions { producer: 134 }
)";

TEST_CASE("shapes counts what the functions of a graph cost", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("calling.pbtxt", calling);
    const auto cost = runLapidary({"shapes", graph, "--shape", "x=2,3", "--cost", "--json"}).json();
    CHECK(cost["cost"]["flops"] == 48); // 2 x 2 rows x 3 x 4
    CHECK(cost["cost"]["parameters"] == 12);
    CHECK(cost["cost"]["uncertain_nodes"] == 0);
    CHECK(cost["cost"]["opened"] == "functions opened");
    CHECK(cost["cost"]["scopes"]["layer"]["flops"] == 48);

    const Ran known = runLapidary({"shapes", graph, "--shape", "x=2,3", "--cost"});
    CHECK(known.out.find("with the functions that it calls") != std::string::npos);
    CHECK(known.out.find("FLOPs 48,") != std::string::npos);
    const Ran open = runLapidary({"shapes", graph, "--cost"});
    CHECK(open.out.find("nodes are of unknown size") != std::string::npos);
}

} // namespace
} // namespace lapidary
