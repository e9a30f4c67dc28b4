// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/function.h"
#include "graph_model/lift/lift_graph.h"
#include "graph_model/read/model_file.h"
#include "graph_model/shapes/declared_shapes.h"
#include "graph_model/shapes/inferred_shapes.h"
#include "graph_model/tflite/tflite_model.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

GraphPtr readBack(const TfliteModel& model)
{
    const auto encoded = encodeTflite(model);
    REQUIRE(encoded);
    const auto file =
        readModelBytes(encoded->bytes().value(), "made.tflite", Job(), {.check = false});
    REQUIRE(file);
    REQUIRE(file->graphs.size() == 1);
    return file->graphs.front().graph;
}

// An IF whose branches return this many tensors of different sizes.
GraphPtr branching(std::int32_t count)
{
    TfliteGraph body;
    body.name = "branch";
    for (std::int32_t i = 0; i < count; ++i) {
        TfliteTensor tensor;
        tensor.name = "t" + std::to_string(i);
        tensor.shape = {1, 2 + i};
        body.tensors.push_back(tensor);
        body.inputs.push_back(i);
        body.outputs.push_back(i);
    }
    TfliteGraph main = body;
    main.name = "main";
    main.outputs.clear();
    TfliteOperator branch{.code = 118, .optionsType = 92, .inputs = {count}};
    branch.options = {{.field = 0, .number = 1, .standard = -1},
                      {.field = 1, .number = 1, .standard = -1}};
    TfliteTensor condition;
    condition.name = "condition";
    condition.type = 6; // bool
    main.tensors.push_back(condition);
    main.inputs.push_back(count);
    for (std::int32_t i = 0; i < count; ++i) {
        branch.inputs.push_back(i);
        branch.outputs.push_back(std::int32_t(main.tensors.size()));
        TfliteTensor made = body.tensors[std::size_t(i)];
        made.name = "y" + std::to_string(i);
        main.outputs.push_back(std::int32_t(main.tensors.size()));
        main.tensors.push_back(made);
    }
    main.operators = {branch};
    TfliteModel model;
    model.graphs = {main, body};
    return readBack(model);
}

} // namespace

TEST_CASE("Each of many outputs of an operator is known by its own size", "[lift]")
{
    constexpr std::int32_t count = 300;
    const GraphPtr read = branching(count);
    const NodeId branch = read->find("y0");
    REQUIRE(branch.isValid());
    const std::vector<TensorFacts> facts = storedFacts(read->node(branch));
    REQUIRE(facts.size() == std::size_t(count));
    const auto lifted = liftGraph(read, Job());
    REQUIRE(lifted);
    const auto shapes = propagateShapes(**lifted, {}, {}, Job());
    REQUIRE(shapes);
    const NodeId made = (*lifted)->find("y0");
    REQUIRE(made.isValid());
    CHECK((*lifted)->node(made).op() == "If");
    for (std::int32_t port = 0; port < count; ++port) {
        const TensorFacts one = declaredFacts(*read, {branch, port});
        CHECK(one.dtype == DType::Float);
        CHECK(one.shape == facts[std::size_t(port)].shape);
        CHECK(one.shape == Shape{{1, 2 + port}, false});
        const TensorLabel* label = shapes->find({made, port});
        if (label != nullptr)
            CHECK(label->dtype == DType::Float);
    }
}

TEST_CASE("Zeros of a variable take no more memory than one of them", "[lift]")
{
    TfliteGraph main;
    main.name = "main";
    for (const char* name : {"v", "y"}) {
        TfliteTensor tensor;
        tensor.name = name;
        tensor.shape = {2048, 2048};
        tensor.isVariable = main.tensors.empty();
        main.tensors.push_back(tensor);
    }
    main.operators = {{.code = 0, .inputs = {0, 0}, .outputs = {1}}};
    main.outputs = {1};
    TfliteModel model;
    model.graphs = {main};
    const auto lifted = liftGraph(readBack(model), Job());
    REQUIRE(lifted);
    std::uint64_t bytes = 0;
    bool areZeros = false;
    for (const NodePtr& node : (*lifted)->nodes()) {
        bytes += node->encodedSize();
        const auto tensor = node->tensor();
        areZeros =
            areZeros || (tensor && tensor->elements() == 2048 * 2048 &&
                         tensor->numbers(4'000'000, 4'000'001).value() == std::vector<double>{0});
    }
    CHECK(areZeros);
    CHECK(bytes < 10'000);
}

} // namespace lapidary
