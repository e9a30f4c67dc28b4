// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/profile_file.h"

#include "graph_model/read/sniff.h"
#include "graph_model/read/text_parser.h"
#include "runner/profile/chrome_trace.h"
#include "runner/profile/run_metadata.h"

namespace lapidary {
namespace {

Result<ReadProfile> runMetadata(std::string_view bytes)
{
    ASSIGN_OR_RETURN(auto step, decodeRunMetadata(bytes));
    return ReadProfile{"RunMetadata", std::move(step), {}};
}

Result<ReadProfile> textRunMetadata(std::string_view text, const Job& job)
{
    ASSIGN_OR_RETURN(const auto parsed, parseTextMessage(text, MessageId::RunMetadata, job));
    if (!parsed.isWhole)
        return Error{ErrorCode::BadFile, parsed.problems.empty() ? "the profile's text is damaged"
                                                                 : parsed.problems.front().message};
    return runMetadata(parsed.encoded);
}

} // namespace

Result<ReadProfile> readProfile(std::string_view bytes, const Job& job)
{
    const FileFormat format = sniffFormat(bytes).format;
    if (format == FileFormat::RunMetadataText)
        return textRunMetadata(bytes, job);
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    if (start != std::string_view::npos && (bytes[start] == '{' || bytes[start] == '[')) {
        ASSIGN_OR_RETURN(auto step, decodeChromeTrace(bytes));
        return ReadProfile{"Chrome trace", std::move(step), {}};
    }
    if (format == FileFormat::RunMetadataBinary)
        return runMetadata(bytes);
    auto log = readBenchmarkLog(bytes);
    if (log)
        return ReadProfile{"benchmark log", {}, *std::move(log)};
    return Error{ErrorCode::BadFile, "no profile: neither RunMetadata nor a Chrome trace nor a log "
                                     "of benchmark_model"};
}

} // namespace lapidary
