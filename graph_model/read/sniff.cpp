#include "graph_model/read/sniff.h"

#include "graph_model/read/schema.h"
#include "graph_model/read/text_lexer.h"
#include "graph_model/read/wire_cursor.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

struct TextKind {
    FileFormat format;
    MessageId message;
};
constexpr std::array textKinds{
    TextKind{FileFormat::GraphDefText, MessageId::GraphDef},
    TextKind{FileFormat::MetaGraphText, MessageId::MetaGraphDef},
    TextKind{FileFormat::SavedModelText, MessageId::SavedModel},
    TextKind{FileFormat::RunMetadataText, MessageId::RunMetadata},
    TextKind{FileFormat::CheckpointState, MessageId::CheckpointState},
};

// A first word with a colon or bracket behind it, and nothing but spaces and comments before.
bool startsLikeText(std::string_view bytes)
{
    TextLexer lexer(bytes.substr(0, 65536));
    if (lexer.peek().kind == TextToken::Kind::End)
        return bytes.size() <= 65536 && bytes.find('#') != bytes.npos;
    const TextToken word = lexer.take();
    if (word.kind != TextToken::Kind::Word)
        return false;
    return lexer.peek().is(':') || lexer.peek().is('{') || lexer.peek().is('<') ||
           lexer.peek().is('[');
}

bool isWholeMessage(std::string_view bytes)
{
    WireCursor cursor(bytes);
    WireField field;
    while (cursor.next(field)) {
    }
    return !cursor.failed();
}

} // namespace

FileFormat sniffText(std::string_view text)
{
    if (text.starts_with(byteOrderMark))
        text.remove_prefix(byteOrderMark.size());
    std::array<int, textKinds.size()> hits{};
    TextLexer lexer(text);
    int depth = 0;
    int looked = 0;
    bool isName = true;
    while (lexer.peek().kind != TextToken::Kind::End && looked < 200000) {
        const TextToken token = lexer.take();
        ++looked;
        if (token.is('{') || token.is('<'))
            ++depth;
        else if (token.is('}') || token.is('>'))
            --depth;
        if (depth == 0 && isName && token.kind == TextToken::Kind::Word)
            for (std::size_t i = 0; i < textKinds.size(); ++i)
                if (messageSpec(textKinds[i].message).field(token.text) != nullptr)
                    ++hits[i];
        isName = !token.is(':');
        if (std::ranges::max(hits) > 20)
            break;
    }
    if (looked == 0)
        return FileFormat::GraphDefText;
    const auto best = std::ranges::max_element(hits);
    return *best == 0 ? FileFormat::Unknown : textKinds[std::size_t(best - hits.begin())].format;
}

Sniffed sniffFormat(std::string_view bytes)
{
    if (bytes.starts_with(byteOrderMark))
        return {sniffText(bytes), {}};
    if (startsLikeText(bytes) && !isWholeMessage(bytes))
        return {sniffText(bytes), {}};
    return {FileFormat::GraphDefBinary, {}};
}

} // namespace lapidary
