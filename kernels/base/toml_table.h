#pragma once
// One table of TOML, key by key: a wrong type, a missing key and every key that was not read are diagnostics at their places.

#include <toml++/toml.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope {

class TomlTable {
 public:
  /// `lines_before`: lines of `file` above the text that the table was parsed from. `title`: of the table, in messages.
  TomlTable(const toml::table& table, std::string file, int lines_before = 0, std::string title = {})
      : table_(table), file_(std::move(file)), lines_before_(lines_before), title_(std::move(title)) {}

  bool has(std::string_view key) const { return table_.contains(key); }
  bool is_table(std::string_view key) const { return table_[key].is_table(); }
  const std::string& title() const { return title_; }
  // Each sets `value` and returns true if the key is there and its value is of that kind.
  bool read(std::string_view key, std::string& value);
  bool read(std::string_view key, bool& value);
  bool read(std::string_view key, std::int64_t& value, std::int64_t least,
            std::int64_t most = std::numeric_limits<std::int64_t>::max());
  bool read(std::string_view key, int& value, int least, int most = std::numeric_limits<int>::max());
  bool read(std::string_view key, std::uint32_t& value);
  bool read(std::string_view key, float& value, float least, float most);
  bool read(std::string_view key, double& value);  ///< above 0
  /// A list of strings; with `numbers` also of whole numbers, which become their digits.
  bool read(std::string_view key, std::vector<std::string>& value, bool numbers = false);
  bool read(std::string_view key, std::vector<int>& value);
  /// The value of a key that the caller reads itself; nullptr: the key is missing.
  const toml::node* take(std::string_view key);
  /// A table in this one; nullptr: the key is missing or has another value.
  const toml::table* read_table(std::string_view key);
  /// The tables of [[key]]; none where the key is missing.
  std::vector<const toml::table*> read_tables(std::string_view key);
  /// A missing key is a mistake: "`key` is missing".
  void need(std::string_view key);
  /// The value of this key is wrong, or it is missing.
  void complain(std::string_view key, std::string message, std::string remedy = {});
  void complain(const toml::node& at, std::string message, std::string remedy = {});
  /// The mistakes found; with the keys that were not read, if all that a table may have were read.
  Diagnostics finish(bool all_read = true);
  int line_of(std::string_view key) const;  ///< of the file; of the table where it has no such key

 private:
  bool refuse(std::string_view key, std::string_view kind, std::string remedy = {});
  Diagnostic at(const toml::source_region& where, std::string message, std::string remedy) const;

  const toml::table& table_;
  std::string file_;
  int lines_before_;
  std::string title_;
  std::vector<std::string> known_;
  Diagnostics wrong_;
};

/// The text as TOML. Error: at its place of `file`.
Expected<toml::table> parse_toml(std::string_view text, const std::string& file, int lines_before, const char* remedy);

// Strings as TOML writes them, and places as its parser counts them.

/// A basic string, in quotes and on one line. Bytes beyond ASCII stay as they are.
std::string toml_string(std::string_view text);

/// The byte at a line and a column, both from 1; columns count code points, as those of toml++ do. nullopt: there is no
/// such place.
std::optional<std::size_t> byte_at(std::string_view text, unsigned line, unsigned column);

}  // namespace lanescope
