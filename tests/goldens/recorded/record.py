#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Records what TensorFlow 1.15.5 computes for random inputs of ops that have no other recordings:
#   record.py FOLDER [OP...]     writes FOLDER/OP.jsonl, one case a line
# Needs Python 3.7 with tensorflow 1.15.5. Cases are the same in every run.
import base64
import json
import os
import sys

import numpy as np
import tensorflow as tf
from tensorflow.python.ops import gen_clustering_ops

import further_ops
import more_ops
import rarest_ops
import training_ops

NAMES = {np.float32: "float", np.float64: "double", np.float16: "half", np.int8: "int8",
         np.int16: "int16", np.int32: "int32", np.int64: "int64", np.uint8: "uint8",
         np.uint16: "uint16", np.complex64: "complex64", np.complex128: "complex128",
         np.bool_: "bool"}
TOLERANCE = {"half": 1e-2, "float": 2e-5, "complex64": 2e-5, "double": 1e-9, "complex128": 1e-9}


def encoded(x):
    # NumPy cuts zeros off the end of a bytes object.
    x = np.array(x, object) if isinstance(x, bytes) else np.asarray(x)
    if x.dtype.kind in "OSU":
        texts = [t if isinstance(t, bytes) else str(t).encode() for t in x.reshape(-1)]
        return {"dtype": "string", "shape": list(x.shape),
                "strings": [base64.b64encode(t).decode() for t in texts]}
    return {"dtype": NAMES[x.dtype.type], "shape": list(x.shape),
            "data": base64.b64encode(np.ascontiguousarray(x).tobytes()).decode()}


def dtype_of(x):
    x = np.asarray(x)
    return tf.string if x.dtype.kind in "OSU" else tf.as_dtype(x.dtype)


def record(op, name, call, *inputs):
    """One case: call(placeholders) gives the op's outputs."""
    with tf.Graph().as_default() as graph:
        holders = [tf.placeholder(dtype_of(x), name="x%d" % i) for i, x in enumerate(inputs)]
        case = {"name": name}
        try:
            outputs = call(*holders)
        except (ValueError, TypeError):
            return None  # refused before it runs: another test's subject
        outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        flat = []
        for output in outputs:
            flat.extend(output if isinstance(output, (list, tuple)) else [output])
        feeds = {h.name: x for h, x in zip(holders, inputs)}
        case["graph"] = base64.b64encode(graph.as_graph_def().SerializeToString()).decode()
        case["feeds"] = {h.name: encoded(x) for h, x in zip(holders, inputs)}
        case["fetches"] = [t.name for t in flat]
        with tf.Session(graph=graph) as session:
            try:
                results = session.run(flat, {h: x for h, x in zip(holders, inputs)})
                case["expect"] = [encoded(r) for r in results]
                worst = max([TOLERANCE.get(e["dtype"], 0) for e in case["expect"]])
                case["tol"] = {"abs": worst, "rel": worst} if worst else {"exact": True}
            except tf.errors.OpError as error:
                case["error"] = {"code": type(error).__name__.replace("Error", ""),
                                 "message": error.message.split("\n")[0][:200]}
        del feeds
        return case


def ragged_range(r):
    for i in range(40):
        dtype = [np.int32, np.int64, np.float32, np.float64][i % 4]
        n = r.randint(0, 5)

        def some(low, high):
            if r.rand() < 0.4:
                return np.array(r.randint(low, high)).astype(dtype)
            return r.randint(low, high, size=n).astype(dtype)
        yield (lambda s, l, d, t=[tf.int64, tf.int32][i % 2]: tf.raw_ops.RaggedRange(
            starts=s, limits=l, deltas=d, Tsplits=t)), [some(-5, 5), some(-9, 9), some(-3, 4)]


def bucketize(r):
    for i in range(20):
        n, features = r.randint(0, 6), 1 + i % 3
        values = [r.randn(n).astype(np.float32) for _ in range(features)]
        limits = [np.sort(r.randn(r.randint(1, 5))).astype(np.float32) for _ in range(features)]
        yield (lambda *x, f=features: tf.raw_ops.BoostedTreesBucketize(
            float_values=list(x[:f]), bucket_boundaries=list(x[f:]))), values + limits


def conv3d_backprop_input(r):
    for i in range(24):
        dtype = [np.float32, np.float64, np.float16][i % 3]
        padding = ["SAME", "VALID"][i % 2]
        stride = [int(s) for s in r.randint(1, 4, size=3)]
        kernel = [int(k) for k in r.randint(1, 4, size=3)]
        size = [int(s) for s in r.randint(3, 7, size=3)]
        a, b = int(r.randint(1, 4)), int(r.randint(1, 4))
        out = [-(-s // t) if padding == "SAME" else -(-(s - k + 1) // t)
               for s, k, t in zip(size, kernel, stride)]
        filters = r.randn(*(kernel + [a, b])).astype(dtype)
        grad = r.randn(*([2] + out + [b])).astype(dtype)
        sizes = np.array([2] + size + [a], [np.int32, np.int64][i // 2 % 2])
        yield (lambda s, f, g, st=stride, p=padding: tf.raw_ops.Conv3DBackpropInputV2(
            input_sizes=s, filter=f, out_backprop=g, strides=[1] + st + [1], padding=p)), \
            [sizes, filters, grad]


def sparse_cross(r):
    for i in range(30):
        batch, sparse, dense = int(r.randint(1, 4)), int(r.randint(0, 3)), int(r.randint(0, 3))
        if sparse + dense == 0:
            dense = 1
        texts = np.array([b"a", b"bc", b"", b"d\xc3\xa9f"], object)

        def features(shape, as_text):
            return r.choice(texts, size=shape) if as_text else r.randint(-9, 99, size=shape)
        indices, values, shapes, kinds = [], [], [], []
        for _ in range(sparse):
            rows = np.sort(r.randint(0, batch, size=r.randint(0, 5)))
            columns = [int(np.sum(rows[:k] == rows[k])) for k in range(len(rows))]
            indices.append(np.array(list(zip(rows, columns)), np.int64).reshape(-1, 2))
            kinds.append(bool(r.randint(2)))
            values.append(features(len(rows), kinds[-1]))
            shapes.append(np.array([batch, 5], np.int64))
        denses = [features((batch, r.randint(1, 3)), bool(r.randint(2))) for _ in range(dense)]
        hashed = bool(i % 2)
        inner = tf.string if all(x.dtype == object for x in values + denses) else tf.int64
        yield (lambda *x, s=sparse, h=hashed, b=[0, 100][i // 2 % 2], t=inner: tf.raw_ops.SparseCross(
            indices=list(x[:s]), values=list(x[s:2 * s]), shapes=list(x[2 * s:3 * s]),
            dense_inputs=list(x[3 * s:]), hashed_output=h, num_buckets=b if h else 0,
            hash_key=956888297470, out_type=tf.int64 if h else tf.string,
            internal_type=t)), indices + values + shapes + denses


def set_operation(r):
    kinds = ["a-b", "b-a", "intersection", "union"]
    for i in range(32):
        dtype = [np.int32, np.int64, np.uint8, np.int8, None][i % 5]
        groups = [int(s) for s in r.randint(0 if i > 27 else 1, 4, size=r.randint(1, 3))]

        def some(n):
            if dtype is None:
                return r.choice(np.array([b"x", b"yy", b"z", b""], object), size=groups + [n])
            return r.randint(0, 6, size=groups + [n]).astype(dtype)
        yield (lambda a, b, k=kinds[i % 4]: tf.raw_ops.DenseToDenseSetOperation(
            set1=a, set2=b, set_operation=k)), [some(r.randint(0, 6)), some(r.randint(0, 6))]


def nearest(r):
    for i in range(20):
        d = r.randint(1, 4)
        yield (lambda p, c, k: gen_clustering_ops.nearest_neighbors(p, c, k)), [
            r.randn(r.randint(0, 6), d).astype(np.float32),
            r.randn(r.randint(1, 7), d).astype(np.float32), np.int64(r.randint(1, 9))]


def svd(r):
    for i in range(24):
        dtype = [np.float32, np.float64, np.complex64, np.complex128][i % 4]
        shape = [int(s) for s in r.randint(1, 6, size=2)]
        if i > 12:
            shape = [2] + shape
        a = r.randn(*shape)
        if dtype in (np.complex64, np.complex128):
            a = a + 1j * r.randn(*shape)
        yield (lambda x, uv=i % 3 != 0, full=i % 5 == 0: tf.raw_ops.Svd(
            input=x, compute_uv=uv, full_matrices=full)), [a.astype(dtype)]


def triangular(r):
    for i in range(32):
        dtype = [np.float32, np.float64, np.complex64, np.complex128][i % 4]
        n, k = int(r.randint(1, 6)), int(r.randint(1, 4))
        batch = [] if i < 16 else [2]
        a = r.randn(*(batch + [n, n])) + 3 * np.eye(n)
        b = r.randn(*(batch + [n, k]))
        if dtype in (np.complex64, np.complex128):
            a, b = a + 1j * r.randn(*a.shape), b + 1j * r.randn(*b.shape)
        if i % 11 == 10:
            a[..., n - 1, n - 1] = 0
        yield (lambda x, y, low=i // 4 % 2 == 0, adj=i // 8 % 2 == 0: tf.raw_ops.MatrixTriangularSolve(
            matrix=x, rhs=y, lower=low, adjoint=adj)), [a.astype(dtype), b.astype(dtype)]


BYTES = [b"", b"plain", "Gr\u00fc\u00dfe \U0001f600".encode(), b"a\xffb", b"\xe2\x82", b"\xe2\x82a",
         b"\xf0\x9f\x98", b"\xc0\xaf", b"\xed\xa0\x80", b"x\x01\ny", b"\xf4\x90\x80\x80", b"\x80\x80"]
WIDE = [b"\xd8\x3d\xde\x00", b"\xd8\x3d", b"\xde\x00\x00a", b"\x00a\x00", b"\xd8\x3d\x00a", b""]


def transcode(r):
    for i in range(36):
        source = ["UTF-8", "UTF-16-BE", "UTF-32-BE"][i // 9 % 3]
        target = ["UTF-8", "UTF-16-BE", "UTF-32-BE"][i % 3]
        errors = ["replace", "ignore", "strict"][i // 3 % 3]
        pool = BYTES if source == "UTF-8" else WIDE
        if source == "UTF-32-BE":
            pool = [b"\x00\x00\x00a", b"\x00\x01\xf6\x00", b"\x00\x11\x00\x00", b""]
        x = np.array([pool[k] for k in r.randint(0, len(pool), size=3)], object)
        yield (lambda t, s=source, o=target, e=errors, c=i % 4 == 3: tf.raw_ops.UnicodeTranscode(
            input=t, input_encoding=s, output_encoding=o, errors=e, replacement_char=[65533, 63][c],
            replace_control_characters=c)), [x]


def decode(r):
    for i in range(30):
        errors = ["replace", "ignore", "strict"][i % 3]
        x = np.array([BYTES[k] for k in r.randint(0, len(BYTES), size=r.randint(0, 4))], object)
        yield (lambda t, e=errors, c=i % 4 == 3: tf.raw_ops.UnicodeDecodeWithOffsets(
            input=t, input_encoding="UTF-8", errors=e, replace_control_characters=c)), [x]


def encode(r):
    for i in range(20):
        values = r.choice([65, 233, 0x20AC, 0x1F600, 0xD800, 0x110000, 10], size=6).astype(np.int32)
        splits = np.array([0] + sorted(r.randint(0, 7, size=2)) + [6],
                          [np.int64, np.int32][i % 2])
        yield (lambda v, s, o=["UTF-8", "UTF-16-BE", "UTF-32-BE"][i % 3],
               e=["replace", "ignore", "strict"][i // 3 % 3]: tf.raw_ops.UnicodeEncode(
                   input_values=v, input_splits=s, output_encoding=o, errors=e)), [values, splits]


def ngrams(r):
    for i in range(30):
        pad = [-1, 0, 1, 2][i % 4]
        n = int(r.randint(3, 8))
        data = np.array([chr(97 + k).encode() for k in range(n)], object)
        # The original reads before its input where it pads a row without strings.
        inner = r.randint(0, n + 1, size=2) if pad == 0 else 1 + r.permutation(n - 1)[:2]
        splits = np.array([0] + sorted(inner) + [n], [np.int64, np.int32][i % 2])
        widths = [int(w) for w in r.randint(1, 4, size=r.randint(1, 3))]
        yield (lambda d, s, w=widths, p=pad, k=i % 3 == 0: tf.raw_ops.StringNGrams(
            data=d, data_splits=s, separator="|", ngram_widths=w, left_pad="L", right_pad="RR",
            pad_width=p, preserve_short_sequences=k)), [data, splits]


def padded_raw(r):
    for i in range(16):  # of one byte: the original writes beyond its output for wider types
        x = np.array([b"", b"ab", b"abcdefgh"], object)
        yield (lambda t, n, o=[tf.uint8, tf.int8][i % 2]: tf.raw_ops.DecodePaddedRaw(
            input_bytes=t, fixed_length=n, out_type=o)), [x, np.int32(r.randint(0, 9))]


def sampler(r):
    for i in range(20):
        yield (lambda t, n=int(r.randint(1, 9)), u=bool(i % 2), s=i: tf.raw_ops.LogUniformCandidateSampler(
            true_classes=t, num_true=2, num_sampled=n, unique=u, range_max=50, seed=s + 1,
            seed2=7)), [r.randint(0, 50, size=(3, 2)).astype(np.int64)]


def dense_add(r):
    for i in range(24):
        dtype = [np.float32, np.float64, np.int32, np.int8, np.complex64][i % 5]
        shape = [int(s) for s in r.randint(1, 4, size=r.randint(1, 4))]
        n = int(r.randint(0, 5))
        index = [np.int64, np.int32][i % 2]
        indices = np.stack([r.randint(0, s + (i % 8 == 7), size=n) for s in shape], 1).astype(index)
        yield (lambda a, v, s, b: tf.raw_ops.SparseTensorDenseAdd(
            a_indices=a, a_values=v, a_shape=s, b=b)), [
                indices, (9 * r.randn(n)).astype(dtype), np.array(shape, index),
                (9 * r.randn(*shape)).astype(dtype)]


def edit_distance(r):
    for i in range(30):
        def sparse():
            cells = sorted({(int(a), int(b)) for a, b in r.randint(0, 4, size=(r.randint(0, 9), 2))})
            values = r.randint(0, 3, size=len(cells))
            if i % 3 == 0:
                values = np.array([b"u", b"v", b"w"], object)[values]
            return [np.array(cells, np.int64).reshape(-1, 2), values, np.array([4, 4], np.int64)]
        yield (lambda a, b, c, d, e, f, n=i % 2 == 0: tf.raw_ops.EditDistance(
            hypothesis_indices=a, hypothesis_values=b, hypothesis_shape=c, truth_indices=d,
            truth_values=e, truth_shape=f, normalize=n)), sparse() + sparse()


OPS = {"RaggedRange": ragged_range, "BoostedTreesBucketize": bucketize,
       "Conv3DBackpropInputV2": conv3d_backprop_input, "SparseCross": sparse_cross,
       "DenseToDenseSetOperation": set_operation, "NearestNeighbors": nearest, "Svd": svd,
       "MatrixTriangularSolve": triangular, "UnicodeTranscode": transcode,
       "UnicodeDecodeWithOffsets": decode, "UnicodeEncode": encode, "StringNGrams": ngrams,
       "DecodePaddedRaw": padded_raw, "LogUniformCandidateSampler": sampler,
       "SparseTensorDenseAdd": dense_add, "EditDistance": edit_distance}
OPS.update(more_ops.OPS)
OPS.update(training_ops.OPS)
OPS.update(rarest_ops.OPS)
OPS.update(further_ops.OPS)


def main():
    folder = sys.argv[1]
    only = sys.argv[2:]
    for op in sorted(OPS):
        if only and op not in only:
            continue
        # What is in the repository is a choice: LAPIDARY_RECORD_ALL=1 writes every case.
        chosen = [m for m in (more_ops, training_ops, rarest_ops, further_ops) if op in m.OPS]
        if os.environ.get("LAPIDARY_RECORD_ALL"):
            chosen = []
        room = chosen[0].BYTES_OF_AN_OP if chosen else sys.maxsize
        if chosen and op in getattr(chosen[0], "LEFT_OUT", ()):
            continue
        random = np.random.RandomState(sum(op.encode()))
        count = errors = 0
        with open(os.path.join(folder, op + ".jsonl"), "w") as out:
            for i, (call, inputs) in enumerate(OPS[op](random)):
                case = record(op, "case_%d" % i, call, *inputs)
                if case is None:
                    continue
                line = json.dumps(case, separators=(",", ":")) + "\n"
                if len(line) > room and (count > 0 or chosen == [more_ops]):
                    continue
                out.write(line)
                room -= len(line)
                count += 1
                errors += "error" in case
        print("%s: %d cases, %d of them errors" % (op, count, errors))


main()
