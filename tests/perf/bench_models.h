// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/session.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapidary::perf {

// A fed tensor: random numbers from a seed, the same for ours and the reference.
struct BenchFeed {
    const char* name;
    DType dtype;
    Dims dims;
    double low = -1;
    double high = 1;

    std::string text() const; // in the form that reference_bench.py takes
};

struct BenchModel {
    const char* name; // its name in the table
    const char* file; // relative to the folder of full-size models, or of the shared data
    bool isFull = false;
    std::vector<BenchFeed> feeds;
    std::vector<const char*> fetches;
    double limitOne = 0.35; // of TensorFlow's time, with 1 thread
    double limitTwo = 0.35;
};

const std::vector<BenchModel>& benchModels();

struct Runnable {
    Session session;
    RunRequest request;
};
// Prints the reason if the file is missing or unreadable.
std::optional<Runnable> openModel(const std::filesystem::path& file, const BenchModel& model,
                                  int threads, const std::string& backEnd = {});

} // namespace lapidary::perf
