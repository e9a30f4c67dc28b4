// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/panels/base/fact_view.h"

#include <QApplication>
#include <QMouseEvent>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

// Clicks at the position of the keys of a section's first row, whether or not there are any.
void clickLeft(FactView& view, int section)
{
    const QModelIndex row =
        view.model()->index(0, FactModel::KeyColumn, view.model()->index(section, 0));
    const QRect cell = view.visualRect(row);
    const QPointF at(4, cell.center().y());
    for (const auto type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
        QMouseEvent event(type, at, view.viewport()->mapToGlobal(at), Qt::LeftButton,
                          type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton,
                          Qt::NoModifier);
        QApplication::sendEvent(view.viewport(), &event);
    }
}

} // namespace

TEST_CASE("facts without keys begin at the left and are links there", "[panels]")
{
    FactView view;
    view.resize(300, 400);
    view.show();
    const FactLink link{FactLink::Kind::Op, {}, "Relu"};
    view.setSections({{u"Node"_s, {}, {{u"input"_s, u"x"_s, {}, {}, link}}},
                      {u"Inside"_s, {}, {{{}, u"y"_s, {}, {}, link}}}});
    QApplication::processEvents();
    int followed = 0;
    QObject::connect(&view, &FactView::linkActivated, [&followed] { ++followed; });
    clickLeft(view, 0);
    CHECK(followed == 0);
    clickLeft(view, 1);
    CHECK(followed == 1);
}
