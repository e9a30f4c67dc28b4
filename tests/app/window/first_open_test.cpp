// SPDX-License-Identifier: Apache-2.0
// The groups that a first picture opens.
#include "app/document/picture/graph_view.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/theme/text_measure.h"

#include <array>
#include <string>

namespace lapidary {
namespace {

GraphViewPtr viewOf(const std::string& text)
{
    auto view = GraphView::make(graph(text), {}, measureCanvasText(), Job());
    REQUIRE(view.ok());
    return *view;
}

} // namespace

TEST_CASE("a group in many frames is not opened if that makes the picture small", "[document]")
{
    // Three ops in `depth` nested scopes, each with an op beside it.
    const auto isOpened = [](int depth, float height) {
        std::string text = "x = Placeholder()\n";
        std::string at = "x";
        std::string scope;
        for (int i = 0; i < depth; ++i) {
            scope += (i == 0 ? "in" : "/in") + std::to_string(i);
            text += scope + "/first = Neg(" + at + ")\n";
            at = scope + "/first";
        }
        for (const char* op : {"Relu", "Tanh", "MatMul"}) {
            text += scope + "/last" + op + " = " + op + "(" + at + ")\n";
            at = scope + "/last" + op;
        }
        const GraphViewPtr view = viewOf(text + "y = Softmax(" + at + ")\n");
        const GroupId innermost = view->tree().find(scope);
        REQUIRE(innermost.isValid());
        std::set<GroupId> open;
        for (GroupId id = innermost; id != rootGroup; id = view->tree().group(id).parent)
            open.insert(id);
        Scene scene;
        scene.bounds = {0, 0, 400, height};
        return view->withoutTooMuch(open, scene).contains(innermost);
    };
    CHECK(isOpened(4, 1400));
    CHECK_FALSE(isOpened(4, 1700));
    CHECK(isOpened(3, 1700));
}

TEST_CASE("the stages of a network are opened beside its head", "[document]")
{
    // Stages of different ops in one scope, and two more scopes after it.
    const auto isOpened = [](int stages) {
        const std::array ops{"Relu", "Tanh", "Neg", "Abs", "Exp", "Sin", "Cos"};
        std::string text = "x = Placeholder()\n";
        std::string at = "x";
        for (std::size_t i = 0; i < std::size_t(stages); ++i) {
            const std::string stage = "net/body/" + std::string(1, char('a' + i % 26)) +
                                      std::string(i / 26, 'z') + "_stage/";
            text += stage + "mul = MatMul(" + at + ")\n";
            text += stage + "act = " + ops[i % 7] + "(" + stage + "mul)\n";
            text += stage + "end = " + ops[i / 7] + "(" + stage + "act)\n";
            at = stage + "end";
        }
        text += "net/logits/mul = MatMul(" + at + ")\n";
        text += "net/logits/add = BiasAdd(net/logits/mul)\n"
                "net/head/soft = Softmax(net/logits/add)\n"
                "net/head/out = Neg(net/head/soft)\n"
                "y = Abs(net/head/out)\n";
        const GraphViewPtr view = viewOf(text);
        const GroupId body = view->tree().find("net/body");
        REQUIRE(body.isValid());
        return view->firstOpen().contains(body);
    };
    CHECK(isOpened(9));
    CHECK(isOpened(27));
    CHECK_FALSE(isOpened(45)); // too many to read at once
}

TEST_CASE("examples that the graph holds are not drawn on the layer that reads them", "[document]")
{
    const GraphPtr held = graph(R"(
        examples = Const()
        w = Const()
        product = MatMul(examples, w)
        y = Softmax(product)
    )");
    GraphViewOptions options;
    options.inputs = {held->find("examples")};
    const auto view = GraphView::make(held, options, measureCanvasText(), Job());
    REQUIRE(view.ok());
    CHECK((*view)->preparation().hidden(held->find("examples")) == nullptr);
    CHECK((*view)->preparation().hidden(held->find("w")) != nullptr);
}

} // namespace lapidary
