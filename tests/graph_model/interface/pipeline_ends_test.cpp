// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/interface.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"

#include <string>

namespace lapidary {

// The op that gave each device its examples before TensorFlow 1.14; later versions lack it.
TEST_CASE("the buffer of examples for a device is an input, with each of its types", "[interface]")
{
    const std::string text = R"(
node { name: "buffer" op: "ExperimentalFunctionBufferingResource" }
node { name: "next" op: "ExperimentalFunctionBufferingResourceGetNext" input: "buffer"
       attr { key: "output_types" value { list { type: DT_FLOAT type: DT_INT32 } } }
       attr { key: "_output_shapes" value { list { shape { dim { size: 2 } dim { size: 3 } }
                                                   shape { dim { size: 2 } } } } } }
node { name: "w" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 3 } dim { size: 4 } } } } }
node { name: "product" op: "MatMul" input: "next" input: "w"
       attr { key: "T" value { type: DT_FLOAT } } }
node { name: "label" op: "Cast" input: "next:1" attr { key: "SrcT" value { type: DT_INT32 } }
       attr { key: "DstT" value { type: DT_FLOAT } } }
node { name: "gap" op: "Sub" input: "product" input: "label"
       attr { key: "T" value { type: DT_FLOAT } } })";
    const auto file = readModelBytes(text, "buffered.pbtxt", Job(), {.check = false});
    REQUIRE(file.ok());
    const GraphEntry& entry = file->graphs.front();
    const InterfaceChoice choice = likelyChoice(*entry.graph, guessInterface(entry));
    REQUIRE(choice.inputs.size() == 2);
    CHECK(choice.inputs[0].tensor == "next:0");
    CHECK(choice.inputs[0].dtype == DType::Float);
    CHECK(choice.inputs[0].shape == Shape{{2, 3}});
    CHECK(choice.inputs[1].tensor == "next:1");
    CHECK(choice.inputs[1].dtype == DType::Int32);
}

} // namespace lapidary
