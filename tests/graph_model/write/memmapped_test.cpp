// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/mapped_file.h"
#include "graph_model/base/mapped_part.h"
#include "graph_model/base/wire.h"
#include "graph_model/read/model_file.h"
#include "graph_model/write/memmapped_source.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/test_folder.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

NodePtr constant(const std::string& name, DType dtype, std::int64_t count, char fill)
{
    std::string tensor;
    WireWriter writer(tensor);
    writer.varint(1, std::uint64_t(dtype));
    writer.bytes(2, encodeShape(Shape{{count}, false}));
    writer.bytes(4, std::string(std::size_t(count) * dtypeSize(dtype), fill));
    NodeDraft draft;
    draft.name = name;
    draft.op = "Const";
    draft.setAttr("dtype", attr::fromType(dtype));
    draft.setAttr("value", attr::fromTensorProto(tensor));
    return draft.finish();
}

GraphPtr weights()
{
    Graph::Parts parts;
    parts.nodes = {constant("a/b", DType::Float, 100, 'x'),
                   constant("a_b", DType::Int32, 2000, 'y'),
                   constant("small", DType::Float, 2, 'z'), constant(".", DType::UInt8, 999, 'w'),
                   constant("codes", DType::QUInt8, 999, 'v')};
    return Graph::make(std::move(parts));
}

std::string bytesOf(const Graph& graph, std::string_view name)
{
    const NodeId id = graph.find(name);
    REQUIRE(id.isValid());
    const auto tensor = graph.node(id).tensor();
    REQUIRE(tensor.ok());
    const auto values = tensor->values();
    REQUIRE(values.ok());
    return *values;
}

} // namespace

TEST_CASE("a package is read back with its weights where they lie in the file", "[memmapped]")
{
    const GraphPtr before = weights();
    const auto package = makeMemmapped(before, 100, Job());
    REQUIRE(package.ok());
    REQUIRE(package->regions.size() == 3);
    CHECK(package->regions[0].name == "memmapped_package://a_b");
    CHECK(package->regions[1].name == "memmapped_package://a_b_");
    CHECK(package->regions[2].name == "memmapped_package://._");
    const TestFolder folder;
    const fs::path path = folder.file("net.mmap");
    REQUIRE(writeFileAtomically(path, memmappedSource(*package)).ok());
    const auto read = readModel(path, Job());
    REQUIRE(read.ok());
    CHECK(read->problems.empty());
    CHECK(read->format == FileFormat::MemmappedPackage);
    REQUIRE(read->graphs.size() == 1);
    const Graph& after = *read->graphs[0].graph;
    CHECK(read->graphs[0].problems.empty());
    for (const char* name : {"a/b", "a_b", "small", ".", "codes"})
        CHECK(bytesOf(after, name) == bytesOf(*before, name));
    const Node& large = after.node(after.find("a_b"));
    CHECK(large.op() == "ImmutableConst");
    const auto content = large.tensor()->content();
    CHECK(reinterpret_cast<std::uintptr_t>(content.data()) % 64 == 0);
    // A graph of its own has constants again.
    const auto plain = readModelBytes(encodeGraphDef(after), "plain", Job());
    REQUIRE(plain.ok());
    CHECK(plain->graphs[0].problems.empty());
    const Graph& again = *plain->graphs[0].graph;
    CHECK(again.node(again.find("a_b")).op() == "Const");
    CHECK(bytesOf(again, "a_b") == bytesOf(*before, "a_b"));
    CHECK(graphDefText(after)->find("ImmutableConst") == std::string::npos);
}

TEST_CASE("a package in memory is read too", "[memmapped]")
{
    const auto package = makeMemmapped(weights(), 1, Job());
    REQUIRE(package.ok());
    std::string bytes;
    REQUIRE(memmappedSource(*package)([&](std::string_view piece) -> Status {
                bytes += piece;
                return Done{};
            }).ok());
    const auto read = readModelBytes(bytes, "standard input", Job());
    REQUIRE(read.ok());
    REQUIRE(read->graphs.size() == 1);
    CHECK(bytesOf(*read->graphs[0].graph, "a_b") == std::string(8000, 'y'));
    // Packing a package again gives the same bytes.
    const auto twice = makeMemmapped(read->graphs[0].graph, 1, Job());
    REQUIRE(twice.ok());
    std::string same;
    REQUIRE(memmappedSource(*twice)([&](std::string_view piece) -> Status {
                same += piece;
                return Done{};
            }).ok());
    CHECK((same == bytes));
}

TEST_CASE("very many names that differ in letters which are not allowed get regions of their own",
          "[memmapped]")
{
    constexpr int count = 20'000;
    Graph::Parts parts;
    for (int i = 0; i < count; ++i) {
        std::string name;
        for (int bit = 0; bit < 16; ++bit)
            name += (i >> bit & 1) == 0 ? '+' : '-';
        parts.nodes.push_back(constant(name, DType::UInt8, 1, 'x'));
    }
    const auto package = makeMemmapped(Graph::make(std::move(parts)), 1, Job());
    REQUIRE(package.ok());
    std::set<std::string> names;
    std::size_t longest = 0;
    for (const MemmappedPackage::Region& region : package->regions) {
        names.insert(region.name);
        longest = std::max(longest, region.name.size());
    }
    CHECK(names.size() == count);
    CHECK(longest < 120);
    CHECK(package->regions[1].name == "memmapped_package://" + std::string(17, '_'));
    CHECK(package->regions[2].name == "memmapped_package://" + std::string(18, '_'));
}

TEST_CASE("constants that cannot be decoded are named", "[memmapped]")
{
    NodeDraft draft;
    draft.name = "bad";
    draft.op = "Const";
    draft.setAttr("dtype", attr::fromType(DType::Float));
    Graph::Parts parts;
    parts.nodes = {draft.finish()};
    const auto package = makeMemmapped(Graph::make(std::move(parts)), 1, Job());
    REQUIRE_FALSE(package.ok());
    CHECK(package.error().message.starts_with("bad: "));
}

TEST_CASE("parts of a file are mapped after their heads", "[memmapped]")
{
    const TestFolder folder;
    const fs::path path = folder.file("parts");
    std::string text(20000, '.');
    std::memcpy(text.data() + 4096, "at a page", 9);
    std::memcpy(text.data() + 9000, "within", 6);
    std::ofstream(path, std::ios::binary) << text;
    const std::vector<FilePart> parts{{0, 10, "head of the first "},
                                      {4096, 9, std::string(4096, 'h')},
                                      {9000, 6, ""},
                                      {19990, 10, "<"}};
    const auto mapped = mapFileParts(path, parts);
    REQUIRE(mapped.ok());
    CHECK(mapped->parts[0] == "head of the first ..........");
    CHECK(mapped->parts[1] == std::string(4096, 'h') + "at a page");
    CHECK(mapped->parts[2] == "within");
    CHECK(mapped->parts[3] == "<..........");
    CHECK(mapped->buffer->intact().ok());
    releasePages(*mapped->buffer, mapped->parts[1]);
    CHECK(mapped->parts[1] == std::string(4096, 'h') + "at a page");
    CHECK_FALSE(mapFileParts(path, std::vector<FilePart>{{19990, 11, ""}}).ok());
    CHECK_FALSE(mapFileParts("/nowhere", parts).ok());
    CHECK_FALSE(mapFileParts(path, {}).ok());
}

} // namespace lapidary
