// Kernels whose blocks work together as clusters, right ones and the same with a barrier taken away or weakened: right ones
// have no race, and each broken one has the finding that it is made for, under any schedule.

#include <algorithm>
#include <set>
#include <sstream>

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

struct ClusterIdiom {
  const char* name;
  const char* code;
  /// Pieces that are taken out or changed, and what is found then: rule, and words of the message.
  struct Broken {
    const char* what;
    const char* with;
    const char* rule;
    const char* words;
  };
  std::vector<Broken> broken;
};

/// The barrier of the cluster and addresses in other blocks, as libraries wrap them.
const char* const cluster_head = R"(/*
Blocks of a cluster.

[lanescope]
grid = 4
block = 64
cluster = 2

[buffers]
p = "u32 i:256"
q = "u32 i:256 = zeros"
*/
__device__ void arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
__device__ void arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
__device__ void wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
__device__ unsigned rank() { unsigned r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ unsigned here(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ unsigned there(const void* p, unsigned rank) {
  unsigned r;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(here(p)), "r"(rank));
  return r;
}
__device__ unsigned load(unsigned at) {
  unsigned v;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");
  return v;
}
__device__ void store(unsigned at, unsigned v) { asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(at), "r"(v) : "memory"); }
__device__ void add(unsigned at, unsigned v) { asm volatile("red.shared::cluster.add.u32 [%0], %1;" :: "r"(at), "r"(v) : "memory"); }
__device__ void init(const void* bar, unsigned n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(here(bar)), "r"(n) : "memory"); }
__device__ void await(const void* bar, unsigned parity) {
  unsigned done = 0;
  while (done == 0)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(here(bar)), "r"(parity) : "memory");
}
)";

const ClusterIdiom cluster_idioms[] = {
    {"Neighbour",
     R"(
__global__ void __launch_bounds__(64) k(const unsigned* p, unsigned* q) {
  __shared__ unsigned s[64];
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = p[i];
  arrive(), wait();  // all have written
  q[i] = load(there(&s[63 - threadIdx.x], rank() ^ 1));
  arrive(), wait();  // all have read
}
)",
     {{"arrive(), wait();  // all have written", "__syncthreads();", "barrier-missing", "no barrier of the cluster"},
      {"arrive(), wait();  // all have written", "arrive_relaxed(), wait();", "barrier-missing", ".relaxed"},
      {"arrive(), wait();  // all have read", "", "cluster-lifetime", "may have ended"}}},
    {"Histogram",
     R"(
__global__ void __launch_bounds__(64) k(const unsigned* p, unsigned* q) {
  __shared__ unsigned bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  arrive(), wait();  // zeros
  const unsigned bin = p[blockIdx.x * 64 + threadIdx.x] % 16;
  add(there(&bins[bin % 8], bin / 8), 1);
  arrive(), wait();  // counted
  if (threadIdx.x < 8) atomicAdd(&q[rank() * 8 + threadIdx.x], bins[threadIdx.x]);
}
)",
     {{"arrive(), wait();  // zeros", "__syncthreads();", "barrier-missing", "no barrier of the cluster"},
      {"arrive(), wait();  // counted", "__syncthreads();", "barrier-missing", "no barrier of the cluster"},
      {"add(there(&bins[bin % 8], bin / 8), 1);", "store(there(&bins[bin % 8], bin / 8), threadIdx.x);",
       "barrier-missing", "both write"}}},
    {"Ring",
     R"(
__global__ void __launch_bounds__(64) k(const unsigned* p, unsigned* q) {
  __shared__ unsigned s[2][64];
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  arrive(), wait();  // all have begun
  unsigned sum = 0, value = p[i];
  for (unsigned round = 0; round < 4; ++round) {
    store(there(&s[round % 2][threadIdx.x], rank() ^ 1), value);
    arrive(), wait();  // handed on
    value = s[round % 2][threadIdx.x];
    sum += value;
  }
  q[i] = sum;
}
)",
     {{"arrive(), wait();  // all have begun", "", "cluster-lifetime", "has begun"},
      {"arrive(), wait();  // handed on", "arrive_relaxed(), wait();", "barrier-missing", ".relaxed"},
      {"arrive(), wait();  // handed on", "arrive_relaxed(), wait(); asm volatile(\"fence.acq_rel.cluster;\");",
       "barrier-missing", ".relaxed"},
      {"round % 2", "round % 1", "barrier-missing", "no barrier of the cluster"}}},
    {"RemoteArrival",
     R"(
__global__ void __launch_bounds__(64) k(const unsigned* p, unsigned* q) {
  __shared__ unsigned s[64];
  __shared__ alignas(8) unsigned long long bar;
  if (threadIdx.x == 0) init(&bar, 64);
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  arrive_relaxed(), wait();  // the object is known
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  store(there(&s[threadIdx.x], rank() ^ 1), p[i]);
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(there(&bar, rank() ^ 1)) : "memory");
  await(&bar, 0);
  q[i] = s[63 - threadIdx.x];
}
)",
     {{"asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");", "", "barrier-missing", ".relaxed"},
      {"mbarrier.arrive.release.cluster", "mbarrier.arrive.relaxed.cluster", "barrier-missing",
       "no barrier of the cluster"},
      {"await(&bar, 0);", "__syncthreads();", "cluster-lifetime", "may have ended"}}},
    {"AsynchronousStore",
     R"(
__global__ void __launch_bounds__(64) k(const unsigned* p, unsigned* q) {
  __shared__ unsigned s[64];
  __shared__ alignas(8) unsigned long long bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" :: "r"(here(&bar)) : "memory");
  }
  arrive(), wait();
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"
               :: "r"(there(&s[threadIdx.x], rank() ^ 1)), "r"(p[i]), "r"(there(&bar, rank() ^ 1)) : "memory");
  await(&bar, 0);
  q[i] = s[63 - threadIdx.x];
}
)",
     {{"await(&bar, 0);", "arrive(), wait();", "copy-not-awaited", "nothing that waits"},
      {"arrive(), wait();\n", "__syncthreads();\n", "barrier-missing", "no barrier of the cluster"}}},
    {"SharedFlag",
     R"(
__global__ void __launch_bounds__(64) k(const unsigned* p, unsigned* q) {
  __shared__ unsigned value, flag;
  if (threadIdx.x == 0) flag = 0;
  arrive(), wait();
  if (threadIdx.x == 0 && rank() == 0) {
    store(there(&value, 1), p[blockIdx.x]);
    asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" :: "r"(there(&flag, 1)) : "memory");
  }
  if (threadIdx.x == 0 && rank() == 1) {
    unsigned seen = 0;
    while (seen == 0) asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(here(&flag)) : "memory");
    q[blockIdx.x] = value;
  }
  arrive(), wait();  // the end
}
)",
     {{"st.release.cluster", "st.relaxed.cluster", "barrier-missing", "no barrier of the cluster"},
      {"st.release.cluster", "st.release.cta", "barrier-missing", ""},
      {"ld.acquire.cluster", "ld.acquire.cta", "barrier-missing", ""}}},
};

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  std::size_t at = text.find(what, text.find("__global__"));
  EXPECT_NE(at, std::string::npos) << what;
  for (; at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
    if (what != "round % 2") break;
  }
  return text;
}

class ClusterIdioms : public ::testing::TestWithParam<ClusterIdiom> {};

TEST_P(ClusterIdioms, RightOnesAreCleanInManySchedules) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const auto found = races_by_seed(std::string(cluster_head) + GetParam().code, schedules());
  ASSERT_EQ(found.size(), schedules());
  for (std::size_t seed = 0; seed < found.size(); ++seed) EXPECT_TRUE(found[seed].empty()) << seed + 1;
}

TEST_P(ClusterIdioms, BrokenOnesAreCaughtAndSayWhatIsMissing) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const std::string text = std::string(cluster_head) + GetParam().code;
  for (const ClusterIdiom::Broken& b : GetParam().broken) {
    SCOPED_TRACE(std::string(b.what) + " -> " + b.with);
    const Reviewed r = reviewed(replaced(text, b.what, b.with));
    const std::vector<Finding> of = of_rule(r, b.rule);
    const auto said = std::ranges::find_if(of, [&](const Finding& f) {
      return f.message.find(b.words) != std::string::npos && f.message.find("(rank ") != std::string::npos;
    });
    ASSERT_NE(said, of.end()) << words(r);
    EXPECT_TRUE(is_race(*said));
    EXPECT_FALSE(said->remedy.empty());
    EXPECT_GT(said->line, 0);
    ASSERT_FALSE(said->evidence.sides.empty());
    for (const Evidence::Side& s : said->evidence.sides) EXPECT_GT(s.line, 0) << s.does;
  }
}

/// Lines of the kernel whose barriers are reported to order nothing.
std::vector<std::string> unneeded_lines(const std::string& text) {
  std::vector<std::string> out;
  const Reviewed r = reviewed(text);
  for (const Finding& f : of_rule(r, "barrier-unneeded")) {
    std::istringstream lines(text);
    std::string line;
    for (int n = 0; n < f.line; ++n) std::getline(lines, line);
    out.push_back(line.substr(line.find_first_not_of(' ')));
  }
  return out;
}

TEST_P(ClusterIdioms, BarriersThatOrderNothingAreTold) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const std::string text = std::string(cluster_head) + GetParam().code;
  // Who reads the flag has of both accesses to its block, which has not ended until then.
  using Lines = std::vector<std::string>;
  const bool flag = std::string_view(GetParam().name) == "SharedFlag";
  EXPECT_EQ(unneeded_lines(text), flag ? Lines{"arrive(), wait();  // the end"} : Lines{});
  if (std::string_view(GetParam().name) == "Neighbour") {
    EXPECT_EQ(unneeded_lines(replaced(text, "  arrive(), wait();  // all have written",
                                      "  __syncthreads();\n  arrive(), wait();  // all have written\n  arrive(), "
                                      "wait();  // again")),
              (Lines{"__syncthreads();", "arrive(), wait();  // all have written", "arrive(), wait();  // again"}));
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ClusterIdioms, ::testing::ValuesIn(cluster_idioms),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lanescope::review
