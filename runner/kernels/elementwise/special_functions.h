// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary::special {

// Functions that <cmath> lacks, for float and double, each computed in its own precision.
float digamma(float x);
double digamma(double x);
float igamma(float a, float x); // regularized lower incomplete gamma function
double igamma(double a, double x);
float igammac(float a, float x); // 1 - igamma
double igammac(double a, double x);
float zeta(float x, float q); // Hurwitz
double zeta(double x, double q);
float polygamma(float n, float x);
double polygamma(double n, double x);
float betainc(float a, float b, float x); // regularized
double betainc(double a, double b, double x);
float besselI0e(float x);
double besselI0e(double x);
float besselI1e(float x);
double besselI1e(double x);

} // namespace lapidary::special
