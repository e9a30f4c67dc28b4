// SPDX-License-Identifier: Apache-2.0
#include "app/window_verbs/keys_verb.h"

#include "app/actions/action_sections.h"
#include "app/base/exit_codes.h"
#include "app/cli/verb_call.h"
#include "app/window/action_tables.h"

#include <iostream>

namespace lapidary {

int runKeys(std::span<const std::string> arguments)
{
    Console console{std::cin, std::cout, std::cerr, Job()};
    VerbCall call(verbs::keys, console);
    if (const auto code = call.parse(arguments))
        return *code;
    console.out << keysPage(actionTables()) << std::flush;
    return console.out ? exit_code::done : exit_code::failed;
}

} // namespace lapidary
