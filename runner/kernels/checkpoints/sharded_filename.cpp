// ShardedFilename(base, 1, 3) -> "base-00001-of-00003"
#include "runner/kernels/checkpoints/kernels.h"
#include "runner/kernels/checkpoints/stored_tensor.h"

#include <cstdio>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto base = stringInput(context, 0, 0);
    if (!base)
        return base.error();
    const auto shard = context.input(1).integers();
    const auto shards = context.input(2).integers();
    if (shard.size() != 1 || shards.size() != 1)
        return context.error("shard and count are not one number each");
    char suffix[64];
    std::snprintf(suffix, sizeof suffix, "-%05lld-of-%05lld", static_cast<long long>(shard[0]),
                  static_cast<long long>(shards[0]));
    return context.setOutput(0, Value::ofStrings({}, {base.value() + suffix}));
}

} // namespace

const Kernel kernels::shardedFilename{.op = "ShardedFilename", .run = run};

} // namespace lapidary
