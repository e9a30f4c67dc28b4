#include "graph_model/base/crc32c.h"
#include "graph_model/base/wire.h"
#include "graph_model/read/sniff.h"

#include <cstring>
#include <string>

#include <catch2/catch.hpp>

using namespace lapidary;
using namespace std::string_literals;

namespace {

std::string field(std::uint32_t number, std::string_view value)
{
    std::string out;
    WireWriter(out).bytes(number, value);
    return out;
}

std::string number(std::uint32_t fieldNumber, std::uint64_t value)
{
    std::string out;
    WireWriter(out).varint(fieldNumber, value);
    return out;
}

std::string node(const std::string& name)
{
    return field(1, field(1, name) + field(2, "NoOp"));
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

TEST_CASE("ONNX is never taken for a graph, cut or whole", "[read]")
{
    const std::string onnx = number(1, 8) + field(2, "pytorch") + field(3, "2.0") +
                             field(7, onnxGraph + field(2, "main")) +
                             field(8, field(1, "") + number(2, 17));
    CHECK(foreign(onnx) == "ONNX");
    CHECK(foreign(onnx.substr(0, onnx.size() - 9)) == "ONNX");
    CHECK(foreign(number(1, 3) + field(2, "CNTK") + field(7, onnxGraph)) == "ONNX");
}

TEST_CASE("other formats are named", "[read]")
{
    CHECK(foreign("\x1c\0\0\0TFL3\x14\0\x20\0"s) == "TensorFlow Lite");
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
