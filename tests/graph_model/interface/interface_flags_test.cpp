// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/interface_flags.h"
#include "tests/catch.h"

using namespace lapidary;

namespace {

InterfaceChoice choice()
{
    InterfaceChoice out;
    out.inputs.push_back({NodeId{0}, "image:0", DType::Float, Shape{{1, 224, 224, 3}, false}});
    out.inputs.push_back({NodeId{1}, "keep:0", DType::Bool, Shape{}});
    out.outputs.push_back({NodeId{2}, "top k:1", DType::Int32, Shape{{-1, 5}, false}});
    return out;
}

Shape shape(std::string_view text)
{
    const auto parsed = parseShape(text);
    REQUIRE(parsed.ok());
    return *parsed;
}

} // namespace

TEST_CASE("the interface is written as each tool's flags", "[interface_flags]")
{
    CHECK(interfaceFlags(choice(), FlagStyle::TransformGraph, "a.pb") ==
          "--in_graph=a.pb --out_graph=out.pb --inputs=image,keep --outputs='top k:1'");
    CHECK(interfaceFlags(choice(), FlagStyle::BenchmarkModel, "a b.pb") ==
          "--graph='a b.pb' --input_layer=image,keep --input_layer_type=float,bool "
          "--input_layer_shape=1,224,224,3: --output_layer='top k:1'");
    CHECK(interfaceFlags(choice(), FlagStyle::FreezeGraph, "a.pb") ==
          "--input_graph=a.pb --input_binary=true --input_checkpoint=model.ckpt "
          "--output_graph=frozen.pb --output_node_names='top k'");
    CHECK(interfaceFlags(choice(), FlagStyle::Python, "a.pb") ==
          "inputs = [\n    \"image:0\",  # float [1, 224, 224, 3]\n    \"keep:0\",  # bool []\n]\n"
          "outputs = [\n    \"top k:1\",  # int32 [None, 5]\n]\n");
}

TEST_CASE("words are quoted so that a shell reads them back", "[interface_flags]")
{
    InterfaceChoice odd;
    odd.outputs.push_back({NodeId{0}, "it's;rm -rf $HOME:0", DType::Float, Shape{}});
    CHECK(interfaceFlags(odd, FlagStyle::TransformGraph, "a.pb")
              .ends_with("--outputs='it'\\''s;rm -rf $HOME'"));
}

TEST_CASE("shapes are read as people write them", "[interface_flags]")
{
    CHECK(shape("1,224,224,3") == Shape{{1, 224, 224, 3}, false});
    CHECK(shape("1x224x224x3") == Shape{{1, 224, 224, 3}, false});
    CHECK(shape("?\xC3\x97"
                "10") == Shape{{-1, 10}, false});
    CHECK(shape("[2, -1]") == Shape{{2, -1}, false});
    CHECK(shape("(5,)") == Shape{{5}, false});
    CHECK(shape("None,3") == Shape{{-1, 3}, false});
    CHECK(shape("[]") == Shape{});
    CHECK(shape("scalar") == Shape{});
    CHECK(shape("unknown").unknownRank);
    for (const char* bad :
         {"a", "1,,2", "-2", "1,2b", "99999999999999999999", "4294967296,4294967296,4294967296"})
        CHECK(!parseShape(bad).ok());
}
