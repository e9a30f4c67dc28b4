// SPDX-License-Identifier: Apache-2.0
// Notes and bookmarks of nodes and scopes.
#include "tests/app/window/desktop.h"
#include "views/models/note_model.h"

#include <QAbstractItemModelTester>
#include <QTableView>

#include <nlohmann/json.hpp>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::Desktop;

namespace {

const char* const notedNetwork = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "net/a" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/b" op: "Relu" input: "net/a" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Softmax" input: "net/b" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

struct NoteDesk : Desktop {
    NoteDesk() { openNetwork(notedNetwork); }
    Document& document() const { return *window->parts().tabs->document(); }
    NoteSession& notes() const { return document().notes(); }
};

} // namespace

TEST_CASE("A note is written by keys and listed", "[window][notes]")
{
    const NoteDesk desk;
    REQUIRE(desk.run("select net/b\nkey Ctrl+G\nkey Shift+N\ntype \"saturates\"\nkey Return\n"
                     "wait idle\nkey Ctrl+G\nkey M\nwait idle\n") == 0);
    const Note note = desk.notes().noteOf({false, "net/b"});
    CHECK(note.text == "saturates");
    CHECK(note.isBookmark);
    auto* table = desk.window->findChild<QTableView*>(u"noteTable"_s);
    REQUIRE(table != nullptr);
    REQUIRE(table->model()->rowCount() == 1);
    CHECK(table->model()->index(0, NoteModel::TextColumn).data().toString() == u"saturates"_s);
    desk.window->show();
    // A click goes to the node; a note without text or bookmark is removed.
    REQUIRE(desk.run("select x\naction view.notes\naction view.notes\nwait idle\n"
                     "click noteTable:0\nwait idle\nexpect selected net/b\n"
                     "press noteBookmark\nnote net/b \"\"\nwait idle\n") == 0);
    CHECK(table->model()->rowCount() == 0);
}

TEST_CASE("A note of a scope stays with what it is of", "[window][notes]")
{
    const NoteDesk desk;
    REQUIRE(desk.run("note net \"two of the same\"\nwait idle\n") == 0);
    CHECK(desk.notes().noteOf({true, "net"}).text == "two of the same");
    CHECK(desk.notes().noteOf({false, "net"}).isEmpty());
    RecipeDraft draft;
    draft.items.push_back({{"obfuscate_names", {}}, true});
    draft.applied = 1;
    desk.recipe().change(draft);
    desk.recipe().show(1);
    REQUIRE(desk.run("wait idle\n") == 0);
    CHECK(desk.notes().notes().size() == 1); // the original still has its note
}

TEST_CASE("Notes come back with what is remembered of a file", "[window][notes]")
{
    const NoteDesk desk;
    desk.notes().setText({false, "net/a"}, "first");
    desk.notes().setBookmark({true, "net"}, true);
    const nlohmann::json kept = desk.document().memory().state();
    NoteSession other;
    other.restore(kept["graphs"]["0"]["notes"]);
    CHECK(other.notes() == desk.notes().notes());
    other.restore(nlohmann::json::parse(
        R"([7, {"node": 3}, {"node": "x", "bookmark": "yes"}, {"scope": "s", "text": "kept"}])"));
    REQUIRE(other.notes().size() == 1);
    CHECK(other.noteOf({true, "s"}).text == "kept");
}

TEST_CASE("The model of notes keeps the rules of models", "[models][notes]")
{
    NoteModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows({{false, u"x"_s, u"text"_s, true, true}, {true, u"net"_s, {}, true, false}});
    CHECK(model.rowCount() == 2);
    QString edited;
    QObject::connect(
        &model, &NoteModel::textEdited, &model,
        [&](bool, const QString& place, const QString& text) { edited = place + u'=' + text; });
    CHECK(model.setData(model.index(1, NoteModel::TextColumn), u"new"_s, Qt::EditRole));
    CHECK(edited == u"net=new"_s);
    CHECK_FALSE(model.setData(model.index(1, NoteModel::PlaceColumn), u"new"_s, Qt::EditRole));
    model.setRows({});
    CHECK(model.rowCount() == 0);
}
