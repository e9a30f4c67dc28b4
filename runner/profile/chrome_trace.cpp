// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/chrome_trace.h"

#include "runner/profile/json_number.h"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

namespace lapidary {
namespace {

using nlohmann::json;
constexpr std::string_view computeSuffix = " Compute";

std::string textOf(const json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// Returns the names of the processes, without the " Compute" of devices.
std::map<std::int64_t, std::string> processNames(const json& events)
{
    std::map<std::int64_t, std::string> names;
    for (const json& event : events) {
        if (!event.is_object() || textOf(event, "ph") != "M" ||
            textOf(event, "name") != "process_name")
            continue;
        const auto arguments = event.find("args");
        if (arguments != event.end() && arguments->is_object())
            names[wholeNumber(event, "pid")] = textOf(*arguments, "name");
    }
    return names;
}

NodeRecord recordOf(const json& event)
{
    NodeRecord record;
    std::string op;
    if (const auto arguments = event.find("args");
        arguments != event.end() && arguments->is_object()) {
        record.node = textOf(*arguments, "name");
        op = textOf(*arguments, "op");
    }
    if (record.node.empty())
        record.node = textOf(event, "name");
    if (op.empty())
        op = textOf(event, "cat");
    record.label = op.empty() || op == "unknown" ? "" : record.node + " = " + op + "()";
    record.startMicros = wholeNumber(event, "ts");
    record.micros = wholeNumber(event, "dur");
    record.thread = std::uint32_t(wholeNumber(event, "tid"));
    return record;
}

} // namespace

Result<StepRecords> decodeChromeTrace(std::string_view text)
{
    const json trace = json::parse(text, nullptr, false);
    const json* events = &trace;
    if (trace.is_object() && trace.contains("traceEvents"))
        events = &trace["traceEvents"];
    if (!events->is_array())
        return Error{ErrorCode::BadFile, "no Chrome trace: it has no list of events"};
    const auto names = processNames(*events);
    std::map<std::int64_t, DeviceRecords> devices;
    for (const json& event : *events) {
        if (!event.is_object() || textOf(event, "ph") != "X")
            continue;
        const std::int64_t process = wholeNumber(event, "pid");
        const auto name = names.find(process);
        std::string device =
            name == names.end() ? "process " + std::to_string(process) : name->second;
        if (device.ends_with(computeSuffix))
            device.resize(device.size() - computeSuffix.size());
        devices[process].device = device;
        devices[process].nodes.push_back(recordOf(event));
    }
    StepRecords step;
    for (auto& [process, device] : devices)
        step.devices.push_back(std::move(device));
    return step;
}

std::string encodeChromeTrace(const StepRecords& step)
{
    json events = json::array();
    for (std::size_t i = 0; i < step.devices.size(); ++i)
        events.push_back(
            {{"name", "process_name"},
             {"ph", "M"},
             {"pid", i},
             {"args", {{"name", step.devices[i].device + std::string(computeSuffix)}}}});
    for (std::size_t i = 0; i < step.devices.size(); ++i)
        for (const NodeRecord& record : step.devices[i].nodes) {
            const std::string op = opOfLabel(record.label);
            events.push_back({{"ph", "X"},
                              {"cat", "Op"},
                              {"name", op},
                              {"pid", i},
                              {"tid", record.thread},
                              {"ts", record.startMicros},
                              {"dur", record.micros},
                              {"args", {{"name", record.node}, {"op", op}}}});
        }
    return json{{"traceEvents", std::move(events)}}.dump(-1, ' ', false,
                                                         json::error_handler_t::replace) +
           '\n';
}

} // namespace lapidary
