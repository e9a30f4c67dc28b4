// SPDX-License-Identifier: Apache-2.0
#include "app/device/adb_run.h"

#include "app/device/process.h"
#include "graph_model/base/printable.h"
#include "graph_model/base/text.h"
#include "graph_model/write/write_model.h"
#include "runner/profile/benchmark_log.h"

#include <filesystem>
#include <system_error>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

bool says(const Finished& finished, std::string_view words)
{
    return finished.err.find(words) != std::string::npos ||
           finished.out.find(words) != std::string::npos;
}

// Returns the last line that is not empty.
std::string lastLine(const Finished& finished)
{
    std::string_view text = trimmed(finished.err.empty() ? finished.out : finished.err);
    if (const std::size_t line = text.find_last_of("\r\n"); line != std::string_view::npos)
        text.remove_prefix(line + 1);
    return printable(withoutLogPrefix(trimmed(text)));
}

bool isGone(const Finished& finished)
{
    return says(finished, "no devices/emulators found") || says(finished, "error: device ") ||
           says(finished, "error: closed") || says(finished, "device offline");
}

Error noDevice(const Finished& finished)
{
    if (says(finished, "unauthorized"))
        return {ErrorCode::Io, "the device does not trust this computer yet; unlock it and accept "
                               "its key, then try again"};
    if (says(finished, "more than one device"))
        return {ErrorCode::InvalidArgument,
                "several devices are connected; choose one by its serial number ('adb devices' "
                "lists them)"};
    if (says(finished, "offline"))
        return {ErrorCode::Io, "the device is offline; connect it anew"};
    return {ErrorCode::NotFound, "no device is connected; connect one with USB debugging switched "
                                 "on ('adb devices' lists them)"};
}

Error failureOf(const DeviceStep& step, const Finished& finished)
{
    if (isGone(finished))
        return {ErrorCode::Io, step.title + ": the device was unplugged; nothing was kept"};
    if (step.kind == DeviceStep::Kind::Run) {
        if (finished.exitCode >= 128)
            return {ErrorCode::Io, "benchmark_model crashed on the device (signal " +
                                       std::to_string(finished.exitCode - 128) +
                                       "); nothing was kept"};
        return {ErrorCode::Io, "benchmark_model failed on the device with exit code " +
                                   std::to_string(finished.exitCode) + ": " + lastLine(finished)};
    }
    return {ErrorCode::Io, step.title + " failed: " + lastLine(finished)};
}

void removeQuietly(const std::string& path)
{
    std::error_code ignored;
    fs::remove_all(path, ignored);
}

std::vector<std::string> withAdb(const std::vector<std::string>& words)
{
    std::vector<std::string> all{"adb"};
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

Status checkLog(const std::string& log)
{
    const auto read = readBenchmarkLog(log);
    return read ? Status(Done{})
                : Status(Error{ErrorCode::BadFile, "benchmark_model printed no timings on the "
                                                   "device; nothing was kept"});
}

Status runSteps(const DevicePlan& plan, const std::function<void(const std::string&)>& tell,
                const Job& job, std::string& log, bool& isReached)
{
    for (const DeviceStep& step : plan.steps) {
        tell(step.title);
        ASSIGN_OR_RETURN(const auto finished, runProcess(withAdb(step.words), job));
        const bool asksForDevice = &step == &plan.steps.front();
        if (asksForDevice && (finished.exitCode != 0 || trimmed(finished.out) != "device"))
            return noDevice(finished);
        isReached = true;
        if (finished.exitCode != 0)
            return failureOf(step, finished);
        if (step.kind == DeviceStep::Kind::Run) {
            log = finished.out;
            RETURN_IF_ERROR(checkLog(log));
        }
    }
    return Done{};
}

Status keep(const DevicePlan& plan, const std::string& log)
{
    std::error_code fault;
    fs::remove_all(plan.results, fault);
    fs::rename(plan.results + ".part", plan.results, fault);
    if (fault)
        return Error{ErrorCode::Io, plan.results + ": cannot be written: " + fault.message()};
    return writeFileAtomically(plan.log, log);
}

} // namespace

Status runOnDevice(const DevicePlan& plan, const std::function<void(const std::string&)>& tell,
                   const Job& job)
{
    std::string log;
    removeQuietly(plan.results + ".part");
    bool isReached = false;
    Status outcome = runSteps(plan, tell, job, log, isReached);
    if (isReached) {
        // Cleans up with a job that is not cancelled, so that nothing stops this; if the device was
        // unplugged, the files remain.
        const auto cleaned = runProcess(withAdb(plan.cleanUp.words), Job());
        static_cast<void>(cleaned);
    }
    if (outcome)
        outcome = keep(plan, log);
    removeQuietly(plan.results + ".part");
    return outcome;
}

} // namespace lapidary
