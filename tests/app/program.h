// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/test_folder.h"

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace lapidary {

struct Ran {
    int exitCode = 0; // negative: the number of the signal that ended it
    std::string out;
    std::string err;

    nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); }
};

// Runs the built program as a child process, without a display. `calledAs` is the name by which the
// program is called.
Ran runLapidary(const std::vector<std::string>& arguments, const std::string& input = {},
                const std::string& calledAs = "lapidary");

// Returns the path of a model that is built with the program.
std::string sample(const std::string& name);

std::string fileBytes(const std::filesystem::path& path);

} // namespace lapidary
