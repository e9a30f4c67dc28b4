// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/make_tensor.h"
#include "tests/catch.h"
#include "views/models/run/value_report.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

// As many numbers as a sound has samples: a sine around `middle`.
Tensor samples(float middle)
{
    constexpr std::int64_t count = 4000;
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(middle + std::sin(float(i) / 10));
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof(float));
    return makeTensor(DType::Float, {{1, count, 1}, false}, bytes).value();
}

Tensor zeros(std::vector<std::int64_t> dims, std::size_t count)
{
    const std::string bytes(count * sizeof(float), '\0');
    return makeTensor(DType::Float, {std::move(dims), false}, bytes).value();
}

} // namespace

TEST_CASE("a few numbers are shown as numbers at first", "[views]")
{
    const auto keypoints = makeValueReport(zeros({1, 3, 2}, 6), {}, Job());
    REQUIRE(keypoints.ok());
    CHECK(keypoints->view == ValueView::Table);
    CHECK(std::ranges::count(keypoints->views, ValueView::Table) == 1);
    const auto scores = makeValueReport(zeros({1, 3}, 3), {}, Job());
    REQUIRE(scores.ok());
    CHECK(scores->view == ValueView::Bars);
    const auto many = makeValueReport(zeros({1, 50, 3}, 150), {}, Job());
    REQUIRE(many.ok());
    CHECK(many->view == ValueView::HeatMap);
    CHECK(std::ranges::count(many->views, ValueView::Table) == 1);
}

TEST_CASE("numbers that swing around zero are shown as a sound at first", "[views]")
{
    const auto sound = makeValueReport(samples(0), {}, Job());
    REQUIRE(sound.ok());
    CHECK(sound->view == ValueView::Wave);
    CHECK_FALSE(sound->wave.channels.empty());
}

TEST_CASE("numbers without a negative one are not taken for a sound at first", "[views]")
{
    const auto scores = makeValueReport(samples(1.5F), {}, Job());
    REQUIRE(scores.ok());
    CHECK(scores->view != ValueView::Wave);
    CHECK(std::ranges::find(scores->views, ValueView::Wave) != scores->views.end());
    ValueChoice wave;
    wave.view = ValueView::Wave;
    const auto chosen = makeValueReport(samples(1.5F), wave, Job());
    REQUIRE(chosen.ok());
    CHECK(chosen->view == ValueView::Wave);
}

} // namespace lapidary
