#!/usr/bin/env python3
"""Compiles and runs what pack.py wrote, on a machine with a GPU and nvcc. Prints JSON lines, the summary last.

    python3 run.py [--limit SECONDS] [--out FOLDER] [--parts set,triton]

Every line goes to FOLDER/results.jsonl, too; FOLDER/crossover.csv has the crossover of shuffles and shared memory, and
FOLDER/set.csv the published set beside Triton. The summary names measurements that the time limit leaves out.
"""
import argparse, collections, csv, glob, json, os, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor

a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
a.add_argument("--limit", type=float, default=450)
a.add_argument("--out", default=os.environ.get("OUT", "."))
a.add_argument("--arch", default="native")
a.add_argument("--iterations", type=int, default=200)
a.add_argument("--parts", help="some of global,constants,crossover,set,pairs,tests,triton; default: all")
o = a.parse_args()
begin = time.time()
here = os.path.dirname(os.path.abspath(__file__))
build = os.path.join("/tmp", "gpu_convert_build")
os.makedirs(build, exist_ok=True)
os.makedirs(o.out, exist_ok=True)
log = open(os.path.join(o.out, "results.jsonl"), "w")
lines, left_out = [], []


def left():
    return o.limit - (time.time() - begin)


def say(line, quiet=False):
    lines.append(line)
    log.write(json.dumps(line) + "\n")
    log.flush()
    if not quiet:
        print(json.dumps(line), flush=True)


def compile_one(path):
    out = os.path.join(build, os.path.basename(path)[:-3])
    if left() < 20:
        return path, None, "time is up"
    try:
        r = subprocess.run(["nvcc", "-std=c++17", "-O3", f"-arch={o.arch}", "-I", here, path, "-o", out],
                           capture_output=True, text=True, timeout=max(5, left() - 10))
    except subprocess.TimeoutExpired:
        return path, None, "time is up"
    return path, out if r.returncode == 0 else None, r.stderr[-400:]


def triton_compile(k, n):
    try:
        subprocess.run([sys.executable, os.path.join(here, "triton_pairs.py"), "compile", str(k), str(n)],
                       capture_output=True, timeout=max(5, left() - 10))
    except subprocess.TimeoutExpired:
        pass


def files(pattern):
    return sorted(glob.glob(os.path.join(here, pattern)))


# Most wanted first: whole kernels and constants, then the loops, then the tests.
patterns = {"global": "global.cu", "constants": "constants.cu", "crossover": "cross_[0-9].cu", "set": "set_[0-9][0-9].cu",
            "pairs": "pairs_*.cu", "tests": "set_*_test.cu"}
parts = [p for p in (*patterns, "triton") if o.parts is None or p in o.parts.split(",")]
order = [path for p in parts if p in patterns for path in files(patterns[p])]
programs = {}
workers = max(2, os.cpu_count() or 2)
pool = ThreadPoolExecutor(workers)
compiling = [pool.submit(compile_one, p) for p in order]
halves = max(1, workers // 2) if "triton" in parts else 0
compiling_triton = [pool.submit(triton_compile, k, halves) for k in range(halves)]
for job in compiling:
    path, program, problem = job.result()
    name = os.path.basename(path)
    if program is None:
        (left_out.append(name) if problem == "time is up" else
         say({"what": "compile", "name": name, "error": problem}))
    else:
        programs[name] = program
for job in compiling_triton:
    job.result()
say({"what": "compiled", "files": len(programs), "of": len(order), "seconds": round(time.time() - begin, 1)})


def execute(name, *arguments):
    if left() < 5:
        left_out.append(name)
        return ""
    try:
        r = subprocess.run([programs[name], *arguments], capture_output=True, text=True, timeout=max(5, left()))
        if r.returncode not in (0, 1):
            say({"what": "run", "name": name, "error": f"status {r.returncode} {r.stderr[-200:]}"})
        return r.stdout
    except subprocess.TimeoutExpired:
        left_out.append(name)
        return ""


def json_lines(text, quiet):
    for line in text.splitlines():
        if line.startswith("{"):
            say(json.loads(line), quiet)


for path in order:
    name = os.path.basename(path)
    if name not in programs:
        continue
    if name.startswith("pairs") or name.endswith("_test.cu"):
        text = execute(name)
        passed = [l for l in text.splitlines() if l.startswith("pass ")]
        failed = [l for l in text.splitlines() if l.startswith("fail")]
        say({"what": "test", "name": name, "passed": len(passed), "failed": len(failed),
             "elements": sum(int(l.split(": ")[1].split()[0]) for l in passed), "failures": failed[:5]}, quiet=not failed)
    else:
        json_lines(execute(name, str(o.iterations)), quiet=not name.startswith(("global", "constants")))
if "triton" not in parts:
    pass
elif left() > 10:
    try:
        r = subprocess.run([sys.executable, os.path.join(here, "triton_pairs.py"), "time", str(left() - 8)],
                           capture_output=True, text=True, timeout=left())
        json_lines(r.stdout, quiet=True)
        if r.returncode != 0:
            say({"what": "triton", "name": "all", "error": r.stderr[-600:]})
    except subprocess.TimeoutExpired as e:
        json_lines((e.stdout or b"").decode(), quiet=True)
        left_out.append("triton_pairs.py")
else:
    left_out.append("triton_pairs.py")

# --- tables -----------------------------------------------------------------------------------------------------------
loops = collections.defaultdict(dict)
for l in lines:
    if l.get("what") == "loop":
        pair, kind = l["name"].rsplit("_", 1)
        loops[pair][kind] = l
with open(os.path.join(o.out, "crossover.csv"), "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["bits", "m", "R", "shuffles_ns", "shared_ns", "recommended_ns", "faster"])
    for pair, kinds in sorted(loops.items()):
        if pair.startswith("cross"):
            _, bits, m, r = pair.split("_")
            shuffles = kinds.get("shuffles", kinds.get("recommended", {})).get("ns_per_conversion")
            shared = kinds.get("shared", kinds.get("recommended", {})).get("ns_per_conversion")
            best = kinds.get("recommended", {}).get("ns_per_conversion")
            w.writerow([bits, m[1:], r[1:], shuffles, shared, best,
                        "shuffles" if shuffles and shared and shuffles <= shared else "shared"])
triton = {l["name"]: l for l in lines if l.get("what") == "triton"}
faster, slower, right, wrong_triton, compared = collections.Counter(), [], 0, 0, 0
chosen_faster = 0
with open(os.path.join(o.out, "set.csv"), "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["pair", "triton_ns", "recommended_ns", "best_ns", "best_plan", "ratio_recommended", "ratio_best"])
    for pair, kinds in sorted(loops.items()):
        if not pair.startswith("set"):
            continue
        t = triton.get(pair, {}).get("ns_per_conversion")
        rec = kinds["recommended"]["ns_per_conversion"] if "recommended" in kinds else None
        kind, best = min(((k, v["ns_per_conversion"]) for k, v in kinds.items()), key=lambda x: x[1])
        w.writerow([pair, t, rec, best, kind, round(t / rec, 3) if t and rec else None, round(t / best, 3) if t else None])
        if t:
            compared += 1
            chosen_faster += rec is not None and rec < t
            if best <= 1.02 * t:
                faster["not slower"] += 1
            else:
                slower.append((pair, round(best / t, 2)))
            faster["faster"] += best < 0.98 * t
            wrong_triton += not triton[pair].get("ok", False)
tests = [l for l in lines if l.get("what") == "test"]
say({"what": "summary", "seconds": round(time.time() - begin, 1), "left_out": left_out,
     "pairs_passed": sum(l["passed"] for l in tests if l["name"].startswith("pairs")),
     "set_passed": sum(l["passed"] for l in tests if l["name"].startswith("set")),
     "failed": sum(l["failed"] for l in tests), "elements_compared": sum(l["elements"] for l in tests),
     "loops": sum(len(k) for k in loops.values()),
     "loops_wrong": [l["name"] for l in lines if l.get("what") == "loop" and not l["ok"]][:20],
     "triton_pairs": compared, "triton_wrong": wrong_triton, "not_slower": faster["not slower"], "faster": faster["faster"],
     "recommended_faster": chosen_faster, "slower": sorted(slower, key=lambda x: -x[1])[:12]})
