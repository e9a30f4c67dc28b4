// SPDX-License-Identifier: Apache-2.0
// The verbs `support` and `kernels`, called as a user calls them.
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"

#include <array>

namespace lapidary::goldens {
namespace {

using nlohmann::json;

struct Case {
    const char* target;
    const char* op;
    const char* type; // of T; empty: the op has none
    bool isMissing;
};

// Reports about TensorFlow on phones and boards. An op that is not missing in version 1.15.5 was
// missing in an older one.
constexpr std::array cases{
    Case{"android_full", "DecodeJpeg", "", true},
    Case{"ios_makefile_default", "DecodeJpeg", "", true},
    Case{"pi_makefile_default", "DecodeJpeg", "", true},
    Case{"ios_makefile_default", "RandomShuffleQueue", "", true},
    Case{"android_full", "RandomShuffleQueueV2", "", true},
    Case{"android_full", "Cumsum", "float", true},
    Case{"ios_makefile_default", "L2Loss", "float", true},
    Case{"ios_makefile_default", "ExtractImagePatches", "float", true},
    Case{"android_full", "VarHandleOp", "", true},
    Case{"android_full", "DecodeBase64", "", true},
    Case{"android_full", "Ceil", "double", true},
    Case{"android_full", "Slice", "int64", true},
    Case{"ios_makefile_default", "Less", "int32", true},
    Case{"ios_makefile_default", "Equal", "int32", true},
    Case{"ios_makefile_default", "Mul", "int32", false},
    Case{"android_full", "LessEqual", "int32", false},
    Case{"android_full", "Multinomial", "float", false},
    Case{"android_full", "All", "", false},
    Case{"ios_makefile_default", "Prod", "float", false},
    Case{"android_full", "PaddingFIFOQueue", "", false},
    Case{"android_full", "Switch", "float", false},
    Case{"ios_makefile_default", "Switch", "bool", false},
    Case{"android_full", "Inv", "float", false},
    Case{"ios_makefile_default", "Conv2DBackpropInput", "float", false},
    Case{"android_full", "Round", "float", false},
    Case{"pi_makefile_default", "_Arg", "float", false},
};

std::string enumName(const std::string& type)
{
    std::string name = "DT_";
    for (const char c : type)
        name += c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
    return name;
}

// Makes two nodes of the op, the second with another type if there is one, and a node of another
// op.
std::string graphText(const Case& one)
{
    const auto node = [&](const std::string& name, const std::string& op, const std::string& type) {
        return "node { name: \"" + name + "\" op: \"" + op + "\"" +
               (type.empty() ? "" : " attr { key: \"T\" value { type: " + enumName(type) + " } }") +
               " }\n";
    };
    const std::string type = one.type;
    return node("other", "NoOp", "") +
           (type.empty() ? "" : node("net/wrong_type", one.op, type == "half" ? "float" : "half")) +
           node("net/it", one.op, type);
}

// Tries each form of the error that a program may print about the node; returns whether the message
// names it.
std::vector<std::pair<std::string, bool>> messagesOf(const Case& one)
{
    const std::string op = one.op;
    const std::string attr = *one.type == '\0' ? "" : "T=" + enumName(one.type);
    return {
        {"E/TF: Invalid argument: No OpKernel was registered to support Op '" + op +
             "' used by {{node net/it}}with these attrs: [" + attr +
             "]\nRegistered devices: [CPU]\nRegistered kernels:\n  <no registered kernels>\n\n\t "
             "[[net/it]]",
         true},
        {"No OpKernel was registered to support Op '" + op +
             "' with these attrs.  Registered devices: [CPU], Registered kernels:\n  <no "
             "registered kernels>\n\n\t [[Node: net/it = " +
             op + "[" + attr + "](a, b)]]",
         true},
        {"No registered '" + op +
             "' OpKernel for CPU devices compatible with node {{node net/it}}"
             "\n\t.  Registered:  <no registered kernels>",
         true},
        {"Op type not registered '" + op + "' in binary running on phone.", false},
        {"No OpKernel was registered to support Op '" + op +
             "' used by {{node gone}}with these "
             "attrs: [" +
             attr + "]",
         false},
    };
}

} // namespace

TEST_CASE("support finds what was reported, and its message finds the node", "[support]")
{
    for (const Case& one : cases) {
        INFO(one.op << ' ' << one.type << ' ' << one.target);
        const WorkingFolder work;
        writeBytes(work.path() / "net.pbtxt", graphText(one));
        const Ran ran = runProgram({"lapidary", "support", "net.pbtxt", "--target", one.target,
                                    "--outputs", "net/it", "--inputs", "other", "--json"});
        INFO(ran.err);
        const json answer = json::parse(ran.out, nullptr, false);
        REQUIRE_FALSE(answer.is_discarded());
        bool isFound = false;
        for (const json& finding : answer["findings"])
            for (const json& node : finding["nodes"])
                isFound |= node == "net/it" && finding["missing"] == true;
        CHECK(isFound == one.isMissing);
        CHECK(ran.exitCode == (answer["as_it_is"]["missing"] == 0 ? 0 : 1));
        for (const auto& [message, namesNode] : messagesOf(one)) {
            INFO(message);
            const Ran told = runProgram(
                {"lapidary", "support", "net.pbtxt", "--message", "-", "--json"}, message);
            CHECK(told.exitCode == 1);
            const json nodes = json::parse(told.out)["nodes"];
            const bool namesTypes = message.find("T=") != std::string::npos;
            bool isThere = false;
            for (const json& node : nodes)
                isThere |= node["node"] == "net/it";
            CHECK(isThere);
            if (namesNode || namesTypes)
                CHECK(nodes.size() == 1);
        }
    }
}

TEST_CASE("support warns of what a recipe makes", "[support]")
{
    const WorkingFolder work;
    writeBytes(work.path() / "net.pbtxt", R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "p" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "value"
  value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 4 } dim { size: 2 } } int_val: 0 } } } }
node { name: "pad" op: "MirrorPad" input: "x" input: "p" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "Tpaddings" value { type: DT_INT32 } } attr { key: "mode" value { s: "REFLECT" } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value"
  value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } dim { size: 1 } dim { size: 1 }
  dim { size: 1 } } float_val: 2 } } } }
node { name: "y" op: "Conv2D" input: "pad" input: "w" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } }
  attr { key: "padding" value { s: "VALID" } } }
)");
    const std::vector<std::string> call{"lapidary", "support",      "net.pbtxt",
                                        "--target", "android_full", "--inputs",
                                        "x",        "--outputs",    "y"};
    CHECK(runProgram(call).exitCode == 0);
    std::vector<std::string> fused = call;
    fused.insert(fused.end(), {"--transforms", "fuse_pad_and_conv"});
    const Ran ran = runProgram(fused);
    CHECK(ran.exitCode == 1);
    CHECK(ran.err.find("step 1, fuse_pad_and_conv, makes y, a FusedPadConv2D") !=
          std::string::npos);
}

TEST_CASE("support says what it needs, and which target was probably meant", "[support]")
{
    const WorkingFolder work;
    writeBytes(work.path() / "net.pbtxt", "node { name: \"x\" op: \"NoOp\" }");
    CHECK(runProgram({"lapidary", "support", "net.pbtxt"}).exitCode == 2);
    const Ran close = runProgram({"lapidary", "support", "net.pbtxt", "--target", "android_ful"});
    CHECK(close.exitCode == 2);
    CHECK(close.err.find("did you mean android_full?") != std::string::npos);
    const Ran list = runProgram({"lapidary", "support", "--targets"});
    CHECK(list.exitCode == 0);
    CHECK(list.out.find("android_full ") != std::string::npos);
    CHECK(list.out.find("531 ops") != std::string::npos);
    const Ran odd = runProgram({"lapidary", "support", "net.pbtxt", "--message", "hello"});
    CHECK(odd.exitCode == 3);
}

TEST_CASE("support does not say that what it does not know runs", "[support]")
{
    const WorkingFolder work;
    const auto outcome = [&](const std::string& op) {
        writeBytes(work.path() / "net.pbtxt",
                   "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" "
                   "value { type: DT_FLOAT } } } node { name: \"y\" op: \"" +
                       op + "\" input: \"x\" attr { key: \"T\" value { type: DT_FLOAT } } }");
        const Ran ran = runProgram({"lapidary", "support", "net.pbtxt", "--target", "desktop",
                                    "--outputs", "y", "--json"});
        return std::pair(json::parse(ran.out)["outcome"].get<std::string>(), ran.exitCode);
    };
    CHECK(outcome("Relu") == std::pair(std::string("runs"), 0));
    CHECK(outcome("MyOwnOp") == std::pair(std::string("does not run"), 1));
    CHECK(outcome("StatelessCase") == std::pair(std::string("does not run"), 1));
    CHECK(outcome("NcclAllReduce") == std::pair(std::string("may run"), 0));
}

TEST_CASE("kernels lists what graphs need and writes the header", "[support]")
{
    const WorkingFolder work;
    writeBytes(work.path() / "a.pbtxt", R"(node { name: "x" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } })");
    writeBytes(work.path() / "b.pbtxt", "node { name: \"z\" op: \"MyOwnOp\" }");
    const Ran ran = runProgram({"lapidary", "kernels", "a.pbtxt", "--json", "--header", "ops.h"});
    CHECK(ran.exitCode == 0);
    const json answer = json::parse(ran.out);
    CHECK(answer["ops"]["needed"] == 5);
    CHECK(answer["kernels"]["needed"] == 5);
    CHECK(readBytes("ops.h").find("\"ReluOp<CPUDevice, float>\",\n") != std::string::npos);
    const Ran both = runProgram({"lapidary", "kernels", "a.pbtxt", "b.pbtxt"});
    CHECK(both.exitCode == 1);
    CHECK(both.out.find("no kernel: MyOwnOp (1 node)") != std::string::npos);
    const Ran alone = runProgram({"lapidary", "kernels", "a.pbtxt", "--header", "-"});
    CHECK(alone.out == readBytes("ops.h"));
}

} // namespace lapidary::goldens
