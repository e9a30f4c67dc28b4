// SPDX-License-Identifier: Apache-2.0
// Checkpoints of both versions, damaged byte by byte.
#include "graph_model/checkpoint/checkpoint.h"
#include "tests/catch.h"
#include "tests/hexadecimal.h"
#include "tests/test_folder.h"

#include <cstdlib>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// w = float [2] {1, -2}, b = int32 [3] {1, 2, 3}, s = string [3] {"ab", "", "c"}
const std::string bundleData =
    bytesOf("0000803f000000c0010000000200000003000000020001 65148e11616263");
const std::string bundleIndex = bytesOf(
    "00 00 06 08 01 1a 02 08 01 00 01 11 62 08 03 12 04 12 02 08 03 20 08 28 0c 35 6e bf b8 c6 00 "
    "01 11 73 08 07 12 04 12 02 08 03 20 14 28 0a 35 1c d3 36 ed 00 01 0f 77 08 01 12 04 12 02 08 "
    "02 28 08 35 45 3f 16 88 00 00 00 00 01 00 00 00 00 83 87 2a ec 00 00 00 00 01 00 00 00 00 c0 "
    "f2 a1 b0 00 01 02 78 00 4e 00 00 00 00 01 00 00 00 00 cf 94 b3 79 53 08 60 0e 00 00 00 00 00 "
    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
    "57 fb 80 8b "
    "24 75 47 db");
// v = float [2] {1, -2}
const std::string savedSlices = bytesOf(
    "00 00 17 0a 15 0a 0f 0a 01 76 12 04 12 02 08 02 18 01 22 02 0a 00 12 02 08 01 00 08 15 00 76 "
    "00 01 01 01 80 7f 12 13 0a 01 76 12 02 0a 00 1a 0a 2a 08 00 00 80 3f 00 00 00 c0 00 00 00 00 "
    "01 00 00 00 00 7b bd 13 cd 00 00 00 00 01 00 00 00 00 c0 f2 a1 b0 00 01 02 01 00 42 00 00 00 "
    "00 01 00 00 00 00 dc 6d d6 9e 47 08 54 0e 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 57 fb 80 8b 24 75 47 db");

fs::path writeBundle(const TestFolder& folder, const std::string& index, const std::string& data)
{
    folder.write("model.index", index);
    folder.write("model.data-00000-of-00001", data);
    return folder.path() / "model";
}

// Opens a checkpoint and reads everything; returns true if nothing is wrong.
bool readsAll(const fs::path& prefix)
{
    const OpenedCheckpoint opened = openCheckpoint(prefix, Job());
    if (opened.checkpoint == nullptr) {
        CHECK_FALSE(opened.problems.empty());
        return false;
    }
    return checkValues(*opened.checkpoint, Job()).value().empty() && opened.problems.empty();
}

} // namespace

TEST_CASE("a checkpoint of version 2 is read", "[checkpoint]")
{
    const TestFolder folder;
    const OpenedCheckpoint opened =
        openCheckpoint(writeBundle(folder, bundleIndex, bundleData), Job());
    REQUIRE(opened.checkpoint != nullptr);
    CHECK(opened.version == 2);
    REQUIRE(opened.checkpoint->variables().size() == 3);
    const CheckpointRead w = opened.checkpoint->read("w");
    REQUIRE_FALSE(w.problem);
    CHECK(w.value.dims == std::vector<std::int64_t>{2});
    CHECK(w.value.bytes == bytesOf("0000803f000000c0"));
    const CheckpointRead s = opened.checkpoint->read("s");
    REQUIRE_FALSE(s.problem);
    CHECK(s.value.strings == std::vector<std::string>{"ab", "", "c"});
    CHECK(opened.checkpoint->read("nothing").problem);
}

TEST_CASE("a checkpoint of version 1 is read", "[checkpoint]")
{
    const TestFolder folder;
    const OpenedCheckpoint opened = openCheckpoint(folder.write("old", savedSlices), Job());
    REQUIRE(opened.checkpoint != nullptr);
    CHECK(opened.version == 1);
    const CheckpointRead v = opened.checkpoint->read("v");
    REQUIRE_FALSE(v.problem);
    CHECK(v.value.bytes == bytesOf("0000803f000000c0"));
}

TEST_CASE("no cut and no changed byte of a checkpoint does harm", "[checkpoint]")
{
    const TestFolder folder;
    for (std::size_t i = 0; i < bundleIndex.size(); ++i) {
        CHECK_FALSE(readsAll(writeBundle(folder, bundleIndex.substr(0, i), bundleData)));
        std::string changed = bundleIndex;
        changed[i] = char(changed[i] ^ 0x41);
        readsAll(writeBundle(folder, changed, bundleData));
    }
    for (std::size_t i = 0; i < bundleData.size(); ++i) {
        CHECK_FALSE(readsAll(writeBundle(folder, bundleIndex, bundleData.substr(0, i))));
        std::string changed = bundleData;
        changed[i] = char(changed[i] ^ 0x41);
        CHECK_FALSE(readsAll(writeBundle(folder, bundleIndex, changed)));
    }
    for (std::size_t i = 0; i < savedSlices.size(); ++i) {
        CHECK_FALSE(readsAll(folder.write("old", savedSlices.substr(0, i))));
        std::string changed = savedSlices;
        changed[i] = char(changed[i] ^ 0x41);
        readsAll(folder.write("old", changed));
    }
}

} // namespace lapidary
