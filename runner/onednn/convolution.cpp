#include "runner/onednn/convolution.h"

#include "runner/onednn/few_threads.h"
#include "runner/onednn/guard.h"
#include "runner/onednn/post_ops.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace lapidary::onednn {
namespace {

using dnnl::memory;
constexpr auto f32 = memory::data_type::f32;

memory::desc activations(const std::array<std::int64_t, 4>& nhwc)
{
    return {{nhwc[0], nhwc[3], nhwc[1], nhwc[2]}, f32, memory::format_tag::nhwc};
}

// [h, w, c, k] as oneDNN's o, i, h, w; depthwise: groups in front.
memory::desc plainFilter(const ConvShape& shape)
{
    const auto [height, width] = shape.kernel;
    const std::int64_t in = shape.input[3];
    const std::int64_t out = shape.output[3];
    if (shape.kind == ConvKind::Depthwise)
        return {{in, out / in, 1, height, width}, f32, {out / in, 1, 1, width * out, out}};
    return {{out, in, height, width}, f32, {1, out, width * in * out, in * out}};
}

memory::desc anyFilter(const ConvShape& shape)
{
    return {plainFilter(shape).dims(), f32, memory::format_tag::any};
}

double operationsOf(const ConvShape& shape)
{
    double count = shape.kind == ConvKind::Depthwise ? 2 : 2.0 * double(shape.input[3]);
    for (const std::int64_t size : shape.output)
        count *= double(size);
    return count * double(shape.kernel[0]) * double(shape.kernel[1]);
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
    const memory::desc source = activations(shape.input);
    const memory::desc target = activations(shape.output);
    const memory::desc bias = epilogue.bias
                                  ? memory::desc({shape.output[3]}, f32, memory::format_tag::x)
                                  : memory::desc();
    const dnnl::convolution_forward::desc desc(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, source,
        anyFilter(shape), bias, target, strides, dilates, before, padAfter(shape));
    return {desc, attributesOf(epilogue), engine()};
}

dnnl::convolution_backward_data::primitive_desc backward(const ConvShape& shape)
{
    const memory::dims strides(shape.stride.begin(), shape.stride.end());
    const memory::dims dilates{shape.dilation[0] - 1, shape.dilation[1] - 1};
    const memory::dims before(shape.padBefore.begin(), shape.padBefore.end());
    const dnnl::convolution_backward_data::desc desc(
        dnnl::algorithm::convolution_direct, activations(shape.input), anyFilter(shape),
        activations(shape.output), strides, dilates, before, padAfter(shape));
    return {desc, engine(), forward(shape, {})};
}

} // namespace

struct Convolution::Impl {
    ConvShape shape;
    Epilogue epilogue;
    memory::desc filterDesc;
    std::shared_ptr<void> storage; // of the filter
    memory filter;
    memory bias;
    memory source;
    memory target;
    dnnl::primitive primitive;
    dnnl::stream stream;
    std::unordered_map<int, memory> arguments;
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
    impl->epilogue = epilogue;
    const FewThreads few(operationsOf(shape));
    const Status made = guarded([&] {
        if (shape.kind == ConvKind::Transposed) {
            const auto desc = backward(shape);
            impl->filterDesc = desc.weights_desc();
            impl->primitive = dnnl::convolution_backward_data(desc);
        } else {
            const auto desc = forward(shape, epilogue);
            impl->filterDesc = desc.weights_desc();
            impl->primitive = dnnl::convolution_forward(desc);
        }
        const bool back = shape.kind == ConvKind::Transposed;
        impl->source = memory(activations(back ? shape.output : shape.input), engine(), nullptr);
        impl->target = memory(activations(back ? shape.input : shape.output), engine(), nullptr);
        impl->stream = dnnl::stream(engine());
    });
    if (!made)
        return made.error();
    return Convolution(std::move(impl));
}

std::size_t Convolution::packedBytes() const
{
    return m_impl->filterDesc.get_size();
}

Status Convolution::pack(const float* filter, const float* bias, std::shared_ptr<void> storage)
{
    Impl& d = *m_impl;
    return guarded([&] {
        memory plain(plainFilter(d.shape), engine(), const_cast<float*>(filter));
        d.filter = memory(d.filterDesc, engine(), storage.get());
        d.storage = std::move(storage);
        dnnl::reorder(plain, d.filter).execute(d.stream, plain, d.filter);
        if (d.epilogue.bias) {
            d.bias = memory({{d.shape.output[3]}, f32, memory::format_tag::x}, engine());
            std::memcpy(d.bias.get_data_handle(), bias,
                        std::size_t(d.shape.output[3]) * sizeof(float));
        }
        d.arguments.clear();
    });
}

bool Convolution::sharePacked(const Convolution& other)
{
    const Impl& from = *other.m_impl;
    if (from.filterDesc != m_impl->filterDesc || from.epilogue.bias != m_impl->epilogue.bias)
        return false;
    m_impl->filter = from.filter;
    m_impl->storage = from.storage;
    m_impl->bias = from.bias;
    m_impl->arguments.clear();
    return true;
}

Status Convolution::run(const float* input, float* output)
{
    Impl& d = *m_impl;
    const FewThreads few(operationsOf(d.shape));
    return guarded([&] {
        d.source.set_data_handle(const_cast<float*>(input));
        d.target.set_data_handle(output);
        if (d.arguments.empty()) {
            const bool back = d.shape.kind == ConvKind::Transposed;
            d.arguments = {{back ? DNNL_ARG_DIFF_DST : DNNL_ARG_SRC, d.source},
                           {DNNL_ARG_WEIGHTS, d.filter},
                           {back ? DNNL_ARG_DIFF_SRC : DNNL_ARG_DST, d.target}};
            if (d.epilogue.bias)
                d.arguments.emplace(DNNL_ARG_BIAS, d.bias);
        }
        d.primitive.execute(d.stream, d.arguments);
    });
}

} // namespace lapidary::onednn
