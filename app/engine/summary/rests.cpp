
#include <algorithm>
#include <deque>
#include <set>
#include <string_view>

#include "app/engine/summary/summarize.h"
#include "kernels/emulator/machine/placement.h"
#include "kernels/instrument/slice_analysis.h"
#include "results/problems.h"

namespace lanescope::engine {
namespace {

using Code = source::Assumption::Code;
using Indices = std::set<int>;  ///< of assumptions

void add(Indices& to, const Indices& from) { to.insert(from.begin(), from.end()); }
std::vector<int> list(const Indices& of) { return {of.begin(), of.end()}; }

class Tracker {
 public:
  Tracker(const source::Header& header, const Program& program, const std::vector<trace::Buffer>& buffers)
      : header_(header), program_(program), buffers_(buffers), reach_(buffers.size()) {
    for (std::size_t a = 0; a < header.assumed.size(); ++a)
      if (header.assumed[a].code == Code::contents || header.assumed[a].code == Code::variable)
        if (const int b = buffer_named(header.assumed[a].name); b >= 0)
          reach_[static_cast<std::size_t>(b)].insert(static_cast<int>(a));
  }

  results::Rests launch(std::size_t index) {
    const trace::Launch& launch = program_.launches[index];
    if (index < header_.launches.size()) host_steps(header_.launches[index].before);
    if (launch.depth == 0) host_launch_ = static_cast<int>(index);
    const instrument::Steering* s = launch.depth == 0 ? steering_of(launch) : nullptr;
    if (s == nullptr) return everything(index);
    Indices steps, elements, bounds, others;
    for (std::size_t a = 0; a < header_.assumed.size(); ++a) {
      const source::Assumption& assumed = header_.assumed[a];
      if (!concerns(assumed)) continue;
      const Uses uses = uses_of(assumed, index, launch, *s);
      const int i = static_cast<int>(a);
      if (uses.steps) steps.insert(i);
      if (uses.elements) elements.insert(i);
      if (uses.bounds) bounds.insert(i);
      if (uses.others) others.insert(i);
    }
    for (std::size_t b = 0; b < buffers_.size() && b < s->buffers.size(); ++b) {
      if (!s->buffers[b].any()) continue;
      add(steps, reach_[b]);
      if (s->buffers[b].element) add(elements, not_contents(reach_[b]));
    }
    pass_on(index, launch, *s, steps);
    return {.steps = list(steps), .elements = list(elements), .bounds = list(bounds), .others = list(others)};
  }

 private:
  struct Uses {
    bool steps = false, elements = false, bounds = false, others = false;
  };

  int buffer_named(std::string_view name) const {
    const auto at = std::ranges::find(buffers_, name, &trace::Buffer::name);
    return at == buffers_.end() ? -1 : static_cast<int>(at - buffers_.begin());
  }

  /// Of all launches, or of this one; a grid that a kernel launches has the assumptions of the host's launch.
  bool concerns(const source::Assumption& a) const { return a.launch < 0 || a.launch == host_launch_; }

  /// Of a kernel that is not followed: it may read and write each buffer within its reach.
  results::Rests everything(std::size_t index) {
    const std::vector<bool> within = within_reach(index);
    Indices all;
    for (std::size_t a = 0; a < header_.assumed.size(); ++a)
      if (concerns(header_.assumed[a])) all.insert(static_cast<int>(a));
    for (std::size_t b = 0; b < reach_.size(); ++b)
      if (within[b]) add(all, reach_[b]);
    for (std::size_t b = 0; b < reach_.size(); ++b)
      if (within[b]) add(reach_[b], all);
    return {.steps = list(all), .elements = list(all), .bounds = list(all), .others = list(all)};
  }

  /// Buffers that it is passed, variables, and what an earlier launch or the host code may have put an address of there.
  std::vector<bool> within_reach(std::size_t index) const {
    const auto has = [&](std::size_t launch, std::size_t buffer) {
      return !buffers_[buffer].variable.empty() || passes(program_.launches[launch], static_cast<int>(buffer));
    };
    std::vector<bool> out(buffers_.size());
    const auto take = [&](std::size_t buffer) {  // true: it was not there
      const bool before = out[buffer];
      out[buffer] = true;
      return !before;
    };
    for (std::size_t b = 0; b < out.size(); ++b)
      out[b] = has(index, b) || has(static_cast<std::size_t>(host_launch_), b);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t l = 0; l <= index; ++l) {
        bool meets = false;
        for (std::size_t b = 0; b < out.size(); ++b) meets = meets || (out[b] && has(l, b));
        for (std::size_t b = 0; b < out.size(); ++b)
          if (meets && has(l, b)) more = take(b) || more;
        if (l >= header_.launches.size()) continue;
        for (const source::HostStep& step : header_.launches[l].before) {
          const int from = buffer_named(step.from), to = buffer_named(step.to);
          const bool there = step.to_variable || (to >= 0 && out[static_cast<std::size_t>(to)]);
          if (step.kind == source::HostStep::Kind::address && from >= 0 && there)
            more = take(static_cast<std::size_t>(from)) || more;
        }
      }
    }
    return out;
  }

  Indices not_contents(const Indices& all) const {
    Indices out;
    for (const int i : all)
      if (group_of(header_.assumed[static_cast<std::size_t>(i)].code) != source::Assumption::Group::contents)
        out.insert(i);
    return out;
  }

  static bool passes(const trace::Launch& launch, int buffer) {
    return std::ranges::any_of(launch.arguments, [&](const trace::Argument& a) {
      return std::ranges::any_of(trace::buffers_of(a), [&](const auto& b) { return b.buffer == buffer; });
    });
  }

  /// By parameter: whether `name` is its name, or that of a member.
  std::optional<std::size_t> parameter_named(std::size_t launch, std::string_view name) const {
    if (launch >= header_.launches.size()) return std::nullopt;
    const std::string_view whole = name.substr(0, name.find('.'));
    const auto& arguments = header_.launches[launch].arguments;
    const auto at = std::ranges::find(arguments, whole, &source::ArgumentSpec::parameter);
    if (at == arguments.end()) return std::nullopt;
    return static_cast<std::size_t>(at - arguments.begin());
  }

  Uses uses_of(const source::Assumption& a, std::size_t index, const trace::Launch& launch,
               const instrument::Steering& s) const {
    const auto any_element =
        std::ranges::any_of(s.parameters, [](const instrument::Steers& each) { return each.element; });
    switch (a.code) {
      case Code::grid:
        return {.steps = s.grid_size, .elements = s.grid_size || s.block_number, .others = s.block_number};
      case Code::block:
      case Code::template_arguments:
        return {.steps = true, .elements = true};
      case Code::condition:
      case Code::host_action:
        return {.steps = true};
      case Code::variable:
        return {.steps = buffer_named(a.name) < 0};  // else through reach_
      case Code::shared_size:
        return {.bounds = true};
      case Code::scalar:
      case Code::member: {
        const auto p = parameter_named(index, a.name);
        const bool known = p && *p < s.parameters.size();
        return {.steps = !known || s.parameters[*p].any(), .elements = !known || s.parameters[*p].element};
      }
      case Code::command_line:
        return {.steps = true, .elements = any_element || s.grid_size};
      case Code::buffer_size:
      case Code::buffer_part:
      case Code::claimed_size:
        return {.bounds = passes(launch, buffer_named(a.name))};
      case Code::contents:
        return {};  // through reach_
    }
    return {};
  }

  const instrument::Steering* steering_of(const trace::Launch& launch) {
    for (const Known& k : known_)
      if (k.launch->kernel == launch.kernel && same_buffers(*k.launch, launch))
        return k.steering ? &*k.steering : nullptr;
    auto found = instrument::steering(program_.module, launch, buffers_);
    known_.push_back({&launch, found ? std::optional(std::move(*found)) : std::nullopt});
    return known_.back().steering ? &*known_.back().steering : nullptr;
  }

  static bool same_buffers(const trace::Launch& a, const trace::Launch& b) {
    return std::ranges::equal(a.arguments, b.arguments, [](const trace::Argument& x, const trace::Argument& y) {
      return std::ranges::equal(trace::buffers_of(x), trace::buffers_of(y), {}, &trace::BufferArgument::buffer,
                                &trace::BufferArgument::buffer);
    });
  }

  void host_steps(const std::vector<source::HostStep>& before) {
    for (const source::HostStep& step : before) {
      const int from = buffer_named(step.from), to = step.to_variable ? -1 : buffer_named(step.to);
      if (from >= 0 && to >= 0) add(reach_[static_cast<std::size_t>(to)], reach_[static_cast<std::size_t>(from)]);
    }
  }

  /// Contents of the buffers afterwards: they may come from what enters them, and from all that steered the launch.
  void pass_on(std::size_t index, const trace::Launch& launch, const instrument::Steering& s, const Indices& steps) {
    const std::vector<Indices> before = reach_;
    for (std::size_t b = 0; b < reach_.size() && b < s.results.size(); ++b) {
      if (!passes(launch, static_cast<int>(b))) continue;
      add(reach_[b], steps);
      for (std::size_t o = 0; o < before.size() && o < s.results[b].buffers.size(); ++o)
        if (s.results[b].buffers[o]) add(reach_[b], before[o]);
      for (std::size_t a = 0; a < header_.assumed.size(); ++a) {
        const source::Assumption& assumed = header_.assumed[a];
        if (assumed.code != Code::scalar && assumed.code != Code::member) continue;
        if (assumed.launch != static_cast<int>(index)) continue;
        const auto p = parameter_named(index, assumed.name);
        if (!p || *p >= s.results[b].parameters.size() || s.results[b].parameters[*p])
          reach_[b].insert(static_cast<int>(a));
      }
    }
  }

  struct Known {
    const trace::Launch* launch;
    std::optional<instrument::Steering> steering;
  };
  const source::Header& header_;
  const Program& program_;
  const std::vector<trace::Buffer>& buffers_;
  std::vector<Indices> reach_;  ///< by buffer: assumptions that its contents may come from
  int host_launch_ = 0;         ///< the last one
  std::deque<Known> known_;
};

}  // namespace

std::vector<results::Rests> rests_of(const Prepared& prepared) {
  std::vector<results::Rests> out;
  if (!prepared.source || prepared.source->header.assumed.empty()) return out;
  const Program& program = prepared.plain.module.entries.empty() ? prepared.probed : prepared.plain;
  Tracker tracker(prepared.source->header, program, prepared.buffers);
  for (std::size_t i = 0; i < program.launches.size(); ++i) out.push_back(tracker.launch(i));
  return out;
}

std::optional<std::string_view> array_of(const emulator::Fault& fault, const std::vector<trace::Buffer>& buffers,
                                         const std::vector<std::uint64_t>& addresses) {
  if (fault.kind != emulator::Fault::Kind::out_of_bounds) return std::nullopt;
  const auto after = std::ranges::upper_bound(addresses, fault.address);
  const auto count = static_cast<std::size_t>(after - addresses.begin());
  return count == 0 || count > buffers.size() ? std::string_view() : std::string_view(buffers[count - 1].name);
}

void name_assumptions(RunState& run) {
  const std::vector<std::uint64_t> addresses = emulator::place_buffers(run.prepared.buffers);
  const auto name = [&](std::vector<emulator::Fault>& faults, std::size_t launches) {
    bool rests = false;
    for (emulator::Fault& f : faults) {
      const results::Assumptions assumed = results::fault_rests_on(run.summary, static_cast<int>(launches) - 1,
                                                                   array_of(f, run.prepared.buffers, addresses));
      if (assumed.empty() || is_only_cut(f) || f.kind == emulator::Fault::Kind::cancelled) continue;
      rests = rests || &f == &faults.front();
      for (std::string* words : {&f.message, &f.what}) *words = results::condition_words(assumed) + *words;
    }
    return rests;
  };
  run.plain_fault_rests = name(run.plain.faults, run.plain.launches.size());
  run.probed_fault_rests = name(run.probed.faults, run.probed.launches.size());
}

}  // namespace lanescope::engine
