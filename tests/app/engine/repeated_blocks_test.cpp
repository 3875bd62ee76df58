// Verdicts of runs in which blocks that repeat others do not run: the same as if all of them ran.

#include "app/engine/prepare/repeated_blocks.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <random>
#include <sstream>

#include "app/engine/prepare/prepare.h"
#include "kernels/emulator/emulator.h"
#include "kernels/ptx/value_numbers.h"
#include "tests/app/engine/support.h"
#include "tests/catalogue/cores/collected.h"
#include "tests/sample.h"

namespace lanescope::engine {
namespace {

struct Verdicts {
  std::vector<std::string> words;
  std::uint64_t ran = 0, blocks = 0;
};

/// All that a verdict says but in which blocks it was found.
std::string said_by(const claims::ClaimResult& r) {
  std::string failure = "-";
  if (r.first_failure)
    failure = fmt::format("block {} warp {} iteration {}", r.first_failure->block, r.first_failure->warp,
                          r.first_failure->iteration);
  return fmt::format("{} {} instances {} places {} inactive {} outside | {} | {} | {} | line {} | {}",
                     enum_name(r.verdict), r.instances, r.places, r.inactive_places, r.outside_places, r.difference,
                     failure, r.actual ? layout::print_line(*r.actual) : r.actual_words, r.first_false_line,
                     r.reason.code == claims::Why::as_seen ? "" : r.reason.words());
}

Verdicts verdicts(const Prepared& prepared, bool repeats) {
  Verdicts out;
  const ProbedRun run = run_probed(prepared.probed, *prepared.source, prepared.buffers, {.repeats_blocks = repeats});
  EXPECT_TRUE(run.faults.empty()) << run.faults.front().message;
  for (const auto& launch : run.launches) {
    out.ran += launch->coverage.ran();
    out.blocks += launch->trace.launch.grid.count();
    for (const claims::ClaimResult& r : launch->collector->judge()) out.words.push_back(said_by(r));
  }
  return out;
}

Prepared prepared_text(const std::string& text) {
  RunRequest request;
  request.file = "blocks.cu";
  request.text = text;
  Prepared out = prepare(request, [](std::string_view) {}, nullptr, {});
  EXPECT_TRUE(out.ready) << text << "\n" << (out.diagnostics.empty() ? "" : out.diagnostics.front().message);
  return out;
}

/// Compares both runs; the number of blocks that ran of those of the launch.
Verdicts expect_same(const Prepared& prepared, const std::string& what) {
  const Verdicts whole = verdicts(prepared, false);
  const Verdicts some = verdicts(prepared, true);
  EXPECT_EQ(some.words, whole.words) << what;
  EXPECT_FALSE(some.words.empty()) << what;
  EXPECT_EQ(whole.ran, whole.blocks);
  return some;
}

struct Shape {
  std::string grid, block, x, y, arguments, body;
};

std::string kernel_text(const Shape& s, const std::string& rows) {
  return fmt::format(R"(/*
[lanescope]
grid = {}
block = {}
args = {{ {} }}
[buffers]
x = "f32 {}"
y = {{ type = "f32", axes = "{}", init = "zeros" }}
*/
__global__ void kernel(const float* __restrict__ x, float* y, int n, int width)
{{
{}
}}
)",
                     s.grid, s.block, s.arguments, s.x, s.y,
                     fmt::format(fmt::runtime(s.body), fmt::arg("claim", rows)));
}

// Each reads one element, states where it is, and stores it.
struct Family {
  const char* name;
  Shape shape;
  std::vector<std::string> rows;  ///< some hold, some do not
  std::uint64_t most_ran;         ///< blocks
};

std::string claim(const std::string& rows) { return "// v has the following register assignment:\n" + rows; }

const std::string lanes_n = "//   thread: t4 t3 t2 t1 t0 <-> n4 n3 n2 n1 n0\n";
const std::string lanes_wrong = "//   thread: t4 t3 t2 t1 t0 <-> n4 n3 n2 n0 n1\n";
const std::string warps_n = lanes_n + "//   warp: w0 <-> n5\n";
const std::string blocks_n = warps_n + "//   block: b3 b2 b1 b0 <-> n9 n8 n7 n6\n";
const std::string blocks_wrong = warps_n + "//   block: b3 b2 b1 b0 <-> n9 n8 n6 n7\n";
const std::string lanes_j = "//   thread: t4 t3 t2 t1 t0 <-> j4 j3 j2 j1 j0\n";
const std::string rows_i = lanes_j + "//   warp: w0 <-> i0\n";
const std::string blocks_ij = rows_i + "//   block: b3 b2 b1 b0 <-> i2 i1 j6 j5\n";

std::vector<Family> families() {
  const Shape line{
      .grid = "16", .block = "64", .x = "n:1024", .y = "n:1024", .arguments = "n = 1024, width = 32", .body = ""};
  const Shape plane{.grid = "[4, 4]",
                    .block = "[32, 2]",
                    .x = "i:8 j:128",
                    .y = "i:8 j:128",
                    .arguments = "n = 1024, width = 128",
                    .body = ""};
  const auto with = [](Shape s, std::string body) {
    s.body = std::move(body);
    return s;
  };
  Shape ragged = line;
  ragged.x = ragged.y = "n:1000", ragged.arguments = "n = 1000, width = 32";
  Shape odd = line;
  odd.block = "48";
  Shape strided = line;
  strided.x = strided.y = "n:4096", strided.arguments = "n = 4096, width = 32";
  std::vector<Family> out;
  const std::vector<std::string> n_rows = {lanes_n, lanes_wrong, warps_n, blocks_n, blocks_wrong};
  out.push_back(
      {"plain", with(line, "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float v = x[i];\n  {claim}  y[i] = v;"),
       n_rows, 1});
  out.push_back({"guarded",
                 with(ragged,
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  float v = x[i];\n  "
                      "{claim}  y[i] = v;"),
                 n_rows, 2});
  out.push_back({"guarded by an unsigned",
                 with(ragged,
                      "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) {{\n  float v = x[i];\n  "
                      "{claim}  y[i] = v; }}"),
                 n_rows, 2});
  out.push_back({"64 bits",
                 with(ragged,
                      "  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;\n  if (i >= size_t(n)) return;\n  "
                      "float v = x[i];\n  {claim}  y[i] = v;"),
                 n_rows, 2});
  out.push_back({"first block apart",
                 with(line,
                      "  int i = blockIdx.x * 64 + threadIdx.x;\n  if (blockIdx.x == 0) i ^= 1;\n  float v = x[i];\n  "
                      "{claim}  y[i] = v;"),
                 n_rows, 16});
  out.push_back({"last block apart",
                 with(line,
                      "  int i = blockIdx.x * 64 + threadIdx.x;\n  int j = blockIdx.x == gridDim.x - 1 ? threadIdx.x : "
                      "i;\n  float v = x[j];\n  {claim}  y[i] = v;"),
                 n_rows, 16});
  out.push_back(
      {"reversed",
       with(line,
            "  int i = (gridDim.x - 1 - blockIdx.x) * 64 + threadIdx.x;\n  float v = x[i];\n  {claim}  y[i] = v;"),
       n_rows, 1});
  out.push_back({"in groups",
                 with(line,
                      "  int i = ((blockIdx.x & 3) * 4 + (blockIdx.x >> 2)) * 64 + threadIdx.x;\n  float v = x[i];\n  "
                      "{claim}  y[i] = v;"),
                 n_rows, 1});
  out.push_back(
      {"a swizzle of blocks",
       with(line,
            "  int i = (blockIdx.x ^ (blockIdx.x >> 1)) * 64 + threadIdx.x;\n  float v = x[i];\n  {claim}  y[i] = v;"),
       n_rows, 1});
  out.push_back(
      {"lanes depend on the block",
       with(line,
            "  int i = blockIdx.x * 64 + (threadIdx.x ^ (blockIdx.x & 3));\n  float v = x[i];\n  {claim}  y[i] = v;"),
       n_rows, 16});
  out.push_back({"tiles of 48",
                 with(odd, "  int i = blockIdx.x * 48 + threadIdx.x;\n  float v = x[i];\n  {claim}  y[i] = v;"), n_rows,
                 1});
  out.push_back({"warps of the grid",
                 with(line,
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  int warp = i >> 5, lane = i & 31;\n  float "
                      "v = x[warp * 32 + lane];\n  {claim}  y[i] = v;"),
                 n_rows, 1});
  out.push_back({"rows by division",
                 with(line,
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  int r = i / width, c = i % width;\n  float "
                      "v = x[r * width + c];\n  {claim}  y[i] = v;"),
                 n_rows, 1});
  out.push_back({"grid stride",
                 with(strided,
                      "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {{\n  "
                      "float v = x[i];\n  {claim}  y[i] = v; }}"),
                 n_rows, 1});
  out.push_back({"loops of blocks",
                 with(strided,
                      "  for (int k = 0; k <= blockIdx.x; ++k) {{\n  float v = x[k * 64 + threadIdx.x];\n  {claim}  "
                      "y[k * 64 + threadIdx.x] = v; }}"),
                 n_rows, 16});
  out.push_back({"in place",
                 with(line,
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float v = x[i] + y[i];\n  float w = y[i];\n "
                      " y[i] = v;\n  v = w;\n  {claim}  y[i] = v + 1;"),
                 n_rows, 1});
  out.push_back({"reads what others write",
                 with(line,
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  y[(i + 64) % 1024] = x[i];\n  "
                      "__threadfence();\n  float v = ((volatile float*)y)[i];\n  {claim}  y[i] = v;"),
                 n_rows, 16});
  out.push_back({"two places",
                 with(line,
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float u = x[threadIdx.x];\n  float v = "
                      "x[i];\n  {claim}  y[i] = u + v;"),
                 n_rows, 16});
  out.push_back({"data decide",
                 with(line,
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float v = x[i];\n  if (v > 500) v = x[i ^ "
                      "1];\n  {claim}  y[i] = v;"),
                 n_rows, 16});
  out.push_back({"shared",
                 with(line,
                      "  __shared__ float s[64];\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  s[threadIdx.x ^ "
                      "1] = x[i];\n  __syncthreads();\n  float v = s[threadIdx.x];\n  {claim}  y[i] = v;"),
                 {lanes_n, "//   thread: t4 t3 t2 t1 t0 <-> n4 n3 n2 n1 ~n0\n",
                  "//   thread: t4 t3 t2 t1 t0 <-> n4 n3 n2 n1 ~n0\n//   block: b3 b2 b1 b0 <-> n9 n8 n7 n6\n"},
                 1});
  out.push_back({"shuffled",
                 with(line,
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float v = __shfl_xor_sync(~0u, x[i], 2);\n  "
                      "{claim}  y[i] = v;"),
                 {lanes_n, "//   thread: t4 t3 t2 t1 t0 <-> n4 n3 n2 ~n1 n0\n"},
                 1});
  out.push_back({"sums",
                 with(line,
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float v = x[i] + __shfl_xor_sync(~0u, x[i], "
                      "16);\n  {claim}  y[i] = v;"),
                 {lanes_n, "//   thread: t4 t3 t2 t1 t0 <-> [unused] n3 n2 n1 n0\n",
                  "//   thread: t3 t2 t1 t0 <-> n3 n2 n1 n0\n"},
                 1});
  out.push_back({"tiles",
                 with(plane,
                      "  int r = blockIdx.y * 2 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;\n  float v = x[r * "
                      "width + c];\n  {claim}  y[r * width + c] = v;"),
                 {lanes_j, rows_i, blocks_ij, lanes_j + "//   warp: w0 <-> i1\n"},
                 1});
  out.push_back({"tiles with edges",
                 with(plane,
                      "  int r = blockIdx.y * 2 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;\n  if (r < 7 && c < "
                      "100) {{ float v = x[r * width + c];\n  {claim}  y[r * width + c] = v; }}"),
                 {lanes_j, rows_i, blocks_ij},
                 4});
  out.push_back({"columns",
                 with(plane,
                      "  int r = threadIdx.y + 2 * blockIdx.y, c = threadIdx.x + 32 * blockIdx.x;\n  float v = x[(c % "
                      "8) * width + r * 16 + c / 8];\n  {claim}  y[r * width + c] = v;"),
                 {lanes_j, rows_i},
                 16});
  return out;
}

TEST(RepeatedBlocks, VerdictsAreThoseOfAllBlocks) {
  NEEDS_NVRTC();
  std::size_t launches = 0;
  for (const Family& f : families())
    for (const std::string& rows : f.rows) {
      const Prepared prepared = prepared_text(kernel_text(f.shape, claim(rows)));
      if (!prepared.ready) continue;
      const Verdicts some = expect_same(prepared, fmt::format("{}:\n{}", f.name, rows));
      EXPECT_LE(some.ran, f.most_ran) << f.name;
      ++launches;
    }
  EXPECT_GE(launches, 100u);
}

// Shared memory of blocks that repeat another one is not looked at: the review sees the same.

/// All that a collector sees of the first launch, but which barriers are needed: a value that one block happens to write
/// twice may differ in another.
catalogue::Collected collected(const Prepared& prepared, std::vector<std::uint32_t> like, std::uint32_t cores) {
  const trace::Launch& launch = prepared.plain.launches.front();
  std::vector<trace::Buffer> buffers = prepared.buffers;
  review::LaunchReview watched;
  watched.launch = launch;
  watched.entry = prepared.plain.module.find_entry(launch.kernel);
  watched.code = sites_of(prepared.plain, launch);
  const auto addresses = emulator::place_buffers(buffers);
  for (std::size_t b = 0; b < buffers.size(); ++b)
    watched.buffers.push_back({buffers[b].name, addresses[b], buffers[b].bytes.size(), buffers[b].element_bits});
  for (const emulator::SharedPlace& s : emulator::shared_places(prepared.plain.module, launch, buffers))
    watched.shared.push_back({s.name, s.address, s.alignment, s.offset, s.bytes});
  watched.shared_bases = ptx::shared_bases(prepared.plain.module, *watched.entry);
  catalogue::Collecting collecting(watched, buffers);
  collecting.collector.repeat(std::move(like));
  const auto ran = emulator::run(prepared.plain.module, launch, buffers,
                                 {.observers = {&collecting.collector}, .cores = cores, .alone_steps = 0});
  EXPECT_TRUE(ran && ran->faults.empty());
  catalogue::Collected out = collecting.end();
  for (std::string& line : out) {
    if (!line.starts_with("barrier ")) continue;
    std::vector<std::string> words;
    std::istringstream in(line);
    for (std::string w; in >> w;) words.push_back(w);
    words.erase(words.begin() + 3);
    line = fmt::format("{}", fmt::join(words, " "));
  }
  return out;
}

/// Whether some block repeats another one.
bool expect_same_review(const Prepared& prepared, const std::string& what) {
  const trace::Launch& launch = prepared.plain.launches.front();
  const std::vector<std::uint32_t> like =
      alike_in_shared_memory(prepared.plain, launch, sites_of(prepared.plain, launch), prepared.buffers, {});
  if (like.empty()) return false;
  const catalogue::Collected whole = collected(prepared, {}, 1);
  for (const std::uint32_t cores : {1u, 3u}) EXPECT_EQ(collected(prepared, like, cores), whole) << what;
  std::size_t repeat = 0;
  for (std::uint32_t block = 0; block < like.size(); ++block) repeat += like[block] != block ? 1 : 0;
  return repeat > 0;
}

TEST(RepeatedBlocks, TheCatalogueIsJudgedAlike) {
  NEEDS_NVRTC();
  const std::filesystem::path folder = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "assets/kernels";
  std::size_t repeated = 0, reviewed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cu" || entry.path().stem() == "pointer_offsets") continue;
    RunRequest request;
    request.file = entry.path().string();
    request.text = test::text_of(request.file);
    if (request.text.find("<->") == std::string::npos) continue;
    const Prepared prepared = prepare(request, [](std::string_view) {}, nullptr, {});
    ASSERT_TRUE(prepared.ready) << request.file;
    const bool large = std::ranges::any_of(
        prepared.probed.launches, [](const trace::Launch& l) { return l.grid.count() >= least_blocks_to_repeat; });
    if (!large || prepared.source->claims.empty()) continue;
    const Verdicts some = expect_same(prepared, request.file);
    if (some.ran < some.blocks) ++repeated;
    if (expect_same_review(prepared, request.file)) ++reviewed;
  }
  EXPECT_GE(repeated, 5u);
  EXPECT_GE(reviewed, 1u);
}

// Acts of a block, in the order of its warps: an oracle that has no terms.

struct Act {
  std::uint32_t warp = 0, pc = 0, active = 0;
  std::vector<std::uint64_t> addresses, shared;  ///< of active lanes; shared: in shared memory
};

class Acts final : public trace::Observer {
 public:
  std::map<std::uint32_t, std::vector<Act>> by_block;
  void on_step(const trace::Where& w) override { by_block[w.block].push_back({w.warp, w.pc, w.active, {}, {}}); }
  void on_access(const trace::AccessEvent& e) override {
    Act& act = by_block[e.where.block].back();
    std::vector<std::uint64_t>& out = e.space == trace::MemorySpace::shared ? act.shared : act.addresses;
    for (std::size_t lane = 0; lane < e.addresses.size(); ++lane)
      if ((e.where.active >> lane & 1) != 0) out.push_back(e.addresses[lane]);
  }
};

/// How many blocks repeat another one; each is compared with it, act by act.
std::size_t expect_repeated(const Prepared& prepared, const std::string& what) {
  const Program& program = prepared.probed;
  const trace::Launch& launch = program.launches.front();
  const auto found = repeated_blocks(program, launch, prepared.buffers, {.repeats_blocks = true});
  if (!found) return 0;
  Acts acts;
  std::vector<trace::Buffer> buffers = prepared.buffers;
  EXPECT_TRUE(emulator::run(program.module, launch, buffers, {.slice = 0, .observers = {&acts}}).has_value());
  const std::vector<std::uint64_t> places = emulator::place_buffers(buffers);
  for (std::uint32_t block = 0; block < found->like.size(); ++block) {
    const std::vector<Act>&mine = acts.by_block[block], &other = acts.by_block[found->like[block]];
    EXPECT_EQ(mine.size(), other.size()) << what << "\nblock " << block;
    if (mine.size() != other.size()) return 0;
    for (std::size_t n = 0; n < mine.size(); ++n) {
      const Act &a = mine[n], &b = other[n];
      EXPECT_TRUE(a.warp == b.warp && a.pc == b.pc && a.active == b.active && a.shared == b.shared)
          << what << "\nblock " << block;
      for (std::size_t lane = 0; lane < a.addresses.size(); ++lane) {
        const auto at = std::ranges::upper_bound(places, a.addresses[lane]) - places.begin() - 1;
        const auto moved = found->moved_bytes.find(static_cast<int>(at));
        if (moved == found->moved_bytes.end()) continue;  // it is stored to
        EXPECT_EQ(a.addresses[lane] - b.addresses[lane], static_cast<std::uint64_t>(moved->second[block]))
            << what << "\nblock " << block;
      }
      if (testing::Test::HasFailure()) return 0;
    }
  }
  return found->like.size() - found->ran.size();
}

/// Whole numbers of threads, blocks and constants.
class Expressions {
 public:
  explicit Expressions(std::mt19937& random) : random_(random) {}
  std::string any(int depth) {
    if (depth == 0) return leaf();
    const std::string a = any(depth - 1), b = any(depth - 1);
    switch (pick(14)) {
      case 0:
      case 1:
      case 2:
        return fmt::format("({} + {})", a, b);
      case 3:
        return fmt::format("({} - {})", a, b);
      case 4:
      case 5:
        return fmt::format("({} * {})", a, 1 + pick(70));
      case 6:
        return fmt::format("({} & {})", a, (1 << pick(8)) - pick(2));
      case 7:
        return fmt::format("({} {} {})", a, pick(2) == 0 ? "|" : "^", pick(2) == 0 ? b : std::to_string(pick(64)));
      case 8:
        return fmt::format("({} {} {})", a, pick(2) == 0 ? "<<" : ">>", pick(6));
      case 9:
        return fmt::format("(int)((unsigned){} {} {}u)", a, pick(2) == 0 ? "/" : "%", 1 + pick(40));
      case 10:
        return fmt::format("({} {} (width + {}))", a, pick(2) == 0 ? "/" : "%", pick(3));
      case 11:
        return fmt::format("{}({}, {})", pick(2) == 0 ? "min" : "max", a, b);
      case 12:
        return fmt::format("({} {} {} ? {} : {})", a, compares[pick(6)], b, any(depth - 1), leaf());
      default:
        return fmt::format("(int)((long long){} * {} + {})", a, 1 + pick(9), b);
    }
  }
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  static constexpr std::array compares = {"<", "<=", ">", ">=", "==", "!="};

 private:
  std::string leaf() {
    static constexpr std::array leaves = {"(int)threadIdx.x",
                                          "(int)threadIdx.x",
                                          "(int)threadIdx.y",
                                          "(int)blockIdx.x",
                                          "(int)(blockIdx.x * 64)",
                                          "(int)blockIdx.y",
                                          "(int)gridDim.x",
                                          "n",
                                          "width"};
    return pick(5) == 0 ? std::to_string(pick(300)) : leaves[static_cast<std::size_t>(pick(leaves.size()))];
  }
  std::mt19937& random_;
};

TEST(RepeatedBlocks, BlocksOfRandomKernelsDoWhatTheyRepeat) {
  NEEDS_NVRTC();
  std::mt19937 random(11);
  Expressions e(random);
  std::size_t repeating = 0;
  const std::size_t kernels = lanescope::test::exhaustive() ? 2000 : 80;
  for (std::size_t n = 0; n < kernels && !HasFailure(); ++n) {
    const Shape shape{.grid = "[12, 3]",
                      .block = "[32, 2]",
                      .x = "n:65536",
                      .y = "n:65536",
                      .arguments = fmt::format("n = {}, width = {}", 100 + e.pick(2000), 1 + e.pick(70)),
                      .body = ""};
    std::string body = fmt::format("  int i = {};\n", e.any(1 + e.pick(3)));
    if (e.pick(2) == 0)
      body += fmt::format("  if ({} {} {}) i += {};\n", e.any(2), e.compares[e.pick(6)], e.any(1), e.any(1));
    if (e.pick(3) == 0) body += fmt::format("  for (int k = 0; k < ({} & 3); ++k) i += {};\n", e.any(1), e.any(1));
    if (e.pick(3) == 0) body += fmt::format("  i = __shfl_xor_sync(~0u, i, {});\n", 1 + e.pick(31));
    body += "  float v = 0;\n  if (i >= 0 && i < 65536) v = x[i];\n";
    body += "  y[(blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.y * 32 + threadIdx.x] = v;\n";
    Shape own = shape;
    own.body = "{claim}";
    const std::string text = kernel_text(own, body);
    const Prepared prepared = prepared_text(text);
    if (prepared.ready && expect_repeated(prepared, text) > 0) ++repeating;
  }
  EXPECT_GE(repeating, kernels / 4) << "otherwise this proves little";
}

TEST(RepeatedBlocks, AReviewOfSharedMemoryIsThatOfAllBlocks) {
  NEEDS_NVRTC();
  std::mt19937 random(5);
  Expressions e(random);
  std::size_t repeating = 0;
  const std::size_t kernels = lanescope::test::exhaustive() ? 1000 : 60;
  for (std::size_t n = 0; n < kernels && !HasFailure(); ++n) {
    const Shape shape{.grid = "[12, 3]",
                      .block = "[32, 2]",
                      .x = "n:4096",
                      .y = "n:4096",
                      .arguments = fmt::format("n = {}, width = {}", 100 + e.pick(2000), 1 + e.pick(70)),
                      .body = "{claim}"};
    // Each thread has a word of its own, in one order or another, before all read: no race, if nothing is added.
    std::string body =
        "  __shared__ float a[64];\n  __shared__ int s[256];\n  int t = threadIdx.y * 32 + threadIdx.x;\n";
    body += "  int g = (blockIdx.y * gridDim.x + blockIdx.x) * 64 + t;\n";
    body += fmt::format("  if ({} {} {}) s[t * {} + {} & 255] = t;\n", e.any(1), e.compares[e.pick(6)], e.any(1),
                        1 + e.pick(4), e.pick(64));
    if (e.pick(2) == 0) body += fmt::format("  a[t ^ {}] = x[g];\n  a[t ^ {}] += 1;\n", e.pick(64), e.pick(64));
    if (e.pick(4) > 0) body += "  __syncthreads();\n";
    if (e.pick(3) == 0) body += fmt::format("  atomicAdd(&s[t & {}], 1);\n  __syncthreads();\n", e.pick(64));
    body += fmt::format("  float v = s[{} & 255];\n", e.any(1 + e.pick(2)));
    if (e.pick(2) == 0) body += fmt::format("  if ({} > {}) v += a[(t & 31) + {}];\n", e.any(1), e.any(1), e.pick(40));
    if (e.pick(2) == 0)
      body += fmt::format("  for (int k = 0; k < {}; ++k) v += s[k * {} + t & 255];\n", 1 + e.pick(4), e.pick(9));
    body += "  y[g] = v;\n";
    const std::string text = kernel_text(shape, body);
    const Prepared prepared = prepared_text(text);
    if (!prepared.ready || !expect_same_review(prepared, text)) continue;
    ++repeating;
  }
  EXPECT_GE(repeating, kernels / 4) << "otherwise this proves little";
}

}  // namespace
}  // namespace lanescope::engine
