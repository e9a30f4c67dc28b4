// SPDX-License-Identifier: Apache-2.0
// Measuring on a device from the window, with a stand-in for adb.
#include "app/window/docks/window_docks.h"
#include "tests/app/window/desktop.h"
#include "tests/catch.h"
#include "tests/stand_in_adb.h"
#include "views/models/profile/profile_node_model.h"
#include "views/panels/profile/profile_panel.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace lapidary;
using lapidary::testing::Desktop;

namespace {

namespace fs = std::filesystem;

std::string searchPath()
{
    const char* const known = std::getenv("PATH");
    return known == nullptr ? "" : known;
}

// A window with a device that fails as `fails` says.
struct DeviceDesktop : Desktop {
    explicit DeviceDesktop(const char* fails)
        : m_path(searchPath())
    {
        const fs::path here = folder.path().toStdString();
        fs::create_directories(here / "bin");
        fs::create_directories(here / "phone/data/local/tmp");
        REQUIRE(writeFileAtomically(here / "bin/adb", standInAdb).ok());
        fs::permissions(here / "bin/adb", fs::perms::owner_all);
        REQUIRE(writeFileAtomically(here / "answer.log", recordedDeviceLog).ok());
        REQUIRE(writeFileAtomically(here / "tool", "a program").ok());
        REQUIRE(writeFileAtomically(here / "mlp.pbtxt", measuredNetwork).ok());
        setenv("PATH", ((here / "bin").string() + ":" + m_path).c_str(), 1);
        setenv("ADB_RECORD", (here / "told").c_str(), 1);
        setenv("ADB_LOG", (here / "answer.log").c_str(), 1);
        setenv("DEVICE", (here / "phone").c_str(), 1);
        setenv("FAIL", fails, 1);
    }
    ~DeviceDesktop() { setenv("PATH", m_path.c_str(), 1); }
    DeviceDesktop(const DeviceDesktop&) = delete;
    DeviceDesktop& operator=(const DeviceDesktop&) = delete;

    // Opens the model and starts a run by keys.
    int measure(const std::string& then) const
    {
        return run("open " + path("mlp.pbtxt") + "\nwait idle\naction graph.device\nkey Tab\n" +
                   "key Ctrl+A\ntype \"" + path("tool") + "\"\nkey Return\nwait idle\n" + then);
    }
    std::string told() const
    {
        std::ifstream file(path("told"));
        return {std::istreambuf_iterator<char>(file), {}};
    }
    const ProfileSession& profile() const { return window->parts().tabs->document()->profile(); }
    bool isDeviceClean() const { return fs::is_empty(path("phone/data/local/tmp")); }

private:
    std::string m_path;
};

} // namespace

TEST_CASE("a run on a device becomes the profile of the graph", "[device]")
{
    const DeviceDesktop session("");
    REQUIRE(session.measure("") == 0);
    REQUIRE(session.profile().sums());
    const NodeId output = session.window->parts().tabs->document()->graph()->find("output");
    CHECK(session.profile().sums()->of(ItemId::of(output)).nanoseconds > 0);
    CHECK(session.window->parts().docks->isProfileShown());
    CHECK(fs::exists(session.path("mlp.arm64-v8a.log")));
    CHECK(session.isDeviceClean());
    CHECK(session.told().find("--input_layer=input:0") != std::string::npos);
    CHECK(session.told().find("mlp.pb") != std::string::npos);
}

TEST_CASE("a run on this machine is compared with one on a device", "[device]")
{
    const DeviceDesktop session("");
    REQUIRE(session.run("open " + session.path("mlp.pbtxt") +
                        "\nwait idle\naction graph.profile\nwait idle") == 0);
    REQUIRE(session.profile().sums());
    CHECK_FALSE(session.profile().sumsHere());
    REQUIRE(session.run("action graph.device\nset deviceTool \"" + session.path("tool") +
                        "\"\nkey Return\nwait idle") == 0);
    REQUIRE(session.profile().sumsHere());
    CHECK(session.profile().sums()->profile().source !=
          session.profile().sumsHere()->profile().source);
    const auto* panel = session.window->findChild<ProfilePanel*>();
    REQUIRE(panel != nullptr);
    CHECK(panel->nodes().columnCount() == ProfileNodeModel::ColumnCount);
}

TEST_CASE("an error on a device is one sentence in the dialog", "[device]")
{
    constexpr std::array<std::array<const char*, 2>, 3> failures{
        {{"nodevice", "no device is connected"},
         {"crash", "benchmark_model crashed on the device"},
         {"unplugged", "the device was unplugged"}}};
    for (const auto& [fails, says] : failures) {
        INFO(fails);
        const DeviceDesktop session(fails);
        CHECK(session.measure("expect text deviceFault \"" + std::string(says) +
                              "\"\nkey Escape") == 0);
        CHECK_FALSE(session.profile().profile());
        CHECK_FALSE(fs::exists(session.path("mlp.arm64-v8a.log")));
    }
}
