// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/crc32c.h"
#include "tests/catch.h"
#include "tests/graph_model/read/damaged.h"
#include "tests/graph_model/read/read_bytes.h"

#include <cstdint>

namespace lapidary {
namespace {

using namespace std::string_literals;

template <class Number>
std::string littleEndian(Number number)
{
    std::string bytes;
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        bytes += char(number >> (8 * i) & 0xFFU);
    return bytes;
}

std::string record(const std::string& event)
{
    const std::string length = littleEndian(std::uint64_t(event.size()));
    return length + littleEndian(maskedCrc32c(length)) + event + littleEndian(maskedCrc32c(event));
}

const std::string version = record("\x1a\x0d"
                                   "brain.Event:2");
const std::string scalar = record("\x10\x05\x2a\x0a\x0a\x08\x0a\x01l\x15\x00\x00\x80\x3f"s);

std::string firstProblem(const std::string& bytes)
{
    const ModelFile file = readUnchecked(bytes);
    CHECK(file.graphs.empty());
    REQUIRE_FALSE(file.problems.empty());
    return file.problems.front().message;
}

} // namespace

TEST_CASE("an event file of scalars holds no graph, also where it is cut", "[events]")
{
    CHECK(firstProblem(version + scalar + scalar) == "the event file holds no graph");
    const std::string cut = scalar.substr(0, scalar.size() - 3);
    CHECK(firstProblem(version + scalar + cut) ==
          "the event file holds no graph in its 2 whole records");
    // The graph may have followed the version.
    CHECK(firstProblem(version + cut).starts_with("the file ends inside a record of "));
}

TEST_CASE("A damaged event file is read as far as it goes", "[events]")
{
    expectDamageIsSurvived(version + scalar + scalar);
}

} // namespace lapidary
