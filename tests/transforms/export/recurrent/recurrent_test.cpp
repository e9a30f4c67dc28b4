// SPDX-License-Identifier: Apache-2.0
// Loops of an LSTM or a GRU: recognized by what they compute, written as an operator of the format,
// read back and run by this program.
#include "tests/catch.h"
#include "tests/transforms/export/exported_file.h"
#include "tests/transforms/export/recurrent/cell_numbers.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr DType whole = DType::Int32;
using namespace cell_sizes;

std::vector<float> numbers(std::int64_t count, float first)
{
    return waves(count, first, 1.7F);
}

// dynamic_rnn as TensorFlow 1 writes it, around any cell: the body reads the step "x_t" and the
// states "h_in:1" and "c_in:1", and makes "h_new" and "c_new".
class LoopOfCells : public GraphBuilder {
public:
    explicit LoopOfCells(bool hasLengths = false, bool hasC = true)
        : m_hasLengths(hasLengths)
    {
        placeholder("x", {steps, rows, inputs});
        ints("zero", {}, {0}).ints("one", {}, {1}).ints("axis", {}, {1});
        ints("places", {steps}, {0, 1, 2, 3}).ints("count", {}, {std::int32_t(steps)});
        floats("zeros", {rows, units}, {0});
        addArrays();
        variable("i", "zero", whole);
        variable("flow", "out:1", DType::Float);
        variable("h", "zeros", DType::Float);
        if (hasC)
            variable("c", "zeros", DType::Float);
        addCondition();
        node("x_t", "TensorArrayReadV3", {"in_enter", "i_in:1", "in_flow"},
             {{"dtype", attr::fromType(DType::Float)}});
        node("xh", "ConcatV2", {"x_t", "h_in:1", "axis"}, {{"N", attr::fromInt(2)}});
    }

    // Product with weights [rows of the input, columns] and a bias.
    LoopOfCells& layer(const std::string& name, const std::string& from, std::int64_t width,
                       std::int64_t columns, float first)
    {
        floats(name + "_w", {width, columns}, numbers(width * columns, first));
        floats(name + "_b", {columns}, numbers(columns, first + 0.3F));
        node(name + "_p", "MatMul", {from, name + "_w"});
        node(name, "BiasAdd", {name + "_p", name + "_b"});
        return *this;
    }

    // A list of one tensor that every step overwrites, as in Keras.
    LoopOfCells& keepLatest()
    {
        ints("one_row", {}, {1}).ints("first", {}, {0});
        ints("element", {2}, {std::int32_t(rows), std::int32_t(units)});
        node("latest", "TensorListReserve", {"element", "one_row"}, listed());
        variable("latest_list", "latest", DType::Variant);
        m_keepsLatest = true;
        return *this;
    }

    void endWith(const std::string& h, const std::string& c = "")
    {
        addEnd("h", h, "h_in:1");
        if (!c.empty())
            addEnd("c", c, "c_in:1");
        if (m_keepsLatest) {
            node("latest_list_next", "TensorListSetItem", {"latest_list_in:1", "first", h},
                 listed());
            node("latest_rows", "TensorListStack", {"latest_list_exit", "element"}, listed());
            node("latest_row", "Identity", {"latest_rows"});
        }
        std::string kept = h;
        if (m_hasLengths)
            node("kept", "Select", {"ended", "zeros", h});
        node("write", "TensorArrayWriteV3",
             {"out_enter", "i_in:1", m_hasLengths ? "kept" : kept, "flow_in:1"});
        node("flow_next", "Identity", {"write"});
        node("i_next", "Add", {"i_in:1", "one"}, typed(whole));
        node("stack", "TensorArrayGatherV3", {"out", "places", "flow_exit"},
             {{"dtype", attr::fromType(DType::Float)}});
        node("y", "Identity", {"stack"}).node("last", "Identity", {"h_exit"});
        if (!c.empty())
            node("last_c", "Identity", {"c_exit"});
    }

    // The form of BasicLSTMCell.
    void lstm(bool hasPeepholes = false)
    {
        layer("gates", "xh", inputs + units, 4 * units, 0.2F);
        node("parts", "Split", {"axis", "gates"}, {{"num_split", attr::fromInt(4)}});
        floats("forget_bias", {}, {1}).node("forget_sum", "Add", {"parts:2", "forget_bias"});
        const std::string i = peeped("parts", "i", "c_in:1", hasPeepholes);
        const std::string f = peeped("forget_sum", "f", "c_in:1", hasPeepholes);
        gate("i_gate", i).gate("f_gate", f).node("j", "Tanh", {"parts:1"});
        node("kept_c", "Mul", {"c_in:1", "f_gate"}).node("added_c", "Mul", {"i_gate", "j"});
        node("c_new", "Add", {"kept_c", "added_c"}).node("c_tanh", "Tanh", {"c_new"});
        gate("o_gate", peeped("parts:3", "o", "c_new", hasPeepholes));
        node("h_new", "Mul", {"c_tanh", "o_gate"});
        endWith("h_new", "c_new");
    }

    // The form of Keras before TensorFlow 2: the input has the products for all gates, and a mask
    // of ones drops nothing from the state.
    void lstmOfProducts()
    {
        floats("mask", {rows, units}, {1}).ints("size", {2}, {rows, units});
        for (const auto& [name, first] : {std::pair("i", 0), {"f", 1}, {"j", 1}, {"o", 0}}) {
            const std::string own = name + std::string("_own");
            ints(own + "_from", {2}, {0, first})
                .node(own, "Slice", {"x_t", own + "_from", "size"},
                      {{"Index", attr::fromType(whole)}});
            node(own + "_h", "Mul", {"h_in:1", "mask"});
            floats(own + "_w", {units, units}, numbers(units * units, float(own.front())));
            node(own + "_p", "MatMul", {own + "_h", own + "_w"});
            node(name + std::string("_sum"), "Add", {own, own + "_p"});
        }
        gate("i_gate", "i_sum").gate("f_gate", "f_sum").node("j", "Tanh", {"j_sum"});
        node("kept_c", "Mul", {"c_in:1", "f_gate"}).node("added_c", "Mul", {"i_gate", "j"});
        node("c_new", "Add", {"kept_c", "added_c"}).node("c_tanh", "Tanh", {"c_new"});
        gate("o_gate", "o_sum").node("h_new", "Mul", {"c_tanh", "o_gate"});
        endWith("h_new", "c_new");
    }

    // Keras' gates before TensorFlow 2: max(0, min(1, x / 5 + 1 / 2)).
    LoopOfCells& withHardGates()
    {
        floats("fifth", {}, {0.2F}).floats("half", {}, {0.5F}).floats("low", {}, {0});
        floats("high", {}, {1});
        m_hasHardGates = true;
        return *this;
    }

    // The form of GRUCell; or with the reset gate after the product.
    void gru(bool resetsAfter)
    {
        layer("gates", "xh", inputs + units, 2 * units, 0.4F);
        node("ru", "Sigmoid", {"gates"});
        node("parts", "Split", {"axis", "ru"}, {{"num_split", attr::fromInt(2)}});
        if (resetsAfter) {
            layer("own", "h_in:1", units, units, 0.7F);
            layer("read", "x_t", inputs, units, 0.9F);
            node("reset", "Mul", {"parts", "own"}).node("sum", "Add", {"read", "reset"});
        } else {
            node("reset", "Mul", {"parts", "h_in:1"});
            node("xrh", "ConcatV2", {"x_t", "reset", "axis"}, {{"N", attr::fromInt(2)}});
            layer("sum", "xrh", inputs + units, units, 0.6F);
        }
        node("candidate", "Tanh", {"sum"}).floats("ones", {}, {1});
        node("rest", "Sub", {"ones", "parts:1"}).node("kept_h", "Mul", {"parts:1", "h_in:1"});
        node("added_h", "Mul", {"rest", "candidate"}).node("h_new", "Add", {"kept_h", "added_h"});
        endWith("h_new");
    }

    // The form of BasicRNNCell.
    void plain(const std::string& activation)
    {
        layer("sum", "xh", inputs + units, units, 0.5F);
        node("h_new", activation, {"sum"});
        endWith("h_new");
    }

private:
    static TestAttrs listed()
    {
        return {{"element_dtype", attr::fromType(DType::Float)},
                {"shape_type", attr::fromType(whole)}};
    }

    static TestAttrs typed(DType dtype) { return {{"T", attr::fromType(dtype)}}; }

    static TestAttrs frame(DType dtype, bool isConstant)
    {
        return {{"frame_name", attr::fromString("loop")},
                {"is_constant", attr::fromBool(isConstant)},
                {"T", attr::fromType(dtype)}};
    }

    void addArrays()
    {
        for (const auto& [name, width] : {std::pair("in", inputs), std::pair("out", units)}) {
            node(name, "TensorArrayV3", {"count"},
                 {{"dtype", attr::fromType(DType::Float)},
                  {"element_shape", attr::fromShape({{rows, width}, false})}});
            node(std::string(name) + "_enter", "Enter", {name}, frame(DType::Resource, true));
        }
        node("scatter", "TensorArrayScatterV3", {"in", "places", "x", "in:1"});
        node("in_flow", "Enter", {"scatter"}, frame(DType::Float, true));
    }

    void variable(const std::string& name, const std::string& start, DType dtype)
    {
        node(name + "_enter_", "Enter", {start}, frame(dtype, false));
        node(name, "Merge", {name + "_enter_", name + "_again"},
             {{"T", attr::fromType(dtype)}, {"N", attr::fromInt(2)}});
        node(name + "_in", "Switch", {name, "cond"}, typed(dtype));
        node(name + "_again", "NextIteration", {name + "_next"}, typed(dtype));
        node(name + "_exit", "Exit", {name + "_in"}, typed(dtype));
    }

    void addCondition()
    {
        node("count_enter", "Enter", {"count"}, frame(whole, true));
        node("below", "Less", {"i", "count_enter"}, typed(whole));
        node("cond", "LoopCond", {"below"});
        if (!m_hasLengths)
            return;
        ints("lengths", {rows}, {2, 4});
        node("lengths_enter", "Enter", {"lengths"}, frame(whole, true));
        node("ended", "GreaterEqual", {"i_in:1", "lengths_enter"}, typed(whole));
    }

    LoopOfCells& gate(const std::string& name, const std::string& sum)
    {
        if (m_hasHardGates)
            node(name + "_scaled", "Mul", {sum, "fifth"})
                .node(name + "_line", "Add", {name + "_scaled", "half"})
                .node(name + "_below", "Minimum", {name + "_line", "high"})
                .node(name, "Maximum", {name + "_below", "low"});
        else
            node(name, "Sigmoid", {sum});
        return *this;
    }

    std::string peeped(const std::string& sum, const std::string& gate, const std::string& state,
                       bool hasPeepholes)
    {
        if (!hasPeepholes)
            return sum;
        floats("peep_" + gate, {units}, numbers(units, 0.1F));
        node("look_" + gate, "Mul", {"peep_" + gate, state});
        node("sum_" + gate, "Add", {sum, "look_" + gate});
        return "sum_" + gate;
    }

    void addEnd(const std::string& state, const std::string& next, const std::string& before)
    {
        if (m_hasLengths)
            node(state + "_next", "Select", {"ended", before, next});
        else
            node(state + "_next", "Identity", {next});
    }

    bool m_hasLengths;
    bool m_keepsLatest = false;
    bool m_hasHardGates = false;
};

bool says(const ExportedModel& made, std::string_view text)
{
    return std::ranges::any_of(
        made.notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

const std::vector<std::string> ends{"y", "last"};

} // namespace

TEST_CASE("A loop of LSTM cells becomes an LSTM", "[export][recurrent]")
{
    const bool hasLengths = GENERATE(false, true);
    const bool hasPeepholes = GENERATE(false, true);
    LoopOfCells builder(hasLengths);
    builder.lstm(hasPeepholes);
    const GraphPtr graph = builder.build();
    const ExportedModel onnx = exportedFile(graph, ExportTarget::Onnx, {"y", "last", "last_c"});
    CHECK(onnx.operators.at("LSTM") == 1);
    CHECK_FALSE(onnx.operators.contains("Loop"));
    CHECK(says(onnx, "is an LSTM of 2 units over 4 steps"));
    CHECK(computesOther(graph, onnx, {"y", "last"}).empty());
    const ExportedModel tflite = exportedFile(graph, ExportTarget::Tflite, ends);
    CHECK(tflite.operators.at("UNIDIRECTIONAL_SEQUENCE_LSTM") == 1);
    CHECK(computesOther(graph, tflite, ends).empty());
}

TEST_CASE("A list of one tensor is the last output of an LSTM", "[export][recurrent]")
{
    LoopOfCells builder;
    builder.keepLatest().lstm();
    const GraphPtr graph = builder.build();
    const std::vector<std::string> outputs{"latest_row"};
    const ExportedModel onnx = exportedFile(graph, ExportTarget::Onnx, outputs);
    CHECK(onnx.operators.at("LSTM") == 1);
    CHECK(computesOther(graph, onnx, outputs) == "");
    const ExportedModel tflite = exportedFile(graph, ExportTarget::Tflite, outputs);
    CHECK(tflite.operators.at("UNIDIRECTIONAL_SEQUENCE_LSTM") == 1);
    CHECK(computesOther(graph, tflite, outputs) == "");
}

TEST_CASE("Hard gates of an LSTM are read back", "[export][recurrent]")
{
    LoopOfCells builder;
    builder.withHardGates().lstm();
    const GraphPtr graph = builder.build();
    const ExportedModel made = exportedFile(graph, ExportTarget::Onnx, ends);
    CHECK(made.operators.at("LSTM") == 1);
    CHECK(computesOther(graph, made, ends) == "");
}

TEST_CASE("An LSTM whose input was multiplied before the loop is one", "[export][recurrent]")
{
    LoopOfCells builder;
    builder.lstmOfProducts();
    const GraphPtr graph = builder.build();
    for (const ExportTarget target : {ExportTarget::Onnx, ExportTarget::Tflite}) {
        const ExportedModel made = exportedFile(graph, target, ends);
        CHECK(says(made, "is an LSTM of 2 units over 4 steps"));
        CHECK(computesOther(graph, made, ends) == "");
    }
}

TEST_CASE("A loop of GRU cells becomes a GRU in ONNX and stays written out in TFLite",
          "[export][recurrent]")
{
    const bool hasLengths = GENERATE(false, true);
    const bool resetsAfter = GENERATE(false, true);
    LoopOfCells builder(hasLengths, false);
    builder.gru(resetsAfter);
    const GraphPtr graph = builder.build();
    const ExportedModel onnx = exportedFile(graph, ExportTarget::Onnx, ends);
    CHECK(onnx.operators.at("GRU") == 1);
    CHECK(onnx.operators.size() <= 2);
    CHECK(computesOther(graph, onnx, ends).empty());
    const ExportedModel tflite = exportedFile(graph, ExportTarget::Tflite, ends);
    CHECK(tflite.operators.contains("FULLY_CONNECTED"));
    CHECK(says(tflite, "TFLite has no operator for a GRU"));
    CHECK(computesOther(graph, tflite, ends).empty());
}

TEST_CASE("A loop of plain cells becomes an RNN", "[export][recurrent]")
{
    const bool hasLengths = GENERATE(false, true);
    const std::string activation = GENERATE("Tanh", "Relu");
    LoopOfCells builder(hasLengths, false);
    builder.plain(activation);
    const GraphPtr graph = builder.build();
    const ExportedModel onnx = exportedFile(graph, ExportTarget::Onnx, ends);
    CHECK(onnx.operators.at("RNN") == 1);
    CHECK(says(onnx, "is an RNN of 2 units over 4 steps"));
    CHECK(computesOther(graph, onnx, ends) == "");
    const ExportedModel tflite = exportedFile(graph, ExportTarget::Tflite, ends);
    CHECK(tflite.operators.at("UNIDIRECTIONAL_SEQUENCE_RNN") == 1);
    CHECK(computesOther(graph, tflite, ends) == "");
}

TEST_CASE("A state that TFLite's LSTM does not give out keeps the loop", "[export][recurrent]")
{
    LoopOfCells builder;
    builder.lstm();
    const GraphPtr graph = builder.build();
    const ExportedModel made = exportedFile(graph, ExportTarget::Tflite, {"y", "last_c"});
    CHECK_FALSE(made.operators.contains("UNIDIRECTIONAL_SEQUENCE_LSTM"));
    CHECK(says(made, "its last state c is read"));
    CHECK(computesOther(graph, made, {"y", "last_c"}).empty());
}

TEST_CASE("A cell that is almost an LSTM stays a loop", "[export][recurrent]")
{
    LoopOfCells builder;
    SECTION("a limited state")
    {
        builder.layer("gates", "xh", inputs + units, 4 * units, 0.2F);
        builder.node("parts", "Split", {"axis", "gates"}, {{"num_split", attr::fromInt(4)}});
        builder.node("i_gate", "Sigmoid", {"parts"}).node("f_gate", "Sigmoid", {"parts:2"});
        builder.node("j", "Tanh", {"parts:1"}).node("o_gate", "Sigmoid", {"parts:3"});
        builder.node("kept_c", "Mul", {"c_in:1", "f_gate"}).node("added_c", "Mul", {"i_gate", "j"});
        builder.node("sum", "Add", {"kept_c", "added_c"}).floats("limit", {}, {0.2F});
        builder.node("c_new", "Minimum", {"sum", "limit"}).node("c_tanh", "Tanh", {"c_new"});
        builder.node("h_new", "Mul", {"c_tanh", "o_gate"});
    }
    SECTION("gates that end with a tanh")
    {
        builder.layer("gates", "xh", inputs + units, 4 * units, 0.2F);
        builder.node("parts", "Split", {"axis", "gates"}, {{"num_split", attr::fromInt(4)}});
        builder.node("i_gate", "Tanh", {"parts"}).node("f_gate", "Sigmoid", {"parts:2"});
        builder.node("j", "Tanh", {"parts:1"}).node("o_gate", "Sigmoid", {"parts:3"});
        builder.node("kept_c", "Mul", {"c_in:1", "f_gate"}).node("added_c", "Mul", {"i_gate", "j"});
        builder.node("c_new", "Add", {"kept_c", "added_c"}).node("c_tanh", "Tanh", {"c_new"});
        builder.node("h_new", "Mul", {"c_tanh", "o_gate"});
    }
    builder.endWith("h_new", "c_new");
    const GraphPtr graph = builder.build();
    for (const ExportTarget target : {ExportTarget::Onnx, ExportTarget::Tflite}) {
        const ExportedModel made = exportedFile(graph, target, ends);
        CHECK_FALSE(made.operators.contains("LSTM"));
        CHECK_FALSE(made.operators.contains("UNIDIRECTIONAL_SEQUENCE_LSTM"));
        CHECK(computesOther(graph, made, ends).empty());
    }
}

} // namespace lapidary
