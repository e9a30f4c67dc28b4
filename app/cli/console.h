// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"

#include <iosfwd>
#include <string>
#include <string_view>

namespace lapidary {

class Interrupt;

// The streams that a verb reads and writes. Only the result goes to `out`.
struct Console {
    std::istream& in;
    std::ostream& out;
    std::ostream& err;
    Job job = {};
    Interrupt* interrupt = nullptr; // stops the job; null: nothing does

    // Writes one line "lapidary: MESSAGE" to `err`; line breaks in the message become spaces.
    void complain(std::string_view message) const;
};

} // namespace lapidary
