// SPDX-License-Identifier: Apache-2.0
// ShardedFilename(base, 1, 3) -> "base-00001-of-00003"
#include "runner/kernels/checkpoints/stored_tensor.h"
#include "runner/kernels/kernel.h"

#include <cstdio>

namespace lapidary {
namespace {

Status runShardedFilename(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto base, stringInput(context, 0, 0));
    const auto shard = context.input(1).integers();
    const auto shards = context.input(2).integers();
    if (shard.size() != 1 || shards.size() != 1)
        return context.error("shard and count are not one number each");
    char suffix[64];
    std::snprintf(suffix, sizeof suffix, "-%05lld-of-%05lld", static_cast<long long>(shard[0]),
                  static_cast<long long>(shards[0]));
    return context.setOutput(0, Value::ofStrings({}, {base + suffix}));
}

} // namespace

LAPIDARY_KERNEL(ShardedFilename, runShardedFilename);

} // namespace lapidary
