// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/test_folder.h"

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

std::string fileBytes(const std::filesystem::path& path);

} // namespace lapidary
