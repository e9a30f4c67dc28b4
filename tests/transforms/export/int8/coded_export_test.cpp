// SPDX-License-Identifier: Apache-2.0
// TFLite files that compute on 8-bit codes, exported to ONNX with the same codes.
#include "graph_model/tflite/tflite_model.h"
#include "tests/catch.h"
#include "tests/transforms/export/run_file.h"
#include "transforms/export/export_plan.h"

#include <cmath>
#include <numeric>

namespace lapidary {
namespace {

using Sizes = std::vector<std::int32_t>;

// Builds a file from x through one operator after another to y, which represents the last codes as
// numbers.
class CodedFile {
public:
    CodedFile(DType codes, Sizes x, TfliteScales scales)
        : m_codes(codes)
    {
        m_graph.name = "main";
        const DType fed = scales.scales.empty() ? DType::Float : codes;
        m_last = add("x", fed, std::move(x), std::move(scales));
        m_graph.inputs = {m_last};
    }

    std::int32_t add(std::string name, DType dtype, Sizes shape, TfliteScales scales = {})
    {
        TfliteTensor tensor;
        tensor.name = std::move(name);
        tensor.type = tfliteType(dtype).value();
        tensor.shape = std::move(shape);
        tensor.quantized = std::move(scales);
        m_graph.tensors.push_back(std::move(tensor));
        return std::int32_t(m_graph.tensors.size()) - 1;
    }
    // Codes that increase and decrease.
    std::int32_t weights(Sizes shape, TfliteScales scales)
    {
        const auto count = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
        std::string bytes;
        for (int i = 0; i < count; ++i)
            bytes.push_back(char(std::uint8_t(i * 37 % 251)));
        return constant("weights" + std::to_string(m_graph.tensors.size()), m_codes,
                        std::move(shape), std::move(bytes), std::move(scales));
    }
    std::int32_t bias(const std::vector<std::int32_t>& values, std::vector<float> scales)
    {
        std::string bytes(reinterpret_cast<const char*>(values.data()),
                          values.size() * sizeof(std::int32_t));
        TfliteScales own{scales, std::vector<std::int64_t>(scales.size(), 0), 0};
        return constant("bias", DType::Int32, {std::int32_t(values.size())}, std::move(bytes),
                        std::move(own));
    }
    std::int32_t sizes(const std::vector<std::int32_t>& values)
    {
        std::string bytes(reinterpret_cast<const char*>(values.data()),
                          values.size() * sizeof(std::int32_t));
        return constant("sizes" + std::to_string(m_graph.tensors.size()), DType::Int32,
                        {std::int32_t(values.size())}, std::move(bytes), {});
    }
    // Adds an operator that reads the last tensor and these.
    CodedFile& then(TfliteOperator op, Sizes others, Sizes shape, TfliteScales scales)
    {
        op.inputs = {m_last};
        op.inputs.insert(op.inputs.end(), others.begin(), others.end());
        const bool areNumbers = scales.scales.empty();
        const std::string name =
            areNumbers ? "y" : "codes" + std::to_string(m_graph.tensors.size());
        m_last =
            add(name, areNumbers ? DType::Float : m_codes, std::move(shape), std::move(scales));
        op.outputs = {m_last};
        m_graph.operators.push_back(std::move(op));
        return *this;
    }
    std::string bytes()
    {
        if (m_graph.tensors.back().name != "y")
            then({.code = 6}, {}, Sizes(m_graph.tensors.back().shape), {}); // DEQUANTIZE
        TfliteModel model;
        m_graph.outputs = {m_last};
        model.graphs = {m_graph};
        const auto encoded = encodeTflite(model);
        REQUIRE(encoded);
        return std::string(*encoded->bytes());
    }

private:
    std::int32_t constant(std::string name, DType dtype, Sizes shape, std::string bytes,
                          TfliteScales scales)
    {
        const std::int32_t made = add(std::move(name), dtype, std::move(shape), std::move(scales));
        m_graph.tensors.back().isConstant = true;
        m_graph.tensors.back().bytes = ConstantBytes(std::move(bytes));
        return made;
    }

    DType m_codes;
    TfliteGraph m_graph;
    std::int32_t m_last = 0;
};

TfliteOption byteOption(std::uint16_t field, std::int64_t number)
{
    return {.field = field, .type = TfliteOption::Type::Byte, .number = number};
}

ExportReport exported(const std::string& bytes, ExportTarget target, bool hasRanges = false)
{
    const auto file = readModelBytes(bytes, "made", Job());
    REQUIRE(file);
    REQUIRE_FALSE(file->isRefused());
    ExportPlan plan;
    plan.target = target;
    plan.interface.inputs = {"x"};
    plan.interface.outputs = {"y"};
    if (hasRanges)
        plan.ranges = RangeSource{.log = "none"};
    auto report = runExport(file->graphs[0].graph, plan, Job());
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    return *std::move(report);
}

// The exported ONNX file gives the same codes, or neighbors of them; returns its report.
template <class T>
ExportReport checkCodes(CodedFile& made, DType codes, const std::vector<std::int64_t>& dims,
                        float step)
{
    const std::string bytes = made.bytes();
    ExportReport report = exported(bytes, ExportTarget::Onnx);
    INFO((report.refused.empty() ? "" : report.refused[0].node + ": " + report.refused[0].reason));
    REQUIRE(report.file);
    std::vector<T> x;
    for (int i = 0; i < std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>()); ++i)
        x.push_back(T(i * 53 % 256));
    const RanFile before = runFile(bytes, codes, dims, x);
    const RanFile after = runFile(std::string(*report.file->bytes()), codes, dims, x);
    CHECK(before.dims == after.dims);
    REQUIRE(before.values.size() == after.values.size());
    float largest = 0;
    for (std::size_t i = 0; i < before.values.size(); ++i) {
        CHECK(std::abs(before.values[i] - after.values[i]) <= step * 1.001F);
        largest = std::max(largest, std::abs(before.values[i]));
    }
    CHECK(largest > 5 * step);
    return report;
}

} // namespace

TEST_CASE("layers of a file in codes keep their codes in ONNX", "[export][codes]")
{
    CodedFile conv(DType::Int8, {1, 4, 4, 2}, {{0.05F}, {3}, 0});
    const std::int32_t weights = conv.weights({3, 3, 3, 2}, {{0.01F, 0.02F, 0.004F}, {0, 0, 0}, 0});
    const std::int32_t bias = conv.bias({200, -300, 50}, {0.0005F, 0.001F, 0.0002F});
    conv.then({.code = 3,
               .optionsType = 1,
               .options = {byteOption(0, 0),
                           {.field = 1, .number = 1},
                           {.field = 2, .number = 1},
                           byteOption(3, 3)}},
              {weights, bias}, {1, 4, 4, 3}, {{6.0F / 255}, {-128}, 0});
    const ExportReport report =
        checkCodes<std::int8_t>(conv, DType::Int8, {1, 4, 4, 2}, 6.0F / 255);
    CHECK(report.operators.at("Conv") == 1);
    CHECK(report.operators.at("QuantizeLinear") == 1);
    CHECK(report.operators.at("DequantizeLinear") == 4); // x, weights, bias, y
    CHECK(report.inputs.at(0).dtype == DType::Int8);
}

TEST_CASE("codes of both files are compared by the numbers that they represent", "[export][codes]")
{
    CodedFile file(DType::Int8, {1, 6}, {{0.1F}, {7}, 0});
    const std::int32_t weights = file.weights({4, 6}, {{0.02F}, {0}, 0});
    file.then({.code = 9, .optionsType = 8}, {weights}, {1, 4}, {{0.3F}, {20}, 0});
    file.then({.code = 14}, {}, {1, 4}, {{1.0F / 256}, {-128}, 0}); // LOGISTIC
    const auto read = readModelBytes(file.bytes(), "made", Job());
    REQUIRE(read);
    ExportPlan plan;
    plan.target = ExportTarget::Onnx;
    plan.interface.inputs = {"x"};
    plan.interface.outputs = {"y"};
    const auto report = runCheckedExport(read->graphs[0], {}, plan, Job());
    REQUIRE(report);
    REQUIRE(report->check);
    CHECK(report->check->pairs.size() > 2);
    for (const VerifiedPair& pair : report->check->pairs) {
        INFO(pair.a);
        CHECK(pair.agreement.maxAbs <= 0.301);
    }
}

TEST_CASE("depthwise weights in codes have a scale for each of several multiples",
          "[export][codes]")
{
    CodedFile file(DType::Int8, {1, 3, 3, 2}, {{0.1F}, {-7}, 0});
    const std::vector<float> scales{0.01F, 0.02F, 0.005F, 0.03F};
    const std::int32_t weights = file.weights({1, 2, 2, 4}, {scales, {0, 0, 0, 0}, 3});
    const std::int32_t bias = file.bias({10, -20, 30, -40}, {0.001F, 0.002F, 0.0005F, 0.003F});
    file.then({.code = 4,
               .optionsType = 2,
               .options = {byteOption(0, 1),
                           {.field = 1, .number = 1},
                           {.field = 2, .number = 1},
                           {.field = 3, .number = 2}}},
              {weights, bias}, {1, 2, 2, 4}, {{0.2F}, {5}, 0});
    const ExportReport report = checkCodes<std::int8_t>(file, DType::Int8, {1, 3, 3, 2}, 0.2F);
    CHECK(report.operators.at("DequantizeLinear") == 4);
}

TEST_CASE("dilated depthwise weights stay codes, without zeros between them", "[export][codes]")
{
    CodedFile file(DType::Int8, {1, 7, 8, 2}, {{0.1F}, {-7}, 0});
    const std::int32_t weights = file.weights({1, 3, 3, 2}, {{0.01F, 0.02F}, {0, 0}, 3});
    const std::int32_t bias = file.bias({10, -20}, {0.001F, 0.002F});
    file.then({.code = 4,
               .optionsType = 2,
               .options = {byteOption(0, 1),
                           {.field = 1, .number = 1},
                           {.field = 2, .number = 1},
                           {.field = 3, .number = 1},
                           {.field = 5, .number = 2},
                           {.field = 6, .number = 3}}},
              {weights, bias}, {1, 1, 4, 2}, {{0.2F}, {5}, 0});
    const ExportReport report = checkCodes<std::int8_t>(file, DType::Int8, {1, 7, 8, 2}, 0.2F);
    CHECK(report.operators.at("DequantizeLinear") == 4);
}

TEST_CASE("scales along another axis than the channels are multiplied into floats",
          "[export][codes]")
{
    CodedFile conv(DType::Int8, {1, 4, 4, 2}, {{0.05F}, {3}, 0});
    const std::int32_t weights = conv.weights({3, 3, 3, 2}, {{0.01F, 0.02F}, {0, 0}, 3});
    conv.then({.code = 3,
               .optionsType = 1,
               .options = {byteOption(0, 0), {.field = 1, .number = 1}, {.field = 2, .number = 1}}},
              {weights}, {1, 4, 4, 3}, {{0.2F}, {0}, 0});
    const ExportReport report = exported(conv.bytes(), ExportTarget::Onnx);
    REQUIRE(report.file);
    CHECK(report.operators.at("DequantizeLinear") == 2); // x, y
}

TEST_CASE("a file of pairs is exported with the same operators again", "[export][codes]")
{
    CodedFile file(DType::Int8, {1, 6, 6, 2}, {{0.05F}, {3}, 0});
    const std::vector<TfliteOption> window{
        byteOption(0, 0), {.field = 1, .number = 2}, {.field = 2, .number = 2}, byteOption(3, 1)};
    const std::int32_t weights =
        file.weights({4, 3, 3, 2}, {{0.01F, 0.02F, 0.004F, 0.03F}, {0, 0, 0, 0}, 0});
    const std::int32_t bias = file.bias({200, -300, 50, 70}, {0.0005F, 0.001F, 0.0002F, 0.0015F});
    file.then({.code = 3, .optionsType = 1, .options = window}, {weights, bias}, {1, 3, 3, 4},
              {{0.1F}, {-128}, 0});
    const std::int32_t each = file.weights(
        {1, 2, 2, 8}, {std::vector<float>(8, 0.01F), std::vector<std::int64_t>(8, 0), 3});
    file.then({.code = 4,
               .optionsType = 2,
               .options = {byteOption(0, 1),
                           {.field = 1, .number = 1},
                           {.field = 2, .number = 1},
                           {.field = 3, .number = 2},
                           {.field = 5, .number = 2},
                           {.field = 6, .number = 2}}},
              {each}, {1, 1, 1, 8}, {{0.2F}, {5}, 0});
    const std::int32_t rows = file.weights({3, 8}, {{0.02F}, {0}, 0});
    file.then({.code = 9, .optionsType = 8}, {rows}, {1, 3}, {{0.3F}, {20}, 0});
    const ExportReport first = exported(file.bytes(), ExportTarget::Onnx);
    REQUIRE(first.file);
    const std::string bytes(*first.file->bytes());
    const ExportReport again = exported(bytes, ExportTarget::Onnx);
    REQUIRE(again.file);
    CHECK(again.operators == first.operators);
    CHECK(first.operators.at("QuantizeLinear") == 3);
    CHECK(first.operators.at("Transpose") == 1);
    std::vector<std::int8_t> x;
    for (int i = 0; i < 72; ++i)
        x.push_back(std::int8_t(i * 53 % 256));
    const RanFile before = runFile(bytes, DType::Int8, {1, 6, 6, 2}, x);
    const RanFile after = runFile(std::string(*again.file->bytes()), DType::Int8, {1, 6, 6, 2}, x);
    CHECK(before.values == after.values);
}

TEST_CASE("groups of channels and resizes stay one operator of codes in a file of pairs",
          "[export][codes]")
{
    CodedFile file(DType::Int8, {1, 3, 4, 4}, {{0.05F}, {3}, 0});
    const std::int32_t weights =
        file.weights({4, 3, 3, 2}, {{0.01F, 0.02F, 0.004F, 0.03F}, {0, 0, 0, 0}, 0});
    const std::int32_t bias = file.bias({200, -300, 50, 70}, {0.0005F, 0.001F, 0.0002F, 0.0015F});
    file.then({.code = 3,
               .version = 6,
               .optionsType = 1,
               .options = {byteOption(0, 0), {.field = 1, .number = 1}, {.field = 2, .number = 1}}},
              {weights, bias}, {1, 3, 4, 4}, {{0.1F}, {-128}, 0});
    file.then({.code = 97, .optionsType = 74}, {file.sizes({6, 7})}, {1, 6, 7, 4},
              {{0.1F}, {-128}, 0}); // RESIZE_NEAREST_NEIGHBOR
    file.then({.code = 23, .optionsType = 15}, {file.sizes({9, 7})}, {1, 9, 7, 4},
              {{0.1F}, {-128}, 0}); // RESIZE_BILINEAR
    ExportReport report = checkCodes<std::int8_t>(file, DType::Int8, {1, 3, 4, 4}, 0.1F);
    for (int round = 0; round < 2; ++round) {
        INFO("round " << round);
        CHECK(report.operators.at("Conv") == 1);
        CHECK(report.operators.at("Resize") == 2);
        CHECK(report.operators.count("Gather") + report.operators.count("Split") == 0);
        CHECK(report.operators.at("DequantizeLinear") >= 4); // x, weights, bias, y
        report = exported(std::string(*report.file->bytes()), ExportTarget::Onnx);
        REQUIRE(report.file);
    }
}

TEST_CASE("weights from 0 to 255 keep their zero point", "[export][codes]")
{
    CodedFile file(DType::UInt8, {1, 6}, {{0.1F}, {100}, 0});
    const std::int32_t weights = file.weights({4, 6}, {{0.02F}, {90}, 0});
    const std::int32_t bias = file.bias({100, 200, -100, -200}, {0.002F});
    file.then({.code = 9, .optionsType = 8}, {weights, bias}, {1, 4}, {{0.3F}, {120}, 0});
    const std::int32_t addend = file.weights({1, 4}, {{0.5F}, {60}, 0});
    file.then({.code = 0, .optionsType = 11}, {addend}, {1, 4}, {{1}, {64}, 0});
    const ExportReport report = checkCodes<std::uint8_t>(file, DType::UInt8, {1, 6}, 1);
    CHECK(report.operators.at("QuantizeLinear") == 2);
    CHECK(report.operators.at("DequantizeLinear") == 6); // x, weights, bias, sum, addend, y
}

TEST_CASE("weights in codes beside floats stay codes, and the report says who rounds",
          "[export][codes]")
{
    CodedFile file(DType::Int8, {1, 6}, {});
    const std::int32_t weights = file.weights({4, 6}, {{0.02F}, {0}, 0});
    file.then({.code = 9, .optionsType = 8}, {weights}, {1, 4}, {});
    const ExportReport report = exported(file.bytes(), ExportTarget::Onnx);
    REQUIRE(report.file);
    CHECK(report.operators.at("DequantizeLinear") == 1);
    REQUIRE(report.notes.size() == 1);
    CHECK(report.notes[0].find("TFLite rounds what it reads") != std::string::npos);
}

TEST_CASE("a graph that computes on codes is not written for TFLite, nor quantized again",
          "[export][codes]")
{
    CodedFile file(DType::Int8, {1, 4}, {{0.1F}, {0}, 0});
    file.then({.code = 14}, {}, {1, 4}, {{1.0F / 256}, {-128}, 0}); // LOGISTIC
    const std::string bytes = file.bytes();
    for (const bool isTflite : {true, false}) {
        const ExportReport report =
            exported(bytes, isTflite ? ExportTarget::Tflite : ExportTarget::Onnx, !isTflite);
        CHECK_FALSE(report.file);
        REQUIRE(report.refused.size() == 1);
        CHECK(report.refused[0].reason.find("to ONNX without ranges") != std::string::npos);
    }
}

} // namespace lapidary
