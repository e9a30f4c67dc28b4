// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/mapped_file.h"
#include "graph_model/base/mapped_part.h"
#include "graph_model/base/wire.h"
#include "graph_model/graph/function.h"
#include "graph_model/read/constant_values.h"
#include "graph_model/read/container_marks.h"
#include "graph_model/read/formats/formats.h"
#include "graph_model/read/graph_def_reader.h"
#include "graph_model/read/meta_graph_reader.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

namespace lapidary {
namespace {

constexpr std::size_t footerSize = 8;
constexpr std::string_view graphRegion = "memmapped_package://.";
constexpr std::string_view mappedConstantOp = "ImmutableConst";

struct Region {
    std::string_view name;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

Problem problemOf(std::string kind, std::string node, std::optional<std::uint64_t> offset,
                  std::string message)
{
    return {std::move(kind), Severity::Error, std::move(node), offset, {}, {}, std::move(message)};
}

bool readRegion(std::string_view message, Region& region)
{
    WireReader reader(message);
    while (reader.next()) {
        if (reader.field() == 1 && reader.type() == WireType::Varint)
            region.offset = reader.varint();
        else if (reader.field() == 2 && reader.type() == WireType::Bytes)
            region.name = reader.bytes();
        else if (reader.field() == 3 && reader.type() == WireType::Varint)
            region.length = reader.varint();
    }
    return !reader.failed();
}

// Returns the directory's regions in order; false if it cannot be read.
bool readDirectory(std::string_view directory, std::vector<Region>& regions)
{
    WireReader reader(directory);
    bool isWhole = true;
    while (reader.next()) {
        if (reader.field() != 1 || reader.type() != WireType::Bytes)
            return false;
        regions.emplace_back();
        isWhole &= readRegion(reader.bytes(), regions.back());
    }
    return isWhole && !reader.failed() && !regions.empty();
}

// Attribute values that are parts of the file: mapped if possible, else copied.
class PartsOfFile {
public:
    PartsOfFile(std::string_view bytes, std::vector<FilePart> parts,
                std::optional<MappedParts> mapped)
        : m_bytes(bytes)
        , m_parts(std::move(parts))
        , m_mapped(std::move(mapped))
    {
    }
    bool areMapped() const { return m_mapped.has_value(); }
    AttrBytes value(std::size_t i) const
    {
        if (m_mapped)
            return {m_mapped->parts[i], m_mapped->buffer};
        const FilePart& part = m_parts[i];
        return part.head + std::string(m_bytes.substr(part.offset, part.length));
    }

private:
    std::string_view m_bytes;
    std::vector<FilePart> m_parts;
    std::optional<MappedParts> m_mapped;
};

// `tail` is the beginning of the graph; from there on, the file must be unchanged.
PartsOfFile partsOf(const ModelFile& file, std::vector<FilePart> parts, std::uint64_t tail)
{
    const std::string_view bytes = file.buffer->bytes();
    if (file.path.empty() || parts.empty())
        return {bytes, std::move(parts), {}};
    parts.push_back({.offset = tail, .length = bytes.size() - tail, .head = {}});
    auto mapped = mapFileParts(file.path, parts);
    parts.pop_back();
    const bool isTheFile = mapped && mapped->parts.back() == bytes.substr(tail);
    return {bytes, std::move(parts),
            isTheFile ? std::optional<MappedParts>(*std::move(mapped)) : std::nullopt};
}

class PackageReader {
public:
    explicit PackageReader(ModelFile& file)
        : m_file(file)
        , m_bytes(file.buffer->bytes())
    {
    }
    Status run(const Job& job);

private:
    bool findRegions();
    void checkRegions(std::uint64_t directory);
    // Returns the region of a constant; null, with the reason in `problems`, if there is none.
    const Region* regionOf(const Node& constant, Problems& problems) const;
    Result<GraphPtr> withValues(GraphPtr graph, Problems& problems, const Job& job);

    ModelFile& m_file;
    std::string_view m_bytes;
    std::vector<Region> m_regions;
    std::map<std::string_view, Region> m_byName;
    BufferPtr m_newBuffer; // for the graph alone; null: that of the file
};

bool PackageReader::findRegions()
{
    const auto refuse = [&](std::string kind, std::uint64_t offset, std::string message) {
        m_file.problems.push_back(problemOf(std::move(kind), {}, offset, std::move(message)));
        return false;
    };
    if (m_bytes.size() <= footerSize)
        return refuse("truncated", m_bytes.size(), "the package is shorter than its footer");
    std::uint64_t directory = 0;
    const std::size_t end = m_bytes.size() - footerSize;
    std::memcpy(&directory, m_bytes.data() + end, footerSize);
    if (directory > end)
        return refuse("bad_offset", end, "the directory of the package is past its end");
    if (!readDirectory(m_bytes.substr(directory, end - directory), m_regions))
        return refuse("bad_directory", directory, "the package's directory cannot be read");
    checkRegions(directory);
    if (m_byName.count(graphRegion) == 0)
        return refuse("no_graph", directory, "the package holds no graph");
    return true;
}

// Checks that regions are in order and that each ends before the next begins.
void PackageReader::checkRegions(std::uint64_t directory)
{
    std::uint64_t next = directory;
    for (std::size_t i = m_regions.size(); i-- > 0;) {
        Region& region = m_regions[i];
        const std::string name(region.name);
        if (region.offset >= next) {
            m_file.problems.push_back(
                problemOf("bad_offset", name, region.offset,
                          "the region " + name + " overlaps the next region"));
            region.offset = std::min(region.offset, next);
        }
        if (region.length > next - region.offset) {
            m_file.problems.push_back(
                problemOf("bad_size", name, region.offset,
                          "the region " + name + " of " + std::to_string(region.length) +
                              " bytes runs into the next one or past the end"));
            region.length = next - region.offset;
        }
        next = region.offset;
        if (!m_byName.emplace(region.name, region).second)
            m_file.problems.push_back(problemOf("duplicate_region", name, region.offset,
                                                "two regions are named " + name));
    }
}

const Region* PackageReader::regionOf(const Node& constant, Problems& problems) const
{
    const std::string name(constant.name());
    const auto wanted = constant.attr("memory_region_name").asString().value_or("");
    const auto region = m_byName.find(wanted);
    if (region == m_byName.end()) {
        problems.push_back(problemOf("missing_region", name, {},
                                     "the package has no region " + std::string(wanted)));
        return nullptr;
    }
    const auto shape = constant.attr("shape").asShape();
    const auto count = shape ? elementCount(*shape) : std::nullopt;
    const auto size =
        std::int64_t(dtypeSize(constant.attr("dtype").asType().value_or(DType::Invalid)));
    std::int64_t bytes = 0;
    if (!count || __builtin_mul_overflow(*count, size, &bytes) ||
        std::uint64_t(bytes) > region->second.length) {
        problems.push_back(problemOf("content_size", name, region->second.offset,
                                     "its region has " + std::to_string(region->second.length) +
                                         " bytes, fewer than its shape needs"));
        return nullptr;
    }
    return bytes > 0 ? &region->second : nullptr;
}

// Gives each ImmutableConst the attribute `value` of a Const, with its region of the file as
// content.
Result<GraphPtr> PackageReader::withValues(GraphPtr graph, Problems& problems, const Job& job)
{
    constexpr std::uint64_t mostUses = 8; // of each byte, on average
    std::uint64_t total = 0;
    std::vector<std::size_t> places;
    std::vector<FilePart> parts;
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        const Node& node = graph->node(NodeId{i});
        if (node.op() != mappedConstantOp || node.hasAttr("value"))
            continue;
        if (const Region* region = regionOf(node, problems)) {
            const Shape shape = node.attr("shape").asShape().value_or(Shape{});
            const DType dtype = node.attr("dtype").asType().value_or(DType::Invalid);
            const std::uint64_t length =
                std::uint64_t(elementCount(shape).value_or(0)) * dtypeSize(dtype);
            // Constants rarely share a region; a hostile file with many that do would need any
            // amount of memory.
            total += length;
            if (total / mostUses > m_bytes.size()) {
                problems.push_back(problemOf("bad_size", std::string(node.name()), region->offset,
                                             "too many constants are in the same region"));
                break;
            }
            places.push_back(i);
            parts.push_back({.offset = region->offset,
                             .length = length,
                             .head = headOfConstant(dtype, shape, length)});
        }
    }
    const Region& graphPart = m_byName[graphRegion];
    const PartsOfFile content = partsOf(m_file, std::move(parts), graphPart.offset);
    if (content.areMapped() && m_bytes.size() <= mappingThreshold) {
        // The weights are available without the copy that was read.
        const BufferPtr alone =
            makeBuffer(std::string(m_bytes.substr(graphPart.offset, graphPart.length)));
        ASSIGN_OR_RETURN(const auto again, readGraphDef(alone->bytes(), alone, 0, false, job));
        graph = again.graph;
        m_newBuffer = alone;
    }
    std::vector<NodePtr> nodes(graph->nodes().begin(), graph->nodes().end());
    for (std::size_t i = 0; i < places.size(); ++i) {
        NodeDraft draft = NodeDraft::of(*nodes[places[i]]);
        draft.setAttr("value", content.value(i));
        nodes[places[i]] = draft.finish();
    }
    Graph::Parts changed;
    changed.nodes = std::move(nodes);
    changed.versions = graph->versions();
    changed.functions = graph->sharedFunctions();
    changed.unknownFields = graph->unknownFields();
    return Graph::make(std::move(changed));
}

Status PackageReader::run(const Job& job)
{
    if (!findRegions())
        return Done{};
    const Region& region = m_byName[graphRegion];
    ASSIGN_OR_RETURN(
        GraphReadResult read,
        readGraphDef(m_bytes.substr(region.offset, region.length), m_file.buffer, 0, false, job));
    GraphEntry entry;
    entry.graph = read.graph;
    entry.problems = std::move(read.problems);
    if (read.isDamaged) {
        m_file.problems.insert(m_file.problems.end(), entry.problems.begin(), entry.problems.end());
        return Done{};
    }
    ASSIGN_OR_RETURN(entry.graph, withValues(entry.graph, entry.problems, job));
    entry.variables = variablesOf(*entry.graph);
    m_file.graphs.push_back(std::move(entry));
    if (m_newBuffer != nullptr)
        m_file.buffer = m_newBuffer;
    return Done{};
}

// A memory-mapped package: a graph and the tensors of its ImmutableConst nodes, each a region of
// the file (spec: tools, section 6). Regions that cannot be right are problems of the file.
Status readMemmappedPackage(ModelFile& file, const Job& job)
{
    return PackageReader(file).run(job);
}

} // namespace

const FileFormatRow formats::memmappedPackage{
    .format = FileFormat::MemmappedPackage,
    .name = "memmapped_package",
    .title = "memory-mapped package",
    .holdsGraphs = true,
    .read = readMemmappedPackage,
    .hasMarks = isMemmappedPackage,
};

} // namespace lapidary
