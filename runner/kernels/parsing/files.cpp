// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/parsing/files.h"

#include "graph_model/base/below_folder.h"

#include <filesystem>
#include <fstream>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// Returns the path of the file without symbolic links. Fails if it may not be read.
Result<fs::path> allowedPath(const KernelContext& context, std::string_view name)
{
    const SessionState& session = context.session();
    const std::string text(name);
    if (text.find('\0') != std::string::npos)
        return context.error("a file name cannot contain a zero byte");
    std::error_code failed;
    const fs::path named(text);
    const fs::path file =
        fs::canonical(named.is_absolute() ? named : fs::path(session.folder) / named, failed);
    if (session.allowFiles)
        return failed ? Result<fs::path>(context.error("there is no file '" + text + "'")) : file;
    std::error_code noFolder;
    const fs::path folder = fs::canonical(session.folder.empty() ? "/" : session.folder, noFolder);
    if (session.folder.empty() || noFolder)
        return context.error("may not read '" + text + "': the graph comes from no folder",
                             ErrorReason::ForeignFile, text);
    if (failed) // the error must not say whether files elsewhere exist
        return context.error("there is no file '" + text + "' below the model's folder");
    if (!liesBelow(file, folder))
        return context.error("may not read '" + text + "', which is outside of the model's folder",
                             ErrorReason::ForeignFile, text);
    return file;
}

} // namespace

Result<std::string> readFile(const KernelContext& context, std::string_view name)
{
    ASSIGN_OR_RETURN(const auto path, allowedPath(context, name));
    std::error_code failed;
    if (!fs::is_regular_file(path, failed))
        return context.error("'" + std::string(name) + "' is not a regular file");
    const std::uintmax_t size = fs::file_size(path, failed);
    if (failed || size > context.session().pool.limitBytes())
        return context.error("the file '" + std::string(name) +
                             "' is larger than the memory limit");
    std::string content(size, '\0');
    std::ifstream stream(path, std::ios::binary);
    if (!stream.read(content.data(), std::streamsize(size)))
        return context.error("the file '" + std::string(name) + "' cannot be read");
    return content;
}

Status checkMayWrite(const KernelContext& context, std::string_view name)
{
    if (context.session().allowFiles)
        return Done{};
    return context.error("may not write '" + std::string(name) + "': graphs write no files",
                         ErrorReason::ForeignFile, std::string(name));
}

} // namespace lapidary
