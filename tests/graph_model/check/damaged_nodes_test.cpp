// SPDX-License-Identifier: Apache-2.0
// Every attribute and input of every op damaged by machine: `check` must report an error exactly if
// TensorFlow 1.15.5 refuses the import. TensorFlow's answers are in damage/answers.tsv, one letter
// a case: "." imported, "a" refused for attributes or inputs, "s" by the shape function, "!" the
// process died. Where we differ on purpose, damage/differences.tsv says why: an op, the beginning
// of a damage, the reason.
#include "graph_model/check/check_graph.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/graph_model/check/damaged_nodes.h"
#include "tests/source_folder.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

using namespace lapidary;

namespace {

constexpr const char* damageFolder = "tests/graph_model/check/damage";

std::map<std::string, std::string> readAnswers()
{
    std::map<std::string, std::string> answers;
    std::ifstream file(sourceFolder() / damageFolder / "answers.tsv");
    for (std::string line; std::getline(file, line);)
        if (const std::size_t tab = line.find('\t'); tab != std::string::npos)
            answers[line.substr(0, tab)] = line.substr(tab + 1);
    return answers;
}

struct Difference {
    std::string op; // "*" for every one
    std::string damage;
    std::string reason;
    int count = 0;
};

std::vector<Difference> readDifferences()
{
    std::vector<Difference> differences;
    std::ifstream file(sourceFolder() / damageFolder / "differences.tsv");
    for (std::string line; std::getline(file, line);) {
        std::istringstream cells(line);
        Difference row;
        if (line.starts_with('#') || !std::getline(cells, row.op, '\t') ||
            !std::getline(cells, row.damage, '\t') || !std::getline(cells, row.reason))
            continue;
        differences.push_back(row);
    }
    return differences;
}

// Returns the first problem for which TensorFlow refuses the graph. TensorFlow's import does not
// look for missing functions of the library; it refuses unknown attributes, but newer versions may
// write them, so they are warnings.
const Problem* firstRefusal(const Problems& problems)
{
    const auto at = std::ranges::find_if(problems, [](const Problem& problem) {
        return problem.kind == "unknown_attr" ||
               (problem.severity == Severity::Error && problem.kind != "missing_function");
    });
    return at == problems.end() ? nullptr : &*at;
}

struct Count {
    int cases = 0;
    int agree = 0;
    int missed = 0;
    int falseAlarms = 0;
    int explained = 0;
};

} // namespace

TEST_CASE("damaged nodes are refused where TensorFlow refuses them", "[damage]")
{
    const auto answers = readAnswers();
    auto differences = readDifferences();
    REQUIRE(answers.size() > 1000);
    Count count;
    std::ostringstream list;
    for (const OpSpec& op : allOps()) {
        const auto answer = answers.find(std::string(op.name));
        if (answer == answers.end())
            continue; // not registered in the recorded build
        const auto cases = damagedNodes(op);
        INFO(op.name);
        REQUIRE(cases.size() == answer->second.size());
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const char said = answer->second[i];
            const Problems problems = checkGraph(*cases[i].graph, Job());
            const Problem* error = firstRefusal(problems);
            ++count.cases;
            if ((error != nullptr) == (said != '.')) {
                ++count.agree;
                continue;
            }
            const auto row = std::ranges::find_if(differences, [&](const Difference& known) {
                return (known.op == "*" || known.op == op.name) &&
                       cases[i].damage.starts_with(known.damage);
            });
            if (row != differences.end()) {
                ++row->count;
                ++count.explained;
            }
            ++(error != nullptr ? count.falseAlarms : count.missed);
            list << op.name << '\t' << cases[i].damage << '\t' << said << '\t'
                 << (error != nullptr ? error->kind + ": " + error->message : "no error") << '\t'
                 << (row != differences.end() ? row->reason : "") << '\n';
        }
    }
    if (const char* path = std::getenv("LAPIDARY_DAMAGE_LIST"))
        std::ofstream(path) << list.str();
    std::cout << "damaged nodes: " << count.cases << " cases, " << count.agree << " agree ("
              << 100.0 * count.agree / count.cases << " %), " << count.missed << " missed, "
              << count.falseAlarms << " false alarms, " << count.explained << " explained\n";
    CHECK(count.agree >= 0.997 * count.cases); // the others: shape functions that have no rule here
    for (const Difference& row : differences) {
        INFO(row.op << ' ' << row.damage);
        CHECK(row.count > 0); // otherwise, the table is out of date
    }
}

// graph_model_tests "[.damage-cases]" writes the cases for damage/record.py.
TEST_CASE("write the damaged nodes for TensorFlow", "[.damage-cases]")
{
    const char* path = std::getenv("LAPIDARY_DAMAGE_CASES");
    REQUIRE(path != nullptr);
    std::ofstream file(path, std::ios::binary);
    for (const OpSpec& op : allOps())
        for (const DamagedNode& damaged : damagedNodes(op)) {
            const std::string bytes = encodeGraphDef(*damaged.graph);
            file << op.name << '\n' << bytes.size() << '\n' << bytes;
        }
    REQUIRE(file.good());
}
