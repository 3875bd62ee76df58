#!/usr/bin/env python3
"""Derives the forms of PTX instructions from their syntax, asks ptxas about each, and writes those that it accepts.

Usage: scripts/ptx_forms.py SYNTAX_FOLDER OUT [MNEMONIC...]
       scripts/ptx_forms.py --orders OUT      adds other orders of the parts of each opcode that ptxas takes

SYNTAX_FOLDER has text files of the syntax lines and sets of the PTX ISA (`max{.relu}.btype d, a, b;`,
`.btype = { .s16x2, .s32 };`); lines of dashes part those whose sets have nothing to do with each other. The emulator's own table is read for operands only:
which opcodes exist, the syntax and ptxas decide. Each line of OUT is `TARGET INSTRUCTION`, the least target first, with the
operands of kernels/emulator/forms/forms.h.
"""
import itertools, os, random, re, subprocess, sys, tempfile

TARGETS = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103a", "sm_120", "sm_120a"]
MOST_OPCODES = 500  # of one syntax line; a seeded sample of more
REPOSITORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def closing(text, at, pair="{}"):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == pair[0]) - (text[i] == pair[1])
        if depth == 0:
            return i
    return len(text) - 1


def split_top(text):
    """At commas that are in no bracket."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "{[(") - (c in "}])")
        if c == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    return [p.strip() for p in parts + [text[begin:]] if p.strip()]


def statements(block):
    """Syntax lines and sets of a block, in order; comments are gone."""
    block = re.sub(r"//[^\n]*", "", block)
    out, depth, begin, i = [], 0, 0, 0
    while i < len(block):
        c = block[i]
        depth += (c in "{[(") - (c in "}])")
        if depth == 0 and (c == ";" or (c == "}" and "=" in block[begin:i] and block[begin:].lstrip().startswith("."))):
            out.append(" ".join(block[begin:i + (c == "}")].split()))
            begin = i + 1
        i += 1
    return [s.strip("; ") for s in out if s.strip("; ")]


class Sets:
    def __init__(self):
        self.sets = {}

    def add(self, statement):
        names, _, body = statement.rpartition("=")
        elements = split_top(body.strip()[1:-1])
        for name in names.split("="):
            self.sets.setdefault(name.strip(), []).extend(e for e in elements if e not in self.sets.get(name.strip(), []))

    def expand(self, text, depth=0):
        """All spellings of a piece of an opcode; '' where it may be absent."""
        if depth > 6:
            return [text]
        if text == "":
            return [""]
        if text[0] == "{":
            end = closing(text, 0)
            inner = text[1:end]
            choices = [""] + [x for part in split_top(inner) for x in self.expand(part, depth + 1)]
            return [a + b for a in dict.fromkeys(choices) for b in self.expand(text[end + 1:], depth + 1)]
        word = re.match(r"\.?[^.{]*", text).group(0) or text[0]
        rest = text[len(word):]
        heads = [word]
        if word in self.sets:
            heads = [x for e in self.sets[word]
                     for x in self.expand(e if e.startswith(".") or e.startswith("{") else "." + e, depth + 1)]
        elif rest == "" and word == ".":
            heads = [""]
        return [a + b for a in heads for b in self.expand(rest, depth + 1)]


def sampled(items):
    items = list(dict.fromkeys(items))
    return items if len(items) <= MOST_OPCODES else random.Random(9).sample(items, MOST_OPCODES)


def opcodes_of(folder):
    """Mnemonic -> opcode -> number of operands of its syntax lines."""
    found = {}
    for name in sorted(os.listdir(folder)):
        for section in re.split(r"^-{5,}.*$", open(os.path.join(folder, name)).read(), flags=re.M):
            lines, sets = [], Sets()
            for s in statements(section):
                if s.startswith(".") and "=" in s:
                    sets.add(s)
                elif re.match(r"[a-z]", s):
                    lines.append(s)
            for line in lines:
                opcode, _, operands = line.partition(" ")
                count = len(split_top(operands))
                for o in sampled(sets.expand(opcode)):
                    o = re.sub(r"\.+", ".", o).rstrip(".")
                    if not re.fullmatch(r"[a-z0-9]+(\.[A-Za-z0-9_:]+)*", o):
                        continue  # a piece that the syntax does not explain
                    found.setdefault(o.split(".")[0], {}).setdefault(o, set()).add(count)
    return found


def table_instances():
    """Of the emulator's table: (target, instance), patterns written out."""
    out = []
    folder = os.path.join(REPOSITORY, "kernels/emulator/forms")
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".cpp") or name == "forms.cpp":
            continue
        source = open(os.path.join(folder, name)).read()
        for m in re.finditer(r'\{((?:\s*"(?:[^"\\]|\\.)*")+)', source):
            pattern = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', m.group(1)))
            if " " in pattern or re.match(r"^[a-z0-9.]+$", pattern):
                out.extend(instances(pattern))
    return out


BITS = {"pred": 1, "b8": 8, "u8": 8, "s8": 8, "f16": 16, "bf16": 16, "b16": 16, "u16": 16, "s16": 16, "f64": 64,
        "b64": 64, "u64": 64, "s64": 64, "f32x2": 64, "b128": 128}


def instances(pattern):
    parts = re.split(r"<([^<>]*)>", pattern)
    choices = [p.split("|") for p in parts[1::2]]
    for taken in itertools.islice(itertools.product(*choices), 4096):
        text = parts[0] + "".join(t + p for t, p in zip(taken, parts[2::2]))
        text = re.sub(r"\$(\d)", lambda m: taken[int(m.group(1)) - 1] if int(m.group(1)) <= len(taken) else "", text)
        text = re.sub(r"#(\d)", lambda m: str(BITS.get(taken[int(m.group(1)) - 1].strip("."), 32))
                      if int(m.group(1)) <= len(taken) else "", text)
        text = re.sub(r"\{([^{}*]*)\*(\d+)\}",
                      lambda m: "{" + ", ".join(m.group(1) + str(i) for i in range(int(m.group(2)))) + "}", text)
        yield text


def module_of(lines, target):
    source = open(os.path.join(REPOSITORY, "kernels/emulator/forms/forms.cpp")).read()
    middle = re.search(r'R"\(\n\.address_size 64(.*?)\)";', source, flags=re.S).group(1)
    head = ".version 9.0\n.target %s\n.address_size 64%s" % (target, middle)
    return head, head + "".join(l + ";\n" for l in lines) + "}\nbehind: ret;\n}\n"


def complaints(lines, target):
    """Whether ptxas takes the lines, and the indices of those that it names."""
    head, text = module_of(lines, target)
    first = head.count("\n") + 1
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "f.ptx")
        open(path, "w").write(text)
        ran = subprocess.run(["ptxas", "-O0", "-c", "-arch=" + target, path, "-o", "/dev/null"],
                             capture_output=True, text=True)
    named = {int(n) - first for n in re.findall(r"line (\d+); (?:error|fatal)", ran.stdout + ran.stderr)}
    return ran.returncode == 0, {n for n in named if 0 <= n < len(lines)}


def refused(lines, target):
    """Indices of the lines that ptxas refuses. What is left is taken as a whole: a mistake of syntax hides those behind it."""
    left, bad = list(range(len(lines))), set()
    while left:
        good, named = complaints([lines[i] for i in left], target)
        if good:
            break
        if not named and len(left) > 1:  # no line is named: by halves
            half = len(left) // 2
            parts = [left[:half], left[half:]]
            return bad | {part[i] for part in parts for i in refused([lines[k] for k in part], target)}
        wrong = {left[n] for n in named} or set(left)
        bad |= wrong
        left = [i for i in left if i not in wrong]
    return bad


def operand_candidates(mnemonic, known, count, opcode):
    """Operand texts to try, likely ones first: those of the table for this mnemonic, then registers of all widths."""
    out = [o for o in known.get(mnemonic, []) if True]
    types = [BITS.get(t, 32) for t in opcode.split(".")[1:]
             if re.fullmatch(r"(pred|[busf]\d+(x2|x4)?|bf16(x2)?|tf32|e\dm\dx?\d?|ue8m0x2)", t)]
    widths = list(dict.fromkeys(types[::-1] + types + [32, 64, 16]))[:3]
    names = ["d", "a", "b", "c"]
    for n in {count, 3, 2, 4}:
        if n == 0 or n > 4:
            continue
        for w in itertools.product(widths, repeat=n):
            out.append(", ".join("%%%s%d" % (names[i], w[i]) for i in range(n)))
    return list(dict.fromkeys(out))


def accepted_of(mnemonic, found, known):
    """Opcode -> (target, operands)."""
    out = {}
    todo = {o: operand_candidates(mnemonic, known, max(c), o) for o, c in found.items()}
    # The latest of each family first: what none of them has, no target has.
    able = set()
    for target in ("sm_120a", "sm_100a", "sm_90a", "sm_75"):
        able |= set(tried(todo, [o for o in todo if o not in able], target))
    for target in TARGETS:
        for o, operands in tried(todo, [o for o in todo if o in able and o not in out], target).items():
            out[o] = (target, operands)
    return out


def tried(todo, left, target):
    """Opcode -> operands, of those that the target has."""
    out = {}
    for begin in range(0, len(left), 100):  # all candidates of an opcode at once: each is a line
        owner = [(o, operands) for o in left[begin:begin + 100] for operands in todo[o][:48]]
        bad = refused([(o + " " + operands).strip() for o, operands in owner], target)
        for i, (o, operands) in enumerate(owner):
            if i not in bad:
                out.setdefault(o, operands)
    return out


TYPE = re.compile(r"pred|[busf]\d+(x2|x4)?|bf16(x2)?|tf32|e\dm\dx?\d?|ue8m0x2")


def other_order(opcode, random_):
    """The parts in another order, types among themselves as they are; None where there is none."""
    mnemonic, *parts = opcode.split(".")
    if not 2 <= len(parts) <= 5:
        return None
    order = parts[:]
    random_.shuffle(order)
    types = iter([p for p in parts if TYPE.fullmatch(p)])
    order = [next(types) if TYPE.fullmatch(p) else p for p in order]
    return None if order == parts else ".".join([mnemonic] + order)


def add_orders(path):
    random_ = random.Random(9)
    known = [l.rstrip("\n") for l in open(path)]
    by_target = {}
    for line in known[1:]:
        target, _, rest = line.partition(" ")
        opcode, _, operands = rest.partition(" ")
        other = other_order(opcode, random_)
        if other:
            by_target.setdefault(target, []).append((other + " " + operands).strip())
    out = list(known)
    for target, lines in by_target.items():
        bad = refused(lines, target)
        out += [target + " " + l for i, l in enumerate(lines) if i not in bad]
    open(path, "w").write("\n".join(out[:1] + sorted(set(out[1:]))) + "\n")


def main():
    if sys.argv[1] == "--orders":
        return add_orders(sys.argv[2])
    folder, to = sys.argv[1], sys.argv[2]
    all_found = opcodes_of(folder)
    wanted = sys.argv[3:] or sorted(all_found)
    known = {}
    for i in table_instances():
        last = i.split(";")[-1].strip()
        last = re.sub(r"^@\S+ ", "", last)
        opcode, _, operands = last.partition(" ")
        known.setdefault(opcode.split(".")[0], {})[operands] = True
    version = re.search(r"V([\d.]+)", subprocess.run(["ptxas", "--version"], capture_output=True, text=True).stdout)
    total = accepted = 0
    with open(to, "w") as out:
        out.write("# ptxas %s\n" % (version.group(1) if version else "?"))
        for m in wanted:
            found = all_found[m]
            good = accepted_of(m, found, known)
            total += len(found)
            accepted += len(good)
            for o in sorted(good):
                target, operands = good[o]
                out.write("%s %s %s\n" % (target, o, operands) if operands else "%s %s\n" % (target, o))
            out.flush()
            print("%-22s %5d of %5d accepted" % (m, len(good), len(found)), file=sys.stderr)
    print("%d of %d accepted" % (accepted, total), file=sys.stderr)


if __name__ == "__main__":
    main()
