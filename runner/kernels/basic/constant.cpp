// SPDX-License-Identifier: Apache-2.0
// Const, HostConst, and ImmutableConst, whose value the reader of the file has added: the tensor of
// the attribute `value`, decoded once per session.
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

struct Decoded {
    Value value;
};

Status runConst(KernelContext& context)
{
    auto& decoded = context.state<Decoded>();
    if (!decoded.value.isSet()) {
        ASSIGN_OR_RETURN(const auto tensor, context.node().tensor());
        if (tensor.dtype() != context.typeAttr("dtype"))
            return context.error("its value is " + dtypeName(tensor.dtype()) +
                                 " but its dtype is " + dtypeName(context.typeAttr("dtype")));
        auto value = Value::ofTensor(tensor, context.node().owner(), context.session().pool);
        if (!value)
            return context.error(value.error().message);
        decoded.value = *std::move(value);
    }
    return context.setOutput(0, decoded.value);
}

Status runMappedConst(KernelContext& context)
{
    return context.node().hasAttr("value")
               ? runConst(context)
               : context.error("its value lies in a region of a memory-mapped package that is not "
                               "there; open the package itself");
}

} // namespace

LAPIDARY_KERNEL(Const, runConst);
LAPIDARY_KERNEL(HostConst, runConst);
LAPIDARY_KERNEL(ImmutableConst, runMappedConst);

} // namespace lapidary
