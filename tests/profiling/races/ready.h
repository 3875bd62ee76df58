#pragma once
// A random program, ready to run.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/emulator/emulator.h"
#include "kernels/ptx/program.h"
#include "profiling/races/races.h"
#include "programs.h"

namespace lanescope::races::test {

struct Ready {
  ptx::Module module;
  trace::Launch launch;
  std::vector<trace::Buffer> buffers;
  std::vector<trace::CodeSite> code;
  std::vector<Area> areas() const { return {{emulator::place_buffers(buffers)[0], memory_bytes}}; }
};

/// Nothing: the reader refuses it.
inline std::optional<Ready> ready(const Program& p, const std::string& text) {
  auto module = ptx::parse(text, "test.ptx");
  if (!module) return std::nullopt;
  Ready out;
  out.module = std::move(*module);
  out.launch.kernel = "k";
  out.launch.grid = {static_cast<std::uint32_t>(p.block_count), 1, 1};
  if (p.cluster > 1) out.launch.cluster = {static_cast<std::uint32_t>(p.cluster), 1, 1};
  out.launch.block = {static_cast<std::uint32_t>(p.warps) * 32, 1, 1};
  out.launch.arguments.emplace_back(trace::BufferArgument{0, 0});
  out.buffers = {{"q", "u32", 32, std::vector<std::byte>(memory_bytes), true}};
  out.code = emulator::code_sites(out.module, *out.module.find_entry("k"), "");
  return out;
}

/// Instructions of the program that are barriers, with their pcs; of the barrier of a cluster that where threads arrive.
inline std::vector<std::pair<std::size_t, std::uint32_t>> barriers_of(const Program& p,
                                                                      const std::vector<trace::CodeSite>& code) {
  std::vector<std::pair<std::size_t, std::uint32_t>> out;
  std::uint32_t pc = 0;
  const auto next = [&](std::string_view what) {
    while (code.at(pc).text.find(what) == std::string::npos) ++pc;
    return pc++;
  };
  if (p.objects > 0) next("bar.sync 0;");  // of the start
  for (std::size_t i = 0; i < p.code.size(); ++i) {
    if (p.code[i].kind == Ins::Kind::barrier) out.emplace_back(i, next("bar.sync 0;"));
    if (p.code[i].kind == Ins::Kind::warp_sync) out.emplace_back(i, next("bar.warp.sync"));
    if (p.code[i].kind == Ins::Kind::cluster_arrive) out.emplace_back(i, next("barrier.cluster.arrive"));
  }
  return out;
}

}  // namespace lanescope::races::test
