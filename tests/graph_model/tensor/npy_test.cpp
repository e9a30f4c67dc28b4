// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/tensor/npy.h"
#include "tests/catch.h"

#include <cstring>

using namespace lapidary;

namespace {

Tensor tensor(DType dtype, std::vector<std::int64_t> dims, std::string content)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(dtype));
    writer.bytes(2, encodeShape({.dims = std::move(dims)}));
    writer.bytes(4, content);
    const BufferPtr owner = makeBuffer(proto);
    auto decoded = Tensor::decode(owner->bytes(), owner);
    REQUIRE(decoded.ok());
    return *std::move(decoded);
}

std::string floats(const std::vector<float>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

std::string npy(const Tensor& in)
{
    auto out = encodeNpy(in);
    REQUIRE(out.ok());
    return *std::move(out);
}

} // namespace

TEST_CASE("npy files have NumPy's header and row-major data", "[npy]")
{
    const std::string content = floats({1, 2, 3, 4, 5, 6});
    const std::string out = npy(tensor(DType::Float, {2, 3}, content));
    CHECK(out.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t length = std::size_t(std::uint8_t(out[8])) + 256 * std::uint8_t(out[9]);
    CHECK((10 + length) % 64 == 0);
    CHECK(out[10 + length - 1] == '\n');
    CHECK(out.find("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }") == 10);
    CHECK(out.substr(10 + length) == content);
}

TEST_CASE("npy shapes of rank 0 and 1 are Python tuples", "[npy]")
{
    CHECK(npy(tensor(DType::Float, {}, floats({1}))).find("'shape': (), }") != std::string::npos);
    CHECK(npy(tensor(DType::Float, {1}, floats({1}))).find("'shape': (1,), }") !=
          std::string::npos);
}

TEST_CASE("npy writes bfloat16 as float and quantized types as integers", "[npy]")
{
    const std::string half = npy(tensor(DType::BFloat16, {1}, std::string("\x80\x3F", 2)));
    CHECK(half.find("'<f4'") != std::string::npos);
    float value = 0;
    std::memcpy(&value, half.data() + half.size() - 4, 4);
    CHECK(value == 1.0F);
    CHECK(npy(tensor(DType::QUInt8, {2}, "ab")).find("'|u1'") != std::string::npos);
}

TEST_CASE("npy refuses what has no values", "[npy]")
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(DType::Resource));
    writer.bytes(2, encodeShape({.dims = {0}}));
    const BufferPtr owner = makeBuffer(proto);
    const auto decoded = Tensor::decode(owner->bytes(), owner);
    if (decoded.ok())
        CHECK(!encodeNpy(*decoded).ok());
}
