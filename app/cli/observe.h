#pragma once

#include "app/cli/verbs.h"

namespace lapidary::verbs {

extern const Verb observe;

} // namespace lapidary::verbs
