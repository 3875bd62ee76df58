#pragma once
// Random kernels whose threads take different ways, as CUDA text and as a program that any thread can be run through alone:
// the oracle of active masks. Every statement bumps a counter of its own in memory, so that a line is a statement.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace lanescope::engine::test {

struct Statement {
  enum class Kind : std::uint8_t { bump, branch, loop, sync };
  Kind kind = Kind::bump;
  int line = 0;                  ///< of a bump or sync
  unsigned mask = 0, equal = 0;  ///< of a branch: (threadIdx.x & mask) < equal; of a loop: (threadIdx.x & mask) times
  std::vector<Statement> then{}, other{};
};

class RandomKernel {
 public:
  explicit RandomKernel(std::uint64_t seed) : random_(seed) {
    head_ =
        "/*\n[lanescope]\nblock = 64\n\n[buffers]\nx = \"u32 i:4096\"\n*/\n"
        "__global__ void apart(unsigned *x) {\n  unsigned t = threadIdx.x;\n";
    line_ = static_cast<int>(std::count(head_.begin(), head_.end(), '\n')) + 1;
    body_ = block(0);
    text_ += "}\n";
  }
  std::string text() const { return head_ + text_; }
  /// Lines that a thread executes, in its order.
  std::vector<int> lines_of(unsigned thread) const {
    std::vector<int> lines;
    run(body_, thread, lines);
    return lines;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  void put(int depth, const std::string& words) {
    text_ += std::string(static_cast<std::size_t>(depth) * 2 + 2, ' ') + words + "\n";
    ++line_;
  }
  std::vector<Statement> block(int depth) {
    std::vector<Statement> all;
    const unsigned count = 1 + below(3);
    for (unsigned n = 0; n < count; ++n) {
      const unsigned choice = depth > 2 ? 0 : below(5);
      Statement s{.mask = (1u << (1 + below(5))) - 1};
      if (choice < 2) {
        s.line = line_;
        // Text of its own, so that the compiler does not make one statement of two.
        put(depth, fmt::format(R"(asm volatile("st.global.u32 [%0], %1; // {}" ::"l"(x + t), "r"(t));)", line_));
      } else if (choice == 2 && depth == 0) {
        s.kind = Statement::Kind::sync, s.line = line_;
        put(depth, "__syncwarp();");
      } else if (choice == 3) {
        s.kind = Statement::Kind::loop, s.mask = 3;
        put(depth, fmt::format("for (unsigned n{0} = 0; n{0} < (t & 3); ++n{0}) {{", line_));
        s.then = block(depth + 1);
        put(depth, "}");
      } else {
        s.kind = Statement::Kind::branch, s.equal = 1 + below(s.mask);
        put(depth, fmt::format("if ((t & {}) < {}) {{", s.mask, s.equal));
        s.then = block(depth + 1);
        put(depth, "} else {");
        s.other = block(depth + 1);
        put(depth, "}");
      }
      all.push_back(std::move(s));
    }
    return all;
  }
  static void run(const std::vector<Statement>& all, unsigned thread, std::vector<int>& lines) {
    for (const Statement& s : all) {
      if (s.kind == Statement::Kind::bump) lines.push_back(s.line);
      if (s.kind == Statement::Kind::branch) run((thread & s.mask) < s.equal ? s.then : s.other, thread, lines);
      if (s.kind == Statement::Kind::loop)
        for (unsigned n = 0; n < (thread & s.mask); ++n) run(s.then, thread, lines);
    }
  }

  std::mt19937_64 random_;
  std::string head_, text_;
  int line_ = 1;
  std::vector<Statement> body_;
};

}  // namespace lanescope::engine::test
