// SPDX-License-Identifier: Apache-2.0
#include "graph_model/checkpoint/version_check.h"

#include "graph_model/base/wire.h"

namespace lapidary {

std::optional<Problem> checkpointVersionFault(std::string_view versionDef)
{
    constexpr std::int32_t current = 1;
    std::int32_t minConsumer = 0;
    bool isDisallowed = false;
    WireReader reader(versionDef);
    while (reader.next()) {
        if (reader.field() == 2 && reader.type() == WireType::Varint)
            minConsumer = std::int32_t(reader.varint());
        else if (reader.field() == 3 && reader.type() == WireType::Varint)
            isDisallowed |= std::int32_t(reader.varint()) == current;
        else if (reader.field() == 3 && reader.type() == WireType::Bytes) {
            VarintSpan bad(reader.bytes());
            for (std::uint64_t version = 0; bad.next(version);)
                isDisallowed |= std::int32_t(version) == current;
        }
    }
    Problem problem;
    problem.kind = "version";
    if (minConsumer > current)
        problem.message = "the checkpoint needs a reader of version " +
                          std::to_string(minConsumer) + ", this is version 1";
    else if (isDisallowed)
        problem.message = "the checkpoint disallows readers of version 1";
    return problem.message.empty() ? std::nullopt : std::optional(problem);
}

} // namespace lapidary
