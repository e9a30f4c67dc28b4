// SPDX-License-Identifier: Apache-2.0
// NearestNeighbors: for each point the k nearest centers, nearest first, and the squares of their
// Euclidean distances.
#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace lapidary {
namespace {

struct Neighborhood {
    std::int64_t points = 0;
    std::int64_t centers = 0;
    std::int64_t size = 0; // number of coordinates of a point
    std::int64_t count = 0;
};

// Computes |x - c|^2 as |x|^2 + |c|^2 - 2 x c; never below 0.
void findNearest(const Neighborhood& n, const float* point, std::span<const float> centers,
                 std::vector<float>& distances, std::vector<std::int64_t>& order)
{
    const auto size = std::size_t(n.size);
    const float own = std::inner_product(point, point + size, point, 0.0F);
    for (std::size_t c = 0; c < distances.size(); ++c) {
        const float* center = centers.data() + c * size;
        const float square = std::inner_product(center, center + size, center, 0.0F);
        const float product = std::inner_product(center, center + size, point, 0.0F);
        distances[c] = std::max(0.0F, own + square - 2.0F * product);
    }
    std::iota(order.begin(), order.end(), std::int64_t(0));
    std::partial_sort(order.begin(), order.begin() + n.count, order.end(),
                      [&](std::int64_t a, std::int64_t b) {
                          const float x = distances[std::size_t(a)];
                          const float y = distances[std::size_t(b)];
                          return x != y ? x < y : a < b;
                      });
}

Status runNearestNeighbors(KernelContext& context)
{
    const Value& points = context.input(0);
    const Value& centers = context.input(1);
    if (points.dim(1) != centers.dim(1))
        return context.error("points have " + std::to_string(points.dim(1)) +
                             " coordinates, but centers have " + std::to_string(centers.dim(1)));
    if (points.dim(0) == 0)
        return context.error("points must not be empty");
    const std::int64_t k = context.input(2).as<std::int64_t>()[0];
    if (k <= 0)
        return context.error("k must be positive, but it is " + std::to_string(k));
    const Neighborhood n{points.dim(0), centers.dim(0), points.dim(1), std::min(k, centers.dim(0))};
    ASSIGN_OR_RETURN(auto indices, context.makeOutput(0, DType::Int64, {n.points, n.count}));
    ASSIGN_OR_RETURN(auto distances, context.makeOutput(1, DType::Float, {n.points, n.count}));
    const auto nearest = indices.mutableAs<std::int64_t>();
    const auto squares = distances.mutableAs<float>();
    parallelFor(n.points, n.centers * (n.size + 1), [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> all(std::size_t(n.centers));
        std::vector<std::int64_t> order(all.size());
        for (std::int64_t i = begin; i < end && !context.job().cancelled(); ++i) {
            findNearest(n, points.as<float>().data() + i * n.size, centers.as<float>(), all, order);
            for (std::int64_t j = 0; j < n.count; ++j) {
                nearest[std::size_t(i * n.count + j)] = order[std::size_t(j)];
                squares[std::size_t(i * n.count + j)] = all[std::size_t(order[std::size_t(j)])];
            }
        }
    });
    return context.job().cancelled() ? Status(cancelledError()) : Done{};
}

} // namespace

LAPIDARY_KERNEL(NearestNeighbors, runNearestNeighbors,
                .ranks = {Rank::Matrix, Rank::Matrix, Rank::Scalar});

} // namespace lapidary
