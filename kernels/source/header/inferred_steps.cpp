#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kernels/source/header/completer.h"
#include "kernels/source/header/host_steps.h"

namespace lanescope::source {

using Code = Assumption::Code;

void Completer::symbols(const std::vector<const HostLaunch*>& sequence) {
  const std::vector<std::size_t> positions = positions_of(host_, sequence);
  for (const HostSymbol& s : host_.symbols) {
    const int launch = sequence.empty() ? 0 : next_launch(positions, s.launches_before);
    if (launch < 0) continue;
    if (!s.contents || s.name.find_first_of("<:") != std::string::npos) {
      assume(Code::variable, nullptr, s.name, launch == 0 ? "holds zeros" : "keeps its contents",
             fmt::format("because the value set by the host code at line {} is unknown", s.line));
    } else if (launch == 0) {
      header_.symbols.push_back({.name = s.name, .offset_bytes = s.offset_bytes, .bytes = *s.contents});
      say(fmt::format("the host code sets `{}` at line {}.", s.name, s.line));
    } else {
      add_step(launch, step_of(s));
    }
  }
}

void Completer::add_step(int launch, HostStep step) {
  if (sibling_) step.words = with_sibling_lines(step.words, *sibling_);
  header_.launches[static_cast<std::size_t>(launch)].before.push_back(std::move(step));
}

std::string Completer::named_buffer(int index) {
  std::string& name = names_[index];
  if (!name.empty()) return name;
  const HostBuffer& host = host_.buffers[static_cast<std::size_t>(index)];
  const std::string stem = host.name.empty() ? "memory" : host.name;
  name = stem;
  for (int n = 2; buffer(name) != nullptr; ++n) name = fmt::format("{}_{}", stem, n);
  BufferSpec b;
  b.name = name;
  b.inferred = true;
  const bool fits = element_bits(host.element_type) > 0 &&
                    host.bytes * 8 % static_cast<std::uint64_t>(element_bits(host.element_type)) == 0;
  b.element_type = fits ? host.element_type : host.bytes % 4 == 0 ? "u32" : "u8";
  b.element_bits = element_bits(b.element_type);
  b.initial.kind = Contents::Kind::zeros;
  header_.buffers.push_back(std::move(b));
  host_of_[name] = index;
  return name;
}

void Completer::steps(const std::vector<const HostLaunch*>& sequence) {
  if (sequence.empty()) return;
  std::set<int> taken;
  for (const auto& [buffer, name] : names_) taken.insert(buffer);
  const SeenChanges seen = seen_changes(host_, sequence, std::move(taken));
  for (std::size_t i = 0; i < seen.launch.size(); ++i) {
    const HostChange& c = host_.changes[i];
    const int launch = seen.launch[i];
    if (launch >= 0 && c.kind == HostChange::Kind::unknown)
      assume(Code::contents, nullptr, c.symbol.empty() ? named_buffer(c.to.buffer) : c.symbol,
             fmt::format("its contents after launch {}", launch),
             fmt::format("because the contents set by the host code at line {} are unknown: {}", c.line, c.because));
    else if (launch >= 0)
      add_step(launch, step_of(c, [this](int buffer) { return named_buffer(buffer); }));
  }
  for (const int i : seen.doubtful)
    assume(Code::host_action, nullptr, fmt::format("line {}", host_.changes[static_cast<std::size_t>(i)].line),
           "changes no buffer", "because it is unknown whether it does");
}

void Completer::report_steps() {
  constexpr std::size_t most_reported = 8;
  for (std::size_t l = 0; l < header_.launches.size(); ++l) {
    const std::vector<HostStep>& before = header_.launches[l].before;
    for (std::size_t i = 0; i < std::min(before.size(), most_reported); ++i)
      say(fmt::format("Before launch {}: the host code, {}.", l + 1, before[i].words));
    if (before.size() > most_reported)
      say(fmt::format("Before launch {}: {} more changes by the host code.", l + 1, before.size() - most_reported));
  }
}

}  // namespace lanescope::source
