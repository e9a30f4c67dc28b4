// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "runner/setup/prepare_run.h"
#include "tests/catch.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lapidary {
namespace {

const std::string one =
    "node { name: \"file\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_STRING } } "
    "attr { key: \"shape\" value { shape { unknown_rank: true } } } }\n";
const std::string batch =
    "node { name: \"file\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_STRING } } "
    "attr { key: \"shape\" value { shape { dim { size: -1 } } } } }\n";
const std::string wav = "node { name: \"sound\" op: \"DecodeWav\" input: \"file\" "
                        "attr { key: \"desired_channels\" value { i: 2 } } "
                        "attr { key: \"desired_samples\" value { i: 100 } } }\n";

// map_fn splits a batch into files in this way.
std::string mapped()
{
    const auto number = [](const std::string& name, const std::string& tensor) {
        return "node { name: \"" + name +
               "\" op: \"Const\" attr { key: \"dtype\" value { type: DT_INT32 } } attr { key: "
               "\"value\" value { tensor { dtype: DT_INT32 " +
               tensor + " } } } }\n";
    };
    return batch + number("count", "tensor_shape { } int_val: 1") +
           number("places", "tensor_shape { dim { size: 1 } } int_val: 0") +
           number("place", "tensor_shape { } int_val: 0") + R"(
node { name: "array" op: "TensorArrayV3" input: "count" attr { key: "dtype" value { type: DT_STRING } } }
node { name: "filled" op: "TensorArrayScatterV3" input: "array" input: "places" input: "file"
       input: "array:1" attr { key: "T" value { type: DT_STRING } } }
node { name: "read" op: "TensorArrayReadV3" input: "array" input: "place" input: "filled"
       attr { key: "dtype" value { type: DT_STRING } } }
node { name: "picture" op: "DecodeJpeg" input: "read" attr { key: "channels" value { i: 3 } } }
)";
}

Result<Value> answer(const std::string& text, const std::string& fetch, const FeedSource& source)
{
    const auto file = readModelBytes(text, "files.pbtxt", Job(), {.check = false});
    REQUIRE(file.ok());
    RunPlan plan;
    plan.fetches = {fetch};
    plan.otherInputs = source;
    ASSIGN_OR_RETURN(auto prepared, prepareRun(file->graphs.front(), "-", plan, Job()));
    ASSIGN_OR_RETURN(const auto answers, prepared.session.run(prepared.request, Job()));
    return answers.front();
}

TEST_CASE("an input that is read as a sound is fed one", "[setup]")
{
    const auto sound = answer(one + wav, "sound:0", RandomFeed{.seed = 1});
    INFO((sound.ok() ? "" : sound.error().message));
    REQUIRE(sound.ok());
    CHECK(sound->dims() == Dims{100, 2});
    const auto [least, largest] = std::ranges::minmax(sound->as<float>());
    CHECK(least < -0.5F);
    CHECK(largest > 0.5F);
    const auto other = answer(one + wav, "sound:0", RandomFeed{.seed = 2});
    REQUIRE(other.ok());
    CHECK_FALSE(std::ranges::equal(other->as<float>(), sound->as<float>()));

    const auto silence = answer(one + wav, "sound:0", ConstantFeed{0});
    REQUIRE(silence.ok());
    CHECK(std::ranges::all_of(silence->as<float>(), [](float x) { return x == 0; }));
}

TEST_CASE("an input whose elements are read as pictures is fed them", "[setup]")
{
    const auto picture = answer(mapped(), "picture:0", RandomFeed{.seed = 1});
    INFO((picture.ok() ? "" : picture.error().message));
    REQUIRE(picture.ok());
    CHECK(picture->dims() == Dims{224, 224, 3});
    const auto [least, largest] = std::ranges::minmax(picture->as<std::uint8_t>());
    CHECK(largest - least > 128);
}

TEST_CASE("an input that a function reads as a sound is fed one", "[setup]")
{
    const std::string called = one + R"(
node { name: "call" op: "StatefulPartitionedCall" input: "file"
       attr { key: "f" value { func { name: "Decode" } } }
       attr { key: "Tin" value { list { type: DT_STRING } } }
       attr { key: "Tout" value { list { type: DT_FLOAT } } } }
library { function {
  signature { name: "Decode" input_arg { name: "texts" type: DT_STRING }
              output_arg { name: "samples" type: DT_FLOAT } }
  node_def { name: "sound" op: "DecodeWav" input: "texts"
             attr { key: "desired_channels" value { i: 1 } }
             attr { key: "desired_samples" value { i: 50 } } }
  ret { key: "samples" value: "sound:audio:0" } } }
)";
    const auto sound = answer(called, "call:0", RandomFeed{.seed = 1});
    INFO((sound.ok() ? "" : sound.error().message));
    REQUIRE(sound.ok());
    CHECK(sound->dims() == Dims{50, 1});
}

TEST_CASE("an input whose texts are only moved is fed words", "[setup]")
{
    const std::string moved = one + "node { name: \"same\" op: \"Identity\" input: \"file\" "
                                    "attr { key: \"T\" value { type: DT_STRING } } }\n";
    const auto refused = answer(moved, "same:0", RandomFeed{});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().reason == ErrorReason::MissingSize);
}

} // namespace
} // namespace lapidary
