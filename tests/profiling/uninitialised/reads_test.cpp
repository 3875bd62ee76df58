// Reads of unwritten memory, against an oracle that keeps what every bit is: random programs of one warp that store some
// bytes of shared memory, load others, move and compute bits, and store them to a buffer.

#include "profiling/uninitialised/reads.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>

#include "kernels/emulator/emulator.h"
#include "tests/rounds.h"

namespace lanescope::uninitialised {
namespace {

using u32 = std::uint32_t;
constexpr int shared_bytes = 64, registers = 4;

/// One bit: a constant, a byte's bit of unwritten memory (in its place or elsewhere), or a function of several.
struct Bit {
  enum class Kind : std::uint8_t { constant, source, computed } kind = Kind::constant;
  bool value = false;     ///< constant
  int place = 0;          ///< source: in its word of memory
  bool inverted = false;  ///< source
};
using Word = std::array<Bit, 32>;

struct Ins {
  enum class Kind { fill, load, store, bits, add, choose, out, branch } kind = Kind::fill;
  int d = 0, a = 0, width = 4, stride = 1, first = 0;
  std::string op{};
  u32 constant = 0, mask = ~0u;
};

struct Program {
  std::vector<Ins> code;
  std::string ptx() const;
};

std::string Program::ptx() const {
  std::string t =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0)\n{\n.reg .pred %p<3>;\n.reg "
      ".b32 "
      "%r<5>, %at, %lane, %m, %c;\n.reg .b64 %rd<3>;\n.shared .align 16 .b8 s[64];\nld.param.u64 %rd0, [p0];\nmov.u32 "
      "%lane, %laneid;\n";
  for (int r = 0; r < registers; ++r) t += fmt::format("mov.u32 %r{}, {};\n", r, r);
  int outs = 0;
  for (const Ins& i : code) {
    t += fmt::format("mov.u32 %m, {};\nshr.u32 %m, %m, %lane;\nand.b32 %m, %m, 1;\nsetp.ne.u32 %p0, %m, 0;\n", i.mask);
    const char* type = i.width == 1 ? "u8" : i.width == 2 ? "u16" : "u32";
    t += fmt::format(
        "mul.lo.u32 %at, %lane, {};\nadd.u32 %at, %at, {};\nand.b32 %at, %at, {};\nmul.lo.u32 %at, %at, {};\n",
        i.stride, i.first, shared_bytes / i.width - 1, i.width);
    switch (i.kind) {
      case Ins::Kind::fill:
        t += fmt::format("mov.u32 %c, {};\n@%p0 st.shared.{} [%at+1024], %c;\n", i.constant, type);
        break;
      case Ins::Kind::load:
        t += fmt::format("@%p0 ld.shared.{} %r{}, [%at+1024];\n", type, i.d);
        break;
      case Ins::Kind::store:
        t += fmt::format("@%p0 st.shared.{} [%at+1024], %r{};\n", type, i.a);
        break;
      case Ins::Kind::bits:
      case Ins::Kind::add:
        t += fmt::format("@%p0 {} %r{}, %r{}, {};\n", i.op, i.d, i.a, i.constant);
        break;
      case Ins::Kind::choose:  // lanes of i.constant keep d, others take a
        t += fmt::format(
            "mov.u32 %m, {};\nshr.u32 %m, %m, %lane;\nand.b32 %m, %m, 1;\nsetp.ne.u32 %p1, %m, 0;\nselp.b32 "
            "%r{}, %r{}, %r{}, %p1;\n",
            i.constant, i.d, i.d, i.a);
        break;
      case Ins::Kind::out:
        t += fmt::format(
            "mul.wide.u32 %rd1, %lane, 4;\nadd.u64 %rd1, %rd1, %rd0;\n@%p0 st.global.u32 [%rd1+{}], %r{};\n",
            128 * outs++, i.a);
        break;
      case Ins::Kind::branch:
        t += fmt::format("setp.gt.u32 %p1, %r{}, 5;\nand.pred %p1, %p1, %p0;\n@%p1 add.u32 %c, %c, 1;\n", i.a);
        break;
    }
  }
  return t + "ret;\n}\n";
}

Program random_program(std::mt19937_64& random) {
  const auto below = [&](u32 n) { return static_cast<u32>(random() % n); };
  Program p;
  const u32 length = 4 + below(10);
  for (u32 n = 0; n < length; ++n) {
    Ins i;
    const u32 what = below(16);
    i.d = static_cast<int>(below(registers)), i.a = static_cast<int>(below(registers));
    i.width = 1 << below(3);
    i.stride = static_cast<int>(below(4)), i.first = static_cast<int>(below(16));
    if (below(3) == 0) i.mask = static_cast<u32>(random());
    if (what < 3) {
      i.kind = Ins::Kind::fill, i.constant = static_cast<u32>(random()), i.stride = 1 + static_cast<int>(below(2));
    } else if (what < 7) {
      i.kind = Ins::Kind::load;
    } else if (what < 8) {
      i.kind = Ins::Kind::store;
    } else if (what < 11) {
      i.kind = Ins::Kind::bits;
      constexpr std::array<const char*, 5> ops{"and.b32", "or.b32", "xor.b32", "shl.b32", "shr.u32"};
      const u32 op = below(5);
      i.op = ops[op];
      i.constant = op < 3 ? (below(2) == 0 ? 0xffu << 8 * below(4) : static_cast<u32>(random())) : 8 * below(4);
    } else if (what < 12) {
      i.kind = Ins::Kind::add, i.op = "mul.lo.u32", i.constant = 3 + 2 * below(100);
    } else if (what < 13) {
      i.kind = Ins::Kind::choose, i.constant = static_cast<u32>(random());
    } else if (what < 15) {
      i.kind = Ins::Kind::out;
    } else {
      i.kind = Ins::Kind::branch;
    }
    p.code.push_back(i);
  }
  Ins out;
  out.kind = Ins::Kind::out, out.a = static_cast<int>(below(registers));
  p.code.push_back(out);
  return p;
}

/// Uses of values from unwritten memory: the instruction, and how it uses them.
using Uses = std::set<std::pair<int, Use>>;

Uses oracle(const Program& p) {
  std::array<std::array<Word, registers>, 32> r{};
  for (auto& lane : r)
    for (u32 n = 0; n < registers; ++n)
      for (u32 b = 0; b < 32; ++b) lane[n][b].value = (n >> b & 1) != 0;
  std::array<Bit, shared_bytes * 8> memory{};
  for (int b = 0; b < shared_bytes * 8; ++b)
    memory[static_cast<std::size_t>(b)] = {Bit::Kind::source, false, b % 32, false};
  Uses uses;
  for (std::size_t n = 0; n < p.code.size(); ++n) {
    const Ins& i = p.code[n];
    const auto at = [&](u32 lane) {
      return (lane * static_cast<u32>(i.stride) + static_cast<u32>(i.first)) %
             static_cast<u32>(shared_bytes / i.width) * static_cast<u32>(i.width) * 8;
    };
    const u32 bits = static_cast<u32>(i.width) * 8;
    for (u32 lane = 0; lane < 32; ++lane) {
      if ((i.mask >> lane & 1) == 0 && i.kind != Ins::Kind::choose) continue;
      Word &d = r[lane][static_cast<std::size_t>(i.d)], a = r[lane][static_cast<std::size_t>(i.a)];
      const auto defined = [](const Word& w) {
        return std::ranges::all_of(w, [](const Bit& b) { return b.kind == Bit::Kind::constant; });
      };
      switch (i.kind) {
        case Ins::Kind::fill:
          for (u32 b = 0; b < bits; ++b) memory[at(lane) + b] = {Bit::Kind::constant, (i.constant >> b & 1) != 0};
          break;
        case Ins::Kind::load:
          for (u32 b = 0; b < 32; ++b) d[b] = b < bits ? memory[at(lane) + b] : Bit{};
          break;
        case Ins::Kind::store:
          for (u32 b = 0; b < bits; ++b) memory[at(lane) + b] = a[b];
          break;
        case Ins::Kind::bits:
          for (u32 b = 0; b < 32; ++b) {
            const bool c = (i.constant >> b & 1) != 0;
            Bit x = a[b];
            if (i.op == "shl.b32") x = b >= i.constant ? a[b - i.constant] : Bit{};
            if (i.op == "shr.u32") x = b + i.constant < 32 ? a[b + i.constant] : Bit{};
            if (i.op == "and.b32" && !c) x = Bit{};
            if (i.op == "or.b32" && c) x = Bit{Bit::Kind::constant, true};
            if (i.op == "xor.b32" && c) x.value = !x.value, x.inverted = !x.inverted;
            d[b] = x;
          }
          break;
        case Ins::Kind::add: {
          const bool known = defined(a);
          u32 value = 0;
          for (u32 b = 0; b < 32; ++b) value |= u32{a[b].value} << b;
          value *= i.constant;
          for (u32 b = 0; b < 32; ++b)
            d[b] = known ? Bit{Bit::Kind::constant, (value >> b & 1) != 0} : Bit{Bit::Kind::computed};
          break;
        }
        case Ins::Kind::choose:
          if ((i.constant >> lane & 1) == 0) d = a;
          break;
        case Ins::Kind::branch:
          if (!defined(a)) uses.insert({static_cast<int>(n), Use::branch});
          break;
        case Ins::Kind::out: {
          if (defined(a)) break;
          bool computed = false;
          for (u32 b = 0; b < 32; ++b) {
            if (a[b].kind == Bit::Kind::constant) continue;
            computed =
                computed || a[b].kind == Bit::Kind::computed || a[b].inverted || a[b].place != static_cast<int>(b);
          }
          const bool begins =
              std::all_of(a.begin(), a.begin() + 8, [](const Bit& b) { return b.kind == Bit::Kind::constant; });
          if (computed)
            uses.insert({static_cast<int>(n), Use::computed});
          else if (!begins)
            uses.insert({static_cast<int>(n), Use::copied});
          break;
        }
      }
    }
  }
  return uses;
}

struct Outcome {
  Uses uses;
  std::vector<Read> reads;
  bool suspected = false;
};

void run(const Program& p, Outcome& out) {
  const std::string text = p.ptx();
  auto module = ptx::parse(text, "test.ptx");
  ASSERT_TRUE(module) << text;
  trace::Launch launch;
  launch.kernel = "k";
  launch.block = {32, 1, 1};
  launch.arguments.emplace_back(trace::BufferArgument{0, 0});
  std::vector<trace::Buffer> buffers{{"q", "u32", 32, std::vector<std::byte>(16 * 128), true}};
  const auto code = emulator::code_sites(*module, *module->find_entry("k"), "");
  const std::vector<Area> areas{{emulator::place_buffers(buffers)[0], buffers[0].bytes.size()}};
  std::vector<trace::Buffer> plain = buffers;
  Loads loads(areas, nullptr);
  ASSERT_TRUE(emulator::run(*module, launch, plain, {.observers = {&loads}}));
  out.suspected = loads.any();
  trace::TagPool pool;
  emulator::Unwritten unwritten;
  Reads reads(pool, areas);
  const auto result =
      emulator::run(*module, launch, buffers, {.tags = &pool, .unwritten = &unwritten, .observers = {&reads}});
  ASSERT_TRUE(result) << text;
  ASSERT_TRUE(result->faults.empty()) << result->faults.front().message << "\n" << text;
  ASSERT_EQ(plain[0].bytes, buffers[0].bytes);
  // Instructions of the program by pc: the global stores, and the guarded additions after a branch, in order.
  std::vector<int> of(code.size(), -1);
  std::size_t pc = 0;
  for (std::size_t n = 0; n < p.code.size(); ++n) {
    const char* what = p.code[n].kind == Ins::Kind::out      ? "st.global"
                       : p.code[n].kind == Ins::Kind::branch ? "@%p1 add"
                                                             : "";
    if (*what == 0) continue;
    while (code.at(pc).text.find(what) == std::string::npos) ++pc;
    of[pc++] = static_cast<int>(n);
  }
  out.reads = reads.reads();
  for (const Read& r : out.reads) {
    EXPECT_NE(code[r.load.pc].text.find("ld.shared"), std::string::npos) << code[r.load.pc].text;
    EXPECT_LT(r.byte, std::uint64_t{shared_bytes});
    out.uses.insert({of[r.user.pc], r.use});
  }
}

TEST(UninitialisedReads, AreTheUsesOfBitsThatNobodyHasWritten) {
  std::mt19937_64 random(4711);
  int clean = 0, wrong = 0, copied = 0, branches = 0;
  const int rounds = test_rounds(1'000);
  for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i) {
    const Program p = random_program(random);
    SCOPED_TRACE(i);
    Outcome got;
    run(p, got);
    const Uses expected = oracle(p);
    EXPECT_EQ(got.uses, expected) << p.ptx();
    if (!expected.empty()) {
      EXPECT_TRUE(got.suspected) << p.ptx();
    }
    ++(expected.empty() ? clean : wrong);
    for (const auto& [n, use] : expected) copied += use == Use::copied, branches += use == Use::branch;
  }
  EXPECT_GT(clean, rounds / 8);
  EXPECT_GT(wrong, rounds / 8);
  EXPECT_GT(copied, rounds / 40);
  EXPECT_GT(branches, rounds / 40);
}

/// Causes reported after a run of this code: the instruction, and whether it is a shuffle from an absent lane.
std::set<std::pair<std::string, bool>> after(const std::string& body) {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0)\n{\n.reg .pred %p<3>;\n.reg "
      ".b32 %r<9>, %lane;\n.reg .b64 %rd<3>;\n.shared .align 16 .b8 s[256];\nld.param.u64 %rd0, [p0];\nmov.u32 %lane, "
      "%laneid;\nmul.wide.u32 %rd1, %lane, 4;\nadd.u64 %rd1, %rd1, %rd0;\nmov.u32 %r8, 0;\n" +
      body + "ret;\n}\n";
  auto module = ptx::parse(text, "test.ptx");
  if (!module) return {{text, false}};
  trace::Launch launch;
  launch.kernel = "k";
  launch.block = {32, 1, 1};
  launch.arguments.emplace_back(trace::BufferArgument{0, 0});
  std::vector<trace::Buffer> buffers{{"q", "u32", 32, std::vector<std::byte>(128), true}};
  const auto code = emulator::code_sites(*module, *module->find_entry("k"), "");
  trace::TagPool pool;
  emulator::Unwritten unwritten;
  Reads reads(pool, {{emulator::place_buffers(buffers)[0], buffers[0].bytes.size()}});
  const auto result =
      emulator::run(*module, launch, buffers, {.tags = &pool, .unwritten = &unwritten, .observers = {&reads}});
  std::set<std::pair<std::string, bool>> found;
  if (!result || !result->faults.empty()) return {{"fault", false}};
  for (const Read& r : reads.reads()) found.insert({code[r.load.pc].text, r.from_lane >= 0});
  return found;
}

// A value has all its causes reported: none of them hides another, in any order.
TEST(UninitialisedReads, TellEveryCauseOfAValue) {
  const std::string one = "ld.shared.u32 %r1, [1024];", two = "ld.shared.u32 %r2, [1028];",
                    shuffle = "@%p1 shfl.sync.bfly.b32 %r3, %r8, 1, 31, 2863311530;";
  const std::string odd = "and.b32 %r4, %lane, 1;\nsetp.eq.u32 %p1, %r4, 1;\n",
                    out = "@%p1 st.global.u32 [%rd1], %r5;\n";
  using Found = std::set<std::pair<std::string, bool>>;
  EXPECT_EQ(after(odd + one + "\n" + two + "\nadd.u32 %r5, %r1, %r2;\n" + out), (Found{{one, false}, {two, false}}));
  for (const bool shuffle_first : {true, false}) {
    const std::string both = shuffle_first ? shuffle + "\n" + one + "\n" : one + "\n" + shuffle + "\n";
    EXPECT_EQ(after(odd + both + "add.u32 %r5, %r1, %r3;\n" + out), (Found{{one, false}, {shuffle, true}}));
    EXPECT_EQ(after(odd + both + "mov.u32 %r5, %r3;\n" + out), (Found{{shuffle, true}}));
    EXPECT_EQ(after(odd + both + "mov.u32 %r5, %r1;\n" + out), (Found{{one, false}}));
    EXPECT_EQ(after(odd + both + "mov.u32 %r5, %r8;\n" + out), Found{});
  }
}

}  // namespace
}  // namespace lanescope::uninitialised
