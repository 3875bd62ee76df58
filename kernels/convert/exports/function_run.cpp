#include "kernels/convert/exports/verify.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "kernels/convert/bits.h"

namespace lanescope::convert {

FunctionRun::FunctionRun(const Conversion& conversion, std::string name) : c_(conversion), name_(std::move(name)) {
  const PlaceMap& map = c_.planned.map;
  words_ = std::size_t{1} << map.word_bits;
  from_ = std::size_t{1} << map.from_registers;
  to_ = std::size_t{1} << map.to_registers;
  threads_ = std::size_t{lanes} << map.warps;
  element_mask_ = static_cast<std::uint32_t>(map.element_bits >= 32 ? ~0U : bit(map.element_bits) - 1);
}

std::string FunctionRun::kernel(const std::string& middle) const {
  const std::string word = words_ == 1 ? "unsigned" : words_ == 2 ? "uint2" : "uint4";
  return fmt::format(
      "extern \"C\" __global__ void __launch_bounds__({0}) {4}(const {1}* p, {1}* q) {{\n  {1} x[{2}], y[{3}];\n"
      "  #pragma unroll\n  for (int n = 0; n < {2}; n++) x[n] = p[n * {0} + threadIdx.x];\n{5}"
      "  #pragma unroll\n  for (int n = 0; n < {3}; n++) q[n * {0} + threadIdx.x] = y[n];\n}}\n",
      threads_, word, from_ / words_, to_ / words_, entry(), middle);
}

std::string FunctionRun::text() const {
  return device_function(c_, {.function = name_, .name_space = ""}) +
         kernel(c_.plan.shared ? fmt::format("  extern __shared__ uint4 memory[];\n  {}(x, y, memory);\n", name_)
                               : fmt::format("  {}(x, y);\n", name_));
}

std::string FunctionRun::text_without_conversion() const {
  // Every register is loaded, whether it is stored or not.
  std::string middle;
  for (std::size_t n = 0; n < from_ / words_; ++n) {
    const std::string x = fmt::format("x[{}]", n);
    middle +=
        words_ == 1 ? fmt::format("  asm volatile(\"\" : \"+r\"({}));\n", x)
        : words_ == 2
            ? fmt::format("  asm volatile(\"\" : \"+r\"({0}.x), \"+r\"({0}.y));\n", x)
            : fmt::format("  asm volatile(\"\" : \"+r\"({0}.x), \"+r\"({0}.y), \"+r\"({0}.z), \"+r\"({0}.w));\n", x);
  }
  for (std::size_t n = 0; n < to_ / words_; ++n) middle += fmt::format("  y[{}] = x[{}];\n", n, n % (from_ / words_));
  return kernel(middle);
}

FunctionRun::Part FunctionRun::part(std::uint64_t place) const {
  const PlaceMap& map = c_.planned.map;
  const auto bits_of = static_cast<std::uint64_t>(std::min(map.element_bits, 32));
  return {place >> map.slots & (bit(map.registers) - 1), place >> map.local() & (threads_ - 1),
          (place & (bit(map.slots) - 1)) * bits_of};
}

std::size_t FunctionRun::word_at(const Part& p) const {
  return ((p.reg / words_) * threads_ + p.thread) * words_ + p.reg % words_;
}

std::uint32_t FunctionRun::load(const trace::Buffer& b, const Part& p) const {
  std::uint32_t out = 0;
  std::memcpy(&out, b.bytes.data() + 4 * word_at(p), 4);
  return out >> p.shift & element_mask_;
}

std::uint64_t FunctionRun::places() const { return bit(c_.planned.map.local() + lane_bits + c_.planned.map.warps); }

/// Random, but copies hold the same.
trace::Buffer FunctionRun::source() const {
  const PlaceMap& map = c_.planned.map;
  trace::Buffer out = random_buffer("p", 4 * from_ * threads_, 1);
  if (map.from_copies == 0) return out;
  for (std::uint64_t place = 0; place < places(); ++place) {
    const std::uint64_t first = place & ~map.from_copies;
    if (first == place) continue;
    const Part here = part(place), there = part(first);
    if (here.reg >= from_ || there.reg >= from_) continue;
    std::uint32_t word = 0;
    std::memcpy(&word, out.bytes.data() + 4 * word_at(here), 4);
    word = (word & ~(element_mask_ << here.shift)) | load(out, there) << here.shift;
    std::memcpy(out.bytes.data() + 4 * word_at(here), &word, 4);
  }
  return out;
}

void FunctionRun::execute(const ptx::Module& module, const std::string& entry, Verified& v) const {
  const PlaceMap& map = c_.planned.map;
  std::vector<trace::Buffer> buffers = {source(), random_buffer("q", 4 * to_ * threads_, 2)};
  trace::Launch launch;
  launch.kernel = entry;
  launch.block = {static_cast<std::uint32_t>(threads_), 1, 1};
  launch.grid = {1, 1, 1};
  if (c_.plan.shared)
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>((c_.plan.shared->shared_bytes() + 15) / 16 * 16);
  launch.arguments = {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}};
  if (!run_text(module, launch, buffers, v)) return;
  std::uint64_t free = 0;
  for (int i = 0; i < map.total(); ++i) {
    if (map.roles[index(i)] == Role::free) free |= bit(i);
  }
  for (std::uint64_t place = 0; place < places(); ++place) {
    if ((place & free) != 0) continue;
    const Part here = part(place);
    if (here.reg >= to_) continue;
    ++v.elements;
    if (load(buffers[1], here) == load(buffers[0], part(map(place)))) continue;
    v.problem = fmt::format("register {}, bit {}, thread {} is wrong", here.reg, here.shift, here.thread);
    return;
  }
}

}  // namespace lanescope::convert
