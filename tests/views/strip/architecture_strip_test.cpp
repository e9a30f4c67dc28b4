// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/strip/architecture_strip.h"
#include "views/strip/stage_button.h"
#include "views/theme/color.h"
#include "views/theme/ramp.h"
#include "views/theme/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QtTest/QTest>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

Stage stage(Stage::Kind kind, const std::string& name, double share)
{
    static std::uint32_t next = 1;
    Stage made;
    made.kind = kind;
    made.item = ItemId::of(NodeId{next++});
    made.items = {made.item};
    made.name = name;
    made.path = "net/" + name;
    made.share = share;
    made.ops = 54;
    made.weights = 215'000;
    made.flops = 1'300'000'000;
    made.shape = "1×56×56×256";
    made.family = kind == Stage::Kind::Input    ? OpFamily::Input
                  : kind == Stage::Kind::Output ? OpFamily::Output
                                                : OpFamily::HeavyMaths;
    return made;
}

StagesPtr stagesOf(int count)
{
    auto stages = std::make_shared<Stages>();
    stages->measure = Stages::Measure::Flops;
    stages->row.push_back(stage(Stage::Kind::Input, "image", 0));
    for (int i = 1; i <= count; ++i)
        stages->row.push_back(stage(Stage::Kind::Work, "block" + std::to_string(i), 1.0 / count));
    stages->row.push_back(stage(Stage::Kind::Output, "scores", 0));
    return stages;
}

std::unique_ptr<ArchitectureStrip> shownStrip(int count, int width)
{
    auto strip = std::make_unique<ArchitectureStrip>();
    strip->resize(width, strip->height());
    strip->setStages(stagesOf(count));
    QApplication::processEvents();
    return strip;
}

} // namespace

TEST_CASE("a click on a stage asks to go there", "[strip]")
{
    const auto strip = shownStrip(4, 900);
    REQUIRE(strip->isVisible());
    REQUIRE(strip->buttons().size() == 6);
    QSignalSpy chosen(strip.get(), &ArchitectureStrip::stageActivated);
    QTest::mouseClick(strip->buttons()[2], Qt::LeftButton);
    REQUIRE(chosen.count() == 1);
    CHECK(chosen[0][0].toInt() == 2);
}

TEST_CASE("the keys move from stage to stage", "[strip]")
{
    const auto strip = shownStrip(4, 900);
    const auto buttons = strip->buttons();
    if (QWidget* focused = QApplication::focusWidget())
        focused->clearFocus();
    for (const StageButton* button : buttons)
        CHECK((button->focusPolicy() == Qt::TabFocus) == (button == buttons[0]));
    strip->setCurrent(3);
    CHECK(buttons[3]->focusPolicy() == Qt::TabFocus); // Tab goes to the selected stage
    CHECK(buttons[0]->focusPolicy() == Qt::NoFocus);
    strip->activateWindow();
    buttons[3]->setFocus();
    QTest::keyClick(buttons[3], Qt::Key_Right);
    CHECK(strip->focusWidget() == buttons[4]);
    QTest::keyClick(buttons[4], Qt::Key_Home);
    CHECK(strip->focusWidget() == buttons[0]);
    QTest::keyClick(buttons[0], Qt::Key_Left);
    CHECK(strip->focusWidget() == buttons[0]);
    QTest::keyClick(buttons[0], Qt::Key_End);
    CHECK(strip->focusWidget() == buttons[5]);
    QSignalSpy chosen(strip.get(), &ArchitectureStrip::stageActivated);
    QTest::keyClick(buttons[5], Qt::Key_Left);
    QTest::keyClick(buttons[4], Qt::Key_Return);
    QTest::keyClick(buttons[4], Qt::Key_Space);
    REQUIRE(chosen.count() == 2);
    CHECK(chosen[0][0].toInt() == 4);
    CHECK(chosen[1][0].toInt() == 4);
}

TEST_CASE("the strip and its stages have names for screen readers", "[strip]")
{
    const auto strip = shownStrip(4, 900);
    StageMarks found;
    found.hits = 3;
    found.differences.changed = 2;
    strip->setMarks({{}, found, {}, {}, {}, {}});
    auto* list = QAccessible::queryAccessibleInterface(strip.get());
    REQUIRE(list != nullptr);
    CHECK(list->text(QAccessible::Name) == u"Stages of the network"_s);
    CHECK(list->childCount() == 6);
    const QString first = list->child(1)->text(QAccessible::Name);
    CHECK(first ==
          u"net/block1, 54 ops \u00B7 215 k weights \u00B7 1.30 GFLOP \u00B7 25.0 % of all "
          "FLOP, gives 1\u00D756\u00D756\u00D7256, 3 hits, 2 changed"_s);
    CHECK(list->child(0)->text(QAccessible::Name).contains(u"input 1\u00D756"_s));
}

TEST_CASE("a narrow strip keeps every stage within reach and cuts names in the middle", "[strip]")
{
    const auto strip = shownStrip(24, 2400);
    CHECK(strip->buttons().size() == 26);
    for (int width = 2400; width > 420; width -= 60) {
        strip->resize(width, strip->height());
        int right = 0;
        for (const StageButton* button : strip->buttons()) {
            CHECK(button->x() >= right);
            right = button->x() + button->width();
            QFont font = button->font();
            font.setPixelSize(12);
            const QFontMetrics metrics(font);
            CHECK(metrics.horizontalAdvance(button->shownName()) <= button->width());
            CHECK(button->shownName().size() > 4);
        }
        CHECK(right <= width);
    }
    const auto rest = std::ranges::find_if(strip->cells(), &StripCell::isRest);
    REQUIRE(rest != strip->cells().end());
    StageButton* button = strip->buttons()[std::size_t(rest - strip->cells().begin())];
    CHECK(button->accessibleName().startsWith(u"%1 stages more"_s.arg(rest->count)));
    QSignalSpy chosen(strip.get(), &ArchitectureStrip::stageActivated);
    QTest::mouseClick(button, Qt::LeftButton);
    auto* menu = strip->findChild<QMenu*>(u"moreStages"_s);
    REQUIRE(menu != nullptr);
    REQUIRE(menu->actions().size() == qsizetype(rest->count));
    menu->actions()[1]->trigger();
    REQUIRE(chosen.count() == 1);
    CHECK(chosen[0][0].toInt() == int(rest->first) + 1);
}

TEST_CASE("a strip with nothing to say is hidden", "[strip]")
{
    ArchitectureStrip strip;
    CHECK(!strip.isVisible());
    strip.setStages(stagesOf(2));
    CHECK(!strip.isVisible());
    strip.setStages(stagesOf(3));
    CHECK(strip.isVisible());
    CHECK(strip.height() >= 24);
    CHECK(strip.height() <= 32);
    strip.setWanted(false);
    CHECK(!strip.isVisible());
}

TEST_CASE("stages wear the colors of the theme", "[strip]")
{
    const auto strip = shownStrip(3, 900);
    StageMarks marks;
    marks.color = StageColor{.position = 0.8, .ofClass = {}, .text = "8 ms"};
    std::vector<StageMarks> all(5);
    for (const bool isDark : {false, true}) {
        const Theme& theme = themeFor(isDark);
        strip->setPalette(widgetPalette(theme));
        all[2] = {};
        strip->setMarks(all);
        const auto colorAt = [&](std::size_t cell) {
            const QImage picture = strip->grab().toImage();
            const QRect at = strip->buttons()[cell]->geometry();
            return picture.pixelColor(at.center().x(), at.top() + 4).name().toStdString();
        };
        const auto fill = [&](OpFamily family) {
            return theme.family(family).fill.name().toStdString();
        };
        CHECK(colorAt(2) == fill(OpFamily::HeavyMaths));
        CHECK(colorAt(4) == fill(OpFamily::Output));
        CHECK(contrast(theme.family(OpFamily::HeavyMaths).fill,
                       theme.family(OpFamily::HeavyMaths).text) >= 4.5);
        all[2] = marks;
        strip->setMarks(all);
        CHECK(colorAt(2) == overlayRamp(0.8).name().toStdString());
    }
}
