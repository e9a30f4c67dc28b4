// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/panels/run/range_bar.h"

#include <QLineEdit>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

TEST_CASE("the fields of a range show the sign and every digit of a float", "[panels]")
{
    const RangeBar bar;
    for (const QString& name : {u"rangeMin"_s, u"rangeMax"_s}) {
        const auto* field = bar.findChild<QLineEdit*>(name);
        REQUIRE(field != nullptr);
        CHECK(field->width() > field->fontMetrics().horizontalAdvance(u"-0.16124806"_s) + 14);
    }
}
