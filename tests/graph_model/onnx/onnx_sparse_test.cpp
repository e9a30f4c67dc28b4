// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/buffer.h"
#include "graph_model/base/wire.h"
#include "graph_model/onnx/onnx_sparse.h"
#include "tests/catch.h"

#include <cstring>

namespace lapidary {
namespace {

template <class T>
std::string bytesOf(const std::vector<T>& numbers)
{
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

// A tensor with the values 1, 2, ... at these indices.
OnnxSparseTensor sparse(const std::vector<std::int64_t>& dims, std::vector<std::int64_t> indexDims,
                        const std::vector<std::int64_t>& indices)
{
    std::vector<float> values;
    for (std::int64_t i = 0; i < indexDims[0]; ++i)
        values.push_back(float(i + 1));
    OnnxTensor numbers{"w", DType::Float, {indexDims[0]}, ConstantBytes(bytesOf(values))};
    OnnxTensor places{"", DType::Int64, std::move(indexDims), ConstantBytes(bytesOf(indices))};
    return {std::move(numbers), std::move(places), dims};
}

std::vector<float> floatsOf(const OnnxTensor& tensor)
{
    std::vector<float> floats(tensor.bytes.size() / sizeof(float));
    std::memcpy(floats.data(), tensor.bytes.view().data(), tensor.bytes.size());
    return floats;
}

constexpr std::uint64_t large = 1 << 20;

TEST_CASE("a sparse constant is unfolded by places in a row and by axes", "[read][devices]")
{
    const auto inRow = denseTensorOf(sparse({2, 3}, {2}, {1, 5}), large);
    REQUIRE(inRow.ok());
    CHECK(inRow->name == "w");
    CHECK(inRow->dims == std::vector<std::int64_t>{2, 3});
    CHECK(floatsOf(*inRow) == std::vector<float>{0, 1, 0, 0, 0, 2});
    const auto byAxes = denseTensorOf(sparse({2, 3}, {2, 2}, {0, 1, 1, 2}), large);
    REQUIRE(byAxes.ok());
    CHECK(floatsOf(*byAxes) == floatsOf(*inRow));
}

TEST_CASE("a sparse constant that does not fit itself is refused", "[read][devices]")
{
    CHECK_FALSE(denseTensorOf(sparse({2, 3}, {1}, {6}), large).ok());
    CHECK_FALSE(denseTensorOf(sparse({2, 3}, {1}, {-1}), large).ok());
    CHECK_FALSE(denseTensorOf(sparse({2, 3}, {1, 2}, {0, 3}), large).ok());
    CHECK_FALSE(denseTensorOf(sparse({2, 3}, {1, 3}, {0, 0, 0}), large).ok());
    CHECK_FALSE(denseTensorOf(sparse({0, 3}, {1, 2}, {0, 0}), large).ok());
    CHECK_FALSE(denseTensorOf(sparse({}, {1}, {0}), large).ok());
    CHECK_FALSE(
        denseTensorOf(sparse({std::int64_t(1) << 40, std::int64_t(1) << 40}, {1}, {0}), large)
            .ok());
    CHECK_FALSE(denseTensorOf(sparse({2, 3}, {1}, {0}), 23).ok()); // 24 bytes are more
}

// A message within a field.
std::string part(std::uint32_t field, const std::string& message)
{
    std::string bytes;
    WireWriter(bytes).bytes(field, message);
    return bytes;
}

std::string number(std::uint32_t field, std::uint64_t value)
{
    std::string bytes;
    WireWriter(bytes).varint(field, value);
    return bytes;
}

std::string model(std::int64_t size)
{
    const std::string values =
        number(1, 1) + number(2, 1) + part(8, "w") + part(9, bytesOf<float>({5}));
    const std::string indices = number(1, 1) + number(2, 7) + part(9, bytesOf<std::int64_t>({1}));
    const std::string tensor = part(1, values) + part(2, indices) + number(3, std::uint64_t(size));
    return part(7, part(15, tensor));
}

TEST_CASE("sparse constants of an ONNX file are read, within what files may unfold to",
          "[read][devices]")
{
    const auto read = decodeOnnx(makeBuffer(model(3)));
    INFO((read.ok() ? "" : read.error().message));
    REQUIRE(read.ok());
    REQUIRE(read->initializers.size() == 1);
    CHECK(floatsOf(read->initializers[0]) == std::vector<float>{0, 5, 0});
    const auto huge = decodeOnnx(makeBuffer(model(std::int64_t(1) << 40)));
    REQUIRE_FALSE(huge.ok());
    CHECK(huge.error().message.find("the sparse constant w") != std::string::npos);
}

} // namespace
} // namespace lapidary
