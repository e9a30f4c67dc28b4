// SPDX-License-Identifier: Apache-2.0
#include "runner/guard/out_of_memory.h"

#include <string>

namespace lapidary {

Error outOfMemoryError(std::string_view what)
{
    const RunGuard* const guard = RunGuard::ofThread();
    if (guard != nullptr && guard->mustStop())
        return cancelledError();
    std::string message(what);
    if (guard == nullptr || !heap::isCounting())
        return {ErrorCode::Unsupported, message + ": the system has no memory left for it"};
    message +=
        ": needs more memory than the limit of " + std::to_string(guard->limit()) + " bytes leaves";
    return {ErrorCode::Unsupported, std::move(message), ErrorReason::MemoryLimit};
}

} // namespace lapidary
