// Operations of the host on buffers between launches, in programs by hand.

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/kernels/source/host/oracle.h"

namespace lanescope::source::test {
namespace {

/// "copy b0+0 <- b1+4 8", "set b0+0 16 7", "write b1+4 8", "address b0+8 -> b1+0", in order, each with its launch.
std::string changes_of(const HostRun& run) {
  std::string out;
  const auto place = [](const HostPointer& p) {
    return "b" + std::to_string(p.buffer) + "+" + std::to_string(p.offset_bytes);
  };
  for (const HostChange& c : run.changes) {
    out += std::to_string(c.launches_before) + " ";
    const std::string to = c.symbol.empty() ? place(c.to) : c.symbol + "+" + std::to_string(c.to.offset_bytes);
    switch (c.kind) {
      case HostChange::Kind::copy:
        out += "copy " + to + " <- " + place(c.from) + " " + std::to_string(c.bytes);
        break;
      case HostChange::Kind::set:
        out += "set " + to + " " + std::to_string(c.bytes) + " " + std::to_string(c.value);
        break;
      case HostChange::Kind::write:
        out += "write " + to + " " + std::to_string(c.bytes);
        break;
      case HostChange::Kind::address:
        out += "address " + to + " -> " + place(c.from);
        break;
      case HostChange::Kind::unknown:
        out += "unknown " + to;
        break;
    }
    out += c.certain ? "\n" : " perhaps\n";
  }
  return out;
}

TEST(HostRunChanges, CopiesBetweenBuffersMemsetsAndStores) {
  const HostRun r = run_text(R"(
__global__ void f(int* a, int* b) {}
int main() {
  int *a, *b, *m; cudaMalloc(&a, 64); cudaMalloc(&b, 64); cudaMallocManaged(&m, 64);
  cudaMemset(a, 0, 64);
  f<<<1, 16>>>(a, m);
  cudaMemcpy(b, a, 32, cudaMemcpyDeviceToDevice);
  cudaMemset(a + 2, 7, 8);
  m[3] = 5;
  f<<<1, 16>>>(a, b);
  f<<<1, 16>>>(b, m);
})");
  EXPECT_EQ(changes_of(r), "1 copy b1+0 <- b0+0 32\n1 set b0+8 8 7\n1 write b2+12 4\n");
}

/// A round trip over the host is a copy as long as its source has not changed.
TEST(HostRunChanges, RoundTripsOverTheHost) {
  const std::string text = R"(
__global__ void f(int* a, int* b) {}
int main() {
  int *a, *b, h[16]; cudaMalloc(&a, 64); cudaMalloc(&b, 64);
  f<<<1, 16>>>(a, a);
  cudaMemcpy(h, a, 64, cudaMemcpyDeviceToHost);
  %s
  cudaMemcpy(b, h, 64, cudaMemcpyHostToDevice);
  f<<<1, 16>>>(b, b);
})";
  const auto with = [&](const std::string& between) {
    std::string all = text;
    return changes_of(run_text(all.replace(all.find("%s"), 2, between)));
  };
  EXPECT_EQ(with(""), "1 copy b1+0 <- b0+0 64\n");
  EXPECT_EQ(with("h[2] = 9;"), "1 copy b1+0 <- b0+0 64\n1 write b1+8 4\n");
  EXPECT_EQ(with("h[2] = h[1] + 1;"), "1 unknown b1+0\n") << "a value that the host computes from a kernel's";
  EXPECT_EQ(with("f<<<1, 16>>>(a, a);"), "2 unknown b1+0\n") << "the source has changed since";
  EXPECT_EQ(with("if (h[0] > 3) cudaMemset(a, 0, 64);"), "1 unknown b0+0\n1 unknown b1+0\n");
}

/// Structures in managed memory with pointers inside: the words are addresses, for any placement of the buffers.
TEST(HostRunChanges, ListsInManagedMemory) {
  const HostRun r = run_text(R"(
struct Node { int key; Node* next; };
__global__ void f(Node* n) {}
int main() {
  Node* first; cudaMallocManaged(&first, sizeof(Node));
  Node* n = first;
  for (int i = 0; i < 2; i++) { n->key = i; cudaMallocManaged(&n->next, sizeof(Node)); n = n->next; }
  n->key = 7; n->next = nullptr;
  f<<<1, 1>>>(first);
  f<<<1, 1>>>(first);
})");
  EXPECT_EQ(changes_of(r), "0 address b0+8 -> b1+0\n0 address b1+8 -> b2+0\n");
  ASSERT_EQ(r.buffers.size(), 3U);
  for (const HostBuffer& b : r.buffers) {
    EXPECT_TRUE(b.contents) << b.name << b.because;
    EXPECT_FALSE(b.host_only);
  }
}

/// A structure that brings its own operator new, as a base without members: its members begin at byte 0, in managed memory.
TEST(HostRunChanges, ClassesThatAllocateThemselves) {
  const HostRun r = run_text(R"(
class Managed {
 public:
  void* operator new(size_t n) { void* p; cudaMallocManaged(&p, n); return p; }
  void operator delete(void* p) { cudaFree(p); }
};
struct Item : public Managed { char* name; int value; };
__global__ void f(Item* i) {}
int main() {
  Item* i = new Item; i->value = 3;
  cudaMallocManaged((void**)&(i->name), strlen("hello") + 1);
  strcpy(i->name, "hello");
  f<<<1, 1>>>(i);
})");
  EXPECT_EQ(changes_of(r), "0 address b0+0 -> b1+0\n");
  ASSERT_EQ(r.buffers.size(), 2U);
  EXPECT_EQ(r.buffers[0].bytes, 16U);
  EXPECT_FALSE(r.buffers[0].host_only);
  ASSERT_TRUE(r.buffers[1].contents);
  EXPECT_EQ(std::to_integer<char>(r.buffers[1].contents->at(4)), 'o');
}

/// Memory that a list points to may be written by the kernel, too.
TEST(HostRunChanges, KernelsWriteThroughPointersInMemory) {
  const HostRun r = run_text(R"(
struct View { float* p; int n; };
__global__ void f(const View* v) {}
int main() {
  View* v; cudaMallocManaged(&v, sizeof(View)); cudaMallocManaged(&v->p, 64);
  v->n = 16; v->p[0] = 1;
  f<<<1, 16>>>(v);
  int grid = (int)v->p[0];
  f<<<grid, 16>>>(v);
})");
  ASSERT_EQ(r.launches.size(), 2U);
  EXPECT_FALSE(r.launches[1].grid) << "the kernel may have written v->p[0]";
}

TEST(HostRunChanges, ArraysOfPointersThatAreCopied) {
  const HostRun r = run_text(R"(
__global__ void f(float** p) {}
int main() {
  float *h[2], **d; cudaMalloc(&h[0], 64); cudaMalloc(&h[1], 32); cudaMalloc(&d, sizeof(h));
  h[1] += 2;
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  f<<<1, 16>>>(d);
})");
  EXPECT_EQ(changes_of(r), "0 address b2+0 -> b0+0\n0 address b2+8 -> b1+8\n");
}

TEST(HostRunChanges, ManagedVariables) {
  const HostRun r = run_text(R"(
__managed__ int count = 3;
__managed__ float table[4];
__global__ void f() {}
int main() { table[1] = 2; f<<<1, 1>>>(); int n = count; count = 9; f<<<n, 1>>>(); })");
  EXPECT_EQ(changes_of(r), "0 write table+4 4\n1 write count+0 4\n");
  EXPECT_FALSE(r.launches[1].grid) << "a kernel may have written it";
}

TEST(HostRunChanges, AddressesOfVariables) {
  const HostRun r = run_text(R"(
__device__ float d[16];
__constant__ int c[4];
__global__ void f(float* p) { p[0] = d[0]; }
int main() {
  float h[4] = {1, 2, 3, 4}, *q;
  void* r; size_t bytes;
  cudaMemcpyToSymbol(c, h, 16);
  cudaGetSymbolAddress((void**)&q, d); cudaGetSymbolAddress(&r, c); cudaGetSymbolSize(&bytes, d);
  cudaMemcpy(q + 4, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemset(r, 0, 8);
  cudaMemcpyToSymbol(c, h, 4, 8);
  f<<<1, bytes>>>(nullptr);
  cudaMemset(q, 1, 8);
  cudaMemcpyToSymbol(d, h + 2, 8, 8);
  f<<<1, 1>>>(q);
})");
  ASSERT_EQ(r.symbols.size(), 1U) << "before its address is known, a variable is set by its name";
  EXPECT_EQ(changes_of(r), "0 write d+16 16\n0 write c+0 12\n1 write d+0 16\n");
  EXPECT_EQ(r.launches.at(0).block, (std::array<std::uint32_t, 3>{64, 1, 1}));
  ASSERT_EQ(r.assumed.size(), 1U) << "the variable and the parameter are one array";
  EXPECT_EQ(r.assumed[0].code, Assumption::Code::host_action);
}

/// The direction of a copy, as an H100 takes it: only pageable memory on the side of a device is an error.
TEST(HostRunChanges, DirectionsOfCopies) {
  const auto run = [](const std::string& copy) {
    return run_text(R"(
__global__ void f(int* a) {}
int main() {
  int *a, *b, *pinned, h[4] = {1, 2, 3, 4}; cudaMalloc(&a, 16); cudaMalloc(&b, 16); cudaMallocHost(&pinned, 16);
  int e = )" + copy +
                    R"(;
  f<<<e + 1, 4>>>(a);
})");
  };
  const auto status = [&](const std::string& copy) {
    return static_cast<int>((*run(copy).launches.at(0).grid)[0]) - 1;
  };
  EXPECT_EQ(status("cudaMemcpy(a, h, 16, cudaMemcpyHostToDevice)"), 0);
  EXPECT_EQ(status("cudaMemcpy(a, h, 16, cudaMemcpyDefault)"), 0);
  EXPECT_EQ(status("cudaMemcpy(a, h, 16, cudaMemcpyHostToHost)"), 0);
  EXPECT_EQ(status("cudaMemcpy(a, b, 16, cudaMemcpyHostToDevice)"), 0);
  EXPECT_EQ(status("cudaMemcpy(a, pinned, 16, cudaMemcpyDeviceToDevice)"), 0);
  EXPECT_EQ(status("cudaMemcpy(a, h, 16, cudaMemcpyDeviceToHost)"), 1);
  EXPECT_EQ(status("cudaMemcpy(a, h, 16, cudaMemcpyDeviceToDevice)"), 1);
  EXPECT_EQ(status("cudaMemcpy(h, a, 16, cudaMemcpyHostToDevice)"), 1);
  EXPECT_EQ(status("cudaMemcpyAsync(h, a, 16, cudaMemcpyHostToDevice)"), 1);
  EXPECT_EQ(status("cudaMemcpy2D(h, 8, a, 8, 8, 2, cudaMemcpyHostToDevice)"), 1);
  EXPECT_EQ(status("cudaMemcpy(a, h, 16, (cudaMemcpyKind)5)"), 21);
  const HostRun wrong = run("cudaMemcpy(a, h, 16, cudaMemcpyDeviceToHost)");
  ASSERT_EQ(wrong.errors.size(), 1U);
  EXPECT_EQ(wrong.errors[0].line, 5);
  EXPECT_EQ(wrong.errors[0].message,
            "the source of `cudaMemcpy` is pageable memory of the host, and its direction is "
            "cudaMemcpyDeviceToHost: CUDA returns cudaErrorInvalidValue, and copies nothing");
  EXPECT_FALSE(wrong.buffers.at(0).written);
  EXPECT_TRUE(std::ranges::none_of(wrong.operations, [](const HostOperation& o) { return o.call == "cudaMemcpy"; }));
}

/// "5 call_fails", ... of a `main` whose statements begin in line 4.
std::string errors_of(const std::string& statements) {
  const HostRun run =
      run_text("__global__ void f(int* a) {}\n__global__ void g(int* a) {}\nint main(int argc, char** argv) {\n" +
               statements + "\n}\n");
  static constexpr const char* codes[] = {"call_fails", "freed_memory", "out_of_bounds",
                                          "wrong_side", "unordered",    "pageable"};
  std::string out;
  for (const HostError& e : run.errors)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", e.line, codes[static_cast<int>(e.code)]);
  return out;
}

/// As an H200 reports them (driver 580, CUDA 13.0): copies and memsets of one byte more than an allocation has, memory
/// freed twice or by the address of a byte inside, and 48 KiB of dynamic shared memory and one byte.
TEST(HostErrors, AreThoseOfTheRuntime) {
  const std::string start = "int *a, *b, h[64]; cudaMalloc(&a, 256); cudaMalloc(&b, 256); cudaMemset(b, 0, 256);\n";
  const auto errors = [&](const std::string& line) { return errors_of(start + line); };
  const std::string launch = "; f<<<1, 1>>>(a);", use = "f<<<1, 1>>>(a); ";
  EXPECT_EQ(errors("cudaMemcpy(a, h, 256, cudaMemcpyHostToDevice)" + launch), "");
  EXPECT_EQ(errors("cudaMemcpy(a, h, 257, cudaMemcpyHostToDevice)" + launch), "5 out_of_bounds, 5 call_fails");
  EXPECT_EQ(errors("cudaMemcpy(a, b, 257, cudaMemcpyDeviceToDevice)" + launch), "5 call_fails, 5 call_fails");
  EXPECT_EQ(errors("cudaMemcpy(a + 32, b, 256, cudaMemcpyDefault)" + launch), "5 call_fails");
  EXPECT_EQ(errors("cudaMemset(a, 0, 257)" + launch), "5 call_fails");
  EXPECT_EQ(errors("cudaMemset(h, 0, 16)" + launch), "5 call_fails");
  EXPECT_EQ(errors("cudaMemcpy2D(a, 128, h, 128, 128, 2, cudaMemcpyHostToDevice)" + launch), "");
  EXPECT_EQ(errors("cudaMemcpy2D(a, 128, b, 128, 128, 3, cudaMemcpyDeviceToDevice)" + launch),
            "5 call_fails, 5 call_fails");
  EXPECT_EQ(errors(use + "cudaFree(a); cudaFree(nullptr);"), "");
  EXPECT_EQ(errors(use + "cudaFree(a); cudaFree(a);"), "5 call_fails");
  EXPECT_EQ(errors(use + "cudaFree(a + 1);"), "5 call_fails");
  EXPECT_EQ(errors(use + "cudaFree(h);"), "5 call_fails");
  EXPECT_EQ(errors(use + "cudaFree(a); f<<<1, 1>>>(b); f<<<1, 1>>>(a);"), "5 freed_memory");
  EXPECT_EQ(errors(use + "if (argc > 1) cudaFree(a);\nf<<<1, 1>>>(a);"), "");
  EXPECT_EQ(errors("f<<<1, 1, 49152>>>(a);"), "");
  EXPECT_EQ(errors("f<<<1, 1, 49153>>>(a);"), "5 call_fails");
  EXPECT_EQ(errors("cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);\n"
                   "f<<<1, 1, 65536>>>(a); f<<<1, 1, 65537>>>(a); g<<<1, 1, 65536>>>(a);"),
            "6 call_fails, 6 call_fails");
  EXPECT_EQ(errors("cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449);" + launch),
            "5 call_fails");
  EXPECT_EQ(errors("extern void prepare(void (*)(int*)); prepare(f); f<<<1, 1, 65536>>>(a);"), "");
  EXPECT_EQ(errors("f<<<0, 1>>>(a);"), "5 call_fails");
  EXPECT_EQ(errors("f<<<1, 1>>>(h);"), "5 pageable");
  EXPECT_EQ(errors(use + "int x = a[1];"), "5 wrong_side");
  EXPECT_EQ(errors(use + "a[1] = 2;"), "5 wrong_side");
  EXPECT_EQ(errors(use + "memcpy(h, a, 16);"), "5 wrong_side");
  EXPECT_EQ(errors(use + "int* p = &a[1]; int n = sizeof *a;"), "");
  const std::string copied = "int* h2; cudaMallocHost(&h2, 256); cudaStream_t s; cudaStreamCreate(&s); " + use +
                             "cudaMemcpyAsync(h2, b, 128, cudaMemcpyDefault, s);\n";
  EXPECT_EQ(errors(copied + "int x = h2[31];"), "6 unordered");
  EXPECT_EQ(errors(copied + "h2[31] = 2;"), "6 unordered");
  EXPECT_EQ(errors(copied + "int x = h2[32];"), "");
  EXPECT_EQ(errors(copied + "cudaStreamSynchronize(s); int x = h2[31];"), "");
}

/// The launches of a program that captures a graph, each with the changes before it.
TEST(HostGraphs, AreIssuedInEachLaunch) {
  const auto run = [](const std::string& captured, const std::string& after) {
    return run_text(
        "__global__ void f(int* a) {}\n__global__ void g(int* a) {}\nint main() {\n"
        "int *a, *b; cudaMalloc(&a, 64); cudaMalloc(&b, 64); cudaStream_t s, t; cudaStreamCreate(&s);\n"
        "cudaStreamCreate(&t); cudaEvent_t e, x; cudaEventCreate(&e); cudaEventCreate(&x);\n"
        "cudaGraph_t graph; cudaGraphExec_t exec; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);\n" +
        captured + "\ncudaStreamEndCapture(s, &graph); cudaGraphInstantiate(&exec, graph, 0);\n" + after + "\n}\n");
  };
  const auto kernels = [](const HostRun& r) {
    std::string out;
    for (const HostLaunch& l : r.launches) out += l.kernel;
    return out;
  };
  const std::string both = "f<<<1, 1, 0, s>>>(a); g<<<1, 1, 0, s>>>(a);", launch = "cudaGraphLaunch(exec, s);";
  EXPECT_EQ(kernels(run(both, "")), "") << "nothing of it has happened";
  EXPECT_EQ(kernels(run(both, launch + "f<<<1, 1>>>(a);" + launch)), "fgffg");
  EXPECT_EQ(kernels(run("f<<<1, 1, 0, t>>>(a);", launch)), "f") << "of another stream, which is issued at once";
  const HostRun copies =
      run("cudaMemsetAsync(a, 1, 64, s); f<<<1, 1, 0, s>>>(a);\n"
          "cudaMemcpyAsync(b, a, 32, cudaMemcpyDeviceToDevice, s);",
          "f<<<1, 1>>>(b); " + launch + launch + "f<<<1, 1>>>(b);");
  EXPECT_EQ(kernels(copies), "ffff");
  EXPECT_EQ(changes_of(copies), "1 set b0+0 64 1\n2 copy b1+0 <- b0+0 32\n2 set b0+0 64 1\n3 copy b1+0 <- b0+0 32\n");
  // A second stream that waits for the first one is captured, too, and runs beside it.
  const HostRun forked =
      run("f<<<1, 1, 0, s>>>(a); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0);\n"
          "g<<<1, 1, 0, t>>>(a); f<<<1, 1, 0, s>>>(b);\n"
          "cudaEventRecord(x, t); cudaStreamWaitEvent(s, x, 0);",
          launch + launch);
  EXPECT_EQ(kernels(forked), "fgffgf");
  std::vector<HostOperation> launches;
  for (const HostOperation& o : forked.operations)
    if (o.launch >= 0) launches.push_back(o);
  ASSERT_EQ(launches.size(), 6U);
  EXPECT_TRUE(launches[1].is_after(launches[0]));
  EXPECT_TRUE(launches[2].is_after(launches[0]));
  EXPECT_FALSE(launches[2].is_after(launches[1]));
  EXPECT_TRUE(launches[3].is_after(launches[1]));
  EXPECT_TRUE(launches[3].is_after(launches[2]));
}

TEST(HostSymbols, ReferencesLeadToTheirVariable) {
  const HostRun r = run_text(
      "__constant__ float c[4];\ntemplate <typename T> void put(const T& to, const float* h, int n) {\n"
      "  cudaMemcpyToSymbol(to, h, n); }\n__global__ void f(int* a) {}\n"
      "int main() { float h[4] = {1, 2, 3, 4}; put(c, h, 16); int* a; cudaMalloc(&a, 4); f<<<1, 1>>>(a); }\n");
  ASSERT_EQ(r.symbols.size(), 1U);
  EXPECT_EQ(r.symbols[0].name, "c");
  ASSERT_TRUE(r.symbols[0].contents);
  EXPECT_EQ(r.symbols[0].contents->size(), 16U);
}

/// A vector of 256 GiB is refused before it is filled: the launch after it is there, and costs no steps.
TEST(HostRunChanges, WhatIsLargerThanMemoryIsNotFilled) {
  for (const char* filling :
       {"std::vector<float> v(1ull << 36, 1.5f);", "std::vector<float> v; v.assign(1ull << 36, 2.f);",
        "std::vector<float> v(1ull << 36); std::fill(v.begin(), v.end(), 3.f);"}) {
    const HostRun r = run_text(std::string("__global__ void f(float* a) {}\nint main() { ") + filling +
                               " float* d; cudaMalloc(&d, 64); cudaMemcpy(d, v.data(), 64, cudaMemcpyHostToDevice);"
                               " f<<<1, 16>>>(d); }");
    ASSERT_EQ(r.launches.size(), 1U) << filling;
    EXPECT_LT(r.steps, 1000U) << filling;
    EXPECT_FALSE(r.buffers.at(0).contents) << filling;
    EXPECT_EQ(r.buffers.at(0).because, "it is larger than what is followed") << filling;
  }
}

/// A grid is one of resident blocks if another number of these gives another grid; a literal one below the answer is not.
TEST(HostRunChanges, GridsOfResidentBlocks) {
  const HostRun r = run_text(R"(
__global__ void f(int* a) {}
int main() {
  int blocks = 0, *a; cudaMalloc(&a, 64);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 256, 0);
  f<<<blocks * 132, 256>>>(a);
  f<<<16, 256>>>(a);
  f<<<blocks < 4 ? blocks : 4, 256>>>(a);
})");
  ASSERT_EQ(r.launches.size(), 3U);
  EXPECT_TRUE(r.launches[0].after_occupancy);
  EXPECT_FALSE(r.launches[1].after_occupancy);
  EXPECT_TRUE(r.launches[2].after_occupancy);
}

}  // namespace
}  // namespace lanescope::source::test
