// Kernels made wrong in the ways people make them wrong, one change of the text each, run as a user would run them.
// Each change must be reported (a claim that differs, a result that is not the expected one, a fault), at the right
// line, and with the assignment that is really there according to a CPU model that contains nothing about compiler and
// emulator.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/catalogue/cpu_models.h"
#include "tests/catalogue/support.h"
#include "tests/sample.h"

namespace lanescope::catalogue {
namespace {

using claims::Verdict;
using Model = std::function<std::vector<Held>()>;

enum class Found : std::uint8_t { claim, result, fault };

struct Mutant {
  std::string kernel, from, to;
  int nth = 0;            ///< which occurrence of `from`; all_of_them: each
  Model model = nullptr;  ///< what its claims' registers hold
  Found found = Found::claim;
  std::vector<std::string> lines = {};  ///< of the first false write; empty: the changed line
  std::uint64_t seed = 1;
};
constexpr int all_of_them = -1;

template <class M>
Model with(M model, const std::function<void(M&)>& change) {
  change(model);
  return [model] { return model.run(); };
}

// --- half2_transposes
// -------------------------------------------------------------------------------------------------

Model half(const std::function<void(HalfModel&)>& change) { return with(HalfModel(), change); }

std::vector<Mutant> half_mutants() {
  const std::string k = "half2_transposes";
  std::vector<Mutant> out;
  const auto add = [&](std::string from, std::string to, int nth, const std::function<void(HalfModel&)>& change,
                       std::vector<std::string> lines = {}) {
    out.push_back({k, std::move(from), std::move(to), nth, half(change), Found::claim, std::move(lines)});
  };
  // The masks of one round each: sender, receiver, the lane that keeps y0, the one that keeps y1. The first write that
  // is wrong is a y.
  for (int round = 0; round < 2; ++round) {
    const auto r = static_cast<std::size_t>(round);
    const std::string low = round == 0 ? "    y0 = (laneId & 0x" : "    y2 = (laneId & 0x",
                      high = round == 0 ? "    y1 = (laneId & 0x" : "    y3 = (laneId & 0x";
    add("0x4", "0x8", 4 * round, [=](HalfModel& m) { m.rounds[r].send = 8; }, {low + "4", high + "4"});
    add("0x4", "0x8", 4 * round + 1, [=](HalfModel& m) { m.rounds[r].partner = 8; }, {low + "4", high + "4"});
    add("0x4", "0x8", 4 * round + 2, [=](HalfModel& m) { m.rounds[r].first = 8; });
    add("0x4", "0x8", 4 * round + 3, [=](HalfModel& m) { m.rounds[r].second = 8; });
    add(round == 0 ? "? y0 : y1" : "? y2 : y3", round == 0 ? "? y1 : y0" : "? y3 : y2", 0,
        [=](HalfModel& m) { m.rounds[r].send_reversed = true; }, {low, high});
  }
  add("0x4", "0x8", all_of_them,
      [](HalfModel& m) {
        m.rounds = {HalfModel::Round{8, 8, 8, 8}, HalfModel::Round{8, 8, 8, 8}};
      },
      {"    y0 = (laneId & 0x8"});
  add("0x4", "0x10", all_of_them,
      [](HalfModel& m) {
        m.rounds = {HalfModel::Round{16, 16, 16, 16}, HalfModel::Round{16, 16, 16, 16}};
      },
      {"    y0 = (laneId & 0x10"});
  // Lows for highs and the other way; operands.
  add("__lows2half2(x0", "__highs2half2(x0", 0, [](HalfModel& m) { m.y[0].highs = true; });
  add("__highs2half2(x0", "__lows2half2(x0", 0, [](HalfModel& m) { m.y[2].highs = false; });
  add("__lows2half2(x1", "__highs2half2(x1", 0, [](HalfModel& m) { m.y[1].highs = true; });
  add("__highs2half2(x1", "__lows2half2(x1", 0, [](HalfModel& m) { m.y[3].highs = false; });
  add("lows2half2(x0, x2)", "lows2half2(x2, x0)", 0, [](HalfModel& m) { std::swap(m.y[0].a, m.y[0].b); });
  add("lows2half2(x0, x2)", "lows2half2(x0, x1)", 0, [](HalfModel& m) { m.y[0].b = 1; });
  add("highs2half2(x1, x3)", "highs2half2(x0, x3)", 0, [](HalfModel& m) { m.y[3].a = 0; });
  // Offsets and strides of the loads.
  add("p + s + 64", "p + s + 128", 0, [](HalfModel& m) { m.offsets[1] = 128; });
  add("p + s + 128", "p + s + 64", 0, [](HalfModel& m) { m.offsets[2] = 64; });
  add("p + s + 192", "p + s + 66", 0, [](HalfModel& m) { m.offsets[3] = 66; });
  const std::string first_load = "    __half2 x0";
  add("256 * warpId", "128 * warpId", 0, [](HalfModel& m) { m.warp_stride = 128; }, {first_load});
  add("2 * laneId", "2 * (laneId ^ 1)", 0, [](HalfModel& m) { m.lane_flip = 1; }, {first_load});
  // Stores: no claim speaks of memory, the expected result does.
  out.push_back({k, "q + s + 64", "q + s + 128", 0, nullptr, Found::result, {}});
  out.push_back({k, "= y3;", "= y2;", 0, nullptr, Found::result, {}});
  // Addresses that no GPU takes: the last warp leaves the array at its last load.
  out.push_back({k, "2 * laneId", "4 * laneId", 0, nullptr, Found::fault, {"    __half2 x3"}});
  out.push_back({k, "p + s + 192", "p + s + 4096", 0, nullptr, Found::fault, {}});
  out.push_back({k, "p + s + 64", "p + s + 65", 0, nullptr, Found::fault, {}});
  return out;
}

// --- bytes and nibbles
// ------------------------------------------------------------------------------------------------

/// Every nibble of both selectors turned into another one.
std::vector<Mutant> byte_mutants() {
  std::vector<Mutant> out;
  struct Kernel {
    std::string name;
    std::array<std::uint32_t, 2> selectors;
  };
  for (const Kernel& kernel :
       {Kernel{"byte_transpose_s0", {0x6240, 0x7351}}, Kernel{"byte_transpose_s1", {0x5410, 0x7632}}})
    for (std::size_t which = 0; which < 2; ++which) {
      for (int nibble = 0; nibble < 4; ++nibble) {
        ByteModel m{kernel.selectors};
        m.selectors[which] ^= (1u + static_cast<std::uint32_t>(nibble % 3)) << (4 * nibble);
        out.push_back({kernel.name,
                       fmt::format("{:#06x}", kernel.selectors[which]),
                       fmt::format("{:#06x}", m.selectors[which]),
                       0,
                       [m] { return m.run(); },
                       Found::claim,
                       {}});
      }
      // The other transpose, and a byte twice.
      ByteModel m{kernel.selectors};
      m.selectors[which] = kernel.selectors[which] == 0x6240   ? 0x5410
                           : kernel.selectors[which] == 0x7351 ? 0x7632
                           : kernel.selectors[which] == 0x5410 ? 0x6240
                                                               : 0x7351;
      out.push_back({kernel.name,
                     fmt::format("{:#06x}", kernel.selectors[which]),
                     fmt::format("{:#06x}", m.selectors[which]),
                     0,
                     [m] { return m.run(); },
                     Found::claim,
                     {}});
    }
  return out;
}

std::vector<Mutant> nibble_mutants() {
  const std::string k = "nibble_transpose";
  const auto nibble = [](const std::function<void(NibbleModel&)>& change) { return with(NibbleModel(), change); };
  return {
      {k, "<< 4", "<< 8", 0, nibble([](NibbleModel& m) { m.left_by = 8; })},
      {k, ">> 4", ">> 8", 0, nibble([](NibbleModel& m) { m.right_by = 8; })},
      {k, "<< 4", "<< 0", 0, nibble([](NibbleModel& m) { m.left_by = 0; })},
      {k, "(x0 & 0x0f0f0f0f)", "(x0 & 0x0f0f0ff0)", 0, nibble([](NibbleModel& m) { m.masks[0] = 0x0f0f0ff0; })},
      {k, "(x1 & 0x0f0f0f0f)", "(x1 & 0x0f0f000f)", 0, nibble([](NibbleModel& m) { m.masks[1] = 0x0f0f000f; })},
      {k, "(x0 & 0xf0f0f0f0)", "(x0 & 0x0f0f0f0f)", 0, nibble([](NibbleModel& m) { m.masks[2] = 0x0f0f0f0f; })},
      {k, "(x1 & 0xf0f0f0f0)", "(x1 & 0xf0f0f000)", 0, nibble([](NibbleModel& m) { m.masks[3] = 0xf0f0f000; })},
      {k, "p[threadIdx.x + 32]", "p[threadIdx.x + 16]", 0, nibble([](NibbleModel& m) { m.stride = 16; })},
  };
}

// --- the others
// -------------------------------------------------------------------------------------------------------

std::vector<Mutant> bit_mutants() {
  const std::string k = "bit_transpose";
  return {{k, "(x1 & 0x55555555) << 1", "(x1 & 0x55555555) << 2"},
          {k, "(x0 >> 1)", "(x0 >> 2)"},
          {k, "(x3 & 0xaaaaaaaa)", "(x3 & 0xaaaaaaa8)"},
          {k, "(x2 & 0x55555555)", "(x2 & 0xaaaaaaaa)"},
          {k, "(y2 << 16)", "(y2 << 15)"},
          {k, "(y3 & 0xffff0000)", "(y3 & 0xff000000)"},
          {k, "(y0 & 0xffff) | (y2 << 16)", "(y0 & 0xffff) | (y1 << 16)"}};
}

std::vector<Mutant> complex_mutants() {
  const std::string k = "complex_reim";
  return {{k, "__lows2half2", "__highs2half2"},
          {k, "__highs2half2(z0, z1)", "__highs2half2(z1, z0)"},
          {k, "z[s + 32]", "z[s + 33]", 0, nullptr, Found::fault},  // the last thread reads past the end
          {k, "z[s + 32]", "z[s + 31]"},
          {k, "64 * threadIdx.y", "32 * threadIdx.y", 0, nullptr, Found::claim, {"    __half2 z0"}},
          {k, "out[s] = a0", "out[s] = a1", 0, nullptr, Found::result}};
}

std::vector<Mutant> copy_mutants() {
  std::vector<Mutant> out;
  for (const std::string k : {"copy_float", "copy_float2", "copy_float4"}) {
    out.push_back({k, "256 * blockIdx.x", "128 * blockIdx.x", 0, nullptr, Found::claim, {"x = p[i];"}});
    out.push_back({k, "= p[i]", "= p[i ^ 1]"});
    out.push_back({k, "q[i] =", "q[i ^ 1] =", 0, nullptr, Found::result});
    // The compiler may move the load to the statement that needs its value.
    out.push_back({k, "p[i]", "p[i + 1]", 0, nullptr, Found::fault, {"= p[i + 1]", "q[i] ="}});
  }
  const std::string k = "pointer_offsets";
  const std::string load = "    float x = p[threadIdx.x]";
  out.push_back({k, "(blockIdx.x * 1024)", "(blockIdx.x * 512)", 0, nullptr, Found::claim, {load}});
  out.push_back({k, "(blockIdx.y * 32)", "(blockIdx.y * 64)", 0, nullptr, Found::fault, {load}});
  out.push_back({k, "threadIdx.y * 128 * 1024", "threadIdx.y * 64 * 1024", 0, nullptr, Found::claim, {load}});
  return out;
}

std::vector<Mutant> shared_mutants() {
  std::vector<Mutant> out;
  for (const std::string k : {"shared_transpose_naive", "shared_transpose_padded", "shared_transpose_swizzled"}) {
    const std::string back = "    float y = tile";
    // Without the barrier a warp reads what others have not yet written, under schedules that do not run side by side.
    out.push_back({k, "    __syncthreads();\n", "", 0, nullptr, Found::claim, {back}, 2});
    out.push_back(
        {k, "32 * threadIdx.y + threadIdx.x];", "16 * threadIdx.y + threadIdx.x];", 0, nullptr, Found::claim, {}});
    out.push_back(
        {k, "p[32 * threadIdx.y + threadIdx.x]", "p[32 * threadIdx.x + threadIdx.y]", 0, nullptr, Found::claim, {}});
    out.push_back(
        {k, "q[32 * threadIdx.y + threadIdx.x]", "q[32 * threadIdx.x + threadIdx.y]", 0, nullptr, Found::result});
  }
  const std::string s = "shared_transpose_swizzled";
  out.push_back({s, "[threadIdx.x ^ threadIdx.y]", "[threadIdx.x]", 0, nullptr, Found::claim, {"    float y = tile"}});
  out.push_back({s, "[threadIdx.y ^ threadIdx.x]", "[threadIdx.y]"});
  out.push_back({s, "tile[threadIdx.x][threadIdx.y ^ threadIdx.x]", "tile[threadIdx.y][threadIdx.x ^ threadIdx.y]"});
  out.push_back({"shared_transpose_padded", "tile[threadIdx.x][threadIdx.y]", "tile[threadIdx.y][threadIdx.x]"});
  out.push_back(
      {"shared_transpose_naive", "tile[32][32]", "tile[32][31]", 0, nullptr, Found::fault, {"    tile[threadIdx.y]"}});
  out.push_back({"warp_sum", "p[threadIdx.x]", "p[threadIdx.x ^ 4]"});
  out.push_back({"warp_sum", "mask = 16", "mask = 8", 0, nullptr, Found::result});
  return out;
}

// --- what is queried of each
// --------------------------------------------------------------------------------------------

std::string mutated(const Mutant& m) {
  std::string text = kernel_text(m.kernel);
  if (m.nth != all_of_them) return replaced(text, m.from, m.to, m.nth);
  for (std::size_t at = 0; (at = text.find(m.from, at)) != std::string::npos; at += m.to.size())
    text.replace(at, m.from.size(), m.to);
  return text;
}

/// Lines at which the first false write may be reported.
std::vector<int> first_lines(const Mutant& m, const std::string& text) {
  std::vector<int> lines;
  for (const std::string& snippet : m.lines) lines.push_back(line_of(text, snippet));
  if (lines.empty()) lines.push_back(line_of(kernel_text(m.kernel), m.from, m.nth == all_of_them ? 0 : m.nth));
  return lines;
}

std::string describe(const Mutant& m) { return fmt::format("{}: `{}` -> `{}` ({})", m.kernel, m.from, m.to, m.nth); }

bool is_one_of(const std::vector<int>& lines, int line) { return std::ranges::find(lines, line) != lines.end(); }

/// Each claim's verdict and what it reports, against the model.
void expect_the_truth(const Mutant& m, const results::Summary& s) {
  const std::vector<Held> held = m.model();
  ASSERT_EQ(held.size(), s.claims.size());
  const source::Source original = *catalogue_run(m.kernel).source();
  const source::BufferSpec& buffer = original.header.buffers.front();
  for (std::size_t c = 0; c < held.size(); ++c) {
    const claims::ClaimResult& result = s.claims[c].result;
    const bool holds = true_everywhere(s.claims[c].claim.stated, held[c], buffer);
    EXPECT_EQ(result.verdict, holds ? Verdict::holds : Verdict::differs)
        << describe(m) << ", claim of line " << s.claims[c].claim.first_line << result.reason.words();
    const std::string wrong = objection(result.actual, held[c], buffer);
    EXPECT_EQ(wrong, "") << describe(m) << ", claim of line " << s.claims[c].claim.first_line << ": "
                         << result.actual_words;
    EXPECT_TRUE(holds || !result.difference.empty()) << describe(m);
  }
}

struct Row {
  std::string how, words;
  int line = 0;
};

Row expect_claim(const Mutant& m, const engine::Session& session, const std::string& text) {
  for (const results::ClaimInfo& c : session.summary().claims) {
    if (c.result.verdict != Verdict::differs) continue;
    EXPECT_TRUE(is_one_of(first_lines(m, text), c.result.first_false_line))
        << describe(m) << ": first false at line " << c.result.first_false_line << ", not "
        << first_lines(m, text).front();
    EXPECT_TRUE(c.result.first_failure.has_value()) << describe(m);
    EXPECT_FALSE(c.result.difference.empty()) << describe(m);
    return {fmt::format("claim of line {}", c.claim.first_line), c.result.difference, c.result.first_false_line};
  }
  ADD_FAILURE() << describe(m) << ": no claim differs\n" << words(session.summary().diagnostics);
  return {"NOT FOUND", "", 0};
}

Row expect_result(const Mutant& m, const engine::Session& session) {
  for (const results::ClaimInfo& c : session.summary().claims)
    EXPECT_EQ(c.result.verdict, Verdict::holds) << describe(m);
  for (const Diagnostic& d : session.summary().diagnostics)
    if (d.severity == Severity::error &&
        d.message.find("differs from the expected result of the launch header") != std::string::npos)
      return {"result", d.message.substr(0, 60), d.line};
  ADD_FAILURE() << describe(m) << ": the wrong result is not reported";
  return {"NOT FOUND", "", 0};
}

Row expect_fault(const Mutant& m, const engine::Session& session, const std::string& text) {
  if (session.faults().empty()) {
    ADD_FAILURE() << describe(m) << ": no fault\n" << words(session.summary().diagnostics);
    return {"NOT FOUND", "", 0};
  }
  const emulator::Fault& f = session.faults().front();
  EXPECT_TRUE(is_one_of(first_lines(m, text), f.line))
      << describe(m) << ": fault at line " << f.line << ": " << f.message;
  for (const char* word : {"block", "warp", "lane"}) EXPECT_NE(f.message.find(word), std::string::npos) << f.message;
  return {"fault", f.message, f.line};
}

class CodeMutants : public ::testing::TestWithParam<std::pair<const char*, std::vector<Mutant> (*)()>> {};

TEST_P(CodeMutants, AreAllFoundOut) {
  LANESCOPE_NEEDS_NVRTC();
  int count = 0;
  std::size_t number = 0;
  for (const Mutant& m : GetParam().second()) {
    if (!test::in_sample(number++, 2)) continue;
    const std::string text = mutated(m);
    engine::RunRequest request = request_for(m.kernel, text);
    request.seed = m.seed;
    const engine::Session session = run(request);
    ASSERT_TRUE(session.summary().ok) << describe(m) << "\n" << words(session.summary().diagnostics);
    if (m.model) expect_the_truth(m, session.summary());
    const Row row = m.found == Found::claim    ? expect_claim(m, session, text)
                    : m.found == Found::result ? expect_result(m, session)
                                               : expect_fault(m, session, text);
    fmt::print("{:<26} {:<44} -> {:<44} {:<17} line {:>2}: {}\n", m.kernel, m.from.substr(0, m.from.find('\n')), m.to,
               row.how, row.line, row.words);
    ++count;
  }
  RecordProperty("mutants", count);
  fmt::print("{}: {} mutants\n", GetParam().first, count);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, CodeMutants,
                         ::testing::Values(std::pair{"half2", &half_mutants}, std::pair{"bytes", &byte_mutants},
                                           std::pair{"nibbles", &nibble_mutants}, std::pair{"bits", &bit_mutants},
                                           std::pair{"complex", &complex_mutants}, std::pair{"copies", &copy_mutants},
                                           std::pair{"shared", &shared_mutants}),
                         [](const auto& info) { return std::string(info.param.first); });

// The models agree with the kernels as they are.
TEST(CpuModels, SayThatTheCataloguesClaimsHold) {
  const std::vector<std::pair<std::string, std::vector<Held>>> models = {
      {"half2_transposes", HalfModel().run()},
      {"byte_transpose_s0", ByteModel{{0x6240, 0x7351}}.run()},
      {"byte_transpose_s1", ByteModel{{0x5410, 0x7632}}.run()},
      {"nibble_transpose", NibbleModel().run()}};
  for (const auto& [kernel, held] : models) {
    const engine::Session& session = catalogue_run(kernel);
    ASSERT_EQ(held.size(), session.summary().claims.size()) << kernel;
    const source::BufferSpec& buffer = session.source()->header.buffers.front();
    for (std::size_t c = 0; c < held.size(); ++c) {
      EXPECT_TRUE(true_everywhere(session.summary().claims[c].claim.stated, held[c], buffer)) << kernel;
      EXPECT_EQ(objection(session.summary().claims[c].result.actual, held[c], buffer), "") << kernel;
    }
  }
}

}  // namespace
}  // namespace lanescope::catalogue
