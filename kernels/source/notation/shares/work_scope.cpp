#include "kernels/source/notation/shares/work_scope.h"

#include <algorithm>

namespace lanescope::source {

const FunctionRange* WorkScope::function_of(const CommentLine& l) const {
  const int anchor = lexed_.last_before(l.offset);
  if (const int around = anchor >= 0 ? outline_.function_at(anchor) : -1; around >= 0) {
    const FunctionRange& f = outline_.functions[static_cast<std::size_t>(around)];
    return f.info.is_kernel || f.info.is_device ? &f : launched_in(f);
  }
  for (const FunctionRange& f : outline_.functions)  // among its parameters
    if (f.head <= anchor && anchor < f.open) return f.info.is_kernel ? &f : nullptr;
  const auto next = std::ranges::find(outline_.functions, anchor + 1, &FunctionRange::head);
  if (next == outline_.functions.end() || after_code(lexed_, l)) return nullptr;
  return next->info.is_kernel ? &*next : nullptr;
}

const FunctionRange* WorkScope::launched_in(const FunctionRange& host) const {
  const auto [at, fresh] = launched_.try_emplace(host.head, nullptr);
  if (!fresh) return at->second;
  bool several = false;
  for (int k = host.open + 1; k < host.close && !several; ++k) {
    if (!lexed_.is(k, "<<<")) continue;
    int name = k - 1;
    if (lexed_.is(name, ">")) {
      int depth = 0;
      for (; name > host.open; --name) {
        if (lexed_.is(name, ">")) ++depth;
        if (lexed_.is(name, "<") && --depth == 0) break;
      }
      --name;
    }
    const FunctionRange* kernel = nullptr;
    for (const FunctionRange& f : outline_.functions)
      if (f.info.is_kernel && lexed_.is(name, f.info.name)) kernel = &f;
    several = kernel == nullptr || (at->second != nullptr && at->second != kernel);
    at->second = kernel;
  }
  if (several) at->second = nullptr;
  return at->second;
}

const LaunchSpec* WorkScope::launch_of(const FunctionRange& f) const {
  if (!f.info.is_kernel) return header_.launches.empty() ? nullptr : &header_.launches.front();
  for (const LaunchSpec& l : header_.launches) {
    const std::string_view name = std::string_view(l.kernel).substr(0, l.kernel.find('<'));
    if (name == f.info.name || name.ends_with("::" + f.info.name)) return &l;
  }
  return nullptr;
}

const Values& WorkScope::values_in(const FunctionRange& f, const CommentLine& l) const {
  const int anchor = lexed_.last_before(l.offset);
  const int around = anchor >= 0 ? outline_.function_at(anchor) : -1;
  const auto [at, fresh] = values_.try_emplace({f.head, around});
  if (!fresh) return at->second;
  const LaunchSpec* launch = launch_of(f);
  at->second = known_values(lexed_, header_, launch == nullptr ? LaunchSpec{} : *launch, [&](int token) {
    const int in = outline_.function_at(token);
    return in < 0 || in == around || &outline_.functions[static_cast<std::size_t>(in)] == &f;
  });
  return at->second;
}

void WorkScope::limit(WorkShare& share, const CommentLine& l, const FunctionRange& f) const {
  const int anchor = lexed_.last_before(l.offset);
  const bool inside = anchor >= f.open && anchor < f.close;
  if (!f.info.is_kernel) {
    share.first_line = f.info.first_line;
    share.last_line = f.info.last_line;
  }
  share.straight = f.info.is_kernel && no_loop(f.open, f.close);
  if (share.verb != WorkShare::Verb::reads) return;
  if (!inside && f.info.is_kernel && share.unit == WorkShare::Unit::box) {  // of a parameter: at each time
    share.first_line = f.info.first_line;
    share.last_line = f.info.last_line;
  }
  if (!inside) return;
  int first = anchor + 1, last = anchor + 1;
  if (after_code(lexed_, l)) {
    first = anchor;
    while (first > f.open + 1 && lexed_.token(first - 1).line == l.line) --first;
    last = anchor;
  } else {
    bool declaring = false, loads = false;
    int line = lexed_.token(first).line;
    if (line > l.line + 8) return void(share.repeated = true);
    for (int i = first; i < f.close; ++i) {
      if (lexed_.is(i, "}") && lexed_.partner(i) < first) break;
      const int at = lexed_.token(i).line;
      // Arithmetic that prepares an index, and declarations, load nothing: what they prepare comes after them.
      if (lexed_.is(i, "__shared__")) declaring = true;
      if (lexed_.is(i, ";")) declaring = false;
      const bool gap = at > line + 1 && i > first && !inside_brackets(i, first);
      if (gap && (loads || at > l.line + 30)) break;
      loads = loads || (lexed_.is(i, "[") && !declaring) || lexed_.of(i).ends_with("_cast");
      line = at;
      last = i;
      if (lexed_.is(i, "{") && lexed_.partner(i) > i) {
        i = std::min(lexed_.partner(i), f.close - 1);
        last = i;
        line = lexed_.token(i).line;
      }
    }
  }
  share.first_line = lexed_.token(first).line;
  share.last_line = lexed_.token(last).line;
  share.straight = no_loop(first, last) && !within_loop(first, f);
  // Within a loop each time counts by itself, where a barrier parts them.
  for (int open = first; (open = opener_before(open)) > f.open;) {
    if (!opens_loop(open)) continue;
    bool barrier = false;
    for (int i = open; i < lexed_.partner(open); ++i)
      barrier = barrier || lexed_.is(i, "__syncthreads") || lexed_.of(i).ends_with("sync");
    share.repeated = share.repeated || !barrier;
  }
}

bool WorkScope::opens_loop(int open) const {
  const int head = lexed_.is(open - 1, ")") ? lexed_.partner(open - 1) - 1 : -1;
  return lexed_.is(head, "for") || lexed_.is(head, "while") || lexed_.is(open - 1, "do");
}

bool WorkScope::no_loop(int first, int last) const {
  for (int i = first; i <= last; ++i)
    if (lexed_.is(i, "for") || lexed_.is(i, "while") || lexed_.is(i, "do") || lexed_.is(i, "goto")) return false;
  return true;
}

bool WorkScope::within_loop(int i, const FunctionRange& f) const {
  for (int open = i; (open = opener_before(open)) > f.open;)
    if (opens_loop(open)) return true;
  return false;
}

bool WorkScope::inside_brackets(int i, int first) const {
  for (int k = i - 1; k >= first && k > i - 200; --k) {
    if (lexed_.partner(k) > i) return true;
    if (lexed_.partner(k) >= 0 && lexed_.partner(k) < k) k = lexed_.partner(k);
  }
  return false;
}

int WorkScope::opener_before(int i) const {
  for (int k = i - 1; k >= 0; --k) {
    if (lexed_.is(k, "}") && lexed_.partner(k) >= 0) {
      k = lexed_.partner(k);
      continue;
    }
    if (lexed_.is(k, "{")) return k;
  }
  return -1;
}

}  // namespace lanescope::source
