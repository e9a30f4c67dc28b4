// SPDX-License-Identifier: Apache-2.0
// Tests of everything that needs a QApplication: offscreen unless a platform is asked for. A Qt
// warning fails the run.
#define CATCH_CONFIG_RUNNER
#include "tests/catch.h"

#include <QApplication>
#include <QStringList>

#include <atomic>
#include <cstdio>

namespace {

std::atomic<int> qtWarnings{0};

/// What the offscreen platform lacks: it says so of every window or menu that is shown.
bool isMissingInPlatform(const QString& text)
{
    static const QStringList missing{
        QStringLiteral("propagateSizeHints()"), QStringLiteral("raise()"),
        QStringLiteral("grabbing the keyboard"), QStringLiteral("grabbing the mouse")};
    const QString start = QStringLiteral("This plugin does not support ");
    return text.startsWith(start) && missing.contains(text.mid(start.size()));
}

void report(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    if (isMissingInPlatform(text))
        return;
    if (type == QtWarningMsg || type == QtCriticalMsg || type == QtFatalMsg)
        ++qtWarnings;
    std::fprintf(stderr, "Qt: %s\n", qUtf8Printable(text));
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    qInstallMessageHandler(report);
    const int failed = Catch::Session().run(argc, argv);
    if (qtWarnings > 0)
        std::fprintf(stderr, "%d Qt warnings\n", qtWarnings.load());
    return failed != 0 ? failed : qtWarnings > 0 ? 1 : 0;
}
