// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

namespace lapidary {
namespace {

constexpr std::int64_t many = std::int64_t(1) << 62;

// ListValue.i = 3, packed.
std::string keyOf(const std::vector<char>& numbers)
{
    std::string list = std::string("\x1a") + char(numbers.size());
    list.append(numbers.begin(), numbers.end());
    return std::string("\x0a") + char(list.size()) + list;
}

std::int64_t bucket(const std::string& op, const std::string& text, std::int64_t buckets = many)
{
    NodeAttrs attrs{{"num_buckets", attr::fromInt(buckets)}};
    if (op.ends_with("Strong"))
        attrs.emplace_back("key", keyOf({1, 2}));
    const auto made = runOne(op, {stringsOf({1}, {text})}, attrs);
    return made ? elementsOf<std::int64_t>(made.value())[0] : -1;
}

std::string letters(int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += char('a' + i * 7 % 26);
    return text;
}

} // namespace

TEST_CASE("strings fall into TensorFlow's buckets", "[kernels][strings]")
{
    const struct {
        int length;
        std::int64_t fast, legacy, strong;
    } known[] = {
        {16, 3789395809548765534, 793274514798911837, 488704900265446680},
        {17, 2237273621417572890, 4026760760461540, 4132076256924066985},
        {32, 1600711689105381820, 1362746990104693980, 1030758843243622556},
        {33, 3433394632666913964, 3634490429273059034, 2207096971200393915},
        {64, 2314457052903470750, 1768591791031217714, 4321753164762075655},
        {65, 2768067016444695309, 1276432989407103793, 2271347699370359620},
        {127, 349151144761152409, 3499158907953875014, 74126277549371461},
        {128, 1257756605311619469, 1534665381441588252, 1347354599374086149},
        {129, 1060550032972533880, 3407460023365884894, 1603325299779500025},
        {1000, 1183091126332933840, 588962522988842941, 4574858475431088985},
    };
    for (const auto& [length, fast, legacy, strong] : known) {
        INFO(length);
        CHECK(bucket("StringToHashBucketFast", letters(length)) == fast);
        CHECK(bucket("StringToHashBucket", letters(length)) == legacy);
        CHECK(bucket("StringToHashBucketStrong", letters(length)) == strong);
        CHECK(bucket("StringToHashBucketFast", letters(length), 17) < 17);
    }
    CHECK(bucket("StringToHashBucketFast", "") == 1936946117179621455);
    CHECK(bucket("StringToHashBucketFast", "hello") == 3786372426573024488);
}

TEST_CASE("no buckets and keys of other lengths are refused", "[kernels][strings]")
{
    CHECK(bucket("StringToHashBucketFast", "a", 0) == -1);
    CHECK(bucket("StringToHashBucket", "a", -5) == -1);
    for (const auto& key : std::vector<std::vector<char>>{{}, {1}, {1, 2, 3}})
        CHECK_FALSE(runOne("StringToHashBucketStrong", {stringsOf({}, {"a"})},
                           {{"num_buckets", attr::fromInt(3)}, {"key", keyOf(key)}})
                        .ok());
    const auto none = runOne("StringToHashBucketFast", {stringsOf({0, 3}, {})},
                             {{"num_buckets", attr::fromInt(3)}});
    REQUIRE(none.ok());
    CHECK(none->dims() == Dims{0, 3});
}

} // namespace lapidary
