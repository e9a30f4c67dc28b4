// SPDX-License-Identifier: Apache-2.0
// The entry of the library that holds all that needs Qt.
#include "app/cli/command_line.h"
#include "app/render/render_verb.h"
#include "app/start/run_window.h"
#include "app/window_library.h"

#include <span>
#include <string>
#include <type_traits>
#include <vector>

extern "C" [[gnu::visibility("default")]] int lapidaryWindowMain(int argc, char** argv)
{
    using namespace lapidary;
    const std::vector<std::string> arguments(argv, argv + argc);
    if (destinationOf(arguments) == Destination::Render)
        return runRender(std::span(arguments).subspan(2));
    return runWindow(argc, argv);
}

static_assert(std::is_same_v<lapidary::WindowMain, decltype(&lapidaryWindowMain)>);
