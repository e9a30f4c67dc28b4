// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/base/result.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/narrow_float.h"
#include "graph_model/tensor/shape.h"
#include "graph_model/tensor/tensor.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

class MemoryPool;
using Dims = std::vector<std::int64_t>;

// The content of a resource or reference edge: a variable, a table, a TensorArray.
class Resource {
public:
    virtual ~Resource() = default;
};
using ResourcePtr = std::shared_ptr<Resource>;

// A tensor during a run: dtype, shape and shared bytes (row-major, little-endian), strings,
// variants or a resource. Copies share the data; only the kernel that made a value writes to it.
class Value {
public:
    Value() = default;

    // Makes a value with uninitialized elements. Fails on negative or overflowing dims, also where
    // another axis is 0, and if the pool's limit is exceeded; the message says how much was
    // requested.
    static Result<Value> make(DType dtype, Dims dims, MemoryPool& pool);
    static Value ofStrings(Dims dims, std::vector<std::string> strings);
    static Value ofResource(DType dtype, ResourcePtr resource);
    // Makes the value of a Const. It shares the file's bytes if their alignment allows.
    static Result<Value> ofTensor(const Tensor& tensor, const BufferPtr& owner, MemoryPool& pool);

    bool isSet() const { return m_dtype != DType::Invalid; }
    DType dtype() const { return m_dtype; }
    const Dims& dims() const { return m_dims; }
    int rank() const { return int(m_dims.size()); }
    std::int64_t dim(int axis) const { return m_dims[std::size_t(axis)]; }
    std::int64_t elements() const { return m_elements; }
    bool isScalar() const { return m_dims.empty(); }
    bool isVector() const { return m_dims.size() == 1; }

    // Returns the elements; empty if they are smaller than a T, or are strings or a resource, so
    // that accesses stay within the data, whatever the dtype. Types of the same size are not
    // distinguished.
    template <class T>
    std::span<const T> as() const
    {
        return {reinterpret_cast<const T*>(m_bytes), countOf<T>()};
    }
    template <class T>
    std::span<T> mutableAs()
    {
        return {reinterpret_cast<T*>(m_bytes), countOf<T>()};
    }
    // Empty if the dtype is not String.
    std::span<const std::string> strings() const;
    std::span<std::string> mutableStrings();
    // Returns the content of each element of a variant of any shape; empty for other types.
    std::span<const ResourcePtr> variants() const;
    std::span<ResourcePtr> mutableVariants(); // empty for one that ofResource() made
    std::string_view bytes() const { return {reinterpret_cast<const char*>(m_bytes), byteCount()}; }
    std::size_t byteCount() const { return std::size_t(m_elements) * m_elementSize; }
    // Returns whether the value is no wider than `bytes`, counting 1 for each axis that is 0. A
    // value without elements takes no memory, but the code that multiplies its sizes, or walks
    // along one of its axes, does as much as for one with elements.
    bool isWithin(std::uint64_t bytes) const;
    template <class T>
    std::shared_ptr<T> resource() const
    {
        const bool isOneVariant = m_dtype == DType::Variant && m_elements == 1;
        return std::dynamic_pointer_cast<T>(isOneVariant ? variants()[0] : m_resource);
    }

    // Return the same data with another shape of as many elements, or another dtype of the same
    // size.
    Value reshaped(Dims dims) const;
    Value reinterpreted(DType dtype, Dims dims) const;
    // Returns whether the data is not shared: a kernel may then write into its input.
    bool isUnshared() const { return !m_isFileBytes && m_owner.use_count() == 1; }

    // Returns the elements of an index or size tensor (int32 or int64), widened; empty for other
    // types.
    std::vector<std::int64_t> integers() const;

private:
    template <class T>
    std::size_t countOf() const
    {
        return sizeof(T) <= m_elementSize ? std::size_t(m_elements) : 0;
    }

    std::shared_ptr<void> m_owner;
    std::byte* m_bytes = nullptr;
    ResourcePtr m_resource;
    Dims m_dims;
    std::int64_t m_elements = 0;
    DType m_dtype = DType::Invalid;
    std::uint8_t m_elementSize = 0; // bytes; 0: the elements are not numbers
    bool m_isFileBytes = false;     // read-only: part of the model file
};

// Returns "[2,3]", for example.
std::string dimsText(const Dims& dims);

// Copies the bytes of a file into a value of numbers, as many as both have. For bools, any byte
// other than 0 becomes 1: in memory a bool must be 0 or 1.
void copyFileBytes(std::string_view bytes, Value& to);

} // namespace lapidary
