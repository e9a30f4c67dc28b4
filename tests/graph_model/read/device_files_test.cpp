// SPDX-License-Identifier: Apache-2.0
// .tflite and .onnx files as graphs of their own operators.
#include "graph_model/base/wire.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/graph/function.h"
#include "graph_model/read/model_file.h"
#include "graph_model/shapes/inferred_shapes.h"
#include "graph_model/tflite/tflite_model.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/device_samples.h"
#include "tests/graph_model/read/damaged.h"
#include "tests/graph_model/read/read_bytes.h"
#include "tests/test_folder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>

namespace lapidary {
namespace {

const Node& node(const Graph& graph, std::string_view name)
{
    const NodeId id = graph.find(name);
    INFO(name);
    REQUIRE(id.isValid());
    return graph.node(id);
}

std::string opsOf(const Graph& graph)
{
    std::string text;
    for (const NodePtr& node : graph.nodes())
        text += (text.empty() ? "" : " ") + std::string(node->op());
    return text;
}

std::string shapeOf(const Graph& graph, std::string_view name, std::int32_t port = 0)
{
    const auto shapes = propagateShapes(graph, {}, {}, Job());
    REQUIRE(shapes);
    CHECK(shapes->conflicts().empty());
    CHECK(shapes->withoutRule().empty());
    const TensorLabel* label = shapes->find({graph.find(name), port});
    REQUIRE(label != nullptr);
    return dtypeName(label->dtype) + " " + shapeText(label->shape);
}

void checkWhole(const ModelFile& file)
{
    for (const Problem& problem : file.problems)
        FAIL_CHECK(problem.message);
    REQUIRE(file.graphs.size() == 1);
    for (const Problem& problem : file.graphs[0].problems)
        FAIL_CHECK(problem.node << ": " << problem.message);
}

} // namespace

TEST_CASE("A TFLite file is a graph of its own operators", "[read][devices]")
{
    const ModelFile file = readBytes(tfliteSample());
    CHECK(file.format == FileFormat::Tflite);
    checkWhole(file);
    const GraphEntry& entry = file.graphs[0];
    const Graph& graph = *entry.graph;
    CHECK(dialectOf(graph) == Dialect::Tflite);
    CHECK(opsOf(graph) == "Placeholder Placeholder IF Const Mfcc");
    CHECK(node(graph, "y").attr("then_subgraph_index").asFunctionName() == "then_body");
    CHECK(shapeOf(graph, "y") == "float [1,2,2,2]");
    CHECK(shapeOf(graph, "flag") == "bool []");
    const auto labels = node(graph, "labels").tensor();
    REQUIRE(labels);
    CHECK(labels->strings().value() == std::vector<std::string>{"cat"});
    REQUIRE(entry.signatures.size() == 1);
    CHECK(entry.signatures[0].name == "serving_default");
    CHECK(entry.signatures[0].inputs.at(1).tensor == "x:0");
    CHECK(entry.signatures[0].outputs.at(0).tensor == "y:0");
}

TEST_CASE("Subgraphs of a TFLite file are functions", "[read][devices]")
{
    const ModelFile file = readBytes(tfliteSample());
    checkWhole(file);
    const FunctionLibrary* functions = file.graphs[0].graph->functions();
    REQUIRE(functions != nullptr);
    const FunctionPtr body = functions->find("then_body");
    REQUIRE(body != nullptr);
    CHECK(opsOf(*body->body) == "_Arg Const CONV_2D _Retval");
    const Node& conv = node(*body->body, "then/y");
    CHECK(conv.attr("padding").asString() == "VALID");
    CHECK(conv.attr("fused_activation_function").asString() == "RELU");
    CHECK(conv.attr("stride_w").asInt() == 1);
    CHECK(conv.attr("_left_out").ints() == std::vector<std::int64_t>{2});
    const Node& weights = node(*body->body, "then/w");
    CHECK(weights.attr("_scale").floats() == std::vector<float>{0.5F, 0.25F});
    CHECK(weights.tensor().value().numbers(0, 2).value() == std::vector<double>{127, 64});
    CHECK(calledFunctions(*file.graphs[0].graph, node(*file.graphs[0].graph, "y"), *functions)
              .size() == 2);
}

TEST_CASE("An ONNX file is a graph of its own operators", "[read][devices]")
{
    const ModelFile file = readBytes(onnxSample());
    CHECK(file.format == FileFormat::Onnx);
    checkWhole(file);
    const Graph& graph = *file.graphs[0].graph;
    CHECK(dialectOf(graph) == Dialect::Onnx);
    CHECK(opsOf(graph) == "Placeholder Placeholder Const Reshape Const If Constant Split");
    CHECK(registeredOp(graph, graph.find("a")) == nullptr); // not TensorFlow's Split
    CHECK(registeredOp(graph, graph.find("in")) != nullptr);
    CHECK(shapeOf(graph, "in") == "float [?,4]");
    CHECK(shapeOf(graph, "x") == "float [1,2,2,1]");
    CHECK(shapeOf(graph, "a", 1) == "float [1,1,2,2]");
    CHECK(node(graph, "size").tensor().value().numbers(0, 4).value() ==
          std::vector<double>{1, 2, 2, 1});
    CHECK(node(graph, "two").tensor().value().numbers(0, 1).value() == std::vector<double>{2});
    CHECK(node(graph, "a").attr("_output_names").strings() ==
          std::vector<std::string_view>{"a", "b"});
    CHECK(file.graphs[0].signatures.at(0).outputs.at(1).tensor == "a:1");
}

TEST_CASE("Bodies of an ONNX file get what they capture as arguments", "[read][devices]")
{
    const ModelFile file = readBytes(onnxSample());
    checkWhole(file);
    const Graph& graph = *file.graphs[0].graph;
    const Node& branch = node(graph, "y");
    std::string inputs;
    for (const Input& input : branch.inputs())
        inputs += std::string(input.text) + " ";
    CHECK(inputs == "flag x c ");
    const FunctionPtr then =
        graph.functions()->find(branch.attr("then_branch").asFunctionName().value_or(""));
    REQUIRE(then != nullptr);
    CHECK(opsOf(*then->body) == "_Arg _Arg Const Conv _Retval");
    CHECK(node(*then->body, "then_y").attr("kernel_shape").ints() ==
          std::vector<std::int64_t>{1, 1});
    CHECK(then->arguments.at(0).name == "x");
}

TEST_CASE("Weights of an ONNX file beside it are read from its folder only", "[read][devices]")
{
    namespace fs = std::filesystem;
    const TestFolder folder;
    fs::create_directories(folder.path() / "model");
    const std::string numbers("\0\0\0\0\0\0\0\x3f\0\0\x80\x3e", 12);
    const std::string secret = folder.write("w.bin", numbers);
    folder.write("model/w.bin", numbers);
    fs::create_symlink(secret, folder.path() / "model" / "link.bin");
    const auto opened = [&](const std::string& weights) {
        auto file = readModel(folder.write("model/m.onnx", onnxSample(weights)), Job());
        REQUIRE(file);
        REQUIRE(file->graphs.size() == 1);
        return *std::move(file);
    };
    const ModelFile good = opened("w.bin");
    checkWhole(good);
    const Graph& graph = *good.graphs[0].graph;
    const FunctionPtr then = graph.functions()->find("y_then_branch");
    REQUIRE(then != nullptr);
    CHECK(node(*then->body, "w").tensor().value().numbers(0, 2).value() ==
          std::vector<double>{0.5, 0.25});
    const std::vector<std::string> outsiders{"../w.bin", secret, "link.bin", "none.bin"};
    for (const std::string& outside : outsiders) {
        INFO(outside);
        const Problems problems = opened(outside).graphs[0].problems;
        REQUIRE(problems.size() == 1);
        CHECK(problems[0].kind == "external_data");
        CHECK(problems[0].message.find(outside) != std::string::npos);
    }
}

TEST_CASE("A file that is not what its name says is told so", "[read][devices]")
{
    const TestFolder folder;
    const auto refusal = [&](const std::string& name, const std::string& bytes) {
        const auto file = readModel(folder.write(name, bytes), Job());
        REQUIRE(file);
        REQUIRE(file->isRefused());
        REQUIRE(file->problems.size() == 1);
        return file->problems[0].message;
    };
    const auto says = [](const std::string& message, const std::string& part) {
        INFO(message);
        CHECK(message.find(part) != std::string::npos);
    };
    // The beginning of an ONNX model, which is one of a SavedModel too.
    says(refusal("m.onnx", "\x08\x07"), "is not an ONNX model, despite its name: it has "
                                        "only 2 bytes; fetch or export it again");
    says(refusal("m.onnx", "\x08\x07\x12\x07pytorch"), "it has only 11 bytes");
    says(refusal("m.tflite", std::string(2000, '\x07')),
         "is not a TFLite model, despite its name; fetch or export it again");
    says(refusal("m.ckpt.data-00000-of-00001", std::string(100, '\x07')),
         "is part of a checkpoint by its name, which holds weights and no graph; open the .meta "
         "file beside it, or the SavedModel, with m.ckpt.index beside it too");
    says(refusal("m.pb", std::string(100, '\x07')), "is not a TensorFlow graph; open ");
}

TEST_CASE("A model of another format is not written as TensorFlow's", "[read][devices]")
{
    for (const std::string& bytes : {tfliteSample(), onnxSample()}) {
        const ModelFile file = readBytes(bytes);
        REQUIRE(file.graphs.size() == 1);
        const auto text = graphDefText(*file.graphs[0].graph);
        REQUIRE_FALSE(text);
        CHECK(text.error().code == ErrorCode::Unsupported);
        CHECK_FALSE(encodeModel(file));
    }
}

TEST_CASE("Device files that were cut off anywhere are refused", "[read][devices]")
{
    for (const std::string& whole : {tfliteSample(), onnxSample()}) {
        std::string accepted;
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const ModelFile file = readBytes(whole.substr(0, size));
            useAll(file);
            // The first few bytes may pass for another message.
            const bool isDevice =
                file.format == FileFormat::Tflite || file.format == FileFormat::Onnx;
            if (isDevice && !file.isRefused())
                accepted += std::to_string(size) + " ";
        }
        INFO("of " << whole.size() << " bytes: " << accepted);
        // Padding after the last table, and ONNX' list of opsets after the graph.
        CHECK(std::ranges::count(accepted, ' ') <= 16);
    }
}

TEST_CASE("Device files with any byte changed are read or refused", "[read][devices]")
{
    for (const std::string& whole : {tfliteSample(), onnxSample()}) {
        std::size_t refused = 0;
        for (std::size_t at = 0; at < whole.size(); ++at)
            for (const int flipped : {0x01, 0x80, 0xff}) {
                std::string bytes = whole;
                bytes[at] = char(bytes[at] ^ flipped);
                const ModelFile file = readBytes(std::move(bytes));
                useAll(file);
                refused += file.isRefused() ? 1 : 0;
            }
        CHECK(refused > 0);
    }
}

// Any word of a TFLite file may be an offset, a length or an index.
TEST_CASE("Offsets beyond the end of a TFLite file are refused with their place", "[read][devices]")
{
    const std::string whole = tfliteSample();
    const auto size = std::uint32_t(whole.size());
    std::size_t beyond = 0;
    for (std::size_t at = 0; at + sizeof(size) <= whole.size(); at += 2)
        for (const std::uint32_t value :
             {size, size - std::uint32_t(at), 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
            INFO(value << " at byte " << at);
            std::string bytes = whole;
            std::memcpy(bytes.data() + at, &value, sizeof(value));
            const ModelFile file = readBytes(std::move(bytes));
            useAll(file);
            if (file.format != FileFormat::Tflite || !file.isRefused())
                continue;
            REQUIRE(file.problems.size() == 1);
            const std::string& message = file.problems[0].message;
            INFO(message);
            CHECK(message.find(" is a damaged TFLite file: ") != std::string::npos);
            beyond += message.find(": byte ") != std::string::npos ? 1 : 0;
        }
    CHECK(beyond > whole.size());
}

TEST_CASE("Lengths beyond the end of an ONNX file are refused with their place", "[read][devices]")
{
    const std::string whole = onnxSample();
    const std::string length = "\xff\xff\xff\xff\x07"; // 2^31 - 1
    std::size_t beyond = 0;
    for (std::size_t at = 0; at + length.size() <= whole.size(); ++at) {
        INFO("at byte " << at);
        std::string bytes = whole;
        bytes.replace(at, length.size(), length);
        const ModelFile file = readBytes(std::move(bytes));
        useAll(file);
        if (file.format != FileFormat::Onnx || !file.isRefused())
            continue;
        REQUIRE(file.problems.size() == 1);
        const std::string& message = file.problems[0].message;
        INFO(message);
        CHECK(message.find(" is a damaged ONNX file: ") != std::string::npos);
        beyond += message.find("byte ") != std::string::npos ? 1 : 0;
    }
    CHECK(beyond > 0);
}

TEST_CASE("Graphs in graphs end somewhere", "[read][devices]")
{
    const auto message = [](std::uint32_t field, const std::string& bytes) {
        std::string out;
        WireWriter(out).bytes(field, bytes);
        return out;
    };
    const auto holding = [&](int levels) {
        std::string graph;
        for (int level = 0; level < levels; ++level)
            graph = message(1, message(2, "y") + message(4, "If") +
                                   message(5, message(1, "then_branch") + message(6, graph)));
        return "\x08\x08" + message(7, graph) + message(8, message(1, "") + "\x10\x0d");
    };
    CHECK_FALSE(readBytes(holding(20)).isRefused());
    const ModelFile deep = readBytes(holding(200));
    REQUIRE(deep.problems.size() == 1);
    CHECK(deep.problems[0].message.find("nested deeper") != std::string::npos);
}

TEST_CASE("Bodies of a node do not multiply what one of them takes", "[read][devices]")
{
    const auto message = [](std::uint32_t field, const std::string& bytes) {
        std::string out;
        WireWriter(out).bytes(field, bytes);
        return out;
    };
    const auto holding = [&](int bodies) {
        std::string names;
        for (int i = 0; i < 2000; ++i)
            names += message(1, "n" + std::to_string(i));
        std::string node = message(2, "y") + message(4, "If");
        for (int i = 0; i < bodies; ++i)
            node += message(5, message(1, "body" + std::to_string(i)) +
                                   message(6, i > 0 ? "" : message(1, names + message(4, "Sum"))));
        return "\x08\x08" + message(7, message(1, node)) + message(8, message(1, "") + "\x10\x0d");
    };
    CHECK_FALSE(readBytes(holding(2)).isRefused());
    const ModelFile many = readBytes(holding(200));
    REQUIRE(many.problems.size() == 1);
    CHECK(many.problems[0].message.find("take more tensors") != std::string::npos);
}

TEST_CASE("Damage of a device file is named with its place", "[read][devices]")
{
    const std::string onnx = onnxSample();
    const ModelFile cut = readBytes(onnx.substr(0, onnx.size() / 2));
    REQUIRE(cut.problems.size() == 1);
    CHECK(cut.problems[0].message.find("is a damaged ONNX file: byte ") != std::string::npos);
    const std::string tflite = tfliteSample();
    const ModelFile half = readBytes(tflite.substr(0, tflite.size() / 2));
    REQUIRE(half.problems.size() == 1);
    CHECK(half.problems[0].message.find("is a damaged TFLite file: ") != std::string::npos);
}

TEST_CASE("The memory of an operator of somebody else is a node of its own", "[read][tflite]")
{
    // As Vela writes what an Ethos-U runs: the scratch memory is an input that nothing makes.
    TfliteGraph graph;
    graph.name = "main";
    for (const char* name : {"x", "scratch", "y"}) {
        TfliteTensor tensor;
        tensor.name = name;
        tensor.shape = {1, 4};
        graph.tensors.push_back(std::move(tensor));
    }
    graph.inputs = {0};
    graph.outputs = {2};
    graph.operators = {{.code = 32, .customCode = "ethos-u", .inputs = {0, 1}, .outputs = {2}}};
    TfliteModel model;
    model.graphs = {graph};
    const auto encoded = encodeTflite(model);
    REQUIRE(encoded);
    const auto file = readModelBytes(*encoded->bytes(), "vela.tflite", Job());
    REQUIRE(file);
    checkWhole(*file);
    CHECK(opsOf(*file->graphs[0].graph).find("VARIABLE") != std::string::npos);
    // An operator of the format has no such memory.
    model.graphs[0].operators[0] = {.code = 0, .inputs = {0, 1}, .outputs = {2}};
    const auto broken = encodeTflite(model);
    REQUIRE(broken);
    const auto opened = readModelBytes(*broken->bytes(), "broken.tflite", Job());
    REQUIRE(opened);
    REQUIRE(opened->graphs.size() == 1);
    CHECK_FALSE(opened->graphs[0].problems.empty());
}

} // namespace lapidary
