// SPDX-License-Identifier: Apache-2.0
// The script that reproduces the shown state, saved in the window and run by a shell.
#include "graph_model/read/file_digest.h"
#include "resources/samples/samples.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"

#include <QProcess>
#include <QProcessEnvironment>

#include <fstream>

using namespace lapidary;
using lapidary::testing::Desktop;

namespace {

constexpr int patienceMs = 120'000;

int runScript(const std::string& script)
{
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LAPIDARY"), QStringLiteral(LAPIDARY_PROGRAM));
    shell.setProcessEnvironment(environment);
    shell.setProcessChannelMode(QProcess::MergedChannels);
    shell.start(QStringLiteral("sh"), {QString::fromStdString(script)});
    REQUIRE(shell.waitForFinished(patienceMs));
    INFO(shell.readAll().toStdString());
    REQUIRE(shell.exitStatus() == QProcess::NormalExit);
    return shell.exitCode();
}

std::string sum(const std::string& path)
{
    const auto digest = fileSha256(path, Job());
    return digest ? digest.value() : digest.error().message;
}

// Applies two of three steps and shows the result.
std::string shownState(const Desktop& session)
{
    const std::string model = session.write("net.pb", samples::residualNetwork());
    REQUIRE(session.run("open " + model + R"(
wait idle
expect disabled recipe.saveScript
action recipe.addPass
type remove_device
key Return
action recipe.addPass
type fold_constants
key Return
action recipe.addPass
type remove_identity
key Return
wait idle
action recipe.all
wait idle
expect enabled recipe.saveScript
action state.previous
wait idle)") == 0);
    return model;
}

void save(const Desktop& session, const char* action, const std::string& path)
{
    REQUIRE(session.run(std::string("action ") + action + "\nset fileNameEdit " + path +
                        "\nkey Return\nwait idle") == 0);
}

} // namespace

TEST_CASE("a saved script makes the exported state again", "[recipe_window]")
{
    const Desktop session;
    shownState(session);
    const std::string out = session.path(GENERATE("out.pb", "out.pbtxt"));
    const std::string script = session.path("rebuild.sh");
    save(session, "file.saveAs", out);
    save(session, "recipe.saveScript", script);
    const std::string exported = sum(out);
    REQUIRE(exported.size() == 64);
    REQUIRE(std::filesystem::remove(out));
    CHECK(runScript(script) == 0);
    CHECK(sum(out) == exported);
}

TEST_CASE("a script of a state that was not exported writes beside itself", "[recipe_window]")
{
    const Desktop session;
    shownState(session);
    save(session, "recipe.saveScript", session.path("rebuild.sh"));
    CHECK(runScript(session.path("rebuild.sh")) == 0);
    save(session, "file.saveAs", session.path("out.pb"));
    CHECK(sum(session.path("out.pb")) == sum(session.path("net.transformed.pb")));
}

TEST_CASE("no script is made if the file changed since it was read", "[recipe_window]")
{
    const Desktop session;
    const std::string model = shownState(session);
    {
        std::ofstream more(model, std::ios::binary | std::ios::app);
        more << "\x0a\x0c\x0a\x03new\x12\x05NoOp\x20"; // as long, but with other bytes
    }
    // The window has not checked the file again yet.
    session.window->parts().tabs->document()->recipe().stop();
    save(session, "recipe.saveScript", session.path("rebuild.sh"));
    CHECK_FALSE(std::filesystem::exists(session.path("rebuild.sh")));
}
