// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/profile_delta.h"
#include "tests/catch.h"

#include <algorithm>
#include <cstdint>

using namespace lapidary;

namespace {

ProfiledNode timedRow(const char* name, std::int64_t nanoseconds, std::int64_t least,
                      std::int64_t most)
{
    ProfiledNode node;
    node.name = name;
    node.nanoseconds = nanoseconds;
    node.least = least;
    node.most = most;
    return node;
}

NodeProfilePtr profileOf(std::vector<ProfiledNode> nodes, std::int64_t runs, std::int64_t outside)
{
    NodeProfile profile;
    profile.nodes = std::move(nodes);
    profile.runs = runs;
    profile.outsideNanoseconds = outside;
    return std::make_shared<const NodeProfile>(std::move(profile));
}

const DeltaRow& rowWith(const ProfileDelta& delta, std::uint32_t after)
{
    const auto found = std::find_if(delta.rows().begin(), delta.rows().end(), [&](const auto& one) {
        return std::find(one.after.begin(), one.after.end(), after) != one.after.end();
    });
    REQUIRE(found != delta.rows().end());
    return *found;
}

// 10 runs before, 4 after; the means of a run are not whole numbers.
const NodeProfilePtr earlier = profileOf(
    {timedRow("conv", 1'000'003, 99'000, 103'000), timedRow("scale", 200'001, 19'000, 21'000),
     timedRow("relu", 300'000, 29'000, 31'000), timedRow("old", 50'000, 4'000, 6'000)},
    10, 70'007);
const NodeProfilePtr later =
    profileOf({timedRow("conv", 640'001, 159'000, 161'000),
               timedRow("relu", 122'000, 30'000, 31'000), timedRow("fresh", 8'000, 1'500, 2'500)},
              4, 20'002);

} // namespace

TEST_CASE("the rows of two profiles add up to the difference of their runs", "[profile]")
{
    // conv and scale became conv.
    const auto delta = ProfileDelta::make(earlier, later, {{0, 0}, {1, 0}, {2, 1}});
    REQUIRE(delta->rows().size() == 5);
    CHECK(delta->nanosecondsBefore() == earlier->nodeNanoseconds() + 70'007);
    CHECK(delta->nanosecondsAfter() == later->nodeNanoseconds() + 20'002);
    std::int64_t sum = 0;
    std::size_t nodes = 0;
    for (const DeltaRow& one : delta->rows()) {
        sum += delta->scaledDifference(one);
        nodes += one.before.size() + one.after.size();
    }
    CHECK(nodes == earlier->nodes.size() + later->nodes.size());
    CHECK(sum == delta->nanosecondsAfter() * 10 - delta->nanosecondsBefore() * 4);
    CHECK(delta->isOutside(4));
}

TEST_CASE("nodes that became one are one row", "[profile]")
{
    const auto delta = ProfileDelta::make(earlier, later, {{0, 0}, {1, 0}, {2, 1}});
    const DeltaRow& joined = rowWith(*delta, 0);
    CHECK(joined.before == std::vector<std::uint32_t>{0, 1});
    CHECK(joined.nanosecondsBefore == 1'200'004);
    CHECK(joined.kind == DeltaKind::Slower); // 160 after 120 microseconds
    CHECK(rowWith(*delta, 1).kind == DeltaKind::Noise);
    CHECK(rowWith(*delta, 2).kind == DeltaKind::New);
    const auto gone = std::count_if(delta->rows().begin(), delta->rows().end(),
                                    [](const auto& one) { return one.kind == DeltaKind::Gone; });
    CHECK(gone == 1);
}

TEST_CASE("a difference within the spread of the runs is noise", "[profile]")
{
    const auto kind = [](ProfiledNode a, ProfiledNode b) {
        const auto delta = ProfileDelta::make(profileOf({std::move(a)}, 10, 0),
                                              profileOf({std::move(b)}, 10, 0), {{0, 0}});
        return delta->rows().front().kind;
    };
    // The means differ by half, but the slowest run of one is slower than the fastest of the other.
    CHECK(kind(timedRow("x", 1'000'000, 80'000, 200'000),
               timedRow("x", 1'500'000, 120'000, 250'000)) == DeltaKind::Noise);
    CHECK(kind(timedRow("x", 1'000'000, 90'000, 110'000),
               timedRow("x", 1'500'000, 140'000, 160'000)) == DeltaKind::Slower);
    CHECK(kind(timedRow("x", 1'500'000, 140'000, 160'000),
               timedRow("x", 1'000'000, 90'000, 110'000)) == DeltaKind::Faster);
    // The difference is less than a clock can measure.
    CHECK(kind(timedRow("x", 3'000, 250, 350), timedRow("x", 9'000, 850, 950)) == DeltaKind::Noise);
    // A log without single runs.
    ProfiledNode a = timedRow("x", 1'000'000, 0, 0);
    ProfiledNode b = timedRow("x", 1'500'000, 0, 0);
    a.least = a.most = b.least = b.most = std::nullopt;
    CHECK(kind(a, b) == DeltaKind::Slower);
    CHECK(kind(a, a) == DeltaKind::Noise);
}

TEST_CASE("absurd times of a file are compared without overflow", "[profile]")
{
    const auto huge = profileOf({timedRow("x", INT64_MAX, INT64_MAX, INT64_MAX)}, 3, INT64_MAX);
    const auto delta = ProfileDelta::make(huge, huge, pairsByName(*huge, *huge));
    REQUIRE(delta->rows().size() == 2);
    CHECK(delta->scaledDifference(delta->rows().front()) == 0);
    const auto none = profileOf({}, 0, 0); // no runs at all
    const auto alone = ProfileDelta::make(none, huge, {{5, 0}, {0, 9}});
    CHECK(alone->rows().front().kind == DeltaKind::New);
    CHECK(alone->difference(alone->rows().front()) > 0);
}
