// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

#include <vector>

namespace lapidary {

// The content of a variant that RaggedTensorToVariant made: splits, outermost first, and the
// values. It is never changed.
class EncodedRagged final : public Resource {
public:
    std::vector<Value> splits; // int32 or int64 vectors that fit each other; empty: no ragged axis
    Value values;              // of at least one axis
};

} // namespace lapidary
