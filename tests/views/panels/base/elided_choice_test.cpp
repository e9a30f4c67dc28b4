// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/panels/base/elided_choice.h"
#include "views/panels/base/elided_name.h"

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

TEST_CASE("a name that is shortened twice has one gap", "[tables]")
{
    const QString name = u"rnnlm_1/multi_rnn_cell/cell_0/MatMul/eightbit/requantize:0"_s;
    const QStringList neighbors{u"rnnlm_1/multi_rnn_cell/cell_0/MatMul/eightbat/requantize:0"_s,
                                u"rnnlm_1/multi_rnn_cell/cell_0/MatMul/eightbit"_s};
    const QFontMetrics metrics{QFont()};
    for (int width = 20; width < metrics.horizontalAdvance(name); ++width) {
        INFO(width);
        const QString shown = elidedName(name, metrics, width, neighbors);
        CHECK_FALSE(shown.contains(u"\u2026\u2026"_s));
        CHECK(metrics.horizontalAdvance(shown) <= width);
    }
}

TEST_CASE("a choice shortens the name that it shows", "[tables]")
{
    ElidedChoice choice;
    choice.addItems({u"embedding_quint8_const"_s, u"embedding_min"_s});
    choice.resize(90, 30);
    CHECK(choice.shownText().contains(u'\u2026'));
    CHECK(choice.fontMetrics().horizontalAdvance(choice.shownText()) < 90);
    choice.resize(400, 30);
    CHECK(choice.shownText() == u"embedding_quint8_const"_s);
}
