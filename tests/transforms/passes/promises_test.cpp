// SPDX-License-Identifier: Apache-2.0
// The promises of every pass, tried on graphs in which most of them find something.
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"

namespace lapidary {
namespace {

constexpr std::size_t weightCount = 3 * 3 * 4 * 4;

TestAttrs convolutionIn(const char* format)
{
    return {{"strides", attr::fromInts({1, 1, 1, 1})},
            {"padding", attr::fromString("SAME")},
            {"data_format", attr::fromString(format)}};
}

// Weights through Identity, batch normalization, a factor, copies, twins and a shape.
GraphBuilder network(const char* format)
{
    std::vector<float> weights(weightCount);
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = float(i % 17) / 17 - 0.4F;
    GraphBuilder builder;
    builder.placeholder("x", {1, 4, 4, 4})
        .floats("w", {3, 3, 4, 4}, weights)
        .node("w/read", "Identity", {"w"})
        .node("conv", "Conv2D", {"x", "w/read"}, convolutionIn(format))
        .floats("scale", {4}, {1, 2, 0.5F, 3})
        .floats("offset", {4}, {0, 1, -1, 2})
        .floats("mean", {4}, {0.1F, 0.2F})
        .floats("variance", {4}, {1, 0.5F})
        .node("norm", "FusedBatchNorm", {"conv", "scale", "offset", "mean", "variance"},
              {{"is_training", attr::fromBool(false)}, {"data_format", attr::fromString(format)}})
        .node("relu", "Relu", {"norm"})
        .node("twin_a", "Neg", {"relu"})
        .node("twin_b", "Neg", {"relu"})
        .node("sum", "Add", {"twin_a", "twin_b"})
        .node("copied", "Identity", {"sum"})
        .node("y", "Relu", {"copied"});
    return builder;
}

struct Variant {
    const char* what;
    GraphBuilder builder;
    std::vector<std::string> outputs;
};

std::vector<Variant> variants()
{
    std::vector<Variant> all{{"plain", network("NHWC"), {"y"}},
                             {"channels in front", network("NCHW"), {"y"}},
                             {"second readers", network("NHWC"), {"y", "also"}},
                             {"inner outputs", network("NHWC"), {"y", "conv", "w/read"}},
                             {"control edges", network("NHWC"), {"y", "late"}}};
    all[2].builder.node("also", "Neg", {"conv"}).node("weights_too", "Neg", {"w/read"});
    all[4]
        .builder.node("first", "NoOp", {"^conv", "^w", "^norm", "^twin_a", "^copied"})
        .node("late", "Neg", {"x", "^first"});
    return all;
}

// Steps whose results may differ by rounding.
constexpr const char* steps[] = {"add_default_attributes",   "backport_concatv2",
                                 "backport_tensor_array_v3", "clean",
                                 "drop_dead_channels",       "equalize_layers",
                                 "flatten_atrous_conv",      "fold_batch_norms",
                                 "fold_constants",           "fold_old_batch_norms",
                                 "fuse_pad_and_conv",        "fuse_resize_and_conv",
                                 "fuse_resize_pad_and_conv", "merge_duplicate_nodes",
                                 "obfuscate_names",          "remove_control_dependencies",
                                 "remove_dead_nodes",        "remove_device",
                                 "remove_identity",          "remove_nodes(op=Identity)",
                                 "sort_by_execution_order",  "sparsify_gather",
                                 "strip_unused_nodes"};

} // namespace

TEST_CASE("passes keep results, names of the model and their promises", "[passes]")
{
    for (const Variant& variant : variants()) {
        const GraphPtr before = variant.builder.build();
        for (const char* step : steps) {
            INFO(variant.what << ": " << step);
            const auto edit = applyPass(step, before, {"x"}, variant.outputs);
            INFO((edit.ok() ? std::string() : edit.error().message));
            REQUIRE(edit.ok());
            const GraphPtr& after = edit->graph;
            for (const std::string& output : variant.outputs)
                CHECK(hasNode(after, output));
            CHECK(hasNode(after, "x"));
            // There is no kernel for convolutions with the channels first.
            if (variant.what != std::string("channels in front"))
                CHECK(computesOther(before, after, variant.outputs) == "");
        }
    }
}

TEST_CASE("a second run finds nothing more to do, unless the table says so", "[passes]")
{
    for (const Variant& variant : variants()) {
        for (const char* step : steps) {
            INFO(variant.what << ": " << step);
            const Pass* pass =
                findPass(std::string_view(step).substr(0, std::string_view(step).find('(')));
            REQUIRE(pass != nullptr);
            const GraphPtr once = passed(step, variant.builder.build(), {"x"}, variant.outputs);
            if (!pass->repeats)
                CHECK(passed(step, once, {"x"}, variant.outputs) == once);
        }
    }
}

} // namespace lapidary
