// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/later_ops.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/tflite/tflite_model.h"
#include "tests/catch.h"
#include "tests/source_folder.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>

using namespace lapidary;

namespace {

std::string argText(const ArgSpec& arg)
{
    std::string text(arg.name);
    text += ':';
    if (!arg.typeListAttr.empty()) {
        text.append("[").append(arg.typeListAttr).append("]");
    } else if (!arg.typeAttr.empty()) {
        text += arg.typeAttr;
    } else {
        std::string name = dtypeName(arg.dtype);
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
        text += "DT_" + name;
    }
    if (!arg.numberAttr.empty())
        text.append("*").append(arg.numberAttr);
    return text + (arg.isReference ? "&" : "");
}

std::string attrText(const AttrSpec& attr)
{
    std::string text = std::string(attr.name) + ":" + std::string(attr.kind);
    if (attr.hasDefault)
        text.append("=").append(attr.defaultText);
    if (!attr.allowedText.empty())
        text.append("{").append(attr.allowedText).append("}");
    if (attr.hasMinimum)
        text.append(">=").append(std::to_string(attr.minimum));
    return text;
}

template <class Items, class Print>
std::string joined(const Items& items, Print print)
{
    std::string text;
    for (const auto& item : items)
        text += (text.empty() ? "" : "; ") + print(item);
    return text;
}

} // namespace

TEST_CASE("the registry says what the registry file says, line by line", "[ops]")
{
    std::ifstream file(sourceFolder() / "resources/ops/ops.tsv");
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#'))
            continue;
        const std::string name = line.substr(0, line.find('\t'));
        INFO(line);
        const OpSpec* op = findOp(name);
        REQUIRE(op != nullptr);
        const std::string printed = name + "\t" + joined(op->inputs, argText) + "\t" +
                                    joined(op->outputs, argText) + "\t" +
                                    joined(op->attrs, attrText) + "\t";
        CHECK(line.substr(0, line.rfind('\t') + 1) == printed);
        const std::string flags = line.substr(line.rfind('\t') + 1);
        CHECK(op->isStateful == (flags.find("stateful") != std::string::npos));
        CHECK(op->isCommutative == (flags.find("commutative") != std::string::npos));
        CHECK(op->isAggregate == (flags.find("aggregate") != std::string::npos));
        CHECK((op->deprecatedSince > 0) == (flags.find("deprecated") != std::string::npos));
        ++count;
    }
    CHECK(count == allOps().size());
    CHECK(count > 1200);
    CHECK(std::ranges::is_sorted(allOps(), {}, &OpSpec::name));
}

TEST_CASE("ops of later versions are found, but are not of the registry", "[ops]")
{
    CHECK(laterOps().size() >= 5);
    CHECK(std::ranges::is_sorted(laterOps(), {}, &OpSpec::name));
    for (const OpSpec& op : laterOps()) {
        INFO(op.name);
        CHECK(findOp(op.name) == &op);
        CHECK(findReferenceOp(op.name) == nullptr);
        CHECK(opFamily(op.name) != OpFamily::Unknown);
    }
    CHECK(findReferenceOp("Conv2D") == findOp("Conv2D"));
    CHECK(findOp("MatrixDiagV3")->attrs[1].defaultText == "\"RIGHT_LEFT\"");
}

TEST_CASE("well-known ops have their facts", "[ops]")
{
    const OpSpec* op = findOp("Conv2D");
    REQUIRE(op != nullptr);
    CHECK(op->inputs.size() == 2);
    CHECK(op->inputs[0].typeAttr == "T");
    CHECK_FALSE(op->isStateful);
    const OpSpec* old = findOp("AdjustContrast");
    REQUIRE(old != nullptr);
    CHECK(old->deprecatedSince == 2);
    CHECK(old->deprecationReason == "Use AdjustContrastv2 instead");
    CHECK(findOp("conv2d") == nullptr);
    CHECK(findOp("") == nullptr);
    CHECK(findOp(std::string_view("Conv2D\0", 7)) == nullptr);
}

TEST_CASE("every registered op has a family, others have none", "[ops]")
{
    std::set<OpFamily> met;
    for (const OpSpec& op : allOps()) {
        INFO(op.name);
        CHECK(op.family != OpFamily::Unknown);
        CHECK(opFamily(op.name) == op.family);
        met.insert(op.family);
    }
    CHECK(met.size() == opFamilyCount - 1);
    CHECK(opFamily("FancyRelu") == OpFamily::Unknown);
    CHECK(opFamily("") == OpFamily::Unknown);
}

TEST_CASE("families follow the work that an op does", "[ops]")
{
    const std::map<std::string_view, OpFamily> expected{
        {"Placeholder", OpFamily::Input},
        {"IteratorGetNext", OpFamily::Input},
        {"DecodeJpeg", OpFamily::Input},
        {"_Arg", OpFamily::Input},
        {"_Retval", OpFamily::Output},
        {"Const", OpFamily::Weights},
        {"VariableV2", OpFamily::Weights},
        {"VarHandleOp", OpFamily::Weights},
        {"HashTableV2", OpFamily::Weights},
        {"Conv2D", OpFamily::HeavyMaths},
        {"DepthwiseConv2dNative", OpFamily::HeavyMaths},
        {"MatMul", OpFamily::HeavyMaths},
        {"BatchMatMulV2", OpFamily::HeavyMaths},
        {"BlockLSTM", OpFamily::HeavyMaths},
        {"FusedBatchNormV3", OpFamily::Normalization},
        {"LRN", OpFamily::Normalization},
        {"Relu6", OpFamily::Activation},
        {"Softmax", OpFamily::Activation},
        {"MaxPool", OpFamily::Pooling},
        {"Mean", OpFamily::Pooling},
        {"ArgMax", OpFamily::Pooling},
        {"Add", OpFamily::ElementWise},
        {"Rsqrt", OpFamily::ElementWise},
        {"Cast", OpFamily::ElementWise},
        {"BiasAdd", OpFamily::ElementWise},
        {"Reshape", OpFamily::DataMovement},
        {"ConcatV2", OpFamily::DataMovement},
        {"Identity", OpFamily::DataMovement},
        {"StopGradient", OpFamily::DataMovement},
        {"Switch", OpFamily::Control},
        {"While", OpFamily::Control},
        {"PartitionedCall", OpFamily::Control},
        {"QuantizeV2", OpFamily::Quantized},
        {"QuantizedConv2D", OpFamily::Quantized},
        {"Requantize", OpFamily::Quantized},
        {"Dequantize", OpFamily::Quantized},
        {"FakeQuantWithMinMaxVars", OpFamily::Quantized},
        {"ApplyAdam", OpFamily::Training},
        {"Conv2DBackpropFilter", OpFamily::Training},
        {"ReluGrad", OpFamily::Training},
        {"SaveV2", OpFamily::Training},
        {"ScalarSummary", OpFamily::Training},
    };
    for (const auto& [op, family] : expected) {
        INFO(op);
        CHECK(opFamilyName(opFamily(op)) == opFamilyName(family));
    }
}

TEST_CASE("signatures are readable", "[ops]")
{
    CHECK(signatureText(*findOp("Conv2D")) == "Conv2D(input: T, filter: T) -> (output: T)");
    CHECK(signatureText(*findOp("ConcatV2")) ==
          "ConcatV2(values: T × N, axis: Tidx) -> (output: T)");
    CHECK(signatureText(*findOp("Assign")) ==
          "Assign(ref: T (reference), value: T) -> (output_ref: T (reference))");
    CHECK(signatureText(*findOp("IdentityN")) == "IdentityN(input: T) -> (output: T)");
    CHECK(signatureText(*findOp("NoOp")) == "NoOp() -> ()");
}

TEST_CASE("operators of device formats have the family of what they compute", "[ops]")
{
    CHECK(opFamily("CONV_2D") == OpFamily::HeavyMaths);
    CHECK(opFamily("DEPTHWISE_CONV_2D") == OpFamily::HeavyMaths);
    CHECK(opFamily("FULLY_CONNECTED") == OpFamily::HeavyMaths);
    CHECK(opFamily("UNIDIRECTIONAL_SEQUENCE_LSTM") == OpFamily::HeavyMaths);
    CHECK(opFamily("MAX_POOL_2D") == OpFamily::Pooling);
    CHECK(opFamily("AVERAGE_POOL_2D") == OpFamily::Pooling);
    CHECK(opFamily("RELU6") == OpFamily::Activation);
    CHECK(opFamily("RESHAPE") == OpFamily::DataMovement);
    CHECK(opFamily("DEQUANTIZE") == OpFamily::Quantized);
    CHECK(opFamily("Conv") == OpFamily::HeavyMaths);
    CHECK(opFamily("Gemm") == OpFamily::HeavyMaths);
    CHECK(opFamily("GlobalAveragePool") == OpFamily::Pooling);
    CHECK(opFamily("STABLEHLO_COMPOSITE") == OpFamily::Control);
    CHECK(opFamily("BatchNormalization") == OpFamily::Normalization);
    // Ops of others are unknown, whatever their names suggest.
    for (const char* other : {"MyConv", "Convolution", "CUSTOM", "FlexConv2D", "TreeEnsemble", ""})
        CHECK(opFamily(other) == OpFamily::Unknown);
}

TEST_CASE("hardly any operator of TFLite is without a family", "[ops][tflite]")
{
    const std::set<std::string_view> without{"CUSTOM", "DELEGATE"};
    for (std::int32_t code = 0; !tfliteOperatorName(code).empty(); ++code) {
        const std::string_view name = tfliteOperatorName(code);
        INFO(name);
        CHECK((opFamily(name) == OpFamily::Unknown) == without.contains(name));
    }
}
