#include "runner/kernels/rooms.h"
#include "runner/kernels/state/kernels.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> stateKernels()
{
    static constexpr std::array list{&kernels::assign,
                                     &kernels::assignAdd,
                                     &kernels::assignAddVariableOp,
                                     &kernels::assignSub,
                                     &kernels::assignSubVariableOp,
                                     &kernels::assignVariableOp,
                                     &kernels::countUpTo,
                                     &kernels::destroyResourceOp,
                                     &kernels::destroyTemporaryVariable,
                                     &kernels::isVariableInitialized,
                                     &kernels::readVariableOp,
                                     &kernels::refIdentity,
                                     &kernels::refSelect,
                                     &kernels::resourceCountUpTo,
                                     &kernels::resourceGather,
                                     &kernels::resourceScatterAdd,
                                     &kernels::resourceScatterDiv,
                                     &kernels::resourceScatterMax,
                                     &kernels::resourceScatterMin,
                                     &kernels::resourceScatterMul,
                                     &kernels::resourceScatterSub,
                                     &kernels::resourceScatterUpdate,
                                     &kernels::scatterAdd,
                                     &kernels::scatterDiv,
                                     &kernels::scatterMax,
                                     &kernels::scatterMin,
                                     &kernels::scatterMul,
                                     &kernels::scatterSub,
                                     &kernels::scatterUpdate,
                                     &kernels::temporaryVariable,
                                     &kernels::varHandleOp,
                                     &kernels::varIsInitializedOp,
                                     &kernels::variable,
                                     &kernels::variableShape,
                                     &kernels::variableV2};
    return list;
}

} // namespace lapidary
