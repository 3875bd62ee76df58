#pragma once
// Random kernels of one warp that branch: each lane writes down every site that it comes to, with the lanes that are
// there together (activemask). The same kernels run in the emulator and on a GPU.
//
// `trace` is an array of (site, lanes) pairs, 32 lanes side by side; a lane that reaches its end exits.

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace lanescope::emulator::test {

inline constexpr std::uint32_t trace_events = 512;  ///< of a lane at most
inline constexpr std::uint32_t trace_bytes = trace_events * 32 * 8;

/// Shapes of control flow that a program may have.
struct DivergentShapes {
  bool loops = true, leaves = true;  ///< loops; break and continue
  bool exits = true;                 ///< lanes that exit early
  bool slow_paths = true;            ///< code after the end of the kernel that jumps back
  bool tables = true, calls = true;  ///< brx.idx; functions, which may return early
  bool jumps = true;                 ///< jumps to the end of an enclosing statement
};

class DivergentProgram {
 public:
  DivergentProgram(std::uint64_t seed, DivergentShapes shapes) : random_(seed), shapes_(shapes) {}

  /// PTX with a kernel `k(trace, zeros)`; `zeros` are 4 bytes that are zero.
  std::string text() {
    std::string functions;
    for (int f = 0; shapes_.calls && f < 2; ++f) {
      in_function_ = true;
      exit_label_ = fmt::format("RETURN{}", f);
      code_.clear();
      depth_ = 1;
      statements();
      functions += fmt::format(
          ".func (.reg .b64 %p) f{} (.reg .b64 %from, .reg .b64 %in, .reg .b32 %lane, .reg .b32 %salt)\n"
          "{{\n{}  mov.b64 %p, %from;\n{}{}:\n  ret;\n{}}}\n",
          f, registers(), code_, exit_label_, slow_);
      slow_.clear();
    }
    in_function_ = false;
    exit_label_ = "RETURN";
    code_.clear();
    depth_ = 0;
    statements();
    site();
    return fmt::format(
        ".version 8.0\n.target sm_90\n.address_size 64\n{}"
        ".visible .entry k(.param .u64 trace, .param .u64 zeros)\n{{\n  .reg .b64 %p, %in;\n  .reg .b32 %lane, "
        "%salt;\n{}"
        "  ld.param.u64 %p, [trace];\n  ld.param.u64 %in, [zeros];\n  mov.u32 %lane, %tid.x;\n"
        "  mul.wide.u32 %wide, %lane, 8;\n  add.u64 %p, %p, %wide;\n"
        "  mov.u32 %salt, 1;\n{}{}:\n  ret;\n{}}}\n",
        functions, registers(), code_, exit_label_, slow_);
  }

 private:
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    code_ += "  " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }
  void label(const std::string& name) { code_ += name + ":\n"; }
  std::string fresh(const char* what) { return fmt::format("{}{}", what, ++labels_); }

  static std::string registers() { return "  .reg .b64 %wide;\n  .reg .b32 %t<16>, %n<16>;\n  .reg .pred %c<4>;\n"; }

  /// Long enough that no compiler predicates it. Its loads are weak: volatile ones make a loop one that waits for others.
  void site() {
    line("activemask.b32 %t0;");
    line("mov.u32 %t1, {};", ++sites_);
    line("st.global.u32 [%p], %t1;");
    line("ld.global.u32 %t2, [%in];");
    line("st.global.u32 [%p+4], %t0;");
    line("add.u64 %p, %p, 256;");
    line("add.u32 %salt, %salt, %t2;");
    for (int i = 0; i < 3; ++i) {
      line("shr.u32 %t2, %salt, {};", 5 + i);
      line("xor.b32 %salt, %salt, %t2;");
      line("mul.lo.u32 %salt, %salt, {};", 0x2c1b3c6du + 2 * i);
    }
  }

  /// %c0: of this lane, by chance; it changes with each loop round that the lane makes.
  void condition() {
    line("mad.lo.u32 %t3, %lane, {}, {};", pick(1u << 30) | 1, pick(1u << 30));
    line("mad.lo.u32 %t4, %salt, {}, %t3;", pick(1u << 30) | 1);
    line("shr.u32 %t5, %t4, 15;");
    line("xor.b32 %t4, %t4, %t5;");
    line("mul.lo.u32 %t4, %t4, {};", 0x2c1b3c6du);
    line("shr.u32 %t5, %t4, 13;");
    line("and.b32 %t5, %t5, 3;");
    line("setp.{}.u32 %c0, %t5, {};", pick(2) == 0 ? "eq" : "lt", pick(3) == 0 ? 2 : 1);
  }

  void statements() {
    const std::uint32_t count = 1 + pick(depth_ < 2 ? 3 : 2);
    for (std::uint32_t i = 0; i < count; ++i) statement();
  }

  void statement() {
    if (depth_ >= 4 || pick(4) == 0) return site();
    ++depth_;
    switch (pick(9)) {
      case 0:
      case 1:
        when();
        break;
      case 2:
        choose();
        break;
      case 3:
      case 4:
        shapes_.loops&& loops_ < 2 ? loop() : choose();
        break;
      case 5:
        shapes_.slow_paths ? slow_path() : when();
        break;
      case 6:
        shapes_.tables ? table() : when();
        break;
      case 7:
        shapes_.calls && !in_function_ ? call() : choose();
        break;
      default:
        leave();
    }
    --depth_;
  }

  void when() {
    const std::string end = fresh("END");
    ends_.push_back(end);
    condition();
    line("@!%c0 bra {};", end);
    statements();
    label(end);
    ends_.pop_back();
    site();
  }
  void choose() {
    const std::string otherwise = fresh("ELSE"), end = fresh("END");
    ends_.push_back(end);
    condition();
    line("@!%c0 bra {};", otherwise);
    statements();
    line("bra {};", end);
    label(otherwise);
    statements();
    label(end);
    ends_.pop_back();
    site();
  }
  void loop() {
    const std::string again = fresh("AGAIN"), next = fresh("NEXT"), out = fresh("OUT");
    const int counter = loops_++;
    const std::vector<std::string> outside = std::exchange(ends_, {});
    continues_.push_back(next);
    breaks_.push_back(out);
    line("and.b32 %t6, %lane, {};", pick(2) == 0 ? 3 : 0);
    line("add.u32 %n{}, %t6, {};", counter, 1 + pick(2));
    label(again);
    statements();
    label(next);
    line("add.u32 %salt, %salt, {};", 1 + pick(1000));
    line("sub.u32 %n{}, %n{}, 1;", counter, counter);
    line("setp.gt.s32 %c1, %n{}, 0;", counter);
    line("@%c1 bra {};", again);
    label(out);
    continues_.pop_back();
    breaks_.pop_back();
    ends_ = outside;
    --loops_;
    site();
  }
  void slow_path() {
    const std::string slow = fresh("SLOW"), back = fresh("BACK");
    condition();
    line("@%c0 bra {};", slow);
    site();
    label(back);
    site();
    std::string here = std::exchange(code_, {});
    label(slow);
    site();
    line("bra {};", back);
    slow_ += code_;
    code_ = std::move(here);
  }
  void table() {
    const std::string name = fresh("TABLE"), end = fresh("END");
    const std::uint32_t count = 3 + pick(2);
    std::string targets;
    for (std::uint32_t i = 0; i < count; ++i) targets += fmt::format("{}{}_{}", i == 0 ? "" : ", ", name, i);
    condition();
    line("{}: .branchtargets {};", name, targets);
    line("shr.u32 %t7, %t4, 17;");
    line("rem.u32 %t7, %t7, {};", count);
    line("brx.idx %t7, {};", name);
    for (std::uint32_t i = 0; i < count; ++i) {
      label(fmt::format("{}_{}", name, i));
      site();
      if (pick(4) != 0) line("bra {};", end);  // else it falls through
    }
    label(end);
    site();
  }
  void call() {
    condition();
    const std::string end = fresh("END");
    line("@!%c0 bra {};", end);
    line("call (%p), f{}, (%p, %in, %lane, %salt);", pick(2));
    site();
    label(end);
    site();
  }
  /// break, continue, a jump forward, or an exit: some lanes leave here.
  void leave() {
    std::string to;
    const std::uint32_t way = pick(4);
    if (way == 0 && shapes_.leaves && !breaks_.empty()) to = breaks_.back();
    if (way == 1 && shapes_.leaves && !continues_.empty()) to = continues_.back();
    if (way == 2 && shapes_.jumps && ends_.size() > 1) to = ends_[pick(static_cast<std::uint32_t>(ends_.size()))];
    if (way == 3 && shapes_.exits) to = exit_label_;
    if (to.empty()) return when();
    condition();
    const bool works = pick(2) == 0;
    const std::string on = fresh("ON");
    if (works) {
      line("@!%c0 bra {};", on);
      site();
      line("bra {};", to);
      label(on);
    } else {
      line("@%c0 bra {};", to);
    }
    site();
  }

  std::mt19937_64 random_;
  DivergentShapes shapes_;
  std::string code_, slow_, exit_label_;
  std::vector<std::string> ends_, breaks_, continues_;  ///< labels at the ends of enclosing statements of this loop
  int depth_ = 0, loops_ = 0, labels_ = 0, sites_ = 0;
  bool in_function_ = false;
};

/// The program of a seed: of six, one has shapes of all kinds, the others one kind each besides branches and loops.
inline std::string divergent_program(std::uint64_t seed) {
  const std::uint64_t kind = seed % 6;
  DivergentShapes shapes;
  if (kind < 5)
    shapes = {.leaves = kind == 2,
              .exits = kind == 1,
              .slow_paths = kind == 3,
              .tables = kind == 0,
              .calls = kind == 4,
              .jumps = false};
  return DivergentProgram(seed, shapes).text();
}

}  // namespace lanescope::emulator::test
