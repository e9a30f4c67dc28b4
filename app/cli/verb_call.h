// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "app/cli/verb_list.h"
#include "graph_model/base/byte_sink.h"
#include "graph_model/read/model_file.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace lapidary {

using Json = nlohmann::ordered_json;

// The arguments of one verb. Add options, then parse().
class VerbCall {
public:
    VerbCall(const Verb& verb, Console& console);

    CLI::App& options() { return m_app; }
    // FILE, and which of its graphs (--meta-graph).
    void addFile(const std::string& help = "the graph to read; - reads standard input");
    // OTHER, a second file, whose graph is held against the first one's.
    void addOther(const std::string& help);
    void addJson();
    // Declares an output file: parse() fails if it is one of the files that are read.
    CLI::Option* addOutput(const std::string& names, std::string& path, const std::string& help);
    // The verb itself says what it does of a damaged file.
    void refuseDamage() { m_refusesDamage = true; }
    bool refusesDamage() const { return m_refusesDamage; }

    // Returns an exit code if the verb is done: after --help, or after wrong use, which it reports.
    std::optional<int> parse(std::span<const std::string> arguments);

    const std::string& file() const { return m_file; }
    const std::string& other() const { return m_other; }
    std::string& file() { return m_file; }
    bool wantsJson() const { return m_json; }
    // The value of --meta-graph, if it is given.
    std::optional<std::size_t> graphNumber() const { return m_graphNumber; }
    int wrongUse(const std::string& what) const;

private:
    std::string wrongFiles() const;

    CLI::App m_app;
    const Verb& m_verb;
    Console& m_console;
    std::string m_file;
    std::string m_other;
    std::vector<const std::string*> m_outputs;
    std::optional<std::size_t> m_graphNumber;
    bool m_json = false;
    bool m_refusesDamage = false;
};

// A file that was opened for a verb; has no value if that failed, and the error was printed.
struct OpenedModel {
    std::optional<ModelFile> file;
    const GraphEntry* entry = nullptr; // the chosen graph; null: refused or no such number
    std::size_t number = 0;            // of that graph in the file
    int exitCode = 0;                  // the exit code if there is no entry
};
// `saysWhich`: says on standard error that a file holds several graphs and which one was taken.
OpenedModel openModel(const VerbCall& call, const ReadOptions& options, Console& console,
                      bool saysWhich = true);
// FILE and OTHER, read for their graphs alone.
struct OpenedPair {
    OpenedModel first;
    OpenedModel second;
    std::optional<int> failure; // what to end with where one has no entry
};
OpenedPair openBoth(const VerbCall& call, Console& console);
// The reading half of it: "-" is standard input. Complains.
std::optional<ModelFile> readNamed(const std::string& path, const ReadOptions& options,
                                   Console& console, int& exitCode);
// Returns a sentence that names a file without graphs and says what it is instead.
std::string refusalOf(const ModelFile& file, const std::string& path);
// Returns the name of a file in messages: "standard input" for "-".
std::string shownPath(const std::string& path);
// 130 for a cancelled job, else 3; complains, and names the flag that remedies the error.
int failWith(const Error& error, Console& console);

// Prints one JSON document; bytes of names that are not UTF-8 become U+FFFD.
void printJson(const Json& document, Console& console);
// A number; null where it is not finite.
Json numberJson(double value);
// A list with -1 for unknown sizes, null for unknown rank.
Json shapeJson(const Shape& shape);

// Writes to `path`, or to standard output for "-". Returns the exit code; complains.
int writeResult(const std::string& path, const ByteSource& source, Console& console);
int writeResult(const std::string& path, std::string_view bytes, Console& console);

} // namespace lapidary
