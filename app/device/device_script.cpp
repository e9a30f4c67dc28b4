// SPDX-License-Identifier: Apache-2.0
#include "app/device/device_plan.h"

namespace lapidary {
namespace {

std::string comment(const std::string& text)
{
    std::string line = "# ";
    for (const char c : text)
        line += c == '\n' || c == '\r' ? ' ' : c;
    return line + "\n";
}

std::string command(const DeviceStep& step)
{
    std::string line = "adb";
    for (const std::string& word : step.words)
        line += " " + shellWord(word);
    return line;
}

} // namespace

std::string deviceScript(const DevicePlan& plan, const std::vector<std::string>& remarks)
{
    std::string text = "#!/bin/sh\n";
    for (const std::string& remark : remarks)
        text += comment(remark);
    text += comment("benchmark_model for " + plan.abi + " is built by: " + plan.build);
    text += "set -eu\n"
            "log=" +
            shellWord(plan.log) + "\nresults=" + shellWord(plan.results) + "\n";
    text += "clean_up() {\n"
            "    rm -rf -- \"$log.part\" \"$results.part\"\n"
            "    " +
            command(plan.cleanUp) + " > /dev/null 2>&1 || true\n}\n";
    for (const DeviceStep& step : plan.steps) {
        if (step.words.back() == "get-state") {
            text += command(step) + "\ntrap clean_up EXIT\ntrap 'exit 130' HUP INT TERM\n";
            continue;
        }
        text += command(step);
        if (step.kind == DeviceStep::Kind::Run)
            text += " > \"$log.part\"";
        text += "\n";
    }
    // Both get their names when they are complete.
    text += "rm -rf -- \"$results\"\n"
            "mv -- \"$results.part\" \"$results\"\n"
            "mv -f -- \"$log.part\" \"$log\"\n";
    return text + "printf 'The log is in %s, the results are in %s\\n' \"$log\" \"$results\"\n";
}

} // namespace lapidary
