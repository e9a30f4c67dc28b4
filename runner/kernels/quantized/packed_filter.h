// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/back_end.h"
#include "runner/kernels/kernel.h"

#include <functional>
#include <memory>

namespace lapidary {

// The state that a node that convolves codes keeps from run to run: the convolution that the
// session's back end prepared, with the filter, which is packed again only if its address changes.
class PackedFilter {
public:
    struct Filter {
        const Value& source; // the filter before packing; held, so that nothing writes into it
        // Returns its codes as [depth, filters]; called only if they are needed.
        std::function<Result<const std::uint8_t*>()> codes;
    };

    // No size of the shape may be 0. The caller sets the task's zeros, input, output and, if
    // wanted, ranges and ending; this function sets the rest. With an ending, the output gets
    // floats.
    Status run(KernelContext& context, const int8::Convolution& shape, const Filter& filter,
               int8::Task task);

private:
    void prepare(const int8::BackEnd& backEnd, const int8::Convolution& shape, const Value& source);
    Status pack(KernelContext& context, const Filter& filter);

    const int8::BackEnd* m_backEnd = nullptr;
    int8::Convolution m_shape;
    std::unique_ptr<int8::Prepared> m_prepared;
    Value m_source;
    std::shared_ptr<void> m_packed;
};

} // namespace lapidary
