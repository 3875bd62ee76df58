#pragma once
// Macros of <math.h> and <limits.h>: nvcc includes its own cuda_runtime.h before every file, and that includes both.

#include <string_view>

namespace lanescope::source {

struct RuntimeMacro {
  std::string_view name, value;
};

inline constexpr RuntimeMacro runtime_macros[] = {{"INFINITY", "__int_as_float(0x7f800000)"},
                                                  {"NAN", "__int_as_float(0x7fffffff)"},
                                                  {"HUGE_VAL", "__longlong_as_double(0x7ff0000000000000LL)"},
                                                  {"HUGE_VALF", "__int_as_float(0x7f800000)"},
                                                  {"M_E", "2.7182818284590452354"},
                                                  {"M_LOG2E", "1.4426950408889634074"},
                                                  {"M_LOG10E", "0.43429448190325182765"},
                                                  {"M_LN2", "0.69314718055994530942"},
                                                  {"M_LN10", "2.30258509299404568402"},
                                                  {"M_PI", "3.14159265358979323846"},
                                                  {"M_PI_2", "1.57079632679489661923"},
                                                  {"M_PI_4", "0.78539816339744830962"},
                                                  {"M_1_PI", "0.31830988618379067154"},
                                                  {"M_2_PI", "0.63661977236758134308"},
                                                  {"M_2_SQRTPI", "1.12837916709551257390"},
                                                  {"M_SQRT2", "1.41421356237309504880"},
                                                  {"M_SQRT1_2", "0.70710678118654752440"},
                                                  {"CHAR_BIT", "8"},
                                                  {"SCHAR_MIN", "(-128)"},
                                                  {"SCHAR_MAX", "127"},
                                                  {"CHAR_MIN", "(-128)"},
                                                  {"CHAR_MAX", "127"},
                                                  {"UCHAR_MAX", "255"},
                                                  {"SHRT_MIN", "(-32768)"},
                                                  {"SHRT_MAX", "32767"},
                                                  {"USHRT_MAX", "65535"},
                                                  {"INT_MIN", "(-2147483647 - 1)"},
                                                  {"INT_MAX", "2147483647"},
                                                  {"UINT_MAX", "4294967295u"},
                                                  {"LONG_MIN", "(-9223372036854775807L - 1L)"},
                                                  {"LONG_MAX", "9223372036854775807L"},
                                                  {"ULONG_MAX", "18446744073709551615UL"},
                                                  {"LLONG_MIN", "(-9223372036854775807LL - 1LL)"},
                                                  {"LLONG_MAX", "9223372036854775807LL"},
                                                  {"ULLONG_MAX", "18446744073709551615ULL"}};

}  // namespace lanescope::source
