#include "kernels/convert/exports/verify.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <random>

#include <fmt/format.h>

#include "kernels/compile/calls/nvrtc_library.h"
#include "kernels/compile/compile.h"
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
  emulator::Options options;
  options.slice = 0;
  const auto result = emulator::run(module, launch, buffers, options);
  if (!result)
    v.problem = first_of(result.error());
  else if (!result->faults.empty())
    v.problem = result->faults.front().message;
  return v.problem.empty();
}

}  // namespace lanescope::convert
