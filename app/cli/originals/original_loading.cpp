// SPDX-License-Identifier: Apache-2.0
#include "app/cli/originals/original_loading.h"

#include "app/cli/originals/original_wire.h"
#include "graph_model/base/mapped_file.h"
#include "graph_model/read/graph_def_reader.h"
#include "graph_model/read/text_parser.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lapidary {
namespace {

// Returns the system's error for opening a file to read; empty if there is none.
std::string openingFault(const std::string& path)
{
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return std::generic_category().message(errno);
    struct stat facts {};
    const bool isFolder = fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode);
    close(file);
    return isFolder ? std::generic_category().message(EISDIR) : std::string();
}

Result<std::string> fromText(std::string_view text, const Job& job)
{
    const Error refused{ErrorCode::BadFile, "neither binary nor text"};
    ASSIGN_OR_RETURN(auto parsed, parseTextMessage(text, MessageId::GraphDef, job));
    for (const Problem& problem : parsed.problems)
        if ((problem.severity == Severity::Error && problem.kind != "bad_utf8") ||
            problem.kind == "unknown_field")
            return refused;
    return parsed.isWhole ? Result<std::string>(std::move(parsed.encoded)) : refused;
}

Result<GraphPtr> graphOf(const BufferPtr& buffer, const Job& job)
{
    ASSIGN_OR_RETURN(auto graph, readGraphDef(buffer->bytes(), buffer, 0, true, job));
    return graph.graph;
}

} // namespace

Result<GraphPtr> loadAsOriginal(const std::string& path, const Job& job)
{
    if (const std::string fault = openingFault(path); !fault.empty())
        return Error{ErrorCode::Io, path + "; " + fault + "\n\t (for file " + path + ")"};
    const auto file = openFile(path);
    RETURN_IF_ERROR(file);
    BufferPtr buffer = *file;
    if (const auto whole = acceptedGraphDef(buffer->bytes())) {
        if (*whole != buffer->bytes())
            buffer = makeBuffer(*whole);
    } else {
        auto encoded = fromText(buffer->bytes(), job);
        if (!encoded && encoded.error().code == ErrorCode::Cancelled)
            return encoded.error();
        if (!encoded)
            return Error{ErrorCode::BadFile, "Can't parse " + path +
                                                 " as binary proto\n\t (both text and binary "
                                                 "parsing failed for file " +
                                                 path + ")"};
        buffer = makeBuffer(*std::move(encoded));
    }
    return graphOf(buffer, job);
}

Result<GraphPtr> loadBinaryAsOriginal(const std::string& path, const Job& job)
{
    if (const std::string fault = openingFault(path); !fault.empty())
        return Error{ErrorCode::Io, path + ": " + fault};
    ASSIGN_OR_RETURN(const auto file, openFile(path));
    BufferPtr buffer = file;
    const auto whole = acceptedGraphDef(buffer->bytes());
    if (!whole)
        return Error{ErrorCode::BadFile, path + ": not a binary GraphDef"};
    if (*whole != buffer->bytes())
        buffer = makeBuffer(*whole);
    return graphOf(buffer, job);
}

} // namespace lapidary
