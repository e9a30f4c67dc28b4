// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/elementwise/special_functions.h"

#include <cmath>
#include <limits>

#include <eigen3/unsupported/Eigen/SpecialFunctions>

namespace lapidary {
namespace {

// Returns whether x is a pole: an integer from 0 down. The result there is infinite; its sign is as
// recorded from TensorFlow.
template <class T>
bool isPole(T x)
{
    return x <= 0 && x == std::floor(x);
}

// Returns (-1)^(n+1) n! zeta(n+1, x), with the poles of special::zeta(): those of Eigen differ
// between its versions.
template <class T>
T polygammaOf(T n, T x)
{
    if (!(n >= 0) || n != std::floor(n))
        return std::numeric_limits<T>::quiet_NaN();
    if (n == 0)
        return special::digamma(x);
    const T factorial = std::exp(Eigen::numext::lgamma(n + 1));
    return std::pow(T(-1), n + 1) * factorial * special::zeta(n + 1, x);
}

} // namespace

float special::digamma(float x)
{
    return isPole(x) ? std::numeric_limits<float>::infinity() : Eigen::numext::digamma(x);
}
double special::digamma(double x)
{
    return isPole(x) ? std::numeric_limits<double>::infinity() : Eigen::numext::digamma(x);
}
float special::igamma(float a, float x)
{
    return Eigen::numext::igamma(a, x);
}
double special::igamma(double a, double x)
{
    return Eigen::numext::igamma(a, x);
}
float special::igammac(float a, float x)
{
    // 1 - P(a, x) in float would lose all but a few digits if P is close to 1.
    return float(Eigen::numext::igammac(double(a), double(x)));
}
double special::igammac(double a, double x)
{
    return Eigen::numext::igammac(a, x);
}
float special::zeta(float x, float q)
{
    const bool isInfinite = isPole(q) && !(x < 1);
    return isInfinite ? std::numeric_limits<float>::infinity() : Eigen::numext::zeta(x, q);
}
double special::zeta(double x, double q)
{
    const bool isInfinite = isPole(q) && !(x < 1);
    return isInfinite ? std::numeric_limits<double>::infinity() : Eigen::numext::zeta(x, q);
}
float special::polygamma(float n, float x)
{
    return polygammaOf(n, x);
}
double special::polygamma(double n, double x)
{
    return polygammaOf(n, x);
}
float special::betainc(float a, float b, float x)
{
    return Eigen::numext::betainc(a, b, x);
}
double special::betainc(double a, double b, double x)
{
    return Eigen::numext::betainc(a, b, x);
}
float special::besselI0e(float x)
{
    return Eigen::numext::bessel_i0e(x);
}
double special::besselI0e(double x)
{
    return Eigen::numext::bessel_i0e(x);
}
float special::besselI1e(float x)
{
    return Eigen::numext::bessel_i1e(x);
}
double special::besselI1e(double x)
{
    return Eigen::numext::bessel_i1e(x);
}

} // namespace lapidary
