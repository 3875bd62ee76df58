#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "kernels/base/listed_words.h"
#include "kernels/base/text.h"
#include "kernels/compile/texts.h"
#include "kernels/source/cxx/runtime_macros.h"

namespace lanescope::compile {
namespace {

// As the toolkit's cccl headers have them under NVRTC: a second typedef of the same type is no mistake, another one is.
// `register` says nothing to any compiler of today; nvcc passes over it in C++17 with a warning.
constexpr const char* types = R"(#if __cplusplus >= 201703L
#define register
#endif
typedef unsigned int uint;
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

constexpr const char* limits = R"(#ifndef INT32_MAX
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
)";

/// Types that the headers of cuRAND's device functions (curand_kernel.h) take from the header of its host functions.
constexpr const char* random_numbers = R"(#ifndef CURAND_H_
#define CURAND_H_
typedef double curandDistribution_st, curandHistogramM2V_st;
typedef unsigned int curandHistogramM2K_st;
typedef curandDistribution_st* curandDistribution_t;
typedef curandHistogramM2K_st* curandHistogramM2K_t;
typedef curandHistogramM2V_st* curandHistogramM2V_t;
typedef struct curandDistributionShift_st* curandDistributionShift_t;
typedef struct curandDistributionM2Shift_st* curandDistributionM2Shift_t;
typedef struct curandHistogramM2_st* curandHistogramM2_t;
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef enum curandMethod {
  CURAND_CHOOSE_BEST, CURAND_ITR, CURAND_KNUTH, CURAND_HITR, CURAND_M1, CURAND_M2, CURAND_BINARY_SEARCH,
  CURAND_DISCRETE_GAUSS, CURAND_REJECTION, CURAND_DEVICE_API, CURAND_FAST_REJECTION, CURAND_3RD, CURAND_DEFINITION,
  CURAND_POISSON
} curandMethod_t;
#endif
)";

constexpr const char* posix = R"(#ifndef _POSIX_VERSION
#define _POSIX_VERSION 200809L
#endif
#ifndef _POSIX_TIMERS
#define _POSIX_TIMERS 200809L
#endif
)";

constexpr const char* nothing = "\n";

// Declarations of headers of host libraries that device code uses.
constexpr const char* complex_numbers = "#include <cuComplex.h>\n";
constexpr const char* fourier = R"(#ifndef LANESCOPE_CUFFT
#define LANESCOPE_CUFFT
#include <cuComplex.h>
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
#endif
)";
constexpr const char* linear_algebra = R"(#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
)";
// Types of parameters of kernels.
constexpr const char* driver = R"(#ifndef LANESCOPE_CUDA_H
#define LANESCOPE_CUDA_H
typedef struct alignas(64) CUtensorMap_st {
  unsigned long long opaque[16];
} CUtensorMap;
typedef unsigned long long CUdeviceptr;
#endif
)";
// The parts of cub that device code can use; the others launch kernels of their own.
constexpr const char* cub = R"(#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_rank.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>
)";

constexpr const char* of_the_host[] = {
    // the C and C++ library
    "assert.h", "cassert", "stddef.h", "cstddef", "stdbool.h", "stdio.h", "cstdio", "stdlib.h", "cstdlib", "string.h",
    "cstring", "stdarg.h", "cstdarg", "iostream", "type_traits", "utility", "limits", "tuple", "array", "functional",
    "iterator", "numeric", "random", "initializer_list", "atomic", "chrono", "complex", "map", "set", "new",
    "exception", "stdexcept", "thread", "mutex", "sstream", "fstream", "iomanip", "vector", "string", "algorithm",
    "memory", "time.h", "ctime", "ctype.h", "errno.h", "signal.h", "setjmp.h", "locale.h", "wchar.h", "strings.h",
    "malloc.h", "memory.h", "bits/stdc++.h",
    // of the system
    "getopt.h", "dirent.h", "glob.h", "fcntl.h", "pthread.h", "dlfcn.h", "netdb.h", "poll.h", "sched.h", "semaphore.h",
    "libgen.h", "arpa/inet.h", "netinet/in.h", "sys/file.h", "sys/ioctl.h", "sys/mman.h", "sys/resource.h",
    "sys/select.h", "sys/socket.h", "sys/stat.h", "sys/time.h", "sys/times.h", "sys/types.h", "sys/wait.h", "windows.h",
    "Windows.h", "io.h", "x86intrin.h", "immintrin.h",
    // of the toolkit
    "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h", "cuda_gl_interop.h", "cudaGL.h",
    "cuda_egl_interop.h", "cudaEGL.h", "cuda_vdpau_interop.h", "cudaVDPAU.h", "cuda_profiler_api.h", "cudaProfiler.h",
    "cuda_occupancy.h", "cudnn.h", "nccl.h", "nvml.h", "nvrtc.h", "nvJitLink.h", "nvToolsExt.h", "nvToolsExtCuda.h",
    "nvToolsExtCudaRt.h", "nvtx3/nvToolsExt.h", "nvtx3/nvToolsExtCuda.h", "nvtx3/nvToolsExtCudaRt.h", "nvtx3/nvtx3.hpp",
    "cupti.h", "npp.h", "nppi.h", "nppcore.h", "nvjpeg.h",
    // others
    "mpi.h", "omp.h"};

HostHeaders make() {
  HostHeaders out;
  const auto add = [&](const char* name, const char* text) {
    out.names.push_back(name);
    out.texts.push_back(text);
  };
  static const std::string before_all = [] {
    std::string text = types;
    for (const source::RuntimeMacro& m : source::runtime_macros)
      text += fmt::format("#ifndef {0}\n#define {0} {1}\n#endif\n", m.name, m.value);
    return text;
  }();
  add(types_header, before_all.c_str());
  for (const char* name : {"stdint.h", "cstdint", "inttypes.h", "cinttypes", "limits.h", "climits"}) add(name, limits);
  for (const char* name : {"float.h", "cfloat", "math.h", "cmath"}) add(name, floats);
  for (const char* name : {"cufft.h", "cufftXt.h", "cufftw.h"}) add(name, fourier);
  for (const char* name : {"cublas.h", "cublas_v2.h", "cublas_api.h", "cublasLt.h", "cublasXt.h"})
    add(name, linear_algebra);
  for (const char* name : {"cusparse.h", "cusparse_v2.h", "cusolver_common.h", "cusolverDn.h", "cusolverSp.h",
                           "cusolverRf.h", "cusolverMg.h"})
    add(name, complex_numbers);
  for (const char* name : {"cub/cub.cuh", "cub/cub/cub.cuh"}) add(name, cub);
  for (const char* name : {"cuda.h", "cudaTypedefs.h"}) add(name, driver);
  add("curand.h", random_numbers);
  add("unistd.h", posix);
  for (const char* name : of_the_host) add(name, nothing);
  return out;
}

struct StandardHeader {
  std::string_view header, names;
};

// A name that ends with `*` stands for all that begin so.
constexpr StandardHeader standard_headers[] = {
    {"limits", "numeric_limits"},
    {"type_traits",
     "is_* remove_* add_* make_signed* make_unsigned* enable_if* conditional* "
     "integral_constant bool_constant true_type false_type decay* common_type* "
     "underlying_type* invoke_result* conjunction* disjunction* negation* void_t alignment_of* "
     "extent* rank*"},
    {"utility",
     "pair make_pair swap exchange declval index_sequence* make_index_sequence "
     "integer_sequence make_integer_sequence move forward"},
    {"tuple", "tuple* make_tuple tie get"},
    {"array", "array"},
    {"complex", "complex"},
    {"functional", "plus minus multiplies less* greater* equal_to"},
    {"__algorithm/min.h", "min"},
    {"__algorithm/max.h", "max"},
    {"__algorithm/clamp.h", "clamp"},
    {"optional", "optional nullopt"},
    {"variant", "variant"},
    {"span", "span"},
    {"atomic", "atomic*"},
    {"bit", "bit_cast"},
    {"cstddef", "byte size_t ptrdiff_t"},
    {"cstdint", "int* uint*"},
    {"initializer_list", "initializer_list"},
    {"numbers", "numbers"},
};

std::string_view header_of(std::string_view name) {
  for (const StandardHeader& h : standard_headers)
    for (const std::string_view n : listed_words(h.names))
      if (n.ends_with('*') ? name.starts_with(n.substr(0, n.size() - 1)) : name == n) return h.header;
  // Of the mathematical ones: the commonest.
  static const auto mathematical = listed_words(
      "abs fabs sqrt cbrt exp exp2 expm1 log log2 log10 log1p pow sin cos tan asin acos atan atan2 sinh cosh tanh "
      "floor ceil round isnan isinf fmod nearbyint rint trunc hypot fmin fmax copysign lround lrint llround tgamma "
      "lgamma isfinite signbit ldexp frexp logb asinh acosh atanh");
  return one_of(name, mathematical) ? "cmath" : std::string_view();
}

// Owners of host memory as members: what device code has beside them keeps its place, and their inline code compiles.
constexpr const char* owners = R"(namespace std {
template <class T> struct lanescope_owned { typedef T type; typedef T& reference; };
template <class T> struct lanescope_owned<T[]> { typedef T type; typedef T& reference; };
template <class T, decltype(sizeof(0)) n> struct lanescope_owned<T[n]> { typedef T type; typedef T& reference; };
template <> struct lanescope_owned<void> { typedef void type; typedef void reference; };
template <> struct lanescope_owned<const void> { typedef const void type; typedef void reference; };
template <class Owned> class shared_ptr {
 public:
  typedef typename lanescope_owned<Owned>::type T;
  typedef T element_type;
  shared_ptr() : p_(nullptr), owner_(nullptr) {}
  template <class U> explicit shared_ptr(U* p) : p_(p), owner_(nullptr) {}
  template <class U, class D> shared_ptr(U* p, D) : p_(p), owner_(nullptr) {}
  shared_ptr(decltype(nullptr)) : p_(nullptr), owner_(nullptr) {}
  T* get() const { return p_; }
  typename lanescope_owned<Owned>::reference operator*() const { return *p_; }
  T* operator->() const { return p_; }
  explicit operator bool() const { return p_ != nullptr; }
  void reset(T* p = nullptr) { p_ = p; }
 private:
  T* p_;
  void* owner_;
};
template <class T> class weak_ptr { T* p_; void* owner_; };
}
)";

bool mentions_owners(std::string_view text) {
  return text.find("std::shared_ptr") != std::string_view::npos || text.find("std::weak_ptr") != std::string_view::npos;
}

void add_headers(std::string_view text, std::set<std::string_view>& out) {
  for (std::size_t at = text.find("std::"); at != std::string_view::npos; at = text.find("std::", at + 5)) {
    if (at > 0 && is_word(text[at - 1])) continue;
    if (at > 6 && text.substr(at - 6, 6) == "cuda::") continue;
    std::size_t end = at + 5;
    while (end < text.size() && is_word(text[end])) ++end;
    if (const std::string_view header = header_of(text.substr(at + 5, end - at - 5)); !header.empty())
      out.insert(header);
  }
}

}  // namespace

const HostHeaders& host_headers() {
  static const HostHeaders headers = make();
  return headers;
}

std::string standard_text(const Texts& texts) {
  std::set<std::string_view> headers;
  add_headers(texts.main, headers);
  for (const std::string& text : texts.headers) add_headers(text, headers);
  const bool owned = mentions_owners(texts.main) || std::ranges::any_of(texts.headers, mentions_owners);
  std::string out = owned ? owners : "";
  if (headers.empty()) return out;
  for (const std::string_view h : headers) out += "#include <cuda/std/" + std::string(h) + ">\n";
  return out + "namespace std {\nusing namespace cuda::std;\n}\n";
}

}  // namespace lanescope::compile
