// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/foreign.h"

#include "graph_model/base/wire_cursor.h"
#include "graph_model/read/companion_files.h"
#include "graph_model/read/text_lexer.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lapidary {
namespace {

using namespace std::string_view_literals;

struct MagicBytes {
    std::size_t offset;
    std::string_view bytes;
    std::string_view name;
};
constexpr std::array magicBytes{
    MagicBytes{0, "\x89HDF\r\n\x1a\n"sv, "HDF5 (Keras)"},
    MagicBytes{0, "\x89PNG\r\n\x1a\n"sv, "PNG image"},
    MagicBytes{0, "\xff\xd8\xff"sv, "JPEG image"},
    MagicBytes{0, "GIF87a"sv, "GIF image"},
    MagicBytes{0, "GIF89a"sv, "GIF image"},
    MagicBytes{0, "%PDF-"sv, "PDF"},
    MagicBytes{0,
               "\x7f"
               "ELF"sv,
               "ELF program"},
    MagicBytes{0, "MZ\x90\0"sv, "Windows program"},
    MagicBytes{0, "\xcf\xfa\xed\xfe"sv, "macOS program"},
    MagicBytes{0, "\xca\xfe\xba\xbe"sv, "Java class or macOS program"},
    MagicBytes{0, "\x93NUMPY"sv, "NumPy array"},
    MagicBytes{0, "BZh"sv, "bzip2"},
    MagicBytes{0,
               "\xfd"
               "7zXZ\0"sv,
               "xz"},
    MagicBytes{0, "\x28\xb5\x2f\xfd"sv, "Zstandard"},
    MagicBytes{0, "\x04\x22\x4d\x18"sv, "LZ4"},
    MagicBytes{0, "7z\xbc\xaf\x27\x1c"sv, "7-Zip"},
    MagicBytes{0, "Rar!\x1a\x07"sv, "RAR archive"},
    MagicBytes{257, "ustar"sv, "tar archive"},
    MagicBytes{0, "\x1f\x8b\x08"sv, "gzip"},
    MagicBytes{0, "SQLite format 3\0"sv, "SQLite database"},
    MagicBytes{0, "GGUF"sv, "GGUF"},
    MagicBytes{0, "RIFF"sv, "RIFF media"},
    MagicBytes{0, "II*\0"sv, "TIFF image"},
    MagicBytes{0, "MM\0*"sv, "TIFF image"},
    MagicBytes{0, "\0asm"sv, "WebAssembly"},
    MagicBytes{0, "ARROW1\0\0"sv, "Arrow file"},
    MagicBytes{0, "PAR1"sv, "Parquet file"},
    MagicBytes{0, "7767517\n"sv, "ncnn parameters"},
    MagicBytes{0, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv,
               "PyTorch file (pickle)"},
    MagicBytes{0, "version https://git-lfs.github.com/"sv, "Git LFS pointer"},
};

bool holds(std::string_view bytes, std::string_view what)
{
    return bytes.find(what) != std::string_view::npos;
}

// The names of the files are at the beginning of each file and again at the end of the archive.
std::string zipKind(std::string_view bytes)
{
    constexpr std::size_t span = 1U << 16;
    const std::string_view head = bytes.substr(0, span);
    const std::string_view tail = bytes.substr(bytes.size() - std::min(bytes.size(), span));
    const auto has = [&](std::string_view name) { return holds(head, name) || holds(tail, name); };
    if (has("model.weights.h5") || (has("config.json") && has("metadata.json")))
        return "Keras archive (ZIP)";
    if (has("data.pkl"))
        return "PyTorch archive (ZIP)";
    if (has(".npy"))
        return "NumPy archive (ZIP)";
    return "ZIP archive";
}

bool isPickle(std::string_view bytes)
{
    return bytes.size() > 4 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5 &&
           bytes.back() == '.';
}

bool isSafetensors(std::string_view bytes)
{
    if (bytes.size() < 10 || bytes[8] != '{')
        return false;
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    return length >= 2 && length <= bytes.size() - 8;
}

bool isBmp(std::string_view bytes)
{
    std::uint32_t size = 0;
    if (bytes.size() < 30 || !bytes.starts_with("BM"))
        return false;
    std::memcpy(&size, bytes.data() + 14, 4);
    return size == 12 || size == 40 || size == 108 || size == 124;
}

std::string_view withoutSpace(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n\f\v");
    return first == text.npos ? std::string_view() : text.substr(first);
}

std::string jsonKind(std::string_view text)
{
    const std::string_view head = text.substr(0, 1U << 16);
    if (holds(head, "\"modelTopology\"") || holds(head, "\"weightsManifest\""))
        return "JSON (TensorFlow.js)";
    if (holds(head, "\"class_name\"") && holds(head, "\"config\""))
        return "JSON (Keras model)";
    if (holds(head, "\"traceEvents\""))
        return "JSON (Chrome trace)";
    if (holds(head, "\"cells\"") && holds(head, "\"nbformat\""))
        return "Jupyter notebook";
    return "JSON";
}

bool startsWithLower(std::string_view text, std::string_view lower)
{
    return text.size() >= lower.size() &&
           std::ranges::equal(text.substr(0, lower.size()), lower, [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? char(a + 32) : a) == b;
           });
}

std::string markupKind(std::string_view text)
{
    const std::string_view head = text.substr(0, 4096);
    if (startsWithLower(text, "<!doctype html") || startsWithLower(text, "<html"))
        return "HTML page";
    if (text.starts_with("<?xml") || text.starts_with("<net ")) {
        if (holds(head, "<net "))
            return "XML (OpenVINO)";
        return holds(head, "<svg") ? "SVG picture" : "XML";
    }
    if (text.starts_with("<svg"))
        return "SVG picture";
    return {};
}

// "[word]" on a line of its own.
bool startsWithSection(std::string_view text)
{
    const std::size_t end = text.find_first_of("]\n");
    if (end == text.npos || text[0] != '[' || text[end] != ']' || end < 2)
        return false;
    return std::ranges::all_of(text.substr(1, end - 1), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == ' ';
    });
}

bool isPython(std::string_view text)
{
    for (const std::string_view start :
         {"import "sv, "from "sv, "def "sv, "class "sv, "#!"sv, "\"\"\""sv})
        if (text.starts_with(start))
            return start != "#!"sv || holds(text.substr(0, 80), "python");
    return holds(text.substr(0, 8192), "\nimport ") && text.starts_with('#');
}

// Fields of an ONNX NodeProto: input 1, output 2, name 3, op_type 4.
bool isOnnxNode(std::string_view message)
{
    WireCursor cursor(message);
    WireField field;
    while (cursor.next(field))
        if (field.field == 4)
            return field.type == WireType::Bytes && field.number > 0 && field.number < 200;
    return false;
}

// GraphProto: node 1, name 2, initializer 5, input 11, output 12. May be truncated.
bool isOnnxGraph(std::string_view message)
{
    WireCursor cursor(message);
    WireField field;
    int looked = 0;
    while (cursor.next(field) && ++looked < 100000) {
        if (field.type != WireType::Bytes)
            return false;
        if (field.field == 1)
            return isOnnxNode(field.bytes());
    }
    return false;
}

struct MessageFacts {
    std::uint64_t first = 0; // value of field 1 if it is a small number
    bool hasOnnxGraph = false;
    bool hasOpset = false;
    bool hasCoreMlType = false;
    bool hasDescription = false;
};

MessageFacts lookAtFields(std::string_view bytes)
{
    MessageFacts facts;
    WireCursor cursor(bytes);
    WireField field;
    int looked = 0;
    while (++looked < 10000) {
        const bool isWhole = cursor.next(field);
        if (!isWhole && !(cursor.failed() && std::string_view(cursor.fault()) == "overlong_length"))
            break;
        const bool isBytes = field.type == WireType::Bytes;
        const char* end = bytes.data() + bytes.size();
        const std::string_view body(
            field.payload,
            isBytes ? std::min<std::size_t>(field.number, std::size_t(end - field.payload)) : 0);
        if (field.field == 1 && field.type == WireType::Varint)
            facts.first = field.number;
        facts.hasDescription |= field.field == 2 && isBytes;
        facts.hasOnnxGraph |= field.field == 7 && isBytes && isOnnxGraph(body);
        facts.hasOpset |= field.field == 8 && isBytes && body.size() < 100;
        facts.hasCoreMlType |= field.field >= 200 && field.field <= 3000 && isBytes;
        if (!isWhole)
            break;
    }
    return facts;
}

// The first bytes of a graph may look the same, but the tags and lengths after them are control
// characters.
bool startsLikeJson(std::string_view text)
{
    constexpr std::size_t enough = 4096;
    const auto isControl = [](char c) {
        return std::uint8_t(c) < ' ' && c != '\n' && c != '\r' && c != '\t';
    };
    if (text.empty() || std::ranges::any_of(text.substr(0, enough), isControl))
        return false;
    const std::string_view next = withoutSpace(text.substr(1));
    const std::string_view openers = text[0] == '{' ? "\"}" : text[0] == '[' ? "{[\"" : "";
    return !next.empty() && openers.find(next[0]) != openers.npos;
}

// Recognizes a SaverDef alone: it has only these fields, and not only the version, which graphs
// have too.
bool isSaverDef(std::string_view text)
{
    constexpr std::array fields{
        "filename_tensor_name"sv, "save_tensor_name"sv, "restore_op_name"sv,
        "max_to_keep"sv,          "sharded"sv,          "keep_checkpoint_every_n_hours"sv};
    constexpr int longest = 200; // tokens; each field occurs once
    TextLexer lexer(text);
    bool hasField = false;
    for (int i = 0; i < longest && lexer.peek().kind != TextToken::Kind::End; ++i) {
        const TextToken token = lexer.take();
        if (token.kind != TextToken::Kind::Word || !lexer.peek().is(':'))
            return false;
        const bool isField = std::ranges::find(fields, token.text) != fields.end();
        if (!isField && token.text != "version")
            return false;
        hasField = hasField || isField;
        lexer.take(); // the colon
        lexer.take(); // the value
    }
    return hasField;
}

} // namespace

std::string foreignFormat(std::string_view bytes)
{
    if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06"))
        return zipKind(bytes);
    for (const MagicBytes& signature : magicBytes)
        if (bytes.size() >= signature.offset &&
            bytes.substr(signature.offset).starts_with(signature.bytes))
            return std::string(signature.name);
    if (isPickle(bytes))
        return "Python pickle";
    if (isSafetensors(bytes))
        return "safetensors";
    if (isBmp(bytes))
        return "BMP image";
    const std::string_view text = withoutSpace(bytes.substr(0, 1U << 17));
    return startsLikeJson(text) ? jsonKind(text) : markupKind(text);
}

std::string foreignText(std::string_view bytes)
{
    const std::string_view text = withoutSpace(bytes.substr(0, 1U << 17));
    if (text.empty())
        return {};
    if (startsWithSection(text))
        return holds(text, "[net]") || holds(text, "[network]") || holds(text, "[convolutional]")
                   ? "Darknet configuration"
                   : "configuration file";
    if (isPython(text))
        return "Python source";
    if (isSaverDef(text))
        return "a SaverDef (how a graph saves its variables)";
    TextLexer lexer(text);
    int depth = 0;
    for (int i = 0; i < 20000 && lexer.peek().kind != TextToken::Kind::End; ++i) {
        const TextToken token = lexer.take();
        if (depth == 0 && token.kind == TextToken::Kind::Word &&
            (token.text == "layer" || token.text == "layers" || token.text == "net_param") &&
            (lexer.peek().is('{') || lexer.peek().is(':')))
            return "Caffe prototxt";
        depth += token.is('{') ? 1 : token.is('}') ? -1 : 0;
    }
    return companionText(text);
}

std::string_view foreignRemedy(std::string_view name)
{
    struct Remedy {
        std::string_view beginning; // beginning of the name
        std::string_view text;
    };
    constexpr std::string_view fromKeras = "load it in Keras and write a SavedModel, with "
                                           "model.export(FOLDER), and open that";
    constexpr std::string_view unpack = "unpack it first, and open the model in it";
    constexpr std::array remedies{
        Remedy{"Git LFS pointer", "fetch the file that it points to: git lfs pull"},
        Remedy{"HTML page", "download the file itself; on GitHub that is \"Download raw file\""},
        Remedy{"HDF5", fromKeras},
        Remedy{"Keras archive", fromKeras},
        Remedy{"JSON (Keras model)", fromKeras},
        Remedy{"JSON (TensorFlow.js)",
               "open the SavedModel that it was made from, or convert it back with "
               "tensorflowjs_converter"},
        Remedy{"PyTorch", "export the model to ONNX, with torch.onnx.export, and open that"},
        Remedy{"Python pickle", "if it is a PyTorch model, export it to ONNX, with "
                                "torch.onnx.export, and open that"},
        Remedy{"safetensors", "it holds weights and no graph; export the model that they belong "
                              "to, to ONNX or a SavedModel, and open that"},
        Remedy{"GGUF", "it holds weights and no graph; export the model that they belong to, to "
                       "ONNX or a SavedModel, and open that"},
        Remedy{"Core ML", "open the model that it was made from"},
        Remedy{"XML (OpenVINO)", "open the model that it was made from"},
        Remedy{"ncnn", "open the model that it was made from"},
        Remedy{"Caffe", "open the model that it was made from"},
        Remedy{"ZIP archive", unpack},
        Remedy{"7-Zip", unpack},
        Remedy{"RAR archive", unpack},
        Remedy{"tar archive", unpack},
        Remedy{"gzip", unpack},
        Remedy{"bzip2", unpack},
        Remedy{"xz", unpack},
        Remedy{"Zstandard", unpack},
        Remedy{"LZ4", unpack},
        Remedy{"specs of a policy", "open the folder that contains it"},
        Remedy{"fingerprint of a SavedModel", "open the folder that contains it"},
        Remedy{"Keras metadata of a SavedModel", "open the folder that contains it"}};
    const auto* found = std::ranges::find_if(
        remedies, [&](const Remedy& remedy) { return name.starts_with(remedy.beginning); });
    return found == remedies.end() ? std::string_view() : found->text;
}

bool isOnnx(std::string_view bytes)
{
    const MessageFacts facts = lookAtFields(bytes);
    return facts.hasOnnxGraph || (facts.hasOpset && facts.first > 0 && facts.first < 100);
}

bool isTflite(std::string_view bytes)
{
    return bytes.substr(std::min<std::size_t>(bytes.size(), 4)).starts_with("TFL3");
}

std::string foreignMessage(std::string_view bytes)
{
    const MessageFacts facts = lookAtFields(bytes);
    if (facts.hasCoreMlType && facts.hasDescription && facts.first > 0 && facts.first < 100)
        return "Core ML";
    return companionMessage(bytes);
}

} // namespace lapidary
