#include "kernels/source/cxx/line_names.h"

#include <algorithm>
#include <set>
#include <utility>

#include "kernels/base/byte_order_mark.h"
#include "kernels/source/cxx/outline.h"

namespace lanescope::source {
namespace {

class NameFinder {
 public:
  explicit NameFinder(const Lexed& lexed) : lexed_(lexed), parts_(outline(lexed)) {
    for (const Assign& a : parts_.assigns) {
      const bool elsewhere = parts_.locals[static_cast<std::size_t>(a.local)].pointer && !a.element.empty();
      if (!elsewhere) assigned_.emplace(a.local, a.token);  // else what the pointer points at gets a value
    }
  }

  LineNames run() {
    if (!parts_.reliable || parts_.too_deep >= 0) return {};
    auto statement = parts_.statements.begin();
    for (int token = 0; token < lexed_.count(); ++token) {
      while (statement != parts_.statements.end() && statement->last < token) ++statement;
      const bool inside = statement != parts_.statements.end() && statement->first <= token;
      name_at(token, inside ? statement->first : token, inside ? statement->last : token);
    }
    // Where a loop or a branch ends, its head is the line, and what its body wrote is written there.
    for (const Point& p : parts_.points)
      for (const int local : p.locals) {
        const bool pointer = parts_.locals[static_cast<std::size_t>(local)].pointer;
        if (!pointer) add(out_[lexed_.token(p.statement).line], named(local, true));
      }
    return std::move(out_);
  }

 private:
  void name_at(int token, int first, int last) {
    if (lexed_.token(token).kind != TokenKind::identifier || parts_.function_at(token) < 0) return;
    if (lexed_.is(token - 1, ".") || lexed_.is(token - 1, "->")) return;  // a member
    const int number = parts_.find(lexed_.of(token), token);
    if (number < 0) return;
    const auto assigned = assigned_.lower_bound({number, first});
    const bool written = assigned != assigned_.end() && assigned->first == number && assigned->second <= last;
    const NamedLocal found = named(number, written);
    for (int line = lexed_.token(first).line; line <= lexed_.token(last).line; ++line) add(out_[line], found);
  }

  NamedLocal named(int number, bool written) const {
    const Local& local = parts_.locals[static_cast<std::size_t>(number)];
    const FunctionRange& function = parts_.functions[static_cast<std::size_t>(local.function)];
    return {.name = local.name,
            .function = function.info.name,
            .declared_line = lexed_.token(local.token < function.open ? function.head : local.token).line,
            .written = written};
  }

  static void add(std::vector<NamedLocal>& names, const NamedLocal& named) {
    const auto known = std::find_if(names.begin(), names.end(), [&](const NamedLocal& n) {
      return n.name == named.name && n.declared_line == named.declared_line && n.function == named.function;
    });
    if (known == names.end())
      names.push_back(named);
    else
      known->written |= named.written;
  }

  const Lexed& lexed_;
  Outline parts_;
  std::set<std::pair<int, int>> assigned_;  ///< (local, token)
  LineNames out_;
};

}  // namespace

LineNames names_by_line(std::string_view text) {
  const Lexed lexed = lex(without_byte_order_mark(text));
  if (!lexed.mistakes.empty() || !lexed.balanced || lexed.too_deep >= 0) return {};
  return NameFinder(lexed).run();
}

}  // namespace lanescope::source
