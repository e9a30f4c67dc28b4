#include "runner/profile/profile_file.h"

#include "graph_model/read/sniff.h"
#include "graph_model/read/text_parser.h"
#include "runner/profile/chrome_trace.h"
#include "runner/profile/run_metadata.h"

namespace lapidary {
namespace {

Result<ReadProfile> runMetadata(std::string_view bytes)
{
    auto step = decodeRunMetadata(bytes);
    if (!step)
        return step.error();
    return ReadProfile{"RunMetadata", std::move(step).value(), {}};
}

Result<ReadProfile> textRunMetadata(std::string_view text, const Job& job)
{
    const auto parsed = parseTextMessage(text, MessageId::RunMetadata, job);
    if (!parsed)
        return parsed.error();
    if (!parsed.value().isWhole)
        return Error{ErrorCode::BadFile, parsed.value().problems.empty()
                                             ? "the profile's text is damaged"
                                             : parsed.value().problems.front().message};
    return runMetadata(parsed.value().encoded);
}

} // namespace

Result<ReadProfile> readProfile(std::string_view bytes, const Job& job)
{
    const FileFormat format = sniffFormat(bytes).format;
    if (format == FileFormat::RunMetadataText)
        return textRunMetadata(bytes, job);
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    if (start != std::string_view::npos && (bytes[start] == '{' || bytes[start] == '[')) {
        auto step = decodeChromeTrace(bytes);
        if (!step)
            return step.error();
        return ReadProfile{"Chrome trace", std::move(step).value(), {}};
    }
    if (format == FileFormat::RunMetadataBinary)
        return runMetadata(bytes);
    auto log = readBenchmarkLog(bytes);
    if (log)
        return ReadProfile{"benchmark log", {}, std::move(log).value()};
    return Error{ErrorCode::BadFile, "no profile: neither RunMetadata nor a Chrome trace nor a log "
                                     "of benchmark_model"};
}

} // namespace lapidary
