#pragma once
// Index arithmetic as comments write it: "lane/4 + 8*(i/2)", "2*(l%4)+{0,1}", "4t..4t+3", "(tid >> 2) & 7". It is put into
// C++, in which a number before a name or a bracket multiplies it, and has values that are not negative.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

class IndexFormula {
 public:
  /// nullopt: it is no such formula, as a whole.
  static std::optional<IndexFormula> read(std::string_view text);
  const std::set<std::string>& names() const { return names_; }
  /// Values that "{0,1}" or "a..b" choose from; 1: neither is there.
  int choices() const { return choices_; }
  /// nullopt: a name has no value, it divides by zero, a number is too large, or the ends of a range change places.
  std::optional<std::int64_t> value(const std::map<std::string, std::int64_t, std::less<>>& values, int choice) const;

 private:
  friend class FormulaReader;
  struct Text;                                      ///< an expression of C++
  std::vector<std::shared_ptr<const Text>> texts_;  ///< one for each choice; of a range its two ends
  bool is_range_ = false;
  int choices_ = 1;
  std::set<std::string> names_;
};

// Registers with names of their own, one by one:
//
//   d0=C[row0,col0], d1=C[row0,col1], d2=C[row1,col0], d3=C[row1,col1]
//     where row0 = lane/4, row1 = row0 + 8, col0 = 2*(lane%4), col1 = col0 + 1
//   c0,c1: row = groupID, col = 2*tig + {0,1};  c2,c3: row = groupID + 8, col = 2*tig + {0,1}
//
// Names are those of a family, from number 0 on, without a gap.

struct SeparateRegisters {
  struct Part {
    IndexFormula formula;
    int choice = 0;
  };
  std::vector<std::string> names;     ///< "d0", "d1", ...
  std::vector<std::string> axes;      ///< "row", "col"
  std::vector<std::vector<Part>> at;  ///< [register][axis]
  std::size_t lines = 1;              ///< that it takes up
  bool output = false;                ///< its words describe a result
};

/// The form that begins in line `i`; nullopt if it is another one.
std::optional<SeparateRegisters> separate_registers(const std::vector<CommentLine>& lines, std::size_t i);

}  // namespace lanescope::source
