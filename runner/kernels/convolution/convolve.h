#pragma once

#include "runner/kernels/convolution/window.h"
#include "runner/onednn/convolution.h"

#include <functional>
#include <list>
#include <vector>

namespace lapidary {

// A convolution's sizes in NHWC, with its two axes placed.
struct Conv2dGeometry {
    std::int64_t batch = 0;
    std::int64_t inChannels = 0;
    std::int64_t outChannels = 0;
    WindowAxis rows;
    WindowAxis columns;
    onednn::ConvKind kind = onednn::ConvKind::Dense;

    onednn::ConvShape shape() const;
};

struct FilterAndBias {
    Value filter; // float
    std::vector<float> bias;
};
using MakeFilter = std::function<Result<FilterAndBias>()>;

// What a node keeps between runs: primitives by shape, with the filter packed. A filter is packed
// once for as long as what it is made of stays where it is: that is held here, so that nobody
// writes into it.
class PackedConvolutions {
public:
    // `make` is asked for the filter, made of `sources`, when it must be packed. `output` already
    // holds what the epilogue adds to, if it does. No size is zero.
    Status run(const onednn::ConvShape& shape, const onednn::Epilogue& epilogue, const float* input,
               std::vector<Value> sources, const MakeFilter& make, float* output);

private:
    struct Entry {
        onednn::ConvShape shape;
        onednn::Epilogue epilogue;
        onednn::Convolution convolution;
        bool isPacked = false;
    };
    void forgetChanged(std::vector<Value> sources);
    Status find(const onednn::ConvShape& shape, const onednn::Epilogue& epilogue);
    Status pack(const MakeFilter& make);

    std::list<Entry> m_entries; // the most recently used first
    std::vector<Value> m_sources;
};

// Computes one convolution of input 0 with `filter` into a new value: float by the library, half
// through float, double plainly. `input` and `filter` have the geometry's sizes.
Result<Value> convolve(KernelContext& context, const Conv2dGeometry& geometry, const Value& input,
                       const Value& filter, PackedConvolutions& packed);

// float copies of half or bfloat16 data and back.
Result<Value> widened(KernelContext& context, const Value& narrow);
Result<Value> narrowed(KernelContext& context, const Value& wide, DType dtype);

} // namespace lapidary
