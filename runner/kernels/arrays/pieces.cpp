// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/arrays/pieces.h"

namespace lapidary {

Status copyPieces(const KernelContext& context, const Value& from, Value& to,
                  const std::vector<std::vector<AxisPiece>>& pieces)
{
    const Dims fromStrides = rowMajorStrides(from.dims());
    const Dims toStrides = rowMajorStrides(to.dims());
    for (const std::vector<AxisPiece>& axis : pieces)
        if (axis.empty())
            return Done{};
    std::vector<std::size_t> chosen(pieces.size());
    for (;;) {
        CopyPlan plan;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const AxisPiece& piece = pieces[i][chosen[i]];
            plan.axes.push_back({piece.size, piece.step * fromStrides[i], toStrides[i]});
            plan.fromOffset += piece.from * fromStrides[i];
            plan.toOffset += piece.to * toStrides[i];
        }
        RETURN_IF_ERROR(stridedCopy(context, from, to, std::move(plan)));
        std::size_t axis = pieces.size();
        for (; axis > 0; --axis) {
            if (++chosen[axis - 1] < pieces[axis - 1].size())
                break;
            chosen[axis - 1] = 0;
        }
        if (axis == 0)
            return Done{};
    }
}

} // namespace lapidary
