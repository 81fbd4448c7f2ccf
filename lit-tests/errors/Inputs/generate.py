"""Programs that are large in one way: python3 generate.py nest|chain|many|calls|sizes|functions N."""

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


def sizes(n):
    """Buffers whose sizes are squared, doubled, and those of a network, one operation after the other."""
    print("func.func @f(%n0: index, %v: f32, %out: memref<?xf32>) {")
    print("%m0 = arith.addi %n0, %n0 : index")
    for i in range(n):
        print(f"%n{i + 1} = arith.muli %n{i}, %n{i} : index")
        print(f"%m{i + 1} = arith.addi %m{i}, %m{i} : index")
    for name, size in (("a", f"%n{n}"), ("b", "%m40"), ("c0", "%n0")):
        print(f"%{name} = memref.alloc({size}) : memref<?xf32>")
        print(f"linalg.fill ins(%v : f32) outs(%{name} : memref<?xf32>)")
    for i in range(n):
        print(f"%c{i + 1} = memref.alloc(%n0) : memref<?xf32>")
        print(f"linalg.exp ins(%c{i} : memref<?xf32>) outs(%c{i + 1} : memref<?xf32>)")
    for name in ("a", "b", f"c{n}"):
        print(f"memref.copy %{name}, %out : memref<?xf32> to memref<?xf32>")
    print("return\n}")


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


def functions(n):
    """Functions that have nothing to do with each other."""
    for i in range(n):
        print(f"func.func @f{i}(%v: f32, %out: memref<4xf32>) {{")
        print("%a = memref.alloc() : memref<4xf32>")
        print("linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)")
        print("memref.copy %a, %out : memref<4xf32> to memref<4xf32>\nreturn\n}")


globals()[sys.argv[1]](int(sys.argv[2]))
