// SPDX-License-Identifier: Apache-2.0
// Attributes and ports that no program writes: shape rules terminate, and use no more memory than
// the size of the file.
#include "graph_model/graph/function.h"
#include "graph_model/shapes/inferred_shapes.h"
#include "graph_model/shapes/rule_context.h"
#include "graph_model/tensor/einsum_equation.h"
#include "tests/catch.h"
#include "tests/made_graph.h"

#include <limits>

namespace lapidary {
namespace {

// Three times this is 2, modulo 2^64.
constexpr std::int64_t third = 0x5555555555555556;

RuleContext applied(const NodePtr& node, const std::vector<TensorState>& inputs,
                    std::size_t outputs)
{
    RuleContext context(*node, 27, inputs, outputs);
    findShapeRule(node->op())->infer(context);
    return context;
}

TensorState of(std::vector<std::int64_t> dims)
{
    TensorState state;
    state.dtype = DType::Float;
    state.shape = {std::move(dims), false};
    return state;
}

TEST_CASE("an einsum with two ellipses in a term is refused", "[runner][shapes]")
{
    const std::vector<Shape> inputs{{{2, 3, 4}, false}};
    CHECK_FALSE(readEinsum("......->", inputs));
    CHECK_FALSE(readEinsum("...a...->a", inputs));
    CHECK_FALSE(readEinsum("a...->......a", inputs));
    CHECK(readEinsum("a...->...a", inputs));
}

TEST_CASE("counts of outputs that wrap around end", "[runner][shapes]")
{
    const auto decoder =
        node("d", "CTCBeamSearchDecoder", {}, {{"top_paths", attr::fromInt(third)}});
    CHECK(applied(decoder, {of({5, 2, 7}), of({2})}, 4).outputs().size() == 4);
    const auto parser = node("p", "ParseExampleV2", {}, {{"num_sparse", attr::fromInt(third)}});
    CHECK(applied(parser, {of({2})}, 2).failed());
    // Five times this is 4, modulo 2^64.
    const auto trees = node("t", "BoostedTreesUpdateEnsemble", {},
                            {{"num_features", attr::fromInt(0x3333333333333334)}});
    CHECK(applied(trees, std::vector<TensorState>(8, of({1})), 0).failed());
}

TEST_CASE("no rule makes a size below -1", "[runner][shapes]")
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const auto patches = node("e", "ExtractImagePatches", {},
                              {{"ksizes", attr::fromInts({1, 0, 1, 1})},
                               {"strides", attr::fromInts({1, most, 1, 1})},
                               {"rates", attr::fromInts({1, 1, 1, 1})},
                               {"padding", attr::fromString("VALID")}});
    const auto stack = node("s", "TensorListStack", {}, {{"num_elements", attr::fromInt(-7)}});
    RuleContext windows = applied(patches, {of({1, most, 5, 1})}, 1);
    CHECK(windows.outputs()[0].shape.dims[1] == 2);
    TensorState list = of({});
    auto facts = std::make_shared<HandleFacts>();
    facts->shape = {{3}, false};
    list.handle = facts;
    CHECK(applied(stack, {list, of({1})}, 1).outputs()[0].shape == Shape{{-1, 3}, false});
}

TEST_CASE("rules take numbers at the ends of 64 bits", "[runner][shapes]")
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const auto known = [](std::vector<std::int64_t> items) {
        TensorState state = of(items.size() == 1 ? std::vector<std::int64_t>{}
                                                 : std::vector{std::int64_t(items.size())});
        auto values = std::make_shared<KnownValues>();
        values->items = std::move(items);
        state.known = values;
        return state;
    };
    const auto fails = [&](const char* op, const std::vector<TensorState>& inputs,
                           Attrs attrs = {}) {
        return applied(node("n", op, {}, std::move(attrs)), inputs, 1).failed();
    };
    CHECK(fails("ConcatV2", {of({2}), of({2}), known({most})}, {{"N", attr::fromInt(2)}}));
    CHECK(fails("GatherV2", {of({2}), of({2}), known({most})}));
    CHECK(fails("SegmentSum", {of({2}), known({0, most})}));
    CHECK(fails("DynamicStitch", {known({0, most}), of({2})}, {{"N", attr::fromInt(1)}}));
    CHECK(fails("MatrixDiagPartV2", {of({2, 2}), known({-most, most}), of({})}));
    CHECK(fails("MatrixDiagV2",
                {of({2, 2}), known({-most, most}), known({-1}), known({-1}), of({})}));
    CHECK(fails("RaggedTensorFromVariant", {of({2})},
                {{"input_ragged_rank", attr::fromInt(most)},
                 {"output_ragged_rank", attr::fromInt(-most)}}));
    CHECK(fails("AudioMicrofrontend", {of({2})},
                {{"window_size", attr::fromInt(most)}, {"left_context", attr::fromInt(1)}}));
    CHECK(fails("AudioMicrofrontend", {of({2})},
                {{"left_context", attr::fromInt(most)}, {"right_context", attr::fromInt(1)}}));
}

TEST_CASE("one reader of a far output does not make room for all before it", "[runner][shapes]")
{
    constexpr std::int64_t parts = 1 << 20;
    std::vector<NodePtr> nodes;
    for (int i = 0; i < 6; ++i) {
        const std::string name = "u" + std::to_string(i);
        nodes.push_back(node(name, "Unpack", {},
                             {{"num", attr::fromInt(parts)}, {"T", attr::fromType(DType::Float)}}));
        nodes.push_back(node("r" + std::to_string(i), "Identity",
                             {name + ":" + std::to_string(parts - 1)},
                             {{"T", attr::fromType(DType::Float)}}));
    }
    const GraphPtr graph = make(std::move(nodes));
    const auto shapes = propagateShapes(*graph, {}, {}, Job());
    REQUIRE(shapes);
    std::size_t kept = 0;
    for (std::uint32_t i = 0; i < graph->size(); ++i)
        kept += shapes->outputCount(NodeId{i});
    CHECK(kept < std::size_t(2 * parts));
}

} // namespace
} // namespace lapidary
