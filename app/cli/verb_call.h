// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "app/cli/verb_list.h"
#include "graph_model/base/byte_sink.h"
#include "graph_model/read/model_file.h"

#include <memory>
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
    // Adds FILE, and --meta-graph, which chooses one of its graphs.
    void addFile(const std::string& help = "the graph to read; - reads standard input");
    // Adds OTHER, a second file, whose graph is compared with the first one's.
    void addOther(const std::string& help);
    void addJson();
    // Declares an output file: parse() fails if it is one of the files that are read.
    CLI::Option* addOutput(const std::string& names, std::string& path, const std::string& help);
    // Lets the verb itself report a damaged file.
    void refuseDamage() { m_refusesDamage = true; }
    bool refusesDamage() const { return m_refusesDamage; }
    // Lets openModel() take the network of a file that has no signature and does not call it, as
    // for all verbs that run graphs.
    void takeNetwork() { m_takesNetwork = true; }
    bool takesNetwork() const { return m_takesNetwork || m_verb.runsGraphs; }

    // Returns an exit code if the verb is done: after --help, or after wrong use, which is
    // reported.
    std::optional<int> parse(std::span<const std::string> arguments);

    const std::string& file() const { return m_file; }
    const std::string& other() const { return m_other; }
    std::string& file() { return m_file; }
    bool wantsJson() const { return m_json; }
    // The value of --meta-graph, if given.
    std::optional<std::size_t> graphNumber() const { return m_graphNumber; }
    int wrongUse(const std::string& what) const;

private:
    std::string wrongFiles() const;
    std::optional<int> withoutFolder() const;

    CLI::App m_app;
    const Verb& m_verb;
    Console& m_console;
    std::string m_file;
    std::string m_other;
    std::vector<const std::string*> m_outputs;
    std::optional<std::size_t> m_graphNumber;
    bool m_json = false;
    bool m_refusesDamage = false;
    bool m_takesNetwork = false;
};

// A file that was opened for a verb; `file` is empty if that failed and the error was printed.
struct OpenedModel {
    std::optional<ModelFile> file;
    const GraphEntry* entry = nullptr;         // the chosen graph; null: refused or no such number
    std::shared_ptr<const GraphEntry> network; // that entry, if it is not one of the file
    std::size_t number = 0;                    // index of that graph in the file
    int exitCode = 0;                          // valid if there is no entry
};
// Opens call.file(). `saysWhich`: reports on standard error that a file contains several graphs and
// which one was taken.
OpenedModel openModel(const VerbCall& call, const ReadOptions& options, Console& console,
                      bool saysWhich = true);
// FILE and OTHER, of which only the graphs are read.
struct OpenedPair {
    OpenedModel first;
    OpenedModel second;
    std::optional<int> failure; // exit code if one has no entry
};
OpenedPair openBoth(const VerbCall& call, Console& console);
// Reads a file for openModel(); "-" is standard input. Prints errors.
std::optional<ModelFile> readNamed(const std::string& path, const ReadOptions& options,
                                   Console& console, int& exitCode);
// Returns a sentence that names a file without graphs and says what it contains instead.
std::string refusalOf(const ModelFile& file, const std::string& path);
// Returns the name of a file in messages: "standard input" for "-".
std::string shownPath(const std::string& path);
// Prints the error with the flag that remedies it. Returns 130 for a cancelled job, else 3.
int failWith(const Error& error, Console& console);

// Prints one JSON document; bytes of names that are not UTF-8 become U+FFFD.
void printJson(const Json& document, Console& console);
// Returns a number; null if it is not finite.
Json numberJson(double value);
// Returns a list with -1 for unknown sizes; null for unknown rank.
Json shapeJson(const Shape& shape);

// Writes to `path`, or to standard output for "-". Returns the exit code; prints errors.
int writeResult(const std::string& path, const ByteSource& source, Console& console);
int writeResult(const std::string& path, std::string_view bytes, Console& console);

} // namespace lapidary
