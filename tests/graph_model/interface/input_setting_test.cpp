// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/input_setting.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <string>

namespace lapidary {
namespace {

// Returns the value for inference; -1 if `input` is not a setting.
double valueOf(std::string_view text, std::string_view input = "k")
{
    const GraphPtr made = graph(text);
    const auto setting = inputSetting(*made, {made->find(input), 0});
    return setting ? setting->value : -1;
}

} // namespace

TEST_CASE("a dropout's input is a setting", "[interface][setting]")
{
    SECTION("floor(keep + random) * x / keep")
    {
        const std::string_view dropout = R"(k = Placeholder()
                                            x = Placeholder()
                                            size = Shape(x)
                                            r = RandomUniform(size)
                                            span = Const()
                                            scaled = Mul(r, span)
                                            moved = Add(scaled, span)
                                            sum = Add(k, moved)
                                            mask = Floor(sum)
                                            div = RealDiv(x, k)
                                            y = Mul(div, mask))";
        CHECK(valueOf(dropout) == 1);
        CHECK(valueOf(dropout, "x") == -1);
    }
    SECTION("random >= rate, and the rate is 1 - keep")
    {
        const std::string_view dropout = R"(k = Placeholder()
                                            one = Const()
                                            rate = Sub(one, k)
                                            size = Const()
                                            r = RandomUniform(size)
                                            mask = GreaterEqual(r, rate))";
        CHECK(valueOf(dropout) == 1);
    }
    SECTION("random >= rate")
    {
        CHECK(valueOf(R"(k = Placeholder()
                         same = Identity(k)
                         size = Const()
                         r = RandomUniform(size)
                         mask = GreaterEqual(r, same))") == 0);
    }
    SECTION("the rate is given to a branch")
    {
        CHECK(valueOf(R"(k = Placeholder()
                         training = Placeholder()
                         one = Const()
                         side = Switch(k, training)
                         keep = Sub(one, side:1)
                         size = Const()
                         r = RandomUniform(size)
                         sum = Add(keep, r)
                         mask = Floor(sum))") == 0);
    }
    SECTION("nodes with too few and too many inputs")
    {
        std::string wide = "k = Placeholder()\nlone = Add(k)\nw0 = Add(k, k)\n";
        for (int i = 0; i < 8; ++i) {
            const std::string before = "w" + std::to_string(i);
            std::string line = "w" + std::to_string(i + 1) + " = Add(" + before;
            for (int input = 0; input < 200; ++input)
                line += ", " + before;
            wide += line + ")\n";
        }
        CHECK(valueOf(wide + "sum = Add(k, w8)\ny = Floor(sum)") == -1);
    }
    SECTION("numbers that are drawn otherwise")
    {
        CHECK(valueOf(R"(k = Placeholder()
                         size = Const()
                         r = RandomStandardNormal(size)
                         noisy = Add(k, r)
                         y = Floor(noisy))") == -1);
        CHECK(valueOf(R"(k = Placeholder()
                         size = Const()
                         r = RandomUniform(size)
                         noisy = Add(k, r)
                         y = Relu(noisy))") == -1);
    }
}

TEST_CASE("the switch between training and inference is a setting", "[interface][setting]")
{
    const std::string_view branches = R"(k = Placeholder()
                                         x = Placeholder()
                                         enters = Switch(x, k)
                                         size = Shape(enters:1)
                                         r = RandomUniform(size)
                                         noisy = Add(enters:1, r)
                                         y = Merge(enters, noisy))";
    CHECK(valueOf(branches) == 0);
    CHECK(valueOf(branches, "x") == -1);
    CHECK(valueOf(R"(k = Placeholder()
                     x = Placeholder()
                     trains = LogicalNot(k)
                     enters = Switch(x, trains)
                     size = Shape(enters:1)
                     r = RandomUniform(size)
                     noisy = Add(enters:1, r)
                     y = Merge(enters, noisy))") == 1);
    CHECK(valueOf(R"(k = Placeholder()
                     x = Placeholder()
                     enters = Switch(x, k)
                     size = Shape(enters)
                     r = RandomUniform(size)
                     noisy = Add(enters, r)
                     y = Merge(enters:1, noisy))") == 1);
    // Neither side trains, or both do.
    CHECK(valueOf(R"(k = Placeholder()
                     x = Placeholder()
                     enters = Switch(x, k)
                     up = Relu(enters:1)
                     y = Merge(enters, up))") == -1);
    // The training nodes come after the branches have merged.
    CHECK(valueOf(R"(k = Placeholder()
                     x = Placeholder()
                     enters = Switch(x, k)
                     y = Merge(enters, enters:1)
                     size = Shape(y)
                     r = RandomUniform(size))") == -1);
}

} // namespace lapidary
