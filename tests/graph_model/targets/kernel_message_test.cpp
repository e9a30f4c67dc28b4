// SPDX-License-Identifier: Apache-2.0
#include "graph_model/targets/kernel_message.h"
#include "tests/catch.h"

namespace lapidary {

using Kind = KernelMessage::Kind;
using Attrs = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("messages of TensorFlow 1.13 to 1.15 are understood", "[targets]")
{
    const auto message = parseKernelMessage(
        "E/native: tensorflow_inference_jni.cc:50 Invalid argument: No OpKernel was registered to "
        "support Op 'Slice' used by {{node block/Slice_1}}with these attrs: [T=DT_INT64, "
        "Index=DT_INT32, shape=[1,2]]\nRegistered devices: [CPU]\nRegistered kernels:\n"
        "  device='CPU'; T in [DT_BOOL]\n  device='CPU'; T in [DT_FLOAT]\n"
        "  device='CPU'; T in [DT_INT32]\n\n\t [[block/Slice_1]]");
    REQUIRE(message);
    CHECK(message->kind == Kind::NoKernel);
    CHECK(message->ops == std::vector<std::string>{"Slice"});
    CHECK(message->node == "block/Slice_1");
    CHECK(message->attrs == Attrs{{"T", "int64"}, {"Index", "int32"}, {"shape", "[1,2]"}});
    CHECK(message->listsKernels);
    CHECK(message->registered == std::vector<std::string>{"T: bool", "T: float", "T: int32"});
}

TEST_CASE("older messages are understood, wrapped or not", "[targets]")
{
    const auto message = parseKernelMessage(
        "No OpKernel was registered to support Op 'Less' with these attrs.  Registered devices:\n"
        "[CPU], Registered kernels:\n  device='CPU'; T in [DT_FLOAT]\n\n"
        "\t [[Node: while/Less = Less[T=DT_INT32, _device=\"/device:CPU:0\"]\n(while/Merge, "
        "while/Less/Enter)]]");
    REQUIRE(message);
    CHECK(message->node == "while/Less");
    REQUIRE_FALSE(message->attrs.empty());
    CHECK(message->attrs[0] == Attrs::value_type{"T", "int32"});
    CHECK(message->registered == std::vector<std::string>{"T: float"});

    const auto none = parseKernelMessage("No OpKernel was registered to support Op 'DecodeJpeg' "
                                         "with these attrs.  Registered devices: [CPU], Registered "
                                         "kernels:\n  <no registered kernels>\n\n\t [[Node: "
                                         "DecodeJpeg = DecodeJpeg[channels=3](contents)]]");
    REQUIRE(none);
    CHECK(none->ops == std::vector<std::string>{"DecodeJpeg"});
    CHECK(none->node == "DecodeJpeg");
    CHECK(none->registered.empty());
}

TEST_CASE("messages of executor, definitions and converters are understood", "[targets]")
{
    const auto executor =
        parseKernelMessage("No registered 'Round' OpKernel for CPU devices compatible with node "
                           "{{node quantize/Round}} (OpKernel was found, but attributes didn't "
                           "match) Requested Attributes: T=DT_FLOAT.  Registered:  device='CPU'; "
                           "T in [DT_HALF]");
    REQUIRE(executor);
    CHECK(executor->kind == Kind::NoExecutable);
    CHECK(executor->node == "quantize/Round");
    CHECK(executor->attrs == Attrs{{"T", "float"}});
    CHECK(executor->registered == std::vector<std::string>{"T: half"});

    const auto definition = parseKernelMessage(
        "Value for attr 'T' of int64 is not in the list of allowed values: float, int32; NodeDef: "
        "{{node add}}; Op<name=Add; signature=x:T, y:T -> z:T; attr=T:type>");
    REQUIRE(definition);
    CHECK(definition->kind == Kind::NotAllowed);
    CHECK(definition->ops == std::vector<std::string>{"Add"});
    CHECK(definition->node == "add");
    CHECK(definition->attrs == Attrs{{"T", "int64"}});

    const auto unknown =
        parseKernelMessage("Op type not registered 'VarHandleOp' in binary running on localhost. "
                           "Make sure the Op and Kernel are registered");
    REQUIRE(unknown);
    CHECK(unknown->kind == Kind::NotRegistered);
    CHECK(unknown->ops == std::vector<std::string>{"VarHandleOp"});

    const auto toco = parseKernelMessage(
        "Some of the operators in the model are not supported by the standard TensorFlow Lite "
        "runtime. Here is a list of builtin operators you are using: ADD, CONV_2D. Here is a list "
        "of operators for which you will need custom implementations: Cumsum, L2Loss.");
    REQUIRE(toco);
    CHECK(toco->kind == Kind::Converter);
    CHECK(toco->ops == std::vector<std::string>{"Cumsum", "L2Loss"});

    const auto mlir = parseKernelMessage("error: 'tf.Cumsum' op is neither a custom op nor a flex "
                                         "op\nerror: 'tf.Round' op is neither a custom op nor a "
                                         "flex op");
    REQUIRE(mlir);
    CHECK(mlir->ops == std::vector<std::string>{"Cumsum", "Round"});
    CHECK_FALSE(parseKernelMessage("all is well"));
    CHECK_FALSE(parseKernelMessage(""));
}

} // namespace lapidary
