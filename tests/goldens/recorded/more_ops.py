# SPDX-License-Identifier: Apache-2.0
# Cases of record.py: transforms, sparse and ragged tensors, linear algebra.
import numpy as np
import tensorflow as tf

R = tf.raw_ops
BYTES_OF_AN_OP = 5600  # of the choice in the repository
FLOATS = [np.float32, np.float64, np.complex64, np.complex128]


def numbers(r, shape, dtype):
    if np.dtype(dtype).kind == "c":
        return np.array(r.randn(*shape) + 1j * r.randn(*shape), dtype)
    if np.dtype(dtype).kind in "iu":
        return np.array(r.randint(0, 9, size=shape), dtype)
    return np.array(r.randn(*shape), dtype)


def transform(name, axes):
    def cases(r):
        op = getattr(R, name)
        for i in range(16):
            shape = [int(s) for s in r.randint(1, 4, size=r.randint(0, 2))]
            shape += [int(s) for s in r.choice([1, 2, 3, 4, 5, 6, 7, 8, 10, 37], size=axes)]
            if i % 8 == 7:
                shape = shape[1:] if i == 7 else [0] + shape
            if "R" not in name:
                yield (lambda x: op(input=x)), [numbers(r, shape, np.complex64)]
                continue
            inner = shape[-axes:]
            sizes = [int(r.randint(1, s + (2 if i % 4 == 3 else 1))) for s in inner]
            if name[0] == "I":
                sizes[-1] = max(1, 2 * sizes[-1] - 2 + i % 2)
            yield (lambda x, n: op(input=x, fft_length=n)), [
                numbers(r, shape, np.complex64 if name[0] == "I" else np.float32),
                np.array(sizes, np.int32)]
    return cases


def sparse(r, shape, dtype, most=6, sort=True):
    cells = sorted({tuple(int(r.randint(s)) for s in shape) for _ in range(r.randint(0, most))}
                   ) if min(shape) > 0 else []
    if not sort:
        r.shuffle(cells)
    values = numbers(r, [len(cells)], dtype) if dtype else \
        r.choice(np.array([b"x", b"yy", b"z", b""], object), size=len(cells))
    return [np.array(cells, np.int64).reshape(-1, len(shape)), values, np.array(shape, np.int64)]


def some_shape(r, least=1, most=3):
    return [int(s) for s in r.randint(1, 5, size=r.randint(least, most + 1))]


def reorder(r):
    for i in range(12):
        yield (lambda a, b, c: R.SparseReorder(input_indices=a, input_values=b, input_shape=c)), \
            sparse(r, some_shape(r), [np.float32, None, np.int16][i % 3], 9, False)


def concat(r):
    for i in range(16):
        shape, n, axis = some_shape(r), 2 + i % 2, 0
        axis = int(r.randint(len(shape)))
        parts = []
        for k in range(n):
            own = list(shape)
            own[axis] = int(r.randint(1, 5))
            if i % 8 == 7 and k == 1 and len(shape) > 1:
                own[axis - 1] += 1
            parts.append(sparse(r, own, [np.float32, None][i % 2]))
        given = axis - len(shape) if i % 3 == 0 else axis
        yield (lambda *x, n=n, d=given: R.SparseConcat(
            indices=list(x[:n]), values=list(x[n:2 * n]), shapes=list(x[2 * n:]), concat_dim=d)), \
            [p[0] for p in parts] + [p[1] for p in parts] + [p[2] for p in parts]


def split(r):
    for i in range(14):
        shape = some_shape(r)
        axis = int(r.randint(len(shape)))
        yield (lambda d, a, b, c, n=int(r.randint(1, shape[axis] + 1 + (i % 7 == 6))): R.SparseSplit(
            split_dim=d, indices=a, values=b, shape=c, num_split=n)), \
            [np.int64(axis)] + sparse(r, shape, [np.float32, None][i % 2], 9)


def slice_(r):
    for i in range(14):
        shape = some_shape(r)
        start = np.array([r.randint(0, s) for s in shape], np.int64)
        size = np.array([r.randint(0, 5) for s in shape], np.int64)
        yield (lambda a, b, c, d, e: R.SparseSlice(indices=a, values=b, shape=c, start=d, size=e)), \
            sparse(r, shape, [np.float32, None, np.bool_][i % 2], 9) + [start, size]


def add(r):
    for i in range(18):
        dtype = [np.float32, np.float64, np.int32, np.int8, np.complex64, np.int64][i % 6]
        shape = some_shape(r)
        other = shape if i % 9 != 8 else [s + 1 for s in shape]
        thresh = np.array(0 if i % 2 else 1).astype(np.float32 if dtype == np.complex64 else dtype)
        yield (lambda a, b, c, d, e, f, t: R.SparseAdd(
            a_indices=a, a_values=b, a_shape=c, b_indices=d, b_values=e, b_shape=f, thresh=t)), \
            sparse(r, shape, dtype, 9) + sparse(r, other, dtype, 9) + [thresh]


def extreme(name):
    def cases(r):
        for i in range(10):
            dtype = [np.float32, np.float64, np.int32, np.uint8, np.float16][i % 5]
            shape = some_shape(r)
            yield (lambda a, b, c, d, e, f: getattr(R, name)(
                a_indices=a, a_values=b, a_shape=c, b_indices=d, b_values=e, b_shape=f)), \
                sparse(r, shape, dtype, 9) + sparse(r, shape, dtype, 9)
    return cases


def sparse_product(r):
    for i in range(24):
        dtype = [np.float32, np.float64, np.int32, np.complex64, np.complex128][i % 5]
        m, k, n = [int(s) for s in r.randint(0 if i % 8 == 7 else 1, 5, size=3)]
        a, b = bool(i % 2), bool(i // 2 % 2)
        left = sparse(r, [k, m] if a else [m, k], dtype, 9, False)
        if i % 3 == 0:
            left[0] = left[0].astype(np.int32)
        if i == 13:
            left[0] = left[0] + 3
        yield (lambda x, y, z, d, a=a, b=b: R.SparseTensorDenseMatMul(
            a_indices=x, a_values=y, a_shape=z, b=d, adjoint_a=a, adjoint_b=b)), \
            left + [numbers(r, [n, k] if b else [k, n], dtype)]


def cwise(name):
    def cases(r):
        for i in range(12):
            dtype = [np.float32, np.float64, np.int32, np.int16, np.float16, np.int64][i % 6]
            shape = some_shape(r)
            dense = [1 if r.rand() < 0.3 else s for s in shape][r.randint(0, len(shape)):]
            if i == 11:
                dense = [7] + shape
            yield (lambda a, b, c, d: getattr(R, name)(
                sp_indices=a, sp_values=b, sp_shape=c, dense=d)), \
                sparse(r, shape, dtype, 9) + [numbers(r, dense, dtype) + np.array(1, dtype)]
    return cases


def reduction(name):
    def cases(r):
        for i in range(14):
            dtype = [np.float32, np.float64, np.int32, np.uint8][i % 4]
            shape = some_shape(r)
            n = len(shape)
            axes = np.array(r.randint(-n, n + (i == 13), size=r.randint(0, n + 1)), np.int32)
            yield (lambda a, b, c, d, k=bool(i // 2 % 2): getattr(R, name)(
                input_indices=a, input_values=b, input_shape=c, reduction_axes=d, keep_dims=k)), \
                sparse(r, shape, dtype, 12) + [axes]
    return cases


def softmax(r):
    for i in range(8):
        yield (lambda a, b, c: R.SparseSoftmax(sp_indices=a, sp_values=b, sp_shape=c)), \
            sparse(r, some_shape(r, 2 if i < 7 else 1, 3), [np.float32, np.float64][i % 2], 12)


def dense_product(r):
    for i in range(8):
        a, b = bool(i % 2), bool(i // 2 % 2)
        m, k, n = [int(s) for s in r.randint(1, 6, size=3)]
        x = numbers(r, [k, m] if a else [m, k], np.float32)
        y = numbers(r, [n, k] if b else [k, n], np.float32)
        yield (lambda x, y, a=a, b=b: R.SparseMatMul(
            a=x, b=y, transpose_a=a, transpose_b=b, a_is_sparse=True, b_is_sparse=False)), \
            [x * (x > 0), y]


def set_operation(is_dense):
    def cases(r):
        kinds = ["a-b", "b-a", "intersection", "union"]
        for i in range(14):
            dtype = [np.int32, np.int64, np.uint8, None][i % 4]
            groups = some_shape(r, 1, 2)
            second = sparse(r, (groups if i != 13 else [s + 1 for s in groups]) + [4], dtype, 9)
            if is_dense:
                shape = groups + [int(r.randint(0, 4))]
                first = [numbers(r, shape, dtype) if dtype else
                         r.choice(np.array([b"x", b"yy", b"z", b""], object), size=shape)]
                yield (lambda a, d, e, f, k=kinds[i % 4]: R.DenseToSparseSetOperation(
                    set1=a, set2_indices=d, set2_values=e, set2_shape=f, set_operation=k)), \
                    first + second
                continue
            yield (lambda a, b, c, d, e, f, k=kinds[i % 4]: R.SparseToSparseSetOperation(
                set1_indices=a, set1_values=b, set1_shape=c, set2_indices=d, set2_values=e,
                set2_shape=f, set_operation=k)), sparse(r, groups + [5], dtype, 9) + second
    return cases


def set_size(r):
    for i in range(8):
        yield (lambda a, b, c: R.SetSize(set_indices=a, set_values=b, set_shape=c)), \
            sparse(r, some_shape(r, 2), [np.int32, None][i % 2], 12, i != 6)


def splits(r, levels, dtype):
    all_splits, rows = [], int(r.randint(0, 4))
    for _ in range(levels):
        lengths = r.randint(0, 4, size=rows)
        all_splits.append(np.concatenate([[0], np.cumsum(lengths)]).astype(dtype))
        rows = int(all_splits[-1][-1])
    return all_splits, rows


def ragged_to_sparse(r):
    for i in range(12):
        levels = 1 + i % 3
        parts, rows = splits(r, levels, [np.int64, np.int32][i % 2])
        if i == 11:
            rows += 1
        values = numbers(r, [rows] + some_shape(r, 0, 2), np.float32)
        yield (lambda *x: R.RaggedTensorToSparse(rt_nested_splits=list(x[:-1]),
                                                 rt_dense_values=x[-1])), parts + [values]


def ragged_gather(r):
    for i in range(14):
        levels = 1 + i % 3
        parts, rows = splits(r, levels, [np.int64, np.int32][i % 2])
        values = numbers(r, [rows] + some_shape(r, 0, 2), np.float32)
        count = len(parts[0]) - 1
        shape = [[], [3], [2, 2], [0], [1, 2, 2]][i % 5]
        indices = r.randint(0, count + (i == 13), size=shape) if count else np.zeros([0], np.int64)
        yield (lambda *x, n=levels + indices.ndim - 1: R.RaggedGather(
            params_nested_splits=list(x[:-2]), params_dense_values=x[-2], indices=x[-1],
            OUTPUT_RAGGED_RANK=n)), parts + [values, np.array(indices, np.int32)]


def ragged_to_tensor(r):
    for i in range(24):
        levels = 1 + i % 2
        parts, rows = splits(r, levels, np.int64)
        row = some_shape(r, 0, 2)
        types = ["ROW_SPLITS"] * levels
        if i % 3 == 2:
            first = np.int64(len(parts[0]) - 1)
            parts = [first] + [np.repeat(np.arange(len(p) - 1), np.diff(p)) for p in parts]
            types = ["FIRST_DIM_SIZE"] + ["VALUE_ROWIDS"] * levels
        shape = np.int64(-1)
        if i % 4:
            shape = np.array([-1 if r.rand() < .5 else r.randint(1, 4) for _ in range(levels + 1)] +
                             [-1 if r.rand() < .5 else s for s in row], np.int64)
        default = numbers(r, [] if i % 5 else row, np.float32)
        yield (lambda s, v, d, *x, t=types: R.RaggedTensorToTensor(
            shape=s, values=v, default_value=d, row_partition_tensors=list(x),
            row_partition_types=t)), [shape, numbers(r, [rows] + row, np.float32), default] + parts


def matrices(r, dtype, rows=None, columns=None, batch=None):
    n = int(r.randint(1, 6))
    batch = some_shape(r, 0, 1) if batch is None else batch
    return numbers(r, batch + [rows or n, columns or n], dtype)


def qr(r):
    for i in range(16):
        x = matrices(r, FLOATS[i % 4], int(r.randint(1, 6)), int(r.randint(1, 6)))
        yield (lambda a, f=bool(i // 4 % 2): R.Qr(input=a, full_matrices=f)), [x]


def lu(r):
    for i in range(12):
        x = matrices(r, FLOATS[i % 4]) * (i != 10)
        yield (lambda a, t=[tf.int32, tf.int64][i % 2]: R.Lu(input=a, output_idx_type=t)), [x]


def eigen(r):
    for i in range(12):
        def values(a, v=bool(i // 4 % 2)):
            e, vectors = R.SelfAdjointEigV2(input=a, compute_v=v)
            return [e, tf.abs(vectors)] if v else [e]
        yield values, [matrices(r, FLOATS[i % 4])]


def log_determinant(r):
    for i in range(12):
        yield (lambda a: R.LogMatrixDeterminant(input=a)), [matrices(r, FLOATS[i % 4]) * (i != 9)]


def least_squares(r):
    for i in range(20):
        rows, columns = int(r.randint(1, 6)), int(r.randint(1, 6))
        x = matrices(r, FLOATS[i % 4], rows, columns)
        y = numbers(r, list(x.shape[:-1]) + [int(r.randint(1, 4))], FLOATS[i % 4])
        if i % 5 == 4:
            x[..., 0] = x[..., -1]
        fast = i % 2 == 0
        yield (lambda a, b, c, f=fast: R.MatrixSolveLs(
            matrix=a, rhs=b, l2_regularizer=c, fast=f)), [x, y, np.float64(0.5 * fast)]


def tridiagonal_solve(r):
    for i in range(14):
        n, batch = int(r.randint(1, 6)), some_shape(r, 0, 1)
        d = numbers(r, batch + [3, n], FLOATS[i % 4])
        if i % 2 == 0:
            d[..., 1, :] += 5
        if i == 13:
            d *= 0
        yield (lambda a, b, p=i % 2 == 1: R.TridiagonalSolve(
            diagonals=a, rhs=b, partial_pivoting=p)), \
            [d, numbers(r, batch + [n, int(r.randint(1, 4))], FLOATS[i % 4])]


def tridiagonal_product(r):
    for i in range(8):
        n, batch = int(r.randint(1, 6)), some_shape(r, 0, 1)
        yield (lambda a, b, c, d: R.TridiagonalMatMul(superdiag=a, maindiag=b, subdiag=c, rhs=d)), \
            [numbers(r, batch + [1, n], FLOATS[i % 4]) for _ in range(3)] + \
            [numbers(r, batch + [n, int(r.randint(1, 4))], FLOATS[i % 4])]


def strip(r):
    words = np.array([b"", b" a b ", b"\t\n\v\f\r", b"\xc2\xa0x ", b"y"], object)
    for i in range(4):
        yield (lambda x: R.StringStrip(input=x)), [r.choice(words, size=some_shape(r, 0, 2))]


def fingerprint(r):
    words = np.array([b"", b"abc", b"a" * 40, b"b" * 70, b"c" * 200], object)
    for i in range(10):
        shape = some_shape(r, 1, 3)
        x = r.choice(words, size=shape) if i % 2 else \
            numbers(r, shape, [np.float32, np.uint8, np.int64][i % 3])
        yield (lambda x, m: R.Fingerprint(data=x, method=m)), [
            x, np.array(b"farmhash64" if i < 9 else b"sha", object)]


def segment_join(r):
    words = np.array([b"", b"a", b"bc"], object)
    for i in range(10):
        shape = some_shape(r, 1, 3)
        ids = shape[:r.randint(1, len(shape) + 1)]
        yield (lambda x, y, n, s=["", "-"][i % 2]: R.UnsortedSegmentJoin(
            inputs=x, segment_ids=y, num_segments=n, separator=s)), [
                r.choice(words, size=shape),
                r.randint(-1 if i % 3 == 0 else 0, 3 + (i == 9), size=ids).astype(np.int32),
                np.int32(3)]


def of_list(name):
    def cases(r):
        for i in range(8):
            inner, n = some_shape(r, 0, 2), int(r.randint(0, 4))
            x = numbers(r, [n] + inner, np.float32)
            indices = np.array(r.permutation(5)[:n], np.int32)
            shape = np.array(inner, np.int32)
            if name == "TensorListSplit":
                lengths = np.array(r.multinomial(n, [.5, .5]), np.int64)

                def split_and_join(x, s, k):
                    made = R.TensorListSplit(tensor=x, element_shape=s, lengths=k)
                    return R.TensorListConcatV2(input_handle=made, element_shape=s,
                                                leading_dims=k, element_dtype=tf.float32)
                yield split_and_join, [x, np.array([-1] + inner, np.int32), lengths + (i == 7)]
                continue

            def scatter(x, k, s, m=name):
                if m == "TensorListScatterV2":
                    made = R.TensorListScatterV2(tensor=x, indices=k, element_shape=s,
                                                 num_elements=4)
                elif m == "TensorListScatter":
                    made = R.TensorListScatter(tensor=x, indices=k, element_shape=s)
                else:
                    made = R.TensorListReserve(element_shape=s, num_elements=2,
                                               element_dtype=tf.float32)
                    made = R.TensorListScatterIntoExistingList(input_handle=made, tensor=x,
                                                               indices=k)
                    made = R.TensorListConcatLists(input_a=made, input_b=made,
                                                   element_dtype=tf.float32)
                return R.TensorListGather(input_handle=made, indices=k, element_shape=s,
                                          element_dtype=tf.float32)
            yield scatter, [x, indices - 2 * (i == 7), shape]
    return cases


OPS = {"StringStrip": strip, "Fingerprint": fingerprint, "UnsortedSegmentJoin": segment_join,
       "TensorListSplit": of_list("TensorListSplit"),
       "TensorListScatterV2": of_list("TensorListScatterV2"),
       "TensorListScatterIntoExistingList": of_list("TensorListScatterIntoExistingList"),
       "TensorListScatter": of_list("TensorListScatter"), "SparseReorder": reorder, "SparseConcat": concat, "SparseSplit": split,
       "SparseSlice": slice_, "SparseAdd": add, "SparseTensorDenseMatMul": sparse_product,
       "SparseSoftmax": softmax, "SparseMatMul": dense_product,
       "SparseToSparseSetOperation": set_operation(False),
       "DenseToSparseSetOperation": set_operation(True), "SetSize": set_size,
       "RaggedTensorToSparse": ragged_to_sparse, "RaggedGather": ragged_gather,
       "RaggedTensorToTensor": ragged_to_tensor, "Qr": qr, "Lu": lu, "SelfAdjointEigV2": eigen,
       "LogMatrixDeterminant": log_determinant, "MatrixSolveLs": least_squares,
       "TridiagonalSolve": tridiagonal_solve, "TridiagonalMatMul": tridiagonal_product}
for axes, suffix in enumerate(["", "2D", "3D"]):
    for kind in ["FFT", "IFFT", "RFFT", "IRFFT"]:
        OPS[kind + suffix] = transform(kind + suffix, axes + 1)
for name in ["SparseSparseMaximum", "SparseSparseMinimum"]:
    OPS[name] = extreme(name)
for name in ["SparseDenseCwiseAdd", "SparseDenseCwiseMul", "SparseDenseCwiseDiv"]:
    OPS[name] = cwise(name)
for name in ["SparseReduceSum", "SparseReduceSumSparse", "SparseReduceMax", "SparseReduceMaxSparse"]:
    OPS[name] = reduction(name)
