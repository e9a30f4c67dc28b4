// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/back_end.h"
#include "runner/kernels/kernel.h"

namespace lapidary {

// Sets the back end of a session by name; it is kept in the state that its nodes share.
void askForBackEnd(SessionState& session, std::string_view name);
// Returns the back end that was set for the session, or the best one.
Result<const int8::BackEnd*> chosenBackEnd(const SessionState& session);

} // namespace lapidary
