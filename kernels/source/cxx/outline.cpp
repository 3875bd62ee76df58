#include "kernels/source/cxx/outline.h"

#include <algorithm>

#include "kernels/source/cxx/macros.h"

namespace lanescope::source {
namespace {

/// False when a branch of a preprocessor conditional opens a brace that it does not close: what follows then depends on
/// definitions that we do not know.
bool conditionals_balance(const Lexed& lexed) {
  std::vector<int> depth_at_start;
  int depth = 0;
  int token = 0;
  for (const Directive& d : lexed.directives) {
    for (; token < lexed.count() && lexed.token(token).offset < d.offset; ++token) {
      if (lexed.is(token, "{")) ++depth;
      if (lexed.is(token, "}")) --depth;
    }
    const std::string_view text = directive_text(lexed, d).word;
    if (text.starts_with("if")) {
      depth_at_start.push_back(depth);
    } else if (text.starts_with("el") || text.starts_with("endif")) {
      if (depth_at_start.empty()) continue;
      if (depth_at_start.back() != depth) return false;
      if (text.starts_with("endif")) depth_at_start.pop_back();
    }
  }
  return true;
}

void index_locals(Outline& out) {
  for (std::size_t i = 0; i < out.locals.size(); ++i) out.by_name[out.locals[i].name].push_back(static_cast<int>(i));
  out.around.assign(out.locals.size(), -1);
  const auto local = [&](int i) -> const Local& { return out.locals[static_cast<std::size_t>(i)]; };
  for (auto& [name, all] : out.by_name) {
    std::stable_sort(all.begin(), all.end(), [&](int a, int b) { return local(a).token < local(b).token; });
    for (std::size_t k = 1; k < all.size(); ++k) {
      int before = all[k - 1];
      while (before >= 0 && local(before).scope_end <= local(all[k]).scope_end)
        before = out.around[static_cast<std::size_t>(before)];
      out.around[static_cast<std::size_t>(all[k])] = before;
    }
  }
}

}  // namespace

Outline outline(const Lexed& lexed) {
  Outline out{.reliable = lexed.balanced && lexed.mistakes.empty() && conditionals_balance(lexed)};
  read_top_level(lexed, out);
  std::sort(out.functions.begin(), out.functions.end(),
            [](const FunctionRange& a, const FunctionRange& b) { return a.open < b.open; });
  Callees callees;
  for (const Macro& m : macros(lexed))
    if (m.like_function) callees.macros.emplace(m.name);
  for (const FunctionRange& f : out.functions)
    if (!f.reference_parameters.empty()) callees.functions[f.info.name] = f.reference_parameters;
  for (std::size_t i = 0; i < out.functions.size(); ++i) read_body(lexed, static_cast<int>(i), callees, out);
  std::sort(out.points.begin(), out.points.end(), [](const Point& a, const Point& b) { return a.token < b.token; });
  std::stable_sort(out.assigns.begin(), out.assigns.end(),
                   [](const Assign& a, const Assign& b) { return a.token < b.token; });
  index_locals(out);
  return out;
}

int Outline::function_at(int token) const {
  const auto after =
      std::partition_point(functions.begin(), functions.end(), [&](const FunctionRange& f) { return f.open <= token; });
  const auto i = static_cast<int>(after - functions.begin()) - 1;
  return i >= 0 && token < functions[static_cast<std::size_t>(i)].close ? i : -1;
}

int Outline::block_at(int token) const {
  const auto after =
      std::partition_point(blocks.begin(), blocks.end(), [&](const Block& b) { return b.open <= token; });
  int b = static_cast<int>(after - blocks.begin()) - 1;
  while (b >= 0 && blocks[static_cast<std::size_t>(b)].close <= token) b = blocks[static_cast<std::size_t>(b)].parent;
  return b;
}

const std::vector<int>& Outline::called(std::string_view name) const {
  static const std::vector<int> none;
  const auto found = by_name.find(name);
  return found == by_name.end() ? none : found->second;
}

int Outline::find(std::string_view name, int token) const {
  const std::vector<int>& all = called(name);
  const auto after = std::partition_point(all.begin(), all.end(),
                                          [&](int l) { return locals[static_cast<std::size_t>(l)].token <= token; });
  int l = after == all.begin() ? -1 : *(after - 1);
  // Where one has ended, so have those of its name that end no later.
  while (l >= 0 && locals[static_cast<std::size_t>(l)].scope_end <= token) l = around[static_cast<std::size_t>(l)];
  return l;
}

}  // namespace lanescope::source
