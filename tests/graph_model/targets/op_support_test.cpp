// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/later_ops.h"
#include "graph_model/targets/op_support.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

struct ReportedCase {
    const char* issue;
    const char* target;
    const char* op;
    const char* attr; // "T=int64"
    const char* cell;
    bool isMissing;
};

// Reports about TensorFlow on phones and boards, and what its version 1.15.5 has: an op that is not
// missing there was reported for an older version.
constexpr ReportedCase reported[] = {
    {"tensorflow#6260", "android_full", "DecodeJpeg", "", "no", true},
    {"tensorflow#10257", "android_full", "DecodeJpeg", "", "no", true},
    {"tensorflow#8192", "ios_makefile_default", "DecodeJpeg", "", "no", true},
    {"tensorflow#4407", "android_full", "DecodeJpeg", "", "no", true},
    {"tensorflow#2754", "ios_makefile_default", "DecodeJpeg", "", "no", true},
    {"tensorflow#14026", "pi_makefile_default", "DecodeJpeg", "", "no", true},
    {"TensorFlowSharp#280", "android_full", "DecodeJpeg", "", "no", true},
    {"TensorFlowSharp#427", "ios_makefile_default", "DecodeJpeg", "", "no", true},
    {"tensorflow#3764", "ios_makefile_default", "RandomShuffleQueue", "", "no", true},
    {"tensorflow#16266", "android_full", "RandomShuffleQueueV2", "", "no", true},
    {"tensorflow#18772", "android_full", "Cumsum", "T=float", "no", true},
    {"tensorflow#17757", "ios_makefile_default", "L2Loss", "T=float", "no", true},
    {"tensorflow#8502", "ios_makefile_default", "ExtractImagePatches", "", "no", true},
    {"tensorflow#45976", "android_full", "VarHandleOp", "", "no", true},
    {"tensorflow#21238", "android_full", "DecodeBase64", "", "no", true},
    {"tensorflow#11777", "android_full", "Ceil", "T=double", "no", true},
    {"models#4212", "android_full", "Slice", "T=int64", "T: float int32 bool", true},
    {"tensorflow#9476", "ios_makefile_default", "Less", "T=int32", "T: float", true},
    {"tensorflow#12560", "ios_makefile_default", "Less", "T=int32", "T: float", true},
    {"iOS_Tensorflow_ObjectDetection_Example#6", "ios_makefile_default", "Less", "T=int32",
     "T: float", true},
    {"iOS_Tensorflow_ObjectDetection_Example#4", "ios_makefile_default", "Equal", "T=int32",
     "T: float", true},
    {"tensorflow#15942", "ios_makefile_default", "Mul", "T=int32", "T: float int32", false},
    {"tensorflow#11296", "android_full", "LessEqual", "T=int32",
     "T: float double half bfloat16 int32 int64 int8 int16 uint8", false},
    {"tensorflow#14150", "android_full", "Multinomial", "T=float",
     "T: float; output_dtype: int32 int64", false},
    {"tensorflow#19768", "android_full", "All", "", "Tidx: int32 int64", false},
    {"tensorflow#14112", "ios_makefile_default", "Prod", "T=float",
     "T: float int32; Tidx: int32 int64", false},
    {"tensorflow#9097", "android_full", "PaddingFIFOQueue", "", "yes", false},
    {"models#1740", "android_full", "Switch", "", "yes", false},
    {"tensorboard#795", "ios_makefile_default", "Switch", "T=bool", "yes", false},
    {"tensorflow#1269", "android_full", "Inv", "T=float",
     "T: float double half complex64 complex128", false},
    {"tensorflow#2929", "ios_makefile_default", "Conv2DBackpropInput", "T=float", "T: float",
     false},
    {"fast-neural-style-android-app#5", "android_full", "Round", "T=float",
     "T: float double half int32 int64", false},
    {"tensorflow#9453", "pi_makefile_default", "_Arg", "T=float", "yes", false},
};

NodePtr nodeOf(const std::string& op, const std::string& attribute)
{
    NodeDraft draft;
    draft.name = "n";
    draft.op = op;
    if (const std::size_t equals = attribute.find('='); equals != std::string::npos)
        draft.setAttr(attribute.substr(0, equals),
                      attr::fromType(parseDtype(attribute.substr(equals + 1)).value()));
    return draft.finish();
}

} // namespace

TEST_CASE("the table says of every reported case what TensorFlow 1.15 has", "[targets]")
{
    const OpSupport table;
    for (const ReportedCase& one : reported) {
        INFO(one.issue << ' ' << one.op << ' ' << one.target);
        const Target* target = findTarget(one.target);
        REQUIRE(target != nullptr);
        CHECK(table.cell(one.op, one.target) == one.cell);
        const Support support = table.of(*nodeOf(one.op, one.attr), *target);
        CHECK(isMissing(support.fault) == one.isMissing);
        CHECK(support.why.empty() == !one.isMissing);
    }
}

TEST_CASE("combinations of types count where types one by one would do", "[targets]")
{
    const OpSupport table;
    const Target& target = *findTarget("android_full");
    NodeDraft draft;
    draft.name = "table";
    draft.op = "HashTableV2";
    draft.setAttr("key_dtype", attr::fromType(DType::String));
    draft.setAttr("value_dtype", attr::fromType(DType::Bool));
    CHECK(table.of(*draft.finish(), target).fault == SupportFault::None);
    draft.setAttr("key_dtype", attr::fromType(DType::Int32));
    CHECK(table.of(*draft.finish(), target).fault == SupportFault::OtherTypes);
}

TEST_CASE("an unknown op is not called supported", "[targets]")
{
    const OpSupport table;
    const Target& phone = *findTarget("android_full");
    CHECK(table.of(*nodeOf("MyOwnOp", ""), phone).fault == SupportFault::UnknownOp);
    const Target& converter = *findTarget("tflite_converter_2_6");
    CHECK(table.cell("Conv2D", converter.name) == "?");
    CHECK(table.of(*nodeOf("Conv2D", "T=float"), converter).fault == SupportFault::NotKnown);
    // TensorFlow Lite knows no FFT; with select ops it does.
    CHECK(isMissing(table.of(*nodeOf("FFT", ""), *findTarget("tflite_toco_1_15")).fault));
    CHECK_FALSE(isMissing(table.of(*nodeOf("FFT", ""), *findTarget("flex_1_15")).fault));
    CHECK(findTarget("jcenter") == nullptr);
}

TEST_CASE("an op that only later versions have runs in none of version 1.15", "[targets]")
{
    const OpSupport table;
    for (const OpSpec& op : laterOps())
        for (const Target& target : allTargets()) {
            INFO(op.name << ' ' << target.name);
            const Support support = table.of(*nodeOf(std::string(op.name).c_str(), ""), target);
            CHECK((support.fault == SupportFault::UnknownOp) == (target.version == "1.15"));
        }
}

TEST_CASE("fused ops have no kernel on any phone", "[targets]")
{
    const OpSupport table;
    for (const char* op : {"FusedPadConv2D", "FusedResizeAndPadConv2D"})
        for (const Target& target : allTargets()) {
            INFO(op << ' ' << target.name);
            if (target.kind == Target::Kind::Mobile && target.name != "android_all_ops_filegroup")
                CHECK(table.cell(op, target.name) == "no");
        }
}

} // namespace lapidary
