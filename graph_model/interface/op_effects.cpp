// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/op_effects.h"

#include "graph_model/ops/op_traits.h"

namespace lapidary {
namespace {

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool isAssigningOp(std::string_view op)
{
    return op.starts_with("Assign") || op == "CountUpTo" || op.starts_with("InitializeTable") ||
           op.starts_with("LookupTableImport") || op == "DestroyResourceOp";
}

bool isScatterUpdate(std::string_view op)
{
    return op.starts_with("ResourceScatter") || op.starts_with("ScatterUpdate") ||
           op.starts_with("ScatterAdd") || op.starts_with("ScatterSub");
}

// Returns whether the op makes, fills, queries or closes a queue or the like. Ops that take data
// out of it are sources.
bool isQueueOp(std::string_view op)
{
    return contains(op, "Enqueue") || op.ends_with("Queue") || op.ends_with("QueueV2") ||
           op.starts_with("QueueClose") || op.starts_with("QueueSize") ||
           op.starts_with("QueueIsClosed") || op == "MakeIterator" || op == "Iterator" ||
           op == "IteratorV2" || op == "OneShotIterator" || op == "AnonymousIterator" ||
           op == "AnonymousIteratorV2" || op.ends_with("Dataset") || op.ends_with("DatasetV2") ||
           op.ends_with("DatasetV3") || op.ends_with("Reader") || op.ends_with("ReaderV2") ||
           op.starts_with("IteratorToStringHandle") || op.starts_with("IteratorFromStringHandle") ||
           op == "ReaderNumRecordsProduced" || op == "ReaderNumRecordsProducedV2" ||
           op == "DeleteIterator";
}

} // namespace

OpEffect opEffect(std::string_view op)
{
    if (isSavingOp(op))
        return OpEffect::Save;
    if (contains(op, "Summary"))
        return OpEffect::Summarize;
    if (isAssigningOp(op))
        return OpEffect::Assign;
    if (contains(op, "Apply") || contains(op, "Accumulator"))
        return OpEffect::Train;
    if (isScatterUpdate(op))
        return OpEffect::Scatter;
    if (isQueueOp(op))
        return OpEffect::Queue;
    if (op == "Assert" || op == "Abort" || op == "Print" || op == "PrintV2")
        return OpEffect::Check;
    return OpEffect::None;
}

bool isRunForEffect(std::string_view op)
{
    switch (opEffect(op)) {
    case OpEffect::None: return op == "NoOp" || op == "ControlTrigger" || op == "WriteFile";
    case OpEffect::Summarize: return false;
    case OpEffect::Queue:
        return contains(op, "Enqueue") || op.starts_with("QueueClose") ||
               op.starts_with("QueueSize") || op == "MakeIterator";
    default: return true;
    }
}

bool isGradientOp(std::string_view op)
{
    return op.ends_with("Grad") || op.ends_with("GradV2") || op.ends_with("GradGrad") ||
           op.ends_with("Grads") || contains(op, "BackpropFilter") || op == "SymbolicGradient" ||
           op == "BroadcastGradientArgs";
}

bool isSummaryOp(std::string_view op)
{
    return contains(op, "Summary");
}

} // namespace lapidary
