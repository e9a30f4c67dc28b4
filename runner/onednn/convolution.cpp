// SPDX-License-Identifier: Apache-2.0
#include "runner/onednn/convolution.h"

#include "runner/onednn/few_threads.h"
#include "runner/onednn/packed_primitive.h"
#include "runner/onednn/post_ops.h"
#include "runner/onednn/primitive_desc.h"

#include <algorithm>
#include <utility>

namespace lapidary::onednn {
namespace {

using dnnl::memory;
constexpr auto f32 = memory::data_type::f32;

memory::desc activations(const std::array<std::int64_t, 4>& nhwc)
{
    return {{nhwc[0], nhwc[3], nhwc[1], nhwc[2]}, f32, memory::format_tag::nhwc};
}

// Returns the sizes of a filter [h, w, c, k] in oneDNN's order: o, i, h, w; for depthwise ones with
// groups first.
memory::dims filterSizes(const ConvShape& shape)
{
    const auto [height, width] = shape.kernel;
    const std::int64_t in = shape.input[3];
    const std::int64_t out = shape.output[3];
    if (shape.kind == ConvKind::Depthwise)
        return {in, out / in, 1, height, width};
    return {out, in, height, width};
}

memory::desc plainFilter(const ConvShape& shape)
{
    const std::int64_t width = shape.kernel[1];
    const std::int64_t in = shape.input[3];
    const std::int64_t out = shape.output[3];
    const memory::dims strides = shape.kind == ConvKind::Depthwise
                                     ? memory::dims{out / in, 1, 1, width * out, out}
                                     : memory::dims{1, out, width * in * out, in * out};
    return {filterSizes(shape), f32, strides};
}

// Describes the filter with a layout that oneDNN chooses.
memory::desc anyFilter(const ConvShape& shape)
{
    return {filterSizes(shape), f32, memory::format_tag::any};
}

double sizeOf(const std::array<std::int64_t, 4>& sizes)
{
    double count = 1;
    for (const std::int64_t size : sizes)
        count *= double(size);
    return count;
}

double costOf(const ConvShape& shape)
{
    const double each = double(shape.kernel[0]) * double(shape.kernel[1]) *
                        (shape.kind == ConvKind::Depthwise ? 1.0 : double(shape.input[3]));
    const double filter = each * double(shape.output[3]);
    return onednn::costOf(2 * each * sizeOf(shape.output),
                          sizeOf(shape.input) + sizeOf(shape.output) + filter);
}

memory::dims padAfter(const ConvShape& shape)
{
    memory::dims pads;
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t reach = (shape.output[i + 1] - 1) * shape.stride[i] +
                                   (shape.kernel[i] - 1) * shape.dilation[i] + 1;
        pads.push_back(std::max<std::int64_t>(0, reach - shape.input[i + 1] - shape.padBefore[i]));
    }
    return pads;
}

dnnl::convolution_forward::primitive_desc forward(const ConvShape& shape, const Epilogue& epilogue)
{
    const memory::dims strides(shape.stride.begin(), shape.stride.end());
    const memory::dims dilates{shape.dilation[0] - 1, shape.dilation[1] - 1};
    const memory::dims before(shape.padBefore.begin(), shape.padBefore.end());
    return describe<dnnl::convolution_forward>(
        attributesOf(epilogue), dnnl::prop_kind::forward_inference,
        dnnl::algorithm::convolution_direct, activations(shape.input), anyFilter(shape),
        biasDesc(epilogue.bias, shape.output[3]), activations(shape.output), strides, dilates,
        before, padAfter(shape));
}

dnnl::convolution_backward_data::primitive_desc backward(const ConvShape& shape)
{
    const memory::dims strides(shape.stride.begin(), shape.stride.end());
    const memory::dims dilates{shape.dilation[0] - 1, shape.dilation[1] - 1};
    const memory::dims before(shape.padBefore.begin(), shape.padBefore.end());
    return describeBackward<dnnl::convolution_backward_data>(
        forward(shape, {}), dnnl::algorithm::convolution_direct, activations(shape.input),
        anyFilter(shape), activations(shape.output), strides, dilates, before, padAfter(shape));
}

} // namespace

struct Convolution::Impl {
    ConvShape shape;
    PackedPrimitive held;
};

Convolution::Convolution(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

Convolution::~Convolution() = default;
Convolution::Convolution(Convolution&&) noexcept = default;
Convolution& Convolution::operator=(Convolution&&) noexcept = default;

Result<Convolution> Convolution::make(const ConvShape& shape, const Epilogue& epilogue)
{
    auto impl = std::make_unique<Impl>();
    impl->shape = shape;
    PackedPrimitive& held = impl->held;
    held.hasBias = epilogue.bias;
    held.channels = shape.output[3];
    const FewThreads few(costOf(shape));
    const Status made = guarded([&] {
        const bool back = shape.kind == ConvKind::Transposed;
        if (back) {
            const auto desc = backward(shape);
            held.packed = desc.weights_desc();
            held.primitive = dnnl::convolution_backward_data(desc);
            held.sourceArgument = DNNL_ARG_DIFF_DST;
            held.targetArgument = DNNL_ARG_DIFF_SRC;
        } else {
            const auto desc = forward(shape, epilogue);
            held.packed = desc.weights_desc();
            held.primitive = dnnl::convolution_forward(desc);
        }
        held.source = memory(activations(back ? shape.output : shape.input), engine(), nullptr);
        held.target = memory(activations(back ? shape.input : shape.output), engine(), nullptr);
        held.stream = dnnl::stream(engine());
    });
    RETURN_IF_ERROR(made);
    return Convolution(std::move(impl));
}

std::size_t Convolution::packedBytes() const
{
    return m_impl->held.packedBytes();
}

Status Convolution::pack(const float* filter, const float* bias, std::shared_ptr<void> storage)
{
    return m_impl->held.pack(plainFilter(m_impl->shape), filter, bias, std::move(storage));
}

bool Convolution::sharePacked(const Convolution& other)
{
    return m_impl->held.sharePacked(other.m_impl->held);
}

Status Convolution::run(const float* input, float* output)
{
    const FewThreads few(costOf(m_impl->shape));
    return m_impl->held.run(input, output);
}

} // namespace lapidary::onednn
