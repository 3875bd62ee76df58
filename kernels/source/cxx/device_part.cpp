#include "kernels/source/cxx/device_part.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "kernels/source/cxx/macros.h"

namespace lanescope::source {
namespace {

// Headers of the host's C library that hold types and limits device code uses; kernels/compile answers for them.
constexpr std::array<std::string_view, 16> c_headers = {
    "stdint.h", "cstdint", "stddef.h", "cstddef", "limits.h",  "climits",     "float.h", "cfloat",
    "math.h",   "cmath",   "assert.h", "cassert", "stdbool.h", "type_traits", "utility", "limits"};

constexpr std::array<std::string_view, 20> host_headers = {"cuda.h",
                                                           "cuda_runtime.h",
                                                           "cuda_runtime_api.h",
                                                           "device_launch_parameters.h",
                                                           "helper_cuda.h",
                                                           "helper_functions.h",
                                                           "cuda_profiler_api.h",
                                                           "curand.h",
                                                           "cublas_v2.h",
                                                           "cufft.h",
                                                           "cusparse.h",
                                                           "cusolverDn.h",
                                                           "nvToolsExt.h",
                                                           "cupti.h",
                                                           "unistd.h",
                                                           "pthread.h",
                                                           "omp.h",
                                                           "mpi.h",
                                                           "driver_types.h",
                                                           "helper_timer.h"};

constexpr std::array<std::string_view, 14> host_words = {
    "cudaStream_t", "cudaEvent_t", "cudaError_t", "FILE", "cudaGraph_t", "cout",       "cerr",
    "fprintf",      "fopen",       "getenv",      "atoi", "exit",        "cudaMalloc", "cudaMemcpy"};
constexpr std::array<std::string_view, 6> std_on_device = {"move",      "forward",  "size_t", "initializer_list",
                                                           "nullptr_t", "ptrdiff_t"};

/// Without their `std::`, where the file says `using namespace std`.
constexpr std::array<std::string_view, 8> host_types = {"vector",  "string", "map",      "unordered_map",
                                                        "ostream", "set",    "ifstream", "ofstream"};

class Cutter {
 public:
  Cutter(const Lexed& lexed, const Outline& outline, std::size_t headers_from)
      : lexed_(lexed), outline_(outline), headers_from_(headers_from) {
    out_.text = lexed.text;
    out_.host.assign(outline.functions.size(), false);
    for (int i = 0; i + 2 < lexed.count() && !using_std_; ++i) {
      using_std_ = lexed.is(i, "using") && lexed.is(i + 1, "namespace") && lexed.is(i + 2, "std");
    }
  }

  DevicePart run() {
    includes();
    if (outline_.reliable) {
      functions();
      declarations();
    }
    return std::move(out_);
  }

 private:
  void blank(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && i < out_.text.size(); ++i) {
      if (out_.text[i] != '\n' && out_.text[i] != '\r') out_.text[i] = ' ';
    }
  }

  static bool is_host_header(std::string_view name) {
    if (one_of(name, host_headers)) return true;
    if (name.starts_with("thrust/") || name.starts_with("nvtx3/") || name.starts_with("sys/") ||
        name.starts_with("boost/"))
      return true;
    if (one_of(name, c_headers) || name.find('/') != std::string_view::npos) return false;
    const bool standard_cpp = name.find('.') == std::string_view::npos;
    constexpr std::array<std::string_view, 8> c = {"stdio.h", "stdlib.h", "string.h", "time.h",
                                                   "errno.h", "signal.h", "ctype.h",  "inttypes.h"};
    return standard_cpp || one_of(name, c);
  }

  void includes() {
    for (const Directive& d : lexed_.directives) {
      const auto [word, text] = directive_text(lexed_, d);
      const std::size_t open = word.starts_with("include") ? text.find_first_of("<\"") : std::string_view::npos;
      if (open == std::string_view::npos) continue;
      const bool angle = text[open] == '<';
      const std::size_t close = text.find(angle ? '>' : '"', open + 1);
      if (close == std::string_view::npos) continue;
      const std::string_view name = text.substr(open + 1, close - open - 1);
      if (angle ? is_host_header(name) : one_of(name, host_headers)) blank(d.offset, d.offset + d.length);
    }
  }

  bool host_evidence(int first, int last) const {
    for (int i = first; i <= last; ++i) {
      const std::string_view w = lexed_.of(i);
      if (w == "<<<" || one_of(w, host_words) || (using_std_ && one_of(w, host_types))) return true;
      if (w == "std" && lexed_.is(i + 1, "::") && !(i > 1 && lexed_.is(i - 1, "::") && lexed_.is(i - 2, "cuda")) &&
          !(i + 2 <= last && one_of(lexed_.of(i + 2), std_on_device))) {
        return true;
      }
    }
    return false;
  }

  /// What device code mentions, transitively.
  void functions() {
    const std::size_t n = outline_.functions.size();
    std::vector<bool> kept(n, false);
    std::map<std::string_view, std::vector<std::size_t>> unmentioned;  // that could be device code, by name
    std::vector<std::size_t> to_read;
    const auto keep = [&](std::size_t i) {
      if (!kept[i]) to_read.push_back(i);
      kept[i] = true;
    };
    for (std::size_t i = 0; i < n; ++i) {
      const FunctionRange& f = outline_.functions[i];
      const bool evidence = host_evidence(f.head, f.close);
      const bool in_header = lexed_.token(f.head).offset >= headers_from_;
      if (f.annotated || (!evidence && (f.is_constexpr || f.member || in_header))) keep(i);
      if (!evidence && f.info.name != "main") unmentioned[f.info.name].push_back(i);
    }
    while (!to_read.empty()) {
      const FunctionRange& f = outline_.functions[to_read.back()];
      to_read.pop_back();
      for (int t = f.head; t <= f.close; ++t) {
        const auto found = unmentioned.find(lexed_.of(t));
        if (found == unmentioned.end()) continue;
        for (const std::size_t i : found->second) keep(i);
        unmentioned.erase(found);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (kept[i]) continue;
      const FunctionRange& f = outline_.functions[i];
      out_.host[i] = true;
      out_.cut = true;
      blank(lexed_.token(f.head).offset, lexed_.token(f.close).end());
    }
  }

  void declarations() {
    for (const TopDeclaration& d : outline_.declarations) {
      bool device = false;
      for (int i = d.first; i <= d.last; ++i) {
        const std::string_view w = lexed_.of(i);
        device = device || w == "__device__" || w == "__global__" || w == "__constant__" || w == "__shared__";
      }
      const bool using_std =
          lexed_.is(d.first, "using") && lexed_.is(d.first + 1, "namespace") && lexed_.is(d.first + 2, "std");
      if (device || (!using_std && !host_evidence(d.first, d.last))) continue;
      if (!using_std) out_.cut = true;
      blank(lexed_.token(d.first).offset, lexed_.token(d.last).end());
      const auto members = std::partition_point(outline_.functions.begin(), outline_.functions.end(),
                                                [&](const FunctionRange& f) { return f.open < d.first; });
      for (auto f = members; f != outline_.functions.end() && f->open <= d.last; ++f) {  // they go with their struct
        if (f->head >= d.first && f->close <= d.last)
          out_.host[static_cast<std::size_t>(f - outline_.functions.begin())] = true;
      }
    }
  }

  const Lexed& lexed_;
  const Outline& outline_;
  std::size_t headers_from_;
  bool using_std_ = false;
  DevicePart out_;
};

}  // namespace

DevicePart device_part(const Lexed& lexed, const Outline& outline, std::size_t headers_from) {
  return Cutter(lexed, outline, headers_from).run();
}

}  // namespace lanescope::source
