// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/message.h"
#include "runner/values/memory_pool.h"
#include "transforms/fold/delegated_evaluation.h"

namespace lapidary {

// Encodes a value; for a resource, only its type.
Message messageOf(const Value& value);
Message messageOf(const OptionalValues& values);
// Returns none if the message is null or does not contain a value.
std::optional<Value> valueOf(const Message& message, MemoryPool& pool);
OptionalValues valuesOf(const Message& message, MemoryPool& pool);

// Returns the memory that a value takes, including its strings.
std::uint64_t bytesHeldBy(const Value& value);

} // namespace lapidary
