// Journeys of elements. They are compared with independent sources: the moments of the run, read place by
// place at every step, the events of the trace, and the contents of buffers after the launches.

#include "results/journey.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "app/engine/wire/messages.h"
#include "tests/app/engine/support.h"
#include "tests/catalogue_files.h"

namespace lanescope::engine {
namespace {

using results::Hop;
using results::Journey;
using results::JourneyPlace;
using results::Station;
using results::Summary;

std::string kernel_path(const std::string& name) {
  return std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/" + name;
}

RunRequest journey_request(const std::string& name) {
  RunRequest request;
  request.file = kernel_path(name), request.text = test::text_of(request.file);
  return request;
}

int buffer_named(const Summary& s, const std::string& name) {
  for (std::size_t i = 0; i < s.buffers.size(); ++i)
    if (s.buffers[i].name == name) return static_cast<int>(i);
  ADD_FAILURE() << "no buffer " << name;
  return -1;
}

/// A run, and what all its steps show: every register of every family, and shared memory.
class Recorded {
 public:
  explicit Recorded(const RunRequest& request) { session.run(request); }
  const Summary& summary() const { return session.summary(); }

  results::Moment moment(std::int64_t step) const {
    MomentRequest m{.step = step, .families = {}};
    for (std::size_t f = 0; f < summary().families.size(); ++f) m.families.push_back(static_cast<int>(f));
    m.warp_count = 64;
    return session.moment(m);
  }
  /// Of what one station is about.
  results::Moment moment(std::int64_t step, const Station& s) const {
    MomentRequest m{.step = step, .families = {}};
    m.warp_count = 1;
    if (s.place.family >= 0) m.families = {s.place.family}, m.first_warp = s.place.warp;
    return session.moment(m);
  }
  Journey journey(int buffer, std::uint64_t element) const {
    results::Journeys all = session.journeys({.elements = {{buffer, element}}});
    EXPECT_EQ(all.all.size(), 1u);
    return all.all.empty() ? Journey{} : all.all.front();
  }
  Session session;
};

const results::RegisterGrid* grid_of(const results::Moment& m, int family) {
  for (const results::RegisterGrid& g : m.grids)
    if (g.family == family) return &g;
  return nullptr;
}

bool is_exactly(const results::Cell& c, const Journey& j) {
  return c.defined && c.kind == static_cast<std::uint8_t>(trace::ElementTag::Kind::exact) && c.buffer == j.buffer &&
         c.element == j.element;
}

/// The place holds the element in this moment, as far as the moment shows elements of this size there.
bool holds(const results::Moment& m, const Journey& j, const Station& s) {
  if (s.place.kind == JourneyPlace::Kind::register_) {
    const results::RegisterGrid* g = grid_of(m, s.place.family);
    if (g == nullptr) return false;
    if (g->element_bits != j.element_bits) return true;
    const results::Cell& c = g->at(s.place.warp - g->first_warp, s.place.reg, s.place.part, s.place.lane);
    return s.exact ? is_exactly(c, j) : c.defined && c.kind != 0 && !is_exactly(c, j);
  }
  if (s.place.kind == JourneyPlace::Kind::shared && s.exact && s.place.byte % 4 == 0) {
    const auto word = static_cast<std::size_t>(s.place.byte / 4);
    return word < m.shared_cells.size() && is_exactly(m.shared_cells[word], j);
  }
  return true;
}

/// Laws of every journey, against the moments of the run.
void expect_laws(const Recorded& run, const Journey& j, const std::string& where) {
  ASSERT_EQ(j.refused, "") << where;
  const auto last = static_cast<std::int64_t>(run.summary().steps) - 1;
  for (std::size_t i = 0; i < j.stations.size(); ++i) {
    const Station& s = j.stations[i];
    const std::string at = fmt::format("{}: station {} ({} step {})", where, i, s.place.name, s.step);
    ASSERT_LT(s.from, static_cast<std::int32_t>(i)) << at;
    ASSERT_LE(s.step, last) << at;
    EXPECT_TRUE(holds(run.moment(s.step, s), j, s)) << at;
    if (s.until >= 0) {
      ASSERT_GT(s.until, s.step) << at;
      EXPECT_TRUE(holds(run.moment(s.until - 1, s), j, s)) << at << ", just before it is overwritten";
      if (s.exact && s.place.kind != JourneyPlace::Kind::buffer && s.place.kind != JourneyPlace::Kind::local) {
        const results::Moment m = run.moment(s.until, s);
        const bool comparable = s.place.kind == JourneyPlace::Kind::shared
                                    ? s.place.byte % 4 == 0
                                    : grid_of(m, s.place.family)->element_bits == j.element_bits;
        EXPECT_FALSE(comparable && holds(m, j, s)) << at << ", after it was overwritten at " << s.until;
      }
    } else {
      EXPECT_TRUE(holds(run.moment(last, s), j, s)) << at << ", at the end";
    }
    if (s.from < 0) continue;
    const Station& from = j.stations[static_cast<std::size_t>(s.from)];
    EXPECT_LE(from.step, s.step) << at;
    // A variable shows its value at its probe, which may come after the instruction that takes the value on.
    std::int64_t before = from.place.kind == JourneyPlace::Kind::register_ ? -1 : from.step;
    int lane = from.place.lane;
    for (const Hop& h : s.hops) {
      EXPECT_GE(h.step, before) << at;
      EXPECT_LE(h.step, s.step) << at;
      before = h.step;
      const bool between_lanes = h.way == Hop::Way::shuffle || h.way == Hop::Way::product;
      EXPECT_TRUE(!between_lanes || h.from_lane == lane) << at << " " << h.from_lane << " " << lane;
      if (h.way == Hop::Way::load || h.way == Hop::Way::atomic || between_lanes) lane = h.lane;
    }
    const auto has = [&](Hop::Way way) {
      return std::ranges::any_of(s.hops, [&](const Hop& h) { return h.way == way; });
    };
    const bool followed = !has(Hop::Way::unfollowed);
    if (!followed) continue;
    // A step that accesses both places: memory is left by a load and reached by a store, a lane by a shuffle.
    EXPECT_TRUE(from.place.kind == JourneyPlace::Kind::register_ || has(Hop::Way::load) || has(Hop::Way::copy) ||
                has(Hop::Way::atomic))
        << at;
    if (s.place.kind == JourneyPlace::Kind::register_) {
      EXPECT_EQ(lane, s.place.lane) << at;
      EXPECT_TRUE(from.place.kind != JourneyPlace::Kind::register_ || from.place.warp == s.place.warp) << at;
    } else {
      EXPECT_TRUE(has(Hop::Way::store) || has(Hop::Way::copy) || has(Hop::Way::atomic)) << at;
    }
  }
}

/// Every place of registers that holds the element exactly after some step, by brute force: (family, warp, reg, part, lane).
using Stay = std::tuple<int, int, int, int, int, std::int64_t, std::int64_t>;  // ..., first step, step that ended it
std::vector<Stay> stays_by_force(const std::vector<results::Moment>& moments, const Journey& j) {
  std::vector<Stay> found;
  std::map<std::tuple<int, int, int, int, int>, std::int64_t> open;
  for (std::size_t n = 0; n <= moments.size(); ++n) {
    std::set<std::tuple<int, int, int, int, int>> here;
    if (n < moments.size())
      for (const results::RegisterGrid& g : moments[n].grids)
        for (int w = 0; w < g.warps; ++w)
          for (int r = 0; r < g.registers; ++r)
            for (int p = 0; p < g.parts; ++p)
              for (int l = 0; l < 32; ++l)
                if (is_exactly(g.at(w, r, p, l), j)) here.insert({g.family, w, r, p, l});
    const auto step = static_cast<std::int64_t>(n) - 1;
    for (auto it = open.begin(); it != open.end();) {
      if (here.contains(it->first)) {
        ++it;
        continue;
      }
      const auto& [f, w, r, p, l] = it->first;
      found.emplace_back(f, w, r, p, l, it->second, n == moments.size() ? -1 : step);
      it = open.erase(it);
    }
    for (const auto& place : here) open.try_emplace(place, step);
  }
  std::ranges::sort(found);
  return found;
}

std::vector<Stay> stays_of(const Journey& j) {
  std::vector<Stay> all;
  for (const Station& s : j.stations)
    if (s.exact && s.place.kind == JourneyPlace::Kind::register_)
      all.emplace_back(s.place.family, s.place.warp, s.place.reg, s.place.part, s.place.lane, s.step, s.until);
  std::ranges::sort(all);
  return all;
}

std::string words(const std::vector<Stay>& all) {
  std::string text;
  for (const auto& [f, w, r, p, l, from, to] : all)
    text += fmt::format("family {} warp {} reg {} part {} lane {}: {}..{}\n", f, w, r, p, l, from, to);
  return text;
}

// --- the first kernel ----------------------------------------------------------------------------------------------

class HalfTransposes : public ::testing::Test {
 protected:
  static const Recorded& recorded() {
    static const Recorded one(journey_request("half2_transposes.cu"));
    return one;
  }
};

TEST_F(HalfTransposes, AnElementPassesThroughBothTransposes) {
  const Summary& s = recorded().summary();
  ASSERT_TRUE(s.ok);
  const Journey j = recorded().journey(buffer_named(s, "p"), 17);
  std::string names;
  for (const std::int32_t at : results::path_to(j, results::end_of(j))) {
    const Station& x = j.stations[static_cast<std::size_t>(at)];
    names += x.place.kind == JourneyPlace::Kind::buffer
                 ? fmt::format("{}[{}] ", s.buffers[static_cast<std::size_t>(x.place.buffer)].name, x.place.element)
                 : fmt::format("{}.{}@{} ", x.place.name, x.place.part, x.place.lane);
  }
  // 17 = k 1, j 1: lane 8, the high half of x0; the local transpose exchanges s0 and r1, so that it is in y2's low half;
  // lane 8 has t2 = 0 and keeps y2. It is stored as element 2 * 8 + 128 of q.
  EXPECT_EQ(names, "p[17] x0.1@8 y2.0@8 q[144] ");
  // 8 = k 8: lane 4 of x0's low half; y0's low half; lane 4 has t2 = 1 and sends y0 to its partner, lane 0, into y1.
  const Journey k = recorded().journey(buffer_named(s, "p"), 8);
  names.clear();
  for (const std::int32_t at : results::path_to(k, results::end_of(k))) {
    const Station& x = k.stations[static_cast<std::size_t>(at)];
    names += x.place.kind == JourneyPlace::Kind::buffer
                 ? fmt::format("[{}] ", x.place.element)
                 : fmt::format("{}.{}@{} ", x.place.name, x.place.part, x.place.lane);
  }
  EXPECT_EQ(names, "[8] x0.0@4 y0.0@4 tmp.0@4 tmp.0@0 y1.0@0 [64] ");
  bool shuffled = false;
  for (const Station& x : k.stations)
    for (const Hop& h : x.hops) shuffled |= h.way == Hop::Way::shuffle && h.from_lane == 4 && h.lane == 0;
  EXPECT_TRUE(shuffled);
}

/// The element lies in the output where the launch has put its value: p holds the numbers 0, 1, 2, ..., some of which are
/// equal as f16, so that the position is compared by the identity that the next test checks, and the value here.
TEST_F(HalfTransposes, WhereItArrivesTheOutputHasItsValue) {
  const Summary& s = recorded().summary();
  const auto before = recorded().session.contents({.buffer = buffer_named(s, "p"), .first = 0, .count = 4096});
  const auto after = recorded().session.contents({.buffer = buffer_named(s, "q"), .first = 0, .count = 4096});
  std::mt19937 random(7);
  std::set<std::uint64_t> reached;
  std::vector<JourneyRequest::Element> asked;
  for (int n = 0; n < 60; ++n) asked.push_back({buffer_named(s, "p"), random() % 4096});
  std::ranges::sort(asked, {}, &JourneyRequest::Element::element);
  asked.erase(std::ranges::unique(asked).begin(), asked.end());
  const results::Journeys all = recorded().session.journeys({.elements = asked});
  for (const Journey& j : all.all) {
    ASSERT_EQ(j.arrivals.size(), 1u);
    const Station& end = j.stations[static_cast<std::size_t>(j.arrivals.front())];
    EXPECT_EQ(end.place.buffer, buffer_named(s, "q"));
    EXPECT_EQ(before.before[j.element], after.emulated[end.place.element]);
    EXPECT_TRUE(reached.insert(end.place.element).second) << "two elements in one place";
  }
}

TEST_F(HalfTransposes, PlacesAreThoseOfAScanOverAllMoments) {
  std::vector<results::Moment> moments;
  for (std::int64_t step = -1; step < static_cast<std::int64_t>(recorded().summary().steps); step += 1) {
    if (moments.size() > 700) break;
    moments.push_back(recorded().moment(step));
  }
  std::mt19937 random(1);
  for (int n = 0; n < 6; ++n) {
    const Journey j = recorded().journey(buffer_named(recorded().summary(), "p"), random() % 512);
    std::vector<Stay> reported = stays_of(j);
    const auto seen = static_cast<std::int64_t>(moments.size()) - 1;
    std::erase_if(reported, [&](const Stay& x) { return std::get<5>(x) >= seen; });
    for (Stay& x : reported)
      if (std::get<6>(x) >= seen) std::get<6>(x) = -1;
    EXPECT_EQ(words(reported), words(stays_by_force(moments, j))) << j.element;
  }
}

TEST_F(HalfTransposes, WhatIsNotThereIsRefused) {
  const int p = buffer_named(recorded().summary(), "p");
  EXPECT_EQ(recorded().journey(p, 4096).refused, "p has the elements 0 to 4095");
  EXPECT_EQ(recorded().journey(9, 0).refused, "there is no such buffer");
  std::vector<JourneyRequest::Element> many;
  for (std::uint64_t e = 0; e < 70; ++e) many.push_back({p, e});
  const results::Journeys all = recorded().session.journeys({.elements = many});
  ASSERT_EQ(all.all.size(), 70u);
  EXPECT_EQ(all.all[63].refused, "");
  EXPECT_EQ(all.all[64].refused, "64 elements are followed at most");
}

TEST_F(HalfTransposes, CrossesThePipeUnchangedAndIsCheckedThere) {
  const int p = buffer_named(recorded().summary(), "p");
  const JourneyRequest request{.elements = {{p, 8}, {p, 17}, {p, 9999}}};
  const results::Journeys all = recorded().session.journeys(request);
  const auto back = wire::decode<results::Journeys>(wire::encode(all));
  ASSERT_TRUE(back.has_value());
  EXPECT_TRUE(*back == all);
  const auto asked = wire::decode<JourneyRequest>(wire::encode(request));
  ASSERT_TRUE(asked.has_value());
  EXPECT_TRUE(*asked == request);
  results::Journeys wrong = all;
  wrong.all[0].stations[1].from = 1;
  EXPECT_FALSE(wire::decode<results::Journeys>(wire::encode(wrong)).has_value());
  wrong = all;
  wrong.all[0].arrivals = {static_cast<std::int32_t>(all.all[0].stations.size())};
  EXPECT_FALSE(wire::decode<results::Journeys>(wire::encode(wrong)).has_value());
}

/// Of an element of another block the block is named, and recording that one shows the journey.
TEST(JourneyOfAnotherBlock, IsFoundWhereTheBlockIs) {
  RunRequest request = journey_request("axpy_rows.cu");
  request.plain_run = false;
  const Recorded first(request);
  const int x = buffer_named(first.summary(), "x");
  const Journey none = first.journey(x, 64 * 63 + 40);
  ASSERT_TRUE(none.stations.empty());
  ASSERT_EQ(none.blocks.size(), 1u);
  // Blocks are 32 columns wide and 8 rows high, two in a row.
  EXPECT_EQ(none.blocks.front(), 15u);
  EXPECT_TRUE(none.blocks_known);
  request.record_block = 15;
  const Recorded second(request);
  const Journey found = second.journey(x, 64 * 63 + 40);
  EXPECT_FALSE(found.stations.empty());
  expect_laws(second, found, "block 15");
  // Bytes after the last row are not accessed of a smaller launch.
  request.record_block = 0;
  request.overrides = {{"grid", "2,4"}};
  const Recorded smaller(request);
  if (!smaller.summary().ok) return;
  const Journey absent = smaller.journey(x, 64 * 63 + 40);
  EXPECT_TRUE(absent.stations.empty() && absent.blocks.empty() && absent.blocks_known);
}

// --- matrices and atomics ----------------------------------------------------------------------------------------------

bool is_unfollowed(const Hop& hop) { return hop.way == Hop::Way::unfollowed; }

RunRequest request_for(const std::string& body, const std::string& buffers) {
  RunRequest request;
  request.file = "journey.cu";
  request.text = "/*\n[lanescope]\nblock = 32\n\n[buffers]\n" + buffers + "\n*/\n" + body;
  request.plain_run = false;
  return request;
}

// An element of a or b enters a row or a column of sums, and into no other; every instruction on the way is followed.
TEST(JourneyThroughMatrices, GoesIntoTheSumsThatDependOnIt) {
  std::mt19937 random(7);
  for (const char* name : {"mma_product.cu", "ldmatrix_product.cu"}) {
    RunRequest request = journey_request(name);
    request.plain_run = false, request.forbid_nvrtc = true;
    const Recorded run(request);
    ASSERT_TRUE(run.summary().ok) << name << test::all_words(run.summary());
    const int a = buffer_named(run.summary(), "a"), b = buffer_named(run.summary(), "b"),
              c = buffer_named(run.summary(), "c");
    for (const int from : {a, b}) {
      const std::uint64_t rows = from == a ? 32 : 16, row = random() % rows, k = random() % 32;
      const Journey j = run.journey(from, row * 32 + k);
      expect_laws(run, j, name);
      std::set<std::uint64_t> reached, wanted;
      for (const std::int32_t at : j.arrivals) {
        const Station& s = j.stations[static_cast<std::size_t>(at)];
        EXPECT_FALSE(s.exact);
        if (s.place.buffer == c) reached.insert(s.place.element);
      }
      for (std::uint64_t n = 0; n < 32 * 16; ++n)
        if (from == a ? n / 16 == row : n % 16 == row) wanted.insert(n);
      EXPECT_EQ(reached, wanted) << name << (from == a ? " a[" : " b[") << row << ", " << k << "]";
      bool sums = false;
      for (const Station& s : j.stations) {
        EXPECT_FALSE(std::ranges::any_of(s.hops, is_unfollowed)) << name << ", line " << s.line;
        EXPECT_TRUE(s.step < 0 || s.from >= 0) << name << ", line " << s.line;
        for (const Hop& h : s.hops) sums = sums || (h.way == Hop::Way::product && h.op == "mma");
      }
      EXPECT_TRUE(sums) << name;
    }
  }
}

// ldmatrix, movmatrix and stmatrix move single halves: all 64 elements of a matrix arrive where its transpose has them.
TEST(JourneyThroughMatrices, EveryHalfIsFollowed) {
  NEEDS_NVRTC();
  const Recorded run(request_for(
      "__global__ void k(const unsigned *p, unsigned *q) {\n  __shared__ uint4 tile[8];\n"
      "  unsigned *words = (unsigned *)tile, a = p[threadIdx.x], b, c;\n  words[threadIdx.x] = a;\n  __syncthreads();\n"
      "  unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x % 8]);\n"
      "  asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];\" : \"=r\"(b) : \"r\"(at) : "
      "\"memory\");\n"
      "  asm volatile(\"movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;\" : \"=r\"(c) : \"r\"(b));\n  __syncthreads();\n"
      "  asm volatile(\"stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};\" : : \"r\"(at), \"r\"(c) : "
      "\"memory\");\n"
      "  __syncthreads();\n  q[threadIdx.x] = words[threadIdx.x];\n}\n",
      "p = \"f16 i:8 j:8\"\nq = \"f16 i:8 j:8\""));
  ASSERT_TRUE(run.summary().ok) << test::all_words(run.summary());
  const int p = buffer_named(run.summary(), "p"), q = buffer_named(run.summary(), "q");
  for (std::uint64_t e = 0; e < 64; ++e) {
    const Journey j = run.journey(p, e);
    expect_laws(run, j, "halves");
    ASSERT_EQ(j.arrivals.size(), 1u) << e;
    const Station& end = j.stations[static_cast<std::size_t>(j.arrivals.front())];
    EXPECT_EQ(end.place.buffer, q);
    EXPECT_EQ(end.place.element, e % 8 * 8 + e / 8);
    EXPECT_TRUE(end.exact);
    std::vector<std::string> names;
    for (const std::int32_t at : results::path_to(j, j.arrivals.front())) {
      const Station& s = j.stations[static_cast<std::size_t>(at)];
      EXPECT_FALSE(std::ranges::any_of(s.hops, is_unfollowed)) << e;
      names.push_back(s.place.kind == JourneyPlace::Kind::register_ ? s.place.name
                      : s.place.kind == JourneyPlace::Kind::shared  ? "shared"
                                                                    : "buffer");
    }
    // On the diagonal it comes back to where it was, and is there all the time.
    const std::vector<std::string> whole{"buffer", "a", "shared", "b", "c", "shared", "buffer"},
        diagonal{"buffer", "a", "shared", "buffer"};
    EXPECT_EQ(names, e % 8 == e / 8 ? diagonal : whole) << e;
  }
}

// An exchange takes the element itself out of memory; an addition leaves a sum there; a conversion changes the value.
TEST(JourneyThroughAtomics, ExchangesMoveAndSumsDepend) {
  NEEDS_NVRTC();
  const Recorded run(request_for(
      "__global__ void k(const unsigned *p, unsigned *q, const float *x, float *y) {\n"
      "  __shared__ unsigned slot[32], sum;\n  unsigned v = p[threadIdx.x];\n  slot[threadIdx.x] = 0;\n"
      "  if (threadIdx.x == 0) sum = 0;\n  __syncthreads();\n  atomicExch(&slot[threadIdx.x], v);\n"
      "  unsigned old = atomicExch(&slot[threadIdx.x], 7u);\n  atomicAdd(&sum, old);\n  __syncthreads();\n"
      "  q[threadIdx.x] = old;\n  if (threadIdx.x == 0) q[32] = sum;\n"
      "  float f = x[threadIdx.x], g;\n  unsigned short h;\n  asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h) : \"f\"(f));\n"
      "  asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(g) : \"h\"(h));\n  y[threadIdx.x] = g;\n}\n",
      "p = \"u32 i:32\"\nq = \"u32 i:33\"\nx = \"f32 i:32\"\ny = \"f32 i:32\""));
  ASSERT_TRUE(run.summary().ok) << test::all_words(run.summary());
  const int p = buffer_named(run.summary(), "p"), q = buffer_named(run.summary(), "q"),
            x = buffer_named(run.summary(), "x");
  const Journey j = run.journey(p, 9);
  expect_laws(run, j, "exchange");
  ASSERT_EQ(j.arrivals.size(), 2u);
  const Station &own = j.stations[static_cast<std::size_t>(j.arrivals[0])],
                &sum = j.stations[static_cast<std::size_t>(j.arrivals[1])];
  EXPECT_EQ(own.place.buffer, q);
  EXPECT_EQ(own.place.element, 9u);
  EXPECT_TRUE(own.exact);
  EXPECT_EQ(sum.place.element, 32u);
  EXPECT_FALSE(sum.exact);
  EXPECT_EQ(sum.count, 32u);
  for (const Station& s : j.stations) EXPECT_FALSE(std::ranges::any_of(s.hops, is_unfollowed)) << s.line;
  std::size_t exchanges = 0;
  for (const std::int32_t at : results::path_to(j, j.arrivals[0]))
    for (const Hop& h : j.stations[static_cast<std::size_t>(at)].hops)
      exchanges += h.way == Hop::Way::atomic && h.op == "exch";
  EXPECT_EQ(exchanges, 2u);
  const Journey changed = run.journey(x, 3);
  std::set<std::string> types;
  for (const Station& s : changed.stations)
    for (const Hop& h : s.hops)
      if (h.way == Hop::Way::convert) types.insert(h.op);
  EXPECT_EQ(types, (std::set<std::string>{"f16", "f32"}));
}

// --- the catalogue ---------------------------------------------------------------------------------------------------

TEST(JourneyOfTheCatalogue, KeepsItsLaws) {
  std::mt19937 random(3);
  std::size_t kernels = 0, arrived = 0;
  for (const std::filesystem::path& file : lanescope::test::catalogue_files(4)) {
    const std::string name = file.filename().string();
    RunRequest request = journey_request(name);
    request.plain_run = false, request.forbid_nvrtc = true, request.max_steps = 500'000;
    const Recorded run(request);
    if (!run.summary().ok || run.summary().buffers.empty()) continue;
    ++kernels;
    std::vector<JourneyRequest::Element> asked;
    for (int n = 0; n < 3; ++n) {
      const int b = static_cast<int>(random() % run.summary().buffers.size());
      const std::uint64_t most =
          std::max<std::uint64_t>(run.summary().buffers[static_cast<std::size_t>(b)].elements, 1);
      asked.push_back({b, random() % std::min<std::uint64_t>(most, 256)});
    }
    for (const Journey& j : run.session.journeys({.elements = asked}).all) {
      arrived += !j.arrivals.empty();
      if (!j.refused.empty() || j.stations.size() > 24) continue;
      expect_laws(run, j, fmt::format("{} buffer {} element {}", name, j.buffer, j.element));
    }
  }
  EXPECT_GT(kernels, 8u);
  EXPECT_GT(arrived, 8u);
}

}  // namespace
}  // namespace lanescope::engine
