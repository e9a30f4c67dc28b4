// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to this folder: descriptions of primitives for oneDNN 2 and 3, whose interfaces differ.
#include "runner/onednn/guard.h"

#include <dnnl.hpp>

namespace lapidary::onednn {

// Describes a forward primitive; the arguments are those of the primitive in oneDNN's manual, from
// the kind of propagation on. Version 2 wants them wrapped in a description of their own. Throws
// dnnl::error: see guarded().
template <class Primitive, class... Arguments>
typename Primitive::primitive_desc describe(const dnnl::primitive_attr& attributes,
                                            const Arguments&... arguments)
{
#if DNNL_VERSION_MAJOR >= 3
    return {engine(), arguments..., attributes};
#else
    return {typename Primitive::desc(arguments...), attributes, engine()};
#endif
}

// Describes the backward primitive that belongs to `forward`, without attributes.
template <class Primitive, class Forward, class... Arguments>
typename Primitive::primitive_desc describeBackward(const Forward& forward,
                                                    const Arguments&... arguments)
{
#if DNNL_VERSION_MAJOR >= 3
    return {engine(), arguments..., forward};
#else
    return {typename Primitive::desc(arguments...), engine(), forward};
#endif
}

// Appends an activation without scale; only version 2 knows one for a single operation.
inline void appendActivation(dnnl::post_ops& ops, dnnl::algorithm activation, float alpha,
                             float beta)
{
#if DNNL_VERSION_MAJOR >= 3
    ops.append_eltwise(activation, alpha, beta);
#else
    ops.append_eltwise(1.0F, activation, alpha, beta);
#endif
}

} // namespace lapidary::onednn
