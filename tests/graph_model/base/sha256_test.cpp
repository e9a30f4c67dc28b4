// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/sha256.h"
#include "tests/catch.h"

using lapidary::Sha256;
using lapidary::sha256Of;

TEST_CASE("SHA-256 of the standard's examples, in any pieces", "[base]")
{
    Sha256 digest;
    CHECK(digest.finish() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    digest.add("abc");
    CHECK(sha256Of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(digest.finish() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const std::string_view two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    for (std::size_t cut = 0; cut <= two.size(); cut += 7) {
        digest.add(two.substr(0, cut));
        digest.add({});
        digest.add(two.substr(cut));
        CHECK(digest.finish() ==
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
    const std::string thousand(1000, 'a');
    for (int i = 0; i < 1000; ++i)
        digest.add(thousand);
    CHECK(digest.finish() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
