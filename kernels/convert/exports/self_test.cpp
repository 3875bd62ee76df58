#include "kernels/convert/exports/verify.h"

#include <fmt/format.h>

#include "kernels/convert/bits.h"

namespace lanescope::convert {
namespace {

constexpr std::string_view harness = R"(
#include <cstdio>
#include <vector>

namespace {

// A place is a number: elements of a 32-bit register lowest (2^slots), then registers (2^registers), then threads. A place
// of the destination holds what the place `map` of the source held; places with a bit of `free` hold nothing; bits of
// `copies` change nothing in the source.
struct Case {
  const char* name;
  const void* kernel;
  int element_bits, slots, registers, words, threads, from, to, shared_bytes;
  unsigned long long free, copies, constant;
  std::vector<unsigned long long> columns;
};

unsigned random_bits(unsigned long long place) {
  unsigned long long h = (place + 1) * 0x9e3779b97f4a7c15ull;
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9ull;
  return static_cast<unsigned>(h >> 32);
}

struct Part {
  unsigned reg, thread, shift;
};
Part part(const Case& c, unsigned long long place) {
  const int wide = c.element_bits < 32 ? c.element_bits : 32;
  return {static_cast<unsigned>(place >> c.slots & ((1ull << c.registers) - 1)),
          static_cast<unsigned>(place >> (c.slots + c.registers)),
          static_cast<unsigned>(place & ((1ull << c.slots) - 1)) * wide};
}
unsigned& word(const Case& c, std::vector<unsigned>& words, const Part& p) {
  return words[(p.reg / c.words * c.threads + p.thread) * c.words + p.reg % c.words];
}

// The number of elements; -1 after a failure.
long long passes(const Case& c) {
  const auto fails = [&](const char* why) {
    std::printf("fail %s: %s\n", c.name, why);
    return -1ll;
  };
  std::vector<unsigned> p(c.from * c.threads, 0u), q(c.to * c.threads, 0xdeadbeefu);
  const unsigned mask = c.element_bits >= 32 ? ~0u : (1u << c.element_bits) - 1;
  const unsigned long long places = static_cast<unsigned long long>(c.threads) << (c.slots + c.registers);
  for (unsigned long long place = 0; place < places; ++place) {
    const Part at = part(c, place);
    if (at.reg < static_cast<unsigned>(c.from)) word(c, p, at) |= (random_bits(place & ~c.copies) & mask) << at.shift;
  }
  unsigned *device_p = nullptr, *device_q = nullptr;
  if (cudaMalloc(&device_p, 4 * p.size()) != cudaSuccess || cudaMalloc(&device_q, 4 * q.size()) != cudaSuccess)
    return fails("no memory");
  cudaMemcpy(device_p, p.data(), 4 * p.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(device_q, q.data(), 4 * q.size(), cudaMemcpyHostToDevice);
  void* arguments[] = {&device_p, &device_q};
  if (c.shared_bytes > 48 * 1024)
    cudaFuncSetAttribute(c.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, c.shared_bytes);
  cudaLaunchKernel(c.kernel, dim3(1), dim3(c.threads), arguments, c.shared_bytes, nullptr);
  const cudaError_t problem = cudaDeviceSynchronize();
  cudaMemcpy(q.data(), device_q, 4 * q.size(), cudaMemcpyDeviceToHost);
  cudaFree(device_p);
  cudaFree(device_q);
  if (problem != cudaSuccess || cudaGetLastError() != cudaSuccess) return fails(cudaGetErrorString(problem));
  long long compared = 0;
  for (unsigned long long place = 0; place < places; ++place) {
    const Part at = part(c, place);
    if ((place & c.free) != 0 || at.reg >= static_cast<unsigned>(c.to)) continue;
    unsigned long long from = c.constant;
    for (size_t i = 0; i < c.columns.size(); ++i) from ^= (place >> i & 1) != 0 ? c.columns[i] : 0;
    ++compared;
    if ((word(c, q, at) >> at.shift & mask) != (random_bits(from & ~c.copies) & mask)) {
      std::printf("fail %s: register %u, bit %u, thread %u\n", c.name, at.reg, at.shift, at.thread);
      return -1;
    }
  }
  std::printf("pass %s: %lld elements\n", c.name, compared);
  return compared;
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("fail: there is no GPU\n");
    return 2;
  }
  int failed = 0;
  long long elements = 0;
  for (const Case& c : cases()) {
    const long long compared = passes(c);
    if (compared < 0) ++failed;
    elements += compared < 0 ? 0 : compared;
  }
  std::printf("%d of %zu failed, %lld elements compared\n", failed, cases().size(), elements);
  return failed == 0 ? 0 : 1;
}
)";

std::string runner(const NamedConversion& n, const std::string& name_space) {
  const PlaceMap& map = n.conversion.planned.map;
  const std::size_t words = std::size_t{1} << map.word_bits;
  const std::size_t from = (std::size_t{1} << map.from_registers) / words,
                    to = (std::size_t{1} << map.to_registers) / words, threads = std::size_t{lanes} << map.warps;
  const std::string type = words == 1 ? "unsigned" : words == 2 ? "uint2" : "uint4";
  return fmt::format(
      "\n__global__ void __launch_bounds__({0}) {1}_run(const {2}* p, {2}* q) {{\n  {2} x[{3}], y[{4}];\n"
      "  #pragma unroll\n  for (int n = 0; n < {3}; n++) x[n] = p[n * {0} + threadIdx.x];\n{5}  {7}{1}(x, y{6});\n"
      "  #pragma unroll\n  for (int n = 0; n < {4}; n++) q[n * {0} + threadIdx.x] = y[n];\n}}\n",
      threads, n.name, type, from, to, n.conversion.plan.shared ? "  extern __shared__ uint4 memory[];\n" : "",
      n.conversion.plan.shared ? ", memory" : "", name_space.empty() ? "" : name_space + "::");
}

std::string case_text(const NamedConversion& n) {
  const PlaceMap& map = n.conversion.planned.map;
  std::uint64_t free = 0;
  for (int i = 0; i < map.total(); ++i)
    if (map.roles[index(i)] == Role::free) free |= bit(i);
  const std::uint64_t shared = n.conversion.plan.shared ? (n.conversion.plan.shared->shared_bytes() + 15) / 16 * 16 : 0;
  return fmt::format(
      "      {{\"{0}\", reinterpret_cast<const void*>({0}_run), {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}ull, "
      "{10}ull, {11}ull,\n       {{{12}}}}},\n",
      n.name, map.element_bits, map.slots, map.registers, 1 << map.word_bits, lanes << map.warps,
      1 << map.from_registers, 1 << map.to_registers, shared, free, map.from_copies, map.constant,
      fmt::join(map.columns, ", "));
}

}  // namespace

std::string self_test_file(std::span<const NamedConversion> conversions, const std::string& name_space) {
  std::string out =
      "// Tests conversions on the GPU that it finds: nvcc -std=c++17 FILE.cu -o test && ./test\n// Exit status: 0 all "
      "pass, 1 "
      "one fails, 2 no GPU.\n\n";
  if (!name_space.empty()) out += fmt::format("namespace {} {{\n\n", name_space);
  for (const NamedConversion& n : conversions)
    out += device_function(n.conversion, {.function = n.name, .name_space = ""}) + "\n";
  if (!name_space.empty()) out += fmt::format("}}  // namespace {}\n", name_space);
  for (const NamedConversion& n : conversions) out += runner(n, name_space);
  std::string text(harness);
  const std::string_view end_of_case = "  std::vector<unsigned long long> columns;\n};\n";
  std::string cases = "\nconst std::vector<Case>& cases() {\n  static const std::vector<Case> all = {\n";
  for (const NamedConversion& n : conversions) cases += case_text(n);
  cases += "  };\n  return all;\n}\n";
  text.insert(text.find(end_of_case) + end_of_case.size(), cases);
  return out + text;
}

}  // namespace lanescope::convert
