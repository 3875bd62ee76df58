#pragma once
// An assumption of a launch: a value that neither the launch header, a comment nor the host code gives.
//
// It is a value, not a sentence, and flows one way: the inference makes it, the trial of sizes corrects it, the summary
// contains it, and every report puts it into words. app/engine/summary/rests.cpp finds the results that depend on it.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::source {

struct Assumption {
  enum class Group : std::uint8_t { geometry, arguments, contents };
  enum class Code : std::uint8_t {
    grid,
    block,
    shared_size,         ///< dynamic shared memory
    template_arguments,  ///< which instance runs
    condition,           ///< whether the host code makes the launch
    scalar,
    member,        ///< of a structure that is passed by value
    buffer_size,   ///< elements
    buffer_part,   ///< elements, fewer than the host code allocates
    claimed_size,  ///< elements, as far as the claims reach
    command_line,  ///< arguments of `main`
    contents,      ///< of a buffer
    variable,      ///< contents of a __device__ or __constant__ variable
    host_action,   ///< something that the host code does to memory, left out or simplified
  };
  Code code = Code::grid;
  int launch = -1;      ///< into Header::launches; -1: it is of all of them
  std::string kernel;   ///< of that launch; empty: of all
  std::string name;     ///< parameter, member, buffer or variable
  std::string value;    ///< "32 x 1 x 1", "1024"
  std::string because;  ///< its origin: "the default: one warp"

  bool operator==(const Assumption&) const = default;
};

inline constexpr std::array<std::string_view, 3> assumption_groups = {"geometry", "arguments", "contents"};

Assumption::Group group_of(Assumption::Code code);
/// "grid", "shared_size", ...: for JSON.
std::string_view name_of(Assumption::Code code);
/// "the block is 32 x 1 x 1", "n is 1024", "`p` holds zeros".
std::string short_words(const Assumption& a);
/// "Block: 32 x 1 x 1 threads, from the default: one warp."
std::string sentence_of(const Assumption& a);
std::vector<std::string> sentences_of(const std::vector<Assumption>& all);
/// The short words of all, each once, the first `most` of them: "the grid is 1 x 1 x 1, n is 32 and 3 more".
std::string list_of(const std::vector<Assumption>& all, std::size_t most);

}  // namespace lanescope::source
