// The order that streams and events of the host code give its launches, copies and memsets, and that which the numbers of
// streams in a launch header give its launches; what the host code copies back at the end.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernels/source/header/completer.h"
#include "kernels/source/host/host_run.h"
#include "kernels/source/model/launch.h"

namespace lanescope::source {
namespace {

// Changes of the host code to buffers between the launches that run: HostRun::changes as steps before launches.

struct SeenChanges {
  std::vector<int> launch;      ///< by change: the first launch after it; -1: none
  std::vector<int> doubtful{};  ///< changes that may not happen, and are left out
};

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

/// By launch of the sequence: the number of earlier launches of the host code. All are launches of `run`.
std::vector<std::size_t> positions_of(const HostRun& run, const std::vector<const HostLaunch*>& sequence) {
  std::vector<std::size_t> out;
  for (const HostLaunch* l : sequence) {
    const auto same = std::ranges::find_if(run.launches, [&](const HostLaunch& h) { return &h == l; });
    out.push_back(static_cast<std::size_t>(same - run.launches.begin()));
  }
  return out;
}

/// Index of the first launch of the sequence that comes after `launches_before` others; -1: none does.
int next_launch(const std::vector<std::size_t>& positions, std::size_t launches_before) {
  const auto next = std::ranges::lower_bound(positions, launches_before);
  return next == positions.end() ? -1 : static_cast<int>(next - positions.begin());
}

/// `taken`: buffers passed to the launches. Buffers that these point to, or that are copied from them, are included.
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

/// `name` gives a buffer's name. Not of an unknown change.
/// A copy of the host code into a variable.
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

constexpr std::size_t most_operations = 1024;

bool overlap(const HostOperation::Use& a, const HostOperation::Use& b) {
  if (a.at.buffer != b.at.buffer || (!a.writes && !b.writes)) return false;
  const auto begin = std::max(a.at.offset_bytes, b.at.offset_bytes);
  return begin < a.at.offset_bytes + static_cast<std::int64_t>(a.bytes) &&
         begin < b.at.offset_bytes + static_cast<std::int64_t>(b.bytes);
}

/// Launches may touch anything; of two copies it is known.
bool may_conflict(const HostOperation& a, const HostOperation& b) {
  if (a.launch >= 0 || b.launch >= 0) return true;
  return std::ranges::any_of(a.uses, [&](const HostOperation::Use& x) {
    return std::ranges::any_of(b.uses, [&](const HostOperation::Use& y) { return overlap(x, y); });
  });
}

/// The launches of a header: those of one stream are in order, and no others.
std::vector<StreamOperation> numbered_streams(const std::vector<LaunchSpec>& launches) {
  std::vector<StreamOperation> out;
  if (std::ranges::all_of(launches, [&](const LaunchSpec& l) { return l.stream == launches.front().stream; }))
    return out;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    StreamOperation o{
        .launch = static_cast<int>(i), .line = launches[i].line, .stream = std::to_string(launches[i].stream)};
    for (std::size_t j = 0; j < i; ++j)
      if (launches[j].stream != launches[i].stream) o.beside.push_back(static_cast<std::uint32_t>(j));
    out.push_back(std::move(o));
  }
  return out;
}

}  // namespace

void Completer::streams(const std::vector<const HostLaunch*>& sequence) {
  if (sequence.empty()) {
    header_.streams = numbered_streams(header_.launches);
    return;
  }
  const std::vector<std::size_t> positions = positions_of(host_, sequence);
  std::vector<const HostOperation*> kept;
  bool open = false;
  for (const HostOperation& o : host_.operations) {
    StreamOperation out{.line = o.line, .by_host = o.by_host, .call = o.call, .stream = o.stream};
    if (sibling_ && o.line > sibling_->own_lines) out.line -= sibling_->own_lines, out.file = sibling_->file;
    if (o.launch >= 0) {
      const auto at = std::ranges::find(positions, static_cast<std::size_t>(o.launch));
      if (at == positions.end()) continue;
      out.launch = static_cast<int>(at - positions.begin());
    }
    for (const HostOperation::Use& u : o.uses)
      if (const auto name = names_.find(u.at.buffer); name != names_.end() && u.at.offset_bytes >= 0)
        out.uses.push_back({name->second, static_cast<std::uint64_t>(u.at.offset_bytes), u.bytes, u.writes});
    if (out.launch < 0 && out.uses.empty()) continue;
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (!o.is_after(*kept[i]) && may_conflict(*kept[i], o)) out.beside.push_back(static_cast<std::uint32_t>(i));
    open = open || !out.beside.empty();
    kept.push_back(&o);
    header_.streams.push_back(std::move(out));
    if (kept.size() < most_operations) continue;
    say("Host code: the order that streams leave open is checked up to its 1024th launch or copy.");
    break;
  }
  if (!open) header_.streams.clear();
}

void Completer::copies_back(const std::vector<const HostLaunch*>& sequence) {
  const auto is_launch = [](const HostOperation& o) { return o.launch >= 0; };
  const auto launches = static_cast<std::size_t>(std::ranges::count_if(host_.operations, is_launch));
  if (sequence.empty() || sequence.size() != host_.launch_count || sequence.size() != launches) return;
  if (std::ranges::any_of(sequence, [](const HostLaunch* l) { return !l->certain || !l->called; })) return;
  if (sequence.size() >= HostLimits{}.launches) return;  // no change is noted any more
  const auto last = std::ranges::find_if(host_.operations.rbegin(), host_.operations.rend(), is_launch);
  const auto changed = [&](int buffer) {
    return std::ranges::any_of(host_.changes,
                               [&](const HostChange& change) {
                                 return change.to.buffer == buffer && change.launches_before >= sequence.size();
                               }) ||
           std::any_of(last.base(), host_.operations.end(), [&](const HostOperation& o) {
             return std::ranges::any_of(o.uses,
                                        [&](const HostOperation::Use& u) { return u.at.buffer == buffer && u.writes; });
           });
  };
  for (auto o = last.base(); o != host_.operations.end(); ++o) {
    // Copies of rows (cudaMemcpy2D) have holes between them.
    if (o->uses.size() != 1 || (o->call != "cudaMemcpy" && o->call != "cudaMemcpyAsync")) continue;
    const HostOperation::Use& u = o->uses.front();
    const auto name = names_.find(u.at.buffer);
    if (u.at.offset_bytes < 0 || name == names_.end() || changed(u.at.buffer)) continue;
    // Structures have bytes between their members, which need no value.
    if (host_.buffers[static_cast<std::size_t>(u.at.buffer)].element_type.empty()) continue;
    CopyBack c{.buffer = name->second,
               .offset_bytes = static_cast<std::uint64_t>(u.at.offset_bytes),
               .bytes = u.bytes,
               .line = o->line};
    if (sibling_ && c.line > sibling_->own_lines) c.line -= sibling_->own_lines, c.file = sibling_->file;
    header_.copied_back.push_back(std::move(c));
  }
}

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
  BufferSpec b{.name = name, .inferred = true};
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
