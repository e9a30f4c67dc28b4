// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/boxed_runs.h"
#include "tests/catch.h"

#include <QProcess>

#include <fstream>
#include <iterator>
#include <string>

namespace lapidary::testing {

// Graphs run in a sandboxed process of the program, as they do for users.
class Sandboxed {
public:
    Sandboxed() { runGraphsWith(LAPIDARY_PROGRAM); }
    ~Sandboxed() { runGraphsWith({}); }
    Sandboxed(const Sandboxed&) = delete;
    Sandboxed& operator=(const Sandboxed&) = delete;
};

// Returns the output of the program on the command line.
inline std::string printedBy(const QStringList& arguments)
{
    QProcess program;
    program.start(QString::fromUtf8(LAPIDARY_PROGRAM), arguments);
    REQUIRE(program.waitForFinished(120'000));
    INFO(program.readAllStandardError().toStdString());
    REQUIRE(program.exitCode() == 0);
    return program.readAllStandardOutput().toStdString();
}

inline std::string bytesOf(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace lapidary::testing
