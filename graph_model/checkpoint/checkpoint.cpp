// SPDX-License-Identifier: Apache-2.0
#include "graph_model/checkpoint/checkpoint.h"

#include "graph_model/checkpoint/bundle.h"
#include "graph_model/checkpoint/saved_slices.h"

#include <algorithm>
#include <system_error>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// Returns whether a name matches a pattern: '?' is any character, '*' any number of them. O(pattern
// * name).
bool matches(std::string_view pattern, std::string_view name)
{
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;
    std::size_t after = 0;
    while (n < name.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p;
            ++n;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            after = n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++after;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

} // namespace

std::optional<CheckpointPlace> Checkpoint::place(std::string_view, std::uint64_t, PlaceChecks) const
{
    return std::nullopt;
}

std::optional<CheckpointRead> Checkpoint::readPart(std::string_view, const Slice&) const
{
    return std::nullopt;
}

const CheckpointVariable* Checkpoint::find(std::string_view name) const
{
    const auto found = std::ranges::lower_bound(m_variables, name, {}, [](const auto& variable) {
        return std::string_view(variable.name);
    });
    return found != m_variables.end() && found->name == name ? &*found : nullptr;
}

std::vector<fs::path> matchingFiles(const fs::path& pattern)
{
    std::vector<fs::path> files;
    std::error_code fault;
    const std::string name = pattern.filename().string();
    if (name.find_first_of("*?") == std::string::npos) {
        if (fs::is_regular_file(pattern, fault))
            files.push_back(pattern);
        return files;
    }
    const fs::path folder = pattern.has_parent_path() ? pattern.parent_path() : fs::path(".");
    for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault))
        if (matches(name, at->path().filename().string()) && at->is_regular_file(fault))
            files.push_back(at->path());
    std::ranges::sort(files);
    return files;
}

OpenedCheckpoint openCheckpoint(const fs::path& prefix, const Job& job)
{
    std::error_code ignored;
    fs::path index = prefix;
    index += ".index";
    if (fs::is_regular_file(index, ignored))
        return openBundle(prefix, job);
    return openSavedSlices(prefix, job);
}

Result<Problems> checkValues(const Checkpoint& checkpoint, const Job& job)
{
    Problems problems;
    std::size_t done = 0;
    for (const CheckpointVariable& variable : checkpoint.variables()) {
        if (job.cancelled())
            return cancelledError();
        job.progress(double(done++) / double(checkpoint.variables().size()));
        if (CheckpointRead read = checkpoint.read(variable.name); read.problem)
            problems.push_back(std::move(*read.problem));
    }
    return problems;
}

} // namespace lapidary
