# SPDX-License-Identifier: Apache-2.0
"""Prints resources/ops/unicode_forms.tsv or, with --folds, unicode_folds.tsv from what Python knows of
Unicode: unicode_forms.py [--folds]."""
import sys
import unicodedata

FORMS = """\
# How code points decompose, in Unicode %s: the code point (hexadecimal), its combining class, how it
# decomposes (c: composed again by NFC, d: never composed again, k: in NFKD and NFKC alone, -: not at
# all) and into what, one step at a time. Hangul syllables follow from arithmetic and are left out.
# Printed by tests/goldens/recorded/unicode_forms.py."""
FOLDS = """\
# How code points fold where case is ignored, in Unicode %s: the code point (hexadecimal) and what
# it becomes (full folding, status C and F of CaseFolding.txt).
# Printed by tests/goldens/recorded/unicode_forms.py --folds."""


def points():
    return (p for p in range(0x110000) if not 0xD800 <= p <= 0xDFFF and not 0xAC00 <= p <= 0xD7A3)


def joined(values):
    return "".join("+%x" % value for value in values)


def print_forms():
    for point in points():
        text = chr(point)
        parts = unicodedata.decomposition(text).split()
        kind = "-"
        if parts and parts[0].startswith("<"):
            kind = "k"
            parts = parts[1:]
        elif parts:
            kind = "c" if unicodedata.normalize("NFC", text) == text else "d"
        if parts or unicodedata.combining(text):
            print("%x\t%d\t%s\t%s" % (point, unicodedata.combining(text), kind,
                                      joined(int(part, 16) for part in parts)))


def print_folds():
    for point in points():
        folded = chr(point).casefold()
        if folded != chr(point):
            print("%x\t%s" % (point, joined(map(ord, folded))))


folds = "--folds" in sys.argv
print((FOLDS if folds else FORMS) % unicodedata.unidata_version)
print_folds() if folds else print_forms()
