// SPDX-License-Identifier: Apache-2.0
// Presses the key of each action: it must run the command of its row, with a visible effect.
#include "app/actions/action_sections.h"
#include "app/script/event_sender.h"
#include "app/window/action_tables.h"
#include "app/window/docks/window_docks.h"
#include "resources/samples/samples.h"
#include "tests/app/window/run_desk.h"
#include "tests/shared_data.h"
#include "views/canvas/graph_canvas.h"

#include <QClipboard>
#include <QDir>
#include <QImage>
#include <QMainWindow>
#include <QStatusBar>
#include <QTest>

#include <map>
#include <vector>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::RunDesk;

namespace {

const std::string usual = "expand net\nwait idle\nselect net/relu\nwait idle\n";
const std::string searched = "key Ctrl+F\ntype op:relu\nwait idle\nkey Escape\n" + usual;
const std::string profiled = usual + "action graph.profile\nwait idle\n";
const std::string inText = "key Ctrl+F\n";
const std::string oneStep = "action recipe.addPass\ntype quantize_nodes\nkey Return\nwait idle\n";
const std::string applied = oneStep + "action recipe.all\nwait idle\n";
const std::string twoSteps = oneStep + "action recipe.addPass\ntype remove_device\nkey Return\n"
                                       "wait idle\n";
const std::string compared = applied + "action graph.comparePrevious\nwait idle\n";
const std::string numbers = applied + "action lens.compare\nwait idle\n";

// Prepares the window so that the key has an effect; the model is open.
const std::map<QString, std::string>& preparations()
{
    static const std::map<QString, std::string> lines{
        {u"edit.findNext"_s, searched},
        {u"edit.findPrevious"_s, searched},
        {u"view.back"_s, usual + "action view.fitSelection\nwait idle\n"},
        {u"view.forward"_s,
         usual + "action view.fitSelection\nwait idle\naction view.back\nwait idle\n"},
        {u"view.zoom100"_s, usual + "action view.zoomIn\nwait idle\n"},
        {u"view.fitAll"_s, usual + "action view.zoomIn\naction view.zoomIn\nwait idle\n"},
        {u"view.toggle"_s, "select net\nwait idle\n"},
        {u"view.expandInside"_s, "collapse net\nwait idle\nselect scores\nwait idle\n"},
        {u"view.expandAll"_s, "collapse net\nwait idle\n"},
        {u"view.colorFamily"_s, usual + "action view.colorType\nwait idle\n"},
        {u"view.colorTime"_s, profiled + "action view.colorFamily\nwait idle\n"},
        {u"view.colorTarget"_s,
         usual + "action graph.target\nset targetChoice android_full\nwait idle\n"
                 "action view.colorFamily\nwait idle\n"},
        {u"view.colorTwoRuns"_s, profiled + "action profile.keep\naction graph.profile\nwait idle\n"
                                            "action view.colorFamily\nwait idle\n"},
        {u"view.colorNext"_s, usual + "action view.colorParameters\nwait idle\n"},
        {u"view.nextTab"_s, "open OTHER\nwait idle\n"},
        {u"view.previousTab"_s, "open OTHER\nwait idle\n"},
        {u"view.focusCanvas"_s, usual + inText},
        {u"graph.pathEnd"_s,
         usual + "select net/sum\nkey Ctrl+G\nkey S\nselect scores\nwait idle\n"},
        {u"graph.clearTrace"_s, usual + "key Ctrl+G\nkey U\nwait idle\n"},
        {u"graph.openFunction"_s, "open CALLER\nwait idle\naction graph.closeFunction\nwait idle\n"
                                  "select StatefulPartitionedCall\nwait idle\n"},
        {u"graph.closeFunction"_s, "open CALLER\nwait idle\n"},
        {u"graph.showAlone"_s, usual + "select net/axes\nwait idle\n"},
        {u"graph.showHidden"_s, usual + "key Ctrl+G\nkey Delete\nwait idle\n"},
        {u"graph.nextProblem"_s, "open BROKEN\nwait idle\n"},
        {u"graph.previousProblem"_s, "open BROKEN\nwait idle\n"},
        {u"graph.compareOriginal"_s, applied},
        {u"graph.comparePrevious"_s, applied},
        {u"graph.compareAdd"_s, compared},
        {u"graph.compareAddState"_s, twoSteps + "action recipe.all\nwait idle\n"
                                                "action graph.comparePrevious\nwait idle\n"},
        {u"graph.nextDifference"_s, compared},
        {u"graph.previousDifference"_s, compared},
        {u"graph.otherSide"_s, compared},
        {u"graph.closePane"_s, compared + "action graph.otherSide\nwait idle\n"},
        {u"graph.cancel"_s, usual + "action graph.profile\n"},
        {u"profile.keep"_s, profiled},
        {u"run.nextSet"_s, usual + "feed keep first\n"},
        {u"lens.next"_s, numbers},
        {u"lens.editRange"_s, numbers + "THEN select ROUNDED\nwait idle\n"},
        {u"lens.keepRange"_s, numbers + "THEN range ROUNDED -1 1\nwait idle\n"},
        {u"lens.compare"_s, applied + "action view.node\nwait idle\n"},
        {u"pictures.nextWrong"_s, "open COLORS\nwait idle\nevaluate PICTURES LABELS\nwait idle\n"},
        {u"sensitivity.measure"_s, "open OTHER\nwait idle\n"},
        {u"sensitivity.next"_s, "open OTHER\nwait idle\nsensitivity pt8\nwait idle\n"},
        {u"graph.left"_s, "select bias\nwait idle\n"},
        {u"graph.right"_s, "select picture\nwait idle\n"},
        {u"recipe.next"_s, oneStep},
        {u"recipe.all"_s, oneStep},
        {u"recipe.undo"_s, oneStep},
        {u"recipe.redo"_s, oneStep + "action recipe.undo\nwait idle\n"},
        {u"recipe.duplicate"_s, oneStep},
        {u"recipe.moveUp"_s, twoSteps},
        {u"recipe.moveDown"_s, twoSteps + "action recipe.moveUp\nwait idle\n"},
        {u"recipe.findings"_s, oneStep},
        {u"recipe.nextFinding"_s, oneStep + "action recipe.findings\nwait idle\n"},
        {u"recipe.previousFinding"_s, oneStep + "action recipe.findings\nwait idle\n"},
        {u"autopilot.search"_s, "open OTHER\nwait idle\n"},
        {u"autopilot.use"_s, "open OTHER\nwait idle\nautopilot smallest\nwait idle\n"},
        {u"state.previous"_s, applied},
        {u"state.next"_s, applied + "action state.first\nwait idle\n"},
        {u"state.first"_s, applied},
        {u"state.last"_s, applied + "action state.first\nwait idle\n"},
        {u"state.firstDifference"_s, applied},
        {u"branch.start"_s, applied},
        {u"node.delete"_s, usual + "select scores\nwait idle\n"},
    };
    return lines;
}

// The scores are the amounts of red, green and blue in a picture.
const char* const colors = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 4 } dim { size: 4 } dim { size: 3 } } } } }
node { name: "axes" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 int_val: 1 int_val: 2
    tensor_shape { dim { size: 2 } } } } } }
node { name: "mean" op: "Mean" input: "x" input: "axes"
  attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tidx" value { type: DT_INT32 } } }
node { name: "scores" op: "Softmax" input: "mean" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

struct KeyDesk : RunDesk {
    std::vector<QString> ran; // ids of the actions

    KeyDesk()
    {
        for (const ActionSpec* spec : window->parts().actions->specs()) {
            QAction* action = window->parts().actions->action(spec->id);
            QObject::connect(action, &QAction::triggered, window.get(),
                             [this, action] { ran.push_back(action->objectName()); });
        }
        // A green picture is labeled red.
        QDir(folder.path()).mkdir(u"pictures"_s);
        writePicture("pictures/1_red.png", 255, 0, 0);
        writePicture("pictures/2_red.png", 0, 255, 0);
        REQUIRE(writeFileAtomically(path("colors.pbtxt"), colors).ok());
        REQUIRE(writeFileAtomically(path("labels.txt"), "red\ngreen\nblue\n").ok());
    }
    void settle() const
    {
        int quiet = 0; // times in a row
        const auto isQuiet = [&] {
            quiet = window->isIdle() ? quiet + 1 : 0;
            return quiet == 5;
        };
        REQUIRE(QTest::qWaitFor(isQuiet, 60'000));
    }
    // Prepares the window by a script. Names after "THEN" exist by then.
    bool prepare(const std::string& script) const
    {
        const std::size_t then = script.find("THEN ");
        bool isDone = run(opened(filledIn(script.substr(0, then)))) == 0;
        window->show();
        if (then != std::string::npos)
            isDone = run(filledIn(script.substr(then + 5))) == 0 && isDone;
        window->show();
        window->activateWindow();
        return isDone;
    }
    std::string filledIn(std::string script) const
    {
        const std::map<std::string, std::string> names{
            {"OTHER", otherModel},
            {"BROKEN", brokenModel},
            {"COLORS", path("colors.pbtxt")},
            {"CALLER", (sharedData() / "models/real/serving_half_plus_two_tf2").string()},
            {"ROUNDED", roundedNode()},
            {"PICTURES", path("pictures")},
            {"LABELS", path("labels.txt")}};
        for (const auto& [name, value] : names)
            for (std::size_t at = script.find(name); at != std::string::npos;
                 at = script.find(name))
                script.replace(at, name.size(), '"' + value + '"');
        return script;
    }
    // The first node that quantizes, once the numbers have been compared.
    std::string roundedNode() const
    {
        const Document* document = window->parts().tabs->document();
        if (document == nullptr || !document->lens().found())
            return "none";
        const auto& pairs = document->lens().found()->pairs;
        const auto found = std::ranges::find_if(
            pairs, [](const VerifiedPair& pair) { return pair.isRounding && pair.codes; });
        return found == pairs.end() ? "none" : std::string(parseInput(found->b).node);
    }
    std::string otherModel = write("other.pb", samples::residualNetwork());
    std::string brokenModel = write("broken.pb", samples::brokenGraph());

    // Everything that a user can see: all windows, the focus, and the clipboard.
    QStringList seen() const
    {
        QStringList all{QApplication::clipboard()->text(), window->statusBar()->currentMessage(),
                        QApplication::focusWidget() != nullptr
                            ? QApplication::focusWidget()->objectName()
                            : QString()};
        for (QWidget* top : QApplication::topLevelWidgets()) {
            if (!top->isVisible())
                continue;
            const QImage image = top->grab().toImage();
            all.append(
                top->objectName() +
                QString::number(qHashBits(image.constBits(), std::size_t(image.sizeInBytes()))));
        }
        window->parts().actions->refresh();
        for (const ActionSpec* spec : window->parts().actions->specs())
            if (const QAction* action = window->parts().actions->action(spec->id);
                action->isChecked())
                all.append(action->objectName());
        if (const Document* document = window->parts().tabs->document(); document != nullptr)
            all.append(QString::number(document->selection().items().size()));
        return all;
    }
};

std::vector<const ActionSpec*> keyed()
{
    std::vector<const ActionSpec*> specs;
    for (const std::span<const ActionSpec> table : actionTables())
        for (const ActionSpec& spec : table)
            if (!spec.key.empty())
                specs.push_back(&spec);
    return specs;
}

} // namespace

TEST_CASE("the handbook's tables of keys have every action in the section of its menu", "[keys]")
{
    const std::string page = keysPage(actionTables());
    std::size_t rows = 0;
    for (const ActionSection& section : actionSections(actionTables())) {
        const std::size_t start = page.find("## " + section.title + "\n");
        REQUIRE(start != std::string::npos);
        const std::size_t end = page.find("\n## ", start);
        for (const ActionSpec* spec : section.actions) {
            INFO(spec->id);
            ++rows;
            const std::size_t at = page.find("`" + std::string(spec->id) + "` |\n", start);
            CHECK(at < end);
        }
    }
    const KeyDesk desk;
    CHECK(rows == desk.window->parts().actions->specs().size());
}

TEST_CASE("a row of the handbook says the key, the command and what it does", "[keys]")
{
    static constexpr ActionSpec rows[]{
        {.id = "file.open",
         .label = "Open\u2026",
         .help = "Opens.",
         .key = "Ctrl+O",
         .menu = "File"},
        {.id = "view.open",
         .label = "Unfold",
         .help = "Shows what is inside.",
         .key = "Ctrl+Return",
         .menu = "View/Scopes",
         .scope = KeyScope::Canvas},
        {.id = "view.away", .label = "Away", .help = "Hides."},
    };
    static constexpr std::span<const ActionSpec> tables[]{rows};
    const std::string head = "\n\n| key | command | what it does | id |\n|---|---|---|---|\n";
    CHECK(keysPage(tables) ==
          "## File" + head + "| Ctrl+O | Open | Opens. | `file.open` |\n" + "\n## View" + head +
              "| *Ctrl+Enter* | Unfold | Shows what is inside. | `view.open` |\n"
              "|  | Away | Hides. | `view.away` |\n");
}

TEST_CASE("every key of the tables runs the action of its row", "[keys]")
{
    for (const ActionSpec* spec : keyed()) {
        const QString id = QString::fromUtf8(spec->id);
        const auto prepared = preparations().find(id);
        KeyDesk desk;
        INFO(spec->key << " " << spec->id);
        CHECK(desk.prepare(prepared == preparations().end() ? usual : prepared->second));
        if (spec->scope != KeyScope::Window)
            desk.window->parts().tabs->canvas()->setFocus();
        if (id == u"graph.cancel"_s)
            desk.window->parts().actions->run("graph.profile");
        else
            desk.settle();
        desk.window->statusBar()->clearMessage();
        QApplication::clipboard()->clear();
        CHECK(desk.window->parts().actions->obstacle(spec->id).toStdString().empty());
        desk.ran.clear();
        const QStringList before = desk.seen();
        events::key(desk.window.get(), QKeySequence(QString::fromUtf8(spec->key))[0]);
        desk.settle();
        if (spec->scope != KeyScope::CanvasOwn)
            CHECK(desk.ran == std::vector<QString>{id});
        const bool isSeen = desk.seen() != before;
        CHECK(isSeen);
        for (QWidget* top : QApplication::topLevelWidgets())
            if (top != desk.window.get() && top->isVisible())
                top->close();
    }
}
