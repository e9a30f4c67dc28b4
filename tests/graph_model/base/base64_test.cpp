// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/base64.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

// RFC 4648, section 10.
TEST_CASE("the test vectors of the RFC are encoded and decoded", "[base64]")
{
    const std::pair<std::string, std::string> vectors[] = {{"", ""},
                                                           {"f", "Zg=="},
                                                           {"fo", "Zm8="},
                                                           {"foo", "Zm9v"},
                                                           {"foob", "Zm9vYg=="},
                                                           {"fooba", "Zm9vYmE="},
                                                           {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : vectors) {
        CHECK(encodedBase64(bytes) == text);
        CHECK(decodedBase64(text) == bytes);
        const std::string bare = text.substr(0, text.find('='));
        CHECK(encodedBase64(bytes, Base64::Standard, false) == bare);
        CHECK(decodedBase64(bare) == bytes);
    }
}

TEST_CASE("the alphabets differ in two characters", "[base64]")
{
    const std::string bytes = "\xFB\xFF\xFE";
    CHECK(encodedBase64(bytes) == "+//+");
    CHECK(encodedBase64(bytes, Base64::WebSafe) == "-__-");
    CHECK(decodedBase64("-__-", Base64::WebSafe) == bytes);
    CHECK_FALSE(decodedBase64("-__-").has_value());
}

TEST_CASE("text that is not base64 is refused", "[base64]")
{
    for (const char* text : {"A", "Zg=", "Zg===", "Z=g=", "Zm9v\n", "Zm 9v"})
        CHECK_FALSE(decodedBase64(text).has_value());
}

} // namespace
} // namespace lapidary
