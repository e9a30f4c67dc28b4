// SPDX-License-Identifier: Apache-2.0
// Indices that refer to the same bytes many times, so that a small file expands to a large one.
#include "graph_model/base/crc32c.h"
#include "graph_model/base/varint.h"
#include "graph_model/base/wire.h"
#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/checkpoint/table.h"
#include "tests/catch.h"
#include "tests/test_folder.h"

#include <cstring>

#include <sys/resource.h>

namespace lapidary {
namespace {

namespace fs = std::filesystem;
using Entries = std::vector<std::pair<std::string, std::string>>;

template <class Number>
void appendRaw(std::string& out, Number number)
{
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string varint(std::uint64_t number)
{
    std::string out;
    appendVarint(out, number);
    return out;
}

class TableFile {
public:
    // Returns the handle of the block.
    std::string addBlock(const Entries& entries)
    {
        std::string block;
        for (const auto& [key, value] : entries)
            block += varint(0) + varint(key.size()) + varint(value.size()) + key + value;
        appendRaw(block, std::uint32_t(0));
        appendRaw(block, std::uint32_t(1));
        const std::string handle = varint(m_bytes.size()) + varint(block.size());
        block += '\0';
        appendRaw(block, maskedCrc32c(block));
        m_bytes += block;
        return handle;
    }

    std::string finish(const std::string& index) &&
    {
        std::string footer = varint(0) + varint(0) + index;
        footer.resize(40, '\0');
        m_bytes += footer;
        appendRaw(m_bytes, std::uint64_t(0xDB4775248B80FB57U));
        return std::move(m_bytes);
    }

private:
    std::string m_bytes;
};

std::string tableOf(const Entries& entries)
{
    TableFile file;
    const std::string block = file.addBlock(entries);
    const std::string index = file.addBlock({{"~", block}});
    return std::move(file).finish(index);
}

std::string header()
{
    std::string proto;
    WireWriter(proto).varint(1, 1);
    return proto;
}

// A vector of this many floats at the start of the shard.
std::string floatsAtStart(std::size_t count, std::uint32_t checksum)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, 1);
    writer.bytes(2, encodeShape({{std::int64_t(count)}, false}));
    writer.varint(5, count * sizeof(float));
    proto += '\x35';
    appendRaw(proto, checksum);
    return proto;
}

// Returns how many of this many variables can be read; each one is the whole shard.
std::size_t readable(std::size_t variables)
{
    const std::string data(4096, 'x');
    Entries entries{{"", header()}};
    for (std::size_t i = 0; i < variables; ++i)
        entries.emplace_back("v" + std::to_string(1000 + i),
                             floatsAtStart(data.size() / sizeof(float), maskedCrc32c(data)));
    const TestFolder folder;
    folder.write("model.index", tableOf(entries));
    folder.write("model.data-00000-of-00001", data);
    const OpenedCheckpoint opened = openCheckpoint(folder.path() / "model", Job());
    REQUIRE(opened.checkpoint != nullptr);
    REQUIRE(opened.checkpoint->variables().size() == variables);
    return variables - checkValues(*opened.checkpoint, Job()).value().size();
}

std::int64_t peakKilobytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

} // namespace

TEST_CASE("a block that an index names again and again is refused", "[checkpoint]")
{
    TableFile file;
    const std::string block = file.addBlock({{"k", std::string(4096, 'x')}});
    const std::string index = file.addBlock(Entries(64, {"~", block}));
    const Table table = readTable(std::move(file).finish(index), Job());
    REQUIRE(table.fault);
    CHECK(table.fault->message == "the index names the same blocks many times");
    CHECK_FALSE(readTable(tableOf({{"k", std::string(4096, 'x')}}), Job()).fault);
}

TEST_CASE("variables may share bytes, but not all of them the same", "[checkpoint]")
{
    CHECK(readable(4) == 4);
    CHECK(readable(64) < 16);
}

TEST_CASE("a long name of a variable is not kept for each of its slices", "[checkpoint]")
{
    std::string variable;
    WireWriter writer(variable);
    writer.varint(1, 1);
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        std::string extent;
        WireWriter(extent).varint(1, i);
        WireWriter(extent).varint(2, 1);
        std::string slice;
        WireWriter(slice).bytes(1, extent);
        writer.bytes(7, slice);
    }
    const TestFolder folder;
    folder.write("model.index", tableOf({{"", header()}, {std::string(30'000, 'n'), variable}}));
    const std::int64_t before = peakKilobytes();
    const OpenedCheckpoint opened = openCheckpoint(folder.path() / "model", Job());
    REQUIRE(opened.checkpoint != nullptr);
    CHECK(opened.checkpoint->variables().size() == 1);
    CHECK(peakKilobytes() - before < 128 * 1024);
}

} // namespace lapidary
