// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/catch.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <stdlib.h>

namespace lapidary {

// An empty folder for one test, with a name of its own so that tests can run side by side; the
// destructor removes it.
class TestFolder {
public:
    TestFolder()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "lapidary-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()) != nullptr);
        m_path = pattern;
    }
    ~TestFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    // Returns the path of a file in it, whether or not the file exists.
    std::string file(const std::string& name) const { return (m_path / name).string(); }
    // Returns the path of the file.
    std::string write(const std::string& name, const std::string& bytes) const
    {
        std::ofstream out(file(name), std::ios::binary);
        out << bytes;
        REQUIRE(out.flush().good());
        return file(name);
    }

private:
    std::filesystem::path m_path;
};

} // namespace lapidary
