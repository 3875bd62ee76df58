#pragma once
// Which variables a claim is about, by the words that introduce it and the declarations around it.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/notation/comment_claims.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

// The size of an object by the text of its declaration. It decides whether a variable has the number of registers of a
// claim.

/// "s.v4" is the member v4 of the variable s, "x[2]" the element 2 of x, "this->e" the member e of the method's object.
struct NamePath {
  std::string base;  ///< the variable
  std::string path;  ///< ".v4", "[2]", "->v4"; empty for the whole variable
};
NamePath parts_of(std::string_view name);

/// The type of an object and how many of it there are.
struct ObjectType {
  std::string type;                   ///< of one element, without const
  std::vector<std::int64_t> extents;  ///< of an array, slowest first; -1 if the text does not give it
  bool pointer = false;
};

/// Of a local, or what `path` selects of it; nullopt where there is no such part.
std::optional<ObjectType> object_at(const Lexed& lexed, const Outline& outline, const Values& values,
                                    const Local& local, std::string_view path);

/// Bytes; 0 if the text does not give them.
std::uint64_t bytes_of(const ObjectType& object, const Outline& outline, const Values& values);

/// Whether an object of so many bytes may be the `registers` of a register row (a power of two): units of 32 bits, of
/// one element, or of 64 bits. `bytes` 0 (unknown): false.
bool fills_registers(std::uint64_t bytes, std::uint64_t element_bytes, int registers);

struct ClaimNames {
  std::string display;  ///< "x"
  /// {"x0", "x1"}; one name for an array, a vector or a scalar; "s.v4", "x[2]" for a part of a variable.
  std::vector<std::string> members{};
  ClaimReason problem{};  ///< why there are none
  std::string assumed{};  ///< non-empty: the comment names no variable, and why these are meant
  std::string said{};     ///< non-empty: which comment gives them the name that this one uses
};

/// It is not clear which are meant, and why.
ClaimNames unclear_names(std::string why, std::string display = {});

/// The most registers that one claim can speak of.
inline constexpr int most_members = 4096;

/// The local variables of one function, as its claims may name them.
class NamedVariables {
 public:
  /// `data`: for each local whether its value comes from data. All must outlive this.
  NamedVariables(const Lexed& lexed, const Outline& outline, const Values& values, const std::vector<bool>& data,
                 int function);
  const Outline& outline() const { return *outline_; }
  int function() const { return function_; }
  int line_of(int token) const { return lexed_->token(token).line; }

  const Local* find(std::string_view name) const;
  bool has_data(std::string_view name) const;
  /// Whether these objects are as many registers as `wanted`; nullopt where the text does not say how large they are.
  std::optional<bool> fits(const ClaimNames& names, int wanted) const;
  /// Whether `name` is a part of a variable of known type: "v.x", "x[2]".
  bool is_part(std::string_view name) const;
  /// Whether the parts are those of one variable, all of them, in order: "v.x v.y".
  bool are_all_of_one(const std::vector<std::string>& names) const;
  /// The expression that a probe writes to read `name`: the name, or the array that a parameter points to.
  std::string expression(const std::string& name) const;
  /// base0, base1, ... without a gap.
  int family(const std::string& base) const;
  /// The meaning of `word` in a claim with `wanted` registers (0: the claim does not say).
  std::optional<ClaimNames> meaning(const std::string& word, int wanted) const;
  /// The variables declared just after and just before token `anchor`; nullptr where there is none.
  std::pair<const Local*, const Local*> around(int anchor) const;

 private:
  std::optional<ClaimNames> base_meaning(const std::string& base, int wanted) const;
  std::optional<ClaimNames> part_meaning(const std::string& word, int wanted) const;
  std::optional<ObjectType> object_of(std::string_view name) const;
  /// The extents of the local arrays that every call of this function passes for the parameter `local`, a pointer; empty
  /// where it may point to something else.
  const std::vector<std::int64_t>& array_after(const Local& local) const;

  const Lexed* lexed_;
  const Outline* outline_;
  const Values* values_;
  const std::vector<bool>* data_;
  int function_ = -1;
  std::map<std::string_view, const Local*> by_name_;
  std::vector<const Local*> own_;  ///< in text order, without parameters
  mutable std::map<std::string, int, std::less<>> families_;
  mutable std::map<std::string, std::vector<std::int64_t>, std::less<>> after_;
};

/// `anchor`: the last token before the claim; `variables` those of the function it is in.
/// `ready` says whether these names have a value there.
ClaimNames names_of(const TextClaim& claim, const NamedVariables& variables, int anchor,
                    const std::function<bool(const std::vector<std::string>&)>& ready);

}  // namespace lanescope::source
