// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/back_end.h"
#include "runner/kernels/kernel.h"

namespace lapidary {

// The back end that a session asks for by name, kept with what its nodes share.
void askForBackEnd(SessionState& session, std::string_view name);
// Returns the back end that the session asks for, or the best one.
Result<const int8::BackEnd*> chosenBackEnd(const SessionState& session);

} // namespace lapidary
