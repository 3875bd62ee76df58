#pragma once
// Names that several namespaces, classes, enumerations or functions of a file declare, and which of them is meant.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source::host {

struct Type;

/// The meaning of a name in one scope.
struct Meaning {
  std::optional<std::int64_t> constant{};  ///< an enumerator, or a static member
  int slot = -1;                           ///< a variable: in the frame of the globals
  const Type* type = nullptr;              ///< a structure, an enumeration or an alias
  bool operator==(const Meaning&) const = default;
};

/// A path names the scopes around a token: "a::A" in class A of namespace a, "" at file scope. Unnamed namespaces have none.
class Scopes {
 public:
  explicit Scopes(const Lexed& lexed);

  std::string path_of(int token) const;
  void enter(std::string_view name, const std::string& path, const Meaning& meaning);
  /// The name has different meanings in different scopes.
  bool several(std::string_view name) const;
  /// `qualifier`: "a" of "a::n". nullptr: none, or which one is not certain.
  const Meaning* meant(std::string_view name, std::string_view qualifier, std::string_view path) const;
  /// The one of `paths` that the qualifier means in code of `path`; -1: none, or not certain.
  int which(const std::vector<std::string_view>& paths, std::string_view qualifier, std::string_view path) const;

 private:
  struct Range {
    int open = 0, close = 0;
    std::string name;
  };
  std::vector<Range> ranges_;                ///< by `open`
  std::set<std::string, std::less<>> used_;  ///< `using namespace`
  std::map<std::string, std::map<std::string, Meaning>, std::less<>> names_;
};

/// "a::A" of "a" and "A"; either may be empty.
std::string joined_path(std::string_view path, std::string_view name);

}  // namespace lanescope::source::host
