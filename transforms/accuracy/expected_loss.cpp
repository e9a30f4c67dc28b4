// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/expected_loss.h"

#include <array>

namespace lapidary {

double expectedLoss(double sqnrDb)
{
    struct Row {
        double fromDb;
        double loss;
    };
    constexpr std::array rows{Row{40, 0.005}, Row{30, 0.010}, Row{25, 0.015}, Row{15, 0.023},
                              Row{10, 0.14}};
    for (const Row& row : rows)
        if (sqnrDb >= row.fromDb)
            return row.loss;
    constexpr double collapse = 0.86;
    return collapse;
}

} // namespace lapidary
