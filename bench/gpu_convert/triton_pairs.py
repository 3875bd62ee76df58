#!/usr/bin/env python3
"""Round trips of Triton's convert_layout in a loop, for each pair of a published set: the same loops as set_*.cu.

    triton_pairs.py compile K N    compiles every N-th pair from K on (into Triton's cache)
    triton_pairs.py time [SECONDS] times all, one JSON line each
"""
import json, statistics, sys, time

import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

LAYOUTS = [([1, 1], [32, 1]), ([1, 1], [16, 2]), ([1, 1], [8, 4]), ([1, 1], [4, 8]), ([1, 1], [2, 16]), ([1, 1], [1, 32]),
           ([32, 1], [1, 32]), ([16, 1], [2, 16]), ([1, 4], [32, 1]), ([1, 4], [16, 2]), ([1, 4], [8, 4]), ([1, 4], [4, 8]),
           ([1, 4], [2, 16]), ([1, 4], [1, 32])]
TYPES = {32: torch.float32, 16: torch.float16}
N = 200


@gluon.jit
def round_trips(p, q, n, M: gl.constexpr, src: gl.constexpr, dst: gl.constexpr, convert: gl.constexpr):
    i = gl.arange(0, M, layout=gl.SliceLayout(1, src))
    j = gl.arange(0, M, layout=gl.SliceLayout(0, src))
    at = gl.program_id(0) * M * M + i[:, None] * M + j[None, :]
    x = gl.load(p + at)
    for _ in range(n):
        if convert:
            y = gl.convert_layout(x, dst) + 1.0
            x = gl.convert_layout(y, src) + 1.0
        else:
            x = x + 1.0
            x = x + 1.0
    gl.store(q + at, x)


def layout(k):
    per_thread, threads = LAYOUTS[k]
    return gl.BlockedLayout(per_thread, threads, [1, 1], [1, 0])


def pairs():
    for bits in (32, 16):
        for size in (32, 64):
            for a in range(len(LAYOUTS)):
                for b in range(a):
                    yield bits, size, b, a


def launch(bits, size, b, a, p, q, blocks, n, convert=True):
    round_trips[(blocks,)](p, q, n, size, layout(b), layout(a), convert, num_warps=1)


def inputs(bits, size, blocks):
    e = torch.arange(blocks * size * size, device="cuda") * 37 % 1021
    p = e.to(TYPES[bits])
    return p, torch.empty_like(p)


def main():
    blocks = 8 * torch.cuda.get_device_properties(0).multi_processor_count
    if sys.argv[1] == "compile":
        for k, pair in enumerate(pairs()):
            if k % int(sys.argv[3]) == int(sys.argv[2]):
                p, q = inputs(pair[0], pair[1], 1)
                launch(*pair, p, q, 1, 1)
        torch.cuda.synchronize()
        return
    end = time.time() + float(sys.argv[2] if len(sys.argv) > 2 else 1e9)
    print(json.dumps({"what": "triton version", "version": triton.__version__}), flush=True)
    for bits, size, b, a in pairs():
        if time.time() > end:
            print(json.dumps({"what": "triton", "name": "the rest", "error": "time is up"}), flush=True)
            return
        name = f"set_{bits}_{size}_{b}_{a}"
        try:
            p, q = inputs(bits, size, blocks)
            start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            found = []
            for round_ in range(6):
                start.record()
                launch(bits, size, b, a, p, q, blocks, N)
                stop.record()
                torch.cuda.synchronize()
                if round_ > 0:
                    found.append(start.elapsed_time(stop))
            ok = bool(torch.equal(q, p + 2 * N))
            print(json.dumps({"what": "triton", "name": name, "ok": ok,
                              "ns_per_conversion": round(1e6 * statistics.median(found) / (2 * N), 3)}), flush=True)
        except Exception as e:  # one pair that Triton refuses is no reason to lose the others
            print(json.dumps({"what": "triton", "name": name, "error": str(e)[:300]}), flush=True)


main()
