// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/panels/breadcrumb_bar.h"

#include <QComboBox>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

TEST_CASE("the choice of the graph has space for its name, or elides it", "[panels]")
{
    BreadcrumbBar bar;
    bar.resize(700, 32);
    const QString usual = u"network of serving_default"_s;
    const QString tooLong = u"network of "_s + QString(80, u'm');
    bar.setEntries({usual, tooLong}, 0);
    bar.show();
    const auto* choice = bar.findChild<QComboBox*>(u"graphChoice"_s);
    REQUIRE(choice != nullptr);
    CHECK(choice->itemText(0) == usual);
    CHECK(choice->width() >= choice->fontMetrics().horizontalAdvance(usual) + 24);
    CHECK(choice->itemText(1).contains(QChar(0x2026)));
    CHECK(choice->itemData(1, Qt::ToolTipRole).toString() == tooLong);
    CHECK(choice->width() <= 320);
}
