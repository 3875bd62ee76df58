#pragma once
// Outcomes of compiles, to be compared.

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "kernels/base/plain_name.h"
#include "kernels/compile/compile.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::compile {

inline const Options fresh_options{.arch = "sm_90", .extra = {}, .forbid_nvrtc = false, .cached = false};

/// All that a compile says.
inline std::string words_of(const Expected<Outcome>& o) {
  if (!o) return "refused\n" + source::words(o.error());
  std::string out =
      fmt::format("{}\n{}\n{}\n", o->compiled.ptx, o->compiled.made_by, source::words(o->compiled.warnings));
  for (const std::string& e : o->compiled.entry_names) out += e + '\n';
  for (const int id : o->dropped_probes) out += fmt::format("dropped {}\n", id);
  for (const auto& [name, r] : o->compiled.resources)
    out += fmt::format("{} {} {} {} {}\n", name, r.registers, r.shared_bytes, r.spill_bytes, r.local_bytes);
  for (const auto& [name, m] : o->compiled.machine) out += name + ' ' + machine_counts_in_words(m) + '\n';
  return out + o->compiled.cubin;
}

/// Where two differ first; empty where they are the same.
inline std::string difference(const std::string& a, const std::string& b) {
  if (a == b) return {};
  const std::size_t at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const std::size_t from = at < 200 ? 0 : at - 200;
  const auto part = [&](const std::string& text) { return plain_name(text.substr(std::min(from, text.size()), 300)); };
  return fmt::format("at {} of {} and {}:\n{}\n{}", at, a.size(), b.size(), part(a), part(b));
}

}  // namespace lanescope::compile
