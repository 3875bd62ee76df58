#include "kernels/base/toml_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/nearest.h"
#include "kernels/base/text.h"

namespace lanescope {

Diagnostic TomlTable::at(const toml::source_region& where, std::string message, std::string remedy) const {
  return {.file = file_,
          .line = static_cast<int>(where.begin.line) + lines_before_,
          .column = static_cast<int>(where.begin.column),
          .message = std::move(message),
          .remedy = std::move(remedy)};
}

const toml::node* TomlTable::take(std::string_view key) {
  known_.emplace_back(key);
  return table_.get(key);
}

int TomlTable::line_of(std::string_view key) const {
  const toml::node* value = table_.get(key);
  return static_cast<int>((value == nullptr ? table_.source() : value->source()).begin.line) + lines_before_;
}

void TomlTable::complain(std::string_view key, std::string message, std::string remedy) {
  const toml::node* value = table_.get(key);
  complain(value == nullptr ? table_ : *value, std::move(message), std::move(remedy));
}

void TomlTable::complain(const toml::node& node, std::string message, std::string remedy) {
  wrong_.push_back(at(node.source(), std::move(message), std::move(remedy)));
}

bool TomlTable::refuse(std::string_view key, std::string_view kind, std::string remedy) {
  complain(key, fmt::format("`{}`{}{} must be {}", key, title_.empty() ? "" : " of ", title_, kind), std::move(remedy));
  return false;
}

void TomlTable::need(std::string_view key) {
  if (!has(key))
    complain(table_, fmt::format("`{}` is missing{}{}", key, title_.empty() ? "" : " in ", title_), "add the key");
}

bool TomlTable::read(std::string_view key, std::string& value) {
  const toml::node* n = take(key);
  if (n == nullptr) return false;
  const auto* s = n->as_string();
  if (s == nullptr) return refuse(key, "a string", "write it in quotes");
  value = s->get();
  return true;
}

bool TomlTable::read(std::string_view key, bool& value) {
  const toml::node* n = take(key);
  if (n == nullptr) return false;
  if (!n->is_boolean()) return refuse(key, "true or false");
  value = n->as_boolean()->get();
  return true;
}

bool TomlTable::read(std::string_view key, std::int64_t& value, std::int64_t least, std::int64_t most) {
  const toml::node* n = take(key);
  if (n == nullptr) return false;
  const auto* whole = n->as_integer();
  if (whole == nullptr || whole->get() < least || whole->get() > most) {
    const bool is_limit_of_type = most == std::numeric_limits<int>::max() ||
                                  most == std::numeric_limits<std::uint32_t>::max() ||
                                  most == std::numeric_limits<std::int64_t>::max();
    return refuse(
        key, fmt::format("a whole number from {} {}", least, is_limit_of_type ? "on" : fmt::format("to {}", most)));
  }
  value = whole->get();
  return true;
}

bool TomlTable::read(std::string_view key, int& value, int least, int most) {
  std::int64_t whole = 0;
  const bool good = read(key, whole, std::int64_t{least}, std::int64_t{most});
  if (good) value = static_cast<int>(whole);
  return good;
}

bool TomlTable::read(std::string_view key, std::uint32_t& value) {
  std::int64_t whole = 0;
  const bool good = read(key, whole, 0, std::numeric_limits<std::uint32_t>::max());
  if (good) value = static_cast<std::uint32_t>(whole);
  return good;
}

bool TomlTable::read(std::string_view key, float& value, float least, float most) {
  const toml::node* n = take(key);
  if (n == nullptr) return false;
  const auto number = n->is_number() ? n->value<double>() : std::nullopt;
  if (!number || *number < least || *number > most)
    return refuse(key, fmt::format("a number from {} to {}", least, most));
  value = static_cast<float>(*number);
  return true;
}

bool TomlTable::read(std::string_view key, double& value) {
  const toml::node* n = take(key);
  if (n == nullptr) return false;
  const auto number = n->is_number() ? n->value<double>() : std::nullopt;
  if (!number || !(*number > 0)) return refuse(key, "a number above 0");
  value = *number;
  return true;
}

bool TomlTable::read(std::string_view key, std::vector<std::string>& value, bool numbers) {
  const toml::node* n = take(key);
  if (n == nullptr) return false;
  const toml::array* list = n->as_array();
  std::vector<std::string> read;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (const auto* s = list->get(i)->as_string())
      read.push_back(s->get());
    else if (const auto* whole = list->get(i)->as_integer(); whole != nullptr && numbers)
      read.push_back(std::to_string(whole->get()));
  }
  if (list == nullptr || read.size() != list->size())
    return refuse(key, "a list of strings", "write [\"...\", \"...\"]");
  value = std::move(read);
  return true;
}

bool TomlTable::read(std::string_view key, std::vector<int>& value) {
  const toml::node* n = take(key);
  if (n == nullptr) return false;
  const toml::array* list = n->as_array();
  std::vector<int> read;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
    if (const auto whole = list->get(i)->value_exact<std::int64_t>()) read.push_back(static_cast<int>(*whole));
  if (list == nullptr || read.size() != list->size()) return refuse(key, "a list of whole numbers");
  value = std::move(read);
  return true;
}

const toml::table* TomlTable::read_table(std::string_view key) {
  const toml::node* n = take(key);
  if (n != nullptr && !n->is_table()) refuse(key, "a table");
  return n == nullptr ? nullptr : n->as_table();
}

std::vector<const toml::table*> TomlTable::read_tables(std::string_view key) {
  std::vector<const toml::table*> out;
  const toml::node* n = take(key);
  const toml::array* list = n == nullptr ? nullptr : n->as_array();
  if (n != nullptr && list == nullptr)
    refuse(key, "a list of tables", fmt::format("write [[{}]] in double brackets", key));
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (const toml::table* table = list->get(i)->as_table())
      out.push_back(table);
    else
      complain(*list->get(i), fmt::format("a {} must be a table", key),
               fmt::format("write [[{}]] and its keys below", key));
  }
  return out;
}

Diagnostics TomlTable::finish(bool all_read) {
  for (const auto& [key, value] : table_) {
    if (!all_read || one_of(key.str(), known_)) continue;
    wrong_.push_back(at(key.source(),
                        fmt::format("there is no key `{}` {}{}", key.str(), title_.empty() ? "here" : "in ", title_),
                        did_you_mean(key.str(), known_, fmt::format("known are {}", fmt::join(known_, ", ")))));
  }
  return std::move(wrong_);
}

Expected<toml::table> parse_toml(std::string_view text, const std::string& file, int lines_before, const char* remedy) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& e) {
    return failure(Diagnostic{.file = file,
                              .line = static_cast<int>(e.source().begin.line) + lines_before,
                              .column = static_cast<int>(e.source().begin.column),
                              .message = std::string(e.description()),
                              .remedy = remedy});
  }
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out + '"';
}

std::optional<std::size_t> byte_at(std::string_view text, unsigned line, unsigned column) {
  std::size_t here = 0;
  for (unsigned l = 1; l < line; ++l) {
    here = text.find('\n', here);
    if (here == std::string_view::npos) return std::nullopt;
    ++here;
  }
  for (unsigned c = 1; c < column; ++c) {
    if (here >= text.size()) return std::nullopt;
    for (++here; here < text.size() && (static_cast<unsigned char>(text[here]) & 0xc0) == 0x80;) ++here;
  }
  return here;
}

}  // namespace lanescope
