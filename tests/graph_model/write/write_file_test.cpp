// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/mapped_file.h"
#include "graph_model/write/byte_source.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/test_folder.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lapidary;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path)
{
    const Result<BufferPtr> file = openFile(path);
    return file ? std::string((*file)->bytes()) : "absent";
}

std::size_t entries(const fs::path& folder)
{
    return std::size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

constexpr std::size_t length = 400'000;

// Starts a process that does `work` and ends with its number.
pid_t start(const std::function<int()>& work)
{
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0)
        _exit(work());
    return child;
}

int endOf(pid_t child)
{
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Saves one content after the other, for ever.
int saveForEver(const fs::path& path)
{
    for (char letter = 'b';; letter = letter == 'z' ? 'b' : char(letter + 1))
        if (!writeFileAtomically(path, std::string(length, letter)))
            return 1;
}

// As one of the contents that are saved, and nothing of another.
bool isWhole(const fs::path& path)
{
    const auto file = openFile(path);
    if (!file)
        return false;
    const std::string_view bytes = (*file)->bytes();
    return bytes.size() == length && bytes.find_first_not_of(bytes[0]) == std::string_view::npos;
}

} // namespace

TEST_CASE("a file is written whole or not at all", "[write]")
{
    const TestFolder folder;
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
    const TestFolder folder;
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
    const TestFolder folder;
    const fs::path inner = folder.path() / "model";
    fs::create_directory(inner);
    const Status status = writeFileAtomically(inner, "x");
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().message.find("is a folder") != std::string::npos);
    CHECK(fs::is_directory(inner));
}

TEST_CASE("writing through a link keeps the link", "[write]")
{
    const TestFolder folder;
    REQUIRE(writeFileAtomically(folder.path() / "real.pb", "old").ok());
    fs::create_symlink("real.pb", folder.path() / "link.pb");
    REQUIRE(writeFileAtomically(folder.path() / "link.pb", "new").ok());
    CHECK(fs::is_symlink(folder.path() / "link.pb"));
    CHECK(content(folder.path() / "real.pb") == "new");
}

TEST_CASE("a missing folder is an error that names the file", "[write]")
{
    const TestFolder folder;
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

TEST_CASE("a process that is killed while it saves leaves a whole file", "[write]")
{
    const TestFolder folder;
    const fs::path path = folder.path() / "model.pb";
    REQUIRE(writeFileAtomically(path, std::string(length, 'a')).ok());
    std::mt19937 random(1);
    constexpr int times = 200;
    int whole = 0;
    for (int i = 0; i < times; ++i) {
        const pid_t child = start([&] { return saveForEver(path); });
        usleep(random() % 8000);
        REQUIRE(kill(child, SIGKILL) == 0);
        CHECK(endOf(child) == -SIGKILL);
        whole += isWhole(path) ? 1 : 0;
    }
    CHECK(whole == times);
    CHECK(writeFileAtomically(path, std::string(length, 'a')).ok());
}

TEST_CASE("a file for which there is no space stays as it was, and nothing is left beside it",
          "[write]")
{
    const TestFolder folder;
    const fs::path path = folder.path() / "model.pb";
    REQUIRE(writeFileAtomically(path, std::string(length, 'a')).ok());
    const pid_t child = start([&] {
        // The limit of a file's size ends writing as a full disk does.
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{length / 2, length / 2};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            return 2;
        const Status status = writeFileAtomically(path, std::string(length, 'b'));
        const bool isNamed =
            !status && status.error().message.starts_with(path.string() + ": could not be written");
        return isNamed ? 0 : 1;
    });
    CHECK(endOf(child) == 0);
    CHECK(isWhole(path));
    CHECK(openFile(path).value()->bytes()[0] == 'a');
    CHECK(entries(folder.path()) == 1);
}

TEST_CASE("if two processes save at once, one of them wins", "[write]")
{
    const TestFolder folder;
    const fs::path path = folder.path() / "model.pb";
    const auto save = [&](char letter) {
        return start([&path, letter] {
            for (int i = 0; i < 20; ++i)
                if (!writeFileAtomically(path, std::string(length, letter)))
                    return 1;
            return 0;
        });
    };
    const pid_t first = save('a');
    const pid_t second = save('b');
    CHECK(endOf(first) == 0);
    CHECK(endOf(second) == 0);
    CHECK(isWhole(path));
    CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a folder that may not be written to is an error that names the file", "[write]")
{
    if (geteuid() == 0)
        return; // may write everywhere
    const TestFolder folder;
    const fs::path inner = folder.path() / "fixed";
    fs::create_directory(inner);
    fs::permissions(inner, fs::perms::owner_read | fs::perms::owner_exec);
    const Status status = writeFileAtomically(inner / "a.pb", "x");
    fs::permissions(inner, fs::perms::owner_all);
    REQUIRE_FALSE(status);
    CHECK(status.error().message.find("fixed/a.pb") != std::string::npos);
}
