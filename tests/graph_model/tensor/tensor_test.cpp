// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/summary/tensor_values_text.h"
#include "graph_model/tensor/tensor.h"
#include "tests/catch.h"

#include <charconv>
#include <cmath>
#include <cstring>

using namespace lapidary;

namespace {

std::string fromHex(std::string_view hex)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size() + 1; i += 3) {
        unsigned value = 0;
        std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
        bytes += char(value);
    }
    return bytes;
}

Result<Tensor> decodeHex(std::string_view hex)
{
    const BufferPtr buffer = makeBuffer(fromHex(hex));
    return Tensor::decode(buffer->bytes(), buffer);
}

Result<Tensor> decodeProto(std::string proto)
{
    const BufferPtr buffer = makeBuffer(std::move(proto));
    return Tensor::decode(buffer->bytes(), buffer);
}

std::vector<double> numbersOf(std::string_view hex)
{
    const auto tensor = decodeHex(hex);
    REQUIRE(tensor.ok());
    const auto numbers = tensor->numbers(0, tensor->elements());
    REQUIRE(numbers.ok());
    return *numbers;
}

std::vector<std::string> stringsOf(std::string_view hex)
{
    const auto tensor = decodeHex(hex);
    REQUIRE(tensor.ok());
    const auto strings = tensor->strings();
    REQUIRE(strings.ok());
    return *strings;
}

using Numbers = std::vector<double>;
using Strings = std::vector<std::string>;

std::string shapeProto(const std::vector<std::int64_t>& dims)
{
    return encodeShape(Shape{dims, false});
}

// Encodes a TensorProto of `dtype` and `dims`, followed by fields that are encoded already.
std::string tensorProto(DType dtype, const std::vector<std::int64_t>& dims,
                        std::string_view fields = {})
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(std::int64_t(dtype)));
    writer.bytes(2, shapeProto(dims));
    return proto.append(fields);
}

std::string floatVal(float value)
{
    std::string packed(4, '\0');
    std::memcpy(packed.data(), &value, 4);
    std::string field;
    WireWriter(field).bytes(5, packed);
    return field;
}

} // namespace

TEST_CASE("tensors: typed fields and splats", "[tensor]")
{
    CHECK(numbersOf("08 01 12 00 2a 04 00 00 80 3f") == Numbers{1.0});
    CHECK(numbersOf("08 01 12 08 12 02 08 02 12 02 08 03 2a 04 00 00 00 3f") == Numbers(6, 0.5));
    CHECK(numbersOf("08 01 12 08 12 02 08 02 12 02 08 03") == Numbers(6, 0.0));
    CHECK(numbersOf("08 03 12 04 12 02 08 04 3a 02 07 09") == Numbers{7, 9, 9, 9});
    CHECK(numbersOf("08 03 12 04 12 02 08 01 3a 02 07 09") == Numbers{7});
    CHECK(numbersOf("08 04 12 04 12 02 08 01 3a 02 ac 02") == Numbers{44});
    CHECK(numbersOf("08 0a 12 04 12 02 08 02 5a 01 01") == Numbers{1, 1});
    CHECK(numbersOf("08 09 12 04 12 02 08 02 50 05 50 06") == Numbers{5, 6});
    CHECK(numbersOf("08 01 12 02 18 01 2a 04 00 00 00 40") == Numbers{2.0});
}

TEST_CASE("tensors: half and bfloat16 hold bit patterns", "[tensor]")
{
    CHECK(decodeHex("08 13 12 00 6a 02 80 78").value().values().value() == fromHex("00 3c"));
    CHECK(numbersOf("08 13 12 00 6a 02 80 78") == Numbers{1.0});
    CHECK(decodeHex("08 0e 12 00 6a 02 80 7f").value().values().value() == fromHex("80 3f"));
    CHECK(numbersOf("08 0e 12 00 6a 02 80 7f") == Numbers{1.0});
}

TEST_CASE("tensors: complex numbers drop an odd value", "[tensor]")
{
    const auto tensor =
        decodeHex("08 08 12 04 12 02 08 01 4a 0c 00 00 80 3f 00 00 00 40 00 00 40 40");
    REQUIRE(tensor.ok());
    CHECK(tensor->values().value() == fromHex("00 00 80 3f 00 00 00 40"));
    CHECK(tensor->numbers(0, 1).value()[0] == Approx(std::sqrt(5.0)));
}

TEST_CASE("tensors: content", "[tensor]")
{
    CHECK(numbersOf("08 03 12 04 12 02 08 03 22 0c 01 00 00 00 02 00 00 00 03 00 00 00") ==
          Numbers{1, 2, 3});
    const auto shorter =
        decodeHex("08 03 12 04 12 02 08 03 22 0b 01 00 00 00 02 00 00 00 03 00 00");
    REQUIRE_FALSE(shorter.ok());
    CHECK(shorter.error().message.find("11 bytes") != std::string::npos);
    CHECK(numbersOf("08 03 12 04 12 02 08 01 22 04 05 00 00 00 3a 01 09") == Numbers{5});
    const auto empty = decodeHex("08 01 12 08 12 02 08 00 12 02 08 05 22 01 ff");
    REQUIRE(empty.ok());
    CHECK(empty->elements() == 0);
    CHECK(empty->content().empty());
    CHECK(empty->values().value().empty());
}

TEST_CASE("tensors: bytes of bools become 0 and 1", "[tensor]")
{
    CHECK(decodeHex("08 0a 12 04 12 02 08 03 22 03 02 00 ff").value().values().value() ==
          fromHex("01 00 01"));
    // The varint 256 is true, although its low byte is 0.
    CHECK(numbersOf("08 0a 12 00 5a 02 80 02") == Numbers{1});
}

TEST_CASE("tensors: strings", "[tensor]")
{
    CHECK(stringsOf("08 07 12 04 12 02 08 02 42 01 61 42 02 62 63") == Strings{"a", "bc"});
    CHECK(stringsOf("08 07 12 04 12 02 08 02 22 05 01 02 61 62 63") == Strings{"a", "bc"});
    CHECK_FALSE(decodeHex("08 07 12 04 12 02 08 02 22 06 01 02 61 62 63 64").ok());
    CHECK_FALSE(decodeHex("08 07 12 04 12 02 08 02 22 01 01").ok());
    CHECK(stringsOf("08 07 12 04 12 02 08 03 42 01 61") == Strings{"a", "a", "a"});
    CHECK(stringsOf("08 07 12 04 12 02 08 02") == Strings{"", ""});
    CHECK_FALSE(decodeHex("08 07 12 00 42 01 61").value().values().ok());
    CHECK_FALSE(decodeHex("08 01 12 00").value().strings().ok());
}

TEST_CASE("tensors: what TensorFlow refuses is refused", "[tensor]")
{
    CHECK_FALSE(decodeHex("12 00").ok());
    CHECK_FALSE(decodeHex("08 65 12 00").ok());
    CHECK_FALSE(decodeHex("08 01 12 0d 12 0b 08 ff ff ff ff ff ff ff ff ff 01").ok());
    CHECK_FALSE(decodeHex("08 01 12 10 12 06 08 80 80 80 80 10 12 06 08 80 80 80 80 10").ok());
    CHECK_FALSE(decodeProto(tensorProto(DType::Float, {std::int64_t(1) << 62})).ok());
    CHECK_FALSE(decodeProto(tensorProto(DType::Float, {std::int64_t(1) << 62, 4, 0})).ok());
    CHECK(decodeProto(tensorProto(DType::Float, {0, std::int64_t(1) << 62, 4})).ok());
    CHECK(decodeProto(tensorProto(DType::Float, std::vector<std::int64_t>(254, 1))).ok());
    CHECK_FALSE(decodeProto(tensorProto(DType::Float, std::vector<std::int64_t>(255, 1))).ok());
    CHECK_FALSE(decodeProto(tensorProto(DType(24), {0})).ok());
    CHECK_FALSE(decodeProto("").ok());
}

TEST_CASE("tensors: a message cut at any byte neither crashes nor gives wrong values", "[tensor]")
{
    const std::string whole =
        fromHex("08 03 12 04 12 02 08 03 3a 03 01 02 03 22 0c 01 00 00 00 02 00 00 00 03 00 00 00");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto tensor = decodeProto(whole.substr(0, size));
        if (tensor.ok())
            CHECK(tensor->values().value().size() == std::size_t(tensor->elements()) * 4);
    }
    CHECK_FALSE(decodeProto(whole.substr(0, whole.size() - 1)).ok());
}

TEST_CASE("tensors: shapes in two fields are merged", "[tensor]")
{
    const auto tensor = decodeHex("08 01 12 04 12 02 08 02 12 04 12 02 08 03");
    REQUIRE(tensor.ok());
    CHECK(tensor->shape().dims == std::vector<std::int64_t>{2, 3});
}

TEST_CASE("tensors: the text of a huge splat of any number", "[tensor]")
{
    const auto text = [](const char* tensor) {
        return tensorValuesText(decodeHex(tensor).value());
    };
    // 2^21 elements: of 2^63 + 2^62, of -2, and of NaN.
    CHECK(text("08 17 12 07 12 05 08 80 80 80 01 8a 01 0a 80 80 80 80 80 80 80 80 c0 01")
              .starts_with("13835058055282163712 13835058055282163712"));
    CHECK(text("08 09 12 07 12 05 08 80 80 80 01 52 0a fe ff ff ff ff ff ff ff ff 01")
              .starts_with("-2 -2"));
    CHECK(text("08 01 12 07 12 05 08 80 80 80 01 2a 04 00 00 c0 7f").starts_with("nan nan"));
}

TEST_CASE("tensors: huge splats are never expanded", "[tensor]")
{
    const auto tensor =
        decodeProto(tensorProto(DType::Float, {std::int64_t(1) << 40}, floatVal(2.5F)));
    REQUIRE(tensor.ok());
    CHECK(tensor->isSplat());
    CHECK_FALSE(tensor->values().ok());
    const auto some = tensor->numbers((std::int64_t(1) << 40) - 3, std::int64_t(1) << 40);
    REQUIRE(some.ok());
    CHECK(*some == Numbers(3, 2.5));
    CHECK_FALSE(tensor->numbers(0, (std::int64_t(1) << 40) + 1).ok());
    CHECK_FALSE(tensor->numbers(2, 1).ok());
    CHECK_FALSE(tensor->numbers(-1, 1).ok());
    CHECK_FALSE(tensor->values(1 << 20).ok());
}

TEST_CASE("tensors: ranges across packed chunks, single values and the repeated last", "[tensor]")
{
    // int32 [6], values 1 2 (packed), 3 (single), 4 (packed); 4 is repeated.
    const auto tensor = decodeHex("08 03 12 04 12 02 08 06 3a 02 01 02 38 03 3a 01 04");
    REQUIRE(tensor.ok());
    const Numbers all{1, 2, 3, 4, 4, 4};
    for (std::int64_t begin = 0; begin <= 6; ++begin)
        for (std::int64_t end = begin; end <= 6; ++end)
            CHECK(tensor->numbers(begin, end).value() ==
                  Numbers(all.begin() + begin, all.begin() + end));
    const auto floats =
        decodeProto(tensorProto(DType::Float, {5}, floatVal(1) + floatVal(2) + floatVal(3)));
    REQUIRE(floats.ok());
    const Numbers wanted{1, 2, 3, 3, 3};
    for (std::int64_t begin = 0; begin <= 5; ++begin)
        for (std::int64_t end = begin; end <= 5; ++end)
            CHECK(floats->numbers(begin, end).value() ==
                  Numbers(wanted.begin() + begin, wanted.begin() + end));
}

TEST_CASE("tensors: negative and wide integers keep their bits", "[tensor]")
{
    CHECK(numbersOf("08 03 12 00 3a 0a ff ff ff ff ff ff ff ff ff 01") == Numbers{-1});
    CHECK(numbersOf("08 11 12 00 3a 0a ff ff ff ff ff ff ff ff ff 01") == Numbers{65535});
    CHECK(
        decodeHex("08 17 12 00 8a 01 0a ff ff ff ff ff ff ff ff ff 01").value().values().value() ==
        std::string(8, '\xff'));
}

TEST_CASE("tensors: special half values", "[tensor]")
{
    const auto half = [](std::string_view hex) { return numbersOf(hex)[0]; };
    CHECK(half("08 13 12 00 22 02 00 fc") == -HUGE_VAL);
    CHECK(std::isnan(half("08 13 12 00 22 02 01 7c")));
    CHECK(half("08 13 12 00 22 02 01 00") == Approx(std::ldexp(1.0, -24)));
    CHECK(half("08 13 12 00 22 02 ff 7b") == 65504.0);
    CHECK(half("08 13 12 00 22 02 00 c0") == -2.0);
}
