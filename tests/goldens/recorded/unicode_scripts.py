#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Prints resources/ops/unicode_scripts.tsv: what UnicodeScript of TensorFlow 1.15.5 says of each code
# point. Needs Python 3.7 with tensorflow 1.15.5.
import numpy as np
import tensorflow as tf

HEADER = """\
# Where the script of code points changes, as TensorFlow 1.15.5 (ICU 64, Unicode 12.1) tells them apart:
# the first code point (hexadecimal) and the number that ICU has for its script.
# Printed by tests/goldens/recorded/unicode_scripts.py."""


def main():
    with tf.Session() as session:
        points = np.arange(0, 0x110000, dtype=np.int32)
        scripts = session.run(tf.raw_ops.UnicodeScript(input=points))
    print(HEADER)
    for i, script in enumerate(scripts):
        if i == 0 or script != scripts[i - 1]:
            print("%x\t%d" % (i, script))


main()
