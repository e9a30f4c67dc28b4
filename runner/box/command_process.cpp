// SPDX-License-Identifier: Apache-2.0
#include "runner/box/command_process.h"

#include "runner/box/child_process.h"

#include <system_error>

namespace lapidary {

namespace fs = std::filesystem;

Result<CommandEnd> runCommand(const Command& command, const Job& job, std::size_t mostOutput)
{
    ChildProcess child;
    const auto began = std::chrono::steady_clock::now();
    RETURN_IF_ERROR(child.start(command, job));
    CommandEnd end;
    while (child.readMore(command, end)) {
        if (job.cancelled())
            return cancelledError();
        if (command.timeLimit.count() > 0 &&
            std::chrono::steady_clock::now() - began > command.timeLimit)
            return timeLimitError(command.timeLimit);
        if (end.out.size() > mostOutput || end.err.size() > mostOutput)
            return Error{ErrorCode::Unsupported, command.program.string() + ": writes more than " +
                                                     std::to_string(mostOutput) +
                                                     " bytes and was killed"};
    }
    child.wait(end);
    return end;
}

ByteSource sourceOf(std::string_view bytes)
{
    return [bytes](const ByteSink& sink) { return sink(bytes); };
}

fs::path ownProgram()
{
    std::error_code fault;
    return fs::read_symlink("/proc/self/exe", fault);
}

} // namespace lapidary
