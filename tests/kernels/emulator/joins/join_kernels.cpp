#include "tests/kernels/emulator/joins/join_kernels.h"

#include <cstdio>

namespace lanescope::emulator::test {
namespace {

using std::string;

/// One operation as a side of a branch executes it. `$r` is its result, `$v` the side's value (0x1000 or 0x2000, plus the
/// thread), `$m` the member mask, `$s` the number of the side; %t, %q and %w are free.
struct Operation {
  const char* name;
  const char* text;
};

constexpr Operation warp_operations[] = {
    {"shfl.idx", "shfl.sync.idx.b32 $r|%q, $v, 3, 31, $m;\n@%q add.u32 $r, $r, 0x10000;"},
    {"shfl.up", "shfl.sync.up.b32 $r|%q, $v, 1, 0, $m;\n@%q add.u32 $r, $r, 0x10000;"},
    {"shfl.down", "shfl.sync.down.b32 $r|%q, $v, 1, 31, $m;\n@%q add.u32 $r, $r, 0x10000;"},
    {"shfl.bfly", "shfl.sync.bfly.b32 $r|%q, $v, 1, 31, $m;\n@%q add.u32 $r, $r, 0x10000;"},
    {"vote.all", "setp.ne.u32 %q, %l, 3;\nvote.sync.all.pred %q, %q, $m;\nselp.u32 $r, 1, 0, %q;"},
    {"vote.any", "setp.eq.u32 %q, %l, 3;\nvote.sync.any.pred %q, %q, $m;\nselp.u32 $r, 1, 0, %q;"},
    {"vote.uni", "setp.ne.u32 %q, %z, $s;\nvote.sync.uni.pred %q, %q, $m;\nselp.u32 $r, 1, 0, %q;"},
    {"vote.ballot", "rem.u32 %t, %l, 3;\nsetp.eq.u32 %q, %t, 0;\nvote.sync.ballot.b32 $r, %q, $m;"},
    {"match.any.b32", "rem.u32 %t, %l, 3;\nmatch.any.sync.b32 $r, %t, $m;"},
    {"match.any.b64", "rem.u32 %t, %l, 3;\ncvt.u64.u32 %w, %t;\nmatch.any.sync.b64 $r, %w, $m;"},
    {"match.all.b32", "match.all.sync.b32 $r|%q, %z, $m;\n@%q xor.b32 $r, $r, 5;"},
    {"match.all.b64", "cvt.u64.u32 %w, %z;\nmatch.all.sync.b64 $r|%q, %w, $m;\n@%q xor.b32 $r, $r, 5;"},
    {"redux.add.u32", "redux.sync.add.u32 $r, $v, $m;"},
    {"redux.add.s32", "redux.sync.add.s32 $r, $v, $m;"},
    {"redux.min.u32", "redux.sync.min.u32 $r, $v, $m;"},
    {"redux.min.s32", "redux.sync.min.s32 $r, $v, $m;"},
    {"redux.max.u32", "redux.sync.max.u32 $r, $v, $m;"},
    {"redux.max.s32", "redux.sync.max.s32 $r, $v, $m;"},
    {"redux.and", "redux.sync.and.b32 $r, $v, $m;"},
    {"redux.or", "redux.sync.or.b32 $r, $v, $m;"},
    {"redux.xor", "redux.sync.xor.b32 $r, $v, $m;"},
    {"bar.warp", "bar.warp.sync $m;\nmov.u32 $r, 5;"},
    {"activemask", "activemask.b32 $r;"},
    {"elect", "elect.sync %t|%q, $m;\nselp.u32 $r, 0x100, 0, %q;\nadd.u32 $r, $r, %t;"},
};

constexpr Operation block_operations[] = {
    {"bar.sync 0", "bar.sync 0;\nmov.u32 $r, 6;"},
    {"bar.sync 1", "bar.sync 1;\nmov.u32 $r, 6;"},
    {"bar.sync 0,32", "bar.sync 0, 32;\nmov.u32 $r, 6;"},
    {"barrier.sync 0", "barrier.sync 0;\nmov.u32 $r, 6;"},
    {"barrier.sync 1", "barrier.sync 1;\nmov.u32 $r, 6;"},
    {"barrier.sync 0,32", "barrier.sync 0, 32;\nmov.u32 $r, 6;"},
    {"bar.red.popc", "rem.u32 %t, %l, 3;\nsetp.eq.u32 %q, %t, 0;\nbar.red.popc.u32 $r, 0, %q;"},
    {"bar.red.and", "setp.ne.u32 %q, %l, 3;\nbar.red.and.pred %q, 0, %q;\nselp.u32 $r, 1, 0, %q;"},
    {"bar.red.or", "setp.eq.u32 %q, %l, 3;\nbar.red.or.pred %q, 0, %q;\nselp.u32 $r, 1, 0, %q;"},
    {"barrier.red.popc", "rem.u32 %t, %l, 3;\nsetp.eq.u32 %q, %t, 0;\nbarrier.red.popc.u32 $r, 0, %q;"},
    {"bar.arrive 1,64", "bar.arrive 1, 64;\nmov.u32 $r, 7;"},
    {"barrier.arrive 1,64", "barrier.arrive 1, 64;\nmov.u32 $r, 7;"},
    {"cluster", "barrier.cluster.arrive;\nbarrier.cluster.wait;\nmov.u32 $r, 8;"},
    {"cluster.aligned", "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nmov.u32 $r, 8;"},
};

/// Operations with other operands than those above.
constexpr Operation other_operands[] = {
    {"shfl.idx 19", "shfl.sync.idx.b32 $r, $v, 19, 31, $m;"},
    {"shfl.idx 3 width 8", "shfl.sync.idx.b32 $r, $v, 3, 0x181f, $m;"},
    {"shfl.idx 31-lane", "sub.u32 %t, 31, %l;\nshfl.sync.idx.b32 $r, $v, %t, 31, $m;"},
    {"shfl.idx reg width", "add.u32 %t, %z, 0x181f;\nshfl.sync.idx.b32 $r, $v, 3, %t, $m;"},
    {"shfl.up 2", "shfl.sync.up.b32 $r, $v, 2, 0, $m;"},
    {"shfl.down 2", "shfl.sync.down.b32 $r, $v, 2, 31, $m;"},
    {"shfl.bfly 16", "shfl.sync.bfly.b32 $r, $v, 16, 31, $m;"},
    {"shfl.bfly 2", "shfl.sync.bfly.b32 $r, $v, 2, 31, $m;"},
    {"shfl.bfly 1 width 16", "shfl.sync.bfly.b32 $r, $v, 1, 0x101f, $m;"},
    {"shfl.bfly reg", "add.u32 %t, %z, 16;\nshfl.sync.bfly.b32 $r, $v, %t, 31, $m;"},
    {"shfl.bfly lane%4", "and.b32 %t, %l, 3;\nshfl.sync.bfly.b32 $r, $v, %t, 31, $m;"},
    {"vote.any true", "setp.eq.u32 %q, %z, 0;\nvote.sync.any.pred %q, %q, $m;\nselp.u32 $r, 1, 0, %q;"},
    {"vote.any !p", "setp.ne.u32 %q, %l, 3;\nvote.sync.any.pred %q, !%q, $m;\nselp.u32 $r, 1, 0, %q;"},
    {"vote.ballot 1", "vote.sync.ballot.b32 $r, 1, $m;"},
    {"vote.ballot 0", "vote.sync.ballot.b32 $r, 0, $m;"},
    {"match.any 7", "match.any.sync.b32 $r, 7, $m;"},
    {"match.all 7", "match.all.sync.b32 $r|%q, 7, $m;\n@%q xor.b32 $r, $r, 5;"},
    {"match.all no pred", "match.all.sync.b32 $r, %z, $m;"},
    {"redux.add 7", "redux.sync.add.u32 $r, 7, $m;"},
    {"elect no lane", "elect.sync _|%q, $m;\nselp.u32 $r, 0x100, 0, %q;"},
};

const char* text_of(const string& name) {
  for (const Operation& o : warp_operations)
    if (o.name == name) return o.text;
  for (const Operation& o : block_operations)
    if (o.name == name) return o.text;
  for (const Operation& o : other_operands)
    if (o.name == name) return o.text;
  std::fprintf(stderr, "no operation is named %s\n", name.c_str());
  return "?";
}

string replaced(string text, const string& from, const string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

string number(unsigned n) { return std::to_string(n); }

const string full = "0xffffffff";
/// The same in a register.
const string full_register = "%full";

string operation(const string& name, const string& mask, unsigned side) {
  string text = replaced(text_of(name), "$r", "%r");
  text = replaced(text, "$v", "%v");
  text = replaced(text, "$m", mask);
  return replaced(text, "$s", number(side)) + "\n";
}

/// Code of side `s`: memory operations beside the operation, so that the sides stay apart in the machine code.
string side_of(unsigned s, const string& inner) {
  return "st.volatile.global.u32 [%d0+" + number(4096 + 1024 * s) + "], %l;\nadd.u32 %v, %l, " +
         number(0x1000 * (s + 1)) + ";\nmov.u32 %r, 0;\n" + inner + "ld.volatile.global.u32 %t, [%d1+" +
         number(1024 * (s + 1)) + "];\nadd.u32 %r, %r, %t;\nst.volatile.global.u32 [%d0], %r;\n";
}
string side(unsigned s, const string& name, const string& mask) { return side_of(s, operation(name, mask, s)); }

const string prologue =
    ".reg .pred %q, %p, %p1, %p2;\n.reg .b32 %l, %z, %t, %v, %r, %r2, %sel, %full, %i, %n;\n.reg .b64 %d0, %d1, %d2, "
    "%w;\n"
    "mov.u32 %l, %tid.x;\nmul.wide.u32 %d2, %l, 4;\nld.param.u64 %d0, [out];\nld.param.u64 %d1, [in];\n"
    "add.s64 %d0, %d0, %d2;\nadd.s64 %d1, %d1, %d2;\nld.volatile.global.u32 %z, [%d1];\nnot.b32 %full, %z;\n";

string module_of_body(const string& body, const string& functions = {}) {
  return ".version 8.6\n.target sm_90\n.address_size 64\n" + functions +
         ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n" + prologue + body + "ret;\n}\n";
}

/// The condition that chooses the side of a thread.
struct Selector {
  const char* name;
  const char* text;  ///< sets %sel
};
const Selector halves{"lanes 0-15 | 16-31", "bfe.u32 %sel, %l, 4, 1;\nadd.u32 %sel, %sel, %z;\n"};
const Selector odd{"even | odd lanes", "and.b32 %sel, %l, 1;\nadd.u32 %sel, %sel, %z;\n"};
const Selector single{"lane 31 | the rest",
                      "setp.ne.u32 %q, %l, 31;\nselp.u32 %sel, 1, 0, %q;\nadd.u32 %sel, %sel, %z;\n"};
const Selector thirds{"lane % 3", "rem.u32 %sel, %l, 3;\nadd.u32 %sel, %sel, %z;\n"};
const Selector quarters{"lane / 8", "shr.u32 %sel, %l, 3;\nadd.u32 %sel, %sel, %z;\n"};

string branch(const Selector& selector, const string& side0, const string& side1) {
  return string(selector.text) + "setp.ne.u32 %p, %sel, 0;\n@%p bra SIDE1;\n" + side0 + "bra.uni JOIN;\nSIDE1:\n" +
         side1 + "JOIN:\n";
}

string switched(const Selector& selector, const std::vector<string>& sides) {
  string text = selector.text;
  for (unsigned s = 1; s < sides.size(); ++s)
    text += "setp.eq.u32 %p, %sel, " + number(s) + ";\n@%p bra SIDE" + number(s) + ";\n";
  text += sides[0] + "bra.uni JOIN;\n";
  for (unsigned s = 1; s < sides.size(); ++s) text += "SIDE" + number(s) + ":\n" + sides[s] + "bra.uni JOIN;\n";
  return text + "JOIN:\n";
}

string delay(unsigned rounds) {
  return "mov.u32 %i, 0;\nDELAY:\nld.volatile.global.u32 %n, [%d1+8192];\nadd.u32 %i, %i, %n;\nadd.u32 %i, %i, "
         "1;\nsetp.lt.u32 %q, %i, " +
         number(rounds) + ";\n@%q bra DELAY;\n";
}

class Cases {
 public:
  void add(const string& name, const string& body, unsigned threads = 32, const string& functions = {}) {
    cases_.push_back({name, threads, false, module_of_body(body, functions)});
  }
  void add_alone(const string& name, const string& body, unsigned threads = 32) {
    add(name, body, threads);
    cases_.back().alone = true;
  }
  std::vector<JoinCase> take() { return std::move(cases_); }

 private:
  std::vector<JoinCase> cases_;
};

void add_pairs(Cases& cases) {
  std::vector<string> names;
  for (const Operation& o : warp_operations) names.emplace_back(o.name);
  for (const Operation& o : block_operations) names.emplace_back(o.name);
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t b = a; b < names.size(); ++b) {
      const bool faults = a != b && names[a].starts_with("barrier.sync") && names[b].starts_with("barrier.sync");
      const string body = branch(halves, side(0, names[a], full), side(1, names[b], full));
      if (faults)
        cases.add_alone("pair: " + names[a] + " | " + names[b], body);
      else
        cases.add("pair: " + names[a] + " | " + names[b], body);
    }
  for (const Operation& o : warp_operations) {
    const string name = o.name;
    cases.add("pair, " + string(odd.name) + ": " + name + " | " + name,
              branch(odd, side(0, name, full), side(1, name, full)));
    cases.add("pair, " + string(single.name) + ": " + name + " | " + name,
              branch(single, side(0, name, full), side(1, name, full)));
    cases.add("pair, side 0 late: " + name + " | " + name,
              branch(halves, delay(200) + side(0, name, full), side(1, name, full)));
    cases.add("pair, side 1 late: " + name + " | " + name,
              branch(halves, side(0, name, full), delay(200) + side(1, name, full)));
    cases.add("side 0 alone: " + name, branch(halves, side(0, name, full), ""));
    cases.add("side 1 alone: " + name, branch(halves, "", side(1, name, full)));
    cases.add("side 0 alone, side 1 exits: " + name, branch(halves, side(0, name, full), "ret;\n"));
    cases.add("side 1 alone, side 0 exits: " + name, branch(halves, "ret;\n", side(1, name, full)));
    cases.add("side 0 alone, side 1 exits late: " + name, branch(halves, side(0, name, full), delay(200) + "ret;\n"));
    cases.add("side 0, and after the branch: " + name,
              branch(halves, side(0, name, full), "st.volatile.global.u32 [%d0+5120], %l;\n") +
                  "setp.eq.u32 %p, %sel, 0;\n@%p ret;\n" + side(1, name, full));
    cases.add("side 0 and ret, the rest after the branch: " + name,
              string(halves.text) + "setp.ne.u32 %p, %sel, 0;\n@%p bra SIDE1;\n" + side(0, name, full) +
                  "ret;\nSIDE1:\n" + side(1, name, full));
    // Once in side 0, then once in all: the lanes of side 1 execute it once, the others twice.
    cases.add("side 0, then all: " + name,
              branch(halves, side(0, name, full), "st.volatile.global.u32 [%d0+5120], %l;\n") + side(2, name, full));
  }
}

void add_other_operands(Cases& cases) {
  const struct {
    const char *a, *b;
  } pairs[] = {
      {"shfl.idx", "shfl.idx 19"},
      {"shfl.idx 19", "shfl.idx"},
      {"shfl.idx", "shfl.idx 3 width 8"},
      {"shfl.idx 19", "shfl.idx 31-lane"},
      {"shfl.idx 31-lane", "shfl.idx 31-lane"},
      {"shfl.idx", "shfl.idx reg width"},
      {"shfl.up", "shfl.up 2"},
      {"shfl.down", "shfl.down 2"},
      {"shfl.bfly", "shfl.bfly 2"},
      {"shfl.bfly 16", "shfl.bfly 16"},
      {"shfl.bfly 16", "shfl.bfly"},
      {"shfl.bfly", "shfl.bfly 1 width 16"},
      {"shfl.bfly 16", "shfl.bfly reg"},
      {"shfl.bfly reg", "shfl.bfly reg"},
      {"shfl.bfly lane%4", "shfl.bfly"},
      {"shfl.bfly lane%4", "shfl.bfly lane%4"},
      {"vote.any", "vote.any true"},
      {"vote.any", "vote.any !p"},
      {"vote.ballot", "vote.ballot 1"},
      {"vote.ballot 1", "vote.ballot 0"},
      {"vote.ballot 1", "vote.ballot 1"},
      {"match.any.b32", "match.any 7"},
      {"match.any 7", "match.any 7"},
      {"match.all.b32", "match.all 7"},
      {"match.all 7", "match.all 7"},
      {"match.all.b32", "match.all no pred"},
      {"redux.add.u32", "redux.add 7"},
      {"redux.add 7", "redux.add 7"},
      {"elect", "elect no lane"},
  };
  for (const auto& [a, b] : pairs) {
    cases.add("pair: " + string(a) + " | " + b, branch(halves, side(0, a, full), side(1, b, full)));
    cases.add("pair, odd: " + string(a) + " | " + b, branch(odd, side(0, a, full), side(1, b, full)));
  }
}

/// Operations that stand for all in the cases below.
const char* const chosen[] = {"shfl.idx",      "shfl.bfly",     "vote.any", "vote.ballot", "match.any.b32",
                              "match.all.b32", "redux.add.u32", "redux.or", "bar.warp",    "elect"};

void add_masks(Cases& cases) {
  const struct {
    const char *a, *b;
    bool excludes;  ///< lanes that execute the operation
  } masks[] = {
      {"0x0000ffff", "0xffff0000", false},  // each its own side
      {"0xffff0000", "0x0000ffff", true},   // each the other side
      {"0xffffffff", "0xffff0000", false},  //
      {"0x0000ffff", "0xffffffff", false}, {"0xffffffff", "0x0000ffff", true},
      {"0x0001ffff", "0xffff8000", false},  // own side and one lane of the other
      {"0x0001ffff", "0x0001ffff", true},   // both the same, not all of side 1
      {"0x0000ffff", "0xffff8000", false}, {"0x0000000f", "0xf0000000", true},
  };
  const auto may_fault = [](const string& name) {
    return name == "shfl.idx" || name == "vote.ballot" || name == "bar.warp";
  };
  const struct {
    const char *text, *name;
  } forms[] = {{"", "immediate masks"},
               {"ab", "masks in registers"},
               {"a", "mask 0 in a register"},
               {"b", "mask 1 in a register"}};
  for (const char* name : chosen) {
    for (const auto& [a, b, excludes] : masks)
      for (const auto& [form, form_name] : forms) {
        if (excludes && !may_fault(name)) continue;
        const bool own = string(a) == "0x0000ffff" && string(b) == "0xffff0000";
        if (!own && string(form).size() == 1) continue;
        const auto mask = [&](char which, const char* value) {
          if (string(form).find(which) == string::npos) return std::pair<string, string>("", value);
          const string r = string("%m") + which;
          return std::pair<string, string>(".reg .b32 " + r + ";\nadd.u32 " + r + ", %z, " + value + ";\n", r);
        };
        const auto [set_a, use_a] = mask('a', a);
        const auto [set_b, use_b] = mask('b', b);
        const string title = "masks " + string(a) + " | " + b + ", " + form_name + ": " + name;
        const string body = set_a + set_b + branch(halves, side(0, name, use_a), side(1, name, use_b));
        if (excludes)
          cases.add_alone(title, body);
        else
          cases.add(title, body);
      }
    cases.add("full mask in a register: " + string(name) + " | " + name,
              branch(halves, side(0, name, full_register), side(1, name, full_register)));
    cases.add("full mask in a register and immediate: " + string(name) + " | " + name,
              branch(halves, side(0, name, full_register), side(1, name, full)));
    // The mask of each lane is the activemask of its side.
    const string active = ".reg .b32 %m;\n";
    cases.add("activemask as mask: " + string(name) + " | " + name,
              active + branch(halves, "activemask.b32 %m;\n" + side(0, name, "%m"),
                              "activemask.b32 %m;\n" + side(1, name, "%m")));
    // One instruction in straight code, a mask for each lane.
    cases.add("one instruction, mask of each lane's half: " + string(name),
              active + "setp.lt.u32 %p, %l, 16;\nselp.u32 %m, 0xffff, 0xffff0000, %p;\nadd.u32 %m, %m, %z;\n" +
                  side(0, name, "%m"));
    cases.add("one instruction, overlapping masks of the lanes: " + string(name),
              active + "setp.lt.u32 %p, %l, 16;\nselp.u32 %m, 0x1ffff, 0xffff8000, %p;\nadd.u32 %m, %m, %z;\n" +
                  side(0, name, "%m"));
    cases.add("one instruction, lanes 0-15 full, the rest half: " + string(name),
              active + "setp.lt.u32 %p, %l, 16;\nselp.u32 %m, 0xffffffff, 0xffff0000, %p;\nadd.u32 %m, %m, %z;\n" +
                  side(0, name, "%m"));
    if (may_fault(name)) {
      cases.add_alone("one instruction, mask 0xffff in all lanes: " + string(name), side(0, name, "0xffff"));
      cases.add_alone("one instruction, mask 0xffff in all lanes, in a register: " + string(name),
                      active + "add.u32 %m, %z, 0xffff;\n" + side(0, name, "%m"));
    }
    cases.add("lanes 0-7 with their mask in a branch, the full mask after: " + string(name),
              "setp.gt.u32 %p, %l, 7;\n@%p bra JOIN;\n" + side(0, name, "0xff") + "JOIN:\n" + side(1, name, full));
    cases.add("mask names exited lanes: " + string(name), "setp.gt.u32 %p, %l, 23;\n@%p ret;\n" + side(0, name, full));
    cases.add("mask names exited lanes, in a register: " + string(name),
              "add.u32 %t, %l, %z;\nsetp.gt.u32 %p, %t, 23;\n@%p ret;\n" + side(0, name, full_register));
    cases.add("mask names exited lanes, branch: " + string(name) + " | " + name,
              "add.u32 %t, %l, %z;\nsetp.gt.u32 %p, %t, 23;\n@%p ret;\n" +
                  branch(halves, side(0, name, full), side(1, name, full)));
    cases.add("mask names exited lanes, odd: " + string(name) + " | " + name,
              "add.u32 %t, %l, %z;\nsetp.gt.u32 %p, %t, 23;\n@%p ret;\n" +
                  branch(odd, side(0, name, full), side(1, name, full)));
  }
}

/// `name` guarded by `%p` or `!%p`: only the operation itself, its last instruction that has `.sync`.
string guarded(const string& name, const string& guard, const string& mask, unsigned side) {
  string text = operation(name, mask, side), out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const string line = text.substr(at, end - at);
    out += (line.find(".sync") != string::npos || line.find("bar") == 0 ? guard + " " : "") + line + "\n";
    at = end + 1;
  }
  return out;
}

void add_guards(Cases& cases) {
  const string condition = "setp.ne.u32 %p, %sel, 0;\n";
  for (const Selector* s : {&halves, &odd})
    for (const char* name : chosen) {
      const string set = string(s->text) + condition;
      const string where = ", " + string(s->name);
      cases.add("@p op; @!p op" + where + ": " + name,
                set + side_of(0, guarded(name, "@%p", full, 0) + guarded(name, "@!%p", full, 1)));
      cases.add("@p op alone" + where + ": " + name, set + side_of(0, guarded(name, "@%p", full, 0)));
      cases.add("@p op; op in a branch for the rest" + where + ": " + name,
                set + side_of(0, guarded(name, "@%p", full, 0)) + "@%p bra JOIN;\n" + side(1, name, full) + "JOIN:\n");
      cases.add("@p op; @!p other op" + where + ": " + name + " | shfl.down",
                set + side_of(0, guarded(name, "@%p", full, 0) + guarded("shfl.down", "@!%p", full, 1)));
    }
}

void add_several_branches(Cases& cases) {
  for (const char* name : chosen) {
    const string n = name;
    cases.add("three branches: " + n, switched(thirds, {side(0, n, full), side(1, n, full), side(2, n, full)}));
    cases.add("three branches, the third another: " + n + " | " + n + " | shfl.up",
              switched(thirds, {side(0, n, full), side(1, n, full), side(2, "shfl.up", full)}));
    cases.add("three branches, the third empty: " + n, switched(thirds, {side(0, n, full), side(1, n, full), ""}));
    cases.add("three branches, the third exits: " + n,
              switched(thirds, {side(0, n, full), side(1, n, full), "ret;\n"}));
    cases.add("four branches, masks of pairs 0+1 and 2+3: " + n,
              switched(quarters, {side(0, n, "0xffff"), side(1, n, "0xffff"), side(2, n, "0xffff0000"),
                                  side(3, n, "0xffff0000")}));
    cases.add("four branches, masks of pairs 0+2 and 1+3: " + n,
              switched(quarters, {side(0, n, "0xff00ff"), side(1, n, "0xff00ff00"), side(2, n, "0xff00ff"),
                                  side(3, n, "0xff00ff00")}));
    cases.add("four branches, two operations, masks of pairs: " + n + " | shfl.up",
              switched(quarters, {side(0, n, "0xff00ff"), side(1, "shfl.up", "0xff00ff00"), side(2, n, "0xff00ff"),
                                  side(3, "shfl.up", "0xff00ff00")}));
    // Two operations in each side, in the same and in the opposite order.
    cases.add("two in each side: " + n + ", shfl.up | " + n + ", shfl.up",
              branch(halves, side(0, n, full) + side(0, "shfl.up", full), side(1, n, full) + side(1, "shfl.up", full)));
    cases.add("two in each side, opposite: " + n + ", shfl.up | shfl.up, " + n,
              branch(halves, side(0, n, full) + side(0, "shfl.up", full), side(1, "shfl.up", full) + side(1, n, full)));
    cases.add("twice in each side: " + n,
              branch(halves, side(0, n, full) + side(0, n, full), side(1, n, full) + side(1, n, full)));
    cases.add("twice in side 0, once in side 1: " + n,
              branch(halves, side(0, n, full) + side(0, n, full), side(1, n, full)));
    cases.add("twice in side 0, once in side 1, then exit: " + n,
              branch(halves, side(0, n, full) + side(0, n, full), side(1, n, full) + "ret;\n"));
    // An inner branch in side 0.
    const string inner = "setp.lt.u32 %p1, %l, 8;\n@%p1 bra INNER;\n" + side(2, n, full) + "bra.uni OUT;\nINNER:\n" +
                         side(3, n, full) + "OUT:\n";
    cases.add("nested branches: " + n, branch(halves, inner, side(1, n, full)));
  }
}

void add_loops(Cases& cases) {
  // %i counts, %n is the lane's number of rounds.
  const string rounds = "and.b32 %n, %l, 3;\nadd.u32 %n, %n, %z;\nadd.u32 %n, %n, 1;\nmov.u32 %i, 0;\n";
  const string next = "add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, %n;\n@%p bra LOOP;\n";
  for (const char* name : chosen) {
    const string n = name;
    cases.add("loop of 1 to 4 rounds: " + n, rounds + "LOOP:\n" + side(0, n, full) + next);
    cases.add("loop of 1 to 4 rounds, then once: " + n,
              rounds + "LOOP:\n" + side(0, n, full) + next + side(1, n, full));
    cases.add("loop of 1 to 4 rounds, then another operation: " + n + ", shfl.up",
              rounds + "LOOP:\n" + side(0, n, full) + next + side(1, "shfl.up", full));
    cases.add("loop of n rounds, then a loop of 5-n: " + n,
              rounds + "LOOP:\n" + side(0, n, full) + next + "AGAIN:\n" + side(1, n, full) +
                  "add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, 5;\n@%p bra AGAIN;\n");
    cases.add("break in the middle, then once: " + n,
              rounds + "LOOP:\nadd.u32 %i, %i, 1;\nsetp.ge.u32 %p, %i, %n;\n@%p bra OUT;\n" + side(0, n, full) +
                  "bra.uni LOOP;\nOUT:\n" + side(1, n, full));
    cases.add("break in the middle with the operation, lanes % 2: " + n,
              string(odd.text) +
                  "mov.u32 %i, 0;\nLOOP:\nadd.u32 %i, %i, 1;\nsetp.eq.u32 %p, %sel, %i;\n@%p bra BREAK;\n" +
                  side(0, n, full) + "setp.lt.u32 %p, %i, 3;\n@%p bra LOOP;\nbra.uni OUT;\nBREAK:\n" +
                  side(1, n, full) + "OUT:\n");
    cases.add("continue skips the operation in odd lanes, one round less: " + n,
              string(odd.text) +
                  "mov.u32 %i, 0;\nLOOP:\nadd.u32 %i, %i, 1;\nsetp.eq.u32 %p, %sel, %i;\n@%p bra NEXT;\n" +
                  side(0, n, full) + "NEXT:\nadd.u32 %t, %sel, 3;\nsetp.lt.u32 %p, %i, %t;\n@%p bra LOOP;\n");
    cases.add("even lanes loop 4 times, odd lanes 4 times in a loop of their own: " + n,
              branch(odd,
                     "mov.u32 %i, 0;\nLOOP0:\n" + side(0, n, full) +
                         "add.u32 %i, %i, 1;\nadd.u32 %i, %i, %z;\nsetp.lt.u32 %p1, %i, 4;\n@%p1 bra LOOP0;\n",
                     "mov.u32 %i, 0;\nLOOP1:\n" + side(1, n, full) +
                         "add.u32 %i, %i, 1;\nadd.u32 %i, %i, %z;\nsetp.lt.u32 %p1, %i, 4;\n@%p1 bra LOOP1;\n"));
    cases.add("even lanes loop 4 times, odd lanes 3 times and exit: " + n,
              branch(odd,
                     "mov.u32 %i, 0;\nLOOP0:\n" + side(0, n, full) +
                         "add.u32 %i, %i, 1;\nadd.u32 %i, %i, %z;\nsetp.lt.u32 %p1, %i, 4;\n@%p1 bra LOOP0;\n",
                     "mov.u32 %i, 0;\nLOOP1:\n" + side(1, n, full) +
                         "add.u32 %i, %i, 1;\nadd.u32 %i, %i, %z;\nsetp.lt.u32 %p1, %i, 3;\n@%p1 bra LOOP1;\nret;\n"));
  }
}

string function(const string& label, const string& body) {
  return ".func (.param .b32 result) " + label +
         "(.param .b64 a0, .param .b64 a1, .param .b32 a2, .param .b32 a3)\n{\n"
         ".reg .pred %q;\n.reg .b32 %l, %z, %t, %v, %r;\n.reg .b64 %d0, %d1, %w;\nld.param.b64 %d0, "
         "[a0];\nld.param.b64 "
         "%d1, [a1];\nld.param.b32 %l, [a2];\nld.param.b32 %z, [a3];\n" +
         body + "st.param.b32 [result], %r;\nret;\n}\n";
}
/// The result goes to word 128 + thread; each call site adds a number of its own, so that calls stay apart.
string call(const string& target, unsigned site, const string& prototype = {}) {
  return "{\n.param .b32 ret0;\n.param .b64 b0, b1;\n.param .b32 b2, b3;\nst.param.b64 [b0], %d0;\nst.param.b64 [b1], "
         "%d1;\n"
         "st.param.b32 [b2], %l;\nst.param.b32 [b3], %z;\ncall (ret0), " +
         target + ", (b0, b1, b2, b3)" + prototype + ";\nld.param.b32 %t, [ret0];\n}\nxor.b32 %t, %t, " +
         number(site << 28) + ";\nst.volatile.global.u32 [%d0+512], %t;\n";
}

void add_calls(Cases& cases) {
  const string proto =
      "PROTO: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b64 _, .param .b32 _, .param .b32 _);\n";
  for (const char* name : chosen) {
    const string n = name, f = function("f", side(0, n, full)), g = function("g", side(1, n, full));
    const string touch = "st.volatile.global.u32 [%d0+9216], %l;\n";
    cases.add("one function called from two sides: " + n, branch(halves, call("f", 0), touch + call("f", 1)), 32, f);
    cases.add("two functions: " + n, branch(halves, call("f", 0), touch + call("g", 1)), 32, f + g);
    cases.add("a function and an inlined operation: " + n, branch(halves, call("f", 0), side(1, n, full)), 32, f);
    cases.add("one indirect call, two functions: " + n,
              string(halves.text) +
                  ".reg .b64 %fa, %fb;\nmov.u64 %fa, f;\nmov.u64 %fb, g;\nsetp.ne.u32 %p, %sel, 0;\nselp.b64 %fa, %fb, "
                  "%fa, %p;\n" +
                  proto + call("%fa", 0, ", PROTO"),
              32, f + g);
    cases.add("called in a loop of 1 to 4 rounds, lanes exit: " + n,
              "and.b32 %n, %l, 3;\nadd.u32 %n, %n, %z;\nmov.u32 %i, 0;\nLOOP:\n" + call("f", 0) +
                  "add.u32 %i, %i, 1;\nsetp.le.u32 %p, %i, %n;\n@%p bra LOOP;\n",
              32, f);
  }
}

/// Which lanes are together, after all kinds of divergent code.
void add_reconvergence(Cases& cases) {
  const string mask = "activemask.b32 %r2;\nst.volatile.global.u32 [%d0+512], %r2;\n";
  const auto touch = [](unsigned s) {
    return "st.volatile.global.u32 [%d0+" + number(4096 + 1024 * s) +
           "], %l;\nactivemask.b32 %r;\nst.volatile.global.u32 [%d0], %r;\n";
  };
  const string rounds = "and.b32 %n, %l, 3;\nadd.u32 %n, %n, %z;\nadd.u32 %n, %n, 1;\nmov.u32 %i, 0;\n";
  const string next = "add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, %n;\n@%p bra LOOP;\n";
  cases.add("active lanes after if/else", branch(halves, touch(0), touch(1)) + mask);
  cases.add("active lanes after if/else, odd", branch(odd, touch(0), touch(1)) + mask);
  cases.add("active lanes after if", branch(halves, touch(0), "") + mask);
  cases.add("active lanes after a switch", switched(quarters, {touch(0), touch(1), touch(2), touch(3)}) + mask);
  cases.add("active lanes after if/else, one side exits", branch(halves, touch(0), touch(1) + "ret;\n") + mask);
  cases.add("active lanes after if/else, half of a side exits",
            branch(halves, touch(0) + "setp.lt.u32 %p1, %l, 8;\n@%p1 ret;\n", touch(1)) + mask);
  cases.add(
      "active lanes after if/else, half of a side exits inside",
      branch(halves, touch(0) + "add.u32 %t, %l, %z;\nsetp.lt.u32 %p1, %t, 8;\n@%p1 ret;\n" + touch(2), touch(1)) +
          mask);
  cases.add("active lanes after a loop of 1 to 4 rounds", rounds + "LOOP:\n" + touch(0) + next + mask);
  cases.add("active lanes in a loop after an inner if",
            rounds + "LOOP:\nand.b32 %t, %l, 4;\nadd.u32 %t, %t, %z;\nsetp.ne.u32 %p1, %t, 0;\n@%p1 bra SKIP;\n" +
                touch(0) + "SKIP:\n" + touch(1) + next + mask);
  cases.add("active lanes after a loop with a break",
            rounds + "LOOP:\nadd.u32 %i, %i, 1;\nsetp.ge.u32 %p, %i, %n;\n@%p bra OUT;\n" + touch(0) +
                "ld.volatile.global.u32 %t, [%d1+8192];\nadd.u32 %t, %t, %l;\nsetp.gt.u32 %p1, %t, 27;\n@%p1 bra "
                "OUT;\nbra.uni LOOP;\nOUT:\n" +
                mask);
  cases.add("active lanes after a loop, breakers do more",
            rounds + "LOOP:\nadd.u32 %i, %i, 1;\nsetp.ge.u32 %p, %i, %n;\n@%p bra MORE;\n" + touch(0) +
                "setp.lt.u32 %p1, %i, 2;\n@%p1 bra LOOP;\nbra.uni OUT;\nMORE:\n" + touch(1) + "OUT:\n" + mask);
  // The slow path stands after the end of the kernel and jumps back.
  cases.add("active lanes after a slow path after ret",
            string(halves.text) + "setp.ne.u32 %p, %sel, 0;\n@%p bra SLOW;\n" + touch(0) + "BACK:\n" + mask +
                "ret;\nSLOW:\n" + touch(1) + "bra.uni BACK;\n");
  cases.add("active lanes after a slow path after ret, without a fast path",
            string(halves.text) + "setp.ne.u32 %p, %sel, 0;\n@%p bra SLOW;\nBACK:\n" + mask + "ret;\nSLOW:\n" +
                touch(1) + "bra.uni BACK;\n");
  cases.add("active lanes after two slow paths after ret, nested",
            string(quarters.text) + "setp.ne.u32 %p, %sel, 0;\n@%p bra SLOW;\n" + touch(0) + "BACK:\n" + mask +
                "ret;\nSLOW:\n" + touch(1) + "setp.eq.u32 %p1, %sel, 1;\n@%p1 bra SLOWER;\n" + touch(2) + "MIDDLE:\n" +
                touch(3) + "bra.uni BACK;\nSLOWER:\n" + touch(4) + "bra.uni MIDDLE;\n");
  cases.add("active lanes after short circuits",
            string(quarters.text) +
                "setp.eq.u32 %p, %sel, 0;\n@%p bra BODY;\nld.volatile.global.u32 %t, [%d1+8192];\nadd.u32 %t, %t, "
                "%sel;\nsetp.eq.u32 %p1, %t, 2;\n@%p1 bra BODY;\n" +
                touch(0) + "bra.uni JOIN;\nBODY:\n" + touch(1) + "JOIN:\n" + mask);
  // Two entries into one loop: no structured reconvergence inside.
  cases.add("active lanes in an irreducible graph",
            rounds + string(halves.text) + "setp.ne.u32 %p, %sel, 0;\n@%p bra SECOND;\nFIRST:\n" + touch(0) +
                "SECOND:\n" + touch(1) + "add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, %n;\n@%p bra FIRST;\n" + mask);
  cases.add("active lanes after brx.idx", string(quarters.text) +
                                              "TS: .branchtargets B0, B1, B2, B3;\nbrx.idx %sel, TS;\nB0:\n" +
                                              touch(0) + "bra.uni JOIN;\nB1:\n" + touch(1) + "bra.uni JOIN;\nB2:\n" +
                                              touch(2) + "bra.uni JOIN;\nB3:\n" + touch(3) + "JOIN:\n" + mask);
  cases.add("active lanes after brx.idx with a fall through",
            string(quarters.text) + "TS: .branchtargets B0, B1, B2, B3;\nbrx.idx %sel, TS;\nB0:\n" + touch(0) +
                "B1:\n" + touch(1) + "bra.uni JOIN;\nB2:\n" + touch(2) + "B3:\n" + touch(3) + "JOIN:\n" + mask);
  const string f = function("f", side_of(0, "activemask.b32 %r;\n")),
               g = function("g", side_of(1, "activemask.b32 %r;\n"));
  const string again = "activemask.b32 %r2;\nst.volatile.global.u32 [%d0+512], %r2;\n";
  cases.add("active lanes in and after a function called from two sides",
            branch(halves, call("f", 0), "st.volatile.global.u32 [%d0+9216], %l;\n" + call("f", 1)) + again, 32, f);
  const string early = function("f", "add.u32 %t, %l, %z;\nmov.u32 %r, 0;\nsetp.lt.u32 %q, %t, 8;\n@%q bra END;\n" +
                                         side_of(0, "activemask.b32 %r;\n") + "END:\n");
  cases.add("active lanes after a function with an early return", call("f", 0) + again, 32, early);
  const string leave =
      function("f", "add.u32 %t, %l, %z;\nsetp.lt.u32 %q, %t, 8;\n@%q exit;\n" + side_of(0, "activemask.b32 %r;\n"));
  cases.add("active lanes after a function in which lanes exit", call("f", 0) + again, 32, leave);
  const string proto =
      "PROTO: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b64 _, .param .b32 _, .param .b32 _);\n";
  cases.add("active lanes after an indirect call of two functions",
            string(halves.text) +
                ".reg .b64 %fa, %fb;\nmov.u64 %fa, f;\nmov.u64 %fb, g;\nsetp.ne.u32 %p, %sel, 0;\nselp.b64 %fa, %fb, "
                "%fa, %p;\n" +
                proto + call("%fa", 0, ", PROTO") + again,
            32, f + g);
  // Progress: lanes of one side wait in a loop for a store of the other side.
  for (const unsigned waiting : {0u, 1u}) {
    const string wait =
        "SPIN:\nld.volatile.global.u32 %t, [%d2+12288];\nsetp.eq.u32 %p1, %t, 0;\n@%p1 bra SPIN;\n" + touch(waiting);
    const string set = "mov.u32 %t, 1;\nst.volatile.global.u32 [%d2+12288], %t;\n" + touch(1 - waiting);
    cases.add(
        "side " + number(waiting) + " spins for a store of the other",
        "ld.param.u64 %d2, [in];\n" + (waiting == 0 ? branch(halves, wait, set) : branch(halves, set, wait)) + mask);
  }
  const string lock =
      "ld.param.u64 %d2, [in];\nLOOP:\natom.global.cas.b32 %t, [%d2+16384], 0, 1;\nsetp.ne.u32 %p, %t, 0;\n@%p bra "
      "LOOP;\n"
      "ld.volatile.global.u32 %t, [%d2+16388];\nadd.u32 %t, %t, 1;\nst.volatile.global.u32 [%d2+16388], "
      "%t;\nmembar.gl;\n"
      "atom.global.exch.b32 %t, [%d2+16384], 0;\n";
  cases.add(
      "a spin lock taken by every lane",
      lock + "bar.warp.sync 0xffffffff;\nld.volatile.global.u32 %r, [%d2+16388];\nst.volatile.global.u32 [%d0], %r;\n" +
          mask);
}

/// A side with a block barrier: stores its word, waits, then reads the word of the neighbour (thread ^ 1) and that of the
/// next warp's same lane, and stores its word again. Second result: the barrier's result << 16 | the other warp's word.
string block_side(unsigned s, const string& barrier) {
  return "add.u32 %v, %l, " + number(0x100 * (s + 1)) + ";\nst.volatile.shared.u32 [%sa], %v;\nmov.u32 %r, 0;\n" +
         (barrier.empty() ? "" : operation(barrier, full, s)) +
         "shl.b32 %r2, %r, 16;\nld.volatile.shared.u32 %r, [%sx];\nld.volatile.shared.u32 %t, [%sw];\nadd.u32 %r2, "
         "%r2, %t;\nadd.u32 %v, %v, "
         "0x8000;\nst.volatile.shared.u32 [%sa], %v;\nst.volatile.global.u32 [%d0], %r;\nst.volatile.global.u32 "
         "[%d0+512], "
         "%r2;\n";
}

void add_block_barriers(Cases& cases) {
  const auto setup = [](unsigned threads) {
    return ".shared .align 4 .b32 words[256];\n.reg .b32 %sa, %sx, %sw;\nshl.b32 %t, %l, 2;\nmov.u32 %sa, "
           "words;\nadd.u32 %sa, %sa, %t;\nxor.b32 %sx, %sa, 4;\n"
           "add.u32 %t, %l, 32;\nrem.u32 %t, %t, " +
           number(threads) +
           ";\nshl.b32 %t, %t, 2;\nmov.u32 %sw, words;\nadd.u32 %sw, %sw, %t;\nadd.u32 %t, %l, "
           "0x4000;\nst.volatile.shared.u32 [%sa], %t;\nbar.sync 15;\n";
  };
  const char* const barriers[] = {"bar.sync 0",   "barrier.sync 0", "bar.sync 0,32", "barrier.sync 0,32",
                                  "bar.red.popc", "bar.red.and",    "bar.red.or",    "barrier.red.popc",
                                  "cluster",      "cluster.aligned"};
  // Side 1 in one warp only: %sel = odd and warp 0.
  const Selector odd_first{"odd lanes of warp 0 | the rest",
                           "shr.u32 %t, %l, 5;\nsetp.eq.u32 %q, %t, 0;\nand.b32 %sel, %l, 1;\nselp.u32 %sel, %sel, 0, "
                           "%q;\nadd.u32 %sel, %sel, %z;\n"};
  const Selector warps{"warp 0 | warp 1", "shr.u32 %sel, %l, 5;\nadd.u32 %sel, %sel, %z;\n"};
  for (const char* barrier : barriers) {
    const string b = barrier;
    for (const unsigned threads : {32u, 64u}) {
      const string t = number(threads) + " threads, ", start = setup(threads);
      for (const Selector* s : {&odd, &halves, &odd_first}) {
        if (s == &odd_first && threads == 32) continue;
        const string where = t + s->name + ", ";
        cases.add("block, " + where + "both sides: " + b, start + branch(*s, block_side(0, b), block_side(1, b)),
                  threads);
        cases.add("block, " + where + "side 0 late: " + b,
                  start + branch(*s, delay(200) + block_side(0, b), block_side(1, b)), threads);
        cases.add("block, " + where + "side 1 late: " + b,
                  start + branch(*s, block_side(0, b), delay(200) + block_side(1, b)), threads);
        cases.add("block, " + where + "side 0 only: " + b, start + branch(*s, block_side(0, b), block_side(1, "")),
                  threads);
        cases.add("block, " + where + "side 1 only: " + b, start + branch(*s, block_side(0, ""), block_side(1, b)),
                  threads);
        cases.add("block, " + where + "side 0, side 1 exits: " + b, start + branch(*s, block_side(0, b), "ret;\n"),
                  threads);
        cases.add("block, " + where + "side 1, side 0 exits: " + b, start + branch(*s, "ret;\n", block_side(1, b)),
                  threads);
        cases.add("block, " + where + "twice in each: " + b,
                  start + branch(*s, block_side(0, b) + block_side(2, b), block_side(1, b) + block_side(3, b)),
                  threads);
        cases.add("block, " + where + "twice in side 0, once in side 1: " + b,
                  start + branch(*s, block_side(0, b) + block_side(2, b), block_side(1, b)), threads);
        cases.add("block, " + where + "side 0, then all: " + b,
                  start + branch(*s, block_side(0, b), block_side(1, "")) + block_side(2, b), threads);
      }
    }
    cases.add("block, 64 threads, warp 0 | warp 1: " + b, setup(64) + branch(warps, block_side(0, b), block_side(1, b)),
              64);
    cases.add("block, 64 threads, loop of 1 to 4 rounds: " + b,
              setup(64) + "and.b32 %n, %l, 3;\nadd.u32 %n, %n, %z;\nmov.u32 %i, 0;\nLOOP:\n" + block_side(0, b) +
                  "add.u32 %i, %i, 1;\nsetp.le.u32 %p, %i, %n;\n@%p bra LOOP;\n",
              64);
    cases.add("block, 64 threads, loops of different length, as many barriers: " + b,
              setup(64) + "and.b32 %n, %l, 3;\nadd.u32 %n, %n, %z;\nmov.u32 %i, 0;\nLOOP:\n" + block_side(0, b) +
                  "add.u32 %i, %i, 1;\nsetp.le.u32 %p, %i, %n;\n@%p bra LOOP;\nAGAIN:\n" + block_side(1, b) +
                  "add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, 5;\n@%p bra AGAIN;\n",
              64);
    cases.add("block, 64 threads, in a function called from two sides: " + b,
              setup(64) + branch(odd, call("f", 0), "st.volatile.global.u32 [%d0+9216], %l;\n" + call("f", 1)), 64,
              function("f", side_of(0, operation(b, full, 0))));
    cases.add("block, 64 threads, @p barrier, odd: " + b,
              setup(64) + string(odd.text) + "setp.ne.u32 %p, %sel, 0;\n" + side_of(0, guarded(b, "@%p", full, 0)), 64);
    cases.add("block, 64 threads, @p barrier; @!p barrier, odd: " + b,
              setup(64) + string(odd.text) + "setp.ne.u32 %p, %sel, 0;\n" +
                  side_of(0, guarded(b, "@%p", full, 0) + guarded(b, "@!%p", full, 1)),
              64);
    cases.add("block, 64 threads, lanes 24-31 of each warp have exited: " + b,
              setup(64) + "and.b32 %t, %l, 31;\nadd.u32 %t, %t, %z;\nsetp.gt.u32 %p1, %t, 23;\n@%p1 ret;\n" +
                  block_side(0, b),
              64);
    cases.add("block, 64 threads, lanes 24-31 of each warp have exited, odd both sides: " + b,
              setup(64) + "and.b32 %t, %l, 31;\nadd.u32 %t, %t, %z;\nsetp.gt.u32 %p1, %t, 23;\n@%p1 ret;\n" +
                  branch(odd, block_side(0, b), block_side(1, b)),
              64);
    cases.add("block, 64 threads, warp 1 has exited, odd both sides: " + b,
              setup(64) + "add.u32 %t, %l, %z;\nsetp.gt.u32 %p1, %t, 31;\n@%p1 ret;\n" +
                  branch(odd, block_side(0, b), block_side(1, b)),
              64);
    cases.add("block, 40 threads, all: " + b, setup(40) + block_side(0, b), 40);
    cases.add("block, 40 threads, odd both sides: " + b, setup(40) + branch(odd, block_side(0, b), block_side(1, b)),
              40);
  }
  // Small sides without volatile accesses: the compiler may turn the branch into guards.
  for (const char* b : {"bar.sync 0", "barrier.sync 0", "bar.red.popc", "barrier.red.popc"})
    for (const unsigned threads : {32u, 64u}) {
      const auto small = [&](unsigned s) {
        return "add.u32 %v, %l, " + number(0x100 * (s + 1)) + ";\nst.shared.u32 [%sa], %v;\n" + operation(b, full, s) +
               "mov.u32 %r2, %r;\nld.shared.u32 %r, [%sx];\n";
      };
      cases.add("block, " + number(threads) + " threads, small sides, odd: " + b,
                setup(threads) + branch(odd, small(0), small(1)) +
                    "st.global.u32 [%d0], %r;\nst.global.u32 [%d0+512], %r2;\n",
                threads);
    }
  const char* const mixed[][2] = {{"bar.sync 0", "bar.sync 1"},           {"barrier.sync 0", "barrier.sync 1"},
                                  {"bar.sync 0", "barrier.sync 0"},       {"bar.sync 0", "bar.red.popc"},
                                  {"bar.red.popc", "bar.red.and"},        {"bar.red.and", "bar.red.or"},
                                  {"barrier.sync 0", "barrier.red.popc"}, {"barrier.sync 0", "barrier.sync 0,32"},
                                  {"bar.red.popc", "barrier.red.popc"}};
  for (const auto& [a, b] : mixed)
    for (const unsigned threads : {32u, 64u})
      for (const Selector* s : {&odd, &warps})
        if (s == &odd || threads == 64)
          cases.add_alone("block, " + number(threads) + " threads, " + s->name + ": " + a + " | " + b,
                          setup(threads) + branch(*s, block_side(0, a), block_side(1, b)), threads);
  // Counts, in threads, for barriers that a part of the block executes; 96 threads.
  for (const char* form : {"bar.sync", "barrier.sync"})
    for (const unsigned count : {32u, 64u, 96u})
      for (const char* who : {"lanes 0-15 of warp 0", "warp 0", "lanes 0-15 of warps 0 and 1", "even lanes of all",
                              "warps 0 and 1", "all", "16 lanes of warp 0, all of warp 1"}) {
        const string w = who;
        string choose;
        if (w == "lanes 0-15 of warp 0") choose = "setp.lt.u32 %p1, %l, 16;\n";
        if (w == "warp 0") choose = "setp.lt.u32 %p1, %l, 32;\n";
        if (w == "lanes 0-15 of warps 0 and 1")
          choose = "and.b32 %t, %l, 31;\nsetp.lt.u32 %p1, %t, 16;\nsetp.lt.and.u32 %p1, %l, 64, %p1;\n";
        if (w == "even lanes of all") choose = "and.b32 %t, %l, 1;\nsetp.eq.u32 %p1, %t, 0;\n";
        if (w == "warps 0 and 1") choose = "setp.lt.u32 %p1, %l, 64;\n";
        if (w == "all") choose = "setp.lt.u32 %p1, %l, 96;\n";
        if (w == "16 lanes of warp 0, all of warp 1") choose = "sub.u32 %t, %l, 16;\nsetp.lt.u32 %p1, %t, 48;\n";
        cases.add("block, 96 threads, " + w + ", the rest exits: " + form + " 2," + number(count),
                  "add.u32 %l, %l, %z;\n" + choose + "@!%p1 ret;\n" +
                      side_of(0, string(form) + " 2, " + number(count) + ";\nmov.u32 %r, 6;\n"),
                  96);
        cases.add("block, 96 threads, " + w + ", the rest waits at barrier 3: " + form + " 2," + number(count),
                  "add.u32 %l, %l, %z;\n" + choose + "@!%p1 bra REST;\n" +
                      side_of(0, string(form) + " 2, " + number(count) + ";\nmov.u32 %r, 6;\n") +
                      "REST:\nbarrier.sync 3;\n" + side_of(1, ""),
                  96);
      }
  // arrive in one side and sync in the other.
  for (const char* form : {"bar", "barrier"})
    for (const unsigned count : {32u, 64u, 128u})
      for (const Selector* s : {&odd, &warps})
        cases.add("block, 64 threads, " + string(s->name) + ": " + form + ".arrive 2," + number(count) + " | " + form +
                      ".sync 2," + number(count),
                  branch(*s, side_of(0, string(form) + ".arrive 2, " + number(count) + ";\nmov.u32 %r, 7;\n"),
                         side_of(1, string(form) + ".sync 2, " + number(count) + ";\nmov.u32 %r, 6;\n")),
                  64);
}

}  // namespace

std::vector<JoinCase> join_cases() {
  Cases cases;
  add_pairs(cases);
  add_other_operands(cases);
  add_masks(cases);
  add_guards(cases);
  add_several_branches(cases);
  add_loops(cases);
  add_calls(cases);
  add_reconvergence(cases);
  add_block_barriers(cases);
  return cases.take();
}

string outcome_words(const unsigned* out, unsigned threads, bool hang, bool fault) {
  string text = hang ? "HANG" : fault ? "FAULT" : "ok";
  for (const unsigned half : {0u, 128u}) {
    bool any = half == 0;
    for (unsigned t = 0; t < threads; ++t) any |= out[half + t] != unwritten;
    if (!any) break;
    if (half != 0) text += " ;";
    for (unsigned t = 0; t < threads;) {
      unsigned n = 1;
      while (t + n < threads && out[half + t + n] == out[half + t]) ++n;
      char word[32];
      std::snprintf(word, sizeof word, out[half + t] == unwritten ? " -" : " %x", out[half + t]);
      text += word;
      if (n > 1) text += "*" + number(n);
      t += n;
    }
  }
  return text;
}

}  // namespace lanescope::emulator::test
