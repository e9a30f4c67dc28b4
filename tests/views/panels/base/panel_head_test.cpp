// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/panels/base/panel_head.h"

#include <QLabel>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

TEST_CASE("a remark that is too long for its panel is elided, not cut", "[panels]")
{
    PanelHead head(u"remark"_s);
    head.resize(200, 40);
    const auto* remark = head.findChild<QLabel*>(u"remark"_s);
    REQUIRE(remark != nullptr);
    const auto picture = [&](const QString& text) {
        head.setRemark(text, false);
        return head.grab().toImage();
    };
    const QString whole =
        u"input image:0 takes float of any shape, and nothing says which it has"_s;
    const QImage shown = picture(whole);
    CHECK(shown == picture(remark->fontMetrics().elidedText(whole, Qt::ElideRight,
                                                            remark->contentsRect().width())));
    CHECK(shown != picture(u"input image:0"_s));
    CHECK(remark->text() == u"input image:0"_s);
    CHECK(remark->toolTip() == remark->text());
}

TEST_CASE("a remark in two lines that is longer still is elided in the second one", "[panels]")
{
    PanelHead head(u"remark"_s);
    head.wrapRemark();
    head.resize(200, 50);
    const auto picture = [&](const QString& text) {
        head.setRemark(text, false);
        return head.grab().toImage();
    };
    const QString begin = u"one word after the other, and more words than two lines hold"_s;
    const QString more = begin + u" of any width at all, whatever they say"_s;
    CHECK(picture(more) == picture(more + u" and so on"_s));        // neither is whole
    CHECK(picture(u"two words"_s) != picture(u"two words more"_s)); // both are
}
