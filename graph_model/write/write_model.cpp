// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/write_model.h"

#include "graph_model/base/mapped_file.h"
#include "graph_model/base/wire.h"
#include "graph_model/base/wire_cursor.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/graph/function.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/text_printer.h"

#include <unordered_set>
#include <utility>

namespace lapidary {
namespace {

constexpr std::uint32_t fieldNode = 1;
constexpr std::uint32_t fieldLibrary = 2;
constexpr std::uint32_t fieldVersions = 4;
constexpr std::uint32_t fieldGraphOfMeta = 2;
constexpr std::uint32_t fieldMetaGraphs = 2;
constexpr std::size_t pieceSize = std::size_t(1) << 20;

std::string encodeVersions(const GraphVersions& versions)
{
    std::string out;
    WireWriter writer(out);
    if (versions.producer != 0)
        writer.varint(1, std::uint64_t(std::int64_t(versions.producer)));
    if (versions.minConsumer != 0)
        writer.varint(2, std::uint64_t(std::int64_t(versions.minConsumer)));
    if (!versions.badConsumers.empty()) {
        std::string packed;
        for (const std::int32_t consumer : versions.badConsumers)
            appendVarint(packed, std::uint64_t(std::int64_t(consumer)));
        writer.bytes(3, packed);
    }
    writer.raw(versions.unknownFields);
    return out;
}

// Writes the MetaGraphDef, with the graph at its position in the envelope.
std::string encodeMetaGraph(std::string_view envelope, const Graph& graph)
{
    std::string out;
    bool isPlaced = false;
    WireCursor cursor(envelope);
    WireField field;
    while (cursor.next(field)) {
        const bool isPlace = field.field == fieldGraphOfMeta && field.type == WireType::Bytes;
        if (!isPlace)
            out.append(field.raw());
        else
            WireWriter(out).bytes(fieldGraphOfMeta, encodeGraphDef(graph));
        isPlaced |= isPlace;
    }
    if (!isPlaced && graph.size() > 0)
        WireWriter(out).bytes(fieldGraphOfMeta, encodeGraphDef(graph));
    return out;
}

std::string encodeSavedModel(const ModelFile& file)
{
    std::string out;
    std::size_t next = 0;
    WireCursor cursor(file.envelope);
    WireField field;
    while (cursor.next(field)) {
        const bool isMetaGraph = field.field == fieldMetaGraphs && field.type == WireType::Bytes;
        if (!isMetaGraph)
            out.append(field.raw());
        else if (next < file.graphs.size())
            WireWriter(out).bytes(fieldMetaGraphs,
                                  encodeMetaGraph(field.bytes(), *file.graphs[next++].graph));
    }
    return out;
}

enum class Message { Graph, MetaGraph, SavedModel, None };

Message messageOf(FileFormat format)
{
    switch (format) {
    case FileFormat::GraphDefBinary:
    case FileFormat::GraphDefText: return Message::Graph;
    case FileFormat::MetaGraphBinary:
    case FileFormat::MetaGraphText: return Message::MetaGraph;
    case FileFormat::SavedModelBinary:
    case FileFormat::SavedModelText: return Message::SavedModel;
    default: return Message::None;
    }
}

Error cannotWrite(const ModelFile& file)
{
    const std::string path = file.path.string();
    if (file.isRefused())
        return {ErrorCode::BadFile, path + ": there is no graph to write"};
    return {ErrorCode::Unsupported, path + ": a " + std::string(fileFormatTitle(file.format)) +
                                        " is not written; write one of its graphs as a GraphDef"};
}

void nameDropped(const TextPrinter& printer, std::vector<std::string>* dropped)
{
    if (dropped != nullptr)
        dropped->insert(dropped->end(), printer.dropped().begin(), printer.dropped().end());
}

// Returns a constant of a memory-mapped package as a Const, because a GraphDef has no regions.
NodePtr asConst(const Node& node)
{
    if (node.op() != "ImmutableConst" || !node.hasAttr("value"))
        return nullptr;
    NodeDraft draft = NodeDraft::of(node);
    draft.op = "Const";
    draft.removeAttr("shape");
    draft.removeAttr("memory_region_name");
    return draft.finish();
}

void appendNode(std::string& out, const Node& node)
{
    if (const NodePtr constant = asConst(node))
        return appendNode(out, *constant);
    appendVarint(out, (std::uint64_t(fieldNode) << 3U) | 2U);
    appendVarint(out, node.encodedSize());
    node.appendEncoded(out);
}

// Returns the last attribute of a node that was made here, if it is too large to be copied; it must
// be at the end of the message.
std::string_view largeEnd(const Node& node)
{
    if (node.attrs().empty())
        return {};
    const std::string_view value = node.attrs().back().value.encoded();
    const bool isMade = node.holderOf(value) != node.owner();
    return isMade && value.size() >= pieceSize && node.unknownFields().empty() ? value
                                                                               : std::string_view();
}

// Writes the node up to the value of largeEnd(), which must follow.
void appendBeginning(std::string& out, const Node& node, std::string_view value)
{
    constexpr std::uint32_t fieldAttr = 5; // of NodeDef; a map entry: key 1, value 2
    const std::string_view key = node.attrs().back().name;
    NodeDraft rest = NodeDraft::of(node);
    rest.removeAttr(key);
    appendVarint(out, (std::uint64_t(fieldNode) << 3U) | 2U);
    appendVarint(out, node.encodedSize());
    rest.finish()->appendEncoded(out);
    std::string entry;
    WireWriter(entry).bytes(1, key);
    appendVarint(entry, (std::uint64_t(2) << 3U) | 2U);
    appendVarint(entry, value.size());
    appendVarint(out, (std::uint64_t(fieldAttr) << 3U) | 2U);
    appendVarint(out, entry.size() + value.size());
    out += entry;
}

// Writes a value piece by piece and releases its pages at once.
Status writeLarge(const Node& node, std::string_view value, const ByteSink& sink)
{
    for (std::size_t at = 0; at < value.size(); at += pieceSize) {
        const std::string_view piece = value.substr(at, pieceSize);
        RETURN_IF_ERROR(sink(piece));
        releasePages(*node.holderOf(value), piece);
    }
    return Done{};
}

// Returns an error if a file that contains nodes has changed since it was opened.
Status intactFiles(const Graph& graph)
{
    std::unordered_set<const Buffer*> seen;
    for (const NodePtr& node : graph.nodes()) {
        const BufferPtr& owner = node->owner();
        if (owner == nullptr || !seen.insert(owner.get()).second)
            continue;
        RETURN_IF_ERROR(owner->intact());
    }
    return Done{};
}

// Writes all fields except nodes.
void appendFrame(std::string& out, const Graph& graph)
{
    WireWriter writer(out);
    if (graph.functions() != nullptr)
        writer.bytes(fieldLibrary, graph.functions()->encoded);
    if (graph.versions().present)
        writer.bytes(fieldVersions, encodeVersions(graph.versions()));
    writer.raw(graph.unknownFields());
}

} // namespace

std::string encodeGraphDef(const Graph& graph)
{
    std::size_t total = 64 + graph.unknownFields().size();
    for (const NodePtr& node : graph.nodes())
        total += node->encodedSize() + 10;
    if (graph.functions() != nullptr)
        total += graph.functions()->encoded.size();
    std::string out;
    out.reserve(total);
    for (const NodePtr& node : graph.nodes())
        appendNode(out, *node);
    appendFrame(out, graph);
    return out;
}

ByteSource graphDefSource(const Graph& graph)
{
    return [&graph](const ByteSink& sink) -> Status {
        RETURN_IF_ERROR(requireTensorFlow(graph, "is not written as a TensorFlow graph"));
        return ownGraphSource(graph)(sink);
    };
}

ByteSource ownGraphSource(const Graph& graph)
{
    return [&graph](const ByteSink& sink) -> Status {
        std::string piece;
        for (const NodePtr& node : graph.nodes()) {
            const std::string_view large = largeEnd(*node);
            if (large.empty())
                appendNode(piece, *node);
            else
                appendBeginning(piece, *node, large);
            if (piece.size() < pieceSize && large.empty())
                continue;
            RETURN_IF_ERROR(sink(piece));
            piece.clear();
            RETURN_IF_ERROR(writeLarge(*node, large, sink));
        }
        RETURN_IF_ERROR(intactFiles(graph));
        appendFrame(piece, graph);
        return sink(piece);
    };
}

Result<std::string> graphDefText(const Graph& graph, std::vector<std::string>* dropped)
{
    RETURN_IF_ERROR(requireTensorFlow(graph, "is not written as a TensorFlow graph"));
    const MessageSpec& spec = messageSpec(MessageId::GraphDef);
    TextPrinter printer;
    for (const NodePtr& node : graph.nodes())
        printer.printField(*spec.field(fieldNode),
                           (asConst(*node) ? asConst(*node) : node)->encodedCopy());
    if (graph.functions() != nullptr)
        printer.printField(*spec.field(fieldLibrary), graph.functions()->encoded);
    printer.printMessage(graph.unknownFields(), MessageId::GraphDef);
    if (graph.versions().present)
        printer.printField(*spec.field(fieldVersions), encodeVersions(graph.versions()));
    nameDropped(printer, dropped);
    // An empty text would not show its format.
    return printer.text().empty() ? "# a GraphDef without nodes\n" : printer.takeText();
}

Result<std::string> encodeModel(const ModelFile& file)
{
    if (file.isRefused())
        return cannotWrite(file);
    for (const GraphEntry& entry : file.graphs)
        RETURN_IF_ERROR(requireTensorFlow(*entry.graph, "is not written as a TensorFlow graph"));
    for (const GraphEntry& entry : file.graphs)
        RETURN_IF_ERROR(intactFiles(*entry.graph));
    switch (messageOf(file.format)) {
    case Message::Graph: return encodeGraphDef(*file.graphs[0].graph);
    case Message::MetaGraph: return encodeMetaGraph(file.envelope, *file.graphs[0].graph);
    case Message::SavedModel: return encodeSavedModel(file);
    case Message::None: return cannotWrite(file);
    }
    return cannotWrite(file);
}

Result<std::string> modelText(const ModelFile& file, std::vector<std::string>* dropped)
{
    if (!file.isRefused() && messageOf(file.format) == Message::Graph)
        return graphDefText(*file.graphs[0].graph, dropped);
    const Result<std::string> encoded = encodeModel(file);
    if (!encoded)
        return encoded;
    TextPrinter printer;
    printer.printMessage(*encoded, messageOf(file.format) == Message::MetaGraph
                                       ? MessageId::MetaGraphDef
                                       : MessageId::SavedModel);
    nameDropped(printer, dropped);
    return printer.takeText();
}

} // namespace lapidary
