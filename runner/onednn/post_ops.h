// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to this folder: the operations on sums before they are stored, as oneDNN's attributes.
#include "runner/onednn/epilogue.h"
#include "runner/onednn/primitive_desc.h"

#include <dnnl.hpp>

namespace lapidary::onednn {

inline dnnl::primitive_attr attributesOf(const Epilogue& epilogue)
{
    dnnl::post_ops ops;
    if (epilogue.addToOutput)
        ops.append_sum(1.0F);
    if (epilogue.activation == Activation::Relu)
        appendActivation(ops, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
    if (epilogue.activation == Activation::Relu6)
        appendActivation(ops, dnnl::algorithm::eltwise_clip, 0.0F, 6.0F);
    dnnl::primitive_attr attr;
    attr.set_post_ops(ops);
    return attr;
}

} // namespace lapidary::onednn
