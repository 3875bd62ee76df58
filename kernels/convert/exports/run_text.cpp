#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <random>

#include "kernels/compile/calls/nvrtc_library.h"
#include "kernels/compile/compile.h"
#include "kernels/convert/bits.h"
#include "kernels/convert/exports/verify.h"
#include "kernels/emulator/emulator.h"

namespace lanescope::convert {
namespace {

std::string first_of(const Diagnostics& problems) { return problems.empty() ? "unknown" : problems.front().message; }

/// PTX that NVRTC makes of `text`; empty where it makes none. `log`: its words.
std::string ptx_by_nvrtc(const std::string& text, const std::string& architecture, std::string& log) {
  const compile::Nvrtc& library = compile::nvrtc();
  compile::Nvrtc::Program program = nullptr;
  if (!library.usable() || library.create(&program, text.c_str(), "exported.cu", 0, nullptr, nullptr) != 0) return {};
  const std::string architecture_option = "--gpu-architecture=" + architecture;
  const std::array<const char*, 2> options = {architecture_option.c_str(), "-default-device"};
  const int status = library.compile(program, static_cast<int>(options.size()), options.data());
  std::size_t bytes = 0;
  std::string out;
  if (status == 0 && library.ptx_size(program, &bytes) == 0) {
    out.resize(bytes);
    if (library.ptx(program, out.data()) != 0) out.clear();
  } else if (library.log_size(program, &bytes) == 0) {
    log.resize(bytes);
    library.log(program, log.data());
  }
  library.destroy(&program);
  return out;
}

}  // namespace

std::optional<CompiledText> compile_text(const std::string& text, std::span<const std::string> architectures,
                                         Verified& v) {
  v.compiler = compile::toolchain().nvrtc;
  if (!v.compiler) return std::nullopt;
  std::optional<CompiledText> out;
  for (const std::string& arch : architectures) {
    // Read for each: what stands after #if __CUDA_ARCH__ is another text.
    source::ReadOptions options;
    std::from_chars(arch.data() + std::min<std::size_t>(3, arch.size()), arch.data() + arch.size(),
                    options.target.architecture);
    const auto source = source::read("exported.cu", text, options);
    if (!source) {
      v.problem = first_of(source.error());
      return std::nullopt;
    }
    const auto outcome = compile::compile(*source, compile::Variant::plain, {.arch = arch, .extra = {}});
    if (!outcome) {
      v.problem = fmt::format("{}: {}", arch, first_of(outcome.error()));
      return std::nullopt;
    }
    const compile::Compiled& c = outcome->compiled;
    if (c.arch != arch) continue;  // not known to this compiler
    if (!c.warnings.empty()) {
      v.problem = fmt::format("{}: {}", arch, c.warnings.front().message);
      return std::nullopt;
    }
    v.architectures.push_back(arch);
    for (const auto& [name, resources] : c.resources) v.registers = std::max(v.registers, resources.registers);
    Expected<ptx::Module> module = ptx::parse(c.ptx);
    if (!module) {
      v.problem = fmt::format("{}: {}", arch, first_of(module.error()));
      return std::nullopt;
    }
    out = CompiledText{.module = std::move(*module), .entry = c.entry_names.empty() ? "" : c.entry_names.front()};
    const auto machine = c.machine.find(out->entry);
    v.machine = machine == c.machine.end() ? compile::MachineCounts{} : machine->second;
  }
  if (!out) v.problem = "the compiler has none of the architectures";
  return out;
}

trace::Buffer random_buffer(std::string name, std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> contents(bytes);
  for (std::byte& b : contents) b = static_cast<std::byte>(random());
  return {
      .name = std::move(name), .element_type = "u8", .element_bits = 8, .bytes = std::move(contents), .traced = false};
}

trace::ValueArgument bytes_of_number(std::int64_t value) {
  trace::ValueArgument out;
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
  return out;
}

std::optional<ptx::Module> compile_to_ptx(const std::string& text, Verified& v) {
  const compile::Nvrtc& library = compile::nvrtc();
  v.compiler = library.usable();
  if (!v.compiler) return std::nullopt;
  std::string out = ptx_by_nvrtc(text, "compute_90", v.problem);
  while (!out.empty() && out.back() == '\0') out.pop_back();
  if (out.empty()) {
    if (v.problem.empty()) v.problem = "NVRTC makes nothing of it";
    return std::nullopt;
  }
  Expected<ptx::Module> module = ptx::parse(out);
  if (module) return std::move(*module);
  v.problem = first_of(module.error());
  return std::nullopt;
}

bool run_text(const CompiledText& code, trace::Launch launch, std::vector<trace::Buffer>& buffers, Verified& v) {
  launch.kernel = code.entry;
  return run_text(code.module, launch, buffers, v);
}

bool run_text(const ptx::Module& module, const trace::Launch& launch, std::vector<trace::Buffer>& buffers,
              Verified& v) {
  const auto result = emulator::run(module, launch, buffers, {.slice = 0});
  if (!result)
    v.problem = first_of(result.error());
  else if (!result->faults.empty())
    v.problem = result->faults.front().message;
  return v.problem.empty();
}

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
  trace::Launch launch{.kernel = entry, .grid = {1, 1, 1}, .block = {static_cast<std::uint32_t>(threads_), 1, 1}};
  if (c_.plan.shared)
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>((c_.plan.shared->shared_bytes() + 15) / 16 * 16);
  launch.arguments = {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}};
  if (!run_text(module, launch, buffers, v)) return;
  std::uint64_t free = 0;
  for (int i = 0; i < map.total(); ++i)
    if (map.roles[index(i)] == Role::free) free |= bit(i);
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
