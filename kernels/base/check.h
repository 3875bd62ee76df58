#pragma once
// Broken invariants of our own. These abort with both operands printed; mistakes of the user are returned as
// diagnostics.

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace lanescope::detail {
[[noreturn]] inline void check_failed(const char* file, int line, const char* expression, const std::string& values) {
  std::fputs(fmt::format("{}:{}: broken invariant: {} {}\n", file, line, expression, values).c_str(), stderr);
  std::abort();
}
}  // namespace lanescope::detail

#define LS_CHECK(condition) \
  ((condition) ? void(0) : ::lanescope::detail::check_failed(__FILE__, __LINE__, #condition, ""))
#define LS_CHECK_OP(a, op, b)                                                        \
  do {                                                                               \
    const auto& ls_a = (a);                                                          \
    const auto& ls_b = (b);                                                          \
    if (!(ls_a op ls_b))                                                             \
      ::lanescope::detail::check_failed(__FILE__, __LINE__, #a " " #op " " #b,       \
                                        fmt::format("({} against {})", ls_a, ls_b)); \
  } while (false)
#define LS_CHECK_EQ(a, b) LS_CHECK_OP(a, ==, b)
#define LS_CHECK_LT(a, b) LS_CHECK_OP(a, <, b)
#define LS_CHECK_LE(a, b) LS_CHECK_OP(a, <=, b)
