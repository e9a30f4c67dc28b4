// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "tests/catch.h"

#include <string>

namespace lapidary {
namespace {

std::string sample()
{
    std::string out;
    WireWriter writer(out);
    writer.varint(1, 300);
    writer.bytes(2, "abc");
    writer.fixed32(3, 7);
    writer.varint(4, UINT64_MAX);
    return out;
}

TEST_CASE("written text is read again", "[wire]")
{
    const std::string message = sample();
    WireReader reader(message);
    REQUIRE(reader.next());
    CHECK(reader.varint() == 300);
    REQUIRE(reader.next());
    CHECK(reader.bytes() == "abc");
    REQUIRE(reader.next());
    CHECK(reader.varint() == 7);
    REQUIRE(reader.next());
    CHECK(reader.varint() == UINT64_MAX);
    CHECK(reader.field() == 4);
    CHECK_FALSE(reader.next());
    CHECK_FALSE(reader.failed());
}

TEST_CASE("every truncation inside a field is noticed", "[wire]")
{
    const std::string message = sample();
    std::size_t clean = 0;
    for (std::size_t size = 0; size <= message.size(); ++size) {
        WireReader reader(std::string_view(message).substr(0, size));
        while (reader.next()) {
        }
        clean += reader.failed() ? 0 : 1;
    }
    CHECK(clean == 5); // at the ends of the four fields and at 0
}

TEST_CASE("groups are skipped and must close", "[wire]")
{
    const std::string good("\x0b\x08\x01\x0c\x10\x02", 6); // group 1 {1: 1}, 2: 2
    WireReader reader(good);
    REQUIRE(reader.next());
    CHECK(reader.type() == WireType::StartGroup);
    CHECK(reader.bytes() == std::string_view("\x08\x01", 2));
    REQUIRE(reader.next());
    CHECK(reader.field() == 2);
    WireReader open(std::string_view(good).substr(0, 3));
    CHECK_FALSE(open.next());
    CHECK(open.failed());
    const std::string deep(1000, '\x0b');
    WireReader nested(deep);
    CHECK_FALSE(nested.next());
    CHECK(nested.failed());
}

TEST_CASE("bad tags and endless varints are faults", "[wire]")
{
    for (const std::string& bytes : {std::string("\0", 1), std::string("\x07"), std::string("\x0c"),
                                     std::string("\x08") + std::string(11, '\xff')}) {
        WireReader reader(bytes);
        CHECK_FALSE(reader.next());
        CHECK(reader.failed());
    }
}

TEST_CASE("values of another wire type read as nothing", "[wire]")
{
    const std::string message = sample();
    WireReader reader(message);
    REQUIRE(reader.next()); // a varint
    CHECK(reader.bytes().empty());
    REQUIRE(reader.next()); // bytes
    CHECK(reader.varint() == 0);
}

TEST_CASE("a varint is as long as its measure says, and is read back", "[wire]")
{
    for (int bits = 0; bits < 64; ++bits)
        for (const std::uint64_t number : {1ULL << bits, (1ULL << bits) - 1, ~0ULL >> bits}) {
            std::string out;
            appendVarint(out, number);
            CHECK(out.size() == varintSize(number));
            std::string_view left = out;
            std::uint64_t read = 0;
            REQUIRE(takeVarint(left, read));
            CHECK(read == number);
            CHECK(left.empty());
            left = std::string_view(out).substr(0, out.size() - 1);
            CHECK_FALSE(takeVarint(left, read));
        }
    std::string field;
    WireWriter(field).bytes(15, std::string(300, 'x'));
    CHECK(field.size() == bytesFieldSize(300));
}

} // namespace
} // namespace lapidary
