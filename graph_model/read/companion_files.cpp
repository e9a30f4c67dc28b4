// SPDX-License-Identifier: Apache-2.0
// The message types are those of MediaPipe (CalculatorGraphConfig), TensorFlow (StringIntLabelMap,
// TrainEvalPipelineConfig, OpList, SavedMetadata, FingerprintDef, GraphDebugInfo), Triton
// (ModelConfig), TensorFlow Metadata (Schema), SentencePiece (ModelProto) and TF-Agents, whose
// specs are a StructuredValue.
#include "graph_model/read/companion_files.h"

#include "graph_model/base/wire_cursor.h"
#include "graph_model/read/text_lexer.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace lapidary {
namespace {

using namespace std::string_view_literals;

constexpr int mostTokens = 20000;
constexpr int mostFields = 64;

// The names of a text's fields: those of the message itself, and those one level deeper as
// "outer.inner".
class FieldNames {
public:
    explicit FieldNames(std::string_view text)
    {
        TextLexer lexer(text);
        int depth = 0;
        bool isName = true;
        std::string_view outer;
        for (int i = 0; i < mostTokens && lexer.peek().kind != TextToken::Kind::End; ++i) {
            const TextToken token = lexer.take();
            if (token.is('{') || token.is('<'))
                ++depth;
            else if (token.is('}') || token.is('>'))
                --depth;
            const bool isField = isName && token.kind == TextToken::Kind::Word;
            if (isField && depth == 0) {
                outer = token.text;
                m_outer.insert(outer);
            } else if (isField && depth == 1) {
                m_inner.emplace(outer, token.text);
            }
            isName = !token.is(':');
        }
    }

    bool has(std::string_view name) const { return m_outer.contains(name); }
    bool has(std::string_view outer, std::string_view inner) const
    {
        return m_inner.contains({outer, inner});
    }

private:
    std::set<std::string_view> m_outer;
    std::set<std::pair<std::string_view, std::string_view>> m_inner;
};

bool isPrintable(std::string_view text)
{
    return !text.empty() &&
           std::ranges::none_of(text, [](unsigned char c) { return c < 32 || c == 127; });
}

// SavedMetadata: nodes 1 of {node_path 3, identifier 4, metadata 5}.
bool isKerasMetadata(std::string_view bytes)
{
    WireCursor cursor(bytes);
    WireField field;
    if (!cursor.next(field) || field.field != 1 || field.type != WireType::Bytes)
        return false;
    WireCursor object(field.bytes());
    WireField inner;
    for (int i = 0; i < mostFields && object.next(inner); ++i)
        if (inner.field == 4 && inner.type == WireType::Bytes)
            return inner.bytes().starts_with("_tf_keras_");
    return false;
}

// FingerprintDef: checksum and hashes 1 to 5, version 6, uuid 7.
bool isFingerprint(std::string_view bytes)
{
    constexpr std::size_t longest = 256;
    constexpr std::uint64_t smallestHash = std::uint64_t(1) << 32;
    if (bytes.size() > longest)
        return false;
    WireCursor cursor(bytes);
    WireField field;
    int hashes = 0;
    while (cursor.next(field)) {
        if (field.field > 7 || (field.field <= 5 && field.type == WireType::Bytes))
            return false;
        hashes += field.field <= 5 && field.number >= smallestHash ? 1 : 0;
    }
    return !cursor.failed() && hashes >= 3;
}

// GraphDebugInfo: names of source files 1, traces 2.
bool isDebugInfo(std::string_view bytes)
{
    WireCursor cursor(bytes);
    WireField field;
    int files = 0;
    for (int i = 0; i < mostFields && cursor.next(field); ++i) {
        if (field.type != WireType::Bytes || field.field > 2)
            return false;
        if (field.field == 2)
            break;
        const std::string_view name = field.bytes();
        if (!isPrintable(name) || (!name.ends_with(".py") && !name.starts_with('<')))
            return false;
        ++files;
    }
    return files > 0;
}

// ModelProto: pieces 1 of {piece 1, score 2 (float), type 3}.
bool isSentencePieces(std::string_view bytes)
{
    WireCursor cursor(bytes);
    WireField field;
    for (int i = 0; i < 3; ++i) {
        if (!cursor.next(field) || field.field != 1 || field.type != WireType::Bytes)
            return false;
        WireCursor piece(field.bytes());
        WireField inner;
        if (!piece.next(inner) || inner.field != 1 || inner.type != WireType::Bytes)
            return false;
        if (!piece.next(inner) || inner.field != 2 || inner.type != WireType::Fixed32)
            return false;
    }
    return true;
}

} // namespace

std::string companionText(std::string_view text)
{
    const FieldNames names(text);
    if (names.has("node", "calculator"))
        return "MediaPipe graph";
    if (names.has("item", "id") && (names.has("item", "name") || names.has("item", "display_name")))
        return "label map (names of classes)";
    if (names.has("model") && (names.has("train_config") || names.has("eval_config")))
        return "configuration of object detection training";
    if (names.has("fetch", "id") && !names.has("node"))
        return "configuration of tfcompile";
    const bool hasBackend = names.has("platform") || names.has("backend");
    if (names.has("max_batch_size") ||
        (hasBackend && (names.has("input") || names.has("instance_group"))))
        return "Triton model configuration";
    if (names.has("op", "input_arg") || names.has("op", "output_arg"))
        return "list of op definitions (OpList)";
    if (names.has("dict_value", "fields") || names.has("named_tuple_value", "values"))
        return "specs of a policy (TF-Agents)";
    if (names.has("feature", "presence") || names.has("feature", "value_count") ||
        (names.has("feature", "type") && names.has("feature", "name")))
        return "TFX schema";
    return {};
}

std::string companionMessage(std::string_view bytes)
{
    using Test = bool (*)(std::string_view);
    constexpr std::array<std::pair<Test, std::string_view>, 4> kinds{
        std::pair<Test, std::string_view>{isKerasMetadata, "Keras metadata of a SavedModel"sv},
        {isFingerprint, "fingerprint of a SavedModel"sv},
        {isDebugInfo, "debug information of a SavedModel"sv},
        {isSentencePieces, "SentencePiece vocabulary"sv},
    };
    for (const auto& [is, name] : kinds)
        if (is(bytes))
            return std::string(name);
    return {};
}

} // namespace lapidary
