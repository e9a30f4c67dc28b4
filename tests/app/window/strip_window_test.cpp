// SPDX-License-Identifier: Apache-2.0
#include "app/document/document.h"
#include "app/window/view/document_view.h"
#include "app/window/view/strip_follower.h"
#include "resources/samples/samples.h"
#include "tests/app/window/desktop.h"
#include "tests/graph_testing.h"
#include "views/canvas/graph_canvas.h"
#include "views/strip/architecture_strip.h"
#include "views/strip/stage_button.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace lapidary;
using lapidary::testing::Desktop;
using namespace Qt::Literals::StringLiterals;

namespace {

std::string deepNetwork()
{
    std::string text = "x = Placeholder(dtype=float)\n";
    std::string at = "x";
    const char* const activations[] = {"Relu", "Tanh", "Elu", "Selu", "Sigmoid"};
    for (int i = 0; i < 10; ++i) {
        const std::string scope = "net/stage" + std::string(1, char('a' + i));
        text += scope + "/w = Const()\n" + scope + "/MatMul = MatMul(" + at + ", " + scope +
                "/w)\n" + scope + "/act = " + activations[i % 5] + "(" + scope + "/MatMul)\n";
        at = scope + "/act";
    }
    return text + "y = Softmax(" + at + ")\n";
}

DocumentView* onlyView(const Desktop& session)
{
    return session.window->parts().tabs->views()[0];
}

ArchitectureStrip* stripOf(DocumentView* view)
{
    return view->findChild<ArchitectureStrip*>(u"architecture"_s);
}

StageButton* buttonOf(const ArchitectureStrip& strip, const QString& name)
{
    const auto buttons = strip.buttons();
    const auto found = std::ranges::find_if(
        buttons, [&](const StageButton* button) { return button->face().name == name; });
    return found == buttons.end() ? nullptr : *found;
}

} // namespace

TEST_CASE("a click on a stage selects it and brings it into the middle", "[window]")
{
    Desktop session;
    session.window->resize(1600, 700);
    const std::string model = session.write("net.pb", graph(deepNetwork()));
    REQUIRE(session.run("open " + model + "\nwait idle\nsize 1600 700\nwait idle") == 0);
    session.window->show();
    DocumentView* view = onlyView(session);
    ArchitectureStrip* strip = stripOf(view);
    REQUIRE(strip != nullptr);
    REQUIRE(strip->isVisible());
    StageButton* last = buttonOf(*strip, u"stagej"_s);
    REQUIRE(last != nullptr);
    view->canvas()->camera().setReducedMotion(true);
    const Camera before = view->canvas()->camera().now();
    QTest::mouseClick(last, Qt::LeftButton);
    REQUIRE(session.run("wait idle") == 0);
    CHECK(view->canvas()->camera().now() != before);
    const ItemId selected = view->document().selection().item();
    const ScopeTree& tree = view->document().picture().view()->tree();
    CHECK(selected == ItemId::of(tree.find("net/stagej")));
    const QRectF box = view->canvas()->viewRect(selected);
    const QRectF shown(view->canvas()->viewport()->rect());
    CHECK(shown.contains(box));
    CHECK(std::abs(box.center().y() - shown.center().y()) < 2);
    CHECK(last->isCurrent());
}

TEST_CASE("the strip carries the hits of a search, whatever is open", "[window]")
{
    Desktop session;
    const std::string model = session.write("net.pb", graph(deepNetwork()));
    REQUIRE(session.run("open " + model + "\nwait idle\nkey Ctrl+F\ntype stageb\nwait idle") == 0);
    const ArchitectureStrip* strip = stripOf(onlyView(session));
    const auto& row = strip->stages()->row;
    const auto at = std::ranges::find(row, "stageb", &Stage::name);
    REQUIRE(at != row.end());
    std::uint32_t hits = 0;
    for (const StageButton* button : strip->buttons())
        if (button->face().marks.hits > 0)
            hits += button->face().marks.hits;
    CHECK(hits >= 2);
}

TEST_CASE("two graphs beside each other mark the stages that differ", "[window]")
{
    Desktop session;
    const std::string before = session.write("before.pb", graph(deepNetwork()));
    std::string text = deepNetwork();
    const std::string act = "net/stagec/act = ";
    text.insert(text.find(act) + act.size(), "Leaky");
    const std::string after = session.write("after.pb", graph(text));
    REQUIRE(session.run("size 1900 800\nopen " + before + "\nopen " + after +
                        "\nwait idle\naction graph.compareTab\nwait idle") == 0);
    std::size_t marked = 0;
    for (const DocumentView* view : session.window->findChildren<DocumentView*>()) {
        const ArchitectureStrip* strip = view->findChild<ArchitectureStrip*>(u"architecture"_s);
        for (const StripCell& cell : strip->cells()) {
            const auto at = std::size_t(&cell - strip->cells().data());
            if (strip->buttons()[at]->face().marks.differences == DifferenceCounts())
                continue;
            ++marked;
            bool holdsIt = false;
            for (std::size_t s = cell.first; s < cell.first + cell.count; ++s)
                holdsIt = holdsIt || strip->stages()->row[s].name == "stagec";
            CHECK(holdsIt);
        }
    }
    CHECK(marked >= 2);
}

TEST_CASE("a graph of few parts has no strip", "[window]")
{
    Desktop session;
    const std::string model = session.write("net.pb", graph("x = Placeholder()\ny = Relu(x)"));
    REQUIRE(session.run("open " + model + "\nwait idle") == 0);
    session.window->show();
    CHECK(!stripOf(onlyView(session))->isVisible());
}
