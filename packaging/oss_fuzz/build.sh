#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets as OSS-Fuzz asks for it: compilers, their flags and the engine stand in
# the environment (CC, CXX, CXXFLAGS, LIB_FUZZING_ENGINE), the executables go to OUT with their seeds
# and dictionaries, and the libraries that they load, which the machines that run them lack. Without
# OUT, and outside of a container, to build/oss_fuzz.
set -euo pipefail
cd "${SRC:+$SRC/lapidary}" 2>/dev/null || cd "$(dirname "$0")/../.."
work=${WORK:-build}/oss_fuzz_objects
out=${OUT:-build/oss_fuzz}
export CC=${CC:-clang} CXX=${CXX:-clang++}
# The libraries of the system are built with the other standard library.
export CXXFLAGS=${CXXFLAGS:-}
CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}
sanitize=
# Without flags from outside: those that OSS-Fuzz would give.
if [ -z "$CXXFLAGS" ]; then
    sanitize=-DLAPIDARY_SANITIZE=address,undefined,fuzzer-no-link
fi
# shellcheck disable=SC2016,SC2086 # the linker knows $ORIGIN; $sanitize is one word or none
cmake -S . -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DLAPIDARY_GUI=OFF -DLAPIDARY_FUZZERS=ON \
    -DLAPIDARY_UNITY=ON -DCMAKE_BUILD_RPATH='$ORIGIN/lib' \
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags $sanitize
cmake --build "$work" --target fuzzers
mkdir -p "$out/lib"

# Copies the libraries that a program loads, but for those that belong to the kernel and libc.
copy_libraries() {
    ldd "$1" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | while read -r library; do
        case $(basename "$library") in
        libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | ld-linux*) ;;
        *) cp -Lu "$library" "$out/lib/" ;;
        esac
    done
}

for fuzzer in "$work"/fuzzers/fuzz_*; do
    name=$(basename "$fuzzer")
    target=${name#fuzz_}
    cp "$fuzzer" "$out/"
    copy_libraries "$fuzzer"
    rm -f "$out/${name}_seed_corpus.zip"
    (cd "tests/fuzz/corpus/$target" && python3 -m zipfile -c "$OLDPWD/seeds.zip" ./*)
    mv seeds.zip "$out/${name}_seed_corpus.zip"
    if [ -f "tests/fuzz/targets/$target.dict" ]; then
        cp "tests/fuzz/targets/$target.dict" "$out/$name.dict"
    fi
done
ls "$out"
