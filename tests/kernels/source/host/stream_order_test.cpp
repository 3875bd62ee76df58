// Clocks of streams against a graph of everything that happens; and what host code makes of them.

#include "kernels/source/host/log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "tests/kernels/source/host/oracle.h"

namespace lanescope::source::host {
namespace {

/// Every operation, record, wait of a stream and wait of the host is a node; an edge leads to what it comes after.
class Graph {
 public:
  explicit Graph(std::vector<bool> blocking) : blocking_(std::move(blocking)), last_(blocking_.size(), -1) {}

  int operation(std::size_t stream) { return last_[stream] = node(begin(stream)); }
  void record(int event, std::size_t stream) { events_[event] = operation(stream); }
  void wait(std::size_t stream, int event) {
    std::vector<int> after = begin(stream);
    if (events_.contains(event)) after.push_back(events_.at(event));
    last_[stream] = node(std::move(after));
  }
  void host_waits(std::size_t stream) { host_ = node(begin(stream)); }
  void host_waits_for_event(int event) {
    if (events_.contains(event)) host_ = node({host_, events_.at(event)});
  }
  void host_waits_for_all() {
    std::vector<int> after = last_;
    after.push_back(host_);
    host_ = node(std::move(after));
  }
  bool is_after(int later, int earlier) const {
    if (later == earlier) return true;
    return std::ranges::any_of(after_[static_cast<std::size_t>(later)],
                               [&](int b) { return b >= earlier && is_after(b, earlier); });
  }

 private:
  std::vector<int> begin(std::size_t stream) const {
    std::vector<int> after{host_, last_[stream]};
    for (std::size_t s = 0; s < last_.size(); ++s) {
      const bool legacy = stream == 0 && blocking_[s], of_legacy = s == 0 && blocking_[stream];
      if (legacy || of_legacy) after.push_back(last_[s]);
    }
    return after;
  }
  int node(std::vector<int> after) {
    std::erase(after, -1);
    after_.push_back(std::move(after));
    return static_cast<int>(after_.size()) - 1;
  }

  std::vector<bool> blocking_;
  std::vector<int> last_;
  std::map<int, int> events_;
  std::vector<std::vector<int>> after_;
  int host_ = -1;
};

TEST(StreamOrder, IsThatOfTheGraph) {
  std::mt19937 random(33);
  int ordered = 0, open = 0;
  for (int trial = 0; trial < 300; ++trial) {
    StreamOrder order;
    std::vector<bool> blocking{true, true};
    for (int s = 0; s < 3; ++s) {
      blocking.push_back(random() % 2 == 0);
      ASSERT_EQ(order.make(blocking.back()), blocking.size() - 1);
    }
    Graph graph(blocking);
    struct Operation {
      std::size_t stream;
      int node;
      StreamOrder::Issued issued;
    };
    std::vector<Operation> operations;
    for (int n = 0; n < 25; ++n) {
      const std::size_t stream = random() % blocking.size();
      const int event = static_cast<int>(random() % 3);
      switch (random() % 12) {
        case 0:
        case 1:
          order.record(static_cast<std::uint64_t>(event), static_cast<StreamOrder::Stream>(stream));
          graph.record(event, stream);
          break;
        case 2:
        case 3:
          order.wait(static_cast<StreamOrder::Stream>(stream), static_cast<std::uint64_t>(event));
          graph.wait(stream, event);
          break;
        case 4:
          order.host_waits(static_cast<StreamOrder::Stream>(stream));
          graph.host_waits(stream);
          break;
        case 5:
          order.host_waits_for_event(static_cast<std::uint64_t>(event));
          graph.host_waits_for_event(event);
          break;
        case 6:
          if (random() % 4 != 0) break;
          order.host_waits_for_all();
          graph.host_waits_for_all();
          break;
        default:
          operations.push_back(
              {stream, graph.operation(stream), order.issue(static_cast<StreamOrder::Stream>(stream))});
      }
    }
    for (std::size_t later = 0; later < operations.size(); ++later)
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        const Operation &b = operations[later], &a = operations[earlier];
        const bool after = a.stream < b.issued.after.size() && b.issued.after[a.stream] >= a.issued.number;
        ASSERT_EQ(after, graph.is_after(b.node, a.node)) << trial << ": " << earlier << ", " << later;
        ++(after ? ordered : open);
      }
  }
  EXPECT_GT(ordered, 1000);
  EXPECT_GT(open, 1000);
}

/// Two launches with `between` between them; whether the second one comes after the first.
bool in_order(const std::string& before, const std::string& first, const std::string& between,
              const std::string& second) {
  const HostRun run = test::run_text(
      "__global__ void k(int* p) {}\nint main() {\n  int* p; cudaMalloc(&p, 64);\n  cudaStream_t s, t;\n"
      "  cudaStreamCreate(&s);\n  cudaStreamCreate(&t);\n  cudaEvent_t e;\n  cudaEventCreate(&e);\n" +
      before + "\n  k<<<1, 1" + first + ">>>(p);\n" + between + "\n  k<<<1, 1" + second + ">>>(p);\n}\n");
  std::vector<HostOperation> launches;
  for (const HostOperation& o : run.operations)
    if (o.launch >= 0) launches.push_back(o);
  EXPECT_EQ(launches.size(), 2u) << before << between;
  return launches.size() == 2 && launches[1].is_after(launches[0]);
}

TEST(HostStreams, GiveTheOrderThatCudaGives) {
  const std::string s = ", 0, s", t = ", 0, t", none, free = "cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);";
  EXPECT_FALSE(in_order("", s, "", t));
  EXPECT_TRUE(in_order("", s, "", s));
  EXPECT_TRUE(in_order("", s, "cudaDeviceSynchronize();", t));
  EXPECT_TRUE(in_order("", s, "cudaStreamSynchronize(s);", t));
  EXPECT_FALSE(in_order("", s, "cudaStreamSynchronize(t);", t)) << "of the wrong stream";
  EXPECT_TRUE(in_order("", s, "cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0);", t));
  EXPECT_FALSE(in_order("cudaEventRecord(e, s);", s, "cudaStreamWaitEvent(t, e, 0);", t)) << "recorded too early";
  EXPECT_FALSE(in_order("", s, "cudaEventRecord(e, s); cudaStreamWaitEvent(s, e, 0);", t)) << "the other stream waits";
  EXPECT_TRUE(in_order("", s, "cudaEventRecord(e, s); cudaEventSynchronize(e);", t));
  EXPECT_TRUE(in_order("", s, "", none)) << "the legacy default stream waits for blocking streams";
  EXPECT_TRUE(in_order("", none, "", t));
  EXPECT_FALSE(in_order(free, none, "", t)) << "but not for those that are not";
  EXPECT_FALSE(in_order(free, t, "", none));
  EXPECT_FALSE(in_order("", s, "", ", 0, cudaStreamPerThread")) << "which is a blocking one";
  EXPECT_TRUE(in_order("", none, "", ", 0, cudaStreamPerThread"));
  EXPECT_TRUE(in_order("", s, "cudaFree(p);", t));
  EXPECT_TRUE(in_order("cudaStream_t all[2]; for (int i = 0; i < 2; ++i) cudaStreamCreate(&all[i]);", ", 0, all[1]", "",
                       ", 0, all[1]"));
  EXPECT_FALSE(in_order("cudaStream_t all[2]; for (int i = 0; i < 2; ++i) cudaStreamCreate(&all[i]);", ", 0, all[0]",
                        "", ", 0, all[1]"));
  EXPECT_TRUE(in_order("extern cudaStream_t made();", ", 0, made()", "", t)) << "an unknown stream claims no disorder";
}

// A copy is an operation as well: of which bytes, and until when.
TEST(HostStreams, HaveCopiesAndMemsets) {
  const HostRun run = test::run_text(
      "__global__ void k(int* p) {}\nint main() {\n  int *p, *h = (int*)malloc(64), *pinned;\n"
      "  cudaMalloc(&p, 64);\n  cudaMallocHost(&pinned, 64);\n  cudaStream_t s, t;\n  cudaStreamCreate(&s);\n"
      "  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);\n"
      "  k<<<1, 1, 0, t>>>(p);\n"
      "  cudaMemcpyAsync(pinned, p + 4, 16, cudaMemcpyDeviceToHost, s);\n"
      "  cudaMemset(p, 0, 8);\n"
      "  k<<<1, 1, 0, t>>>(p);\n"
      "  cudaMemcpyAsync(h, p, 64, cudaMemcpyDeviceToHost, t);\n"
      "  k<<<1, 1, 0, s>>>(p);\n}\n");
  ASSERT_EQ(run.operations.size(), 6u);
  const auto& o = run.operations;
  EXPECT_EQ(o[1].call, "cudaMemcpyAsync");
  EXPECT_EQ(o[1].stream, "s");
  ASSERT_FALSE(o[1].uses.empty());
  EXPECT_EQ(o[1].uses[0].at.offset_bytes, 16);
  EXPECT_EQ(o[1].uses[0].bytes, 16u);
  EXPECT_FALSE(o[1].uses[0].writes);
  EXPECT_FALSE(o[1].is_after(o[0]));
  EXPECT_TRUE(o[2].is_after(o[1])) << "the default stream waits for a blocking one";
  EXPECT_FALSE(o[2].is_after(o[0]));
  ASSERT_EQ(o[2].uses.size(), 1u);
  EXPECT_TRUE(o[2].uses[0].writes);
  EXPECT_FALSE(o[3].is_after(o[2])) << "a memset is not waited for by the host";
  EXPECT_TRUE(o[5].is_after(o[4])) << "a copy into pageable memory is";
}

}  // namespace
}  // namespace lanescope::source::host
