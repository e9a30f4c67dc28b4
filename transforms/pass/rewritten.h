// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <string>
#include <utility>
#include <variant>

namespace lapidary {

// Why a match is left alone, in a few words: "w is also read elsewhere".
struct Declined {
    std::string why; // not empty
};

// The outcome of rewriting one match: its replacement is made (Done), the match is declined, or an
// error ends the pass.
class Rewritten {
public:
    Rewritten(Done) {}
    Rewritten(Declined declined)
        : m_state(std::move(declined))
    {
    }
    Rewritten(Error error)
        : m_state(std::move(error))
    {
    }

    bool isDone() const { return std::holds_alternative<Done>(m_state); }
    const Declined* declined() const { return std::get_if<Declined>(&m_state); } // null: it was not
    const Error* error() const { return std::get_if<Error>(&m_state); }          // null: none

private:
    std::variant<Done, Declined, Error> m_state;
};

} // namespace lapidary
