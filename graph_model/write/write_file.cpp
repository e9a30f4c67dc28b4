// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/byte_source.h"
#include "graph_model/write/delegated_writing.h"
#include "graph_model/write/file_replacement.h"
#include "graph_model/write/write_model.h"

#include <utility>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

WriteFile& delegate()
{
    static WriteFile write;
    return write;
}

} // namespace

void delegateWriting(WriteFile write)
{
    delegate() = std::move(write);
}

bool isTextPath(const fs::path& path)
{
    const fs::path extension = path.extension();
    return extension == ".pbtxt" || extension == ".txt";
}

Status writeFileAtomically(const fs::path& path, std::string_view bytes)
{
    return writeFileAtomically(path, [bytes](const ByteSink& sink) { return sink(bytes); });
}

Status writeFileAtomically(const fs::path& path, const ByteSource& source)
{
    if (delegate())
        return delegate()(path, source);
    ASSIGN_OR_RETURN(const auto file, FileReplacement::begin(path));
    RETURN_IF_ERROR(source([&](std::string_view bytes) -> Status {
        RETURN_IF_ERROR(writeTo(file->descriptor(), path, bytes));
        file->storeEarly();
        return Done{};
    }));
    return file->commit();
}

} // namespace lapidary
