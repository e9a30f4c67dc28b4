// SPDX-License-Identifier: Apache-2.0
#include "graph_model/portable/encoded_model.h"
#include "tests/catch.h"

#include <memory>

namespace lapidary {
namespace {

std::string repeated(std::size_t count, char first)
{
    std::string bytes(count, '\0');
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = char(first + char(i % 7));
    return bytes;
}

class ChangingFile final : public Buffer {
public:
    ChangingFile() { m_bytes = m_text; }
    Status intact() const override
    {
        return hasChanged ? Status(Error{ErrorCode::BadFile, "the file changed"}) : Status(Done{});
    }
    bool hasChanged = false;

private:
    std::string m_text = repeated(200'000, 'a');
};

} // namespace

TEST_CASE("The constants of a file are put in when it is written", "[portable]")
{
    const std::string weights = repeated(100'000, 'a');
    const ConstantBytes plain{std::string(weights)};
    const ConstantBytes turned = plain.reordered({100, 1000}, {1, 0}, 1);
    const std::string hole(weights.size(), '.');
    const EncodedModel file(makeBuffer("head" + hole + "middle" + hole + "end"),
                            {{4, plain}, {4 + hole.size() + 6, turned}});
    const auto bytes = file.bytes();
    REQUIRE(bytes);
    CHECK(bytes->size() == file.size());
    CHECK(*bytes == "head" + weights + "middle" + std::string(turned.read().view()) + "end");

    const std::string_view frame = file.frame()->bytes();
    const ConstantBytes first(frame.substr(4, hole.size()), file.frame());
    const ConstantBytes beside(frame.substr(5, hole.size()), file.frame());
    CHECK(file.filledIn(first) == plain);
    CHECK(file.filledIn(beside).view().data() == beside.view().data());
    CHECK(file.filledIn(plain) == plain);
}

TEST_CASE("A file is written no further than to the sink's first error", "[portable]")
{
    const EncodedModel file(makeBuffer("head" + std::string(70'000, '.')),
                            {{4, ConstantBytes(repeated(70'000, 'a'))}});
    std::size_t calls = 0;
    const Status done = file.source()([&](std::string_view) -> Status {
        ++calls;
        return Error{ErrorCode::Io, "the disk is full"};
    });
    REQUIRE_FALSE(done);
    CHECK(done.error().message == "the disk is full");
    CHECK(calls == 1);
}

TEST_CASE("Constants of a file that changed are not written", "[portable]")
{
    const auto weights = std::make_shared<ChangingFile>();
    const EncodedModel file(makeBuffer(std::string(200'000, '.')),
                            {{0, ConstantBytes(weights->bytes(), weights)}});
    CHECK(file.bytes().value() == weights->bytes());
    weights->hasChanged = true;
    const auto changed = file.bytes();
    REQUIRE_FALSE(changed);
    CHECK(changed.error().message == "the file changed");
}

} // namespace lapidary
