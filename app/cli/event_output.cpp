// SPDX-License-Identifier: Apache-2.0
#include "app/cli/event_output.h"

#include "graph_model/write/event_file.h"
#include "graph_model/write/write_model.h"

#include <chrono>
#include <filesystem>

#include <unistd.h>

namespace lapidary {
namespace {

std::string hostName()
{
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "localhost";
}

} // namespace

Result<std::string> writeEvents(const Graph& graph, const std::string& folder)
{
    namespace fs = std::filesystem;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return Error{ErrorCode::Io, folder + ": cannot be made: " + error.message()};
    const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
    const std::string path = (fs::path(folder) / eventFileName(now.count(), hostName())).string();
    RETURN_IF_ERROR(writeFileAtomically(path, encodeEventFile(graph, now.count())));
    return path;
}

} // namespace lapidary
