// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/crc32c.h"
#include "graph_model/base/wire.h"
#include "graph_model/read/sniff.h"
#include "tests/catch.h"
#include "tests/graph_model/read/wire_pieces.h"

#include <cstring>
#include <string>

using namespace lapidary;
using namespace std::string_literals;

namespace {

std::string number(std::uint32_t fieldNumber, std::uint64_t value)
{
    std::string out;
    WireWriter(out).varint(fieldNumber, value);
    return out;
}

std::string foreign(const std::string& bytes)
{
    const Sniffed sniffed = sniffFormat(bytes);
    return sniffed.format == FileFormat::Foreign ? sniffed.detail : "not foreign";
}

const std::string onnxGraph = field(1, field(1, "x") + field(2, "y") + field(4, "Relu"));

} // namespace

TEST_CASE("messages are told apart by what is in them", "[read]")
{
    const std::string graph = node("a") + node("b");
    CHECK(sniffFormat(graph).format == FileFormat::GraphDefBinary);
    const std::string meta = field(1, field(4, "serve") + field(5, "1.15.5")) + field(2, graph);
    CHECK(sniffFormat(meta).format == FileFormat::MetaGraphBinary);
    CHECK(sniffFormat(number(1, 1) + field(2, meta)).format == FileFormat::SavedModelBinary);
    CHECK(sniffFormat(field(2, graph)).format == FileFormat::MetaGraphBinary);
}

TEST_CASE("a long list of texts in a meta graph does not make it a graph", "[read]")
{
    // The names of the files of a data set, as an input pipeline holds them.
    std::string tensor;
    for (int i = 0; i < 5000; ++i)
        tensor += field(8, "pictures/" + std::to_string(i) + ".png");
    const std::string files = field(1, "files") + field(2, "Const") +
                              field(5, field(1, "value") + field(2, field(8, tensor)));
    std::string concat = field(1, "Concat");
    for (int i = 0; i < 5; ++i)
        concat += field(2, field(1, "value"));
    std::string ops; // each level of a message costs a look that is no evidence
    for (int i = 0; i < 60; ++i)
        ops += field(1, concat);
    const std::string meta = field(1, field(2, ops)) + field(2, field(1, files) + node("b"));
    CHECK(sniffFormat(meta).format == FileFormat::MetaGraphBinary);
}

TEST_CASE("ONNX is never taken for a graph, cut or whole", "[read]")
{
    const std::string onnx = number(1, 8) + field(2, "pytorch") + field(3, "2.0") +
                             field(7, onnxGraph + field(2, "main")) +
                             field(8, field(1, "") + number(2, 17));
    CHECK(sniffFormat(onnx).format == FileFormat::Onnx);
    CHECK(sniffFormat(onnx.substr(0, onnx.size() - 9)).format == FileFormat::Onnx);
    CHECK(sniffFormat(number(1, 3) + field(2, "CNTK") + field(7, onnxGraph)).format ==
          FileFormat::Onnx);
}

TEST_CASE("other formats are named", "[read]")
{
    CHECK(sniffFormat("\x1c\0\0\0TFL3\x14\0\x20\0"s).format == FileFormat::Tflite);
    CHECK(foreign("\x89PNG\r\n\x1a\n....") == "PNG image");
    CHECK(foreign("PK\x03\x04 archive/data.pkl") == "PyTorch archive (ZIP)");
    CHECK(foreign(R"({"format": "graph-model", "weightsManifest": []})") == "JSON (TensorFlow.js)");
    CHECK(foreign("  <!DOCTYPE HTML>\n<html>") == "HTML page");
    CHECK(foreign("name: \"net\"\nlayer { name: \"conv1\" }\n") == "Caffe prototxt");
    CHECK(foreign("version: V2\nsave_tensor_name: \"save/x:0\"\nmax_to_keep: 5 sharded: true") ==
          "a SaverDef (how a graph saves its variables)");
    CHECK(foreign("version: 2 save_tensor_name: \"a\" node { }") == "not foreign");
    CHECK(foreign("import numpy as np\nprint(np)\n") == "Python source");
}

TEST_CASE("texts are told apart by their outermost fields", "[read]")
{
    CHECK(sniffFormat("node { name: \"a\" }").format == FileFormat::GraphDefText);
    CHECK(sniffFormat("# only a comment\n").format == FileFormat::GraphDefText);
    CHECK(sniffFormat("later_field: 3 versions { producer: 3 }").format ==
          FileFormat::GraphDefText);
    CHECK(sniffFormat("graph_def { node { name: \"a\" } }").format == FileFormat::MetaGraphText);
    CHECK(sniffFormat("\xEF\xBB\xBFmeta_graphs { }").format == FileFormat::SavedModelText);
    CHECK(sniffFormat("model_checkpoint_path: \"m-1\"").format == FileFormat::CheckpointState);
    CHECK(sniffFormat("just some words").format == FileFormat::Unknown);
}

TEST_CASE("record files are known by the checksum of their first length", "[read]")
{
    const std::string data = "any bytes";
    std::string record("\x09\0\0\0\0\0\0\0"s);
    const std::uint32_t crc = maskedCrc32c(record);
    record.append(reinterpret_cast<const char*>(&crc), 4);
    CHECK(sniffFormat(record + data).format == FileFormat::TfRecord);
    CHECK(sniffFormat(record + "brain.Event:2").format == FileFormat::EventFile);
    record[8] = char(record[8] ^ 1);
    CHECK(sniffFormat(record + data).format == FileFormat::Unknown);
}

TEST_CASE("crc32c has its known values", "[base]")
{
    CHECK(crc32c("123456789") == 0xE3069283U);
    CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AAU);
    CHECK(crc32c("6789", crc32c("12345")) == 0xE3069283U);
}

TEST_CASE("files that lie beside graphs are named for what they are", "[read]")
{
    const std::string keras =
        field(1, number(2, 3) + field(3, "root.layer") + field(4, "_tf_keras_layer"));
    CHECK(foreign(keras + keras) == "Keras metadata of a SavedModel");
    std::string fingerprint;
    for (std::uint32_t i = 1; i <= 5; ++i)
        fingerprint += number(i, 0x123456789ABCDEF0U + i);
    CHECK(foreign(fingerprint + field(6, number(1, 1))) == "fingerprint of a SavedModel");
    CHECK(foreign(field(1, "/home/a/model.py") + field(1, "<string>") + field(2, "trace")) ==
          "debug information of a SavedModel");
    const std::string score("\x15\0\0\x80\x3F", 5);
    const std::string piece = field(1, field(1, "<unk>") + score + number(3, 2));
    CHECK(foreign(piece + piece + piece) == "SentencePiece vocabulary");
    CHECK(foreign("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02"s) ==
          "PyTorch file (pickle)");
    CHECK(foreign("input_stream: \"in\"\nnode {\n  calculator: \"FlowLimiter\"\n}\n") ==
          "MediaPipe graph");
    CHECK(foreign("item {\n  id: 1\n  name: 'cat'\n}\n") == "label map (names of classes)");
    CHECK(foreign("name: \"m\"\nplatform: \"tensorflow_graphdef\"\nmax_batch_size: 8\n") ==
          "Triton model configuration");
    CHECK(foreign("op {\n  name: \"Abs\"\n  input_arg { name: \"x\" }\n}\n") ==
          "list of op definitions (OpList)");
    CHECK(foreign("feature {\n  name: \"age\"\n  type: INT\n  presence { min_count: 1 }\n}\n") ==
          "TFX schema");
    CHECK(foreign("dict_value {\n  fields {\n    key: \"collect_data_spec\"\n  }\n}\n") ==
          "specs of a policy (TF-Agents)");
    CHECK(
        foreign("feed {\n  id { node_name: \"x\" }\n}\nfetch {\n  id { node_name: \"y\" }\n}\n") ==
        "configuration of tfcompile");
    CHECK(foreign("model { ssd { num_classes: 3 } }\ntrain_config { batch_size: 4 }\n") ==
          "configuration of object detection training");
}

TEST_CASE("graphs are not taken for files that lie beside them", "[read]")
{
    const auto text = [](std::string_view bytes) { return sniffFormat(bytes).format; };
    CHECK(text("node {\n  name: \"calculator\"\n  op: \"NoOp\"\n}\n") == FileFormat::GraphDefText);
    CHECK(text("node {\n  name: \"a\"\n  op: \"NoOp\"\n  attr { key: \"calculator\" }\n}\n") ==
          FileFormat::GraphDefText);
    CHECK(sniffFormat(node("layer.py") + node("b.py")).format == FileFormat::GraphDefBinary);
    CHECK(sniffFormat(field(1, field(1, "x") + field(2, "NoOp") + field(4, "/cpu:0"))).format ==
          FileFormat::GraphDefBinary);
}

// Tags and lengths are bytes like any other: "\n[\n\"" may begin a list of JSON and a graph.
TEST_CASE("a graph is one whatever the lengths in it are", "[read]")
{
    for (std::size_t name = 1; name < 120; ++name)
        for (std::size_t op = 1; op + name < 124; ++op) {
            const std::string first =
                field(1, std::string(name, 'n')) + field(2, std::string(op, 'o'));
            const Sniffed sniffed = sniffFormat(field(1, first) + node("b"));
            if (sniffed.format != FileFormat::GraphDefBinary) {
                INFO(name << " " << op << " " << sniffed.detail);
                FAIL_CHECK("not taken for a graph");
            }
        }
    CHECK(foreign("\n[\n\"a\", 1]").starts_with("JSON"));
    CHECK(foreign("\n{\n\"a\": 1}").starts_with("JSON"));
}
