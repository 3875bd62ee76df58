#include "app/lessons/table_reader.h"

#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "kernels/base/nearest.h"
#include "kernels/base/text.h"

namespace lanescope::lessons {

Diagnostic TableReader::at(const toml::source_region& where, std::string message, std::string remedy) const {
  return {.file = file_,
          .line = static_cast<int>(where.begin.line) + lines_before_,
          .column = static_cast<int>(where.begin.column),
          .message = std::move(message),
          .remedy = std::move(remedy)};
}

const toml::node* TableReader::take(std::string_view key) {
  known_.emplace_back(key);
  return table_.get(key);
}

int TableReader::line_of(std::string_view key) const {
  const toml::node* value = table_.get(key);
  return static_cast<int>((value == nullptr ? table_.source() : value->source()).begin.line) + lines_before_;
}

void TableReader::complain(std::string_view key, std::string message, std::string remedy) {
  const toml::node* value = table_.get(key);
  wrong_.push_back(at(value == nullptr ? table_.source() : value->source(), std::move(message), std::move(remedy)));
}

void TableReader::read(std::string_view key, std::string& value) {
  const toml::node* n = take(key);
  if (n == nullptr) return;
  if (const auto* s = n->as_string())
    value = s->get();
  else
    complain(key, fmt::format("`{}` must be a string", key), "write it in quotes");
}

void TableReader::read(std::string_view key, int& value, int least) {
  const toml::node* n = take(key);
  if (n == nullptr) return;
  const auto* whole = n->as_integer();
  if (whole != nullptr && whole->get() >= least && whole->get() <= std::numeric_limits<int>::max())
    value = static_cast<int>(whole->get());
  else
    complain(key, fmt::format("`{}` must be a whole number from {} on", key, least));
}

void TableReader::read(std::string_view key, std::uint32_t& value) {
  const toml::node* n = take(key);
  if (n == nullptr) return;
  const auto* whole = n->as_integer();
  if (whole != nullptr && whole->get() >= 0 && whole->get() <= std::numeric_limits<std::uint32_t>::max())
    value = static_cast<std::uint32_t>(whole->get());
  else
    complain(key, fmt::format("`{}` must be a whole number from 0 on", key));
}

void TableReader::read(std::string_view key, float& value, float least, float most) {
  const toml::node* n = take(key);
  if (n == nullptr) return;
  const auto number = n->is_number() ? n->value<double>() : std::nullopt;
  if (number && *number >= least && *number <= most)
    value = static_cast<float>(*number);
  else
    complain(key, fmt::format("`{}` must be a number from {} to {}", key, least, most));
}

void TableReader::read(std::string_view key, std::vector<std::string>& value, bool numbers) {
  const toml::node* n = take(key);
  if (n == nullptr) return;
  const toml::array* list = n->as_array();
  std::vector<std::string> read;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (const auto* s = list->get(i)->as_string())
      read.push_back(s->get());
    else if (const auto* whole = list->get(i)->as_integer(); whole != nullptr && numbers)
      read.push_back(std::to_string(whole->get()));
  }
  if (list == nullptr || read.size() != list->size())
    complain(key, fmt::format("`{}` must be a list of strings", key), "write [\"...\", \"...\"]");
  else
    value = std::move(read);
}

Diagnostics TableReader::finish() {
  for (const auto& [key, value] : table_) {
    if (one_of(key.str(), known_)) continue;
    wrong_.push_back(at(key.source(), fmt::format("there is no key `{}` here", key.str()),
                        did_you_mean(key.str(), known_, "leave it out")));
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

}  // namespace lanescope::lessons
