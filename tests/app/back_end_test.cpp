// SPDX-License-Identifier: Apache-2.0
// --backend: every back end that runs here gives the same numbers; for any other name, the error
// lists those that run.
#include "runner/int8/back_end.h"
#include "tests/app/program.h"
#include "tests/catch.h"

#include <fstream>

namespace lapidary {
namespace {

// Returns the scores of a picture of one pixel, computed by a quantized product.
const std::string coded = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 1 } dim { size: 1 }
    dim { size: 3 } } } } }
node { name: "sizes" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } }
    int_val: 1 int_val: 3 } } } }
node { name: "low" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: -1 } } } }
node { name: "high" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 2 } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_QUINT8 } }
  attr { key: "value" value { tensor { dtype: DT_QUINT8
    tensor_shape { dim { size: 3 } dim { size: 3 } }
    int_val: 250 int_val: 3 int_val: 77 int_val: 12 int_val: 200 int_val: 91
    int_val: 0 int_val: 255 int_val: 128 } } } }
node { name: "flat" op: "Reshape" input: "x" input: "sizes"
  attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tshape" value { type: DT_INT32 } } }
node { name: "codes" op: "QuantizeV2" input: "flat" input: "low" input: "high"
  attr { key: "T" value { type: DT_QUINT8 } } attr { key: "mode" value { s: "MIN_FIRST" } } }
node { name: "sums" op: "QuantizedMatMul" input: "codes" input: "w" input: "codes:1"
  input: "codes:2" input: "low" input: "high"
  attr { key: "T1" value { type: DT_QUINT8 } } attr { key: "T2" value { type: DT_QUINT8 } }
  attr { key: "Toutput" value { type: DT_QINT32 } } }
node { name: "scores" op: "Dequantize" input: "sums" input: "sums:1" input: "sums:2"
  attr { key: "T" value { type: DT_QINT32 } } attr { key: "mode" value { s: "MIN_FIRST" } } }
)";

struct Coded {
    TestFolder folder;
    std::string graph = folder.write("coded.pbtxt", coded);

    Ran run(const std::string& backEnd) const
    {
        return runLapidary(
            {"run", graph, "--feed", "x=random:5:-1:2", "--fetch", "scores", "--backend", backEnd});
    }
    Ran benchmark(const std::string& backEnd) const
    {
        return runLapidary({"benchmark", graph, "--feed", "x=ones", "--fetch", "scores",
                            "--max-num-runs", "2", "--backend", backEnd});
    }
    Ran evaluate(const std::string& backEnd) const
    {
        const std::string images = folder.file("images");
        std::filesystem::create_directory(images);
        std::ofstream(images + "/1_red.bmp", std::ios::binary)
            << std::string("BM:\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1\0\0\0\1\0\0\0\1\0\x18\0"
                           "\0\0\0\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x20\x40\xc0\0",
                           58);
        return runLapidary({"evaluate", graph, "--images", images, "--labels",
                            folder.write("labels.txt", "red\ngreen\nblue\n"), "--json", "--backend",
                            backEnd});
    }
};

void isRefused(const Ran& ran, const std::string& why)
{
    CHECK(ran.exitCode == 3);
    CHECK(ran.out.empty());
    CHECK(ran.err.find("--backend: " + why) != std::string::npos);
}

} // namespace

TEST_CASE("each back end that runs here gives the same numbers, and is named", "[cli]")
{
    const Coded graph;
    const Ran plain = graph.run("plain");
    INFO(plain.err);
    REQUIRE(plain.exitCode == 0);
    const auto scores = graph.evaluate("plain").json();
    REQUIRE(scores["samples"] == 1);
    for (const int8::BackEnd* backEnd : int8::backEnds()) {
        const std::string name(backEnd->name);
        CAPTURE(name);
        if (!backEnd->isAvailable()) {
            for (const Ran& ran : {graph.run(name), graph.benchmark(name), graph.evaluate(name)})
                isRefused(ran, "back end " + name + " (");
            continue;
        }
        const Ran ran = graph.run(name);
        CHECK(ran.exitCode == 0);
        CHECK(ran.out == plain.out);
        CHECK(ran.err.find("8-bit back end: " + name + '\n') != std::string::npos);
        const Ran timed = graph.benchmark(name);
        CHECK(timed.exitCode == 0);
        CHECK((timed.out + timed.err).find("8-bit back end: " + name) != std::string::npos);
        const auto evaluated = graph.evaluate(name).json();
        CHECK(evaluated["pictures"] == scores["pictures"]);
    }
}

TEST_CASE("an unknown back end is answered with those that run here", "[cli]")
{
    const Coded graph;
    for (const Ran& ran : {graph.run("fpga"), graph.benchmark("fpga"), graph.evaluate("fpga")}) {
        isRefused(ran, "no back end is named fpga; these run here: ");
        CHECK(ran.err.find("plain") != std::string::npos);
    }
}

} // namespace lapidary
