#include "runner/onednn/product.h"

#include "runner/onednn/few_threads.h"
#include "runner/onednn/guard.h"
#include "runner/onednn/post_ops.h"

#include <cstring>
#include <unordered_map>
#include <utility>

namespace lapidary::onednn {
namespace {

using dnnl::memory;
constexpr auto f32 = memory::data_type::f32;

// As oneDNN's weights of an inner product: output channels, input channels.
memory::desc plainMatrix(const ProductShape& shape)
{
    const memory::dims strides =
        shape.transposed ? memory::dims{shape.depth, 1} : memory::dims{1, shape.columns};
    return {{shape.columns, shape.depth}, f32, strides};
}

double operationsOf(const ProductShape& shape)
{
    return 2.0 * double(shape.rows) * double(shape.depth) * double(shape.columns);
}

memory::desc rowsOf(std::int64_t rows, std::int64_t columns)
{
    return {{rows, columns}, f32, memory::format_tag::nc};
}

} // namespace

struct Product::Impl {
    ProductShape shape;
    Epilogue epilogue;
    memory::desc packed;
    std::shared_ptr<void> storage;
    memory matrix;
    memory bias;
    memory source;
    memory target;
    dnnl::primitive primitive;
    dnnl::stream stream;
    std::unordered_map<int, memory> arguments;
};

Product::Product(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

Product::~Product() = default;
Product::Product(Product&&) noexcept = default;
Product& Product::operator=(Product&&) noexcept = default;

Result<Product> Product::make(const ProductShape& shape, const Epilogue& epilogue)
{
    auto impl = std::make_unique<Impl>();
    impl->shape = shape;
    impl->epilogue = epilogue;
    const FewThreads few(operationsOf(shape));
    const Status made = guarded([&] {
        const memory::desc source = rowsOf(shape.rows, shape.depth);
        const memory::desc target = rowsOf(shape.rows, shape.columns);
        const memory::desc any({shape.columns, shape.depth}, f32, memory::format_tag::any);
        const memory::desc bias = epilogue.bias
                                      ? memory::desc({shape.columns}, f32, memory::format_tag::x)
                                      : memory::desc();
        const dnnl::inner_product_forward::desc desc(dnnl::prop_kind::forward_inference, source,
                                                     any, bias, target);
        const dnnl::inner_product_forward::primitive_desc choice(desc, attributesOf(epilogue),
                                                                 engine());
        impl->packed = choice.weights_desc();
        impl->primitive = dnnl::inner_product_forward(choice);
        impl->source = memory(source, engine(), nullptr);
        impl->target = memory(target, engine(), nullptr);
        impl->stream = dnnl::stream(engine());
    });
    if (!made)
        return made.error();
    return Product(std::move(impl));
}

std::size_t Product::packedBytes() const
{
    return m_impl->packed.get_size();
}

Status Product::pack(const float* b, const float* bias, std::shared_ptr<void> storage)
{
    Impl& d = *m_impl;
    return guarded([&] {
        memory plain(plainMatrix(d.shape), engine(), const_cast<float*>(b));
        d.matrix = memory(d.packed, engine(), storage.get());
        d.storage = std::move(storage);
        dnnl::reorder(plain, d.matrix).execute(d.stream, plain, d.matrix);
        if (d.epilogue.bias) {
            d.bias = memory({{d.shape.columns}, f32, memory::format_tag::x}, engine());
            std::memcpy(d.bias.get_data_handle(), bias,
                        std::size_t(d.shape.columns) * sizeof(float));
        }
        d.arguments.clear();
    });
}

bool Product::sharePacked(const Product& other)
{
    const Impl& from = *other.m_impl;
    if (from.packed != m_impl->packed || from.epilogue.bias != m_impl->epilogue.bias)
        return false;
    m_impl->matrix = from.matrix;
    m_impl->storage = from.storage;
    m_impl->bias = from.bias;
    m_impl->arguments.clear();
    return true;
}

Status Product::run(const float* a, float* c)
{
    Impl& d = *m_impl;
    const FewThreads few(operationsOf(d.shape));
    return guarded([&] {
        d.source.set_data_handle(const_cast<float*>(a));
        d.target.set_data_handle(c);
        if (d.arguments.empty()) {
            d.arguments = {
                {DNNL_ARG_SRC, d.source}, {DNNL_ARG_WEIGHTS, d.matrix}, {DNNL_ARG_DST, d.target}};
            if (d.epilogue.bias)
                d.arguments.emplace(DNNL_ARG_BIAS, d.bias);
        }
        d.primitive.execute(d.stream, d.arguments);
    });
}

} // namespace lapidary::onednn
