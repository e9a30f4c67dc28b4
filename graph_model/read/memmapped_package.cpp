// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/memmapped_package.h"

#include "graph_model/base/wire.h"
#include "graph_model/read/graph_def_reader.h"
#include "graph_model/read/meta_graph_reader.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace lapidary {
namespace {

constexpr std::size_t footerSize = 8;
constexpr std::string_view graphRegion = "memmapped_package://.";

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
    void checkConstants(const Graph& graph, Problems& problems) const;

    ModelFile& m_file;
    std::string_view m_bytes;
    std::vector<Region> m_regions;
    std::map<std::string_view, Region> m_byName;
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
        return refuse("bad_offset", end, "the package's directory lies past its end");
    if (!readDirectory(m_bytes.substr(directory, end - directory), m_regions))
        return refuse("bad_directory", directory, "the package's directory cannot be read");
    checkRegions(directory);
    if (m_byName.count(graphRegion) == 0)
        return refuse("no_graph", directory, "the package holds no graph");
    return true;
}

// Regions follow each other; each ends before the next begins.
void PackageReader::checkRegions(std::uint64_t directory)
{
    std::uint64_t next = directory;
    for (std::size_t i = m_regions.size(); i-- > 0;) {
        Region& region = m_regions[i];
        const std::string name(region.name);
        if (region.offset >= next) {
            m_file.problems.push_back(problemOf("bad_offset", name, region.offset,
                                                "the region " + name +
                                                    " does not lie before the "
                                                    "one that follows it"));
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

void PackageReader::checkConstants(const Graph& graph, Problems& problems) const
{
    for (const NodePtr& node : graph.nodes()) {
        if (node->op() != "ImmutableConst")
            continue;
        const std::string name(node->name());
        const auto wanted = node->attr("memory_region_name").asString().value_or("");
        const auto region = m_byName.find(wanted);
        if (region == m_byName.end()) {
            problems.push_back(problemOf("missing_region", name, {},
                                         "the package has no region " + std::string(wanted)));
            continue;
        }
        const auto shape = node->attr("shape").asShape();
        const auto count = shape ? elementCount(*shape) : std::nullopt;
        const auto size =
            std::int64_t(dtypeSize(node->attr("dtype").asType().value_or(DType::Invalid)));
        std::int64_t bytes = 0;
        if (!count || __builtin_mul_overflow(*count, size, &bytes) ||
            std::uint64_t(bytes) > region->second.length)
            problems.push_back(problemOf("content_size", name, region->second.offset,
                                         "its region has " + std::to_string(region->second.length) +
                                             " bytes, fewer than its shape needs"));
    }
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
    entry.variables = variablesOf(*entry.graph);
    checkConstants(*entry.graph, entry.problems);
    m_file.graphs.push_back(std::move(entry));
    return Done{};
}

} // namespace

Status readMemmappedPackage(ModelFile& file, const Job& job)
{
    return PackageReader(file).run(job);
}

} // namespace lapidary
