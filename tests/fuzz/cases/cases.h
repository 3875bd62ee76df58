#pragma once
// Cases of fuzzing: a PTX file with its launch file, changes of both that mostly leave something that runs, and one run of
// a case through everything that looks at it. Text changed byte by byte hardly ever passes the parser; so most changes
// know registers, numbers, modifiers, instructions and launch keys.

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::fuzz {

struct Case {
  std::string name;
  std::string ptx, launch;
  bool operator==(const Case&) const = default;
};

/// Kernels of the catalogue with their launch headers, files of tests/data, and one kernel that has every register of the
/// forms of instructions (kernels/emulator/forms). All of them run as they are.
std::vector<Case> seeds();

/// A case as one text for a fuzzer, and back. A text without the mark has no launch file.
std::string joined(const Case& one);
Case split(std::string_view text);

/// The same seed and the same calls give the same cases.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}
  /// One to six changes. Instructions may come from `others`.
  Case mutated(const Case& from, const std::vector<Case>& others);
  /// Any of them.
  const Case& choose(const std::vector<Case>& cases) { return cases[below(cases.size())]; }

 private:
  std::uint64_t below(std::uint64_t n) { return n == 0 ? 0 : random_() % n; }
  bool chance(unsigned in) { return random_() % in == 0; }
  template <class T>
  const T& any(const std::vector<T>& of) {
    return of[below(of.size())];
  }

  void change_ptx(std::vector<std::string>& lines, const std::vector<Case>& others);
  void change_launch(std::string& text);
  void change_register(std::vector<std::string>& lines, std::size_t at);
  void change_number(std::string& line, std::uint64_t most = ~std::uint64_t{0});
  void change_opcode(std::string& line);
  void change_guard(std::vector<std::string>& lines, std::size_t at);
  void retarget(std::vector<std::string>& lines, std::size_t at);
  void splice(std::vector<std::string>& lines, std::size_t at, const Case& other);
  void insert_form(std::vector<std::string>& lines, std::size_t at);
  void damage(std::string& text);
  std::string number(std::uint64_t most);

  std::mt19937_64 random_;
};

struct Outcome {
  bool executed = false;  ///< at least one warp instruction
  bool faulted = false;   ///< the emulator stopped it, or a part of it
  std::string broken{};   ///< not empty: what should never be, in words
  std::uint64_t instructions = 0;
};

/// Runs a case as `lanescope run FILE.ptx --launch FILE.toml` does. `thorough`: then a second time, which must give the same
/// bytes, and in the emulator alone with and without identities and with races watched, which must change nothing.
Outcome run_case(const Case& one, bool thorough);

}  // namespace lanescope::fuzz
