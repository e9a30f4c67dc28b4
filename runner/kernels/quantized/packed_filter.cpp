// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/quantized/packed_filter.h"

#include "runner/int8/channel_end.h"
#include "runner/kernels/quantized/chosen_back_end.h"
#include "runner/kernels/scratch.h"
#include "runner/kernels/weight_store.h"
#include "runner/threads/parallel_for.h"
#include "runner/threads/team_size.h"

namespace lapidary {

void PackedFilter::prepare(const int8::BackEnd& backEnd, const int8::Convolution& shape,
                           const Value& source)
{
    const bool sameFilter = m_source.isSet() && m_source.bytes().data() == source.bytes().data() &&
                            m_source.dims() == source.dims();
    if (!sameFilter) {
        m_source = source;
        m_packed = nullptr;
    }
    if (m_prepared && m_backEnd == &backEnd && m_shape == shape)
        return;
    auto prepared = backEnd.prepare(shape);
    if (m_prepared && !prepared->sharesPacked(*m_prepared))
        m_packed = nullptr;
    m_prepared = std::move(prepared);
    m_backEnd = &backEnd;
    m_shape = shape;
}

Status PackedFilter::pack(KernelContext& context, const Filter& filter)
{
    const std::size_t bytes = m_prepared->packedBytes();
    if (m_packed || bytes == 0)
        return Done{};
    ASSIGN_OR_RETURN(const auto codes, filter.codes());
    SessionState& session = context.session();
    ASSIGN_OR_RETURN(auto storage, WeightStore::of(session)->allocate(bytes, session.pool));
    m_packed = std::move(storage);
    m_prepared->pack(codes, static_cast<std::byte*>(m_packed.get()));
    return Done{};
}

Status PackedFilter::run(KernelContext& context, const int8::Convolution& shape,
                         const Filter& filter, int8::Task task)
{
    const auto backEnd = chosenBackEnd(context.session());
    if (!backEnd)
        return context.error(backEnd.error().message);
    prepare(**backEnd, shape, filter.source);
    const bool takes = m_prepared->takes(task.zeros);
    RETURN_IF_ERROR(takes ? pack(context, filter) : Status(Done{}));
    const std::size_t workBytes = takes ? m_prepared->workBytes(parallelThreads()) : 0;
    ASSIGN_OR_RETURN(auto work,
                     Scratch<std::byte>::make(context.session().pool, std::int64_t(workBytes)));
    task.packed = static_cast<const std::byte*>(m_packed.get());
    task.work = work.all().data();
    task.job = &context.job();
    if (!takes || m_prepared->packedBytes() == 0) {
        ASSIGN_OR_RETURN(const auto codes, filter.codes());
        task.filter = codes;
    }
    const Status status =
        takes ? m_prepared->run(task) : int8::plainBackEnd().prepare(shape)->run(task);
    if (!status)
        return context.error(status.error().message);
    if (task.ending != nullptr && !(takes && m_prepared->endsSums()))
        parallelFor(shape.outPixels(), shape.filters / 4 + 1,
                    [&](std::int64_t begin, std::int64_t end) {
                        // A float has the size of the sum that it replaces.
                        task.ending->run(reinterpret_cast<float*>(task.out) + begin * shape.filters,
                                         end - begin, begin);
                    });
    return Done{};
}

} // namespace lapidary
