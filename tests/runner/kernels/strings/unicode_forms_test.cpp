// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

namespace lapidary {
namespace {

std::string converted(const char* op, const std::string& text, const NodeAttrs& attrs = {})
{
    const auto value = runOne(op, {stringsOf({}, {text})}, attrs);
    return value ? value->strings()[0] : "error: " + value.error().message;
}

std::string inForm(const char* form, const std::string& text)
{
    return converted("NormalizeUTF8", text, {{"normalization_form", attr::fromString(form)}});
}

} // namespace

TEST_CASE("NormalizeUTF8 composes and decomposes", "[kernels][strings]")
{
    CHECK(inForm("NFD", "\u00C5\u1E69") == "A\u030As\u0323\u0307");
    CHECK(inForm("NFC", "A\u030As\u0307\u0323") == "\u00C5\u1E69"); // marks are put in order
    CHECK(inForm("NFC", "\u212B\u0958") == "\u00C5\u0915\u093C");   // never composed again
    CHECK(inForm("NFD", "\uFB01\u00BD") == "\uFB01\u00BD");         // compatible only
    CHECK(inForm("NFKD", "\uFB01\u00BD") == "fi1\u20442");
    CHECK(inForm("NFKC", "\uFF21\u030A\u3392") == "\u00C5MHz");
    CHECK(converted("NormalizeUTF8", "\uFB01") == "fi"); // NFKC by default
    CHECK(inForm("NFD", "\uD55C\uAE00") == "\u1112\u1161\u11AB\u1100\u1173\u11AF");
    CHECK(inForm("NFC", "\u1112\u1161\u11AB\u1100\u1173\u11AF") == "\uD55C\uAE00");
    CHECK(inForm("NFC", "a\u0327\u0300\u0301") == "\u00E0\u0327\u0301"); // past a lower class
    CHECK(inForm("NFC", "a\u0301\u0300") == "\u00E1\u0300");             // not past an equal one
    CHECK(inForm("NFC", "").empty());
    CHECK(inForm("NFC", "a\xFF\xC3") == "a\uFFFD\uFFFD");
    CHECK(inForm("nfc", "a").starts_with("error: y: normalization_form is 'nfc'"));
}

TEST_CASE("CaseFoldUTF8 folds case and drops what is ignored", "[kernels][strings]")
{
    CHECK(converted("CaseFoldUTF8", "Stra\u00DFE") == "strasse");
    CHECK(converted("CaseFoldUTF8", "\u0130\u00AD\uFF21\uFB01") == "i\u0307afi");
    CHECK(converted("CaseFoldUTF8", "\u03A3\u03C2\u2126") == "\u03C3\u03C3\u03C9");
}

} // namespace lapidary
