#pragma once
// The data of a view as comma-separated values (RFC 4180): one heading row whose names carry the units, numbers with a
// point and without spaces, text quoted where it must be. Lines end in "\n".

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace lanescope::views::csv {

std::string field(std::string_view text);  ///< quoted when it holds a comma, a quote or a line break

class Table {
 public:
  explicit Table(std::initializer_list<std::string_view> heading);
  template <class... Values>
  void row(const Values&... values) {
    begin();
    (add(fmt::format("{}", values)), ...);
    text_ += '\n';
  }
  std::string text() const { return text_; }

 private:
  void begin() { first_ = true; }
  void add(std::string_view value);
  std::string text_;
  bool first_ = true;
};

/// Rows of fields; nothing for text that is not CSV. The inverse of writing.
std::vector<std::vector<std::string>> parse(std::string_view text);

}  // namespace lanescope::views::csv
