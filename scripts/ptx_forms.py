#!/usr/bin/env python3
"""Derives the forms of PTX instructions from their syntax, asks ptxas about each, and writes those that it accepts.

Usage: scripts/ptx_forms.py [--refused] SYNTAX_FOLDER OUT [MNEMONIC...]     --refused: writes forms that it refuses

SYNTAX_FOLDER has text files of the syntax lines and sets of the PTX ISA (`max{.relu}.btype d, a, b;`,
`.btype = { .s16x2, .s32 };`); lines of dashes separate sections, whose sets are independent. The emulator is not read, except
for the module around the instances: syntax and ptxas decide which forms exist.

A form is an opcode with one choice of its optional operands and part selectors. Bounds: of a line of the syntax with more than
four optional parts (ld, st, tcgen05.mma), forms have at most three of them; of part selectors (`.asel`) each value is in one form.
All others are tried. If ptxas accepts more than MOST_FORMS of a line, as many are written as have each value of each part and each
pair of parts that is accepted together. Further forms have the parts of an opcode in another order, as many as have each accepted
order of two parts. ptxas checks texts alone; of what is written it generates code, too (not of textures and wgmma.mma_async).

Each line of OUT is `TARGET PATTERN`, the least target first; patterns and operands are those of kernels/emulator/forms/forms.h.
"""
import heapq, itertools, os, random, re, subprocess, sys, tempfile

TARGETS = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103a", "sm_120", "sm_120a",
           "sm_75,texmode_independent"]
LATEST = ["sm_120a", "sm_103a", "sm_100a", "sm_90a", "sm_75", "sm_75,texmode_independent"]  # what none of them has, no target has
MOST_FORMS = 256  # of a line of the syntax; else pairs
MOST_CANDIDATES = 24  # of operands for a form
MOST_REFUSED = 40  # of a line of the syntax
REPOSITORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


# ---- Syntax ----

def closing(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i
    return len(text) - 1


def split_top(text):
    """At commas outside brackets."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "{[(") - (c in "}])")
        if c == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    return [p.strip() for p in parts + [text[begin:]] if p.strip()]


def statements(block):
    """Syntax lines and sets of a block, in order, without comments."""
    block = re.sub(r"//[^\n]*|^\s*defaults to .*$", "", block, flags=re.M)
    out, depth, begin, i = [], 0, 0, 0
    while i < len(block):
        c = block[i]
        depth += (c in "{[(") - (c in "}])")
        if depth == 0 and (c == ";" or (c == "}" and "=" in block[begin:i] and re.match(r"\s*[.:]", block[begin:]))):
            out.append(" ".join(block[begin:i + (c == "}")].split()))
            begin = i + 1
        i += 1
    return [s.strip("; ") for s in out if s.strip("; ")]


class Sets:
    def __init__(self):
        self.sets = {}

    def add(self, statement):
        names, _, body = statement.rpartition("=")
        for name in (n.strip() for n in names.split("=")):
            inner = body.strip()[1:-1]
            for e in split_top(inner) if "{" in inner else re.split(r"[,\s]+", inner.strip()):
                e = e.strip("* ")
                if e == "none":
                    e = ""
                elif e[:1] not in ".:{" and name[0] == ".":
                    e = "." + e
                self.sets.setdefault(name, [])
                self.sets[name] += [e] if e not in self.sets[name] else []

    def expand(self, text, left=99, depth=0):
        """All spellings of a piece of an opcode that take at most `left` of its optional parts: (spelling, parts left)."""
        if depth > 6 or text == "":
            return [(text, left)]
        if text[0] == "{":
            end = closing(text, 0)
            heads = {("", left): True}
            for part in split_top(text[1:end]) if left else []:
                heads.update((x, True) for x in self.expand(part, left - 1, depth + 1))
            rest = text[end + 1:]
        else:
            word = re.match(r"(\.|::)?[^.{]*", text).group(0)
            if word not in self.sets and "::" in word[1:]:  # ".collector::buffer::op"
                end = word.index("::", 1)
                word = word[:end] if any(word[end:].startswith(s) for s in self.sets if s.startswith("::")) else word
            heads = {(word, left): True}
            if word in self.sets:
                heads = dict.fromkeys(x for e in self.sets[word] for x in self.expand(e, left, depth + 1))
            rest = text[len(word):]
        return [(a + b, n) for a, k in heads for b, n in self.expand(rest, k, depth)]


def lines_of(folder):
    """Lines of the syntax: (spellings of the opcode, text of the operands, sets)."""
    for name in sorted(os.listdir(folder)):
        for section in re.split(r"^-{5,}.*$", open(os.path.join(folder, name)).read(), flags=re.M):
            lines, sets = [], Sets()
            for s in statements(section):
                if "=" in s:
                    sets.add(s)
                else:
                    lines.append(re.sub(r"\. +", ".", s))
            for line in lines:
                opcode, _, operands = line.partition(" ")
                most = 3 if opcode.count("{") > 4 else 99
                spellings = [re.sub(r"\.+", ".", o).rstrip(".") for o, _ in sets.expand(opcode, most)]
                spellings = [o for o in dict.fromkeys(spellings) if re.fullmatch(r"[a-z0-9]+(\.[A-Za-z0-9_:]+)*", o)]
                yield spellings, operands.strip(), sets


# ---- Operands ----

TYPE = re.compile(r"pred|[busf]\d+(x\d)?|bf16(x2)?|tf32|e\dm\d(x\d)?|ue8m0(x2)?|ue4m3")
BITS = {"pred": 1, "b8": 16, "u8": 16, "s8": 16, "f16": 16, "bf16": 16, "b16": 16, "u16": 16, "s16": 16, "f64": 64, "b64": 64,
        "u64": 64, "s64": 64, "f32x2": 64, "b128": 128, "e4m3x2": 16, "e5m2x2": 16, "e2m3x2": 16, "e3m2x2": 16,
        "ue8m0x2": 16, "e2m1x4": 16, "e2m1x2": 8}
FIXED = {  # what a word of the syntax stands for, likely ones first
    "membermask": ["-1"], "mask": ["%a32"], "base": ["%b32"], "offset": ["%c32"], "immLut": ["0x1b"], "q": ["%pa", "%q"],
    "txCount": ["%b32"], "tx_count": ["%b32"], "phaseParity": ["%b32"], "suspendTimeHint": ["1000"], "waitComplete": ["%p"],
    "ptr": ["%d64", "%d32"], "immAlign": ["16"], "size": ["128", "64", "%a64", "%a32"], "initval": ["0"], "cp-size": ["4", "16"],
    "src-size": ["%b32"], "ignore-src": ["%pa"], "ctaMask": ["%a16"], "byteMask": ["%a16"], "tgt": ["there"],
    "index": ["%a32"], "tlist": ["targets"], "(ret-param)": ["(cr)"], "func": ["callee"], "(param-list)": ["(ca)"],
    "fptr": ["%g64"], "flist": ["functions"], "fproto": ["prototype"], "try_cancel_response": ["%a128"], "pred": ["%p"],
    "reg": ["%d32"], "xdim": ["%d32"], "ydim": ["%e32"], "zdim": ["%f32"], "primary-size": ["256"], "total-size": ["512"],
    "fraction": ["0.5"], "access-property": ["%a64"], "rbits": ["%c32"], "fname": ["callee"], "kernel": ["instances"],
    "imm-reg-count": ["40"], "nCols": ["32"], "taddr": ["%a32"], "redval": ["%e32"], "immHalfSplitoff": ["2"],
    "d-tmem": ["%a32"], "a-tmem": ["%b32"], "a-desc": ["%a64"], "b-desc": ["%b64"], "s-desc": ["%b64"], "idesc": ["%b32"],
    "disable-output-lane": ["{%wa*4}", "{%wa*8}"], "enable-input-d": ["%pa"], "scale-input-d": ["2"],
    "sp-meta-tmem": ["%c32"], "scale-A-tmem": ["%x32"], "scale-B-tmem": ["%y32"], "zero-column-mask-desc": ["%c64"],
    "sp-meta": ["%x32"], "sp-sel": ["0"], "scale-d": ["%pa"], "imm-scale-a": ["1"], "imm-scale-b": ["1"],
    "imm-trans-a": ["0"], "imm-trans-b": ["0"], "scale-a-data": ["%a32"], "scale-b-data": ["%b32"], "byte-id-a": ["0"],
    "thread-id-a": ["0"], "byte-id-b": ["0"], "thread-id-b": ["0"], "new_val": ["%b32", "%b64", "0", "2"], "ord": ["0"],
    "lod": ["%a32"], "stride": ["%a32"], "N": ["0"], "t": ["%a32"], "_": ["_"], "imm": ["1"], "16": ["16"], "tex": ["tex"], "srf": ["srf"],
    "cache-policy": ["%c64"], "state": ["%a64"], "count": ["2"], "im2colInfo": ["{%ha*1}", "{%ha*2}", "{%ha*3}"],
    "mma e": ["%x32"], "mma f": ["0"], "tex f": ["%b32"], "tld4 f": ["%b32"], "istypep a": ["%g64"], "pmevent a": ["0", "1"],
    "bar a": ["0", "1"], "bar b": ["64"], "barrier a": ["0", "1"], "barrier b": ["64"],
}
WRITTEN = {"cache-policy": ["%d64"], "state": ["%d64"], "count": ["%d32"], "p": ["%p"], "cvta p": ["%d64", "%d32"]}  # at first
COORDINATES = {"1d": 1, "2d": 2, "3d": 4, "a1d": 2, "a2d": 4, "cube": 4, "acube": 4, "2dms": 4, "a2dms": 4}
OFFSETS = {"1d": 1, "2d": 2, "3d": 4, "a1d": 1, "a2d": 2, "cube": 4, "acube": 4, "2dms": 2, "a2dms": 2}


def fragment(letter, opcode):
    """Registers of a lane for its part of matrix d, a, b or c, as the PTX ISA distributes them: (count, bits)."""
    parts = opcode.split(".")
    shape = re.search(r"m(\d+)n(\d+)k(\d+)", opcode)
    m, n, k = map(int, shape.groups()) if shape else (8, 8, 4)
    types = [p for p in parts if TYPE.fullmatch(p) and p not in ("ue8m0", "ue4m3")]
    if parts[0] == "wmma" and parts[1] in ("load", "store"):
        letter, types = parts[2], types * 4
    elif len(types) == 2:  # wmma.mma of f16
        types = [types[0], "f16", "f16", types[1]]
    of = (types + ["b32"] * 4)["dabc".index(letter)]
    small = re.fullmatch(r"e\dm\d", of)
    bits = 4 if "mxf4" in opcode and letter in "ab" else 8 if small else int(re.search(r"\d+$", of).group(0))
    elements = {"d": m * n, "c": m * n, "a": m * k, "b": k * n}[letter]
    if parts[0] == "wmma" and of == "f16" and letter in "ab":
        return 8, 32
    elements *= 4 if parts[0] == "mma" and (m, n, k) == (8, 8, 4) and bits < 64 else 1
    elements //= 2 if ".sp" in opcode and letter == "a" else 1
    return (elements // 32, 64) if bits == 64 else (elements * bits // 1024, 32)


def listed(letter, count, bits):
    if bits == 16:
        return "{%d16, %e16, %f16, %g16}" if (letter, count) == ("d", 4) else \
            "{%d16, %e16}" if letter == "d" else "{%%ha*%d}" % count
    return "{%%%s%s*%d}" % ("l" if bits == 64 else "w", "d" if count > 8 else letter, count)


def registers(letter, opcode):
    """Texts of a register operand: d is written."""
    mnemonic, *parts = opcode.split(".")
    types = [BITS.get(t, 32) for t in parts if TYPE.fullmatch(t)]
    wide = [64 if 64 not in types and "wide" in parts and letter in "dc" else 32]
    widths = [w for w in dict.fromkeys((types if letter == "d" else types[::-1]) + wide + ([] if types else [64])) if w != 1]
    count = [int(p[1:]) for p in parts if re.fullmatch(r"[vx]\d+", p)]
    if mnemonic == "tcgen05":
        return [listed("d", count[0] * k, 32) for k in (1, 2, 4) if count[0] * k <= 128] if count else []
    if mnemonic == "wgmma":
        n = int(re.search(r"n(\d+)k", opcode).group(1))
        return ["{%%wd*%d}" % (n // 2), "{%%wd*%d}" % (n // 4)] if letter == "d" else ["{%wa*4}"]
    if mnemonic in ("mma", "wmma"):
        return [listed(letter, *fragment(letter, opcode))]
    if "matrix" in mnemonic and count:
        return [listed(letter, count[0] * k, 32) for k in (1, 2)]
    if count and mnemonic not in ("sured", "tcgen05"):
        return [listed(letter, count[0], w) for w in widths if not (w == 64 and count[0] > 8)]
    one = ["%%%s%d" % ("x" if letter not in "dabc" else letter, w) for w in widths if not (letter not in "dabc" and w != 32)]
    predicate = {"d": "%p", "a": "%pa", "b": "%pb", "c": "%pa"}.get(letter)
    if predicate:
        one = [predicate] + one if "pred" in parts else one + [predicate]
    return one + (["%" + letter + "8"] if letter in "da" else [])


TEXTURES = ("tex.", "tld4", "txq", "suld", "suq", "sured", "sust")
UNASSEMBLED = TEXTURES + ("wgmma.mma_async",)  # no code without a sampler of the module; too slow


def address(name, opcode):
    spaces = re.findall(r"\.(global|shared|local|const|param)\b", opcode)
    if "dst" in name or "src" in name:
        spaces = spaces[-1:] if "src" in name else spaces[:1]
    space = spaces[0] if spaces else "generic"
    if name == "mbar" or opcode.startswith(("mbarrier", "cp.async.mbarrier")):
        return ["[%m32]" if "shared" in opcode or name == "mbar" and "global" in opcode else "[%n64]"]
    if name == "taddr":
        return ["[%a32]"]
    if space == "param":
        return ["[cr]" if "param::func" in opcode else "[p0]"] if opcode.startswith(("ld", "prefetch")) else ["[ca]"]
    return {"global": ["[%g64]"], "shared": ["[%s32]"], "local": ["[%l64]"],
            "const": ["[const_bytes]"]}.get(space, ["[%n64]" if "matrix" in opcode else "[%a64]"])


def in_brackets(words, opcode):
    """Texts of "[word, ...]"."""
    if opcode.startswith(TEXTURES):
        geometry = next((n for g, n in COORDINATES.items() if "." + g + "." in opcode + "."), 1)
        handle = "%g64" if words[0] == "a" else words[0]
        return ["[%s]" % ", ".join([handle, "%n64"][:len(words) - 1] + ["{%%wa*%d}" % geometry] if words[1:] else [handle])]
    if words[0] == "tensorMap":
        return ["[%%g64, {%%wa*%d}]" % n for n in range(1, 6)]
    return ["[%s]" % FIXED[words[0]][0]] if words[0].endswith("tmem") else address(words[0], opcode)


def choices(word, at, opcode):
    """Texts of one operand, likely ones first. `at`: its place."""
    word = re.sub(r"\s", "", word)
    mnemonic = opcode.split(".")[0]
    if word[0] == "!":
        return ["!" + c for c in choices(word[1:], at, opcode) if c.startswith("%p")]
    if word[0] == "-":
        return ["-" + c for c in choices(word[1:], at, opcode)]
    if "|" in word:
        d, p = word.split("|")
        return [c + "|%" + p for c in choices(d, at, opcode)]
    if word == "{a,b,e,f}":
        return ["{%a32, %b32, %x32, %y32}"]
    if word[0] == "{":
        return ["{" + ", ".join(c) + "}" for c in itertools.product(*[choices(w, at, opcode) for w in split_top(word[1:-1])])]
    if word[0] == "[":
        return in_brackets(split_top(word[1:-1]), opcode)
    word, _, selector = word.partition(".")
    if selector:
        return [c + "." + selector for c in choices(word, at, opcode) if re.fullmatch(r"%[dabc]32", c)]
    for known in ([WRITTEN] if at == 0 else []) + [FIXED]:
        for name in (mnemonic + " " + word, word):
            if name in known:
                return known[name]
    if mnemonic in ("tex", "tld4") and word in ("e", "dPdx", "dPdy"):
        n = next((n for g, n in OFFSETS.items() if "." + g + "." in opcode), 1)
        return ["{%%w%s*%d}" % ("c" if word == "dPdy" else "b", n)]
    if mnemonic in ("cvta", "isspacep", "getctarank", "mapa") and word == "a":
        space = "".join(re.findall(r"\.(?:to\.)?(shared|local)", opcode))
        if space == "shared":
            return ["%n64"] if ".to." in opcode else ["%s64", "%s32"]
        return ["%l64"] if space == "local" else ["%g64"] if mnemonic in ("cvta", "isspacep") else ["%n64", "%s32"]
    if at == 0 and not opcode.startswith(("st.", "stackrestore", "red.", "wmma.store", "multimem.st", "multimem.red")):
        return registers("d", opcode)
    return registers({"e": "x", "f": "x", "d": "x"}.get(word, word if word in "abc" else "a"), opcode)


OPTIONAL = re.compile(r"\{\s*(,[^{}]*|\|[^{}]*|-|!|b,)\s*\}")
SELECTOR = re.compile(r"\{(\.\w+)\}|(?<=\w)(\.\w+)")
BYTES = [".b3210", ".b7654", ".b0000", ".b7531", ".b0426"]  # selectors of four bytes of eight: some


def variants(operands, sets):
    """Spellings of the operands with their choices: (features, text). Of part selectors each value is in one."""
    m = OPTIONAL.search(operands)
    if m:
        return [(features + ((m.group(1).strip(), taken != ""),), text) for taken in ("", m.group(1))
                for features, text in variants(operands[:m.start()] + taken + operands[m.end():], sets)]
    selectors = [m for m in SELECTOR.finditer(operands) if (m.group(1) or m.group(2)) in sets.sets]
    if not selectors:
        return [((), operands)]
    values = [sets.sets[m.group(1) or m.group(2)] for m in selectors]
    values = [(BYTES if len(v) > 16 or ".n" in v[0] else v) + ([""] if m.group(1) else []) for m, v in zip(selectors, values)]
    out = []
    for k in range(max(map(len, values))):
        taken = [v[k * step % len(v)] for v, step in zip(values, (1, 5, 11))]
        text, end = "", 0
        for m, t in zip(selectors, taken):
            text, end = text + operands[end:m.start()] + t, m.end()
        out.append((tuple(enumerate(taken)), text + operands[end:]))
    return out


def candidates(opcode, operands):
    words = split_top(operands)
    lists = [choices(w, i, opcode) for i, w in enumerate(words)]
    ranked = sorted(itertools.islice(itertools.product(*[list(enumerate(c)) for c in lists]), 4096),
                    key=lambda t: sum(k for k, _ in t))
    return [", ".join(text for _, text in t) for t in ranked[:MOST_CANDIDATES]]


# ---- ptxas ----

def written_out(text):
    return re.sub(r"\{([^{}*]*)\*(\d+)\}",
                  lambda m: "{" + ", ".join(m.group(1) + str(i) for i in range(int(m.group(2)))) + "}", text)


SOURCE = open(os.path.join(REPOSITORY, "kernels/emulator/forms/forms.cpp")).read()
MODULE = re.search(r'R"\(\n\.address_size 64(.*?)\)";', SOURCE, flags=re.S).group(1)


def ptxas(lines, target):
    """Whether ptxas accepts the lines, and the indices of those that it names."""
    head = ".version 9.0\n.target %s\n.address_size 64%s" % (target, MODULE)
    first = head.count("\n") + 1
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "f.ptx")
        open(path, "w").write(head + written_out("".join(l + ";\n" for l in lines)) + "}\nafter: ret;\n}\n")
        ran = subprocess.run(["ptxas", "-O0", "-c", "-arch=" + target.split(",")[0], path, "-o", "/dev/null"],
                             capture_output=True, text=True)
    named = {int(n) - first for n in re.findall(r"line (\d+); (?:error|fatal)", ran.stdout + ran.stderr)}
    return ran.returncode == 0, {n for n in named if 0 <= n < len(lines)}


def refused(lines, target, chunk=20000):
    """Indices of the lines that ptxas refuses. A wrong last line ends it before code is generated; a mistake of syntax hides the
    lines after it."""
    bad, begin = set(), 0
    while begin < len(lines):
        part = lines[begin:begin + chunk]
        _, named = ptxas(part + ["add.u32 %d64, %a32, %b32"], target)
        bad |= {begin + n for n in named if n < len(part)}
        if len(part) in named:
            begin += len(part)
        elif named:
            begin += max(named) + 1
        elif len(part) == 1:
            bad.add(begin)
            begin += 1
        else:
            chunk = len(part) // 2
    return bad


def unassembled(lines, target):
    """Indices of the lines of which ptxas generates no code: it names them, or fails without a word."""
    good, named = ptxas(lines, target) if lines else (True, set())
    if good or len(lines) == 1:
        return set() if good else {0}
    if named:
        left = [i for i in range(len(lines)) if i not in named]
        return named | {left[i] for i in unassembled([lines[i] for i in left], target)}
    half = len(lines) // 2
    return unassembled(lines[:half], target) | {half + n for n in unassembled(lines[half:], target)}


def accepted_of(forms):
    """Form -> its operands, of those that any target has. `forms`: (line, opcode, features) -> candidates."""
    out = {}
    for target in LATEST:
        pending = [f for f in forms if f not in out and ("texmode" not in target or f[1].startswith(TEXTURES))]
        for rank in range(MOST_CANDIDATES):
            pending = [f for f in pending if len(forms[f]) > rank]
            bad = refused([(f[1] + " " + forms[f][rank]).strip() for f in pending], target)
            out.update({f: forms[f][rank] for i, f in enumerate(pending) if i not in bad})
            pending = [f for i, f in enumerate(pending) if i in bad]
    return out


# ---- Choice and order ----

def parts_of(opcode):
    """The parts with how many parts of the same kind are before each: of types their place among the types."""
    seen, out = {}, []
    for p in opcode.split(".")[1:]:
        kind = "type" if TYPE.fullmatch(p) else p
        out.append((p, seen.setdefault(kind, 0)))
        seen[kind] += 1
    return out


def covering(rows, features_of):
    """Few of the rows, which have every pair of features that any row has."""
    pairs = {r: set(itertools.combinations_with_replacement(sorted(set(features_of(r)), key=str), 2)) for r in rows}
    heap = [(-len(p), k, r) for k, (r, p) in enumerate(pairs.items())]
    heapq.heapify(heap)
    left, out = set().union(*pairs.values()), []
    while left:
        _, k, r = heapq.heappop(heap)
        new = len(pairs[r] & left)
        if heap and new < -heap[0][0]:
            if new:
                heapq.heappush(heap, (-new, k, r))
            continue
        out.append(r)
        left -= pairs[r]
    return out


def other_orders(opcode, random_):
    """The parts in other orders, types among themselves as they are."""
    mnemonic, *parts = opcode.split(".")
    for _ in range(4 if 2 <= len(parts) <= 8 else 0):
        order = random_.sample(parts, len(parts))
        types = iter([p for p in parts if TYPE.fullmatch(p)])
        order = [next(types) if TYPE.fullmatch(p) else p for p in order]
        if order != parts:
            yield ".".join([mnemonic] + order)


def orders_of(opcode, of):
    """Pairs of parts in their order; of long opcodes by their places in the opcode `of` that has the order of the syntax."""
    places = of.split(".")
    kinds = ["type" if TYPE.fullmatch(p) else places.index(p) if len(places) > 5 else p for p in opcode.split(".")[1:]]
    return list(itertools.combinations(kinds, 2))


def least_targets(rows):
    """Row (opcode, operands) -> the least target that has it."""
    out, left = {}, list(rows)
    for target in TARGETS:
        bad = refused([" ".join(r) for r in left], target)
        out.update({r: target for i, r in enumerate(left) if i not in bad})
        left = [r for i, r in enumerate(left) if i in bad]
    return out


def folded(rows):
    """Patterns of rows: those that differ in one part of the opcode become one with alternatives."""
    groups = {}
    for opcode, operands in rows:
        parts = opcode.split(".")
        groups.setdefault((operands, len(parts)), set()).add(tuple(parts))
    for (operands, length), lines in sorted(groups.items()):
        for at in range(length - 1, 0, -1):
            merged = {}
            for line in sorted(lines):
                merged.setdefault(line[:at] + ("",) + line[at + 1:], []).append(line[at])
            lines = {key[:at] + ("<" + "|".join(v) + ">" if len(v) > 1 else v[0],) + key[at + 1:]
                     for key, v in merged.items()}
        for line in sorted(lines):
            yield (".".join(line) + " " + operands).strip()


def spellings_of_operands(opcode, operands):
    """Textures and surfaces are named by a handle in a register or by a variable."""
    if not opcode.startswith(TEXTURES):
        return [operands]
    return [operands, re.sub(r"\[a\b", "[srf" if opcode.startswith("su") else "[tex", operands)]


def forms_of(folder, wanted, most=None):
    """(line, opcode, features) -> candidates for the operands, at most `most` of a line. A cache policy goes with .L2::cache_hint."""
    out, random_ = {}, random.Random(5)
    for line, (opcodes, operands, sets) in enumerate(lines_of(folder)):
        spelled = [(opcode, features + (("spelling", k),), text)
                   for opcode in opcodes if not wanted or opcode.split(".")[0] in wanted
                   for k, of in enumerate(spellings_of_operands(opcode, operands)) for features, text in variants(of, sets)
                   if "cache-policy}" not in of or ("cache-policy" in text) == ("cache_hint" in opcode)]
        for opcode, features, text in spelled if most is None or len(spelled) <= most else random_.sample(spelled, most):
            out[(line, opcode, features)] = candidates(opcode, text)
    return out


def chosen(good, failed):
    """Rows (opcode, operands) to be written, of the accepted forms but those that failed."""
    by_line, rows = {}, {}
    for f in good:
        if (f[1], good[f]) not in failed:
            by_line.setdefault((f[0], f[1].split(".")[0]), []).append(f)
    for fs in by_line.values():
        if len(fs) > MOST_FORMS:
            fs = covering(fs, lambda f: parts_of(f[1]) + [("parts", f[1].count("."))] + list(f[2]))
        rows.update({(f[1], good[f]): True for f in fs})
    return rows


def assembled(good):
    """Row -> its least target, of the chosen rows; others replace those of which ptxas generates no code."""
    targets, failed = {}, set()
    while True:
        rows = chosen(good, failed)
        new = least_targets([r for r in rows if r not in targets])
        targets.update(new)
        bad = {r for r in rows if r not in targets}
        for target in TARGETS:
            of_target = [r for r in new if new[r] == target and not r[0].startswith(UNASSEMBLED)]
            for begin in range(0, len(of_target), 100):
                part = of_target[begin:begin + 100]
                bad |= {part[n] for n in unassembled([" ".join(r).strip() for r in part], target)}
        if not bad:
            return {r: targets[r] for r in rows}
        failed |= bad


def in_other_orders(targets):
    """(mnemonic, target) -> rows whose parts have another order."""
    random_ = random.Random(9)
    of = {(o, operands): opcode for opcode, operands in targets for o in other_orders(opcode, random_)
          if (o, operands) not in targets}
    out = {}
    for target in TARGETS:
        tried = [r for r in of if targets[(of[r], r[1])] == target]
        bad = refused([" ".join(r) for r in tried], target)
        for i, r in enumerate(tried):
            if i not in bad:
                out.setdefault((r[0].split(".")[0], target), []).append(r)
    return {key: covering(rows, lambda r: orders_of(r[0], of[r])) for key, rows in out.items()}


def write_refused(folder, to, wanted):
    """Forms that no target has with any of the operands, each with the likeliest."""
    forms = forms_of(folder, wanted, 400)
    good = accepted_of(forms)
    by_line = {}
    for f in forms:
        if f not in good and forms[f]:
            by_line.setdefault(f[0], {})[(f[1], forms[f][0])] = True
    with open(to, "w") as out:
        out.write("# A sample of the forms that ptxas refuses on all targets: at most %d of a line of the syntax.\n" % MOST_REFUSED)
        for line, rows in by_line.items():
            rows = random.Random(line).sample(list(rows), min(len(rows), MOST_REFUSED))
            out.writelines("sm_100a %s\n" % p for p in folded(rows))


def main():
    if sys.argv[1] == "--refused":
        return write_refused(sys.argv[2], sys.argv[3], sys.argv[4:])
    folder, to, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
    forms = forms_of(folder, wanted)
    good = accepted_of(forms)
    targets = assembled(good)
    listed = in_other_orders(targets)
    for r, target in targets.items():
        listed.setdefault((r[0].split(".")[0], target), []).append(r)
    version = re.search(r"V([\d.]+)", subprocess.run(["ptxas", "--version"], capture_output=True, text=True).stdout)
    with open(to, "w") as out:
        out.write("# ptxas %s. Of a line of the syntax with more than %d accepted forms: every pair of its parts.\n"
                  % (version.group(1) if version else "?", MOST_FORMS))
        for (mnemonic, target), rs in sorted(listed.items(), key=lambda x: (x[0][0], TARGETS.index(x[0][1]))):
            out.writelines("%s %s\n" % (target, p) for p in folded(rs))
    for m in sorted({f[1].split(".")[0] for f in forms}):
        print("%-20s %6d tried, %6d accepted, %5d listed" % (
            m, sum(f[1].split(".")[0] == m for f in forms), sum(f[1].split(".")[0] == m for f in good),
            sum(len(rs) for (mnemonic, _), rs in listed.items() if mnemonic == m)), file=sys.stderr)


if __name__ == "__main__":
    main()
