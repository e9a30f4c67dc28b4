// SPDX-License-Identifier: Apache-2.0
#include "app/run_line/run_line.h"
#include "runner/feeds/feed_text.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

TEST_CASE("a run's line is read back as the same plan", "[cli][run_line]")
{
    RunPlan plan;
    plan.feeds = {{"x:0", *parseFeedSource("value:1, it's")}, {"y:1", *parseFeedSource("a b.npy")}};
    plan.shapes = {{"x:0", Shape{{1, 224, 224, 3}, false}}};
    plan.fetches = {"softmax:0"};
    plan.session.threads = 3;
    const std::string line = runLine("my model.pb", plan);
    CHECK(line == "lapidary run 'my model.pb' --feed 'x=value:1, it'\\''s' --feed 'y:1=a b.npy' "
                  "--shape 'x=1,224,224,3' --fetch 'softmax:0' --threads 3");
    const auto back = parseRunLine(line);
    REQUIRE(back.ok());
    REQUIRE(back->feeds.size() == 2);
    CHECK(back->feeds[0].tensor == "x");
    CHECK(feedSourceText(back->feeds[0].source) == "value:1, it's");
    CHECK(feedSourceText(back->feeds[1].source) == "a b.npy");
    CHECK(back->shapes[0].second.dims == std::vector<std::int64_t>{1, 224, 224, 3});
    CHECK(back->fetches == std::vector<std::string>{"softmax:0"});
    CHECK(back->session.threads == 3);
}

TEST_CASE("a pasted line may be a part of the command", "[cli][run_line]")
{
    CHECK(parseRunLine("--feed x=ones")->feeds.size() == 1);
    CHECK(parseRunLine("run m.pb --feed x=ones -o out.npz --json")->feeds.size() == 1);
    CHECK(parseRunLine("/usr/bin/lapidary run m.pb \\\n  --feed random:7")->otherInputs);
}

TEST_CASE("a line that is not a run says why", "[cli][run_line]")
{
    const auto why = [](const char* line) {
        const auto plan = parseRunLine(line);
        REQUIRE(!plan.ok());
        return plan.error().message;
    };
    CHECK(why("lapidary verify a b").find("lapidary run") != std::string::npos);
    CHECK(why("lapidary run m.pb --feed 'x=1").find("not closed") != std::string::npos);
    CHECK(why("lapidary run m.pb --no-such").find("--no-such") != std::string::npos);
    CHECK(why("lapidary run m.pb --feed x=random:y").find("--feed") != std::string::npos);
    CHECK(!why("lapidary run --help").empty());
}

TEST_CASE("words of a shell", "[cli][run_line]")
{
    CHECK(*shellWords(" a 'b c'\"d\"\\ e '' ") == std::vector<std::string>{"a", "b cd e", ""});
    CHECK(shellWords("")->empty());
}

} // namespace
} // namespace lapidary
