// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/sniff.h"

#include "graph_model/read/container_marks.h"
#include "graph_model/read/file_formats.h"
#include "graph_model/read/foreign.h"
#include "graph_model/read/message_kind.h"
#include "graph_model/read/schema.h"
#include "graph_model/read/text_lexer.h"
#include "graph_model/read/wire_check.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

struct TextKind {
    FileFormat format;
    const MessageSpec* spec;
    int hits = 0; // number of outermost names that are fields of the message
};

std::vector<TextKind> textKinds()
{
    std::vector<TextKind> kinds;
    for (const FileFormatRow& row : fileFormats())
        if (row.message && row.isText)
            kinds.push_back({row.format, &messageSpec(*row.message)});
    return kinds;
}

// Returns whether the first word is followed by a colon or bracket, after only spaces and comments.
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

} // namespace

FileFormat sniffText(std::string_view text)
{
    if (text.starts_with(byteOrderMark))
        text.remove_prefix(byteOrderMark.size());
    std::vector<TextKind> kinds = textKinds();
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
            for (TextKind& kind : kinds)
                kind.hits += kind.spec->field(token.text) != nullptr ? 1 : 0;
        isName = !token.is(':');
        if (std::ranges::max(kinds, {}, &TextKind::hits).hits > 20)
            break;
    }
    if (looked == 0)
        return FileFormat::GraphDefText;
    const auto best = std::ranges::max_element(kinds, {}, &TextKind::hits);
    return best->hits == 0 ? FileFormat::Unknown : best->format;
}

Sniffed sniffFormat(std::string_view bytes)
{
    for (const FileFormatRow& row : fileFormats())
        if (row.hasMarks != nullptr && row.hasMarks(bytes))
            return {row.format, {}};
    if (std::string name = foreignFormat(bytes); !name.empty())
        return name == "gzip" && isCompressedRecords(bytes)
                   ? Sniffed{FileFormat::TfRecord, "gzip"}
                   : Sniffed{FileFormat::Foreign, std::move(name)};
    if (isCompressedRecords(bytes))
        return {FileFormat::TfRecord, "zlib"};
    const bool isText = bytes.starts_with(byteOrderMark) || startsLikeText(bytes);
    if (isText && !isWholeMessage(bytes)) {
        std::string name = foreignText(bytes);
        return name.empty() ? Sniffed{sniffText(bytes), {}}
                            : Sniffed{FileFormat::Foreign, std::move(name)};
    }
    for (const FileFormatRow& row : fileFormats())
        if (row.hasFields != nullptr && row.hasFields(bytes))
            return {row.format, {}};
    if (std::string name = foreignMessage(bytes); !name.empty())
        return {FileFormat::Foreign, std::move(name)};
    if (const FileFormat message = guessMessage(bytes); message != FileFormat::Unknown)
        return {message, {}};
    if (holdsRegionNames(bytes))
        return {FileFormat::MemmappedPackage, {}};
    std::string name = foreignText(bytes);
    return name.empty() ? Sniffed{} : Sniffed{FileFormat::Foreign, std::move(name)};
}

} // namespace lapidary
