// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_list.h"

#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// Runs a verb that applies one pass with a given interface: strip, optimize.
int runPassVerb(const Verb& verb, std::string_view pass, std::span<const std::string> arguments,
                Console& console);

} // namespace lapidary
