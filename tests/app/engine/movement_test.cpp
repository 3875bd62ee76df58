// Values that a statement moves, in real kernels: the flows against the states of the registers and of shared
// memory, and the picture at every position between.

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "app/engine/wire/messages.h"
#include "results/step_index.h"
#include "tests/app/engine/movement_laws.h"
#include "tests/app/engine/support.h"
#include "tests/catalogue_files.h"
#include "viz/views/memory/global.h"
#include "viz/views/movement/movement.h"
#include "viz/views/movement/paths.h"
#include "viz/views/tooltips.h"

namespace lanescope::engine {
namespace {

using results::Flow;
using results::Moment;
using results::Movement;
using results::MovementRow;
using results::Summary;
using MovementOf = MomentRequest::MovementOf;
using Region = MovementRow::Region;

std::filesystem::path catalogue_folder() { return std::filesystem::path(LANESCOPE_SOURCE_DIR) / "assets" / "kernels"; }

RunRequest request_of_file(const std::filesystem::path& file) {
  RunRequest request;
  request.file = file.string();
  request.text = test::text_of(request.file);
  request.forbid_nvrtc = true;
  request.plain_run = false;
  return request;
}

/// A kernel of ours that is compiled for the test, on the elements of p.
RunRequest written(const std::string& body, const std::string& types = "p = \"u32 i:1024\"\nq = \"u32 i:1024\"") {
  RunRequest request;
  request.file = "movement.cu";
  request.text = "/*\n[lanescope]\nblock = 32\n\n[buffers]\n" + types + "\n*/\n" + body;
  request.plain_run = false;
  return request;
}

int line_with(const RunRequest& request, std::string_view words) {
  const std::size_t at = request.text.find(words);
  EXPECT_NE(at, std::string::npos) << words;
  return 1 + static_cast<int>(std::count(request.text.begin(), request.text.begin() + static_cast<long>(at), '\n'));
}

/// The end of the first visit of a line by a warp.
std::int64_t end_of(const Summary& s, int line, int warp = 0) {
  std::int64_t end = -1;
  for (const results::TimelineMark& m : s.timeline) {
    if (m.warp != warp || (m.line == 0 && end < 0)) continue;
    if (m.line != line && m.line != 0 && end >= 0) break;
    if (m.line == line || m.line == 0) end = m.step;
  }
  return end;
}

/// Lane map of the flows between two register rows that need not be the same.
int source_lane(const Movement& m, int lane) {
  int from = -1;
  for (const Flow& f : m.flows)
    if (f.kind == Flow::Kind::moved && f.to_column == lane &&
        m.rows[static_cast<std::size_t>(f.to_row)].region == Region::registers) {
      EXPECT_TRUE(from < 0 || from == f.from_column);
      from = f.from_column;
    }
  return from;
}

// Law: a shuffle moves the value of lane f(l) to lane l, for any f, with identities and without.
TEST(Movement, OfShufflesIsTheirLaneMap) {
  NEEDS_NVRTC();
  std::mt19937 random(16);
  std::vector<int> permutation(32);
  for (int l = 0; l < 32; ++l) permutation[static_cast<std::size_t>(l)] = l;
  std::ranges::shuffle(permutation, random);
  std::string table;
  for (const int l : permutation) table += (table.empty() ? "" : ", ") + std::to_string(l);
  const RunRequest request = written(
      "__global__ void k(const uint *p, uint *q) {\n  int lane = threadIdx.x;\n  uint v = p[lane];\n  int own = 3 * "
      "lane;\n"
      "  v = __shfl_sync(~0u, v, 31 - lane);  // reversal\n"
      "  uint w = __shfl_xor_sync(~0u, v, 5);  // exchange\n"
      "  int o = __shfl_sync(~0u, own, 31 - lane);  // numbers\n"
      "  uint b = __shfl_sync(~0u, v, 7);  // broadcast\n"
      "  uint u = __shfl_up_sync(~0u, v, 3);  // up\n"
      "  const int map[32] = {" +
      table +
      "};\n  uint r = __shfl_sync(~0u, v, map[lane]);  // table\n"
      "  q[lane] = v + w + b + u + r + o;\n}\n");
  Session session;
  ASSERT_TRUE(session.run(request).ok) << test::all_words(session.summary());
  const auto at = [&](const char* words) {
    return moved(session, end_of(session.summary(), line_with(request, words)));
  };
  const auto expect_map = [&](const char* words, auto from, const char* said) {
    const Moment m = at(words);
    expect_all(session, m);
    expect_round_trip(m);
    for (int lane = 0; lane < 32; ++lane)
      EXPECT_EQ(source_lane(*m.movement, lane), from(lane)) << words << " lane " << lane;
    EXPECT_NE(views::movement_words(session.summary(), m).find(said), std::string::npos)
        << views::movement_words(session.summary(), m);
  };
  expect_map(
      "// reversal", [](int l) { return 31 - l; }, "a reversal of the 32 lanes: lane l receives from lane 31 − l");
  expect_map(
      "// exchange", [](int l) { return l ^ 5; }, "lane l receives from lane l xor 5");
  expect_map(
      "// numbers", [](int l) { return 31 - l; }, "a reversal");
  expect_map(
      "// broadcast", [](int) { return 7; }, "a broadcast: all lanes receive from lane 7");
  expect_map(
      "// up", [](int l) { return l < 3 ? l : l - 3; }, "lane l receives from lane l − 3; 3 lanes keep");
  expect_map(
      "// table", [&](int l) { return permutation[static_cast<std::size_t>(l)]; }, "come from another lane");
}

// Law: an element that a statement loads or stores goes between the bytes that its lane addressed and the register.
TEST(Movement, OfATransposeThroughSharedMemory) {
  const RunRequest request = request_of_file(catalogue_folder() / "shared_transpose_padded.cu");
  Session session;
  ASSERT_TRUE(session.run(request).ok);
  const Summary& s = session.summary();
  for (const int warp : {0, 5, 31}) {
    Moment m = moved(session, end_of(s, line_with(request, "float x = p"), warp), MovementOf::exchange, warp);
    expect_all(session, m);
    int loads = 0;
    for (const Flow& f : m.movement->flows) {
      if (f.kind != Flow::Kind::moved) continue;
      const MovementRow& from = m.movement->rows[static_cast<std::size_t>(f.from_row)];
      if (from.region != Region::global) continue;
      ++loads;
      EXPECT_EQ(from.line, static_cast<std::uint64_t>(warp));
      EXPECT_EQ(f.from_column, f.to_column);
    }
    EXPECT_EQ(loads, 32);
    m = moved(session, end_of(s, line_with(request, "tile[threadIdx.y]"), warp), MovementOf::exchange, warp);
    expect_all(session, m);
    for (const Flow& f : m.movement->flows) {
      const MovementRow& to = m.movement->rows[static_cast<std::size_t>(f.to_row)];
      if (to.region != Region::shared || f.kind != Flow::Kind::moved) continue;
      EXPECT_EQ(static_cast<int>(to.line) * 32 + f.to_column, 33 * warp + f.from_column);
    }
    m = moved(session, end_of(s, line_with(request, "float y = tile"), warp), MovementOf::exchange, warp);
    expect_all(session, m);
    int back = 0;
    for (const Flow& f : m.movement->flows) {
      const MovementRow& from = m.movement->rows[static_cast<std::size_t>(std::max(f.from_row, 0))];
      if (f.kind != Flow::Kind::moved || from.region != Region::shared) continue;
      ++back;
      EXPECT_EQ(static_cast<int>(from.line) * 32 + f.from_column, 33 * f.to_column + warp);
    }
    EXPECT_EQ(back, 32);
    EXPECT_NE(views::movement_words(s, m).find("each in a bank of its own"), std::string::npos);
  }
}

// Each step of a butterfly makes every sum of two: its own and its partner's.
TEST(Movement, OfAButterflyIsTwoPartsEach) {
  NEEDS_NVRTC();
  const RunRequest request = written(
      "__global__ void k(const float *p, float *q) {\n  float sum = p[threadIdx.x];\n"
      "  for (int mask = 16; mask > 0; mask /= 2) {\n    sum += __shfl_xor_sync(~0u, sum, mask);\n  }\n"
      "  q[threadIdx.x] = sum;\n}\n",
      "p = \"f32 i:32\"\nq = \"f32 i:32\"");
  Session session;
  ASSERT_TRUE(session.run(request).ok) << test::all_words(session.summary());
  const Summary& s = session.summary();
  const int line = line_with(request, "sum += __shfl_xor_sync");
  std::optional<std::int64_t> step = results::first_statement_end(s, line, 0);
  int mask = 16;
  for (; step && mask > 0; mask /= 2) {
    const Moment m = moved(session, *step);
    expect_all(session, m);
    std::map<int, std::set<int>> from;
    for (const Flow& f : m.movement->flows) {
      EXPECT_EQ(f.kind, Flow::Kind::part);
      from[f.to_column].insert(f.from_column);
    }
    ASSERT_EQ(from.size(), 32u) << "mask " << mask;
    for (const auto& [lane, lanes] : from) EXPECT_EQ(lanes, (std::set<int>{lane, lane ^ mask})) << "mask " << mask;
    step = results::next_statement_end(s, *step, 0, line);
  }
  EXPECT_EQ(mask, 0);
  EXPECT_FALSE(step);
}

/// The lanes that each lane of the register row `name` was made of.
std::map<int, std::set<int>> lanes_into(const Summary& s, const Movement& m, const std::string& name) {
  std::map<int, std::set<int>> from;
  for (const Flow& f : m.flows) {
    const MovementRow& to = m.rows[static_cast<std::size_t>(f.to_row)];
    if (to.region != Region::registers || s.families[static_cast<std::size_t>(to.family)].name != name) continue;
    EXPECT_EQ(f.kind, Flow::Kind::part) << name;
    from[f.to_column].insert(f.from_column);
  }
  return from;
}

/// Executions of the statement in this line that write `name`, one after the other: sums of lanes that differ in these bits.
void expect_butterfly(const Session& session, int line, const std::string& name, const std::vector<int>& masks) {
  const Summary& s = session.summary();
  std::vector<int> seen;
  for (auto step = results::first_statement_end(s, line, 0); step;
       step = results::next_statement_end(s, *step, 0, line)) {
    const Moment m = moved(session, *step);
    const auto from = lanes_into(s, *m.movement, name);
    if (from.empty()) continue;
    expect_all(session, m);
    ASSERT_LT(seen.size(), masks.size()) << name;
    const int mask = masks[seen.size()];
    for (const auto& [lane, lanes] : from)
      EXPECT_EQ(lanes, (std::set<int>{lane, lane ^ mask})) << name << ", mask " << mask << ", lane " << lane;
    EXPECT_EQ(from.size(), 32u) << name;
    seen.push_back(mask);
  }
  EXPECT_EQ(seen, masks) << name;
}

// A loop whose body has no braces shows its variable in each iteration: five steps are five movements.
TEST(Movement, OfALoopWithoutBracesIsEachIteration) {
  const RunRequest request = request_of_file(catalogue_folder() / "warp_sum.cu");
  Session session;
  ASSERT_TRUE(session.run(request).ok);
  expect_butterfly(session, line_with(request, "sum += __shfl_xor_sync"), "sum", {16, 8, 4, 2, 1});
}

// The same in every form that such a loop has, rolled or unrolled, and of several statements in one line.
TEST(Movement, OfEveryFormOfAnUnbracedLoop) {
  NEEDS_NVRTC();
  const RunRequest request = written(
      "#define STEP(v, d) v += __shfl_xor_sync(~0u, v, d)\n"
      "__global__ void k(const uint *p, uint *q) {\n"
      "  uint a = p[threadIdx.x], b = a, c = a, d = a, e = a; double f = a;\n"
      "#pragma unroll 1\n"
      "  for (int m = 16; m > 0; m /= 2) a += __shfl_xor_sync(~0u, a, m);\n"
      "  for (int m = 1; m < 32; m *= 2)\n"
      "    if (m < 40) b += __shfl_xor_sync(~0u, b, m);\n    else b = 0;\n"
      "  int n = 16;\n"
      "  while (n > 0) c += __shfl_xor_sync(~0u, c, n), n /= 2;\n"
      "  n = 1;\n"
      "  do STEP(d, n); while ((n *= 2) < 32);\n"
      "  for (int m = 4; m > 0; m /= 2) f += __shfl_xor_sync(~0u, f, m);\n"
      "  STEP(e, 8); STEP(e, 2);\n"
      "  q[threadIdx.x] = a + b + c + d + e + (uint)f;\n}\n",
      "p = \"u32 i:32\"\nq = \"u32 i:32\"");
  Session session;
  ASSERT_TRUE(session.run(request).ok) << test::all_words(session.summary());
  expect_butterfly(session, line_with(request, "a += __shfl"), "a", {16, 8, 4, 2, 1});
  expect_butterfly(session, line_with(request, "if (m < 40)"), "b", {1, 2, 4, 8, 16});
  expect_butterfly(session, line_with(request, "while (n > 0)"), "c", {16, 8, 4, 2, 1});
  expect_butterfly(session, line_with(request, "do STEP"), "d", {1, 2, 4, 8, 16});
  expect_butterfly(session, line_with(request, "f += __shfl"), "f", {4, 2, 1});
  expect_butterfly(session, line_with(request, "STEP(e, 8)"), "e", {8, 2});
}

// Each cell that any store writes has the element that arrived there, in the picture or in words.
TEST(Movement, AStoreSaysWhichElementsArrived) {
  NEEDS_NVRTC();
  const RunRequest request = written(
      "__global__ void k(const uint *p, uint *q) {\n  uint v = p[threadIdx.x];\n  q[31 - threadIdx.x] = v;\n"
      "  q[32 + threadIdx.x] = v + p[32];\n}\n");
  Session session;
  ASSERT_TRUE(session.run(request).ok) << test::all_words(session.summary());
  const Summary& s = session.summary();
  const Moment m =
      moved(session, *results::first_statement_end(s, line_with(request, "q[31 -"), 0), MovementOf::nothing);
  ASSERT_EQ(m.arrived.size(), 32u);
  for (const results::ArrivedCell& c : m.arrived) {
    EXPECT_EQ(c.buffer, 1);
    EXPECT_EQ(c.cell.buffer, 0);
    EXPECT_EQ(c.cell.element, 31 - c.byte / 4);
  }
  EXPECT_EQ(views::arrived_words(s, m, 1), (std::vector<std::string>{"q[0..31] hold p[31..0]"}));
  const scene::Scene scene = views::global_view(s, m, {}, {.width = 900}, views::dark_theme());
  std::set<std::string> labels;
  for (const scene::Label& l : scene.labels)
    if (l.id == scene::Id{.kind = scene::Id::Kind::memory_word, .a = 1, .b = 3}) labels.insert(l.text);
  EXPECT_EQ(labels, std::set<std::string>{"28"});
  EXPECT_NE(views::tooltip_text(s, m, {.kind = scene::Id::Kind::memory_word, .a = 1, .b = 3}).find("q[3] now holds"),
            std::string::npos);
  const Moment sums =
      moved(session, *results::first_statement_end(s, line_with(request, "q[32 +"), 0), MovementOf::nothing);
  EXPECT_EQ(views::arrived_words(s, sums, 1), (std::vector<std::string>{"32 values of several"}));
  const auto back = wire::decode<Moment>(wire::encode(m));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->arrived.size(), 32u);
  EXPECT_TRUE(moved(session, *results::first_statement_end(s, line_with(request, "uint v"), 0), MovementOf::nothing)
                  .arrived.empty());
}

// The half-word transposes: bits and lanes as the comments of the kernel say, and the exchange as one movement.
TEST(Movement, OfAnExchangeOfSeveralStatements) {
  const RunRequest request = request_of_file(catalogue_folder() / "half2_transposes.cu");
  Session session;
  ASSERT_TRUE(session.run(request).ok);
  const Summary& s = session.summary();
  const std::int64_t local = end_of(s, line_with(request, "__half2 y3 = __highs2half2"));
  Moment m = moved(session, local, MovementOf::exchange);
  expect_all(session, m);
  EXPECT_EQ(m.movement->first_line, line_with(request, "__half2 y0 = __lows2half2"));
  EXPECT_EQ(m.movement->flows.size(), 256u);
  for (const Flow& f : m.movement->flows) {
    const MovementRow &from = m.movement->rows[static_cast<std::size_t>(f.from_row)],
                      &to = m.movement->rows[static_cast<std::size_t>(f.to_row)];
    ASSERT_EQ(f.kind, Flow::Kind::moved);
    EXPECT_EQ(f.from_column, f.to_column);
    EXPECT_EQ(from.reg, (to.reg & 1) | to.part << 1);
    EXPECT_EQ(from.part, to.reg >> 1);
  }
  EXPECT_EQ(moved(session, local, MovementOf::statement).movement->flows.size(), 64u) << "y3 alone";

  // The last statement of the warp transpose.
  std::int64_t warp = -1;
  for (const results::TimelineMark& mark : s.timeline)
    if (mark.warp == 0 && mark.line == line_with(request, "y3 = (laneId & 0x4) ? y3")) warp = mark.step;
  m = moved(session, warp, MovementOf::exchange);
  expect_all(session, m);
  EXPECT_FALSE(m.statement_words.empty());
  for (const Flow& f : m.movement->flows) {
    const MovementRow &from = m.movement->rows[static_cast<std::size_t>(f.from_row)],
                      &to = m.movement->rows[static_cast<std::size_t>(f.to_row)];
    ASSERT_EQ(f.kind, Flow::Kind::moved);
    const bool stays = ((to.reg ^ f.to_column >> 2) & 1) == 0;
    EXPECT_EQ(f.from_column, stays ? f.to_column : f.to_column ^ 4);
    EXPECT_EQ(from.part, to.part);
  }
}

// Bits: a whole transposition in one lane, the same in all.
TEST(Movement, OfBitsIsDrawnInOneLane) {
  const RunRequest request = request_of_file(catalogue_folder() / "bit_transpose.cu");
  Session session;
  ASSERT_TRUE(session.run(request).ok);
  const Moment m = moved(session, end_of(session.summary(), line_with(request, "uint y3 =")), MovementOf::exchange);
  expect_all(session, m);
  EXPECT_EQ(m.movement->flows.size(), 4u * 32 * 32);
  for (const Flow& f : m.movement->flows) {
    const MovementRow &from = m.movement->rows[static_cast<std::size_t>(f.from_row)],
                      &to = m.movement->rows[static_cast<std::size_t>(f.to_row)];
    ASSERT_EQ(f.from_column, f.to_column);
    EXPECT_EQ(from.reg, (to.reg & 2) | (to.part & 1));
    EXPECT_EQ(from.part, (to.part & ~1) | (to.reg & 1));
  }
  const views::MovementPaths paths(*m.movement, {.width = 1180, .height = 640, .top = 40});
  EXPECT_TRUE(paths.one_lane());
  EXPECT_EQ(paths.hidden_rows(), 0);
}

// Every kernel of the catalogue at some steps of its own choice: the laws hold, nothing fails.
TEST(Movement, OfKernelsOfTheCatalogue) {
  std::mt19937 random(161);
  int kernels_seen = 0, values = 0, moved_values = 0;
  for (const std::filesystem::path& file : lanescope::test::catalogue_files(3)) {
    Session session;
    const RunRequest request = request_of_file(file);
    if (!session.run(request).ok) continue;
    const Summary& s = session.summary();
    if (s.steps == 0 || s.timeline.empty()) continue;
    SCOPED_TRACE(file.filename().string());
    ++kernels_seen;
    std::set<std::int64_t> steps;
    for (int n = 0; n < 3; ++n) steps.insert(s.timeline[random() % s.timeline.size()].step);
    for (const std::int64_t step : steps) {
      SCOPED_TRACE(step);
      Moment m = moved(session, step, MovementOf::exchange);
      if (m.warp != 0) m = moved(session, step, MovementOf::exchange, static_cast<int>(m.warp));
      ASSERT_TRUE(m.movement);
      expect_sound(*m.movement);
      expect_states(session, m);
      if (m.movement->flows.size() < 3000) expect_pictures(s, m);
      if (testing::Test::HasFatalFailure()) return;
      EXPECT_FALSE(views::movement_words(s, m).empty());
      values += static_cast<int>(m.movement->flows.size());
      moved_values += static_cast<int>(std::ranges::count(m.movement->flows, Flow::Kind::moved, &Flow::kind));
    }
  }
  EXPECT_GT(kernels_seen, 25);
  EXPECT_GT(moved_values, values / 3);
}

TEST(Movement, OfADamagedMessageIsRefused) {
  const RunRequest request = request_of_file(catalogue_folder() / "warp_sum.cu");
  Session session;
  ASSERT_TRUE(session.run(request).ok);
  const Moment good = moved(session, end_of(session.summary(), line_with(request, "float sum = p")));
  ASSERT_FALSE(good.movement->flows.empty());
  expect_round_trip(good);
  const auto refused = [&](auto damage) {
    Moment m = good;
    damage(*m.movement);
    return !wire::decode<Moment>(wire::encode(m));
  };
  EXPECT_TRUE(refused([](Movement& m) { m.flows[0].to_row = 99; }));
  EXPECT_TRUE(refused([](Movement& m) { m.flows[0].to_row = -1; }));
  EXPECT_TRUE(refused([](Movement& m) { m.flows[0].from_column = 4000; }));
  EXPECT_TRUE(refused([](Movement& m) { m.flows[0].lane = 32; }));
  EXPECT_TRUE(refused([](Movement& m) { m.rows[0].after.pop_back(); }));
  EXPECT_TRUE(refused([](Movement& m) { m.rows[0].cell_bits = 0; }));
}

TEST(Movement, IsGivenOnRequestOnly) {
  const RunRequest request = request_of_file(catalogue_folder() / "warp_sum.cu");
  Session session;
  ASSERT_TRUE(session.run(request).ok);
  EXPECT_FALSE(moved(session, 5, MovementOf::nothing).movement);
  EXPECT_FALSE(moved(session, -1).movement->refused.empty());
}

}  // namespace
}  // namespace lanescope::engine
