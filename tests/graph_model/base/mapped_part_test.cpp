// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/mapped_file.h"
#include "graph_model/base/mapped_part.h"
#include "graph_model/base/spilled_bytes.h"
#include "tests/catch.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

using namespace lapidary;
namespace fs = std::filesystem;

namespace {

class ScratchFile {
public:
    explicit ScratchFile(const std::string& content)
    {
        std::string name = (fs::temp_directory_path() / "lapidary-part-XXXXXX").string();
        ::close(mkstemp(name.data()));
        m_path = name;
        std::ofstream(m_path, std::ios::binary) << content;
    }
    ~ScratchFile() { fs::remove(m_path); }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

std::string pattern(std::size_t size)
{
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i)
        text[i] = char(i * 31 + i / 251);
    return text;
}

} // namespace

TEST_CASE("a head lies before a part of a file, wherever that begins", "[read]")
{
    const std::string content = pattern(50000);
    const ScratchFile file(content);
    for (const std::size_t offset : {0U, 1U, 40U, 4095U, 4096U, 4097U, 12345U}) {
        for (const std::size_t size : {1U, 4096U, 30000U}) {
            for (const std::string& head : {std::string(), std::string("head"), pattern(4096)}) {
                INFO(offset << " " << size << " " << head.size());
                const auto part = mapFilePart(file.path(), head, offset, size);
                REQUIRE(part.ok());
                const std::string wanted = head + content.substr(offset, size);
                CHECK((*part)->bytes() == wanted);
                releasePages(**part, (*part)->bytes());
                CHECK((*part)->bytes() == wanted);
                CHECK((*part)->intact().ok());
            }
        }
    }
}

TEST_CASE("a part that the file does not have is an error, and so is a file that changed", "[read]")
{
    const ScratchFile file(pattern(5000));
    CHECK_FALSE(mapFilePart(file.path(), "head", 4000, 1001).ok());
    CHECK_FALSE(mapFilePart(file.path(), "head", 5001, 0).ok());
    CHECK_FALSE(mapFilePart(file.path(), pattern(5000), 0, 10).ok());
    CHECK_FALSE(mapFilePart("/nowhere/at all", "head", 0, 1).ok());
    const auto part = mapFilePart(file.path(), "head", 0, 5000);
    REQUIRE(part.ok());
    fs::resize_file(file.path(), 10);
    CHECK_FALSE((*part)->intact().ok());
}

TEST_CASE("spilled bytes are the same", "[read]")
{
    const std::string body = pattern(70000);
    const auto spilled = spillBytes("head", body);
    REQUIRE(spilled.ok());
    CHECK((*spilled)->bytes() == "head" + body);
    CHECK((*spilled)->intact().ok());
    CHECK_FALSE(spillBytes("", "").ok());
}
