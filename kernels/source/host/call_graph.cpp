#include "kernels/source/host/evaluator.h"

#include <algorithm>

#include "kernels/base/text.h"

namespace lanescope::source::host {

const std::set<std::string_view>& CallGraph::names(int function) {
  const auto [known, is_new] = names_.try_emplace(function);
  const FunctionRange& f = p_.function(function);
  for (int t = f.open; is_new && t < f.close; ++t)
    if (p_.lexed.token(t).kind == TokenKind::identifier) known->second.insert(p_.lexed.of(t));
  return known->second;
}

std::vector<int> CallGraph::called(int function) {
  std::vector<int> out;
  for (const std::string_view name : names(function))
    if (const auto own = p_.functions.find(name); own != p_.functions.end())
      out.insert(out.end(), own->second.begin(), own->second.end());
  return out;
}

bool CallGraph::launches(int function) {
  const FunctionRange& f = p_.function(function);
  if (f.info.is_kernel) return false;
  for (int t = f.open; t < f.close; ++t)
    if (p_.lexed.is(t, "<<<")) return true;
  return std::ranges::any_of(names(function), [&](std::string_view word) {
    return one_of(word, {"cudaLaunchKernel", "cudaLaunchKernelEx", "cudaLaunchCooperativeKernel"}) ||
           p_.macros.defines(word);
  });
}

bool CallGraph::may_launch(int function) {
  if (may_launch_.empty()) {
    for (int f = 0; f < count(); ++f) may_launch_.push_back(launches(f));
    for (bool more = true; more;) {
      more = false;
      for (int f = 0; f < count(); ++f)
        if (may_launch_[static_cast<std::size_t>(f)]) more |= launching_.insert(p_.function(f).info.name).second;
      for (int f = 0; f < count(); ++f)
        if (!may_launch_[static_cast<std::size_t>(f)] &&
            std::ranges::any_of(names(f), [&](std::string_view name) { return launching_.contains(name); }))
          may_launch_[static_cast<std::size_t>(f)] = more = true;
    }
  }
  return may_launch_[static_cast<std::size_t>(function)];
}

bool CallGraph::may_launch(std::string_view name) {
  if (count() > 0) may_launch(0);  // all are found together
  return launching_.contains(name);
}

/// `visit(f)` of the function and of those that it calls; false: not of those that f calls.
template <class Visit>
void CallGraph::each_reached(int function, Visit visit) {
  constexpr std::size_t most_visited = 200;
  std::set<int> visited{function};
  std::vector<int> open{function};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    if (!visit(at)) continue;
    for (const int each : called(at))
      if (visited.size() < most_visited && visited.insert(each).second) open.push_back(each);
  }
}

const std::vector<int>& CallGraph::naming_globals(int function) {
  if (globals_known_ != p_.globals.size()) naming_globals_.clear();
  globals_known_ = p_.globals.size();
  const auto [known, is_new] = naming_globals_.try_emplace(function);
  if (!is_new) return known->second;
  each_reached(function, [&](int at) {
    if (is_kernel(at)) return false;
    tokens_searched += static_cast<std::uint64_t>(p_.function(at).close - p_.function(at).open);
    if (std::ranges::any_of(names(at), [&](std::string_view name) { return p_.globals.contains(name); }))
      known->second.push_back(at);
    return true;
  });
  return known->second;
}

bool CallGraph::draws(int function) {
  const auto [known, is_new] = draws_.try_emplace(function);
  if (!is_new) return known->second;
  each_reached(function, [&](int at) {
    for (const std::string_view generator : {"rand", "random", "drand48", "lrand48"})
      known->second |= names(at).contains(generator);
    return !known->second;
  });
  return known->second;
}

bool CallGraph::device_names(std::string_view variable) {
  for (int f = 0; f < count(); ++f)
    if ((is_kernel(f) || p_.function(f).annotated) && names(f).contains(variable)) return true;
  return false;
}

std::vector<int> CallGraph::roots(const std::set<int>& executed) {
  const auto count = static_cast<int>(p_.outline.functions.size());  // a local method is part of the function around it
  std::vector<bool> reaches(static_cast<std::size_t>(count)), is_called = reaches;
  std::vector<int> found;
  const auto add = [&](int f) {
    if (reaches[static_cast<std::size_t>(f)]) return;
    reaches[static_cast<std::size_t>(f)] = true;
    found.push_back(f);
  };
  for (int f = 0; f < count; ++f)
    if (!executed.contains(f) && launches(f)) add(f);
  if (found.empty()) return {};
  std::vector<std::vector<int>> callers(static_cast<std::size_t>(count));
  for (int f = 0; f < count; ++f)
    if (!is_kernel(f) && !executed.contains(f))
      for (const int each : called(f))
        if (each != f) callers[static_cast<std::size_t>(each)].push_back(f);
  for (std::size_t n = 0; n < found.size(); ++n)
    for (const int caller : callers[static_cast<std::size_t>(found[n])]) {
      is_called[static_cast<std::size_t>(found[n])] = true;
      add(caller);
    }
  std::vector<int> out;
  for (const bool called_too : {false, true})
    for (int f = 0; f < count; ++f)
      if (reaches[static_cast<std::size_t>(f)] && (called_too || !is_called[static_cast<std::size_t>(f)]))
        out.push_back(f);
  return out;
}

}  // namespace lanescope::source::host
