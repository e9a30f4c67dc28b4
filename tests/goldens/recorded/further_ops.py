# SPDX-License-Identifier: Apache-2.0
# Cases of record.py: ragged tensors as variants, scripts of code points, exponentials of matrices,
# gradients of bicubic resizing.
import numpy as np
import tensorflow as tf

R = tf.raw_ops
BYTES_OF_AN_OP = 2600  # of the choice in the repository


def ragged(r, levels, i):
    """Splits, outermost first, and values that fit each other."""
    kind = [np.int64, np.int32][i % 2]
    # Without rows the original can make a variant of one ragged axis only; else it crashes.
    rows, splits = int(r.randint(0 if i % 5 == 4 and levels == 1 else 1, 4)), []
    for _ in range(levels):
        splits.append(np.cumsum([0] + list(r.randint(0, 3, size=rows))).astype(kind))
        rows = int(splits[-1][-1])
    shape = [[rows], [rows, 2]][i % 3 == 2]
    if i % 4 == 3:
        return splits, r.choice(np.array([b"x", b"yy", b""], object), size=shape)
    return splits, (9 * r.randn(*shape)).astype([np.float32, np.int32, np.float64, None][i % 4])


def back(encoded, outer, levels, x):
    return R.RaggedTensorFromVariant(encoded_ragged=encoded, input_ragged_rank=outer,
                                     output_ragged_rank=levels, Tvalues=x[-1].dtype,
                                     Tsplits=x[0].dtype)


def to_variant(r):
    for i in range(16):
        levels, batched = 1 + i % 3, i // 3 % 2 == 0
        splits, values = ragged(r, levels, i)

        def call(*x, levels=levels, batched=batched, i=i):
            encoded = R.RaggedTensorToVariant(rt_nested_splits=list(x[:-1]), rt_dense_values=x[-1],
                                              batched_input=batched)
            outer = levels - 1 if batched else levels
            made = back(encoded, -1 if i % 2 else outer, levels, x)
            return [tf.shape(encoded)] + list(made.output_nested_splits) + [made.output_dense_values]
        yield call, splits + [values]


def from_variant(r):
    for i in range(30):
        levels = 1 + i % 2
        splits, values = ragged(r, levels, i)
        rows = len(splits[0]) - 1

        def call(*x, levels=levels, rows=rows, i=i):
            encoded = R.RaggedTensorToVariant(rt_nested_splits=list(x[:-1]), rt_dense_values=x[-1],
                                              batched_input=True)
            outer = levels - 1
            if i % 6 == 0:  # rows in another order, as a matrix
                picked = tf.gather(encoded, [[0, rows - 1], [rows - 1, 0], [0, 0]])
                made = back(picked, outer, levels + 1, x)
            elif i % 6 == 1:  # through a list, as map_fn does
                rank = tf.constant([], tf.int32)
                kept = R.TensorListFromTensor(tensor=encoded, element_shape=rank)
                encoded = R.TensorListStack(input_handle=kept, element_shape=rank,
                                            element_dtype=tf.variant)
                made = back(encoded, outer, levels, x)
            elif i % 6 == 2:  # a row for itself, and one more ragged axis around two of them
                made = back(tf.stack([encoded[0], encoded[rows - 1]]), outer, levels, x)
            elif i % 6 == 3:  # another type or number of axes than there is
                made = R.RaggedTensorFromVariant(
                    encoded_ragged=encoded, input_ragged_rank=outer + (i % 4 == 3),
                    output_ragged_rank=levels + (i % 4 == 3),
                    Tvalues=x[-1].dtype if i % 4 == 3 else tf.uint8, Tsplits=x[0].dtype)
            elif i % 6 == 4:
                made = back(encoded[::-1], outer, levels, x)
            else:  # through an array
                array = tf.TensorArray(tf.variant, rows, infer_shape=False).unstack(encoded)
                made = back(array.gather(tf.range(rows)), outer, levels, x)
            return list(made.output_nested_splits) + [made.output_dense_values]
        yield call, splits + [values]


def script(r):
    for i in range(5):
        points = [r.randint(0, [0x250, 0x3000, 0x11000, 0x110000][i], size=[3, 8])
                  if i < 4 else np.array([-1, 0x110000, 2 ** 31 - 1, -2 ** 31, 0xD800, 0x10FFFF])]
        yield (lambda x: R.UnicodeScript(input=x)), [np.array(points[0], np.int32)]


def old_op(name, x):
    """An op that is removed from graphs of today's version."""
    graph = tf.GraphDef()
    graph.versions.producer = 26
    node = graph.node.add(name="e", op=name, input=["x"])
    node.attr["T"].type = x.dtype.as_datatype_enum
    return tf.import_graph_def(graph, {"x": x}, ["e:0"], name="")[0]


def exponential(r):
    for i in range(12):
        dtype = [np.float32, np.float64, np.complex64, np.complex128][i % 4]
        n = int(r.randint(1, 5))
        shape = [[n, n], [2, n, n], [1, 0, 0], [2, 3]][(0 if i < 6 else 1) + (i == 9) + 2 * (i == 10)]
        x = r.randn(*shape) * [0.1, 1, 4][i % 3]
        if dtype in (np.complex64, np.complex128):
            x = x + 1j * r.randn(*shape)
        yield (lambda x: old_op("MatrixExponential", x)), [x.astype(dtype)]


def cubic_grad(r):
    for i in range(16):
        dtype = [np.float32, np.float64][i % 2]
        size, made = r.randint(1, 6, size=2), r.randint(1, 7, size=2)
        yield (lambda g, x, a=i % 3 == 0, h=i % 3 == 1: R.ResizeBicubicGrad(
            grads=g, original_image=x, align_corners=a, half_pixel_centers=h)), [
                r.randn(1 + i % 2, made[0], made[1], 2).astype(np.float32),
                np.zeros([1 + i % 2, size[0], size[1], 2], dtype)]


OPS = {"RaggedTensorToVariant": to_variant, "RaggedTensorFromVariant": from_variant,
       "UnicodeScript": script, "MatrixExponential": exponential, "ResizeBicubicGrad": cubic_grad}
