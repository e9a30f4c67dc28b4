// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph_edit.h"
#include "graph_model/read/model_file.h"
#include "runner/checkpoint/load_variables.h"
#include "runner/checkpoint/variable_reader.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/hexadecimal.h"
#include "tests/test_folder.h"

#include <limits>

namespace lapidary {
namespace {

// Written by TensorFlow 1.15.5: a = [1, 2], b = [3], c = [4, 5, 6], and an object graph in which a
// and b have the full name "Variable", and c "bias".
const std::string objectIndex = bytesOf(
    "00 00 06 08 01 1a 02 08 01 00 1c 0b 5f 43 48 45 43 4b 50 4f 49 4e 54 41 42 4c 45 5f 4f 42 "
    "4a 45 43 54 5f 47 52 41 50 48 08 07 12 00 28 64 35 e4 2e af 20 00 01 11 61 08 01 12 04 12 "
    "02 08 02 20 64 28 08 35 59 3c e5 35 00 01 11 62 08 01 12 04 12 02 08 01 20 6c 28 04 35 ef "
    "d6 82 c3 00 01 11 63 08 01 12 04 12 02 08 03 20 70 28 0c 35 56 c2 03 bd 00 00 00 00 01 00 "
    "00 00 00 26 c0 e0 56 00 00 00 00 01 00 00 00 00 c0 f2 a1 b0 00 01 02 64 00 7a 00 00 00 00 "
    "01 00 00 00 00 29 57 54 3d 7f 08 8c 01 0e 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 57 fb 80 8b 24 75 47 db ");
const std::string objectData = bytesOf(
    "5f 9a b6 e6 9e 0a 1f 12 1d 0a 0e 56 41 52 49 41 42 4c 45 5f 56 41 4c 55 45 12 08 56 61 72 "
    "69 61 62 6c 65 1a 01 61 0a 1f 12 1d 0a 0e 56 41 52 49 41 42 4c 45 5f 56 41 4c 55 45 12 08 "
    "56 61 72 69 61 62 6c 65 1a 01 62 0a 1b 12 19 0a 0e 56 41 52 49 41 42 4c 45 5f 56 41 4c 55 "
    "45 12 04 62 69 61 73 1a 01 63 00 00 80 3f 00 00 00 40 00 00 40 40 00 00 80 40 00 00 a0 40 "
    "00 00 c0 40 ");

} // namespace

TEST_CASE("a full name that two variables share does not tell which one it is", "[checkpoint]")
{
    const TestFolder folder;
    folder.write("model.index", objectIndex);
    folder.write("model.data-00000-of-00001", objectData);
    const GraphPtr in = graph("Variable = VarHandleOp()\nbias = VarHandleOp()\na = VarHandleOp()");
    const auto reader = VariableReader::open(in, folder.path() / "model", Job());
    INFO((reader ? "" : reader.error().message));
    REQUIRE(reader.ok());
    CHECK(reader->find(in->find("Variable")).key.empty());
    CHECK(reader->find(in->find("bias")).key == "c");
    CHECK(reader->find(in->find("a")).key == "a");
}

TEST_CASE("variables that share a full name are found by their objects", "[checkpoint]")
{
    const TestFolder folder;
    folder.write("model.index", objectIndex);
    folder.write("model.data-00000-of-00001", objectData);
    const GraphPtr in = graph("Variable = VarHandleOp()\nVariable_1 = VarHandleOp()\n"
                              "other = VarHandleOp()");
    BoundInputs bound;
    bound.values = {{.node = "Variable_1", .name = "Variable", .isVariable = true},
                    {.node = "Variable", .name = "Variable", .isVariable = true},
                    {.node = "other", .name = "kernel", .isVariable = true}};
    const auto reader = VariableReader::open(in, folder.path() / "model", Job(), bound);
    REQUIRE(reader.ok());
    CHECK(reader->find(in->find("Variable_1")).key == "a");
    CHECK(reader->find(in->find("Variable")).key == "b");
    CHECK(reader->find(in->find("other")).key.empty()); // the third object has another name
}

TEST_CASE("each part of a variable begins after the previous ones", "[checkpoint]")
{
    const TestFolder folder;
    folder.write("model.index", objectIndex);
    folder.write("model.data-00000-of-00001", objectData);
    // c has 3 numbers.
    const GraphPtr in = typed(graph("c/part_0 = VarHandleOp()\nc/part_1 = VarHandleOp()\n"
                                    "c/part_2 = VarHandleOp()\nc/part_9 = VarHandleOp()\n"
                                    "c/part_-1 = VarHandleOp()"));
    GraphEdit edit(in);
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const auto& [name, size] : {std::pair("c/part_0", std::int64_t(1)),
                                     {"c/part_1", 2},
                                     {"c/part_2", most},
                                     {"c/part_9", 1},
                                     {"c/part_-1", 1}}) {
        NodeDraft draft = NodeDraft::of(in->node(in->find(name)));
        draft.setAttr("shape", attr::fromShape({{size}, false}));
        edit.replace(in->find(name), std::move(draft));
    }
    const auto parts = std::move(edit).finish();
    REQUIRE(parts.ok());
    const auto reader = VariableReader::open(parts->graph, folder.path() / "model", Job());
    REQUIRE(reader.ok());
    const auto startOf = [&](const char* name) {
        const auto stored = reader->find(parts->graph->find(name));
        return stored.slice.size() == 1 ? stored.slice[0].start : -1;
    };
    CHECK(startOf("c/part_0") == 0);
    CHECK(startOf("c/part_1") == 1);
    CHECK(startOf("c/part_2") == 3);
    CHECK(startOf("c/part_9") == -1); // those before it are missing
    CHECK(startOf("c/part_-1") == -1);
}

TEST_CASE("calls that lead to many calls are looked into once", "[checkpoint]")
{
    const TestFolder folder;
    folder.write("model.index", objectIndex);
    folder.write("model.data-00000-of-00001", objectData);
    constexpr int calls = 400; // at each of four levels: 25 billion paths
    std::string text = "node { name: 'v' op: 'VarHandleOp' }\n";
    const auto call = [](const std::string& field, const std::string& input, int i, int level) {
        return field + " { name: 'c" + std::to_string(i) + "' op: 'PartitionedCall' input: '" +
               input + "' attr { key: 'f' value { func { name: 'f" + std::to_string(level) +
               "' } } } }\n";
    };
    for (int i = 0; i < calls; ++i)
        text += call("node", "v", i, 0);
    text += "library {";
    for (int level = 0; level < 4; ++level) {
        text += "function { signature { name: 'f" + std::to_string(level) +
                "' input_arg { name: 'a' type: DT_RESOURCE } }\n";
        for (int i = 0; i < calls; ++i)
            text += call("node_def", "a", i, level + 1);
        text += "}\n";
    }
    const auto file = readModelBytes(text + "}", "calls.pbtxt", Job(), {.check = false});
    REQUIRE(file.ok());
    const GraphPtr in = file->graphs.front().graph;
    const auto reader = VariableReader::open(in, folder.path() / "model", Job());
    REQUIRE(reader.ok());
    CHECK(reader->find(in->find("v")).key.empty());
}

TEST_CASE("the parts of a checkpoint are found in the current folder", "[checkpoint]")
{
    const TestFolder folder;
    folder.write("model.index", objectIndex);
    folder.write("model.data-00000-of-00001", objectData);
    folder.write("lost.index", objectIndex);
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const std::string present = missingShard("model");
    const std::string lost = missingShard("lost");
    std::filesystem::current_path(before);
    CHECK(present.empty());
    CHECK(lost == "lost.data-*");
}

} // namespace lapidary
