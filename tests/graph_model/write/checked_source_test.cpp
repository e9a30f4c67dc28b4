// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/crc32c.h"
#include "graph_model/write/checked_source.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

const BufferPtr held = makeBuffer("0123456789abcdefghij");

UncheckedBytes part(std::size_t at, std::size_t size)
{
    const std::string_view bytes = held->bytes().substr(at, size);
    return {bytes, held, maskedCrc32c(bytes)};
}

// Gives the pieces, each [begin, end) of what is held.
ByteSource pieces(std::vector<std::pair<std::size_t, std::size_t>> places)
{
    return [places](const ByteSink& sink) -> Status {
        for (const auto& [begin, end] : places)
            RETURN_IF_ERROR(sink(held->bytes().substr(begin, end - begin)));
        return Done{};
    };
}

Status passed(const ByteSource& source, std::vector<UncheckedBytes> unchecked, std::string& out)
{
    return checkedSource(source, std::move(unchecked))([&](std::string_view bytes) -> Status {
        out += bytes;
        return Done{};
    });
}

} // namespace

TEST_CASE("bytes that pass are compared with their checksums", "[write]")
{
    // In one piece, in several that cut the parts anywhere, in parts only, in another order, and
    // not at all.
    const std::vector<ByteSource> sources{
        pieces({{0, 20}}), pieces({{0, 1}, {1, 4}, {4, 4}, {4, 13}, {13, 20}}),
        pieces({{3, 5}, {8, 9}}), pieces({{10, 20}, {0, 10}, {0, 10}}), pieces({})};
    for (const ByteSource& source : sources) {
        std::string direct;
        REQUIRE(source([&](std::string_view bytes) -> Status {
            direct += bytes;
            return Done{};
        }));
        std::string out;
        CHECK(passed(source, {part(12, 6), part(2, 7)}, out));
        CHECK(out == direct);
        for (const std::size_t wrong : {0, 1}) {
            std::vector<UncheckedBytes> unchecked{part(12, 6), part(2, 7)};
            unchecked[wrong].checksum ^= 1U;
            std::string ignored;
            const Status status = passed(source, unchecked, ignored);
            REQUIRE_FALSE(status);
            CHECK(status.error().code == ErrorCode::BadFile);
        }
    }
}

} // namespace lapidary
