// SPDX-License-Identifier: Apache-2.0
// FIFOQueue, RandomShuffleQueue, PaddingFIFOQueue and the ops on them. One thread runs a graph, so
// what would wait for another step is an error: taking from an empty queue, adding to a full one.
#include "runner/kernels/kernel.h"
#include "runner/kernels/random/philox.h"
#include "runner/kernels/resource_owner.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <algorithm>
#include <cstring>
#include <deque>

namespace lapidary {
namespace {

using Tuple = std::vector<Value>;

class Queue final : public ResourceOwner {
public:
    void clear() override { items.clear(); }

    std::string name;
    std::vector<DType> types;
    std::vector<Shape> shapes; // of the components; empty: any
    std::int64_t capacity = -1;
    std::int64_t minAfterDequeue = 0;
    bool shuffles = false;
    bool pads = false;
    bool isClosed = false;
    std::deque<Tuple> items;
    PhiloxWords words{Philox()};
};

Status runMake(KernelContext& context)
{
    std::string name(context.stringAttr("shared_name"));
    if (name.empty())
        name = context.node().name();
    ResourcePtr& slot =
        context.session()
            .resources["queue/" + std::string(context.stringAttr("container")) + "/" + name];
    auto queue = std::dynamic_pointer_cast<Queue>(slot);
    if (!queue) {
        queue = std::make_shared<Queue>();
        queue->name = name;
        queue->types = context.attr("component_types").types();
        queue->shapes = context.attr("shapes").shapes();
        if (!queue->shapes.empty() && queue->shapes.size() != queue->types.size())
            return context.error("it has " + std::to_string(queue->types.size()) +
                                 " component_types but " + std::to_string(queue->shapes.size()) +
                                 " shapes");
        queue->capacity = context.intAttr("capacity", -1);
        queue->shuffles = context.node().op().starts_with("RandomShuffle");
        queue->pads = context.node().op().starts_with("Padding");
        queue->minAfterDequeue = context.intAttr("min_after_dequeue", 0);
        if (queue->shuffles)
            queue->words = PhiloxWords(nodeGenerator(context));
        slot = queue;
    }
    constexpr auto reference = DType(100 + int(DType::String));
    const bool isResource = context.node().op().ends_with("V2");
    return context.setOutput(
        0, Value::ofResource(isResource ? DType::Resource : reference, std::move(queue)));
}

Result<std::shared_ptr<Queue>> queueInput(const KernelContext& context)
{
    auto queue = context.input(0).resource<Queue>();
    if (!queue)
        return context.error("its input 0 is not a queue");
    return queue;
}

Status add(KernelContext& context, Queue& queue, Tuple item)
{
    if (queue.isClosed)
        return context.error("the queue " + queue.name + " is closed");
    if (item.size() != queue.types.size())
        return context.error("the queue " + queue.name + " takes " +
                             std::to_string(queue.types.size()) + " values at a time");
    for (std::size_t i = 0; i < item.size(); ++i) {
        if (item[i].dtype() != queue.types[i])
            return context.error("value " + std::to_string(i) + " must be " +
                                 dtypeName(queue.types[i]) + ", not " + dtypeName(item[i].dtype()));
        if (!queue.shapes.empty() && !fitsShape(item[i].dims(), queue.shapes[i]))
            return context.error("value " + std::to_string(i) + " must have shape " +
                                 shapeText(queue.shapes[i]) + ", not " + dimsText(item[i].dims()));
    }
    if (queue.capacity >= 0 && std::int64_t(queue.items.size()) >= queue.capacity)
        return context.error("the queue " + queue.name +
                             " is full, and nothing else would empty it");
    queue.items.push_back(std::move(item));
    return Done{};
}

Status runEnqueue(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto queue, queueInput(context));
    Tuple item;
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        item.push_back(context.input(i));
    return add(context, *queue, std::move(item));
}

Status runEnqueueMany(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto queue, queueInput(context));
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        if (context.input(i).isScalar() || context.input(i).dim(0) != context.input(1).dim(0))
            return context.error("its values must have as many rows each");
    for (std::int64_t row = 0; row < context.input(1).dim(0); ++row) {
        Tuple item;
        for (std::size_t i = 1; i < context.inputCount(); ++i) {
            const Value& from = context.input(i);
            ASSIGN_OR_RETURN(auto part, copyRows(context, from, row, 1,
                                                 Dims(from.dims().begin() + 1, from.dims().end())));
            item.push_back(std::move(part));
        }
        RETURN_IF_ERROR(add(context, *queue, std::move(item)));
    }
    return Done{};
}

Tuple take(Queue& queue)
{
    if (queue.shuffles) {
        std::swap(queue.items[queue.words.next() % queue.items.size()], queue.items.back());
        Tuple item = std::move(queue.items.back());
        queue.items.pop_back();
        return item;
    }
    Tuple item = std::move(queue.items.front());
    queue.items.pop_front();
    return item;
}

Status checkEnough(const KernelContext& context, const Queue& queue, std::int64_t wanted)
{
    const auto size = std::int64_t(queue.items.size());
    const std::int64_t kept = queue.shuffles && !queue.isClosed ? queue.minAfterDequeue : 0;
    if (size >= wanted && size - wanted >= kept)
        return Done{};
    return context.error("the queue " + queue.name + (queue.isClosed ? " is closed and" : "") +
                         " has " + std::to_string(size) + " elements, but " +
                         std::to_string(wanted) + (kept > 0 ? " more than its minimum" : "") +
                         " are wanted");
}

Status runDequeue(KernelContext& context)
{
    const auto queue = queueInput(context);
    RETURN_IF_ERROR(queue);
    RETURN_IF_ERROR(checkEnough(context, **queue, 1));
    Tuple item = take(**queue);
    if (item.size() != context.outputCount())
        return context.error("the queue has " + std::to_string(item.size()) + " components");
    for (std::size_t i = 0; i < item.size(); ++i)
        RETURN_IF_ERROR(context.setOutput(i, std::move(item[i])));
    return Done{};
}

// Copies `from` into row `row` of `out`, padded with zeros (it is never larger).
void putPadded(Value& out, std::size_t row, const Value& from)
{
    const std::size_t rank = from.dims().size();
    const auto rowElements = std::size_t(out.elements() / out.dim(0));
    const std::size_t last = rank == 0 ? 1 : std::size_t(from.dims()[rank - 1]);
    const std::size_t runs = last == 0 ? 0 : std::size_t(from.elements()) / last;
    const std::size_t size = dtypeSize(from.dtype());
    for (std::size_t run = 0; run < runs; ++run) {
        std::size_t rest = run;
        std::size_t stride = rank == 0 ? 1 : std::size_t(out.dims()[rank]);
        std::size_t at = 0;
        for (std::size_t axis = rank; axis-- > 1;) {
            const auto own = std::size_t(from.dims()[axis - 1]);
            at += rest % own * stride;
            rest /= own;
            stride *= std::size_t(out.dims()[axis]);
        }
        at += row * rowElements;
        if (from.dtype() == DType::String)
            std::copy_n(from.strings().begin() + std::ptrdiff_t(run * last), last,
                        out.mutableStrings().begin() + std::ptrdiff_t(at));
        else
            std::memcpy(out.mutableAs<char>().data() + at * size,
                        from.bytes().data() + run * last * size, last * size);
    }
}

// Sets output `i` to one component of several items, stacked; a padding queue pads to the largest.
Status giveStacked(KernelContext& context, const Queue& queue, std::size_t i,
                   const std::vector<Tuple>& items)
{
    Dims dims;
    if (!items.empty())
        dims = items.front()[i].dims();
    else if (i < queue.shapes.size() && isFullyDefined(queue.shapes[i]))
        dims = queue.shapes[i].dims;
    for (const Tuple& item : items) {
        const Dims& own = item[i].dims();
        if (own.size() != dims.size() || (own != dims && !queue.pads))
            return context.error("its elements have different shapes: " + dimsText(dims) + " and " +
                                 dimsText(own));
        for (std::size_t k = 0; k < dims.size(); ++k)
            dims[k] = std::max(dims[k], own[k]);
    }
    dims.insert(dims.begin(), std::int64_t(items.size()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(i, queue.types[i], std::move(dims)));
    if (const std::size_t bytes = made.byteCount(); bytes > 0)
        std::memset(made.mutableAs<char>().data(), 0, bytes);
    for (std::size_t row = 0; row < items.size(); ++row)
        putPadded(made, row, items[row][i]);
    return Done{};
}

template <bool orFewer>
Status runDequeueMany(KernelContext& context)
{
    const auto queue = queueInput(context);
    RETURN_IF_ERROR(queue);
    const auto wanted = scalarIndex(context, 1, "n");
    if (!wanted || wanted.value() < 0)
        return wanted ? Status(context.error("n must not be negative")) : Status(wanted.error());
    Queue& from = **queue;
    std::int64_t count = wanted.value();
    if (orFewer && from.isClosed && !from.items.empty())
        count = std::min(count, std::int64_t(from.items.size()));
    RETURN_IF_ERROR(checkEnough(context, from, count));
    if (context.outputCount() != from.types.size())
        return context.error("the queue has " + std::to_string(from.types.size()) + " components");
    std::vector<Tuple> items;
    while (std::int64_t(items.size()) < count)
        items.push_back(take(from));
    for (std::size_t i = 0; i < from.types.size(); ++i)
        RETURN_IF_ERROR(giveStacked(context, from, i, items));
    return Done{};
}

Status runSize(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto queue, queueInput(context));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Int32, {}));
    made.mutableAs<std::int32_t>()[0] = std::int32_t(queue->items.size());
    return Done{};
}

Status runIsClosed(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto queue, queueInput(context));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Bool, {}));
    made.mutableAs<bool>()[0] = queue->isClosed;
    return Done{};
}

Status runClose(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto queue, queueInput(context));
    queue->isClosed = true;
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(FIFOQueue, runMake);
LAPIDARY_KERNEL(FIFOQueueV2, runMake);
LAPIDARY_KERNEL(RandomShuffleQueue, runMake);
LAPIDARY_KERNEL(RandomShuffleQueueV2, runMake);
LAPIDARY_KERNEL(PaddingFIFOQueue, runMake);
LAPIDARY_KERNEL(PaddingFIFOQueueV2, runMake);
LAPIDARY_KERNEL(QueueEnqueue, runEnqueue);
LAPIDARY_KERNEL(QueueEnqueueV2, runEnqueue);
LAPIDARY_KERNEL(QueueEnqueueMany, runEnqueueMany);
LAPIDARY_KERNEL(QueueEnqueueManyV2, runEnqueueMany);
LAPIDARY_KERNEL(QueueDequeue, runDequeue);
LAPIDARY_KERNEL(QueueDequeueV2, runDequeue);
LAPIDARY_KERNEL(QueueDequeueMany, runDequeueMany<false>);
LAPIDARY_KERNEL(QueueDequeueManyV2, runDequeueMany<false>);
LAPIDARY_KERNEL(QueueDequeueUpTo, runDequeueMany<true>);
LAPIDARY_KERNEL(QueueDequeueUpToV2, runDequeueMany<true>);
LAPIDARY_KERNEL(QueueSize, runSize);
LAPIDARY_KERNEL(QueueSizeV2, runSize);
LAPIDARY_KERNEL(QueueIsClosed, runIsClosed);
LAPIDARY_KERNEL(QueueIsClosedV2, runIsClosed);
LAPIDARY_KERNEL(QueueClose, runClose);
LAPIDARY_KERNEL(QueueCloseV2, runClose);

} // namespace lapidary
