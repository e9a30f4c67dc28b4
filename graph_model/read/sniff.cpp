// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/sniff.h"

#include "graph_model/base/crc32c.h"
#include "graph_model/base/wire_cursor.h"
#include "graph_model/read/foreign.h"
#include "graph_model/read/message_kind.h"
#include "graph_model/read/schema.h"
#include "graph_model/read/text_lexer.h"
#include "graph_model/read/wire_check.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <zlib.h>

namespace lapidary {
namespace {

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

// A first word followed by a colon or bracket, after nothing but spaces and comments.
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

// A record starts with its length, eight bytes, and their checksum.
bool startsWithRecord(std::string_view bytes)
{
    std::uint32_t stored = 0;
    if (bytes.size() < 12)
        return false;
    std::memcpy(&stored, bytes.data() + 8, 4);
    return maskedCrc32c(bytes.substr(0, 8)) == stored;
}

// An event file's first record says "brain.Event:<version>".
bool startsWithEvent(std::string_view bytes)
{
    return bytes.substr(12, 64).find("brain.Event:") != std::string_view::npos;
}

// Gzip or zlib around records: unpacks the first few bytes only.
bool isCompressedRecords(std::string_view bytes)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    if (bytes.size() < 12)
        return false;
    const bool isGzip = byte(0) == 0x1F && byte(1) == 0x8B;
    const bool isZlib = (byte(0) & 0x0F) == 8 && (byte(0) * 256 + byte(1)) % 31 == 0;
    if (!isGzip && !isZlib)
        return false;
    z_stream stream = {};
    if (inflateInit2(&stream, 15 + 32) != Z_OK)
        return false;
    std::array<unsigned char, 64> head{};
    const std::string_view input = bytes.substr(0, 65536);
    stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(input.data()));
    stream.avail_in = unsigned(input.size());
    stream.next_out = head.data();
    stream.avail_out = unsigned(head.size());
    inflate(&stream, Z_SYNC_FLUSH);
    const std::size_t got = head.size() - stream.avail_out;
    inflateEnd(&stream);
    return startsWithRecord({reinterpret_cast<const char*>(head.data()), got});
}

// The sorted tables of both checkpoint formats. The first key is empty; its value tells them apart:
// field 1 of the header is a number in version 2, a message in version 1.
FileFormat tableKind(std::string_view bytes)
{
    constexpr std::string_view magic = "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
    if (bytes.size() < 48 || !bytes.ends_with(magic))
        return FileFormat::Unknown;
    std::size_t at = 2; // after the lengths of the key, both 0
    while (at < 12 && static_cast<signed char>(bytes[at]) < 0)
        ++at;
    const bool isFirstKeyEmpty = bytes[0] == 0 && bytes[1] == 0;
    return isFirstKeyEmpty && bytes[at + 1] == '\x0a' ? FileFormat::CheckpointV1
                                                      : FileFormat::CheckpointV2;
}

// The last eight bytes give the start of the directory, and its names have a prefix of their own.
constexpr std::string_view regionPrefix = "memmapped_package://";

bool isMemmappedPackage(std::string_view bytes)
{
    if (bytes.size() <= 8)
        return false;
    std::uint64_t offset = 0;
    std::memcpy(&offset, bytes.data() + bytes.size() - 8, 8);
    if (offset > bytes.size() - 8)
        return false;
    return bytes.substr(std::size_t(offset), 65536).find(regionPrefix) != std::string_view::npos;
}

// The same format with a damaged end; only tested if the bytes fit no other format.
bool holdsRegionNames(std::string_view bytes)
{
    const std::size_t span = std::min<std::size_t>(bytes.size(), 65536);
    return bytes.substr(bytes.size() - span).find(regionPrefix) != std::string_view::npos;
}

FileFormat sniffContainer(std::string_view bytes)
{
    if (startsWithRecord(bytes))
        return startsWithEvent(bytes) ? FileFormat::EventFile : FileFormat::TfRecord;
    if (const FileFormat table = tableKind(bytes); table != FileFormat::Unknown)
        return table;
    return isMemmappedPackage(bytes) ? FileFormat::MemmappedPackage : FileFormat::Unknown;
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
    if (const FileFormat container = sniffContainer(bytes); container != FileFormat::Unknown)
        return {container, {}};
    if (isTflite(bytes))
        return {FileFormat::Tflite, {}};
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
    if (isOnnx(bytes))
        return {FileFormat::Onnx, {}};
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
