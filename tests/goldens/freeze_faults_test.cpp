// SPDX-License-Identifier: Apache-2.0
// Checkpoints and models that cannot be frozen: one sentence names the variable or file, and
// nothing is written.
#include "graph_model/base/crc32c.h"
#include "graph_model/base/wire.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"

#include <algorithm>
#include <csignal>
#include <filesystem>

#include <sys/resource.h>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;

const std::string dataFile = "variables.data-00000-of-00001";

// Copies a SavedModel into the working folder.
void place(const std::string& model)
{
    fs::copy(dataRoot() / "models/real" / model, "model", fs::copy_options::recursive);
}

fs::path variables(const std::string& file)
{
    return fs::absolute(fs::path("model/variables") / file);
}

struct Refusal {
    std::string message;
    bool leavesNothing = false;
};

Refusal refused(std::vector<std::string> arguments)
{
    const auto count = [] { return std::distance(fs::directory_iterator("."), {}); };
    const auto before = count();
    arguments.insert(arguments.begin(), {"lapidary", "freeze", "model", "-o", "out.pb"});
    const Ran ran = runProgram(arguments);
    CHECK(ran.exitCode == 3);
    CHECK(ran.out.empty());
    return {ran.err, count() == before};
}

bool says(const Refusal& refusal, const std::string& text)
{
    INFO(refusal.message);
    CHECK(refusal.leavesNothing);
    CHECK(std::count(refusal.message.begin(), refusal.message.end(), '\n') == 1);
    return refusal.message.find(text) != std::string::npos;
}

std::string fourBytes(std::uint32_t number)
{
    std::string bytes;
    for (int i = 0; i < 4; ++i)
        bytes += char(number >> (8 * i) & 0xFF);
    return bytes;
}

// A block of an index, with its trailer.
std::string block(const std::vector<std::pair<std::string, std::string>>& entries)
{
    std::string bytes;
    for (const auto& [key, value] : entries) {
        for (const std::size_t number : {std::size_t(0), key.size(), value.size()})
            appendVarint(bytes, number);
        bytes += key + value;
    }
    bytes += fourBytes(0) + fourBytes(1) + '\0';
    return bytes + fourBytes(maskedCrc32c(bytes));
}

std::string placed(std::size_t at, const std::string& block)
{
    std::string handle;
    appendVarint(handle, at);
    appendVarint(handle, block.size() - 5);
    return handle;
}

std::string message(std::initializer_list<std::pair<std::uint32_t, std::uint64_t>> fields)
{
    std::string bytes;
    for (const auto& [field, value] : fields)
        WireWriter(bytes).varint(field, value);
    return bytes;
}

fs::path largeData()
{
    return fs::absolute("large.data-00000-of-00001");
}

// Writes "model" and its checkpoint "large": a variable v with this many floats, large enough to
// stay mapped, and a node that reads it.
void makeLarge(const std::string& values)
{
    std::string size;
    WireWriter(size).bytes(2, message({{1, values.size() / 4}}));
    std::string entry = message({{1, 1}});
    WireWriter(entry).bytes(2, size);
    entry += message({{5, values.size()}});
    WireWriter(entry).fixed32(6, maskedCrc32c(values));
    const std::string data = block({{"", message({{1, 1}})}, {"v", entry}});
    const std::string meta = block({});
    const std::string top = block({{"v", placed(0, data)}});
    std::string footer = placed(data.size(), meta) + placed(data.size() + meta.size(), top);
    footer.resize(40);
    writeBytes(fs::absolute("large.index"),
               data + meta + top + footer + fourBytes(0x8B80FB57) + fourBytes(0xDB477524));
    writeBytes(largeData(), values);
    const std::string shape =
        "attr { key: 'shape' value { shape { dim { size: " + std::to_string(values.size() / 4) +
        " } } } } } ";
    writeBytes(fs::absolute("model"),
               "node { name: 'v' op: 'VariableV2' attr { key: 'dtype' value { type: "
               "DT_FLOAT } } " +
                   shape +
                   "node { name: 'y' op: 'Identity' input: 'v' "
                   "attr { key: 'T' value { type: DT_FLOAT } } }");
}

// Limits the size of files while the object lives, like a full disk.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes)
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit limit = m_before;
        limit.rlim_cur = bytes;
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before = {};
    void (*m_handler)(int) = nullptr;
};

} // namespace

TEST_CASE("a damaged or foreign checkpoint is refused by the variable's name", "[freeze]")
{
    WorkingFolder work;
    place("half_plus_two");
    SECTION("the shard is missing")
    {
        fs::remove(variables(dataFile));
        const Refusal refusal = refused({});
        CHECK(says(refusal, "a: "));
        CHECK(says(refusal, "missing"));
    }
    SECTION("a checksum is wrong")
    {
        std::string bytes = readBytes(variables(dataFile));
        bytes[0] = char(bytes[0] ^ 1);
        writeBytes(variables(dataFile), bytes);
        CHECK(says(refused({}), "checksum does not match"));
    }
    SECTION("the shard is cut short")
    {
        fs::resize_file(variables(dataFile), 1);
        CHECK(says(refused({}), "beyond its end"));
    }
    SECTION("a variable has another type in the graph")
    {
        fs::remove_all("model");
        place("half_plus_two_pbtxt");
        std::string text = readBytes("model/saved_model.pbtxt");
        const std::string type = "DT_FLOAT";
        const std::size_t at = text.find(type, text.find("name: \"a\"\n"));
        REQUIRE(at != std::string::npos);
        writeBytes("model/saved_model.pbtxt", text.replace(at, type.size(), "DT_INT32"));
        const Refusal refusal = refused({});
        CHECK(says(refusal, "a: is int32 []"));
        CHECK(says(refusal, "a in the checkpoint is float []"));
    }
    SECTION("the index is damaged")
    {
        std::string bytes = readBytes(variables("variables.index"));
        for (char& byte : bytes)
            byte = char(byte ^ 0x15);
        writeBytes(variables("variables.index"), bytes);
        CHECK(says(refused({}), "variables.index"));
    }
    SECTION("the checkpoint is that of another model")
    {
        const fs::path other =
            dataRoot() / "models/real/tfjs_multiple_signatures/variables/variables";
        CHECK(says(refused({"--checkpoint", other.string()}),
                   "the checkpoint has no variable of its name"));
    }
    SECTION("the checkpoint does not exist")
    {
        CHECK(says(refused({"--checkpoint", "nowhere/model"}),
                   "the checkpoint nowhere/model does not exist"));
    }
    SECTION("the signature is not there")
    {
        CHECK(says(refused({"--signature", "serve_me"}), "serve_me"));
    }
    SECTION("an output is not there")
    {
        CHECK(says(refused({"--outputs", "nothing"}), "output nothing is not in the graph"));
    }
    SECTION("the disk is full")
    {
        const FullDisk full(16);
        CHECK(says(refused({}), "out.pb: could not be written"));
    }
}

TEST_CASE("a variable of another type or shape is refused by both", "[freeze]")
{
    WorkingFolder work;
    writeBytes(fs::absolute("model/saved_model.pbtxt"),
               "saved_model_schema_version: 1 meta_graphs { meta_info_def { tags: 'serve' } "
               "graph_def { node { name: 'a' op: 'VariableV2' "
               "attr { key: 'dtype' value { type: DT_FLOAT } } "
               "attr { key: 'shape' value { shape { dim { size: 7 } } } } } "
               "node { name: 'y' op: 'Identity' input: 'a' "
               "attr { key: 'T' value { type: DT_FLOAT } } } } }");
    fs::copy(dataRoot() / "models/real/half_plus_two/variables", "model/variables");
    CHECK(says(refused({}), "the model has no signature that names its outputs"));
    const Refusal refusal = refused({"--outputs", "y"});
    CHECK(says(refusal, "a: is float [7]"));
    CHECK(says(refusal, "checkpoint of another model"));
}

TEST_CASE("a table that nothing fills any more is named, with what fills it", "[freeze]")
{
    WorkingFolder work;
    const auto freeze = [&](const fs::path& model, std::vector<std::string> more) {
        more.insert(more.begin(), {"lapidary", "freeze", model.string(), "-o", "out.pb"});
        return runProgram(more);
    };
    // A frozen graph fills the tables whose content comes from constants or from files of the
    // model.
    const fs::path constant = dataRoot() / "goldens/freeze/inputs/table/saved_model";
    if (fs::exists(constant)) {
        const Ran filled = freeze(constant, {});
        CHECK(filled.exitCode == 0);
        CHECK(filled.err.find("warning") == std::string::npos);
    }
    const fs::path fromFile = dataRoot() / "goldens/formats/saved_models/assets_main_op";
    if (!fs::exists(fromFile))
        return;
    const Ran filled = freeze(fromFile, {});
    CHECK(filled.exitCode == 0);
    CHECK(filled.err.find("warning") == std::string::npos);
    fs::copy(fromFile, "model", fs::copy_options::recursive);
    fs::remove_all("model/assets");
    const Ran lost = freeze("model", {});
    CHECK(lost.exitCode == 0);
    CHECK(lost.err.find("out.pb: warning: hash_table: filled by ") != std::string::npos);
    const std::string filler =
        lost.err.substr(lost.err.find("filled by ") + 10,
                        lost.err.find(", which the outputs") - lost.err.find("filled by ") - 10);
    const Ran kept =
        freeze("model", {"--signature", "serving_default", "--outputs", "ids," + filler});
    INFO(kept.err << filler);
    CHECK(kept.exitCode == 0);
    CHECK(kept.err.find("warning") == std::string::npos);
}

TEST_CASE("a large variable is checked while it is written", "[freeze]")
{
    WorkingFolder work;
    std::string values;
    for (int i = 0; values.size() < std::size_t(3) << 20; ++i)
        values += fourBytes(0x3F000000U + std::uint32_t(i));
    makeLarge(values);
    const std::vector<std::string> freeze{"lapidary", "freeze",    "model", "--checkpoint",
                                          "large",    "--outputs", "y",     "-o"};
    const auto frozen = [&](const std::string& to) {
        std::vector<std::string> arguments = freeze;
        arguments.push_back(to);
        return runProgram(arguments);
    };
    CHECK(frozen("whole.pb").exitCode == 0);
    const std::string whole = readBytes("whole.pb");
    CHECK(whole.find(values) != std::string::npos);
    for (const std::size_t at : {std::size_t(0), values.size() / 2, values.size() - 1}) {
        std::string damaged = values;
        damaged[at] = char(damaged[at] ^ 4);
        writeBytes(largeData(), damaged);
        for (const char* to : {"out.pb", "out.pbtxt", "-"}) {
            INFO(to << " " << at);
            const Ran ran = frozen(to);
            CHECK(ran.exitCode == 3);
            CHECK(ran.out.empty());
            CHECK(ran.err.find("v: its checksum does not match") != std::string::npos);
            CHECK_FALSE(fs::exists(to));
        }
        CHECK(frozen("whole.pb").exitCode == 3);
        CHECK(readBytes("whole.pb") == whole);
    }
    CHECK(std::distance(fs::directory_iterator("."), {}) == 4);
    writeBytes(largeData(), values);
    const FullDisk full(1 << 20);
    const Ran ran = frozen("out.pb");
    CHECK(ran.exitCode == 3);
    CHECK(ran.err.find("out.pb: could not be written") != std::string::npos);
    CHECK(std::distance(fs::directory_iterator("."), {}) == 4);
}

} // namespace lapidary::goldens
