#include "kernels/convert/exports/run_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <random>

#include <fmt/format.h>

#include "kernels/compile/compile.h"
#include "kernels/compile/nvrtc_library.h"
#include "kernels/emulator/emulator.h"

namespace lanescope::convert {
namespace {

std::string first_of(const Diagnostics& problems) { return problems.empty() ? "unknown" : problems.front().message; }

/// What NVRTC makes of `text`; empty where it makes nothing. `log`: its words.
enum class Made : std::uint8_t { ptx, machine_code };
std::string made_by_nvrtc(const std::string& text, const std::string& architecture, Made what, std::string* log) {
  const compile::Nvrtc& library = compile::nvrtc();
  compile::Nvrtc::Program program = nullptr;
  if (!library.usable() || library.create(&program, text.c_str(), "exported.cu", 0, nullptr, nullptr) != 0) return {};
  const std::string architecture_option = "--gpu-architecture=" + architecture;
  const std::array<const char*, 2> options = {architecture_option.c_str(), "-default-device"};
  const int status = library.compile(program, static_cast<int>(options.size()), options.data());
  std::size_t bytes = 0;
  std::string out;
  const auto size = what == Made::ptx ? library.ptx_size : library.cubin_size;
  const auto get = what == Made::ptx ? library.ptx : library.cubin;
  if (status == 0 && size(program, &bytes) == 0) {
    out.resize(bytes);
    if (get(program, out.data()) != 0) out.clear();
  } else if (log != nullptr && library.log_size(program, &bytes) == 0) {
    log->resize(bytes);
    library.log(program, log->data());
  }
  library.destroy(&program);
  return out;
}

std::string machine_code(const std::string& text, const std::string& architecture) {
  return made_by_nvrtc(text, architecture, Made::machine_code, nullptr);
}

template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T out{};
  if (at + sizeof out <= bytes.size()) std::memcpy(&out, bytes.data() + at, sizeof out);
  return out;
}

/// Of section ".text.ENTRY" of an ELF file of 64 bits: instructions have 16 bytes from sm_70 on. Behind the last one stand a
/// branch to itself and NOPs, which are not counted. 0: not found.
int machine_instructions(std::string_view elf, const std::string& entry) {
  constexpr std::size_t instruction_bytes = 16, section_bytes = 64;
  constexpr std::uint64_t opcode_mask = 0xfff, nop = 0x918, branch = 0x947;
  if (!elf.starts_with("\x7f"
                       "ELF"))
    return 0;
  const auto sections = number_at<std::uint64_t>(elf, 40);
  const auto count = number_at<std::uint16_t>(elf, 60), names = number_at<std::uint16_t>(elf, 62);
  const auto field = [&](std::size_t section, std::size_t at) {
    return number_at<std::uint64_t>(elf, sections + section * section_bytes + at);
  };
  const std::string wanted = ".text." + entry;
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t name = field(names, 24) + number_at<std::uint32_t>(elf, sections + n * section_bytes);
    if (name >= elf.size() ||
        elf.substr(name, wanted.size() + 1) != std::string_view(wanted.c_str(), wanted.size() + 1))
      continue;
    const std::uint64_t first = field(n, 24);
    std::uint64_t instructions = field(n, 32) / instruction_bytes;
    const auto opcode = [&](std::uint64_t at) {
      return number_at<std::uint64_t>(elf, first + at * instruction_bytes) & opcode_mask;
    };
    while (instructions > 0 && opcode(instructions - 1) == nop) --instructions;
    if (instructions > 0 && opcode(instructions - 1) == branch) --instructions;
    return static_cast<int>(instructions);
  }
  return 0;
}

}  // namespace

std::optional<CompiledText> compile_text(const std::string& text, std::span<const std::string> architectures,
                                         Verified& v) {
  v.compiler = compile::toolchain().nvrtc;
  if (!v.compiler) return std::nullopt;
  std::optional<CompiledText> out;
  for (const std::string& arch : architectures) {
    // Read for each: what stands behind #if __CUDA_ARCH__ is another text.
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
  }
  if (!out) v.problem = "the compiler knows none of the architectures";
  if (out) v.machine_instructions = machine_instructions(machine_code(text, v.architectures.back()), out->entry);
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
  std::string out = made_by_nvrtc(text, "compute_90", Made::ptx, &v.problem);
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
