#pragma once
// A device function that is judged by itself: its comments state the registers that it gets.

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lanescope::source {

/// A kernel that is generated for a device function: it puts an array into the function's parameters as the comments at
/// the function's beginning state, calls it, and stores the parameters again. Claims of the function then hold if these do.
struct Contract {
  std::string function;    ///< "exchange"
  std::string kernel;      ///< "contract_of_exchange"
  std::vector<int> given;  ///< claims that state the input, as indices of Source::claims
  int line = 0;            ///< of the first of them; generated code has this line
  int launch = -1;         ///< into Header::launches
  std::string problem{};   ///< why there is no such kernel
};

/// Why the functions of these names cannot be called by themselves.
using RefusedContracts = std::map<std::string, std::string, std::less<>>;

}  // namespace lanescope::source
