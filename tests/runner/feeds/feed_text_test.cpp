// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/feed.h"
#include "runner/feeds/feed_text.h"
#include "runner/kernels/codecs/picture.h"
#include "runner/values/value_tensor.h"
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"
#include "tests/test_folder.h"

#include <unistd.h>

namespace lapidary {
namespace {

Result<Value> fed(DType dtype, const Shape& shape, const std::string& words)
{
    static MemoryPool pool(1U << 20);
    const auto source = parseFeedSource(words);
    REQUIRE(source.ok());
    return makeFeed({"x:0", dtype, shape}, *source, pool, Job());
}

TEST_CASE("bytes of a file are true wherever they are not 0", "[feed]")
{
    const TestFolder folder;
    const std::string path = folder.write("bools", std::string("\x00\x01\x02\xff", 4));
    const auto value = fed(DType::Bool, {{4}, false}, path);
    REQUIRE(value.ok());
    CHECK(std::string(value->bytes()) == std::string("\x00\x01\x01\x01", 4));
}

TEST_CASE("a source is read back from its own words", "[feeds][feed_text]")
{
    for (const char* words :
         {"zeros", "ones", "random:1", "random:7:-2.5:3", "image:cat.png:0:255",
          "image:cat.png:127.5:127.5", "image:cat.png:123.68,116.78,103.94:1:bgr", "value:1 2 3",
          "folder/x.npy"}) {
        const auto source = parseFeedSource(words);
        REQUIRE(source.ok());
        CHECK(feedSourceText(*source) == words);
    }
    CHECK(feedSourceText(*parseFeedSource("random")) == "random:1");
    CHECK(feedSourceText(*parseFeedSource("image:cat.png")) == "image:cat.png:0:255");
    CHECK(feedSourceText(*parseFeedSource("image:a:b.png:1:c")) == "image:a:b.png:1:c:0:255");
    CHECK(feedSourceText(FedLater()).empty());
    CHECK(!parseFeedSource("random:x").ok());
}

TEST_CASE("values that a person wrote", "[feeds][feed_text]")
{
    const auto vector = fed(DType::Float, {{-1, 2}, false}, "value:1, -2.5 3e2,4");
    REQUIRE(vector.ok());
    CHECK(vector->dims() == Dims{2, 2});
    CHECK(elementsOf<float>(*vector) == std::vector<float>{1, -2.5F, 300, 4});
    const auto filled = fed(DType::Int32, {{2, 2}, false}, "value:7");
    REQUIRE(filled.ok());
    CHECK(elementsOf<std::int32_t>(*filled) == std::vector<std::int32_t>{7, 7, 7, 7});
    CHECK(fed(DType::Float, {{}, true}, "value:[1, 2]")->dims() == Dims{2});
    CHECK(fed(DType::Float, {{}, true}, "value:1")->dims().empty());
    CHECK(elementsOf<std::int64_t>(*fed(DType::Int64, {{}, false}, "value:9007199254740993"))[0] ==
          9007199254740993);
    const auto text = fed(DType::String, {{}, false}, "value:a, b");
    REQUIRE(text.ok());
    CHECK(text->strings()[0] == "a, b");
    CHECK(fed(DType::String, {{-1}, false}, "value:a\nb")->dims() == Dims{2});
}

TEST_CASE("a name that is spelled wrongly is reported", "[feeds][feed_text]")
{
    const auto message = [](DType dtype, const Shape& shape, const std::string& words) {
        const auto value = fed(dtype, shape, words);
        REQUIRE(!value.ok());
        return value.error().message;
    };
    CHECK(message(DType::Float, {{2}, false}, "value:1 two").find("\"two\"") != std::string::npos);
    CHECK(message(DType::Int32, {{1}, false}, "value:1.5").find("1.5") != std::string::npos);
    CHECK(message(DType::UInt8, {{1}, false}, "value:300").find("300") != std::string::npos);
    CHECK(message(DType::Float, {{3}, false}, "value:1 2").find("[3]") != std::string::npos);
    CHECK(message(DType::Float, {{3}, false}, "value: ").find("x:0") != std::string::npos);
    CHECK(fed(DType::Float, {{1, -1}, false}, "value:1 2").error().reason ==
          ErrorReason::MissingSize);
}

TEST_CASE("pixels are not divided by nothing", "[feeds][feed_text]")
{
    const auto source = parseFeedSource("image:cat.png:0:0");
    REQUIRE(!source.ok());
    CHECK(source.error().message.find("image:cat.png: pixels cannot be divided by 0") == 0);
    CHECK(parseFeedSource("image:cat.png:0:1").ok());
}

TEST_CASE("a picture with a mean of each color, blue first", "[feeds][feed_text]")
{
    const TestFolder folder;
    const auto png = encodePng(valueOf<std::uint8_t>({1, 1, 3}, {110, 22, 33}), -1).value();
    const std::string path = folder.write("pixel.png", png);
    const auto value =
        fed(DType::Float, {{1, -1, -1, 3}, false}, "image:" + path + ":100,20,30:2:bgr");
    REQUIRE(value.ok());
    CHECK(elementsOf<float>(*value) == std::vector<float>{1.5F, 1, 5});
}

TEST_CASE("a value as a tensor", "[values][value_tensor]")
{
    const auto numbers = tensorOf(valueOf<std::int32_t>({2}, {3, -4}));
    REQUIRE(numbers.ok());
    CHECK(*numbers->numbers(0, 2) == std::vector<double>{3, -4});
    CHECK(*tensorOf(Value::ofStrings({1}, {"a"}))->strings() == std::vector<std::string>{"a"});
    CHECK(!tensorOf(Value::ofResource(DType::Resource, nullptr)).ok());
}

TEST_CASE("texts are fed with words that depend on the seed", "[feeds][feed_text]")
{
    const Shape shape{{-1, 3}, false};
    const auto made = fed(DType::String, shape, "random:5");
    REQUIRE(made);
    CHECK(made->dims() == Dims{1, 3});
    for (const std::string& text : made->strings()) {
        CHECK(!text.empty());
        CHECK(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz ") == std::string::npos);
    }
    const auto texts = [&](const char* words) {
        const auto value = fed(DType::String, shape, words);
        REQUIRE(value);
        return std::vector<std::string>(value->strings().begin(), value->strings().end());
    };
    CHECK(texts("random:5") == texts("random:5"));
    CHECK(texts("random:5") != texts("random:6"));
    CHECK_FALSE(fed(DType::String, {{1 << 20}, false}, "random")); // beyond the memory limit
    CHECK_FALSE(fed(DType::String, shape, "random:1:0:9"));
}

} // namespace
} // namespace lapidary
