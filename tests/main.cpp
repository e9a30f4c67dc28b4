// SPDX-License-Identifier: Apache-2.0
// The entry point of the tests that need no QApplication.
#define CATCH_CONFIG_RUNNER // asks version 2 of Catch2 for its session
#include "tests/catch.h"

int main(int argc, char** argv)
{
    return Catch::Session().run(argc, argv);
}
