// Names of architectures and GPUs as people, compilers and drivers write them.

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/text.h"
#include "profiling/occupancy/gpu_table.h"

namespace lanescope::occupancy {
namespace {

/// Lower-case words of letters and digits; other characters separate them: "V100-SXM2" -> v100 sxm2.
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  bool inside = false;
  for (const char c : text) {
    const bool letter = is_letter(c) || is_digit(c);
    if (letter && !inside) out.emplace_back();
    if (letter) out.back() += lower(c);
    inside = letter;
  }
  return out;
}

/// Words that make another GPU of the name before them.
bool changes_the_gpu(std::string_view word) {
  static constexpr std::array<std::string_view, 13> others = {
      "laptop", "mobile", "d", "ti", "super", "pcie", "nvl", "mig", "max", "gh200", "dgx", "c", "80gb"};
  return std::find(others.begin(), others.end(), word) != others.end();
}

/// How many words of `name` the query spells, all of them in a row, or 0.
std::size_t matched_words(const std::vector<std::string>& query, const std::vector<std::string>& name) {
  const auto at = std::search(query.begin(), query.end(), name.begin(), name.end());
  if (at == query.end()) return 0;
  const bool other = std::any_of(at + static_cast<std::ptrdiff_t>(name.size()), query.end(), changes_the_gpu);
  return other ? 0 : name.size();
}

std::string digits_of_arch(std::string_view name) {
  for (const std::string_view prefix : {"sm_", "compute_", "sm", "cc"})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  if (!name.empty() && (name.back() == 'a' || name.back() == 'f')) name.remove_suffix(1);  // "sm_90a", "sm_100f"
  std::string digits;
  for (const char c : name)
    if (c != '.') digits += c;
  return digits;
}

}  // namespace

Expected<Arch> GpuTable::arch(std::string_view name) const {
  const std::string digits = digits_of_arch(name);
  std::vector<std::string_view> known;
  for (const Arch& a : archs) {
    if (a.name == "sm_" + digits) return a;
    known.push_back(a.name);
  }
  return failure(fmt::format("the limits of architecture `{}` are not known", name),
                 fmt::format("known are {}", fmt::join(known, ", ")));
}

Expected<Gpu> GpuTable::gpu(std::string_view name) const {
  const std::vector<std::string> query = words(name);
  const Gpu* best = nullptr;
  std::size_t best_words = 0;
  std::vector<std::string_view> known;
  for (const Gpu& g : gpus) {
    known.push_back(g.name);
    const auto consider = [&](std::string_view spelled) {
      const std::size_t count = matched_words(query, words(spelled));
      if (count > best_words) best = &g, best_words = count;
    };
    consider(g.name);
    for (const std::string& alias : g.aliases) consider(alias);
  }
  if (best != nullptr) return *best;
  return failure(fmt::format("the GPU `{}` is not in the table", name),
                 fmt::format("known are {}", fmt::join(known, ", ")));
}

Expected<Arch> GpuTable::arch_of(std::string_view name) const {
  if (auto named = arch(name)) return named;
  if (auto named = gpu(name)) return std::move(named->arch);
  std::vector<std::string_view> names;
  for (const Arch& a : archs) names.push_back(a.name);
  return failure(
      fmt::format("there is neither an architecture nor a GPU '{}'", name),
      fmt::format("the architectures are {}; `lanescope occupancy --gpus` lists the GPUs", fmt::join(names, ", ")));
}

}  // namespace lanescope::occupancy
