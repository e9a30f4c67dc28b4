// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

namespace lapidary {

// A resource that holds values, and so perhaps a handle of itself. clear() releases them when its
// step or session ends.
class ResourceOwner : public Resource {
public:
    virtual void clear() = 0;
};

} // namespace lapidary
