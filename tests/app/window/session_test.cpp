// SPDX-License-Identifier: Apache-2.0
// A killed program, and what the next one restores.
#include "graph_model/write/write_model.h"
#include "resources/samples/samples.h"
#include "tests/catch.h"
#include "tests/shared_data.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QThread>

#include <nlohmann/json.hpp>

using namespace lapidary;

namespace {

// The last step is made right before the program is killed. The window fits the screen of the
// offscreen platform, because Qt 6.8 does not restore a window that is larger than the screen.
constexpr const char* work = R"(size 790 700
open %1
wait idle
expand block1
wait idle
select stem/MaxPool
wait idle
action node.bypass
wait idle
action recipe.addPass
type remove_device
key Return
wait idle
action recipe.addPass
type fold_constants
key Return
wait idle
action recipe.all
wait idle
action branch.start
wait idle
action recipe.addPass
type sort_by_execution_order
key Return
wait idle
action recipe.all
wait idle
action recipe.undo
action recipe.undo
wait idle
action state.previous
wait idle
select block1/unit2
action view.zoomIn
wait idle
dump layout %2
)";

constexpr int patienceMs = 120'000;
constexpr int mostLostMs = 5000;

struct Program {
    QProcess process;

    explicit Program(const QString& state)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_STATE_HOME"), state);
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), state);
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(
            QStringLiteral(LAPIDARY_PROGRAM),
            {QStringLiteral("--remember"), QStringLiteral("--script"), QStringLiteral("-")});
        REQUIRE(process.waitForStarted(patienceMs));
    }
    // Waits until the program prints the word.
    void run(const QString& script, const QByteArray& word)
    {
        process.write(
            (script + QStringLiteral("\nsay ") + QString::fromLatin1(word) + QStringLiteral("\n"))
                .toUtf8());
        QByteArray said;
        QElapsedTimer time;
        time.start();
        while (!said.contains(word) && time.elapsed() < patienceMs &&
               process.state() == QProcess::Running) {
            process.waitForReadyRead(500);
            said += process.readAll();
        }
        INFO(said.toStdString());
        REQUIRE(said.contains(word));
    }
};

nlohmann::json layoutIn(const QString& path)
{
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    return nlohmann::json::parse(file.readAll().toStdString(), nullptr, false);
}

} // namespace

TEST_CASE("files that were open when the program was killed are open again", "[session]")
{
    const QTemporaryDir folder;
    const QString state = folder.filePath(QStringLiteral("state"));
    const QString model = folder.filePath(QStringLiteral("net.pb"));
    REQUIRE(
        writeFileAtomically(model.toStdString(), encodeGraphDef(*samples::residualNetwork())).ok());
    {
        Program program(state);
        program.run(QStringLiteral("size 790 700\nopen %1\nwait idle\nexpand block1\nwait idle\n"
                                   "select stem/MaxPool\nwait idle\naction node.bypass\nwait idle\n"
                                   "select block1/unit2\naction view.zoomIn\nwait idle\n"
                                   "dump layout %2\n")
                        .arg(model, folder.filePath(QStringLiteral("before.json"))),
                    "dumped");
        QThread::msleep(mostLostMs);
        program.process.kill(); // SIGKILL
        REQUIRE(program.process.waitForFinished(patienceMs));
    }
    {
        Program program(state);
        program.run(QStringLiteral("wait idle\nexpect tabs 1\nexpect selected block1/unit2\n"
                                   "expect open block1\nexpect text recipeSteps bypass_nodes\n"
                                   "dump layout %1\n")
                        .arg(folder.filePath(QStringLiteral("after.json"))),
                    "taken-up");
        program.process.write("action file.quit\n");
        REQUIRE(program.process.waitForFinished(patienceMs));
    }
    const auto before = layoutIn(folder.filePath(QStringLiteral("before.json")));
    const auto after = layoutIn(folder.filePath(QStringLiteral("after.json")));
    REQUIRE(before.is_object());
    CHECK(before["boxes"].size() > 5);
    CHECK((before["boxes"] == after["boxes"]));
    for (const char* part : {"x", "y", "w", "h", "scale"}) {
        INFO(part);
        CHECK(before["view"][part].get<double>() ==
              Approx(after["view"][part].get<double>()).margin(0.5));
    }
    // After a normal end there is nothing to restore.
    Program program(state);
    program.run(QStringLiteral("wait idle\nexpect tabs 0\n"), "empty");
    program.process.write("quit\n");
    CHECK(program.process.waitForFinished(patienceMs));
}

TEST_CASE("branches, undone changes, the state shown and the camera outlive a kill", "[session]")
{
    const QTemporaryDir folder;
    const QString state = folder.filePath(QStringLiteral("state"));
    const QString model = folder.filePath(QStringLiteral("net.pb"));
    REQUIRE(
        writeFileAtomically(model.toStdString(), encodeGraphDef(*samples::residualNetwork())).ok());
    const QString before = folder.filePath(QStringLiteral("before.json"));
    const QString after = folder.filePath(QStringLiteral("after.json"));
    {
        Program program(state);
        program.run(QString::fromLatin1(work).arg(model, before), "made");
        QThread::msleep(mostLostMs);
        program.process.kill(); // SIGKILL
        REQUIRE(program.process.waitForFinished(patienceMs));
    }
    {
        Program program(state);
        program.run(QStringLiteral("wait idle\nexpect tabs 1\nexpect selected block1/unit2\n"
                                   "expect open block1\ndump layout %1\n")
                        .arg(after),
                    "taken-up");
        // The branch, with its undone changes, which can all be redone, and the branch that it
        // left.
        program.run(QStringLiteral("expect enabled recipe.redo\naction recipe.redo\nwait idle\n"
                                   "expect text recipeSteps sort_by_execution_order\n"
                                   "action recipe.redo\nwait idle\nexpect disabled recipe.redo\n"
                                   "expect disabled recipe.next\n"
                                   "action branch.next\nwait idle\n"
                                   "expect text recipeSteps fold_constants\n"
                                   "expect enabled recipe.undo\n"),
                    "complete");
        for (int i = 0; i < 4; ++i) // two passes added, all applied, one edit
            program.run(QStringLiteral("action recipe.undo\nwait idle"), "undone");
        program.run(QStringLiteral("expect disabled recipe.undo\nexpect disabled recipe.all\n"),
                    "at-the-start");
        program.process.write("quit\n");
        CHECK(program.process.waitForFinished(patienceMs));
    }
    const auto then = layoutIn(before);
    const auto now = layoutIn(after);
    REQUIRE(then.is_object());
    CHECK(then["boxes"].size() > 5);
    CHECK((then["boxes"] == now["boxes"]));
    for (const char* part : {"x", "y", "w", "h", "scale"}) {
        INFO(part);
        CHECK(then["view"][part].get<double>() ==
              Approx(now["view"][part].get<double>()).margin(0.5));
    }
}

TEST_CASE("feeds, their sets, how values are shown, node data and notes outlive a kill",
          "[session]")
{
    const QTemporaryDir folder;
    const QString state = folder.filePath(QStringLiteral("state"));
    const QString model = folder.filePath(QStringLiteral("net.pb"));
    const QString data = folder.filePath(QStringLiteral("times.csv"));
    const QString labels = folder.filePath(QStringLiteral("labels.txt"));
    REQUIRE(
        writeFileAtomically(model.toStdString(), encodeGraphDef(*samples::residualNetwork())).ok());
    REQUIRE(
        writeFileAtomically(data.toStdString(), "node,ms,mW\nstem/MaxPool,2,9\nblock1,1,4\n").ok());
    REQUIRE(writeFileAtomically(labels.toStdString(), "zero\none\n").ok());
    {
        Program program(state);
        program.run(QStringLiteral("size 1280 800\nopen %1\nwait idle\n"
                                   "feed images random:7\nfeed keep seven\n"
                                   "feed images ones\nwait idle\n"
                                   "note stem/MaxPool \"too wide\"\n"
                                   "select stem/MaxPool\nkey Ctrl+G\nkey M\nwait idle\n"
                                   "select block1\naction note.bookmark\nwait idle\n"
                                   "run stem/MaxPool\nwait idle\n"
                                   "set valueView \"Heat map\"\nwait idle\n"
                                   "openData %2\nwait idle\nset nodeDataColumn mW\nwait idle\n")
                        .arg(model, data),
                    "made");
        QThread::msleep(mostLostMs);
        program.process.kill(); // SIGKILL
        REQUIRE(program.process.waitForFinished(patienceMs));
    }
    Program program(state);
    program.run(QStringLiteral("wait idle\nexpect tabs 1\nexpect text feedTable ones\n"
                               "expect text noteTable \"too wide\"\n"
                               "expect text noteTable \"block1\"\n"
                               "expect text nodeDataColumn mW\n"
                               "expect text nodeDataRemark \"times.csv: 1 of\"\n"
                               "run stem/MaxPool\nwait idle\nexpect text valueView \"Heat map\"\n"
                               "feed use seven\nwait idle\nexpect text feedTable random:7\n"
                               "expect text feedSets seven\n"),
                "taken-up");
    program.process.write("quit\n");
    CHECK(program.process.waitForFinished(patienceMs));
}

// Such a file shows the network that it calls; that is not a graph of the file.
TEST_CASE("feeds and notes in a drawn network survive a kill", "[session]")
{
    const QTemporaryDir folder;
    const QString state = folder.filePath(QStringLiteral("state"));
    const QString model =
        QString::fromStdString((sharedData() / "models/made/functional_control.pb").string());
    {
        Program program(state);
        program.run(QStringLiteral("size 1280 800\nopen %1\nwait idle\nfeed x ones\nwait idle\n"
                                   "note functional_while \"five turns\"\n"
                                   "select out\naction note.bookmark\nrun out\nwait idle\n"
                                   "set valueView Table\nwait idle\n")
                        .arg(model),
                    "made");
        QThread::msleep(mostLostMs);
        program.process.kill(); // SIGKILL
        REQUIRE(program.process.waitForFinished(patienceMs));
    }
    Program program(state);
    program.run(QStringLiteral("wait idle\nexpect tabs 1\nexpect text feedTable ones\n"
                               "expect text noteTable \"five turns\"\n"
                               "expect text noteTable out\n"
                               "run out\nwait idle\nexpect text valueView Table\n"),
                "taken-up");
    program.process.write("quit\n");
    CHECK(program.process.waitForFinished(patienceMs));
}
