#pragma once
// Which functions of the file name which others, and which launch kernels, as far as their words show.

#include <set>
#include <string_view>
#include <vector>

#include "kernels/source/host/program/program.h"

namespace lanescope::source::host {

class CallGraph {
 public:
  explicit CallGraph(const Program& program) : p_(program) {}

  /// Whether its own body launches.
  bool launches(int function);
  /// Whether the function, or one that it calls, can launch a kernel.
  bool may_launch(int function);
  /// A function and those that it calls, as far as they name a global. A loop requests it in each iteration.
  const std::vector<int>& naming_globals(int function);
  /// Functions that launch and are not in `executed`, and before them those that call them: a template has the arguments
  /// that these give it. The caller executes them in this order, and passes over those that have been executed meanwhile.
  std::vector<int> roots(const std::set<int>& executed);

  std::uint64_t tokens_searched = 0;  ///< by naming_globals()

 private:
  /// The names in the function's body.
  const std::set<std::string_view>& names(int function);
  /// Functions of the file that its body names.
  std::vector<int> called(int function);
  bool is_kernel(int function) const { return p_.function(function).info.is_kernel; }
  int count() const { return static_cast<int>(p_.outline.functions.size()); }

  const Program& p_;
  std::map<int, std::set<std::string_view>> names_;
  std::vector<bool> may_launch_;
  std::map<int, std::vector<int>> naming_globals_;  ///< as long as there are as many globals
  std::size_t globals_known_ = 0;
};

}  // namespace lanescope::source::host
