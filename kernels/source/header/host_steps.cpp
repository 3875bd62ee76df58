#include "kernels/source/header/host_steps.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::source {
namespace {

std::string place_words(const std::string& name, std::int64_t offset_bytes) {
  return offset_bytes == 0 ? fmt::format("`{}`", name) : fmt::format("`{}` (from byte {})", name, offset_bytes);
}

std::string words_of(const HostStep& step, int line) {
  const std::string to = place_words(step.to, step.to_offset_bytes);
  switch (step.kind) {
    case HostStep::Kind::copy:
      return fmt::format("line {} copies {} bytes of {} to {}", line, step.bytes,
                         place_words(step.from, step.from_offset_bytes), to);
    case HostStep::Kind::set:
      return fmt::format("line {} sets {} bytes of {} to 0x{:02x}", line, step.bytes, to, step.value);
    case HostStep::Kind::write:
      return fmt::format("line {} puts {} bytes into {}", line, step.bytes, to);
    case HostStep::Kind::address:
      return fmt::format("line {} puts the address of {} into {}", line, place_words(step.from, step.from_offset_bytes),
                         to);
  }
  return {};
}

HostStep::Kind kind_of(HostChange::Kind kind) {
  switch (kind) {
    case HostChange::Kind::copy:
      return HostStep::Kind::copy;
    case HostChange::Kind::set:
      return HostStep::Kind::set;
    case HostChange::Kind::address:
      return HostStep::Kind::address;
    case HostChange::Kind::write:
    case HostChange::Kind::unknown:
      break;
  }
  return HostStep::Kind::write;
}

}  // namespace

std::vector<std::size_t> positions_of(const HostRun& run, const std::vector<const HostLaunch*>& sequence) {
  std::vector<std::size_t> out;
  for (const HostLaunch* l : sequence) {
    const auto same = std::ranges::find_if(run.launches, [&](const HostLaunch& h) { return &h == l; });
    out.push_back(static_cast<std::size_t>(same - run.launches.begin()));
  }
  return out;
}

int next_launch(const std::vector<std::size_t>& positions, std::size_t launches_before) {
  const auto next = std::ranges::lower_bound(positions, launches_before);
  return next == positions.end() ? -1 : static_cast<int>(next - positions.begin());
}

SeenChanges seen_changes(const HostRun& run, const std::vector<const HostLaunch*>& sequence, std::set<int> taken) {
  const std::vector<std::size_t> positions = positions_of(run, sequence);
  const bool sure = std::ranges::all_of(sequence, [](const HostLaunch* l) { return l->certain || !l->called; });
  SeenChanges out{.launch = std::vector<int>(run.changes.size(), -1)};
  const auto meant = [&](const HostChange& c) { return !c.symbol.empty() || taken.contains(c.to.buffer); };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < run.changes.size(); ++i) {
      const HostChange& c = run.changes[i];
      if (out.launch[i] >= 0 || (sure && !c.certain) || !meant(c)) continue;
      out.launch[i] = next_launch(positions, c.launches_before);
      more = (out.launch[i] >= 0 && c.from.buffer >= 0 && taken.insert(c.from.buffer).second) || more;
    }
  }
  for (std::size_t i = 0; i < run.changes.size(); ++i) {
    const HostChange& c = run.changes[i];
    if (sure && !c.certain && meant(c) && next_launch(positions, c.launches_before) >= 0)
      out.doubtful.push_back(static_cast<int>(i));
  }
  return out;
}

HostStep step_of(const HostChange& c, const std::function<std::string(int buffer)>& name) {
  HostStep step{.kind = kind_of(c.kind),
                .to = c.symbol.empty() ? name(c.to.buffer) : c.symbol,
                .from = c.from.buffer >= 0 ? name(c.from.buffer) : std::string(),
                .to_variable = !c.symbol.empty(),
                .to_offset_bytes = c.to.offset_bytes,
                .from_offset_bytes = c.from.offset_bytes,
                .bytes = c.bytes,
                .value = c.value,
                .contents = c.contents};
  step.words = words_of(step, c.line);
  return step;
}

HostStep step_of(const HostSymbol& s) {
  HostStep step{.kind = HostStep::Kind::write,
                .to = s.name,
                .from = {},
                .to_variable = true,
                .to_offset_bytes = static_cast<std::int64_t>(s.offset_bytes),
                .bytes = s.contents->size(),
                .contents = std::make_shared<const std::vector<std::byte>>(*s.contents)};
  step.words = words_of(step, s.line);
  return step;
}

}  // namespace lanescope::source
