"""Loads the library. Without a second argument it needs no GPU; with `gpu` it scales a vector there."""

import ctypes
import sys

vector = ctypes.CDLL(sys.argv[1])
print(f"vector {vector.vector_version()} from Python")
if sys.argv[2:] == ["gpu"]:
    count = 100000
    values = (ctypes.c_float * count)(*range(count))
    vector.vector_scale.argtypes = [ctypes.c_float, ctypes.POINTER(ctypes.c_float), ctypes.c_size_t]
    vector.vector_scale.restype = None
    vector.vector_scale(3.0, values, count)
    wrong = [i for i in range(count) if values[i] != 3.0 * i]
    if wrong:
        sys.exit(f"values[{wrong[0]}] is {values[wrong[0]]}")
    print(f"all {count} values are right")
