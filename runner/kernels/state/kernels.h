#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// state.cpp lists them.
extern const Kernel assign;
extern const Kernel assignAdd;
extern const Kernel assignAddVariableOp;
extern const Kernel assignSub;
extern const Kernel assignSubVariableOp;
extern const Kernel assignVariableOp;
extern const Kernel countUpTo;
extern const Kernel destroyResourceOp;
extern const Kernel destroyTemporaryVariable;
extern const Kernel isVariableInitialized;
extern const Kernel readVariableOp;
extern const Kernel refIdentity;
extern const Kernel refSelect;
extern const Kernel resourceCountUpTo;
extern const Kernel resourceGather;
extern const Kernel resourceScatterAdd;
extern const Kernel resourceScatterDiv;
extern const Kernel resourceScatterMax;
extern const Kernel resourceScatterMin;
extern const Kernel resourceScatterMul;
extern const Kernel resourceScatterSub;
extern const Kernel resourceScatterUpdate;
extern const Kernel scatterAdd;
extern const Kernel scatterDiv;
extern const Kernel scatterMax;
extern const Kernel scatterMin;
extern const Kernel scatterMul;
extern const Kernel scatterSub;
extern const Kernel scatterUpdate;
extern const Kernel temporaryVariable;
extern const Kernel varHandleOp;
extern const Kernel varIsInitializedOp;
extern const Kernel variable;
extern const Kernel variableShape;
extern const Kernel variableV2;

} // namespace lapidary::kernels
