"""Programs that are large in one way: python3 generate.py nest|chain|many|calls N."""

import sys


def nest(n):
    """A buffer that is used inside n branches, each inside the other."""
    print("func.func @f(%c: i1, %v: f32, %out: memref<4xf32>) {")
    print("%a = memref.alloc() : memref<4xf32>")
    print("scf.if %c {\n" * n)
    print("linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)")
    print("memref.copy %a, %out : memref<4xf32> to memref<4xf32>")
    print("}\n" * n + "return\n}")


def chain(n):
    """A view of a view of a view."""
    print("func.func @f(%v: f32, %out: memref<4xf32>) {")
    print("%a0 = memref.alloc() : memref<4xf32>")
    print("linalg.fill ins(%v : f32) outs(%a0 : memref<4xf32>)")
    for i in range(n):
        print(f"%a{i + 1} = memref.cast %a{i} : memref<4xf32> to memref<4xf32>")
    print(f"memref.copy %a{n}, %out : memref<4xf32> to memref<4xf32>\nreturn\n}}")


def many(n):
    """Buffers one after the other."""
    print("func.func @f(%v: f32, %out: memref<4xf32>) {")
    for i in range(n):
        print(f"%a{i} = memref.alloc() : memref<4xf32>")
        print(f"linalg.fill ins(%v : f32) outs(%a{i} : memref<4xf32>)")
        print(f"memref.copy %a{i}, %out : memref<4xf32> to memref<4xf32>")
    print("return\n}")


def calls(n):
    """Functions each of which calls the next one while its own buffer is live."""
    for i in range(n):
        print(f"func.func {'private ' if i else ''}@f{i}(%v: f32, %out: memref<4xf32>) {{")
        print("%a = memref.alloc() : memref<4xf32>")
        print("linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)")
        if i + 1 < n:
            print(f"call @f{i + 1}(%v, %out) : (f32, memref<4xf32>) -> ()")
        print("memref.copy %a, %out : memref<4xf32> to memref<4xf32>\nreturn\n}")


globals()[sys.argv[1]](int(sys.argv[2]))
