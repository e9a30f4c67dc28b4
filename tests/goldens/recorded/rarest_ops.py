# SPDX-License-Identifier: Apache-2.0
# Cases of record.py: trees, sequences of examples, texts of sparse tensors, summaries, roots and
# logarithms of matrices.
import numpy as np
import tensorflow as tf
from tensorflow.core.kernels.boosted_trees import boosted_trees_pb2
from tensorflow.python.ops import gen_tensor_forest_ops

R = tf.raw_ops
BYTES_OF_AN_OP = 2000  # of the choice in the repository


def grow(r, tree, depth, split, leaf):
    """A random tree of that depth; returns the number of its root."""
    tree.nodes.add()
    at = len(tree.nodes) - 1
    if depth == 0 or (depth < 3 and r.rand() < 0.3):
        leaf(tree.nodes[at])
        return at
    left = grow(r, tree, depth - 1, split, leaf)
    right = grow(r, tree, depth - 1, split, leaf)
    split(tree.nodes[at], left, right)
    return at


def ensemble(r, logits, trees):
    def split(node, left, right):
        kind = node.categorical_split if r.rand() < 0.3 else node.bucketized_split
        kind.feature_id = r.randint(0, 2)
        if kind is node.categorical_split:
            kind.value = r.randint(0, 4)
        else:
            kind.threshold = r.randint(-1, 3)
        kind.left_id, kind.right_id = left, right

    def leaf(node):
        if logits == 1:
            node.leaf.scalar = r.randn()
        else:
            node.leaf.vector.value.extend(r.randn(logits))
    made = boosted_trees_pb2.TreeEnsemble()
    for _ in range(trees):
        grow(r, made.trees.add(), 3, split, leaf)
        made.tree_weights.append(r.rand())
        made.tree_metadata.add().is_finalized = bool(r.randint(2))
    made.growing_metadata.num_layers_attempted = 4
    made.growing_metadata.last_layer_node_start = 1
    made.growing_metadata.last_layer_node_end = 3
    return made.SerializeToString()


def boosted(r):
    for i in range(8):
        logits, trees, n = 1 + 2 * (i % 2), [3, 1, 0, 2][i % 4], 4
        text = np.array(ensemble(r, logits, trees), object)

        def call(text, a, b, logits=logits, i=i):
            handle = R.BoostedTreesEnsembleResourceHandleOp(shared_name="e%d" % i)
            made = R.BoostedTreesCreateEnsemble(
                tree_ensemble_handle=handle, stamp_token=np.int64(7), tree_ensemble_serialized=text)
            with tf.control_dependencies([made]):
                if i % 3 == 2:
                    made = R.BoostedTreesDeserializeEnsemble(
                        tree_ensemble_handle=handle, stamp_token=np.int64(9),
                        tree_ensemble_serialized=text)
            with tf.control_dependencies([made]):
                states = R.BoostedTreesGetEnsembleStates(tree_ensemble_handle=handle)
                return [R.BoostedTreesPredict(tree_ensemble_handle=handle, bucketized_features=[a, b],
                                              logits_dimension=logits),
                        R.IsBoostedTreesEnsembleInitialized(tree_ensemble_handle=handle),
                        R.BoostedTreesSerializeEnsemble(tree_ensemble_handle=handle).stamp_token] + \
                    list(states)
        yield call, [text, r.randint(-1, 4, size=n).astype(np.int32),
                     r.randint(-1, 4, size=n).astype(np.int32)]


def forest(r):
    for i in range(6):
        logits = 1 + i % 3
        tree = boosted_trees_pb2.Tree()

        def split(node, left, right):
            node.dense_split.feature_id = r.randint(0, 3)
            node.dense_split.threshold = r.randn()
            node.dense_split.left_id, node.dense_split.right_id = left, right

        def leaf(node, logits=logits):
            node.leaf.vector.value.extend(r.randn(logits))
        grow(r, tree, 3, split, leaf)

        def call(text, x, logits=logits, i=i):
            def op(name, **inputs):
                return getattr(gen_tensor_forest_ops, "tensor_forest_" + name)(**inputs)
            handle = op("tree_resource_handle_op", container="", shared_name="t%d" % i)
            made = op("create_tree_variable", tree_handle=handle, tree_config=text)
            with tf.control_dependencies([made]):
                if i % 2:
                    made = op("tree_deserialize", tree_handle=handle, tree_config=text)
            with tf.control_dependencies([made]):
                return [op("tree_predict", tree_handle=handle, dense_features=x,
                           logits_dimension=logits), op("tree_size", tree_handle=handle),
                        op("tree_serialize", tree_handle=handle),
                        op("tree_is_initialized_op", tree_handle=handle)]
        yield call, [np.array(tree.SerializeToString(), object),
                     r.randn(4, 3).astype(np.float32)]


def sequence(r, i):
    example = tf.train.SequenceExample()
    if i != 2:
        example.context.feature["c"].int64_list.value.extend(r.randint(0, 9, size=2))
        example.context.feature["s"].bytes_list.value.extend([b"a", b"bc"][:r.randint(0, 3)])
    lists = example.feature_lists.feature_list
    for _ in range(r.randint(0, 4)):
        lists["fs"].feature.add().float_list.value.extend(r.randn(r.randint(0, 3)))
    for _ in range(r.randint(0, 3)):
        lists["fd"].feature.add().int64_list.value.extend(r.randint(0, 9, size=2 + (i == 5)))
    if i == 3:
        lists["fd"]
    return example.SerializeToString()


SEQUENCE = dict(context_sparse_keys=["s"], context_dense_keys=["c"], feature_list_sparse_keys=["fs"],
                feature_list_dense_keys=["fd"], context_sparse_types=[tf.string],
                feature_list_dense_types=[tf.int64], context_dense_shapes=[[2]],
                feature_list_sparse_types=[tf.float32], feature_list_dense_shapes=[[2]])


def one_sequence(r):
    for i in range(7):
        missing = np.array([b"fd"][:i % 2], object)
        text = b"zz" if i == 6 else sequence(r, i)
        yield (lambda x, m, d: R.ParseSingleSequenceExample(
            serialized=x, feature_list_dense_missing_assumed_empty=m, context_dense_defaults=[d],
            debug_name="", **SEQUENCE)), [np.array(text, object), missing, np.array([5, 6])]


def sequences(r):
    for i in range(7):
        texts = np.array([sequence(r, i) for _ in range(i % 4)], object).reshape(-1)
        yield (lambda x, d, m=["fd"][:i % 2]: R.ParseSequenceExample(
            serialized=x, debug_name=tf.constant([], tf.string), context_dense_defaults=[d],
            feature_list_dense_missing_assumed_empty=m, Ncontext_sparse=1, Ncontext_dense=1,
            Nfeature_list_sparse=1, Nfeature_list_dense=1, **SEQUENCE)), \
            [texts, np.array([5, 6])]


def numbers(r, shape, dtype):
    if np.dtype(dtype).kind == "c":
        return np.array(r.randn(*shape) + 1j * r.randn(*shape), dtype)
    return np.array(r.randn(*shape), dtype)


def sparse(r, shape, dtype, sort=True):
    cells = sorted({tuple(int(r.randint(s)) for s in shape) for _ in range(r.randint(0, 6))})
    if not sort:
        cells = cells[::-1]
    values = r.choice(np.array([b"x", b"", b"yy"], object), size=len(cells)) if dtype is None \
        else np.array(r.randn(len(cells)) * 9, dtype)
    return [np.array(cells, np.int64).reshape(-1, len(shape)), values, np.array(shape, np.int64)]


def serialize(many):
    def cases(r):
        for i in range(6):
            parts = sparse(r, [[3, 4], [2, 2, 3], [4, 2]][i % 3], [np.float32, None, np.int16][i % 3],
                           i != 5)
            op = R.SerializeManySparse if many else R.SerializeSparse
            yield (lambda a, b, c: op(sparse_indices=a, sparse_values=b, sparse_shape=c)), parts
    return cases


def deserialize(many):
    def cases(r):
        for i in range(7):
            kinds = [np.float32, None, np.int64]
            dtype = [tf.float32, tf.string, tf.int64][i % 3]
            parts = [sparse(r, [int(s) for s in r.randint(1, 4, size=1 + i % 2 + (i == 6 and k))],
                            kinds[i % 3]) for k in range(2)]

            def call(*x, dtype=dtype, i=i):
                rows = [R.SerializeSparse(sparse_indices=x[k], sparse_values=x[k + 1],
                                          sparse_shape=x[k + 2]) for k in (0, 3)]
                if many:
                    return R.DeserializeManySparse(serialized_sparse=tf.stack(rows), dtype=dtype)
                if i % 4 == 3:
                    return R.DeserializeSparse(serialized_sparse=rows[0], dtype=dtype)
                both = tf.stack([rows, rows]) if i % 2 else tf.stack(rows)
                return R.DeserializeSparse(serialized_sparse=both, dtype=dtype)
            yield call, parts[0] + parts[1]
    return cases


def scalar_summary(r):
    for i in range(5):
        tags = np.array([b"a", b"b/c"], object) if i % 2 else np.array(b"loss", object)
        shape = [[], [2]][i % 2] if i < 4 else [2]
        yield (lambda t, v: R.ScalarSummary(tags=t, values=v)), [
            tags, np.array(r.randn(*shape) * 9, [np.float32, np.int32, np.float64][i % 3])]


def histogram(r):
    for i in range(6):
        x = np.array(r.randn(5) * 10.0 ** r.randint(-9, 9, size=5),
                     [np.float32, np.float64][i % 2])
        if i == 3:
            x = np.array(r.randint(-5, 5, size=9), np.int32)
        if i == 4:
            x = x[:0]
        if i == 5:
            x[2] = np.inf
        yield (lambda t, v: R.HistogramSummary(tag=t, values=v)), [np.array(b"w", object), x]


def merge(r):
    for i in range(3):
        def call(v, i=i):
            parts = [R.ScalarSummary(tags=t, values=v) for t in ("a", "b", "a" if i == 1 else "c")]
            return R.MergeSummary(inputs=parts[:1] + [tf.stack(parts[1:])])
        yield call, [np.float32(r.randn())]


def bitpack(r):
    for i in range(6):
        dtype = [np.float32, np.int8, np.bool_, np.float16, np.int64, np.float64][i]
        shape = [[8], [2, 16], [3, 1, 8]][i % 3]
        x = r.rand(*shape) > 0.5 if dtype is np.bool_ else np.array(r.randn(*shape) * 3, dtype)
        yield (lambda x, t: R.CompareAndBitpack(input=x, threshold=t)), [x, np.array(1, dtype)]


def matrix_function(op, kinds):
    def cases(r):
        for i in range(10):
            n = int(r.randint(1, 5))
            shape = [[n, n], [2, n, n], [1, 0, 0]][0 if i < 6 else 1 + (i == 9)]
            x = numbers(r, shape, kinds[i % len(kinds)])
            if i % 3 == 0 and i < 9:
                x = np.matmul(x, x)
            if i == 8:
                x[0] = 0
            yield (lambda x: op(input=x)), [x]
    return cases


def add_grad(r):
    for i in range(4):
        a, b = [sorted(r.permutation(6)[:3]) for _ in range(2)]
        both = sorted(set(a) | set(b))
        rows = [np.array([divmod(int(x), 3) for x in s], np.int64) for s in (a, b, both)]
        yield (lambda g, a, b, s: R.SparseAddGrad(
            backprop_val_grad=g, a_indices=a, b_indices=b, sum_indices=s)), \
            [np.array(r.randn(len(both)), [np.float32, np.float64][i % 2])] + rows


def slice_grad(r):
    for i in range(4):
        rows = np.array(sorted({(int(x), int(y)) for x, y in r.randint(0, 4, size=(6, 2))}), np.int64)
        start = np.array([i % 2, 1], np.int64)
        kept = rows[np.all(rows >= start, axis=1)] - start
        yield (lambda g, a, s, o: R.SparseSliceGrad(
            backprop_val_grad=g, input_indices=a, input_start=s, output_indices=o)), \
            [np.array(r.randn(len(kept)), np.float32), rows, start, kept]


def empty_rows_grad(r):
    for i in range(4):
        n = 5
        yield (lambda m, g: R.SparseFillEmptyRowsGrad(reverse_index_map=m, grad_values=g)), \
            [np.array(r.permutation(n)[:3] + (i == 3), np.int64),
             np.array(r.randn(n), [np.float32, np.float64][i % 2])]


def stage(r):
    for i in range(4):
        def call(x, i=i):
            more = dict(dtypes=[tf.float32, tf.float32], shared_name="s%d" % i)
            put = R.Stage(values=[x, 2 * x], shared_name="s%d" % i)
            with tf.control_dependencies([put]):
                peek = R.StagePeek(index=0, **more)
                size = R.StageSize(**more)
            with tf.control_dependencies([peek[0].op, size.op]):
                last = R.StageClear(**more) if i % 2 else R.Unstage(**more)[1].op
            with tf.control_dependencies([last]):
                return list(peek) + [size, R.StageSize(**more)]
        yield call, [np.array(r.randn(2), np.float32)]


def optional(r):
    for i in range(5):
        def call(x, i=i):
            made = R.OptionalNone() if i == 3 else R.OptionalFromValue(components=[x, x + 1])
            return [R.OptionalHasValue(optional=made)] + list(R.OptionalGetValue(
                optional=made, output_types=[tf.float32, [tf.float32, tf.int32][i == 4]],
                output_shapes=[[None], [[2], [3]][i == 2]]))
        yield call, [np.array(r.randn(2), np.float32)]


COMPLEX = [np.complex64, np.complex128]
OPS = {"BoostedTreesPredict": boosted, "TensorForestTreePredict": forest,
       "ParseSingleSequenceExample": one_sequence, "ParseSequenceExample": sequences,
       "SerializeSparse": serialize(False), "SerializeManySparse": serialize(True),
       "DeserializeSparse": deserialize(False), "DeserializeManySparse": deserialize(True),
       "ScalarSummary": scalar_summary, "HistogramSummary": histogram, "MergeSummary": merge,
       "CompareAndBitpack": bitpack,
       "MatrixSquareRoot": matrix_function(R.MatrixSquareRoot,
                                           [np.complex64, np.complex128, np.float32, np.float64]),
       "MatrixLogarithm": matrix_function(R.MatrixLogarithm, COMPLEX),
       "SparseAddGrad": add_grad, "SparseSliceGrad": slice_grad,
       "SparseFillEmptyRowsGrad": empty_rows_grad, "Unstage": stage, "OptionalGetValue": optional}
