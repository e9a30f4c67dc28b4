// SPDX-License-Identifier: Apache-2.0
// The command `setting` of a script.
#include "app/script/script_driver.h"
#include "app/window/main_window.h"
#include "app/window/settings/settings.h"
#include "graph_model/base/digits.h"

#include <algorithm>
#include <optional>

namespace lapidary {
namespace {

Error notSet(std::string why)
{
    return {ErrorCode::InvalidArgument, std::move(why)};
}

// Returns true for the first word and false for the second; none for others.
std::optional<bool> oneOf(const std::string& value, std::string_view yes, std::string_view no)
{
    return value == yes ? std::optional(true) : value == no ? std::optional(false) : std::nullopt;
}

Status setLimit(Settings& settings, const std::string& name, const std::string& value)
{
    const auto number = parsedNumber<int>(value);
    if (number.value_or(-1) < 0)
        return notSet("\"" + value + "\" is not a whole number of at least 0");
    RunLimits limits = settings.limits();
    if (name == "threads")
        limits.threads = *number;
    else if (name == "memory")
        limits.memory = std::uint64_t(*number) * 1'000'000;
    else if (name == "values")
        limits.values = std::uint64_t(*number) * 1'000'000;
    else
        limits.seconds = *number;
    settings.setLimits(limits);
    return Done{};
}

} // namespace

Status ScriptDriver::setting(const Arguments& arguments)
{
    Settings& settings = *m_window.parts().settings;
    const std::string& name = arguments[0];
    const std::string& value = arguments[1];
    if (name == "wheel") {
        const auto zooms = oneOf(value, "zoom", "scroll");
        if (!zooms)
            return notSet("the wheel takes zoom or scroll");
        settings.setWheel(*zooms ? WheelAction::Zoom : WheelAction::Scroll);
        return Done{};
    }
    if (name == "motion") {
        const auto isOn = oneOf(value, "on", "off");
        if (!isOn)
            return notSet("motion is on or off");
        settings.setAnimated(*isOn);
        return Done{};
    }
    if (name == "threads" || name == "memory" || name == "seconds" || name == "values")
        return setLimit(settings, name, value);
    return notSet("there is no setting " + name +
                  "; there are wheel, motion, threads, memory, seconds and values");
}

} // namespace lapidary
