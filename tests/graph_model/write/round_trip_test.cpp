// SPDX-License-Identifier: Apache-2.0
#include "graph.pb.h"
#include "graph_model/read/model_file.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"
#include "saved_model.pb.h"
#include "tests/catch.h"
#include "tests/shared_data.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <vector>

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>

using namespace lapidary;
namespace fs = std::filesystem;
namespace pb = google::protobuf;

namespace {

std::string bytesOf(const fs::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::unique_ptr<pb::Message> emptyMessage(FileFormat format)
{
    switch (format) {
    case FileFormat::GraphDefBinary:
    case FileFormat::GraphDefText: return std::make_unique<wire::GraphDef>();
    case FileFormat::MetaGraphBinary:
    case FileFormat::MetaGraphText: return std::make_unique<wire::MetaGraphDef>();
    case FileFormat::SavedModelBinary:
    case FileFormat::SavedModelText: return std::make_unique<wire::SavedModel>();
    default: return nullptr;
    }
}

bool isText(FileFormat format)
{
    return format == FileFormat::GraphDefText || format == FileFormat::MetaGraphText ||
           format == FileFormat::SavedModelText;
}

// Map entries are a set by key; protobuf compares the rest field by field, unknown ones too.
void treatMaps(pb::util::MessageDifferencer& differencer, const pb::Descriptor* type,
               std::vector<const pb::Descriptor*>& seen)
{
    if (std::ranges::find(seen, type) != seen.end())
        return;
    seen.push_back(type);
    for (int i = 0; i < type->field_count(); ++i) {
        const pb::FieldDescriptor* field = type->field(i);
        if (field->message_type() == nullptr)
            continue;
        treatMaps(differencer, field->message_type(), seen);
        const std::string& name = field->message_type()->name();
        if (field->is_repeated() && name.size() > 5 && name.ends_with("Entry"))
            differencer.TreatAsMap(field, field->message_type()->FindFieldByName("key"));
    }
}

bool isSame(const pb::Message& a, const pb::Message& b, std::string* difference)
{
    pb::util::MessageDifferencer differencer;
    std::vector<const pb::Descriptor*> seen;
    treatMaps(differencer, a.GetDescriptor(), seen);
    // -0.0 and 0.0, or NaN and itself, are told apart by bits, which serializing shows.
    differencer.set_float_comparison(pb::util::MessageDifferencer::EXACT);
    pb::util::DefaultFieldComparator comparator;
    comparator.set_treat_nan_as_equal(true);
    differencer.set_field_comparator(&comparator);
    differencer.ReportDifferencesToString(difference);
    return differencer.Compare(a, b);
}

// Returns the message that protobuf itself reads from the file.
std::unique_ptr<pb::Message> readByProtobuf(const fs::path& path, FileFormat format)
{
    std::unique_ptr<pb::Message> message = emptyMessage(format);
    if (message == nullptr)
        return nullptr;
    if (!isText(format))
        return message->ParseFromString(bytesOf(path)) ? std::move(message) : nullptr;
    // Texts with an Any spelled out need its type under its own name: the binary twin is used
    // instead.
    const fs::path twin = fs::path(path).replace_extension();
    if (fs::exists(twin))
        return message->ParseFromString(bytesOf(twin)) ? std::move(message) : nullptr;
    const pb::LogSilencer quiet;
    pb::TextFormat::Parser parser;
    parser.AllowUnknownField(true);
    return parser.ParseFromString(bytesOf(path), message.get()) ? std::move(message) : nullptr;
}

// The last entry of a key counts; text has no others.
void dropShadowedAttrs(wire::GraphDef& graph)
{
    for (auto& node : *graph.mutable_node())
        for (int i = node.attr_size() - 2; i >= 0; --i)
            for (int later = i + 1; later < node.attr_size(); ++later)
                if (node.attr(i).key() == node.attr(later).key()) {
                    node.mutable_attr()->DeleteSubrange(i, 1);
                    break;
                }
}

std::vector<fs::path> allModels()
{
    std::vector<fs::path> files;
    for (const char* folder : {"models", "goldens/formats", "goldens/faults/good"}) {
        std::error_code fault;
        const fs::path root = sharedData() / folder;
        for (fs::recursive_directory_iterator at(root, fault), end; !fault && at != end;
             at.increment(fault))
            if (at->is_regular_file())
                files.push_back(at->path());
    }
    std::ranges::sort(files);
    return files;
}

std::size_t inputStrings(const wire::GraphDef& graph)
{
    std::size_t count = 0;
    for (const auto& node : graph.node())
        count += std::size_t(node.input_size());
    return count;
}

// The graphs of a message in the order of ModelFile::graphs.
std::vector<const wire::GraphDef*> graphsOf(const pb::Message& message)
{
    if (const auto* graph = dynamic_cast<const wire::GraphDef*>(&message))
        return {graph};
    if (const auto* meta = dynamic_cast<const wire::MetaGraphDef*>(&message))
        return {&meta->graph_def()};
    std::vector<const wire::GraphDef*> graphs;
    for (const auto& meta : dynamic_cast<const wire::SavedModel&>(message).meta_graphs())
        graphs.push_back(&meta.graph_def());
    return graphs;
}

void checkCounts(const ModelFile& file, const pb::Message& original)
{
    const std::vector<const wire::GraphDef*> graphs = graphsOf(original);
    REQUIRE(file.graphs.size() == graphs.size());
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        CHECK(file.graphs[i].graph->size() == std::size_t(graphs[i]->node_size()));
        CHECK(file.graphs[i].graph->edgeCount() == inputStrings(*graphs[i]));
    }
}

void checkSame(const pb::Message& original, FileFormat format, const std::string& written,
               const char* what)
{
    INFO(what);
    std::unique_ptr<pb::Message> again = emptyMessage(format);
    REQUIRE(again->ParseFromString(written));
    std::string difference;
    const bool same = isSame(original, *again, &difference);
    INFO(difference.substr(0, 2000));
    CHECK(same);
}

void checkPieces(const ModelFile& file)
{
    for (const GraphEntry& entry : file.graphs) {
        std::string joined;
        const ByteSource pieces = graphDefSource(*entry.graph);
        CHECK(pieces([&joined](std::string_view piece) -> Status {
                  joined += piece;
                  return Done{};
              }).ok());
        CHECK((joined == encodeGraphDef(*entry.graph)));
    }
}

ReadOptions uncheckedly()
{
    return ReadOptions{.check = false};
}

} // namespace

TEST_CASE("a message that is read and written again is the same", "[write][models]")
{
    std::size_t binary = 0;
    std::size_t text = 0;
    std::size_t dropping = 0;
    for (const fs::path& path : allModels()) {
        INFO(path.string());
        const Result<ModelFile> file = readModel(path, Job(), uncheckedly());
        REQUIRE(file.ok());
        const FileFormat format = file->format;
        if (file->isRefused() || emptyMessage(format) == nullptr)
            continue;
        const Result<std::string> encoded = encodeModel(*file);
        REQUIRE(encoded.ok());
        std::unique_ptr<pb::Message> original = readByProtobuf(path, format);
        if (original == nullptr &&
            bytesOf(path).find("[type.googleapis.com/") != std::string::npos) {
            original = emptyMessage(format);
            REQUIRE(original->ParseFromString(*encoded));
        }
        REQUIRE(original != nullptr);
        checkCounts(*file, *original);
        checkSame(*original, format, *encoded, "binary");
        checkPieces(*file);
        ++binary;

        std::vector<std::string> dropped;
        const Result<std::string> printed = modelText(*file, &dropped);
        REQUIRE(printed.ok());
        const Result<ModelFile> fromText =
            readModelBytes(*printed, "printed", Job(), uncheckedly());
        REQUIRE(fromText.ok());
        CHECK(fromText->problems.empty());
        if (!dropped.empty()) {
            ++dropping;
            std::cout << "  dropped by text: " << path.filename().string() << ": " << dropped.size()
                      << " kinds, first " << dropped[0] << "\n";
            continue;
        }
        const Result<std::string> back = encodeModel(*fromText);
        REQUIRE(back.ok());
        if (auto* graph = dynamic_cast<wire::GraphDef*>(original.get()))
            dropShadowedAttrs(*graph);
        checkSame(*original, format, *back, "by text");
        ++text;
    }
    std::cout << "round trips: " << binary << " files by pb, " << text << " by pbtxt, " << dropping
              << " hold what a text cannot say\n";
    if (binary == 0)
        WARN("skipped: no models in " << sharedData());
}

TEST_CASE("protobuf reads our text as we do", "[write]")
{
    const fs::path path = sharedData() / "goldens/formats/graphs/attr_kinds.pb";
    if (!fs::exists(path)) {
        WARN("skipped: " << path << " is absent");
        return;
    }
    const Result<ModelFile> file = readModel(path, Job(), uncheckedly());
    REQUIRE(file.ok());
    const Result<std::string> printed = modelText(*file);
    REQUIRE(printed.ok());
    wire::GraphDef fromText;
    REQUIRE(pb::TextFormat::ParseFromString(*printed, &fromText));
    wire::GraphDef original;
    REQUIRE(original.ParseFromString(bytesOf(path)));
    std::string difference;
    CHECK(isSame(original, fromText, &difference));
    INFO(difference);
}
