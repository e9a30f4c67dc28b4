// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/elementwise/special_functions.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>

namespace lapidary {

// Values of TensorFlow 1.15.5.
TEST_CASE("polygamma has the poles of zeta, and orders that no integer holds", "[elementwise]")
{
    const double inf = std::numeric_limits<double>::infinity();
    for (const double pole : {0.0, -1.0, -2.0, -inf}) {
        CHECK(special::polygamma(1.0, pole) == inf);
        CHECK(special::polygamma(2.0, pole) == -inf);
        CHECK(special::polygamma(9.3e18, pole) == inf);
        CHECK(special::polygamma(inf, pole) == inf);
        CHECK(special::polygamma(4.0F, float(pole)) == -float(inf));
    }
    CHECK(special::polygamma(0.0, -1.0) == inf);
    CHECK(std::abs(special::polygamma(3.0, -0.5) - 193.40909103400242) < 1e-10);
    CHECK(std::isnan(special::polygamma(0.5, 1.0)));
    CHECK(std::isnan(special::polygamma(-1.0, 1.0)));
    CHECK(std::isnan(special::polygamma(2.0, inf)));
}

} // namespace lapidary
