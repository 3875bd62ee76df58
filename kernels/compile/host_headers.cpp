#include "kernels/compile/host_headers.h"

namespace lanescope::compile {
namespace {

// As the toolkit's cccl headers have them under NVRTC: a second typedef of the same type is no mistake, another one is.
constexpr const char* types = R"(typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef long long intptr_t;
typedef unsigned long long uintptr_t;
)";

constexpr const char* limits = R"(#ifndef INT_MAX
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#endif
#ifndef INT32_MAX
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615UL
#endif
)";

constexpr const char* floats = R"(#ifndef FLT_MAX
#define FLT_MIN 1.17549435e-38f
#define FLT_MAX 3.40282347e+38f
#define FLT_EPSILON 1.19209290e-7f
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#define DBL_EPSILON 2.2204460492503131e-16
#endif
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
)";

constexpr const char* nothing = "\n";

HostHeaders make() {
  HostHeaders out;
  const auto add = [&](const char* name, const char* text) {
    out.names.push_back(name);
    out.texts.push_back(text);
  };
  add(types_header, types);
  for (const char* name : {"stdint.h", "cstdint", "inttypes.h", "cinttypes", "limits.h", "climits"}) add(name, limits);
  for (const char* name : {"float.h", "cfloat", "math.h", "cmath"}) add(name, floats);
  for (const char* name : {"assert.h",
                           "cassert",
                           "stddef.h",
                           "cstddef",
                           "stdbool.h",
                           "stdio.h",
                           "cstdio",
                           "stdlib.h",
                           "cstdlib",
                           "string.h",
                           "cstring",
                           "iostream",
                           "vector",
                           "string",
                           "algorithm",
                           "memory",
                           "cuda_runtime.h",
                           "cuda_runtime_api.h",
                           "device_launch_parameters.h",
                           "cuda.h"}) {
    add(name, nothing);
  }
  return out;
}

}  // namespace

const HostHeaders& host_headers() {
  static const HostHeaders headers = make();
  return headers;
}

}  // namespace lanescope::compile
