// SPDX-License-Identifier: Apache-2.0
// Cells that a graph repeats step after step, without a loop.
#include "tests/catch.h"
#include "tests/transforms/export/exported_file.h"
#include "tests/transforms/export/recurrent/cell_numbers.h"

#include <algorithm>

namespace lapidary::written_out {
namespace {

using namespace cell_sizes;

// TensorFlow 1's static_rnn: "out" has the outputs of all steps, "last" the last one.
class StepsOfCells : public GraphBuilder {
public:
    StepsOfCells()
    {
        placeholder("x", {rows, steps, inputs});
        node("x0", "Unpack", {"x"}, {{"num", attr::fromInt(steps)}, {"axis", attr::fromInt(1)}});
        ints("one", {}, {1}).floats("zeros", {rows, units}, {0}).floats("forget", {}, {1});
    }

    // The form of BasicLSTMCell; `weights` may differ from step to step.
    void lstm(bool sharesWeights = true)
    {
        weights("", inputs + units, 4 * units);
        std::string h = "zeros";
        std::string c = "zeros";
        for (std::int64_t i = 0; i < steps; ++i) {
            const std::string at = "cell" + std::to_string(i) + "/";
            const std::string own = sharesWeights ? "" : at;
            if (!sharesWeights)
                weights(at, inputs + units, 4 * units, float(i));
            product(at, "x0:" + std::to_string(i), h, own);
            node(at + "parts", "Split", {"one", at + "sum"}, {{"num_split", attr::fromInt(4)}});
            node(at + "f_sum", "Add", {at + "parts:2", "forget"});
            node(at + "i", "Sigmoid", {at + "parts"}).node(at + "f", "Sigmoid", {at + "f_sum"});
            node(at + "j", "Tanh", {at + "parts:1"}).node(at + "o", "Sigmoid", {at + "parts:3"});
            node(at + "kept", "Mul", {c, at + "f"}).node(at + "new", "Mul", {at + "i", at + "j"});
            node(at + "c", "Add", {at + "kept", at + "new"}).node(at + "t", "Tanh", {at + "c"});
            node(at + "h", "Mul", {at + "t", at + "o"});
            h = at + "h";
            c = at + "c";
            m_given.push_back(h);
        }
        finish(c);
    }

    void plain()
    {
        weights("", inputs + units, units);
        std::string h = "zeros";
        for (std::int64_t i = 0; i < steps; ++i) {
            const std::string at = "cell" + std::to_string(i) + "/";
            product(at, "x0:" + std::to_string(i), h, "");
            node(at + "h", "Tanh", {at + "sum"});
            h = at + "h";
            m_given.push_back(h);
        }
        finish(h);
    }

private:
    void weights(const std::string& at, std::int64_t height, std::int64_t width, float first = 0)
    {
        floats(at + "w", {height, width}, waves(height * width, first));
        floats(at + "b", {width}, waves(width, first + 0.4F));
    }

    void product(const std::string& at, const std::string& x, const std::string& h,
                 const std::string& own)
    {
        node(at + "xh", "ConcatV2", {x, h, "one"}, {{"N", attr::fromInt(2)}});
        node(at + "p", "MatMul", {at + "xh", own + "w"});
        node(at + "sum", "BiasAdd", {at + "p", own + "b"});
    }

    void finish(const std::string& c)
    {
        node("out", "Pack", m_given, {{"N", attr::fromInt(steps)}, {"axis", attr::fromInt(1)}});
        node("last", "Neg", {m_given.back()}).node("last_c", "Neg", {c});
        node("middle_c", "Neg", {"cell1/" + std::string(c == "cell3/c" ? "c" : "h")});
    }

    std::vector<std::string> m_given;
};

bool hasLayer(const ExportedModel& made, const std::string& name)
{
    return made.operators.contains(name) ||
           made.operators.contains("UNIDIRECTIONAL_SEQUENCE_" + name);
}

} // namespace

TEST_CASE("Cells of an LSTM that are written out become one", "[export][recurrent]")
{
    StepsOfCells builder;
    builder.lstm();
    const GraphPtr graph = builder.build();
    const auto target = GENERATE(ExportTarget::Onnx, ExportTarget::Tflite);
    const auto outputs =
        GENERATE(std::vector<std::string>{"last"}, std::vector<std::string>{"out", "last"});
    const ExportedModel made = exportedFile(graph, target, outputs);
    CHECK(hasLayer(made, "LSTM"));
    CHECK_FALSE(made.operators.contains("Tanh"));
    CHECK_FALSE(made.operators.contains("TANH"));
    CHECK(std::ranges::find(made.notes, "cell3 is an LSTM of 2 units over 4 steps, which were "
                                        "written out") != made.notes.end());
    CHECK(computesOther(graph, made, outputs) == "");
}

TEST_CASE("States of cells that others read are given out, or the cells stay",
          "[export][recurrent]")
{
    StepsOfCells builder;
    builder.lstm();
    const GraphPtr graph = builder.build();
    const std::vector<std::string> last{"out", "last_c"};
    const ExportedModel onnx = exportedFile(graph, ExportTarget::Onnx, last);
    CHECK(hasLayer(onnx, "LSTM"));
    CHECK(computesOther(graph, onnx, last) == "");
    const ExportedModel tflite = exportedFile(graph, ExportTarget::Tflite, last);
    CHECK_FALSE(hasLayer(tflite, "LSTM"));
    CHECK(computesOther(graph, tflite, last) == "");
    const std::vector<std::string> middle{"out", "middle_c"};
    const ExportedModel both = exportedFile(graph, ExportTarget::Onnx, middle);
    CHECK_FALSE(hasLayer(both, "LSTM"));
    CHECK(computesOther(graph, both, middle) == "");
}

TEST_CASE("Cells with weights of their own stay cells", "[export][recurrent]")
{
    StepsOfCells builder;
    builder.lstm(false);
    const GraphPtr graph = builder.build();
    for (const ExportTarget target : {ExportTarget::Onnx, ExportTarget::Tflite}) {
        const ExportedModel made = exportedFile(graph, target, {"out"});
        CHECK_FALSE(hasLayer(made, "LSTM"));
        CHECK(computesOther(graph, made, {"out"}) == "");
    }
}

TEST_CASE("Plain cells that are written out become an RNN", "[export][recurrent]")
{
    StepsOfCells builder;
    builder.plain();
    const GraphPtr graph = builder.build();
    const auto target = GENERATE(ExportTarget::Onnx, ExportTarget::Tflite);
    const ExportedModel made = exportedFile(graph, target, {"out"});
    CHECK(hasLayer(made, "RNN"));
    CHECK(computesOther(graph, made, {"out"}) == "");
}

} // namespace lapidary::written_out
