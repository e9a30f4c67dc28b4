// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace lapidary {

struct Ran {
    int exitCode = 0; // negative: ended by that signal
    std::string out;
    std::string err;

    nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); }
};

// Runs the built program as a child, without a display. `calledAs` is what the program sees as its
// own name.
Ran runLapidary(const std::vector<std::string>& arguments, const std::string& input = {},
                const std::string& calledAs = "lapidary");

// One of the models that are built with the program.
std::string sample(const std::string& name);

// An empty folder for one test; goes away with the object.
class TestFolder {
public:
    TestFolder();
    ~TestFolder();
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;

    std::string file(const std::string& name) const { return (m_path / name).string(); }
    std::string write(const std::string& name, const std::string& bytes) const;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

std::string fileBytes(const std::filesystem::path& path);

} // namespace lapidary
