// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/picture_state.h"

#include <algorithm>
#include <cmath>

namespace lapidary {

double OverlayScale::position(double value) const
{
    if (kind == Kind::TwoSided)
        return most > 0 ? std::clamp(value / most, -1.0, 1.0) : 0;
    if (kind == Kind::Linear)
        return most > least ? std::clamp((value - least) / (most - least), 0.0, 1.0) : 1;
    if (!(most > 0) || !(value > 0))
        return 0;
    if (!(least > 0) || least >= most)
        return std::clamp(value / most, 0.0, 1.0);
    return std::clamp(std::log(value / least) / std::log(most / least), 0.0, 1.0);
}

const OverlayFace* Coloring::face(ItemId item) const
{
    if (!overlay)
        return nullptr;
    const auto known = overlay->find(item);
    return known == overlay->end() ? nullptr : &known->second;
}

} // namespace lapidary
