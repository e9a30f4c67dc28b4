// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/mapped_file.h"
#include "graph_model/write/byte_source.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"

#include <filesystem>
#include <string>

#include <unistd.h>

using namespace lapidary;
namespace fs = std::filesystem;

namespace {

// A folder that is gone with the test.
class ScratchFolder {
public:
    ScratchFolder()
    {
        std::string name = (fs::temp_directory_path() / "lapidary-write-XXXXXX").string();
        m_path = mkdtemp(name.data());
    }
    ~ScratchFolder() { fs::remove_all(m_path); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

std::string content(const fs::path& path)
{
    const Result<BufferPtr> file = openFile(path);
    return file ? std::string((*file)->bytes()) : "absent";
}

std::size_t entries(const fs::path& folder)
{
    return std::size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

} // namespace

TEST_CASE("a file is written whole or not at all", "[write]")
{
    const ScratchFolder folder;
    const fs::path path = folder.path() / "a.pb";
    REQUIRE(writeFileAtomically(path, "first").ok());
    CHECK(content(path) == "first");
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    REQUIRE(writeFileAtomically(path, "second, longer").ok());
    CHECK(content(path) == "second, longer");
    CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a source that fails half way leaves the file as it was", "[write]")
{
    const ScratchFolder folder;
    const fs::path path = folder.path() / "a.pb";
    REQUIRE(writeFileAtomically(path, "first").ok());
    const Status failed = writeFileAtomically(path, [](const ByteSink& sink) -> Status {
        RETURN_IF_ERROR(sink("half"));
        return Error{ErrorCode::Cancelled, "stopped"};
    });
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().code == ErrorCode::Cancelled);
    CHECK(content(path) == "first");
    CHECK(entries(folder.path()) == 1);
    const ByteSource twice = [](const ByteSink& sink) -> Status {
        Status taken = sink("sec");
        return taken ? sink("ond") : taken;
    };
    REQUIRE(writeFileAtomically(path, twice).ok());
    CHECK(content(path) == "second");
}

TEST_CASE("a folder is never replaced by a file", "[write]")
{
    const ScratchFolder folder;
    const fs::path inner = folder.path() / "model";
    fs::create_directory(inner);
    const Status status = writeFileAtomically(inner, "x");
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().message.find("is a folder") != std::string::npos);
    CHECK(fs::is_directory(inner));
}

TEST_CASE("writing through a link keeps the link", "[write]")
{
    const ScratchFolder folder;
    REQUIRE(writeFileAtomically(folder.path() / "real.pb", "old").ok());
    fs::create_symlink("real.pb", folder.path() / "link.pb");
    REQUIRE(writeFileAtomically(folder.path() / "link.pb", "new").ok());
    CHECK(fs::is_symlink(folder.path() / "link.pb"));
    CHECK(content(folder.path() / "real.pb") == "new");
}

TEST_CASE("a missing folder is an error that names the file", "[write]")
{
    const ScratchFolder folder;
    const Status status = writeFileAtomically(folder.path() / "none" / "a.pb", "x");
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().code == ErrorCode::Io);
    CHECK(status.error().message.find("none/a.pb") != std::string::npos);
}

TEST_CASE("devices are written to", "[write]")
{
    CHECK(writeFileAtomically("/dev/null", "x").ok());
    CHECK(fs::is_character_file("/dev/null"));
}
