// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/onednn/product.h"

#include <memory>
#include <vector>

namespace lapidary {

// A float product of a few rows, or of small matrices, with a constant matrix, for sizes for which
// calling a library takes longer than the sums. Uses AVX2 or AVX-512, which give the same bits: the
// products of each element are added in the order of the depth.
class FewRowsProduct {
public:
    // Returns whether it is the faster way, and possible on this processor.
    static bool suits(const onednn::ProductShape& shape);

    static Result<FewRowsProduct> make(const onednn::ProductShape& shape,
                                       const onednn::Epilogue& epilogue);

    // These do the same as those of onednn::Product.
    std::size_t packedBytes() const;
    Status pack(const float* b, const float* bias, std::shared_ptr<void> storage);
    bool sharePacked(const FewRowsProduct& other);
    Status run(const float* a, float* c) const;

private:
    FewRowsProduct(const onednn::ProductShape& shape, const onednn::Epilogue& epilogue)
        : m_shape(shape)
        , m_epilogue(epilogue)
    {
    }
    std::int64_t panels() const;

    onednn::ProductShape m_shape;
    onednn::Epilogue m_epilogue;
    // Groups of panels of columns: [group][depth][panel][column]; the last panel is padded, the
    // last group may have fewer panels.
    std::shared_ptr<void> m_packed;
    std::vector<float> m_bias; // padded
};

} // namespace lapidary
