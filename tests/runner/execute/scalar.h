// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

namespace lapidary {

inline Value scalar(float number, MemoryPool& pool)
{
    Value value = Value::make(DType::Float, {}, pool).value();
    value.mutableAs<float>()[0] = number;
    return value;
}

} // namespace lapidary
