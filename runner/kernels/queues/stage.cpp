// SPDX-License-Identifier: Apache-2.0
// Stage, Unstage, StagePeek, StageSize, StageClear: a queue of the session, which all nodes with
// one shared name share. One thread runs a graph, so ops that would wait for another step are
// errors: taking from an empty area, adding to a full one.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/resource_owner.h"

#include <deque>

namespace lapidary {
namespace {

class StagingArea final : public ResourceOwner {
public:
    void clear() override { items.clear(); }

    std::deque<std::vector<Value>> items;
};

std::shared_ptr<StagingArea> stagingArea(const KernelContext& context)
{
    std::string name(context.stringAttr("shared_name"));
    if (name.empty())
        name = context.node().name();
    ResourcePtr& slot =
        context.session()
            .resources["staging area/" + std::string(context.stringAttr("container")) + "/" + name];
    auto area = std::dynamic_pointer_cast<StagingArea>(slot);
    if (!area) {
        area = std::make_shared<StagingArea>();
        slot = area;
    }
    return area;
}

std::int64_t bytesOf(const std::vector<Value>& item)
{
    std::int64_t bytes = 0;
    for (const Value& value : item)
        bytes += std::int64_t(value.byteCount());
    return bytes;
}

Status runStage(KernelContext& context)
{
    const auto area = stagingArea(context);
    const std::int64_t capacity = context.intAttr("capacity");
    const std::int64_t limit = context.intAttr("memory_limit");
    std::vector<Value> item;
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        item.push_back(context.input(i));
    std::int64_t bytes = bytesOf(item);
    if (limit > 0 && bytes > limit)
        return context.error("a value of " + std::to_string(bytes) +
                             " bytes is larger than the memory_limit " + std::to_string(limit));
    for (const auto& other : area->items)
        bytes += bytesOf(other);
    if ((capacity > 0 && std::int64_t(area->items.size()) >= capacity) ||
        (limit > 0 && bytes > limit))
        return context.error("the staging area is full, and nothing else would empty it");
    area->items.push_back(std::move(item));
    return Done{};
}

Status giveItem(KernelContext& context, std::vector<Value> item)
{
    const std::vector<DType> types = context.attr("dtypes").types();
    if (item.size() != context.outputCount() || types.size() != item.size())
        return context.error("what was staged has " + std::to_string(item.size()) +
                             " values, but " + std::to_string(context.outputCount()) +
                             " are asked for");
    for (std::size_t i = 0; i < item.size(); ++i) {
        if (item[i].dtype() != types[i])
            return context.error("value " + std::to_string(i) + " of what was staged is " +
                                 dtypeName(item[i].dtype()) + ", not " + dtypeName(types[i]));
        RETURN_IF_ERROR(context.setOutput(i, std::move(item[i])));
    }
    return Done{};
}

Status runUnstage(KernelContext& context)
{
    const auto area = stagingArea(context);
    if (area->items.empty())
        return context.error("nothing has been staged, and nothing else would do so");
    std::vector<Value> item = std::move(area->items.front());
    area->items.pop_front();
    return giveItem(context, std::move(item));
}

Status runStagePeek(KernelContext& context)
{
    const auto area = stagingArea(context);
    ASSIGN_OR_RETURN(const auto index, integerScalar(context, 0, "index"));
    if (index < 0 || index >= std::int64_t(area->items.size()))
        return context.error("index " + std::to_string(index) + " is outside of the " +
                             std::to_string(area->items.size()) +
                             " values staged, and nothing else would add one");
    return giveItem(context, area->items[std::size_t(index)]);
}

Status runStageSize(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Int32, {}));
    made.mutableAs<std::int32_t>()[0] = std::int32_t(stagingArea(context)->items.size());
    return Done{};
}

Status runStageClear(KernelContext& context)
{
    stagingArea(context)->items.clear();
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Stage, runStage);
LAPIDARY_KERNEL(StageClear, runStageClear);
LAPIDARY_KERNEL(StagePeek, runStagePeek);
LAPIDARY_KERNEL(StageSize, runStageSize);
LAPIDARY_KERNEL(Unstage, runUnstage);

} // namespace lapidary
