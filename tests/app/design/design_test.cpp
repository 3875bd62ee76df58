// A layout design as a value: edits, steps, its file, costs and presets. Laws where there are some, hand-made cases else.

#include "app/design/design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "app/design/costs.h"
#include "app/design/presets.h"
#include "app/design/sheet.h"
#include "app/design/study.h"
#include "kernels/layout/affine_map.h"

namespace lanescope::design {
namespace {

using layout::PhysicalBit;
using layout::Place;

constexpr const char* notes_from = "simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1";
constexpr const char* notes_to = "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1";

Design notes() {
  return {
      .name = "transpose", .type = "f16", .from = notes_from, .to = notes_to, .steps = {}, .memory = {}, .shared = {}};
}

Exchange exchange(const char* text) { return *parse_exchange(text); }

/// Some bits in some places, and the same bits in another order.
Design random_design(std::mt19937& random) {
  std::vector<std::string> names;
  const int simd = static_cast<int>(random() % 3), registers = static_cast<int>(random() % 4),
            warps = static_cast<int>(random() % 3);
  for (int n = 0; n < simd + registers + 5 + warps; ++n) names.push_back((n % 2 ? "i" : "j") + std::to_string(n / 2));
  const auto text = [&] {
    std::ranges::shuffle(names, random);
    std::size_t at = 0;
    const auto row = [&](const char* name, int count) {
      std::string out = std::string(name) + ":";
      for (int n = 0; n < count; ++n) out += " " + names[at++];
      return count == 0 ? out + " -" : out;
    };
    return row("simd", simd) + "; " + row("register", registers) + "; " + row("thread", 5) + "; " + row("warp", warps);
  };
  Design d;
  d.type = simd == 0 ? "f32" : simd == 1 ? "f16" : "u8";
  d.from = text();
  d.to = text();
  return d;
}

TEST(Exchanges, PrintAndParseAreInverse) {
  for (const char* text : {"r0 <-> t2", "s0 <-> r1", "w1 <-> b0"}) EXPECT_EQ(to_string(exchange(text)), text);
  EXPECT_EQ(exchange("t2<->r0"), (Exchange{{Place::thread, 2}, {Place::reg, 0}}));
  for (const char* bad : {"", "r0", "r0 <->", "x0 <-> r1", "r <-> t1", "r0 t2", "r-1 <-> t0", "r0 <-> t0 t1"})
    EXPECT_FALSE(parse_exchange(bad)) << bad;
}

TEST(Sheets, TheStepsOfTheNotesAreTheirOwn) {
  const Sheet s = sheet_of(notes());
  ASSERT_TRUE(s.complete());
  ASSERT_EQ(s.steps.size(), 2u);
  EXPECT_EQ(to_string(*s.steps[0].exchange), "s0 <-> r1");
  EXPECT_EQ(held_by(s.steps[0].before, *s.steps[0].exchange), "k0 <-> j3");
  EXPECT_EQ(kind_of(*s.steps[0].exchange), "inside each lane");
  EXPECT_EQ(to_string(*s.steps[1].exchange), "r0 <-> t2");
  EXPECT_EQ(kind_of(*s.steps[1].exchange), "between lanes");
}

/// For every design the steps begin at the source, end at the destination, and each begins where the last one ended.
TEST(Sheets, StepsLeadFromTheSourceToTheDestination) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 300; ++trial) {
    Design d = random_design(random);
    Sheet s = sheet_of(d);
    ASSERT_TRUE(s.complete()) << d.from << " | " << d.to;
    for (int edit = 0; edit < 4; ++edit) {
      layout::Assignment at = *s.from.assignment;
      for (const Step& step : s.steps) {
        ASSERT_EQ(step.before, at);
        ASSERT_EQ(*exchanged(step.before, *step.exchange), step.after);
        at = step.after;
      }
      ASSERT_EQ(at, *s.to.assignment);
      const auto some_bit = [&] {
        for (;;) {
          const auto place = static_cast<Place>(random() % 4);
          if (const int count = s.to.assignment->bits(place); count > 0)
            return PhysicalBit{place, static_cast<int>(random() % static_cast<unsigned>(count))};
        }
      };
      const Exchange e{some_bit(), some_bit()};
      const std::size_t count = s.steps.size();
      const auto edited = edit == 2 && count > 0   ? without_step(s, random() % count)
                          : edit == 3 && count > 1 ? with_step_moved(s, 0, true)
                                                   : exchange_bits(s, End::to, e);
      if (!edited) {
        EXPECT_EQ(e.a, e.b) << edited.error().front().message;
        continue;
      }
      s = sheet_of(edited->design);
    }
  }
}

TEST(Sheets, TheSameExchangeTwiceIsNone) {
  const Sheet s = sheet_of(
      {.name = "c", .type = "f16", .from = notes_from, .to = notes_from, .steps = {}, .memory = {}, .shared = {}});
  const auto once = exchange_bits(s, End::to, exchange("r0 <-> t2"));
  ASSERT_TRUE(once);
  EXPECT_EQ(once->name, "exchange of j2 <-> k3");
  EXPECT_EQ(once->design.steps.size(), 1u);
  const auto twice = exchange_bits(sheet_of(once->design), End::to, exchange("t2 <-> r0"));
  ASSERT_TRUE(twice);
  EXPECT_TRUE(twice->design.steps.empty());
  EXPECT_EQ(*sheet_of(twice->design).to.assignment, *s.from.assignment);
}

TEST(Sheets, DeletingAStepLeavesTheOthers) {
  const Sheet s = sheet_of(notes());
  const auto d = without_step(s, 0);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->design.to, "simd: k0; register: j3 k3; thread: j1 j0 j2 k2 k1");
  EXPECT_FALSE(without_step(s, 2));
  EXPECT_FALSE(with_step_moved(s, 1, true));
  EXPECT_FALSE(with_step_moved(s, 0, false));
  // These two share no bit, so that their order does not matter.
  EXPECT_EQ(sheet_of(with_step_moved(s, 0, true)->design).to.assignment, s.to.assignment);
}

TEST(Sheets, SumsAreOneStepThatStaysFirst) {
  Design d = notes();
  d.to = "simd: k0; register: j3 j2; thread: j1 j0 k3+j2 k2 k1";
  const Sheet s = sheet_of(d);
  ASSERT_EQ(s.steps.size(), 1u);
  EXPECT_FALSE(s.steps[0].exchange);
  EXPECT_FALSE(without_step(s, 0));
  const auto more = exchange_bits(s, End::to, exchange("r0 <-> r1"));
  ASSERT_TRUE(more);
  const Sheet after = sheet_of(more->design);
  ASSERT_EQ(after.steps.size(), 2u);
  EXPECT_FALSE(after.steps[0].exchange);
  EXPECT_TRUE(with_step_moved(after, 1, false).error().front().message.find("no exchange") != std::string::npos);
}

TEST(Sheets, MistakesAreSaidInTheirOwnPlace) {
  Design d = notes();
  d.to = "simd: j3; register: k0 k3+; thread: j1";
  d.type = "f17";
  d.name = "2x";
  const Sheet s = sheet_of(d);
  EXPECT_FALSE(s.complete());
  EXPECT_TRUE(s.from.assignment);
  ASSERT_FALSE(s.to.wrong.empty());
  EXPECT_GT(s.to.wrong.front().column, 10);
  EXPECT_EQ(s.wrong_type.size(), 1u);
  EXPECT_EQ(s.wrong_name.size(), 1u);
  EXPECT_FALSE(study_of(s).wrong.empty());
  EXPECT_EQ(header_of(study_of(s), 0), "");
}

TEST(Files, AreReadAndWrittenWithoutLoss) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 100; ++trial) {
    Design d = random_design(random);
    if (trial % 2 == 0) d = exchange_bits(sheet_of(d), End::to, exchange("t0 <-> t3"))->design;
    if (trial % 3 == 0) d.memory = {"j", "i"};
    if (trial % 5 == 0)
      d.shared = {.kind = SharedForm::Kind::swizzle, .row_words = 64, .padding_words = 1, .unit_words = 4};
    if (trial % 7 == 0)
      d.shared = {.kind = SharedForm::Kind::padding, .row_words = 33, .padding_words = 2, .unit_words = 1};
    if (trial % 11 == 0) d.from += " \\ \"quoted\"\t\n\x01 ä";
    const auto read = read_designs(text_of(d));
    ASSERT_TRUE(read) << text_of(d);
    ASSERT_EQ(read->size(), 1u);
    EXPECT_EQ(read->front(), d) << text_of(d);
    // Any other design into the same text, and back.
    const Design other = random_design(random);
    EXPECT_EQ(read_designs(with_design(text_of(d), 0, other))->front(), other);
    EXPECT_EQ(with_design(text_of(d), 0, d), text_of(d));
  }
}

/// Other contents of a file are the user's, and stay.
TEST(Files, KeepWhatTheyDoNotKnow) {
  const std::string text =
      "# mine\n\n[[plan]]  # first\nname = 'a'\ntype = \"f16\"\nfrom = \"\"\"\nsimd: k0\nregister: j3 j2  \nthread: j1 "
      "j0 k3 k2 k1\"\"\"\n"
      "to = \"simd: j3; register: k0 j2\" # trailing\ntarget = \"sm_90\"\n\n[[plan]]\n# steps: r0 <-> t1\nname = "
      "\"b\"\ntype = \"u8\"\n"
      "from = \"register: i1 i0\"\nto = \"register: i0 i1\"\n";
  const auto read = read_designs(text, "x.toml");
  ASSERT_TRUE(read) << to_string(read.error().front());
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].name, "a");
  EXPECT_TRUE((*read)[0].steps.empty());
  EXPECT_EQ((*read)[1].steps.size(), 1u);
  Design d = (*read)[0];
  d.to = "simd: j2";
  d.steps = {exchange("s0 <-> r0")};
  const std::string changed = with_design(text, 0, d);
  for (const char* kept : {"# mine", "# first", "# trailing", "target = \"sm_90\"", "name = 'a'", "register: j3 j2  \n",
                           "# steps: r0 <-> t1\nname = \"b\""})
    EXPECT_NE(changed.find(kept), std::string::npos) << kept << "\n" << changed;
  EXPECT_EQ((*read_designs(changed))[0], d) << changed;
  EXPECT_EQ((*read_designs(changed))[1], (*read)[1]);
  EXPECT_EQ(with_design(changed, 0, (*read)[0]), [&] {
    std::string back = text;
    return back;
  }());
}

TEST(Files, MistakesHaveAPlace) {
  const auto expect = [](const char* text, int line, const char* words) {
    const auto read = read_designs(text, "d.layout");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().front().line, line) << to_string(read.error().front());
    EXPECT_NE(read.error().front().message.find(words), std::string::npos) << to_string(read.error().front());
  };
  expect("name = \n", 1, "");
  expect("type = \"f16\"\nfrom = 3\nto = \"\"", 2, "string");
  expect("plan = 3", 1, "list");
  expect("plan = [3]", 1, "table");
  expect("plan = []", 1, "no layout design");
  const auto none = read_designs("", "d.layout");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().front().message.find("from"), std::string::npos);
}

// --- costs -----------------------------------------------------------------------------------------------------------

layout::Assignment assignment(const char* text) { return *layout::parse(text); }

TEST(Costs, CoalescedVectorsUseEverySector) {
  for (const char* type : {"u8", "f16", "f32", "f64"}) {
    for (const int width : {4, 8, 16}) {
      const auto a = coalesced({.elements = 4096, .type = type, .threads = 128}, width);
      if (*bits_of(type) > width * 8) {
        EXPECT_FALSE(a) << type << " " << width;
        continue;
      }
      ASSERT_TRUE(a) << type << " " << a.error().front().message;
      const MemoryCost c = global_cost(*a, *bits_of(type), memory_order(*a, {}), trace::AccessKind::load);
      EXPECT_EQ(c.problem, "");
      EXPECT_EQ(c.width_bytes, width) << type << " " << layout::print_line(*a);
      EXPECT_EQ(c.sum.sectors, c.sum.ideal_sectors);
      EXPECT_EQ(c.sum.bytes_wanted, c.sum.bytes_moved);
      EXPECT_EQ(c.sum.requests * static_cast<std::uint64_t>(c.width_bytes) * 32, c.sum.bytes_moved);
      // Every element is somewhere, once.
      EXPECT_EQ(layout::rank(layout::to_map(*a)->map), 12);
    }
  }
}

/// A column for each lane: a sector for each element.
TEST(Costs, ColumnsAreASectorEach) {
  const auto a = assignment("simd: -; register: -; thread: i4 i3 i2 i1 i0; warp: j4 j3 j2 j1 j0");
  const MemoryCost c = global_cost(a, 32, memory_order(a, {}), trace::AccessKind::load);
  EXPECT_EQ(c.sum.requests, 1u);
  EXPECT_EQ(c.width_bytes, 4);
  EXPECT_EQ(c.sum.sectors, 32u);
  EXPECT_EQ(c.sum.bytes_wanted * 8, c.sum.bytes_moved);
  const MemoryCost other = global_cost(a, 32, memory_order(a, {"j", "i"}), trace::AccessKind::load);
  EXPECT_EQ(other.sum.sectors, 4u);
  EXPECT_EQ(words(other), "1 load of 4 bytes: 4 sectors, 100 % used");
}

TEST(Costs, PaddingAndSwizzleSpreadAColumn) {
  const auto a = assignment("simd: -; register: -; thread: i4 i3 i2 i1 i0; warp: j4 j3 j2 j1 j0");
  const MemoryOrder order = memory_order(a, {});
  const auto cost = [&](SharedForm form) { return shared_cost(a, 32, order, form, trace::AccessKind::load).sum; };
  EXPECT_EQ(cost({}).wavefronts, 32u);
  EXPECT_EQ(cost({}).ideal_wavefronts, 1u);
  EXPECT_EQ(cost({.kind = SharedForm::Kind::padding, .row_words = 32, .padding_words = 1, .unit_words = 1}).wavefronts,
            1u);
  EXPECT_EQ(cost({.kind = SharedForm::Kind::swizzle, .row_words = 32, .padding_words = 1, .unit_words = 1}).wavefronts,
            1u);
  const auto wide = assignment("simd: -; register: j1 j0; thread: i4 i3 i2 i1 i0");
  const MemoryCost bad =
      shared_cost(wide, 32, memory_order(wide, {}),
                  {.kind = SharedForm::Kind::padding, .row_words = 32, .padding_words = 1, .unit_words = 1},
                  trace::AccessKind::load);
  EXPECT_NE(bad.problem, "") << "16 bytes after a padding of 4 are misaligned";
}

TEST(Costs, WhatHasNoAddressesSaysWhy) {
  const auto shared_byte = assignment("simd: i4 i3 i2 i1 i0; register: -; thread: j4 j3 j2 j1 j0");
  EXPECT_EQ(global_cost(shared_byte, 1, memory_order(shared_byte, {"i", "j"}), trace::AccessKind::load).problem,
            "a byte holds elements of several threads");
  const auto twice = assignment("register: i0; thread: j3 j2 j1 j0 i0");
  EXPECT_NE(global_cost(twice, 32, memory_order(twice, {}), trace::AccessKind::load).problem, "");
}

// --- presets ---------------------------------------------------------------------------------------------------------

TEST(Presets, FragmentsAreWhatTheInstructionSetStates) {
  const auto element = [](std::string_view name, int lane, int reg, int part) {
    const auto at = std::ranges::find(fragments(), name, &Preset::name);
    const auto map = layout::to_map(*layout::parse(std::string(at->text)));
    std::uint64_t place = static_cast<std::uint64_t>(part) |
                          static_cast<std::uint64_t>(reg) << map->shape.offset(Place::reg) |
                          static_cast<std::uint64_t>(lane & 31) << map->shape.offset(Place::thread);
    if (lane > 31) place |= static_cast<std::uint64_t>(lane / 32) << map->shape.offset(Place::warp);
    const std::uint64_t logical = map->map(place);
    std::map<std::string, int> out;
    for (std::size_t n = 0; n < map->names.size(); ++n) {
      const auto l = layout::split_name(map->names[n]);
      out[l.axis] += static_cast<int>(logical >> n & 1) << l.bit;
    }
    return out;
  };
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane / 4, in_group = lane % 4;
    for (int i = 0; i < 8; ++i) {  // PTX ISA: a0..a7 of .f16
      auto e = element("A of mma.m16n8k16", lane, i / 2, i % 2);
      EXPECT_EQ(e["i"], group + ((i / 2) % 2 == 1 ? 8 : 0));
      EXPECT_EQ(e["k"], in_group * 2 + (i & 1) + (i >= 4 ? 8 : 0));
    }
    for (int i = 0; i < 4; ++i) {
      auto b = element("B of mma.m16n8k16", lane, i / 2, i % 2);
      EXPECT_EQ(b["k"], in_group * 2 + (i & 1) + (i >= 2 ? 8 : 0));
      EXPECT_EQ(b["j"], group);
      auto c = element("C of mma.m16n8k16, f32", lane, i, 0);
      EXPECT_EQ(c["i"], group + (i >= 2 ? 8 : 0));
      EXPECT_EQ(c["j"], in_group * 2 + (i & 1));
      auto a8 = element("A of mma.m16n8k8", lane, i / 2, i % 2);
      EXPECT_EQ(a8["i"], group + (i >= 2 ? 8 : 0));
      EXPECT_EQ(a8["k"], in_group * 2 + (i & 1));
      auto t = element("A of mma.m16n8k8, tf32", lane, i, 0);
      EXPECT_EQ(t["i"], group + (i % 2 == 1 ? 8 : 0));
      EXPECT_EQ(t["k"], in_group + (i >= 2 ? 4 : 0));
    }
  }
  for (int lane = 0; lane < 128; ++lane) {
    for (int i = 0; i < 32; ++i) {  // d0.. of wgmma.m64n64
      auto d = element("accumulator of wgmma.m64n64, f32", lane, i, 0);
      EXPECT_EQ(d["i"], lane / 32 * 16 + lane % 32 / 4 + (i / 2 % 2) * 8);
      EXPECT_EQ(d["j"], i / 4 * 8 + lane % 4 * 2 + i % 2);
    }
  }
}

TEST(Presets, EveryOneCanBePlannedToItself) {
  for (const Preset& p : fragments()) {
    const Sheet s = sheet_of({.name = "c",
                              .type = std::string(p.type),
                              .from = std::string(p.text),
                              .to = std::string(p.text),
                              .steps = {},
                              .memory = {},
                              .shared = {}});
    ASSERT_TRUE(s.complete()) << p.name;
    const Study study = study_of(s);
    ASSERT_TRUE(study.planned) << p.name << ": " << study.wrong.front().message;
    EXPECT_EQ(study.planned->plans[static_cast<std::size_t>(study.recommended())].counts.all(), 0) << p.name;
  }
  for (const Chain& c : chains()) {
    const Sheet s = sheet_of({.name = "c",
                              .type = std::string(c.type),
                              .from = std::string(c.from),
                              .to = std::string(c.to),
                              .steps = {},
                              .memory = {},
                              .shared = {}});
    ASSERT_TRUE(s.complete()) << c.name;
    const Study study = study_of(s);
    ASSERT_TRUE(study.planned) << c.name << ": " << study.wrong.front().message;
    EXPECT_NE(header_of(study, study.recommended()), "") << c.name;
    ASSERT_EQ(study.steps.size(), s.steps.size());
    for (const StepCost& step : study.steps) EXPECT_TRUE(step.possible) << c.name << ": " << step.words;
    const auto states = states_of(study, study.recommended());
    EXPECT_EQ(states.front().assignment, study.planned->from);
    EXPECT_EQ(states.back().assignment, study.planned->to);
  }
}

TEST(Presets, BlockedLayoutsOfTriton) {
  const auto a =
      triton_blocked("sizePerThread=[1,4] threadsPerWarp=[8,4] warpsPerCTA=[2,1] order=[1,0] shape=[32,16]", 32);
  ASSERT_TRUE(a) << a.error().front().message;
  EXPECT_EQ(layout::print_line(*a), "simd: -; register: i4 j1 j0; thread: i2 i1 i0 j3 j2; warp: i3");
  const auto half = triton_blocked(
      "sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0], shape = [8, 8]", 16);
  ASSERT_TRUE(half);
  EXPECT_EQ(layout::print_line(*half), "simd: j0; register: j1; thread: i2 i1 i0 [unused] j2");
  for (const char* bad : {"sizePerThread=[]", "sizePerThread=[1,4] threadsPerWarp=[8,4]",
                          "sizePerThread=[1,3] threadsPerWarp=[8,4] warpsPerCTA=[1,1]",
                          "sizePerThread=[1,4] threadsPerWarp=[8,8] warpsPerCTA=[1,1]",
                          "sizePerThread=[1,4] threadsPerWarp=[8,4] warpsPerCTA=[1,1] order=[1,1]"})
    EXPECT_FALSE(triton_blocked(bad, 32)) << bad;
  EXPECT_FALSE(triton_blocked("sizePerThread=[1,1] threadsPerWarp=[8,4] warpsPerCTA=[1,1]", 16)) << "half a register";
}

/// CuTe's own definition as the oracle: a coordinate's index is the sum of its digits times the strides, then swizzled.
TEST(Presets, LayoutsOfCute) {
  const auto check = [](const char* text, int bits, const std::function<std::uint64_t(int thread, int value)>& index) {
    const auto a = cute_layout(text, bits);
    ASSERT_TRUE(a) << text << ": " << a.error().front().message;
    const auto map = layout::to_map(*a);
    ASSERT_TRUE(map) << layout::print_line(*a);
    const int locals = map->shape.bits[0] + map->shape.bits[1];
    for (std::uint64_t place = 0; place < std::uint64_t{1} << map->shape.total(); ++place) {
      std::uint64_t at = 0;
      const std::uint64_t logical = map->map(place);
      for (std::size_t n = 0; n < map->names.size(); ++n)
        if (logical >> n & 1) at |= std::uint64_t{1} << layout::split_name(map->names[n]).bit;
      ASSERT_EQ(at, index(static_cast<int>(place >> locals), static_cast<int>(place & ((1u << locals) - 1))))
          << text << " at " << place;
    }
  };
  check("((4,8),(2,2)):((32,1),(16,8))", 32,
        [](int t, int v) { return static_cast<std::uint64_t>(t % 4 * 32 + t / 4 + v % 2 * 16 + v / 2 * 8); });
  check("((_4,_8),(_2,_2)):((_32,_1),(_16,_8))", 16,
        [](int t, int v) { return static_cast<std::uint64_t>(t % 4 * 32 + t / 4 + v % 2 * 16 + v / 2 * 8); });
  check("Swizzle<2,0,3> o (32,8):(8,1)", 32, [](int t, int v) {
    const auto x = static_cast<std::uint64_t>(t * 8 + v);
    return x ^ (x >> 3 & 3);
  });
  for (const char* bad : {"(32,4):(4,1", "(32,3):(4,1)", "(32,4):(1,1)", "(32,4):(3,1)", "32:1", "(8,4):(4,1)",
                          "Swizzle<x,0,3> o (32,8):(8,1)", "((4,8),2):(1,2)"})
    EXPECT_FALSE(cute_layout(bad, 32)) << bad;
}

TEST(Presets, AmountsThatMakeNoLayoutAreRefused) {
  EXPECT_TRUE(coalesced({.elements = 256, .type = "f16", .threads = 32}));
  EXPECT_EQ(layout::print_line(*coalesced({.elements = 256, .type = "f16", .threads = 32})),
            "simd: i0; register: i2 i1; thread: i7 i6 i5 i4 i3");
  EXPECT_EQ(layout::print_line(*coalesced({.elements = 64, .type = "f16", .threads = 32})),
            "simd: i0; register: -; thread: i5 i4 i3 i2 i1");
  EXPECT_FALSE(coalesced({.elements = 100, .type = "f16", .threads = 32}));
  EXPECT_FALSE(coalesced({.elements = 16, .type = "f16", .threads = 32}));
  EXPECT_FALSE(coalesced({.elements = 32, .type = "f16", .threads = 32})) << "half a register";
  EXPECT_FALSE(coalesced({.elements = 256, .type = "f17", .threads = 32}));
  EXPECT_FALSE(coalesced({.elements = 256, .type = "f16", .threads = 16}));
  EXPECT_FALSE(coalesced({.elements = 1u << 20, .type = "f16", .threads = 1024}));
}

// --- plans -----------------------------------------------------------------------------------------------------------

TEST(Studies, TheMatrixIsThePlaceMap) {
  const Study study = study_of(sheet_of(notes()));
  ASSERT_TRUE(study.planned);
  const Matrix m = matrix_of(*study.planned);
  ASSERT_EQ(m.rows.size(), 8u);
  int ones = 0;
  for (const auto& row : m.ones) ones += static_cast<int>(std::ranges::count(row, true));
  EXPECT_EQ(ones, 8) << "a permutation";
  const auto at = [&](const char* row, const char* column) {
    return m.ones[static_cast<std::size_t>(std::ranges::find(m.rows, row) - m.rows.begin())]
                 [static_cast<std::size_t>(std::ranges::find(m.columns, column) - m.columns.begin())];
  };
  EXPECT_TRUE(at("s0", "r1"));
  EXPECT_TRUE(at("r0", "t2"));
  EXPECT_TRUE(at("t4", "t4"));
}

TEST(Studies, DifferencesRebuildBothTexts) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::string a, b;
    for (int n = 0; n < 12; ++n) {
      const std::string line = std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
      if (random() % 3) a += line;
      if (random() % 3) b += line;
    }
    std::string before, after;
    for (const DiffLine& line : difference(a, b)) {
      if (line.kind != DiffLine::Kind::added) before += line.text + "\n";
      if (line.kind != DiffLine::Kind::removed) after += line.text + "\n";
    }
    EXPECT_EQ(before, a);
    EXPECT_EQ(after, b);
  }
}

}  // namespace
}  // namespace lanescope::design
