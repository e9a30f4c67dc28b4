// SPDX-License-Identifier: Apache-2.0
// The entry point of the library that contains everything that needs Qt.
#include "app/cli/command_line.h"
#include "app/cli/verb_list.h"
#include "app/start/run_window.h"
#include "app/window_library.h"
#include "app/window_verbs/keys_verb.h"
#include "app/window_verbs/render_verb.h"

#include <span>
#include <string>
#include <type_traits>
#include <vector>

extern "C" [[gnu::visibility("default")]] int lapidaryWindowMain(int argc, char** argv)
{
    using namespace lapidary;
    const std::vector<std::string> arguments(argv, argv + argc);
    if (destinationOf(arguments) != Destination::WindowVerb)
        return runWindow(argc, argv);
    const std::span behindVerb = std::span(arguments).subspan(2);
    if (arguments[1] == verbs::render.name)
        return runRender(behindVerb);
    return runKeys(behindVerb);
}

static_assert(std::is_same_v<lapidary::WindowMain, decltype(&lapidaryWindowMain)>);
