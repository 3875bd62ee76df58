#include "viz/views/base/csv.h"

namespace lanescope::views::csv {

std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

Table::Table(std::initializer_list<std::string_view> heading) {
  for (std::string_view name : heading) add(name);
  text_ += '\n';
}

void Table::add(std::string_view value) {
  if (!first_) text_ += ',';
  first_ = false;
  text_ += field(value);
}

std::vector<std::vector<std::string>> parse(std::string_view text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row(1);
  bool quoted = false;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const char c = text[n];
    if (quoted) {
      if (c != '"')
        row.back() += c;
      else if (n + 1 < text.size() && text[n + 1] == '"')
        row.back() += '"', ++n;
      else
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      row.emplace_back();
    } else if (c == '\n') {
      rows.push_back(std::move(row));
      row.assign(1, "");
    } else if (c != '\r') {
      row.back() += c;
    }
  }
  if (quoted) return {};
  if (row.size() > 1 || !row.front().empty()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace lanescope::views::csv
