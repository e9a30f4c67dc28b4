// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/goldens/recordings.h"
#include "tests/goldens/tally.h"
#include "tests/test_folder.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace lapidary::goldens {

// Returns the JSON documents of a file, one a line. An unreadable or damaged file fails the running
// test.
std::vector<nlohmann::json> loadCases(const std::filesystem::path& file);
nlohmann::json loadJson(const std::filesystem::path& file);
std::string readBytes(const std::filesystem::path& file);
void writeBytes(const std::filesystem::path& file, std::string_view bytes);
std::string decodeBase64(std::string_view text);
// Returns the SHA-256 of some bytes, in lower-case hexadecimal.
std::string sha256(std::string_view bytes);

// An empty folder that is the working folder while the object lives, and is removed with it.
class WorkingFolder {
public:
    WorkingFolder();
    ~WorkingFolder();
    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;

    const std::filesystem::path& path() const { return m_folder.path(); }
    void clear() const;

private:
    TestFolder m_folder;
    std::filesystem::path m_before;
};

struct Ran {
    int exitCode = 0;
    std::string out;
    std::string err;
};
// Runs the program in this process. arguments[0] is its name: "lapidary" or that of a replaced
// tool.
Ran runProgram(const std::vector<std::string>& arguments, const std::string& input = {});

} // namespace lapidary::goldens
