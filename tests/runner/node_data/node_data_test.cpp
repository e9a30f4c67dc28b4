// SPDX-License-Identifier: Apache-2.0
#include "runner/node_data/node_data.h"
#include "tests/catch.h"

#include <string>

namespace lapidary {
namespace {

std::vector<NodeData> parsed(std::string_view text, const std::string& file = "times.csv")
{
    auto data = parseNodeData(text, file, Job());
    INFO((data ? std::string() : data.error().message));
    REQUIRE(data.ok());
    return *std::move(data);
}

std::string faultOf(std::string_view text, const std::string& file = "times.csv")
{
    const auto data = parseNodeData(text, file, Job());
    return data ? std::string() : data.error().message;
}

using Numbers = std::vector<NodeNumber>;

} // namespace

TEST_CASE("columns of a CSV file are data of nodes", "[node_data]")
{
    const auto data = parsed("node,op,latency [ms],power (W)\r\n"
                             "a/conv,Conv2D,1.5,20\r\n"
                             "\"b, \"\"two\"\"\",Relu, 2e-3 ,\r\n\r\n");
    REQUIRE(data.size() == 2);
    CHECK(data[0].name == "latency");
    CHECK(data[0].unit == "ms");
    CHECK(data[0].source == "times.csv");
    CHECK(data[0].numbers == Numbers{{"a/conv", 1.5}, {"b, \"two\"", 0.002}});
    CHECK(data[1].name == "power");
    CHECK(data[1].unit == "W");
    CHECK(data[1].numbers == Numbers{{"a/conv", 20}});
    CHECK(data[1].withoutNumber == 1);
}

TEST_CASE("the column of names is found by its title, else it is the first", "[node_data]")
{
    CHECK(parsed("ms,node\n3,x\n")[0].numbers == Numbers{{"x", 3}});
    CHECK(parsed("what,ms\nx,3\n")[0].numbers == Numbers{{"x", 3}});
}

TEST_CASE("a CSV file may have no titles, a byte order mark and other separators", "[node_data]")
{
    const auto bare = parsed("\xEF\xBB\xBFx\t1\ny\t-2\n");
    CHECK(bare[0].name == "times");
    CHECK(bare[0].numbers == Numbers{{"x", 1}, {"y", -2}});
    CHECK(parsed("node;ms\nx;1,5\n")[0].numbers == Numbers{{"x", 1.5}});
}

TEST_CASE("JSON is read in each of its forms", "[node_data]")
{
    const auto plain = parsed(R"({"x": 1, "y:0": "2.5", "z": null})", "drift.json");
    CHECK(plain[0].name == "drift");
    CHECK(plain[0].numbers == Numbers{{"x", 1}, {"y:0", 2.5}});
    CHECK(plain[0].withoutNumber == 1);
    const auto named = parsed(R"({"name": "drift", "unit": "dB", "values": {"x": 1}})");
    CHECK(named[0].name == "drift");
    CHECK(named[0].unit == "dB");
    const auto several = parsed(R"([{"name": "a", "values": {"x": 1}}, {"values": {"x": 2}}])");
    REQUIRE(several.size() == 2);
    CHECK(several[1].name == "times 2");
    const auto rows = parsed(R"([{"node": "x", "ms": 1, "on": true}, {"node": "y", "ms": 2}])");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].numbers == Numbers{{"x", 1}, {"y", 2}});
}

TEST_CASE("node data of Model Explorer is read, for one graph and for several", "[node_data]")
{
    const auto one = parsed(R"({"results": {"conv": {"value": 0.5, "bgColor": "red"},
        "relu:0": {"value": 1}, "said": {"value": "slow"}},
        "thresholds": [{"value": 1, "bgColor": "green"}]})",
                            "error.json");
    CHECK(one[0].name == "error");
    CHECK(one[0].numbers == Numbers{{"conv", 0.5}, {"relu:0", 1}});
    CHECK(one[0].withoutNumber == 1);
    const auto two = parsed(R"x({"main": {"name": "Latency (us)", "results": {"3": {"value": 7}}},
        "other": {"results": {"4": {"value": 8}}}})x",
                            "run.json");
    REQUIRE(two.size() == 2);
    CHECK(two[0].name == "Latency");
    CHECK(two[0].unit == "us");
    CHECK(two[1].name == "run other");
    CHECK(two[1].numbers == Numbers{{"4", 8}});
}

TEST_CASE("damaged data says which file and where", "[node_data]")
{
    CHECK(faultOf("") == "times.csv: is empty");
    CHECK(faultOf(" \n\t ") == "times.csv: is empty");
    CHECK(faultOf("node,ms\nx,1\ny\n") ==
          "times.csv: line 3: has 1 cell where the first line has 2");
    CHECK(faultOf("node,ms\nx,\"1\n") == "times.csv: line 2: a quote is not closed");
    CHECK(faultOf("node,ms\n\"x\"y,1\n") ==
          "times.csv: line 2: a cell continues after its closing quote");
    CHECK(faultOf("node\nx\n").starts_with("times.csv: line 1: has only one column"));
    CHECK(faultOf("node,op\nx,Relu\n") == "times.csv: holds no number for any node");
    CHECK(faultOf("node,ms\nx,nan\n") == "times.csv: holds no number for any node");
    CHECK(faultOf(std::string_view("node,ms\nx\0,1\n", 13)).ends_with("from CSV and JSON"));
    CHECK(faultOf("node,ms\n\xFF,1\n").ends_with("from CSV and JSON"));
    CHECK(faultOf(R"({"x": 1, )") == "times.csv: is damaged JSON at byte 9");
    CHECK(faultOf(R"({"x": [1]})").find("\"x\" holds neither a number") != std::string::npos);
    CHECK(faultOf(R"([{"node": "x", "ms": 1}, 3])") == "times.csv: element 2 is not an object");
    CHECK(faultOf(R"([{"ms": 1}])").starts_with("times.csv: element 1 names no node"));
    CHECK(faultOf(R"([])") == "times.csv: holds no number for any node");
    CHECK(faultOf(R"({"results": {}})") == "times.csv: holds no number for any node");
}

TEST_CASE("hostile data neither overflows the stack nor takes long", "[node_data]")
{
    CHECK(!faultOf(std::string(200'000, '[')).empty());
    CHECK(
        !faultOf("{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}").empty());
    std::string wide = "node";
    for (int i = 0; i < 200; ++i)
        wide += ",c" + std::to_string(i);
    std::string row = "\nx";
    for (int i = 0; i < 200; ++i)
        row += ",1";
    CHECK(faultOf(wide + row).find("has 200 columns of numbers") != std::string::npos);
    // The cells of one line would take many times the memory of the file; they are not all kept.
    const std::string commas(1'000'000, ',');
    CHECK(faultOf("node,ms\na,1\n" + commas + "\n").find("line 3: has more than 4096 cells") !=
          std::string::npos);
    CHECK(faultOf(commas).find("line 1: has more than 4096 cells") != std::string::npos);
    for (std::size_t cut = 0; cut < 40; ++cut)
        faultOf(std::string_view("node,\"ms\",x\n\"a\"\"b\",1,2\r\nc,3,\"4\"\n").substr(0, cut));
}

} // namespace lapidary
