// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace lapidary::goldens {

// The folder that holds goldens/ and models/: $LAPIDARY_SHARED, else ../shared beside the checkout,
// else the choice in tests/goldens.
std::filesystem::path dataRoot();

// One JSON document a line. An unreadable or damaged file fails the running test.
std::vector<nlohmann::json> loadCases(const std::filesystem::path& file);
nlohmann::json loadJson(const std::filesystem::path& file);
std::string readBytes(const std::filesystem::path& file);
void writeBytes(const std::filesystem::path& file, std::string_view bytes);
std::string decodeBase64(std::string_view text);
// Of some bytes, in lower-case hexadecimal.
std::string sha256(std::string_view bytes);

// An empty folder that goes away with the object; the working folder while it lives.
class WorkingFolder {
public:
    WorkingFolder();
    ~WorkingFolder();
    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    void clear() const;

private:
    std::filesystem::path m_path;
    std::filesystem::path m_before;
};

struct Ran {
    int exitCode = 0;
    std::string out;
    std::string err;
};
// Runs the program in this process: arguments[0] is the name it is called by, "lapidary" or that of
// a replaced tool.
Ran runProgram(const std::vector<std::string>& arguments, const std::string& input = {});

// Counts the cases of one folder, prints its line and the names of the failed ones, and fails the
// test if there are any. Cases that differ on purpose are those that tests/goldens/differences.tsv
// names (folder, case, reason): they must differ, or the table is out of date.
class Tally {
public:
    explicit Tally(std::string folder);

    // What follows is counted as a file of its own too; its line is printed where it ends.
    void beginPart(std::string part);

    void held(const std::string& name);
    // Does not hold: on purpose where the table says so, else a failure. Not `isHarmless`: it must
    // be named there itself, a kind will not do.
    void differs(const std::string& name, const std::string& what, bool isHarmless = true);
    // Counts cases of a kind, printed below the folder's line.
    void count(const std::string& kind) { ++m_kinds[kind]; }
    void skipped(const std::string& name, const std::string& why);
    void check(bool holds, const std::string& name, const std::string& what)
    {
        holds ? held(name) : differs(name, what);
    }
    void finish();

private:
    struct Counts {
        int held = 0;
        int differ = 0;
        int skipped = 0;
        std::size_t failed = 0;
    };
    Counts counts() const;
    bool isOfKindOnPurpose(const std::string& name) const;
    void endPart();

    std::string m_folder;
    std::string m_part;
    Counts m_before;                                // of the parts that ended
    std::map<std::string, std::string> m_onPurpose; // case -> reason
    std::vector<std::string> m_kindsOnPurpose;      // globs; the values decide whether one differs
    std::vector<std::string> m_failed;
    std::map<std::string, int> m_skippedFor;
    std::map<std::string, int> m_kinds;
    int m_held = 0;
    int m_differ = 0;
    int m_skipped = 0;
};

// True where the folder is there; else says so and the test should return.
bool present(const std::string& folder);

} // namespace lapidary::goldens
