// SPDX-License-Identifier: Apache-2.0
#include "runner/onednn/product.h"

#include "runner/onednn/few_threads.h"
#include "runner/onednn/packed_primitive.h"
#include "runner/onednn/post_ops.h"
#include "runner/onednn/primitive_desc.h"

#include <utility>

namespace lapidary::onednn {
namespace {

using dnnl::memory;
constexpr auto floatType = memory::data_type::f32;

// Describes the matrix as oneDNN's weights of an inner product: output channels, input channels.
memory::desc plainMatrix(const ProductShape& shape)
{
    const memory::dims strides =
        shape.transposed ? memory::dims{shape.depth, 1} : memory::dims{1, shape.columns};
    return {{shape.columns, shape.depth}, floatType, strides};
}

double costOf(const ProductShape& shape)
{
    const auto rows = double(shape.rows);
    const auto depth = double(shape.depth);
    const auto columns = double(shape.columns);
    return onednn::costOf(2 * rows * depth * columns,
                          rows * depth + depth * columns + rows * columns);
}

memory::desc rowsOf(std::int64_t rows, std::int64_t columns)
{
    return {{rows, columns}, floatType, memory::format_tag::nc};
}

} // namespace

struct Product::Impl {
    ProductShape shape;
    PackedPrimitive held;
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
    PackedPrimitive& held = impl->held;
    held.hasBias = epilogue.bias;
    held.channels = shape.columns;
    const FewThreads few(costOf(shape));
    const Status made = guarded([&] {
        const memory::desc source = rowsOf(shape.rows, shape.depth);
        const memory::desc target = rowsOf(shape.rows, shape.columns);
        const memory::desc any({shape.columns, shape.depth}, floatType, memory::format_tag::any);
        const auto choice = describe<dnnl::inner_product_forward>(
            attributesOf(epilogue), dnnl::prop_kind::forward_inference, source, any,
            biasDesc(epilogue.bias, shape.columns), target);
        held.packed = choice.weights_desc();
        held.primitive = dnnl::inner_product_forward(choice);
        held.source = memory(source, engine(), nullptr);
        held.target = memory(target, engine(), nullptr);
        held.stream = dnnl::stream(engine());
    });
    RETURN_IF_ERROR(made);
    return Product(std::move(impl));
}

std::size_t Product::packedBytes() const
{
    return m_impl->held.packedBytes();
}

Status Product::pack(const float* b, const float* bias, std::shared_ptr<void> storage)
{
    return m_impl->held.pack(plainMatrix(m_impl->shape), b, bias, std::move(storage));
}

bool Product::sharePacked(const Product& other)
{
    return m_impl->held.sharePacked(other.m_impl->held);
}

Status Product::run(const float* a, float* c)
{
    const FewThreads few(costOf(m_impl->shape));
    return m_impl->held.run(a, c);
}

} // namespace lapidary::onednn
