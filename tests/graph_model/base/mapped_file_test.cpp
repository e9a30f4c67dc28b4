// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/mapped_file.h"
#include "tests/catch.h"
#include "tests/graph_model/base/scratch_file.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

using namespace lapidary;
namespace fs = std::filesystem;

namespace {

// A file for one test, removed after it.
constexpr std::size_t large = 1U << 20;

} // namespace

TEST_CASE("small files are read, large ones mapped, with the same bytes", "[read]")
{
    const ScratchFile file(std::string(large, 'x'));
    const Result<BufferPtr> small = openFile(file.path());
    const Result<BufferPtr> mapped = openFile(file.path(), 0);
    REQUIRE((small.ok() && mapped.ok()));
    CHECK((*small)->bytes() == (*mapped)->bytes());
    CHECK((*mapped)->intact().ok());
}

TEST_CASE("a mapped file that is cut short reads as zeros and says so", "[read]")
{
    const ScratchFile file(std::string(large, 'x'));
    const Result<BufferPtr> mapped = openFile(file.path(), 0);
    REQUIRE(mapped.ok());
    fs::resize_file(file.path(), 100);
    const std::string_view bytes = (*mapped)->bytes();
    REQUIRE(bytes.size() == large);
    CHECK(bytes[50] == 'x');
    CHECK(bytes[large - 1] == '\0');
    CHECK(bytes[large / 2] == '\0');
    const Status status = (*mapped)->intact();
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().message.find(file.path().string()) == 0);
}

TEST_CASE("a mapped file that is replaced or changed is noticed", "[read]")
{
    const ScratchFile file(std::string(large, 'x'));
    const Result<BufferPtr> mapped = openFile(file.path(), 0);
    REQUIRE(mapped.ok());
    std::ofstream(file.path().string() + ".new") << std::string(large, 'y');
    fs::rename(file.path().string() + ".new", file.path());
    CHECK_FALSE((*mapped)->intact().ok());
    CHECK((*mapped)->bytes()[5] == 'x');
}

TEST_CASE("a file that cannot be opened is an error that names it", "[read]")
{
    const Result<BufferPtr> absent = openFile("/nowhere/at/all.pb");
    REQUIRE_FALSE(absent.ok());
    CHECK(absent.error().code == ErrorCode::NotFound);
    CHECK(absent.error().message.find("/nowhere/at/all.pb") == 0);
    CHECK_FALSE(openFile(fs::temp_directory_path()).ok());
    CHECK_FALSE(openFile("/dev/zero").ok());
}

TEST_CASE("a pipe is read to its end", "[read]")
{
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    REQUIRE(::write(ends[1], "some bytes", 10) == 10);
    ::close(ends[1]);
    const Result<BufferPtr> piped = openFile("/dev/fd/" + std::to_string(ends[0]));
    ::close(ends[0]);
    REQUIRE(piped.ok());
    CHECK((*piped)->bytes() == "some bytes");
}
