// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/crc32c.h"
#include "tests/catch.h"
#include "tests/graph_model/read/damaged.h"
#include "tests/graph_model/read/read_bytes.h"

#include <cstdint>

namespace lapidary {
namespace {

std::string checksum(const std::string& bytes)
{
    const std::uint32_t crc = maskedCrc32c(bytes);
    return {reinterpret_cast<const char*>(&crc), sizeof(crc)};
}

std::string recordOf(const std::string& data)
{
    const std::uint64_t size = data.size();
    const std::string length(reinterpret_cast<const char*>(&size), sizeof(size));
    return length + checksum(length) + data + checksum(data);
}

} // namespace

TEST_CASE("A file of records holds training data, unless the first is an event", "[read][records]")
{
    const std::string records = recordOf("an example") + recordOf("another");
    const ModelFile file = readUnchecked(records);
    CHECK(file.format == FileFormat::TfRecord);
    CHECK(file.isData);
    CHECK(file.graphs.empty());
    CHECK_FALSE(file.hasErrors());
    CHECK(readUnchecked(recordOf("\x1a\x0d"
                                 "brain.Event:2"))
              .format == FileFormat::EventFile);
}

TEST_CASE("A damaged file of records is read as far as it goes", "[read][records]")
{
    expectDamageIsSurvived(recordOf("an example") + recordOf(""));
}

} // namespace lapidary
