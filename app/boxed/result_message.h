// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/message.h"
#include "runner/profile/node_profile.h"
#include "transforms/verify/verify_runs.h"

namespace lapidary {

Message messageOf(const NodeProfile& profile);
NodeProfile profileOf(const Message& message);

Message messageOf(const Verification& verification);
// Ignores positions for which there is no pair.
Verification verificationOf(const Message& message);

} // namespace lapidary
