// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/memmapped_source.h"

#include "graph_model/base/wire.h"
#include "graph_model/write/graph_def_source.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr std::string_view prefix = "memmapped_package://";
constexpr std::string_view graphName = "."; // the region of the graph
constexpr std::uint64_t alignment = 64;
constexpr std::uint64_t mappedPiece = std::uint64_t(1) << 22;

bool canBeMapped(DType dtype)
{
    switch (dtype) {
    case DType::Float:
    case DType::Double:
    case DType::Int32:
    case DType::UInt8:
    case DType::Int16:
    case DType::Int8:
    case DType::Complex64:
    case DType::Int64:
    case DType::Bool:
    case DType::BFloat16:
    case DType::UInt16:
    case DType::Complex128:
    case DType::Half: return true;
    default: return false;
    }
}

bool isNameChar(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

// Makes names of regions from those of nodes: only allowed letters, and unique by an appended "_"
// for each equal one; beyond a certain count by a number, because names with thousands of "_" are
// unreadable.
class RegionNames {
public:
    std::string make(std::string_view node)
    {
        std::string name;
        for (const char c : node)
            name += isNameChar(c) ? c : '_';
        const std::string first = name;
        while (!m_used.insert(name).second)
            name = first + ending(++m_alike[first]);
        return std::string(prefix) + name;
    }

private:
    static std::string ending(std::size_t alike)
    {
        constexpr std::size_t mostUnderscores = 64;
        return alike <= mostUnderscores ? std::string(alike, '_') : '_' + std::to_string(alike);
    }

    std::unordered_set<std::string> m_used{std::string(graphName)};
    std::unordered_map<std::string, std::size_t> m_alike; // number of nodes with the same name
};

bool holdsConstant(const Node& node)
{
    return node.op() == "Const" || (node.op() == "ImmutableConst" && node.hasAttr("value"));
}

NodePtr mappedConstant(const Node& node, const Tensor& tensor, const std::string& region)
{
    NodeDraft draft;
    draft.name = node.name();
    draft.op = "ImmutableConst";
    draft.device = node.device();
    for (const Input& input : node.inputs())
        draft.inputs.emplace_back(input.text);
    draft.setAttr("dtype", attr::fromType(tensor.dtype()));
    draft.setAttr("memory_region_name", attr::fromString(region));
    draft.setAttr("shape", attr::fromShape(tensor.shape()));
    return draft.finish();
}

std::uint64_t sizeOf(const Tensor& tensor)
{
    return std::uint64_t(tensor.elements()) * dtypeSize(tensor.dtype());
}

// Counts the bytes that it passes to another sink.
class CountingSink {
public:
    explicit CountingSink(const ByteSink& sink)
        : m_sink(sink)
    {
    }
    std::uint64_t offset() const { return m_offset; }
    Status write(std::string_view bytes)
    {
        m_offset += bytes.size();
        return m_sink(bytes);
    }
    Status align()
    {
        const std::uint64_t rest = m_offset % alignment;
        return rest == 0 ? Status(Done{}) : write(std::string(alignment - rest, '\0'));
    }

private:
    const ByteSink& m_sink;
    std::uint64_t m_offset = 0;
};

Status writeValue(const Node& constant, CountingSink& out)
{
    if (constant.owner() != nullptr)
        RETURN_IF_ERROR(constant.owner()->intact());
    ASSIGN_OR_RETURN(const auto tensor, constant.tensor());
    const auto step = std::int64_t(mappedPiece / dtypeSize(tensor.dtype()));
    for (std::int64_t begin = 0; begin < tensor.elements(); begin += step) {
        ASSIGN_OR_RETURN(const auto piece,
                         tensor.bytes(begin, std::min(begin + step, tensor.elements())));
        RETURN_IF_ERROR(out.write(piece));
    }
    return Done{};
}

void addEntry(std::string& directory, const std::string& name, std::uint64_t offset,
              std::uint64_t length)
{
    std::string element;
    WireWriter writer(element);
    if (offset != 0)
        writer.varint(1, offset);
    writer.bytes(2, name);
    if (length != 0)
        writer.varint(3, length);
    WireWriter(directory).bytes(1, element);
}

Status writePackage(const MemmappedPackage& package, CountingSink& out)
{
    std::string directory;
    for (const MemmappedPackage::Region& region : package.regions) {
        RETURN_IF_ERROR(out.align());
        const std::uint64_t offset = out.offset();
        RETURN_IF_ERROR(writeValue(*region.constant, out));
        addEntry(directory, region.name, offset, out.offset() - offset);
    }
    const std::uint64_t graphOffset = out.offset();
    RETURN_IF_ERROR(
        graphDefSource(*package.graph)([&](std::string_view bytes) { return out.write(bytes); }));
    addEntry(directory, std::string(prefix) + std::string(graphName), graphOffset,
             out.offset() - graphOffset);
    std::string footer;
    const std::uint64_t directoryOffset = out.offset();
    for (int i = 0; i < 8; ++i)
        footer += char((directoryOffset >> (8 * i)) & 0xFFU);
    RETURN_IF_ERROR(out.write(directory));
    return out.write(footer);
}

} // namespace

Result<MemmappedPackage> makeMemmapped(const GraphPtr& graph, std::int64_t minimumBytes,
                                       const Job& job)
{
    MemmappedPackage package;
    RegionNames names;
    std::vector<NodePtr> nodes(graph->nodes().begin(), graph->nodes().end());
    for (NodePtr& node : nodes) {
        if (job.cancelled())
            return cancelledError();
        if (!holdsConstant(*node))
            continue;
        const auto tensor = node->tensor();
        if (!tensor)
            return tensor.error().within(node->name());
        if (!canBeMapped(tensor->dtype()) || sizeOf(*tensor) < std::uint64_t(minimumBytes))
            continue;
        package.regions.push_back({.name = names.make(node->name()), .constant = node});
        node = mappedConstant(*node, *tensor, package.regions.back().name);
    }
    Graph::Parts parts;
    parts.nodes = std::move(nodes);
    parts.versions = graph->versions();
    parts.functions = graph->sharedFunctions();
    parts.unknownFields = graph->unknownFields();
    parts.sameWiring = graph;
    package.graph = Graph::make(std::move(parts));
    return package;
}

ByteSource memmappedSource(const MemmappedPackage& package)
{
    return [&package](const ByteSink& sink) {
        CountingSink out(sink);
        return writePackage(package, out);
    };
}

} // namespace lapidary
