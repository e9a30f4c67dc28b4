// SPDX-License-Identifier: Apache-2.0
// measure_structure ROOT           prints the figures of a tree
// measure_structure ROOT --check   fails where folders of a layer form a circle, where two files
//                                  define a class of one name, where a class has more than 30
//                                  public functions or a file more than 500 lines, and where a
//                                  file lists ops that the book of ops does not know of
#include "tests/structure/class_scan.h"
#include "tests/structure/folder_circles.h"
#include "tests/structure/shared_names.h"
#include "tests/structure/source_file.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <regex>

namespace structure {
namespace {

constexpr int mostPublicFunctions = 30;
constexpr std::size_t mostLines = 500;

const std::vector<std::string> production{"graph_model", "kernels", "runner",   "transforms",
                                          "views",       "app",     "resources"};

int complain(const std::string& text)
{
    std::cout << text << '\n';
    return 1;
}

int checkCircles(const std::vector<SourceFile>& files)
{
    int faults = 0;
    for (const Circle& circle : folderCircles(files)) {
        std::string text = "these folders include each other:";
        for (const std::string& folder : circle.folders)
            text += " " + folder;
        for (const std::string& include : circle.includes)
            text += "\n    " + include;
        faults += complain(text);
    }
    return faults;
}

int checkNames(const std::vector<SourceFile>& files)
{
    int faults = 0;
    for (const SharedName& shared : sharedNames(files)) {
        std::string text = shared.name + " is defined in several files; rename all but one:";
        for (const std::string& path : shared.paths)
            text += "\n    " + path;
        faults += complain(text);
    }
    return faults;
}

int checkClass(const ClassFigures& one)
{
    if (one.publicFunctions <= mostPublicFunctions)
        return 0;
    return complain(one.name + " (" + one.path + ") has " + std::to_string(one.publicFunctions) +
                    " public functions, more than " + std::to_string(mostPublicFunctions));
}

std::set<std::string> knownOps(const std::filesystem::path& root)
{
    std::set<std::string> ops;
    std::ifstream file(root / "resources/ops/ops.tsv");
    for (std::string line; std::getline(file, line);)
        if (const std::size_t tab = line.find('\t'); tab != std::string::npos)
            ops.insert(line.substr(0, tab));
    return ops;
}

// Files that may list names of ops, as ARCHITECTURE says why.
const std::set<std::string> opListFiles{
    "graph_model/ops/op_families.cpp", "graph_model/ops/op_trait_rows.h",
    "graph_model/ops/op_traits.cpp",   "graph_model/portable/portable_model.cpp",
    "graph_model/summary/summary.cpp", "runner/execute/settled.cpp",
};

// Lists in braces with at least four literals of which most are names of ops. Lists of one
// operation's kernels or passes hold symbols, not names, and are not counted.
std::size_t opLists(const SourceFile& file, const std::set<std::string>& ops)
{
    static const std::regex list(R"(\{[^{}();]*\})");
    static const std::regex literal("\"([^\"]*)\"");
    std::size_t count = 0;
    for (auto at = std::sregex_iterator(file.text.begin(), file.text.end(), list);
         at != std::sregex_iterator(); ++at) {
        const std::string inner = at->str();
        std::size_t all = 0;
        std::size_t known = 0;
        for (auto word = std::sregex_iterator(inner.begin(), inner.end(), literal);
             word != std::sregex_iterator(); ++word) {
            ++all;
            known += ops.contains((*word)[1]) ? 1 : 0;
        }
        count += known >= 4 && known * 2 > all ? 1 : 0;
    }
    return count;
}

int checkOpLists(const SourceFile& file, const std::set<std::string>& ops)
{
    if (opLists(file, ops) == 0 || opListFiles.contains(file.path) || file.layer == "tests")
        return 0;
    return complain(file.path +
                    " lists names of ops: make it a trait in graph_model/ops/op_trait_rows.h");
}

int check(const std::filesystem::path& root)
{
    std::vector<std::string> all = production;
    all.emplace_back("tests");
    const std::vector<SourceFile> files = readTree(root, all);
    int faults = checkCircles(readTree(root, production)) + checkNames(files);
    const std::set<std::string> ops = knownOps(root);
    for (const SourceFile& file : files) {
        faults += checkOpLists(file, ops);
        if (lineCount(file.text) > mostLines)
            faults += complain(file.path + " has " + std::to_string(lineCount(file.text)) +
                               " lines, more than " + std::to_string(mostLines));
        for (const ClassFigures& one : scanFile(file).classes)
            faults += checkClass(one);
    }
    std::cout << (faults == 0 ? "structure: clean\n" : "");
    return faults == 0 ? 0 : 1;
}

std::size_t matches(const std::string& text, const char* expression)
{
    const std::regex regex(expression);
    return std::size_t(std::distance(std::sregex_iterator(text.begin(), text.end(), regex),
                                     std::sregex_iterator()));
}

bool isKernelFile(const SourceFile& file)
{
    return file.path.ends_with(".cpp") &&
           (file.path.starts_with("runner/kernels/") || file.path.starts_with("kernels/"));
}

// Lines that every kernel repeats: includes, namespaces and the row of its table.
std::size_t boilerplateLines(const std::string& text)
{
    std::size_t count = 0;
    bool isRow = false;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        static const std::regex frame(R"(^(#include |namespace |\} // namespace|// SPDX))");
        isRow = isRow || line.starts_with("const Kernel ");
        count += isRow || std::regex_search(line, frame) ? 1 : 0;
        isRow = isRow && line.find(';') == std::string::npos;
    }
    return count;
}

void printLayers(const std::vector<SourceFile>& files)
{
    std::printf("%-12s %6s %8s %10s %8s\n", "", "files", "lines", "functions", "classes");
    for (const std::string& layer : production) {
        std::size_t count = 0;
        std::size_t lines = 0;
        int functions = 0;
        std::size_t classes = 0;
        for (const SourceFile& file : files) {
            if (file.layer != layer)
                continue;
            const FileFigures figures = scanFile(file);
            ++count;
            lines += lineCount(file.text);
            functions += figures.definedFunctions;
            classes += figures.classes.size();
        }
        if (count > 0)
            std::printf("%-12s %6zu %8zu %10d %8zu\n", layer.c_str(), count, lines, functions,
                        classes);
    }
}

void printClasses(const std::vector<SourceFile>& files)
{
    std::vector<ClassFigures> classes;
    for (const SourceFile& file : files)
        for (ClassFigures& one : scanFile(file).classes)
            classes.push_back(std::move(one));
    std::ranges::sort(classes, std::greater(), &ClassFigures::functions);
    std::printf("\nlargest classes (functions, of them public, members)\n");
    for (std::size_t i = 0; i < std::min<std::size_t>(12, classes.size()); ++i)
        std::printf("  %4d %4d %4d  %s (%s)\n", classes[i].functions, classes[i].publicFunctions,
                    classes[i].members, classes[i].name.c_str(), classes[i].path.c_str());
    const auto above = [&](int limit) {
        return std::ranges::count_if(
            classes, [limit](const ClassFigures& one) { return one.publicFunctions > limit; });
    };
    std::printf("classes with more than 25 public functions: %td, more than 30: %td\n", above(25),
                above(30));
}

void printCircles(const std::vector<SourceFile>& files)
{
    const auto circles = folderCircles(files);
    std::printf("\ncircles of folders: %zu\n", circles.size());
    for (const Circle& circle : circles) {
        std::printf("  %zu folders, %zu includes:", circle.folders.size(), circle.includes.size());
        for (const std::string& folder : circle.folders)
            std::printf(" %s", folder.c_str());
        std::printf("\n");
    }
}

void print(const std::filesystem::path& root)
{
    const std::vector<SourceFile> files = readTree(root, production);
    const std::set<std::string> ops = knownOps(root);
    printLayers(files);
    printClasses(files);
    printCircles(files);
    std::size_t lists = 0;
    std::size_t values = 0;
    std::size_t forwards = 0;
    std::size_t macros = 0;
    std::size_t kernelLines = 0;
    std::size_t boilerplate = 0;
    std::size_t longest = 0;
    std::string listing;
    for (const SourceFile& file : files) {
        const std::size_t own = opLists(file, ops);
        lists += own;
        if (own > 0)
            listing += " " + file.path + (own > 1 ? "*" + std::to_string(own) : "");
        longest = std::max(longest, lineCount(file.text));
        values += matches(file.code, R"(\.value\(\))");
        forwards += matches(file.code, R"(return [\w.()\[\]*>-]+(\.|->)error\(\);)");
        macros += matches(file.code, R"(\b(RETURN_IF_ERROR|ASSIGN_OR_RETURN)\()");
        if (isKernelFile(file)) {
            kernelLines += lineCount(file.text);
            boilerplate += boilerplateLines(file.text);
        }
    }
    std::printf("\nlongest file: %zu lines\n", longest);
    std::printf("lists of ops: %zu in%s\n", lists, listing.c_str());
    std::printf(".value(): %zu, lines that forward an error by hand: %zu, by macro: %zu\n", values,
                forwards, macros);
    std::printf("kernel lines: %zu, of them boilerplate: %zu (%.0f %%)\n", kernelLines, boilerplate,
                kernelLines == 0 ? 0 : 100.0 * double(boilerplate) / double(kernelLines));
}

} // namespace
} // namespace structure

int main(int count, char** arguments)
{
    if (count < 2 || !std::filesystem::is_directory(arguments[1])) {
        std::cerr << "measure_structure ROOT [--check]\n";
        return 2;
    }
    if (count > 2 && std::string(arguments[2]) == "--check")
        return structure::check(arguments[1]);
    structure::print(arguments[1]);
    return 0;
}
