"""Kernels as machine code on disk (extra `fast`): numba makes it once, later runs only load it.

Importing numba and its dispatcher costs a second in every process, and code that is made already
needs neither: the object file is loaded by llvmlite, which takes a twentieth of that. It is made
anew when the kernel, numba or the processor is another.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
NUMBA = "0.68."  # as in pyproject.toml; of others the object code is not taken out as here
# of an argument: pointers to numbers, then single numbers
_KINDS = {
    "d": ("float64", ctypes.c_void_p),
    "f": ("float32", ctypes.c_void_p),
    "i": ("int32", ctypes.c_void_p),
    "l": ("int64", ctypes.c_void_p),
    "h": ("uint16", ctypes.c_void_p),
    "b": ("uint8", ctypes.c_void_p),
    "N": ("int64", ctypes.c_int64),
    "D": ("float64", ctypes.c_double),
}
_DTYPES = {kind: np.dtype(name) for kind, (name, _) in _KINDS.items()}
_FROM_THE_SYSTEM = {"memset", "memcpy", "memmove", "floor"}
_DIGEST = 32  # bytes of the SHA-256 before the code of a file
_loaded_here: dict[tuple[str, str, str], Any] = {}  # engines, which keep the code in memory


@lru_cache
def can_compile() -> bool:
    """Whether the extra `fast` is installed, in the version whose insides are known here."""
    try:
        return version("numba").startswith(NUMBA)
    except PackageNotFoundError:
        return False


def is_made(kernel: str, name: str, kinds: str) -> bool:
    """Whether the machine code lies on disk, so that taking it costs little."""
    return can_compile() and any(path.is_file() for path in _places(kernel, name, kinds))


def is_loaded(kernel: str, name: str, kinds: str) -> bool:
    """Whether this process has the machine code already."""
    return (kernel, name, kinds) in _loaded_here


@lru_cache
def native(kernel: str, name: str, kinds: str) -> Callable[..., None]:
    """A function of the module sitemap.terrain.<kernel> as machine code; it lets other threads run.

    What it calls lies in that module, or in others whose names begin with the name of that one.

    kinds has a letter for each argument: d, f, i, l, h, b for arrays of float64, float32, int32,
    int64, uint16, uint8 that lie in one piece, N and D for whole and other numbers. The function
    returns nothing, raises nothing and makes no arrays. In place of an array its address_of may be
    given, by who keeps it alive. ImportError without the extra `fast`; calling it with an array of
    another kind raises TypeError.
    """
    places = _places(kernel, name, kinds)
    code = _on_disk(places)
    if code is None:
        code = _made(kernel, name, kinds)
        _kept(places, code)
    symbol, _, binary = code.partition(b"\n")
    engine = _engine(binary)
    _loaded_here[kernel, name, kinds] = engine
    types = [ctypes.c_void_p, ctypes.c_void_p, *(_KINDS[kind][1] for kind in kinds)]
    call = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(engine.get_function_address(symbol.decode()))
    told = (ctypes.c_int64 * 8)()  # where numba would say what it returns and raises
    returned, raised = told, ctypes.byref(told, 32)  # which keep that memory, where numbers do not

    def run(*given: Any) -> None:
        numbers = [
            x if type(x) is int or kind in "ND" else address_of(x, kind)
            for x, kind in zip(given, kinds, strict=True)
        ]
        call(returned, raised, *numbers)

    return run


def address_of(array: Any, kind: str) -> int:
    """Where an array lies that a kernel asks for by this kind; TypeError where it is another."""
    if array.dtype != _DTYPES[kind] or not array.flags.c_contiguous:
        raise TypeError(f"a kernel asks for {_KINDS[kind][0]} in one piece, not {array.dtype}")
    address: int = array.__array_interface__["data"][0]
    return address


def _places(kernel: str, name: str, kinds: str) -> list[Path]:
    """Where the code lies or would be put: beside the program, else with the user."""
    file = f"{kernel}.{name}.{kinds}-{_fingerprint(kernel, name, kinds)}.o"
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return [HERE / "__pycache__" / file, Path(cache).expanduser() / "sitemap" / file]


@lru_cache
def _fingerprint(kernel: str, name: str, kinds: str) -> str:
    try:
        versions = version("numba"), version("llvmlite")
    except PackageNotFoundError:
        raise ImportError("the extra `fast` is not installed") from None
    sources = [path.read_bytes() for path in sorted(HERE.glob(f"{kernel}*.py"))]
    said = sources, name, kinds, versions, _processor()
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


@lru_cache
def _processor() -> tuple[str, str, str]:
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features


def _made(kernel: str, name: str, kinds: str) -> bytes:
    """Name and object file of a kernel, compiled for this processor."""
    import llvmlite.binding as llvm
    from numba import njit
    from numba import types as numba_types

    types: Any = numba_types

    of = [getattr(types, _KINDS[kind][0]) for kind in kinds]
    given = [t if kind.isupper() else types.CPointer(t) for t, kind in zip(of, kinds, strict=True)]
    source = getattr(import_module(f"sitemap.terrain.{kernel}"), name)
    made: Any = njit(types.void(*given), nogil=True, error_model="numpy")(source)
    (signature,) = made.nopython_signatures
    code = llvm.parse_assembly(made.inspect_llvm(signature.args))
    symbol: str = made.overloads[signature.args].fndesc.mangled_name
    for function in code.functions:
        if function.name == symbol:
            function.linkage = "external"
        elif not function.is_declaration:
            function.linkage = "internal"  # wrappers for Python, which nothing calls
    code = _without_wrappers(llvm, code)
    asked = {f.name for f in code.functions if f.is_declaration and not f.name.startswith("llvm.")}
    if not asked <= _FROM_THE_SYSTEM:
        raise RuntimeError(f"{kernel}.{name} needs {', '.join(sorted(asked - _FROM_THE_SYSTEM))}")
    binary: bytes = _machine(llvm).emit_object(code)
    return symbol.encode() + b"\n" + binary


def _without_wrappers(llvm: Any, code: Any) -> Any:
    """The module without the functions that nothing calls."""
    tuning = llvm.create_pipeline_tuning_options(speed_level=0)
    builder = llvm.create_pass_builder(_machine(llvm), tuning)
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(code, builder)
    return code


def _machine(llvm: Any) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple, processor, features = _processor()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(
        cpu=processor, features=features, opt=3, reloc="default", codemodel="jitdefault", jit=True
    )


def _engine(binary: bytes) -> Any:
    """What has an object file in memory."""
    import llvmlite.binding as llvm

    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(llvm))
    engine.add_object_file(llvm.ObjectFileRef.from_data(binary))
    engine.finalize_object()
    return engine


def _on_disk(places: list[Path]) -> bytes | None:
    """The code as it was kept; what was damaged since is not run but made again."""
    for path in places:
        try:
            kept = path.read_bytes()
        except OSError:
            continue
        digest, code = kept[:_DIGEST], kept[_DIGEST:]
        if hashlib.sha256(code).digest() == digest:
            return code
    return None


def _kept(places: list[Path], code: bytes) -> None:
    """Put the code in the first place that can be written; in none, it is made again next time."""
    for path in places:
        part = path.with_suffix(f".{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(hashlib.sha256(code).digest() + code)
            part.replace(path)  # whole or not at all, whoever reads meanwhile
            for old in path.parent.glob(path.name.rsplit("-", 1)[0] + "-*.o"):
                if old != path:
                    old.unlink(missing_ok=True)
        except OSError:
            continue
        return
