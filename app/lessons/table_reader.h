#pragma once
// One table of TOML, key by key: a wrong type, and every key that was not read, is a diagnostic at its
// place. For the files of this folder only.

#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "kernels/base/diagnostic.h"

namespace lanescope::lessons {

class TableReader {
 public:
  /// `lines_before`: lines of `file` above the text that the table was parsed from.
  TableReader(const toml::table& table, std::string file, int lines_before = 0)
      : table_(table), file_(std::move(file)), lines_before_(lines_before) {}

  bool has(std::string_view key) const { return table_.contains(key); }
  void read(std::string_view key, std::string& value);
  void read(std::string_view key, int& value, int least);
  void read(std::string_view key, std::uint32_t& value);
  void read(std::string_view key, float& value, float least, float most);
  /// A list of strings; with `numbers` also of whole numbers, which become their digits.
  void read(std::string_view key, std::vector<std::string>& value, bool numbers = false);
  /// The value of this key is wrong, or it is missing.
  void complain(std::string_view key, std::string message, std::string remedy = {});
  /// The errors found, with the keys that were not read.
  Diagnostics finish();
  int line_of(std::string_view key) const;  ///< of the file; of the table where it has no such key

 private:
  const toml::node* take(std::string_view key);
  Diagnostic at(const toml::source_region& where, std::string message, std::string remedy) const;

  const toml::table& table_;
  std::string file_;
  int lines_before_;
  std::vector<std::string> known_;
  Diagnostics wrong_;
};

/// The text as TOML. Error: at its place of `file`.
Expected<toml::table> parse_toml(std::string_view text, const std::string& file, int lines_before, const char* remedy);

}  // namespace lanescope::lessons
