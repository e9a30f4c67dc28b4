// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/shape.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/resource_owner.h"

#include <memory>
#include <string>
#include <vector>

namespace lapidary {

// Returns whether a full shape fits a partial one.
bool fitsShape(const Dims& dims, const Shape& partial);
// Returns the shape that fits both partial shapes; nothing if they contradict each other.
std::optional<Shape> mergeShapes(const Shape& a, const Shape& b);
bool isFullyDefined(const Shape& shape);
// Returns zeros (false) of a numeric dtype.
Result<Value> zerosOf(KernelContext& context, DType dtype, const Dims& dims);
// Sets output `i` to the values (of equal dtype) one after the other, with the given shape.
Status joinValues(KernelContext& context, std::size_t i, DType dtype, Dims dims,
                  std::span<const Value> parts);
// Copies the rows [begin, begin + count) along axis 0 to a tensor of shape `dims`.
Result<Value> copyRows(KernelContext& context, const Value& from, std::int64_t begin,
                       std::int64_t count, Dims dims);

// The array of a handle, which lives until the step ends (spec: kernels, section A21).
class TensorArray final : public ResourceOwner {
public:
    struct Options {
        std::string name;
        DType dtype = DType::Invalid;
        Shape elementShape{.unknownRank = true};
        bool dynamicSize = false;
        bool clearAfterRead = true;
        bool identicalShapes = false;
        bool aggregates = false; // repeated writes add up: a gradient
    };
    explicit TensorArray(Options options)
        : m_options(std::move(options))
    {
    }

    const Options& options() const { return m_options; }
    std::int32_t size() const { return std::int32_t(m_elements.size()); }
    bool isClosed() const { return m_closed; }
    // The memory of the list of elements counts against the memory limit.
    Status resize(KernelContext& context, std::int64_t size);
    void stopGrowing() { m_options.dynamicSize = false; }
    Status mergeElementShape(KernelContext& context, const Shape& shape);

    Status write(KernelContext& context, std::int64_t index, Value value);
    Result<Value> read(KernelContext& context, std::int64_t index);
    void close();
    void clear() override { close(); }

    std::shared_ptr<TensorArray>& gradient(const std::string& source);

private:
    struct Element {
        Value value;
        bool written = false;
        bool read = false;
        bool cleared = false;
    };
    Error fault(KernelContext& context, const std::string& text) const;
    Status checkWrite(KernelContext& context, std::int64_t index, const Value& value);

    Options m_options;
    std::vector<Element> m_elements;
    std::shared_ptr<void> m_charge;
    std::vector<std::pair<std::string, std::shared_ptr<TensorArray>>> m_gradients;
    bool m_closed = false;
};

// Returns the array whose handle is input 0. Fails if it is closed, or has another dtype than the
// op's attribute `dtypeAttr`.
Result<std::shared_ptr<TensorArray>> openTensorArray(KernelContext& context,
                                                     std::string_view dtypeAttr = {});
// Registers the array for the step and sets output 0 to its handle of the op's kind.
Status giveTensorArray(KernelContext& context, const std::shared_ptr<TensorArray>& array);
// Sets an output to the flow, which orders operations.
Status giveFlow(KernelContext& context, std::size_t output);
// Returns an int32 scalar input.
Result<std::int32_t> scalarIndex(const KernelContext& context, std::size_t input,
                                 std::string_view what);

} // namespace lapidary
