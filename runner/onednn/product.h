// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/onednn/epilogue.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lapidary::onednn {

// c[rows, columns] = a[rows, depth] b, dense and row-major; `transposed`: b is [columns, depth].
// Sizes are at least 1.
struct ProductShape {
    std::int64_t rows = 1;
    std::int64_t depth = 1;
    std::int64_t columns = 1;
    bool transposed = false;

    bool operator==(const ProductShape&) const = default;
};

// A float product whose second matrix never changes: it is kept in the library's own layout.
class Product {
public:
    static Result<Product> make(const ProductShape& shape, const Epilogue& epilogue);
    ~Product();
    Product(Product&&) noexcept;
    Product& operator=(Product&&) noexcept;

    std::size_t packedBytes() const;
    // Copies b into `storage`, which has packedBytes() and is kept, and the bias if the epilogue
    // has one.
    Status pack(const float* b, const float* bias, std::shared_ptr<void> storage);
    // Shares the packed matrix of another shape if the layouts agree; otherwise returns false.
    bool sharePacked(const Product& other);
    Status run(const float* a, float* c);

private:
    struct Impl;
    explicit Product(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace lapidary::onednn
