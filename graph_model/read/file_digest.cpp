// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/file_digest.h"

#include "graph_model/base/mapped_file.h"
#include "graph_model/base/sha256.h"

#include <algorithm>
#include <system_error>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t pieceBytes = std::size_t(4) << 20;
constexpr std::size_t mostFiles = 10'000;

} // namespace

Result<std::string> fileSha256(const fs::path& path, const Job& job)
{
    ASSIGN_OR_RETURN(const auto file, openFile(path));
    const std::string_view bytes = file->bytes();
    Sha256 digest;
    for (std::size_t at = 0; at < bytes.size(); at += pieceBytes) {
        if (job.cancelled())
            return cancelledError();
        const std::string_view piece = bytes.substr(at, pieceBytes);
        digest.add(piece);
        releasePages(*file, piece);
    }
    RETURN_IF_ERROR(file->intact());
    return digest.finish();
}

Result<std::vector<FileDigest>> fileDigests(const fs::path& path, const Job& job)
{
    std::vector<FileDigest> digests;
    std::error_code fault;
    if (!fs::is_directory(path, fault)) {
        digests.push_back({});
    } else {
        for (fs::recursive_directory_iterator at(path, fault), end; !fault && at != end;
             at.increment(fault)) {
            std::error_code unknown;
            if (at->is_regular_file(unknown))
                digests.push_back({at->path().lexically_relative(path).string(), {}});
            if (digests.size() > mostFiles)
                return Error{ErrorCode::Unsupported,
                             path.string() + ": holds more files than a model has"};
        }
        if (fault)
            return Error{ErrorCode::Io, path.string() + ": " + fault.message()};
        std::ranges::sort(digests, {}, &FileDigest::name);
    }
    for (FileDigest& digest : digests) {
        ASSIGN_OR_RETURN(auto sum,
                         fileSha256(digest.name.empty() ? path : path / digest.name, job));
        digest.sha256 = std::move(sum);
    }
    return digests;
}

} // namespace lapidary
