// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/test_folder.h"
#include "transforms/export/int8/measure_ranges.h"

namespace lapidary {
namespace {

// A BMP of two by two pixels, gray from 10 to 250.
std::string smallPicture()
{
    const auto little = [](std::uint32_t value, int bytes) {
        std::string text;
        for (int i = 0; i < bytes; ++i)
            text += char(value >> (8 * i) & 255);
        return text;
    };
    constexpr std::uint32_t header = 54;
    constexpr std::uint32_t rows = 16; // a row has 6 bytes and 2 of padding
    std::string picture = "BM" + little(header + rows, 4) + little(0, 4) + little(header, 4);
    picture += little(40, 4) + little(2, 4) + little(2, 4) + little(1, 2) + little(24, 2);
    picture += little(0, 4) + little(rows, 4) + std::string(16, '\0');
    for (const int left : {10, 130})
        picture += std::string(3, char(left)) + std::string(3, char(left + 120)) + little(0, 2);
    return picture;
}

// y = float(x); x takes pixels unchanged
PortableModel castModel()
{
    PortableModel model;
    PortableTensor tensor;
    tensor.name = "x";
    tensor.dtype = DType::UInt8;
    tensor.dims = {1, 2, 2, 3};
    const TensorIndex x = model.add(tensor);
    tensor.name = "y";
    tensor.dtype = DType::Float;
    const TensorIndex y = model.add(tensor);
    PortableOperation cast;
    cast.kind = PortableKind::Cast;
    cast.inputs = {x};
    cast.outputs = {y};
    cast.source = "y";
    model.inputs = {x};
    model.outputs = {y};
    model.operations = {cast};
    return model;
}

} // namespace

TEST_CASE("Ranges are measured where the input takes the bytes of a picture", "[export]")
{
    const TestFolder folder;
    folder.write("small.bmp", smallPicture());
    RangeSource source;
    source.pictures = folder.path().string();
    const PortableModel model = castModel();
    const auto ranges = measureRanges(model, source, Job());
    INFO((ranges ? "" : ranges.error().message));
    REQUIRE(ranges);
    const auto& y = (*ranges)[std::size_t(model.outputs[0])];
    REQUIRE(y);
    CHECK(y->min == 10);
    CHECK(y->max == 250);
}

TEST_CASE("Ranges are measured where the channels of a picture lie in front", "[export]")
{
    std::string picture = smallPicture();
    constexpr std::size_t header = 54;
    for (const std::size_t pixel : {0, 3, 8, 11}) { // blue, green, red
        picture[header + pixel] = 10;
        picture[header + pixel + 1] = 100;
        picture[header + pixel + 2] = char(250);
    }
    const TestFolder folder;
    folder.write("colored.bmp", picture);
    RangeSource source;
    source.pictures = folder.path().string();
    source.feed.std = 1;
    PortableModel model;
    PortableTensor tensor;
    tensor.name = "x";
    tensor.dims = {1, 3, 2, 2};
    const TensorIndex x = model.add(tensor);
    const TensorIndex onlyBlue = model.addFloats("only_blue", {1, 3, 1, 1}, {0, 0, 1});
    tensor.name = "y";
    const TensorIndex y = model.add(tensor);
    PortableOperation product;
    product.kind = PortableKind::Mul;
    product.inputs = {x, onlyBlue};
    product.outputs = {y};
    product.source = "y";
    model.inputs = {x};
    model.outputs = {y};
    model.operations = {product};
    const auto ranges = measureRanges(model, source, Job());
    INFO((ranges ? "" : ranges.error().message));
    REQUIRE(ranges);
    const auto& made = (*ranges)[std::size_t(y)];
    REQUIRE(made);
    CHECK(made->max == 10);
}

} // namespace lapidary
