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
// Returns what two partial shapes say together, or an empty optional where they contradict each
// other.
std::optional<Shape> mergeShapes(const Shape& a, const Shape& b);
bool isFullyDefined(const Shape& shape);
// Zeros (false) of a numeric dtype.
Result<Value> zerosOf(KernelContext& context, DType dtype, const Dims& dims);
// The values one after another (equal dtype), as output `i` with the given shape.
Status joinValues(KernelContext& context, std::size_t i, DType dtype, Dims dims,
                  std::span<const Value> parts);
// Rows [begin, begin + count) along dim 0, as a tensor of shape `dims`.
Result<Value> copyRows(KernelContext& context, const Value& from, std::int64_t begin,
                       std::int64_t count, Dims dims);

// The array that a handle refers to: lives until the step ends (spec: kernels, section A21).
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
    // The elements are charged against the memory limit.
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

// The open array whose handle is input 0, with the dtype that the op's attribute `dtypeAttr` names.
Result<std::shared_ptr<TensorArray>> openTensorArray(KernelContext& context,
                                                     std::string_view dtypeAttr = {});
// Registers the array for the step and sets output 0 to its handle of the op's kind.
Status giveTensorArray(KernelContext& context, const std::shared_ptr<TensorArray>& array);
// Output 0: the flow that orders operations.
Status giveFlow(KernelContext& context, std::size_t output);
// An int32 scalar input.
Result<std::int32_t> scalarIndex(const KernelContext& context, std::size_t input,
                                 std::string_view what);

} // namespace lapidary
