// Which kernels are launched, as which instances, with which grid and block.

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/nearest.h"
#include "kernels/source/header/completer.h"
#include "kernels/source/header/declared_arrays.h"
#include "kernels/source/header/host_choice.h"
#include "kernels/source/header/launch_header.h"
#include "kernels/source/host/program/template_guess.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {
namespace {

using Code = Assumption::Code;

std::string words_of(const std::array<std::uint32_t, 3>& e) { return fmt::format("{} x {} x {}", e[0], e[1], e[2]); }

}  // namespace

std::vector<std::string> Completer::kernels_with_claims() const {
  std::vector<std::string> out;
  for (const FunctionRange& f : outline_.functions) {
    const auto is_inside = [&](const Claim& c) {
      return c.first_line >= f.info.first_line && c.first_line <= f.info.last_line;
    };
    if (f.info.is_kernel && (std::ranges::any_of(claims_, is_inside) ||
                             std::ranges::find(wish_.claimed, f.info.name) != wish_.claimed.end()))
      out.push_back(f.info.name);
  }
  return out;
}

std::vector<const HostLaunch*> Completer::launches() {
  if (!header_.launches.empty()) {  // the header's own, or those of them that launch the chosen kernel
    if (wish_.kernel.empty()) return {};
    std::vector<LaunchSpec> wanted;
    for (const LaunchSpec& l : header_.launches)
      if (names_instance(wish_.kernel, l.kernel)) wanted.push_back(l);
    if (wanted.empty()) {
      LaunchSpec l = header_.launches.front();
      if (!l.kernel.empty()) l = {.kernel = {}, .grid = {0, 0, 0}, .block = {0, 0, 0}, .cluster = {}, .arguments = {}};
      l.kernel = wish_.kernel;
      l.places.kernel = {};
      wanted.push_back(std::move(l));
    }
    header_.launches = std::move(wanted);
    return {};
  }
  const std::vector<std::string> claimed = kernels_with_claims();
  HostChoice choice = choose_launches(host_, outline_, wish_.kernel, claimed);
  if (choice.launches.empty()) {
    LaunchSpec& l = header_.launches.emplace_back();
    l.grid = l.block = {0, 0, 0};
    l.kernel = wish_.kernel;
    if (l.kernel.empty() && !claimed.empty()) {
      l.kernel = claimed.front();
      say(fmt::format("Kernel: {}, the first of the file with claims.", l.kernel));
    }
    return {};
  }
  for (const HostLaunch* h : choice.launches) {
    LaunchSpec& l = header_.launches.emplace_back();
    l.grid = l.block = {0, 0, 0};
    l.kernel = h->kernel;
    if (h->kernel.find('<') != std::string::npos)
      say(fmt::format("Template instance: {}, from the launch at line {}.", h->kernel, h->line));
    else
      say(fmt::format("Kernel: {}, from the launch at line {}.", h->kernel, h->line));
  }
  if (!choice.left_out.empty()) say(std::move(choice.left_out));
  return choice.launches;
}

const FunctionRange* Completer::kernel_of(LaunchSpec& l, const HostLaunch* host) {
  std::vector<std::string> names;
  for (const FunctionRange& f : outline_.functions) {
    if (!f.info.is_kernel) continue;
    if (l.kernel.empty()) {
      l.kernel = f.info.name;
      say(fmt::format("Kernel: {}, the {} of the file.", l.kernel, names.empty() ? "first" : "next"));
    }
    if (kernel_name(l.kernel) == f.info.name)
      return host != nullptr ? kernel_called(outline_, l.kernel, host->arguments.size()) : &f;
    names.push_back(f.info.name);
  }
  const std::string_view meant = nearest_name(l.kernel, names);
  wrong(l.place_or_line(l.places.kernel), fmt::format("there is no kernel `{}` in this file", l.kernel),
        meant.empty() ? fmt::format("its kernels are {}", fmt::join(names, ", "))
                      : fmt::format("did you mean `{}`?", meant));
  return nullptr;
}

const HostLaunch* Completer::host_launch_of(LaunchSpec& l) {
  for (const HostLaunch& h : host_.launches) {
    if (!names_instance(l.kernel, h.kernel)) continue;
    if (l.kernel.find('<') == std::string::npos && h.kernel.find('<') != std::string::npos) {
      l.kernel = h.kernel;
      say(fmt::format("Template instance: {}, from the launch at line {}.", l.kernel, h.line));
    }
    return &h;
  }
  for (const HostLaunch& h : host_.launches)  // another instance has the same sizes, as a rule
    if (kernel_name(h.kernel) == kernel_name(l.kernel)) return &h;
  return nullptr;
}

void Completer::template_instance(LaunchSpec& l, const FunctionRange& f) {
  if (!f.info.is_template || l.kernel.find('<') != std::string::npos) return;
  const auto guessed = host::guessed_instance(lexed_, f);
  if (!guessed) return;
  for (KernelInstance& k : instances_)
    if (k.kernel == l.kernel) k.kernel = guessed->kernel;
  l.kernel = guessed->kernel;
  assume(Code::template_arguments, &l, "", l.kernel, guessed->because);
}

void Completer::from_host(LaunchSpec& l, const HostLaunch* h) {
  l.shared_assumed = !header_.present && (h == nullptr || !h->shared_bytes);
  if (h == nullptr) return;
  l.cooperative = l.cooperative && (header_.present || h->cooperative);
  const auto take = [&](std::array<std::uint32_t, 3>& to, const auto& from, std::string_view what,
                        std::string_view unit) {
    if (to[0] != 0 || !from) return;
    to = *from;
    say(fmt::format("{}: {} x {} x {} {}, from the launch at line {}.", what, to[0], to[1], to[2], unit, h->line));
  };
  take(l.block, h->block, "Block", "threads");
  l.grid_of_occupancy = l.grid[0] == 0 && h->grid && h->after_occupancy;
  take(l.grid, h->grid, "Grid", "blocks");
  if (h->cluster && !l.cluster) {
    l.cluster = *h->cluster;
    say(fmt::format("Cluster: {} x {} x {} blocks, from the launch at line {}.", (*l.cluster)[0], (*l.cluster)[1],
                    (*l.cluster)[2], h->line));
  }
  for (const std::string& why : h->because) say(fmt::format("Launch at line {}: {}.", h->line, why));
  if (h->called && !h->certain)
    assume(Code::condition, &l, l.kernel, "made", fmt::format("though its condition is unknown at line {}", h->line));
  if (h->shared_bytes.value_or(0) > 0 && l.dynamic_shared_bytes == 0) {
    l.dynamic_shared_bytes = *h->shared_bytes;
    say(fmt::format("Dynamic shared memory: {} bytes, from the launch at line {}.", *h->shared_bytes, h->line));
  }
}

int Completer::most_bits(layout::Place place) const {
  int bits = 0;
  for (const Claim& c : claims_) bits = std::max(bits, c.stated.bits(place));
  return bits;
}

bool Completer::mentions(const FunctionRange& f, std::string_view a, std::string_view b) const {
  for (int i = f.open; i + 2 < f.close; ++i)
    if (lexed_.is(i, a) && lexed_.is(i + 1, ".") && lexed_.is(i + 2, b)) return true;
  return false;
}

void Completer::block(LaunchSpec& l, const FunctionRange& f) {
  if (l.block[0] != 0) return;
  const auto possible = [](const std::array<std::uint32_t, 3>& b) {
    return std::uint64_t{b[0]} * b[1] <= 1024 && std::uint64_t{b[0]} * b[1] * b[2] <= 1024;
  };
  if (const auto stated = extents_of(lines_, "blockDim"); stated && possible(*stated)) {
    l.block = *stated;
    return say(
        fmt::format("Block: {} x {} x {} threads, from the comment on blockDim.", l.block[0], l.block[1], l.block[2]));
  }
  for (const KernelBlock& known : wish_.blocks) {
    if (known.kernel != f.info.name) continue;
    l.block = known.block;
    return say(fmt::format("Block: {} x {} x {} threads, from {} of the kernel.", l.block[0], l.block[1], l.block[2],
                           known.because));
  }
  const bool no_claim = most_bits(layout::Place::warp) == 0 && most_bits(layout::Place::thread) == 0;
  if (no_claim && f.info.launch_bounds.empty()) {
    if (const auto tiles = block_of_tiles(lexed_, f, known_values(lexed_, header_, l), mentions(f, "threadIdx", "y"))) {
      l.block = tiles->block;
      return assume(Code::block, &l, "", words_of(l.block),
                    fmt::format("as the shared array {} suggests", tiles->array));
    }
  }
  std::uint32_t threads = 0;
  std::string_view because = "the claims' thread and warp bits";
  if (most_bits(layout::Place::warp) > 0) threads = 32U << std::min(most_bits(layout::Place::warp), 5);
  const std::uint32_t most = f.info.launch_bounds.empty()
                                 ? 0
                                 : static_cast<std::uint32_t>(std::min(
                                       std::strtoul(f.info.launch_bounds.front().c_str(), nullptr, 0), 1024UL));
  if (most >= 32 && most < threads) threads = most;  // three warps have two bits
  if (threads == 0 && most > 0) threads = most, because = "__launch_bounds__";
  if (threads == 0 && most_bits(layout::Place::thread) >= 5) threads = 32;
  bool is_default = threads == 0;
  if (is_default) {
    threads = 32;
    because = "the default: one warp";
  }
  const bool two = mentions(f, "threadIdx", "y") && threads % 32 == 0;
  l.block = {two ? 32 : threads, two ? threads / 32 : 1, 1};
  if (two && no_claim) is_default = true;  // how they are arranged stands nowhere
  if (two && threads == 32 && no_claim && !header_.present) {
    l.block = {16, 16, 1};
    because = "the default for a kernel with two axes of threads";
  }
  if (is_default && !header_.present)
    return assume(Code::block, &l, "", words_of(l.block), fmt::format("from {}", because));
  say(fmt::format("Block: {} threads, from {}.", words_of(l.block), because));
}

void Completer::grid(LaunchSpec& l) {
  if (l.grid[0] != 0) return;
  l.grid = {1, 1, 1};
  if (const auto stated = extents_of(lines_, "gridDim")) {
    l.grid = *stated;
    say(fmt::format("Grid: {} x {} x {} blocks, from the comment on gridDim.", l.grid[0], l.grid[1], l.grid[2]));
  } else if (const int bits = most_bits(layout::Place::block); bits > 0) {
    l.grid[0] = 1U << std::min(bits, 20);
    say(fmt::format("Grid: {} blocks, from the claims' block bits.", l.grid[0]));
  } else {
    header_.present ? say("Grid: one block.") : assume(Code::grid, &l, "", words_of(l.grid), "the default: one block");
  }
}

}  // namespace lanescope::source
