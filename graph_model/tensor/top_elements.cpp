// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/top_elements.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::int64_t rankedPiece = 1 << 16;

bool isBefore(const TopElement& a, const TopElement& b)
{
    return a.value != b.value ? a.value > b.value : a.index < b.index;
}

} // namespace

Result<std::vector<TopElement>> topElements(const Tensor& tensor, std::int64_t row,
                                            std::size_t count, const Job& job)
{
    const std::vector<std::int64_t>& dims = tensor.shape().dims;
    const std::int64_t columns = dims.empty() ? 1 : dims.back();
    if (row < 0 || columns == 0 || row >= tensor.elements() / columns)
        return Error{ErrorCode::InvalidArgument, "a tensor of shape " + shapeText(tensor.shape()) +
                                                     " has no row " + std::to_string(row)};
    std::vector<TopElement> best;
    for (std::int64_t begin = 0; begin < columns; begin += rankedPiece) {
        if (job.cancelled())
            return cancelledError();
        const std::int64_t end = std::min(begin + rankedPiece, columns);
        ASSIGN_OR_RETURN(const auto piece,
                         tensor.numbers(row * columns + begin, row * columns + end));
        for (std::size_t i = 0; i < piece.size(); ++i)
            if (!std::isnan(piece[i]))
                best.push_back({begin + std::int64_t(i), piece[i]});
        const auto kept = best.begin() + std::ptrdiff_t(std::min(count, best.size()));
        std::partial_sort(best.begin(), kept, best.end(), isBefore);
        best.erase(kept, best.end());
    }
    return best;
}

} // namespace lapidary
