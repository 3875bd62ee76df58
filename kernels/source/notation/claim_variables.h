#pragma once
// Which variables a claim is about, by the words that introduce it and the declarations around it.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/notation/comment_claims.h"

namespace lanescope::source {

struct ClaimNames {
  std::string display;               ///< "x"
  std::vector<std::string> members;  ///< {"x0", "x1"}; one name for an array, a vector or a scalar
  std::string problem;               ///< non-empty: why there are none
};

/// The most registers that one claim can speak of.
inline constexpr int most_members = 4096;

/// The local variables of one function, as its claims may name them.
class NamedVariables {
 public:
  NamedVariables(const Outline& outline, int function);

  const Local* find(std::string_view name) const;
  /// base0, base1, ... without a gap.
  int family(const std::string& base) const;
  /// What `word` means in a claim with `wanted` registers (0: the claim does not say).
  std::optional<ClaimNames> meaning(const std::string& word, int wanted) const;
  /// The variables declared just after and just before token `anchor`; nullptr where there is none.
  std::pair<const Local*, const Local*> around(int anchor) const;

 private:
  std::optional<ClaimNames> base_meaning(const std::string& base, int wanted) const;

  std::map<std::string_view, const Local*> by_name_;
  std::vector<const Local*> own_;  ///< in text order, without parameters
  mutable std::map<std::string, int, std::less<>> families_;
};

/// `anchor`: the last token before the claim; `variables` those of the function it is in.
ClaimNames names_of(const TextClaim& claim, const NamedVariables& variables, int anchor);

}  // namespace lanescope::source
