// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/runner/kernels/one_node.h"
#include "tests/test_folder.h"

#include <filesystem>

#include <unistd.h>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// A model's folder with one file, next to a file that no graph may read.
class Folders {
public:
    Folders()
    {
        fs::create_directories(m_root.path() / "model" / "inner");
        m_root.write("model/words.txt", "words");
        m_root.write("model/inner/more.txt", "more");
        m_root.write("secret.txt", "secret");
        m_root.write("model2.txt", "beside");
        fs::create_symlink(path("secret.txt"), path("model/link.txt"));
        fs::create_symlink(m_root.path(), path("model/up"));
        fs::create_symlink(path("model/words.txt"), path("model/good.txt"));
    }

    std::string path(const std::string& name) const { return m_root.file(name); }

private:
    TestFolder m_root;
};

std::string readBy(const SessionOptions& options, const std::string& name)
{
    Session session(typed(graph("f = Placeholder()\ny = ReadFile(f)")), options);
    const auto y = session.run({.feeds = {{"f", stringsOf({}, {name})}}, .fetches = {"y"}}, Job());
    if (!y)
        CHECK(y.error().message.starts_with("y: "));
    return y ? (*y)[0].strings()[0] : "refused";
}

TEST_CASE("a graph reads files below its own folder only", "[kernels][files]")
{
    const Folders folders;
    const SessionOptions options{.folder = folders.path("model")};
    CHECK(readBy(options, "words.txt") == "words");
    CHECK(readBy(options, "inner/../words.txt") == "words");
    CHECK(readBy(options, folders.path("model/inner/more.txt")) == "more");
    CHECK(readBy(options, "good.txt") == "words");
    for (const char* name :
         {"../secret.txt", "link.txt", "up/secret.txt", "inner/../../secret.txt", "../model2.txt",
          "..", ".", "inner", "absent.txt", "", "/etc/passwd", "/dev/zero"})
        CHECK(readBy(options, name) == "refused");
    CHECK(readBy(options, folders.path("secret.txt")) == "refused");
    CHECK(readBy(options, std::string("words.txt\0x", 11)) == "refused");
    CHECK(readBy({}, "words.txt") == "refused"); // a graph without a folder
}

TEST_CASE("the user can allow all files", "[kernels][files]")
{
    const Folders folders;
    const SessionOptions options{.folder = folders.path("model"), .allowFiles = true};
    CHECK(readBy(options, "../secret.txt") == "secret");
    CHECK(readBy(options, folders.path("secret.txt")) == "secret");
    CHECK(readBy(options, "/dev/zero") == "refused"); // not a regular file
}

TEST_CASE("a graph writes nothing", "[kernels][files]")
{
    const Folders folders;
    Session session(typed(graph("f = Placeholder()\nt = Placeholder()\ny = WriteFile(f, t)")),
                    {.folder = folders.path("model")});
    const std::string name = folders.path("model/new.txt");
    const auto y = session.run(
        {.feeds = {{"f", stringsOf({}, {name})}, {"t", stringsOf({}, {"x"})}}, .targets = {"y"}},
        Job());
    REQUIRE_FALSE(y.ok());
    CHECK(y.error().message.starts_with("y: "));
    CHECK_FALSE(fs::exists(name));
}

} // namespace
} // namespace lapidary
