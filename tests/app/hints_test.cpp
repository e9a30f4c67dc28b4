// SPDX-License-Identifier: Apache-2.0
// Every command that the program proposes can be pasted.
#include "tests/app/program.h"
#include "tests/catch.h"
#include "tests/shared_data.h"
#include "tests/source_folder.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// The words of a command as a shell splits them; only single quotes are used.
std::vector<std::string> wordsOf(const std::string& command)
{
    std::vector<std::string> words;
    std::string word;
    bool isQuoted = false;
    for (const char c : command + " ")
        if (c == '\'')
            isQuoted = !isQuoted;
        else if (c != ' ' || isQuoted)
            word += c;
        else if (!word.empty())
            words.push_back(std::exchange(word, {}));
    return words;
}

// Words in capitals are placeholders that only the user can fill in.
bool isToBeFilledIn(const std::vector<std::string>& words)
{
    constexpr std::array<std::string_view, 5> own{"FILE", "NUMBER", "PREFIX", "FROZEN", "OUTPUTS"};
    return std::ranges::any_of(words, [&](const std::string& word) {
        return std::ranges::any_of(own, [&](std::string_view one) { return word.ends_with(one); });
    });
}

// The commands "lapidary VERB ..." at the end of lines, without the first word.
std::vector<std::vector<std::string>> commandsIn(const std::string& text)
{
    std::vector<std::vector<std::string>> commands;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t at = line.rfind(": lapidary "); at != std::string::npos)
            commands.push_back(wordsOf(line.substr(at + 11)));
    return commands;
}

// Returns the proposed commands that fail.
std::string failures(const std::string& text)
{
    std::string failed;
    for (std::vector<std::string>& command : commandsIn(text)) {
        if (isToBeFilledIn(command))
            continue;
        const std::string verb = command.front();
        if (verb == "benchmark")
            for (const char* word : {"--max-num-runs", "1", "--warmup-runs", "1"})
                command.emplace_back(word);
        const Ran ran = runLapidary(command);
        if (ran.exitCode != 0 && ran.exitCode != 1)
            failed += verb + ": " + ran.err.substr(0, 300) + "\n";
    }
    return failed;
}

std::vector<fs::path> modelsIn(const fs::path& folder)
{
    constexpr std::uintmax_t most = 3 << 20; // bytes; larger models take long to run
    std::vector<fs::path> models;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string ending = entry.path().extension().string();
        if (entry.is_directory() ||
            (entry.file_size() <= most && ending != ".json" && ending != ".tsv" && ending != ".md"))
            models.push_back(entry.path());
    }
    std::ranges::sort(models);
    return models;
}

} // namespace

TEST_CASE("commands that summarize proposes can be pasted", "[cli][hints]")
{
    fs::path models = sharedData() / "models";
    if (!fs::exists(models))
        models = sourceFolder() / "tests" / "goldens" / "models";
    std::size_t proposed = 0;
    for (const char* folder : {"made", "real", "wild"})
        for (const fs::path& model : modelsIn(models / folder)) {
            // These problems show only at run time: function types that disagree, ids that are
            // int64 in later versions, and a table that reads a file of the machine that wrote the
            // model.
            constexpr std::array<std::string_view, 3> later{"funcwhile.pbtxt", "taxi_serving",
                                                            "taxi_transform_fn"};
            if (std::ranges::find(later, model.filename().string()) != later.end())
                continue;
            CAPTURE(model);
            const Ran ran = runLapidary({"summarize", model.string()});
            CHECK(failures(ran.out + ran.err) == "");
            proposed += commandsIn(ran.out + ran.err).size();
        }
    CHECK(proposed > 0);
}

TEST_CASE("commands that are proposed for odd files can be pasted", "[cli][hints]")
{
    const TestFolder folder;
    const std::string x = "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' "
                          "value { type: DT_FLOAT } } }\n";
    const std::string relu = " attr { key: 'T' value { type: DT_FLOAT } } }\n";
    const std::string files[] = {
        folder.write("typo of mine.pbtxt", x + "node { name: 'y' op: 'Relu' imput: 'x'" + relu),
        folder.write("type.pbtxt", "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' "
                                   "value { type: DT_FLAOT } } }\n"),
        folder.write("dangling.pbtxt", x + "node { name: 'y' op: 'Relu' input: 'z'" + relu),
        folder.write("cut.pb", fileBytes(sample("residual_network.pb")).substr(0, 5000))};
    std::size_t proposed = 0;
    for (const std::string& file : files)
        for (const std::vector<std::string>& call :
             {std::vector<std::string>{"summarize", file},
              {"interface", file},
              {"convert", file, folder.file("c.pb")},
              {"transform", file, "--transforms", "remove_device", "-o", folder.file("t.pb")}}) {
            const Ran ran = runLapidary(call);
            CAPTURE(file, call.front(), ran.err);
            CHECK(failures(ran.out + ran.err) == "");
            proposed += commandsIn(ran.out + ran.err).size();
        }
    CHECK(proposed >= 10);
}

TEST_CASE("a damaged file is said to be so by every verb that uses what is left", "[cli][hints]")
{
    const TestFolder folder;
    const std::string cut =
        folder.write("cut.pb", fileBytes(sample("residual_network.pb")).substr(0, 5000));
    const Ran ran = runLapidary({"interface", cut});
    CHECK(ran.exitCode == 0);
    CHECK(ran.err.find("is damaged (the file ends at byte 5000") != std::string::npos);
    CHECK(ran.err.find("to list what is wrong: lapidary check '" + cut + "'\n") !=
          std::string::npos);
    const Ran convert = runLapidary({"convert", cut, folder.file("c.pb")});
    CHECK(convert.exitCode == 3);
    CHECK(std::ranges::count(convert.err, '\n') == 1);
}

TEST_CASE("a model whose weights are lost is not said to run", "[cli][hints]")
{
    const TestFolder folder;
    const fs::path model =
        sourceFolder() / "tests" / "goldens" / "models" / "real" / "half_plus_two";
    CHECK(runLapidary({"summarize", model.string()}).out.find("To time it: ") != std::string::npos);
    const std::string copy = folder.file("lost");
    fs::copy(model, copy, fs::copy_options::recursive);
    fs::remove_all(copy + "/variables");
    const std::string out = runLapidary({"summarize", copy}).out;
    CHECK(out.find("To time it") == std::string::npos);
    CHECK(out.find(
              "variables have no values; to fill in the values of a checkpoint: lapidary freeze '" +
              copy + "' --checkpoint PREFIX") != std::string::npos);
}

TEST_CASE("sizes are proposed from the tensors that meet the input after its activation",
          "[cli][hints]")
{
    const TestFolder folder;
    const std::string relu = folder.write(
        "relu.pbtxt",
        "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }\n"
        "node { name: 'y' op: 'Relu' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }\n"
        "node { name: 'c' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } }\n"
        "  attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 5 }\n"
        "    dim { size: 2 } } float_val: 1 } } } }\n"
        "node { name: 'm' op: 'MatMul' input: 'y' input: 'c'\n"
        "  attr { key: 'T' value { type: DT_FLOAT } } }\n");
    for (const char* verb : {"run", "export"}) {
        const Ran ran = runLapidary({verb, relu, "-o", folder.file("out.tflite")});
        INFO(verb << ran.err);
        CHECK(ran.err.find("--shape x=1,5\n") != std::string::npos);
    }
    CHECK(runLapidary({"run", relu, "--shape", "x=1,5"}).exitCode == 0);
}

TEST_CASE("a file in place of another is named with the way to mend it", "[cli][hints]")
{
    const TestFolder folder;
    const std::string pointer =
        folder.write("lfs.pb", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n");
    const std::string said = runLapidary({"freeze", pointer, "-o", folder.file("f.pb")}).err;
    CHECK(said == "lapidary: " + pointer +
                      " is not a TensorFlow graph: it is a Git LFS pointer; "
                      "fetch the file that it points to: git lfs pull\n");
    for (const auto& [bytes, words] :
         {std::pair("<!DOCTYPE html>\n<html>", "it is an HTML page; download the file itself"),
          std::pair("\x89HDF\r\n\x1a\n....", "it is HDF5 (Keras); load it in Keras"),
          std::pair("PK\x03\x04 a/data.pkl", "it is a PyTorch archive (ZIP); export the model"),
          std::pair("PK\x03\x04 saved_model.pb", "it is a ZIP archive; unpack it first"),
          std::pair("{\"modelTopology\": 1}", "open the SavedModel that it was made from"),
          std::pair("item { id: 1 name: 'cat' }", "it is a label map (names of classes); open")}) {
        const auto refused = runLapidary({"summarize", folder.write("other", bytes)});
        INFO(refused.err);
        CHECK(refused.exitCode == 3);
        CHECK(refused.err.find(words) != std::string::npos);
    }
}

TEST_CASE("a node without an op is named as that", "[cli][hints]")
{
    const TestFolder folder;
    const std::string file = folder.write("nameless.pbtxt", "node { name: 'x' }\n");
    CHECK(runLapidary({"run", file, "--fetch", "x"})
              .err.find("no kernel for a node without an op (x)") != std::string::npos);
}

TEST_CASE("a checkpoint without its data is named", "[cli][hints]")
{
    const TestFolder folder;
    const std::string copy = folder.file("lost");
    fs::copy(sourceFolder() / "tests" / "goldens" / "models" / "real" / "half_plus_two", copy,
             fs::copy_options::recursive);
    for (const fs::directory_entry& file : fs::directory_iterator(copy + "/variables"))
        if (file.path().filename().string().find(".data-") != std::string::npos)
            fs::remove(file.path());
    CHECK(runLapidary({"summarize", copy}).out.find("are in variables.data-*, which is missing") !=
          std::string::npos);
    const std::string listed = runLapidary({"check", copy}).out;
    CHECK(listed.find("variables.data-00000-of-00001: error: it is missing") != std::string::npos);
    const auto refusal = [&] { return runLapidary({"run", copy, "--feed", "zeros"}).err; };
    CHECK(refusal().find("the values of its variables are in variables.data-*, which is missing "
                         "beside variables.index; fetch it too") != std::string::npos);
    folder.write("lost/variables/variables.data-00000-of-00002", "0");
    CHECK(refusal().find("in variables.data-00001-of-00002, which") != std::string::npos);
}

} // namespace lapidary
