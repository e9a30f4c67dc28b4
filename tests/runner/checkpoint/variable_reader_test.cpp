// SPDX-License-Identifier: Apache-2.0
#include "runner/checkpoint/variable_reader.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/hexadecimal.h"
#include "tests/test_folder.h"

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

} // namespace lapidary
