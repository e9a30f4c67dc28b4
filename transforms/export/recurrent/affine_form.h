// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"

#include <map>
#include <optional>
#include <vector>

namespace lapidary {

// The sum of a gate of a recurrent cell before its activation: tensors [rows, n] times constants,
// as rows of `width` numbers.
struct AffineForm {
    struct Product {
        TensorIndex tensor = noTensor;
        std::vector<float> weights; // [n, width]
    };
    struct Scaled { // with one factor a column
        TensorIndex tensor = noTensor;
        std::vector<float> factors;
    };
    std::size_t width = 0;
    std::vector<Product> products;
    std::vector<Scaled> scaled;
    std::vector<float> bias;

    void multiply(const std::vector<float>& factors); // one a column
    void add(const AffineForm& other);
    AffineForm columns(std::size_t first, std::size_t count) const;
};

// Follows sums, products with constants, and parts of them back to tensors that are computed
// otherwise.
class AffineForms {
public:
    explicit AffineForms(const PortableModel& model);

    const PortableModel& model() const { return m_model; }
    // Returns the operation that makes a tensor; null for inputs and constants.
    const PortableOperation* maker(TensorIndex tensor) const;
    // Returns the form of a tensor; null if it is not [rows, width] of floats. A tensor that is
    // computed in another way is a variable of the form.
    const AffineForm* of(TensorIndex tensor);
    // Returns a constant as a row of that width; nothing if it has another width or rows that
    // differ, or is computed.
    std::optional<std::vector<float>> row(TensorIndex tensor, std::size_t width) const;

    struct Columns {
        TensorIndex whole = noTensor;
        std::size_t first = 0;
        std::size_t count = 0;
    };
    // Returns the tensor of which `tensor` is some or all columns; nothing if it is computed
    // otherwise.
    std::optional<Columns> columnsOf(TensorIndex tensor) const;
    // Treats a tensor as a variable although it is a sum, instead of the one before; noTensor:
    // none.
    void standsForItself(TensorIndex tensor);

private:
    std::optional<AffineForm> computed(const PortableOperation& made, TensorIndex tensor);
    std::optional<AffineForm> productOf(const PortableOperation& layer);
    AffineForm::Product scaledProduct(TensorIndex tensor, std::vector<float> weights);
    std::optional<AffineForm> sumOf(const PortableOperation& sum, float sign);
    std::optional<AffineForm> scaledBy(const PortableOperation& product);
    std::optional<AffineForm> partOf(TensorIndex tensor);

    const PortableModel& m_model;
    std::vector<const PortableOperation*> m_makers; // by tensor
    std::map<TensorIndex, std::optional<AffineForm>> m_known;
    TensorIndex m_whole = noTensor;
};

} // namespace lapidary
