// Const: the tensor of attribute `value`, decoded once a session.
#include "runner/kernels/basic/kernels.h"

namespace lapidary {
namespace {

struct Decoded {
    Value value;
};

Status run(KernelContext& context)
{
    auto& decoded = context.state<Decoded>();
    if (!decoded.value.isSet()) {
        const auto tensor = context.node().tensor();
        if (!tensor)
            return tensor.error();
        if (tensor.value().dtype() != context.typeAttr("dtype"))
            return context.error("its value is " + dtypeName(tensor.value().dtype()) +
                                 " but its dtype is " + dtypeName(context.typeAttr("dtype")));
        auto value =
            Value::ofTensor(tensor.value(), context.node().owner(), context.session().pool);
        if (!value)
            return context.error(value.error().message);
        decoded.value = std::move(value).value();
    }
    return context.setOutput(0, decoded.value);
}

} // namespace

const Kernel kernels::constant{.op = "Const", .run = run};

} // namespace lapidary
