// SPDX-License-Identifier: Apache-2.0
// Ops whose outputs are their inputs: the same bytes.
#include "runner/kernels/basic/identity.h"

#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// IdentityN: output i = input i.
Status runIdentityN(KernelContext& context)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        RETURN_IF_ERROR(context.setOutput(i, context.input(i)));
    return Done{};
}

} // namespace

// Identity: y = x, the same bytes.
Value passedInput(KernelContext& context, std::size_t i)
{
    Value own = context.takeInput(i);
    return own.isSet() ? own : context.input(i);
}

Status passThrough(KernelContext& context)
{
    return context.setOutput(0, passedInput(context, 0));
}

LAPIDARY_KERNEL(Identity, passThrough);
LAPIDARY_KERNEL(IdentityN, runIdentityN);
// PlaceholderWithDefault: y = x unless it is fed.
LAPIDARY_KERNEL(PlaceholderWithDefault, passThrough);
// PreventGradient: y = x; matters to gradients only.
LAPIDARY_KERNEL(PreventGradient, passThrough);
// Snapshot: y = x.
LAPIDARY_KERNEL(Snapshot, passThrough);
// StopGradient: y = x; matters to gradients only.
LAPIDARY_KERNEL(StopGradient, passThrough);
// Copy, CopyHost, DeepCopy: y = x. Values are never written to while they are shared, so nothing
// needs to be copied.
LAPIDARY_KERNEL(Copy, passThrough);
LAPIDARY_KERNEL(CopyHost, passThrough);
LAPIDARY_KERNEL(DeepCopy, passThrough);
// DebugGradientIdentity, DebugGradientRefIdentity: y = x; matter to gradients only.
LAPIDARY_KERNEL(DebugGradientIdentity, passThrough);
LAPIDARY_KERNEL(DebugGradientRefIdentity, passThrough);
// GuaranteeConst: y = x.
LAPIDARY_KERNEL(GuaranteeConst, passThrough);

} // namespace lapidary
