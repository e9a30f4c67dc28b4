// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/csv.h"
#include "graph_model/tensor/make_tensor.h"
#include "graph_model/tensor/slice.h"
#include "graph_model/tensor/tensor_picture.h"
#include "graph_model/tensor/top_elements.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace lapidary;

namespace {

Tensor floats(std::vector<std::int64_t> dims, const std::vector<float>& values)
{
    auto made = makeTensor(DType::Float, {std::move(dims), false},
                           {reinterpret_cast<const char*>(values.data()), values.size() * 4});
    REQUIRE(made.ok());
    return *std::move(made);
}

// 0, 1, 2, ... in this shape.
Tensor counting(std::vector<std::int64_t> dims)
{
    std::vector<float> values(std::size_t(*elementCount({dims, false})));
    std::iota(values.begin(), values.end(), 0.0F);
    return floats(std::move(dims), values);
}

std::vector<double> numbersOf(const Tensor& tensor)
{
    const auto numbers = tensor.numbers(0, tensor.elements());
    REQUIRE(numbers.ok());
    return *numbers;
}

} // namespace

TEST_CASE("a tensor is made of as many bytes as its shape holds", "[tensor][make_tensor]")
{
    CHECK(numbersOf(floats({2, 2}, {1, 2, 3, 4})) == std::vector<double>{1, 2, 3, 4});
    CHECK(!makeTensor(DType::Float, {{2}, false}, "1234567").ok());
    CHECK(!makeTensor(DType::Float, {{-1}, false}, "1234").ok());
    const std::vector<std::string> words{"a", ""};
    const auto strings = makeStringTensor({{2}, false}, words);
    REQUIRE(strings.ok());
    CHECK(*strings->strings() == words);
}

TEST_CASE("any two axes of a tensor make a table", "[tensor][slice]")
{
    const Tensor tensor = counting({2, 3, 4});
    const TensorSlice first = firstSlice(tensor.shape());
    CHECK(first == TensorSlice{1, 2, {0, 0, 0}});
    const auto last = sliceOf(tensor, {1, 2, {1}}, Job());
    REQUIRE(last.ok());
    CHECK(last->shape().dims == std::vector<std::int64_t>{3, 4});
    CHECK(numbersOf(*last).front() == 12);
    const auto turned = sliceOf(tensor, {2, 0, {0, 2, 0}}, Job());
    REQUIRE(turned.ok());
    CHECK(turned->shape().dims == std::vector<std::int64_t>{4, 2});
    CHECK(numbersOf(*turned) == std::vector<double>{8, 20, 9, 21, 10, 22, 11, 23});
    const auto column = sliceOf(tensor, {0, -1, {0, 1, 3}}, Job());
    REQUIRE(column.ok());
    CHECK(numbersOf(*column) == std::vector<double>{7, 19});
    CHECK(sliceOf(counting({}), firstSlice({}), Job())->elements() == 1);
}

TEST_CASE("a slice outside of the tensor is an error", "[tensor][slice]")
{
    const Tensor tensor = counting({2, 3});
    CHECK(!sliceOf(tensor, {0, 2, {}}, Job()).ok());
    CHECK(!sliceOf(tensor, {1, 1, {}}, Job()).ok());
    CHECK(!sliceOf(tensor, {1, -1, {2}}, Job()).ok());
    std::stop_source stop;
    stop.request_stop();
    CHECK(sliceOf(tensor, {0, 1, {}}, Job(stop.get_token())).error().code == ErrorCode::Cancelled);
}

TEST_CASE("a tensor that is empty and wide has empty slices", "[tensor][slice]")
{
    const std::int64_t wide = std::int64_t(1) << 62;
    const Tensor tensor = floats({1, 0, wide, wide}, {});
    const auto rows = sliceOf(tensor, {3, 1, {}}, Job());
    REQUIRE(rows.ok());
    CHECK(rows->shape().dims == std::vector<std::int64_t>{wide, 0});
    const auto columns = sliceOf(tensor, {1, 2, {0, 0, 0, wide - 1}}, Job());
    REQUIRE(columns.ok());
    CHECK(columns->elements() == 0);
    CHECK(!sliceOf(tensor, firstSlice(tensor.shape()), Job()).ok()); // at no place of axis 1
}

TEST_CASE("a slice of strings", "[tensor][slice]")
{
    const std::vector<std::string> words{"a", "b", "c", "d"};
    const auto tensor = makeStringTensor({{2, 2}, false}, words);
    REQUIRE(tensor.ok());
    const auto turned = sliceOf(*tensor, {1, 0, {}}, Job());
    REQUIRE(turned.ok());
    CHECK(*turned->strings() == std::vector<std::string>{"a", "c", "b", "d"});
}

TEST_CASE("the largest elements along the last axis", "[tensor][top]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Tensor tensor = floats({2, 4}, {1, 5, 5, 2, nan, -1, -3, nan});
    CHECK(*topElements(tensor, 0, 3, Job()) == std::vector<TopElement>{{1, 5}, {2, 5}, {3, 2}});
    CHECK(*topElements(tensor, 1, 3, Job()) == std::vector<TopElement>{{1, -1}, {2, -3}});
    CHECK(!topElements(tensor, 2, 3, Job()).ok());
    // More than one piece.
    const auto best = topElements(counting({200'000}), 0, 2, Job());
    REQUIRE(best.ok());
    CHECK(*best == std::vector<TopElement>{{199'999, 199'999}, {199'998, 199'998}});
}

TEST_CASE("pictures in gray and in color", "[tensor][picture]")
{
    CHECK(isPictureShape({{2, 2}, false}));
    CHECK(isPictureShape({{1, 5, 5, 7}, false}));
    CHECK(!isPictureShape({{1, 10}, false}));
    CHECK(!isPictureShape({{10}, false}));
    CHECK(usualMode({{1, 4, 4, 3}, false}) == PictureMode::Color);
    const auto gray = tensorPicture(floats({2, 2}, {0, 1, 2, 4}), {}, 1000, Job());
    REQUIRE(gray.ok());
    CHECK(gray->width == 2);
    CHECK(gray->low == 0);
    CHECK(gray->high == 4);
    CHECK(gray->pixels ==
          std::vector<std::uint8_t>{0, 0, 0, 64, 64, 64, 128, 128, 128, 255, 255, 255});
    const auto color =
        tensorPicture(counting({1, 2, 2, 3}), {.mode = PictureMode::Color}, 1000, Job());
    REQUIRE(color.ok());
    CHECK(color->pixels.front() == 0);
    CHECK(color->pixels.back() == 255);
    CHECK(!tensorPicture(counting({1, 2, 2, 3}), {.picture = 1}, 1000, Job()).ok());
    // The same pixels with the channels first.
    const PictureChoice inFrontChoice{.mode = PictureMode::Color, .isChannelsFirst = true};
    std::vector<float> turned;
    for (int channel = 0; channel < 3; ++channel)
        for (int pixel = 0; pixel < 4; ++pixel)
            turned.push_back(float(pixel * 3 + channel));
    const auto inFront = tensorPicture(floats({1, 3, 2, 2}, turned), inFrontChoice, 1000, Job());
    REQUIRE(inFront.ok());
    CHECK(inFront->pixels == color->pixels);
    CHECK(usualMode({{1, 3, 2, 2}, false}, true) == PictureMode::Color);
    CHECK(!tensorPicture(counting({100, 100}), {}, 1000, Job()).ok());
}

TEST_CASE("channels side by side, on one scale or each on its own", "[tensor][picture]")
{
    const Tensor tensor = floats({2, 2, 2}, {0, 10, 1, 20, 2, 30, 3, 40}); // two channels
    const auto common = tensorPicture(tensor, {}, 1000, Job());
    REQUIRE(common.ok());
    CHECK(common->channels == 2);
    CHECK(common->width == 5); // a line of one pixel between
    CHECK(common->height == 2);
    CHECK(common->pixels[0] == 0);
    CHECK(common->pixels[3 * 3] == 64); // 10 of 0..40
    const auto each = tensorPicture(tensor, {.scale = PictureScale::Each}, 1000, Job());
    REQUIRE(each.ok());
    CHECK(each->pixels[3 * 3] == 0);
    CHECK(each->pixels.back() == 255);
    const auto few = tensorPicture(counting({4, 4, 100}), {}, 100, Job());
    REQUIRE(few.ok());
    CHECK(few->channels == 4);
    CHECK(few->allChannels == 100);
}

TEST_CASE("values as lines of text", "[tensor][csv]")
{
    CHECK(*encodeCsv(floats({2, 2}, {0.1F, -2, 1e20F, 3}), Job()) == "0.1,-2\n1e+20,3\n");
    CHECK(*encodeCsv(floats({}, {7}), Job()) == "7\n");
    CHECK(encodeCsv(counting({0, 3}), Job())->empty());
    const std::vector<std::string> words{"a,b", "say \"x\""};
    CHECK(*encodeCsv(*makeStringTensor({{2}, false}, words), Job()) ==
          "\"a,b\",\"say \"\"x\"\"\"\n");
}
