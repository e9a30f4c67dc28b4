// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

namespace lapidary {
namespace {

// SumAll adds all tensors of its list, and the parts of its first one, split; PassAll returns its
// list. Drawn draws a random number.
const char* const lists = R"text(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "y" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "two" op: "SumAll" input: "x" input: "y" attr { key: "N" value { i: 2 } } }
node { name: "three" op: "SumAll" input: "x" input: "y" input: "y"
  attr { key: "N" value { i: 3 } } }
node { name: "passed" op: "PassAll" input: "x" input: "y"
  attr { key: "T" value { list { type: DT_FLOAT type: DT_FLOAT } } } }
node { name: "drawn" op: "Drawn" }
node { name: "again" op: "Drawn" }
library {
  function {
    signature { name: "SumAll" input_arg { name: "all" type: DT_FLOAT number_attr: "N" }
                output_arg { name: "sum" type: DT_FLOAT }
                attr { name: "N" type: "int" } }
    node_def { name: "axis" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
      attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } } }
    node_def { name: "added" op: "AddN" input: "all"
      attr { key: "N" value { placeholder: "N" } } attr { key: "T" value { type: DT_FLOAT } } }
    node_def { name: "parts" op: "Split" input: "axis:output:0" input: "all:0"
      attr { key: "num_split" value { i: 2 } } attr { key: "T" value { type: DT_FLOAT } } }
    node_def { name: "joined" op: "AddN" input: "parts:output" input: "^added"
      attr { key: "N" value { i: 2 } } attr { key: "T" value { type: DT_FLOAT } } }
    node_def { name: "both" op: "Add" input: "added:sum:0" input: "joined:sum:0"
      attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "sum" value: "both:z:0" }
  }
  function {
    signature { name: "PassAll" input_arg { name: "all" type_list_attr: "T" }
                output_arg { name: "out" type_list_attr: "T" }
                attr { name: "T" type: "list(type)" } }
    node_def { name: "copy" op: "IdentityN" input: "all"
      attr { key: "T" value { placeholder: "T" } } }
    ret { key: "out" value: "copy:output" }
  }
  function {
    signature { name: "Drawn" output_arg { name: "out" type: DT_FLOAT } is_stateful: true }
    node_def { name: "shape" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
      attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } }
                                           int_val: 3 } } } }
    node_def { name: "random" op: "RandomUniform" input: "shape:output:0"
      attr { key: "T" value { type: DT_INT32 } } attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "seed" value { i: 5 } } attr { key: "seed2" value { i: 6 } } }
    ret { key: "out" value: "random:output:0" }
  }
}
versions { producer: 134 }
)text";

Session sessionOf(const char* text)
{
    auto model = readModelBytes(text, "lists.pbtxt", Job());
    REQUIRE(model.ok());
    REQUIRE_FALSE(model->isRefused());
    return Session(model->graphs.front().graph, {});
}

std::vector<float> fetched(Session& session, const std::vector<std::string>& names)
{
    RunRequest request;
    request.feeds = {{"x", valueOf<float>({2}, {1, 2})}, {"y", valueOf<float>({2}, {10, 20})}};
    request.fetches = names;
    const auto values = session.run(request, Job());
    INFO((values ? "" : values.error().message));
    REQUIRE(values.ok());
    std::vector<float> numbers;
    for (const Value& value : *values)
        for (const float number : value.as<float>())
            numbers.push_back(number);
    return numbers;
}

// x = [1, 2] and y = [10, 20]; the halves of x are [1] and [2].
TEST_CASE("lists are used whole inside functions", "[session][calls]")
{
    Session session = sessionOf(lists);
    CHECK(fetched(session, {"two"}) == std::vector<float>{14, 25});
    CHECK(fetched(session, {"three"}) == std::vector<float>{24, 45});
    CHECK(fetched(session, {"passed:0", "passed:1"}) == std::vector<float>{1, 2, 10, 20});
}

TEST_CASE("generators in functions go on from run to run of one request", "[session][calls]")
{
    Session session = sessionOf(lists);
    const auto first = fetched(session, {"drawn"});
    const auto second = fetched(session, {"drawn"});
    CHECK(first != second);
    // Another request starts anew, and does not disturb the first one.
    CHECK(fetched(session, {"again"}) == first);
    CHECK(fetched(session, {"drawn"}) != first);
}

} // namespace
TEST_CASE("a variable that a function was given says that its value is elsewhere", "[session]")
{
    Session session = sessionOf(R"text(
node { name: "given" op: "Placeholder" attr { key: "dtype" value { type: DT_RESOURCE } } }
node { name: "w" op: "ReadVariableOp" input: "given"
  attr { key: "dtype" value { type: DT_FLOAT } } }
versions { producer: 134 }
)text");
    const auto read = session.run({.feeds = {}, .fetches = {"w"}}, Job());
    REQUIRE_FALSE(read.ok());
    CHECK(
        read.error().message ==
        "given: this is a variable or table of the program that wrote the graph, and its value is "
        "not in the file: take the SavedModel of the model, or a graph that was frozen");
}

} // namespace lapidary
