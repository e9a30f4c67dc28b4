// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "runner/setup/prepare_run.h"
#include "tests/catch.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lapidary {
namespace {

std::string textConst(const std::string& name, const std::string& text)
{
    return "node { name: \"" + name +
           "\" op: \"Const\" attr { key: \"dtype\" value { type: DT_STRING } } attr { key: "
           "\"value\" value { tensor { dtype: DT_STRING tensor_shape { } string_val: \"" +
           text + "\" } } } }\n";
}

// Sets the default of a feature; without elements there is none.
std::string defaultConst(const std::string& name, const std::string& values)
{
    return "node { name: \"" + name +
           "\" op: \"Const\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: "
           "\"value\" value { tensor { dtype: DT_FLOAT " +
           values + " } } } }\n";
}

// An input as Estimators export it for serving: x and n are required, d is not.
std::string served(const std::string& defaultOfX = "tensor_shape { dim { size: 0 } }")
{
    const std::string shapes =
        "shape { dim { size: 2 } } shape { dim { size: 1 } } shape { dim { size: 1 } }";
    return R"(
node { name: "names" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
       attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape { dim { size: 0 } } } } } }
node { name: "examples" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } }
       attr { key: "shape" value { shape { dim { size: -1 } } } } }
)" + textConst("x", "x") +
           textConst("n", "n") + textConst("d", "d") + defaultConst("dx", defaultOfX) +
           defaultConst("dd", "tensor_shape { dim { size: 1 } } "
                              "float_val: 7") +
           R"(
node { name: "dn" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
       attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape { dim { size: 0 } } } } } }
node { name: "parsed" op: "ParseExample" input: "examples" input: "names"
       input: "x" input: "n" input: "d" input: "dx" input: "dn" input: "dd"
       attr { key: "Nsparse" value { i: 0 } } attr { key: "Ndense" value { i: 3 } }
       attr { key: "sparse_types" value { list { } } }
       attr { key: "Tdense" value { list { type: DT_FLOAT type: DT_INT64 type: DT_FLOAT } } }
       attr { key: "dense_shapes" value { list { )" +
           shapes + " } } } }\n";
}

std::vector<Value> answersTo(const std::string& text, const RunPlan& plan)
{
    const auto file = readModelBytes(text, "served.pbtxt", Job(), {.check = false});
    REQUIRE(file.ok());
    auto prepared = prepareRun(file->graphs.front(), "-", plan, Job());
    INFO((prepared.ok() ? "" : prepared.error().message));
    REQUIRE(prepared.ok());
    auto answers = prepared->session.run(prepared->request, Job());
    INFO((answers.ok() ? "" : answers.error().message));
    REQUIRE(answers.ok());
    return *std::move(answers);
}

std::vector<float> floatsOf(const Value& value)
{
    const auto numbers = value.as<float>();
    return {numbers.begin(), numbers.end()};
}

TEST_CASE("texts that are parsed as examples hold what has no default", "[setup]")
{
    RunPlan plan;
    plan.fetches = {"parsed:0", "parsed:1", "parsed:2"};
    plan.otherInputs = ConstantFeed{3};
    const auto same = answersTo(served(), plan);
    CHECK(floatsOf(same[0]) == std::vector<float>{3, 3});
    CHECK(same[1].as<std::int64_t>()[0] == 3);
    CHECK(floatsOf(same[2]) == std::vector<float>{7}); // its default

    plan.otherInputs = RandomFeed{.seed = 1};
    plan.shapes = {{"examples", Shape{{2}}}};
    const std::vector<float> random = floatsOf(answersTo(served(), plan)[0]);
    REQUIRE(random.size() == 4);
    CHECK(random[0] != random[2]); // each example differs
    plan.otherInputs = RandomFeed{.seed = 2};
    CHECK(floatsOf(answersTo(served(), plan)[0]) != random);
}

TEST_CASE("a feature that has a default is left to it", "[setup]")
{
    RunPlan plan;
    plan.fetches = {"parsed:0"};
    plan.otherInputs = ConstantFeed{3};
    const auto values = answersTo(served("tensor_shape { dim { size: 2 } } float_val: 5"), plan);
    CHECK(floatsOf(values[0]) == std::vector<float>{5, 5});
}

} // namespace
} // namespace lapidary
