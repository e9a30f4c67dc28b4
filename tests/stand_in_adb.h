// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// A program that replaces adb: it writes its arguments to $ADB_RECORD and answers a run of
// benchmark_model with the file $ADB_LOG. The folder $DEVICE is the device's root. $FAIL names what
// fails: nodevice, unauthorized, push, crash, unplugged. "shell" runs the words with sh, as a
// device does, where /data is the folder "device".
inline constexpr std::string_view standInAdb = R"sh(#!/bin/sh
printf '%s\n' "$@" >> "$ADB_RECORD"
echo --- >> "$ADB_RECORD"
case $1 in
get-state)
    case $FAIL in
    nodevice) echo 'error: no devices/emulators found' >&2; exit 1;;
    unauthorized) echo 'error: device unauthorized.' >&2; exit 1;;
    esac
    echo device;;
push)
    if [ "$FAIL" = push ]; then
        echo "adb: error: failed to copy '$2' to '$3': No space left on device" >&2; exit 1
    fi
    cp -- "$2" "$DEVICE$3";;
pull)
    if [ "$FAIL" = unplugged ]; then echo "error: device 'abc' not found" >&2; exit 1; fi
    cp -r -- "$DEVICE$2" "$3";;
shell)
    case $2 in
    *benchmark_model*--graph*)
        if [ "$FAIL" = crash ]; then echo 'Segmentation fault'; exit 139; fi
        cat "$ADB_LOG"
        eval "set -- $2"
        for word; do
            case $word in --graph=*) test -f "$DEVICE${word#--graph=}" || exit 9;; esac
        done;;
    *) eval "$(printf '%s' "$2" | sed "s#/data/#$DEVICE/data/#g")";;
    esac;;
esac
)sh";

// The network that is measured on the device.
inline constexpr std::string_view measuredNetwork = R"(node { name: "input" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 16 } } } } }
node { name: "output" op: "Relu" input: "input" attr { key: "T" value { type: DT_FLOAT } } }
)";

// Output of TensorFlow 1.15's benchmark_model, shortened.
inline constexpr std::string_view recordedDeviceLog =
    "2026-11-21 20:09:32.900000: I tensorflow/tools/benchmark/benchmark_model.cc:482] Initialized "
    "session in 0.003s\n"
    "2026-11-21 20:09:32.925000: I tensorflow/tools/benchmark/benchmark_model.cc:641] Average "
    "inference timings in us: Warmup: 4028, no stats: 23, with stats: 83\n"
    "2026-11-21 20:09:32.925547: I tensorflow/core/util/stat_summarizer.cc:85] "
    "============================== Run Order ==============================\n"
    "2026-11-21 20:09:32.925547: I tensorflow/core/util/stat_summarizer.cc:85] \t             "
    "[node "
    "type]\t          [start]\t  [first]\t [avg ms]\t     [%]\t  [cdf%]\t  [mem KB]\t[times "
    "called]\t[Name]\n"
    "2026-11-21 20:09:32.925547: I tensorflow/core/util/stat_summarizer.cc:85] \t                  "
    " "
    "_Arg\t            0.000\t    0.010\t    0.005\t 33.333%\t 33.333%\t     0.000\t        "
    "1\t_arg_input_0_0\n"
    "2026-11-21 20:09:32.925547: I tensorflow/core/util/stat_summarizer.cc:85] \t                  "
    " "
    "Relu\t            0.012\t    0.020\t    0.010\t 66.667%\t100.000%\t     0.256\t        "
    "1\toutput\n"
    "2026-11-21 20:09:32.925547: I tensorflow/core/util/stat_summarizer.cc:85] \n";

} // namespace lapidary
