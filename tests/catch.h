// SPDX-License-Identifier: Apache-2.0
#pragma once

// Catch2, whichever of its two versions is installed: Debian 12 has version 2, Debian 13 version 3.
// Tests include this header and never one of Catch2 itself.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
