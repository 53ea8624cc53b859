"""The kernel compiles elsewhere, and both versions of its long loops give the same results.

``make cross`` does more: it builds whole programs for other systems, and runs them where it can.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bench.search import findings

from punct import _kernel
from punct.engine.network import own_network

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "kernel"
COMPILER = shutil.which(os.environ.get("CXX", "c++"))
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler here")
is_x86 = platform.machine().lower() in ("x86_64", "amd64")

NOT_PORTABLE = {
    r"__builtin_\w+|__attribute__|__asm__|__extension__|vector_size|target_clones": "GCC's and Clang's own",
    r"__declspec|_MSC_VER|_BitScan\w+": "MSVC's own",
    r"__int128|\bssize_t\b|\bu?int\b\s*\w+\[0\]|\bM_PI\b": "not in every compiler",
    r"\blong\b": "32 bits on Windows, 64 elsewhere: int64_t says which",
    r"<(unistd|pthread|sys/\w+|sched|fcntl|x86intrin|immintrin|cpuid|intrin)\.h>": "not on every system",
    r"\bstd::(jthread|stop_token|to_chars|from_chars|format|barrier|latch|counting_semaphore)\b": "not in every macOS",
    r"\bstd::(exp|log|log2|log1p|pow|sin|cos|tanh|fma)f?\(": "libraries differ in the last bit",
}
"""By expression: why it may stand in core/compiler.hpp alone."""


def code_of(path: Path) -> str:
    """Return a file's text without its comments and the texts in it."""
    text = re.sub(r"//[^\n]*", "", path.read_text("utf-8"))
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)


def test_what_differs_between_compilers_is_in_one_header() -> None:
    files = [path for path in KERNEL.glob("*/*.?pp") if path.parent.name not in ("fuzz", "wasm")]
    assert len(files) > 60
    for path in files:
        if path == KERNEL / "core" / "compiler.hpp":
            continue
        for expression, why in NOT_PORTABLE.items():
            found = re.search(expression, code_of(path))
            assert found is None, f"{path.relative_to(KERNEL)}: {found and found[0]}: {why}"


def test_the_twice_compiled_loops_include_nothing_that_has_code() -> None:
    """A function that another file shares might be linked in its version for AVX2."""
    for name in ("array_loops.hpp", "array_loops_code.hpp", "array_loops_avx2.cpp", "array_loops_baseline.cpp"):
        includes = re.findall(r"#include\s+(\S+)", (KERNEL / "search" / name).read_text("utf-8"))
        assert set(includes) <= {"<cstdint>", '"search/array_loops.hpp"', '"search/array_loops_code.hpp"'}, name


@needs_compiler
@pytest.mark.skipif(not is_x86 or not shutil.which("nm"), reason="the loops are compiled twice on x86-64 alone")
def test_the_version_for_avx2_has_one_symbol(tmp_path: Path) -> None:
    """Nothing else of it can take the place of code that runs on every machine."""
    out = tmp_path / "avx2.o"
    flags = ["-std=c++20", "-O3", "-mavx2", "-DPUNCT_AVX2=1", f"-I{KERNEL}", "-c", "-o", str(out)]
    subprocess.run([str(COMPILER), *flags, str(KERNEL / "search" / "array_loops_avx2.cpp")], check=True)
    symbols = subprocess.run(["nm", "--extern-only", "--defined-only", out], capture_output=True, text=True, check=True)
    [symbol] = symbols.stdout.splitlines()
    assert "avx2_loops" in symbol


FINDINGS = """
import json
from bench.search import findings
from punct import _kernel
from punct.engine.network import own_network
print(json.dumps([_kernel.INSTRUCTIONS, findings(), findings(own_network())]))
"""


def test_the_search_finds_the_same_without_avx2() -> None:
    process = subprocess.run(
        [sys.executable, "-c", FINDINGS],
        env=os.environ | {"PUNCT_INSTRUCTIONS": "baseline", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(process.stdout) == ["baseline", findings(), findings(own_network())]


def test_processors_with_avx2_use_it() -> None:
    cpus = Path("/proc/cpuinfo")
    if not cpus.exists():
        pytest.skip("no list of what the processor has")
    assert ("avx2" if re.search(r"\bavx2\b", cpus.read_text()) else "baseline") == _kernel.INSTRUCTIONS


WORDS = r"""
#include <cstdlib>
#include "core/bits_pair.hpp"
using namespace punct;
int main() {
  Bits a, b;
  for (int i = 0; i < Bits::words; ++i) {
    a.w[i] = 0x9e3779b97f4a7c15ULL * (i + 1);
    b.w[i] = 0xbf58476d1ce4e5b9ULL * (i + 7);
  }
  const BitsPair pair = BitsPair::of(a, b), swapped = BitsPair::of(b, a);
  const auto same = [](const BitsPair& p, const Bits& x, const Bits& y) { return p.first() == x && p.second() == y; };
  const bool right = same(pair, a, b) && same(pair & swapped, a & b, a & b) && same(pair | swapped, a | b, a | b) &&
                     same(without(pair, swapped), without(a, b), without(b, a)) &&
                     same(ahead<17>(pair), ahead<17>(a), ahead<17>(b)) &&
                     same(ahead<-18>(pair), ahead<-18>(a), ahead<-18>(b)) && same(grown(pair), grown(a), grown(b)) &&
                     pair.any() && !BitsPair::none().any() && BitsPair::of(Bits{}, a).any() &&
                     lowest_bit(40) == 3 && lowest_bit(uint64_t{1} << 63) == 63;
  return right ? 0 : 1;
}
"""


@needs_compiler
@pytest.mark.parametrize("way", [1, 2, 3])
def test_every_way_to_handle_two_words_at_once(way: int, tmp_path: Path) -> None:
    if way == 2 and not is_x86:
        pytest.skip("SSE2 is x86's")
    (tmp_path / "words.cpp").write_text(WORDS)
    program = tmp_path / "words"
    flags = ["-std=c++20", "-O1", f"-DPUNCT_TWO_WORDS={way}", f"-I{KERNEL}"]
    subprocess.run([str(COMPILER), *flags, str(tmp_path / "words.cpp"), "-o", str(program)], check=True)
    subprocess.run([program], check=True)


def test_it_compiles_for_windows(tmp_path: Path) -> None:
    """With another compiler and library, and where a long has 32 bits."""
    unit = tmp_path / "all.cpp"
    sources = [path for part in ("core", "search", "view") for path in sorted((KERNEL / part).glob("*.cpp"))]
    unit.write_text("".join(f'#include "{path.relative_to(KERNEL).as_posix()}"\n' for path in sources))
    flags = ["-std=c++20", "-O0", "-c", "-fconstexpr-steps=100000000", "-Wall", "-Wextra", "-Werror", f"-I{KERNEL}"]
    flags += ["-o", str(tmp_path / "all.o")]
    process = subprocess.run(
        [sys.executable, "-m", "ziglang", "c++", "-target", "x86_64-windows-gnu", *flags, str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr[-3000:]
