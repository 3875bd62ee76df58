// Trees of values. Two independent oracles: the dependency sets that identities show must be the elements of
// the tree, and the tree evaluated with the contents of the buffers must give the value.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>

#include "results/value_tree.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

using results::ElementSet;
using results::Moment;
using results::Summary;
using results::ValueTree;
using Of = TreeRequest::Of;

RunRequest request_of(const std::string& text) {
  RunRequest request;
  request.file = "tree.cu", request.text = text;
  return request;
}

const ValueTree::Node& node(const ValueTree& t, int n) { return t.nodes[static_cast<std::size_t>(n)]; }

/// Elements at the ends of the tree below an edge, with those that occur twice.
std::vector<std::pair<int, std::uint64_t>> ends(const ValueTree& t, int n) {
  const ValueTree::Node& x = node(t, n);
  if (x.operands.empty()) return unfold(x.elements);
  std::vector<std::pair<int, std::uint64_t>> all;
  for (const ValueTree::Edge& e : x.operands) {
    const auto more = ends(t, e.from);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void tidy(std::vector<std::pair<int, std::uint64_t>>& all) {
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
}

/// Works the tree out; nullopt where something on the way changed a value in a way that the tree does not say.
std::optional<std::uint32_t> worked_out(const ValueTree& t, const ValueTree::Edge& e,
                                        const std::function<std::uint32_t(int, std::uint64_t)>& initial) {
  if (e.from < 0 || e.changed) return std::nullopt;
  const ValueTree::Node& x = node(t, e.from);
  if (x.kind == ValueTree::Kind::element) return initial(x.elements.runs[0].buffer, x.elements.runs[0].first);
  if (x.kind != ValueTree::Kind::combined) return std::nullopt;
  std::optional<std::uint32_t> sum;
  for (const ValueTree::Edge& o : x.operands) {
    const auto v = worked_out(t, o, initial);
    if (!v) return v;
    if (!sum)
      sum = *v;
    else if (x.op == "+")
      *sum += *v;
    else if (x.op == "max")
      *sum = std::max(*sum, *v);
    else if (x.op == "min")
      *sum = std::min(*sum, *v);
    else if (x.op == "xor")
      *sum ^= *v;
    else
      return std::nullopt;
  }
  return sum;
}

/// Sums are reported from what the emulator's identities say, not from the tree.
void expect_whole(const ValueTree& t, const std::string& where) {
  ASSERT_EQ(t.refused, "") << where;
  EXPECT_EQ(t.not_followed, 0u) << where;
  std::vector<std::pair<int, std::uint64_t>> all;
  for (const ValueTree::Edge& r : t.roots)
    if (r.from >= 0) {
      const auto more = ends(t, r.from);
      all.insert(all.end(), more.begin(), more.end());
    }
  tidy(all);
  ASSERT_TRUE(t.depends.known) << where;
  EXPECT_EQ(all.size(), t.depends.count) << where;
  const auto listed = unfold(t.depends);  // all of them, or the first runs
  EXPECT_TRUE(std::ranges::includes(all, listed)) << where;
}

constexpr const char* warp_header = R"(/*
[lanescope]
block = 32

[buffers]
a = "u32 i:32"
out = "u32 i:32 = zeros"
*/
__global__ void k(const unsigned *a, unsigned *out) {
  unsigned v = a[threadIdx.x];
)";

TEST(ValueTrees, AButterflyHasFiveLevelsAndEveryLane) {
  NEEDS_NVRTC();
  Session session;
  ASSERT_TRUE(session
                  .run(request_of(std::string(warp_header) +
                                  "  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);\n"
                                  "  out[threadIdx.x] = v;\n}\n"))
                  .ok);
  const int out = 1;
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    const Moment m = session.moment(
        {.step = -1, .families = {}, .tree = TreeRequest{.of = Of::element, .buffer = out, .element = lane}});
    ASSERT_TRUE(m.tree);
    const ValueTree& t = *m.tree;
    expect_whole(t, fmt::format("lane {}", lane));
    EXPECT_EQ(t.most_level, 5);
    EXPECT_EQ(t.depends.count, 32u);
    EXPECT_EQ(results::meaning_of(session.summary(), t), "the sum of 32 elements: a[0..31]");
    // 31 sums of two values each, and the one who comes by shuffle is 16, 8, 4, 2, 1 lanes away.
    EXPECT_EQ(std::ranges::count(t.nodes, ValueTree::Kind::combined, &ValueTree::Node::kind), 31);
    for (const ValueTree::Node& n : t.nodes) {
      if (n.kind != ValueTree::Kind::combined) continue;
      ASSERT_EQ(n.operands.size(), 2u);
      for (const ValueTree::Edge& e : n.operands) {
        const int away = node(t, e.from).lane ^ n.lane;
        EXPECT_EQ(away, e.way == ValueTree::Way::shuffle ? 32 >> n.level : 0);
      }
    }
  }
}

TEST(ValueTrees, AScanHasLogarithmicDepth) {
  NEEDS_NVRTC();
  Session session;
  ASSERT_TRUE(session
                  .run(request_of(std::string(warp_header) +
                                  "  for (int d = 1; d < 32; d *= 2) {\n"
                                  "    unsigned w = __shfl_up_sync(0xffffffffu, v, d);\n"
                                  "    if (threadIdx.x >= d) v += w;\n  }\n  out[threadIdx.x] = v;\n}\n"))
                  .ok);
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    const Moment m = session.moment(
        {.step = -1, .families = {}, .tree = TreeRequest{.of = Of::element, .buffer = 1, .element = lane}});
    expect_whole(*m.tree, fmt::format("lane {}", lane));
    EXPECT_EQ(m.tree->depends.count, lane + 1);
    EXPECT_EQ(m.tree->most_level, static_cast<int>(std::bit_width(lane)));
    EXPECT_TRUE(results::meaning_of(session.summary(), *m.tree).starts_with(lane == 0 ? "a[0]" : "the sum of "))
        << lane;
  }
  const int v = test::family(session.summary(), "v");
  const auto last = static_cast<std::int64_t>(session.summary().steps) - 1;
  const Moment all = session.moment(
      {.step = last, .families = {}, .tree = TreeRequest{.of = Of::register_, .family = v, .all_lanes = true}});
  expect_whole(*all.tree, "all lanes");
  EXPECT_EQ(all.tree->roots.size(), 32u);
  EXPECT_EQ(all.tree->most_level, 5);
}

/// Kernels of 64 threads that mix shuffles, shared memory and loads at random.
std::string random_text(std::mt19937_64& random) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto combine = [&](const std::string& w) {
    constexpr const char* forms[] = {"v += {};", "v = max(v, {});", "v = min(v, {});", "v ^= {};"};
    return fmt::format(fmt::runtime(forms[below(4)]), w);
  };
  std::string text = R"(/*
[lanescope]
block = 64

[buffers]
a = "u32 i:256"
out = "u32 i:64 = zeros"
*/
__global__ void k(const unsigned *a, unsigned *out) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, v = a[t], w;
)";
  for (unsigned n = 0, count = 3 + below(6); n < count; ++n) {
    constexpr const char* shuffles[] = {"__shfl_xor_sync(~0u, v, {})", "__shfl_down_sync(~0u, v, {})",
                                        "__shfl_up_sync(~0u, v, {})", "__shfl_sync(~0u, v, {} + t)"};
    switch (below(5)) {
      case 0:
        text += "  w = a[(t * " + std::to_string(1 + 2 * below(8)) + " + " + std::to_string(below(256)) + ") % 256];\n";
        break;
      case 1:
        text += "  __syncthreads();\n  s[(t + " + std::to_string(below(64)) +
                ") % 64] = v;\n  __syncthreads();\n  w = s[t ^ " + std::to_string(below(64)) + "];\n";
        break;
      default:
        text += "  w = " + fmt::format(fmt::runtime(shuffles[below(4)]), 1 + below(31)) + ";\n";
    }
    if (below(3) == 0)
      text += "  if ((t & " + std::to_string(1 + below(31)) + ") > " + std::to_string(below(4)) + ")\n  ";
    text += "  " + combine("w") + "\n";
  }
  return text + "  out[t] = v;\n}\n";
}

TEST(ValueTrees, OfRandomKernelsGiveTheirDependencySetsAndValues) {
  NEEDS_NVRTC();
  std::mt19937_64 random(20);
  int worked = 0, all = 0;
  for (int n = 0; n < 25; ++n) {
    const std::string text = random_text(random);
    Session session;
    ASSERT_TRUE(session.run(request_of(text)).ok) << text;
    const auto result = test::elements<std::uint32_t>(test::output(session, "out"));
    std::vector<std::uint32_t> a;
    const results::Contents held = session.contents({.buffer = 0, .first = 0, .count = 256});
    a = test::elements<std::uint32_t>(test::output(session, "a"));  // it is never written
    ASSERT_EQ(a.size(), 256u);
    static_cast<void>(held);
    for (std::uint64_t t = 0; t < 64; t += 3) {
      const Moment m = session.moment(
          {.step = -1, .families = {}, .tree = TreeRequest{.of = Of::element, .buffer = 1, .element = t}});
      ASSERT_TRUE(m.tree);
      // A maximum of selects may hold fewer elements than instructions name; never others.
      expect_whole(*m.tree, fmt::format("kernel {}, thread {}\n{}", n, t, text));
      const auto value = worked_out(*m.tree, m.tree->roots[0], [&](int, std::uint64_t e) { return a[e]; });
      ++all;
      if (!value) continue;
      ++worked;
      EXPECT_EQ(*value, result[t]) << "kernel " << n << ", thread " << t << "\n" << text;
    }
  }
  EXPECT_GT(worked, all / 8);  // others have a lop3, or a value that meets itself
}

/// Kernels of the catalogue: every stored element of the recorded block.
class CatalogueTrees : public testing::TestWithParam<const char*> {};

TEST_P(CatalogueTrees, EndInTheDependencySet) {
  NEEDS_NVRTC();
  RunRequest request;
  request.file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/" + GetParam() + ".cu";
  request.text = test::text_of(request.file);
  ASSERT_FALSE(request.text.empty());
  Session session;
  ASSERT_TRUE(session.run(request).ok);
  const Moment m = session.moment({.step = -1, .families = {}, .tree = TreeRequest{}});
  ASSERT_TRUE(m.tree);
  expect_whole(*m.tree, m.tree->subject);
  EXPECT_GT(m.tree->depends.count, 1u);
}

INSTANTIATE_TEST_SUITE_P(Kernels, CatalogueTrees,
                         testing::Values("warp_sum", "warp_sum_down", "scan_shuffle", "scan_shared",
                                         "reduce_neighboured", "reduce_interleaved", "reduce_unrolled_warp",
                                         "reduce_template", "group_reduce", "dot_block", "blur_once"),
                         [](const auto& info) { return std::string(info.param); });

TEST(ElementSets, FoldAndUnfoldAreInverse) {
  std::mt19937_64 random(3);
  for (int n = 0; n < 2000; ++n) {
    std::vector<std::pair<int, std::uint64_t>> all;
    const auto count = random() % 12;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto first = random() % 40, step = 1 + random() % 5, terms = 1 + random() % 6;
      for (std::uint64_t k = 0; k < terms; ++k) all.emplace_back(static_cast<int>(random() % 2), first + k * step);
    }
    tidy(all);
    const ElementSet set = results::fold(all);
    EXPECT_EQ(set.count, all.size());
    auto back = unfold(set);
    if (set.whole) {
      EXPECT_EQ(back, all);
    } else {
      EXPECT_LT(back.size(), all.size());
      for (const auto& e : back) EXPECT_TRUE(std::ranges::binary_search(all, e));
    }
  }
}

TEST(ElementSets, AreSaidInRuns) {
  Summary s;
  s.buffers.push_back({.name = "a", .element_type = "f32", .axes = {}});
  const auto words = [&](std::vector<std::uint64_t> elements) {
    std::vector<std::pair<int, std::uint64_t>> all;
    for (const std::uint64_t e : elements) all.emplace_back(0, e);
    return results::counted_set_words(s, results::fold(all));
  };
  EXPECT_EQ(words({5}), "1 element: a[5]");
  EXPECT_EQ(words({0, 1, 2, 3}), "4 elements: a[0..3]");
  EXPECT_EQ(words({0, 32, 64, 96}), "4 elements: a[0..96 step 32]");
  EXPECT_EQ(words({0, 1, 8, 9, 16, 17}), "6 elements: a[0..1] and 2 more every 8");
  EXPECT_EQ(words({0, 16}), "2 elements: a[0..16 step 16]");
  EXPECT_EQ(words({1, 5, 6, 20}), "4 elements: a[1], a[5..6], a[20]");
}

}  // namespace
}  // namespace lanescope::engine
