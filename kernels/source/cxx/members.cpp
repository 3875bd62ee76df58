#include "kernels/source/cxx/members.h"

#include "kernels/source/cxx/declaration.h"

namespace lanescope::source {
namespace {

constexpr int deepest_unnamed = 8;  ///< unions and structs without a name, within each other

bool is_class_word(const Lexed& lexed, int i) {
  return lexed.is(i, "struct") || lexed.is(i, "class") || lexed.is(i, "union");
}

/// What [first, last], a statement of a class without its `;`, declares.
void add_members(const Lexed& lexed, int first, int last, std::vector<DataMember>& out) {
  while (first < last && lexed.is(first + 1, ":")) first += 2;  // public:
  if (first > last || lexed.is(first, "using") || lexed.is(first, "friend")) return;
  const Declaration d = read_declaration(lexed, first, last);
  if (!d.in_registers) return;
  for (const Declarator& v : d.declarators) {
    if (lexed.is(v.name + 1, "(")) return;  // a method
    if (out.size() >= most_members_of_class) return;
    DataMember m{.name = std::string(lexed.of(v.name)),
                 .type = d.type,
                 .extents = {},
                 .pointer = v.pointer,
                 .reference = v.reference,
                 .array = v.array};
    for (int i = v.name + 1; lexed.is(i, "[") && lexed.partner(i) > 0; i = lexed.partner(i) + 1)
      m.extents += "[" + joined(lexed, i + 1, lexed.partner(i) - 1) + "]";
    out.push_back(std::move(m));
  }
}

void read_members(const Lexed& lexed, int open, int depth, std::vector<DataMember>& out) {
  const int close = lexed.partner(open);
  int first = open + 1;
  for (int i = open + 1; i < close; ++i) {
    if (lexed.is(i, ";")) {
      add_members(lexed, first, i - 1, out);
      first = i + 1;
    } else if (lexed.is(i, "{") && lexed.partner(i) > 0) {
      const int end = lexed.partner(i);
      const bool unnamed = i > first && is_class_word(lexed, i - 1) && lexed.is(end + 1, ";");
      if (unnamed && depth < deepest_unnamed) read_members(lexed, i, depth + 1, out);
      // A method's body ends its statement; an initialiser's braces do not.
      const bool goes_on = lexed.is(end + 1, ",") || (lexed.is(end + 1, ";") && !unnamed);
      if (!goes_on) first = end + 1;
      i = end;
    } else if (lexed.partner(i) > i) {
      i = lexed.partner(i);
    }
  }
}

}  // namespace

std::vector<DataMember> data_members(const Lexed& lexed, int open) {
  std::vector<DataMember> out;
  if (lexed.partner(open) > open) read_members(lexed, open, 0, out);
  return out;
}

std::string class_name(const Lexed& lexed, int start, int open) {
  for (int i = start; i < open; ++i) {
    if (!is_class_word(lexed, i)) continue;
    int name = i + 1;
    while (name < open && lexed.is(name + 1, "(") && lexed.partner(name + 1) > 0) name = lexed.partner(name + 1) + 1;
    if (name < open && lexed.token(name).kind == TokenKind::identifier) return std::string(lexed.of(name));
  }
  return {};
}

}  // namespace lanescope::source
