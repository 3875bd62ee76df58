#include "tests/kernels/source/host/oracle.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "kernels/source/cxx/outline.h"

namespace lanescope::source::test {
namespace {

// A kernel is a function of this runtime, and `k<<<g, b, s>>>(x)` becomes launch("k", g, b, s, args(x)).
constexpr const char* runtime = R"cpp(
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <math.h>  // sin(float) is a function of floats, as with nvcc
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>
  struct dim3 {
    unsigned x, y, z;
    dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
  };
  struct float2 {
    float x, y;
  };
  typedef int cudaError_t;
  enum { cudaSuccess = 0, cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };
  struct Buffer_ {
    char* at;
    size_t bytes;
    bool launched;
  };
  static std::vector<Buffer_> buffers_;
  static std::string log_;
  static bool kernels_compute_ = false;
  template <class T>
  int cudaMalloc(T** p, size_t n) {
    *p = (T*)calloc(n ? n : 1, 1);
    buffers_.push_back({(char*)*p, n, false});
    return 0;
  }
  inline int cudaMemcpy(void* a, const void* b, size_t n, int) {
    memcpy(a, b, n);
    return 0;
  }
  inline int cudaMemset(void* a, int v, size_t n) {
    memset(a, v, n);
    return 0;
  }
  inline int cudaFree(void*) { return 0; }
  inline int cudaDeviceSynchronize() { return 0; }
  inline std::string word_(const void* p) {
    for (size_t i = 0; i < buffers_.size(); ++i) {
      Buffer_& b = buffers_[i];
      if ((char*)p < b.at || (char*)p > b.at + b.bytes) continue;
      std::string out = "b" + std::to_string(i) + "+" + std::to_string((char*)p - b.at);
      if (!b.launched && !kernels_compute_) {
        b.launched = true;
        unsigned long long h = 1469598103934665603ULL;
        for (size_t k = 0; k < b.bytes; ++k) h = (h ^ (unsigned char)b.at[k]) * 1099511628211ULL;
        out += "#" + std::to_string(h);
      }
      return out;
    }
    return "?";
  }
  template <class T>
  std::string word_(T v) {
    char s[64];
    snprintf(s, 64, "%.9g", (double)v);
    return s;
  }
  template <class T>
  std::string word_(T* p) {
    return word_((const void*)p);
  }
  // Kernels that compute: each launch changes every byte of every buffer that it is given.
  static unsigned launches_ = 0;
  static std::vector<char*> symbols_;
#define __constant__
#define __managed__
  template <class T>
  int cudaMemcpyToSymbol(T& s, const void* from, size_t n, size_t at = 0) {
    char* begin = (char*)&s;
    if (std::find(symbols_.begin(), symbols_.end(), begin) == symbols_.end()) symbols_.push_back(begin);
    memcpy(begin + at, from, n);
    return 0;
  }
  template <class T>
  int cudaMallocManaged(T** p, size_t n) {
    return cudaMalloc(p, n);
  }
  inline unsigned long long digest_(const char* p, size_t n) {
    unsigned long long h = 1469598103934665603ULL;
    for (size_t k = 0; k < n; ++k) h = (h ^ (unsigned char)p[k]) * 1099511628211ULL;
    return h;
  }
  template <class T>
  void given_(T, std::vector<bool>&) {}
  template <class T>
  void given_(T* p, std::vector<bool>& all) {
    for (size_t i = 0; i < buffers_.size(); ++i)
      if ((char*)p >= buffers_[i].at && (char*)p <= buffers_[i].at + buffers_[i].bytes) {
        all[i] = true;
        break;
      }
  }
  inline void compute_(const std::vector<bool>& given) {
    std::string line = " now";
    for (size_t i = 0; i < buffers_.size(); ++i) {
      if (!given[i]) continue;
      line += " " + std::to_string(digest_(buffers_[i].at, buffers_[i].bytes));
      for (size_t k = 0; k < buffers_[i].bytes; ++k)
        buffers_[i].at[k] = (char)((unsigned char)buffers_[i].at[k] * 5 + k + 17 * launches_);
    }
    for (char* s : symbols_) line += " @" + std::to_string(digest_(s, 64));
    log_ += line + "\n";
    ++launches_;
  }
  template <class... A>
  void launch_(const char* k, dim3 g, dim3 b, size_t s, A... a) {
    char head[200];
    snprintf(head, 200, "%s %u,%u,%u %u,%u,%u %zu", k, g.x, g.y, g.z, b.x, b.y, b.z, s);
    std::string line = head;
    ((line += " " + word_(a)), ...);
    log_ += line + "\n";
    if (!kernels_compute_) return;
    std::vector<bool> given(buffers_.size());
    (given_(a, given), ...);
    compute_(given);
  }
  struct Print_ {
    ~Print_() { fputs(log_.c_str(), stdout); }
  } print_;
)cpp";

std::uint64_t digest(const std::vector<std::byte>& bytes) {
  std::uint64_t h = 1469598103934665603ULL;
  for (const std::byte b : bytes) h = (h ^ std::to_integer<std::uint64_t>(b)) * 1099511628211ULL;
  return h;
}

/// `k<<<g, b, s>>>(x, y)` as a call of launch_.
std::string without_launches(std::string text) {
  for (std::size_t at = text.find("<<<"); at != std::string::npos; at = text.find("<<<", at)) {
    std::size_t name = at;
    int depth = 0;
    while (name > 0) {
      const char c = text[name - 1];
      if (c == '>') ++depth;
      if (c == '<') --depth;
      if (depth == 0 && c != '<' && c != '_' && !std::isalnum(static_cast<unsigned char>(c))) break;
      --name;
    }
    const std::size_t close = text.find(">>>(", at);
    const std::string kernel = text.substr(name, at - name);
    std::string sizes = text.substr(at + 3, close - at - 3);
    int commas = 0, open = 0;
    for (const char c : sizes) {
      open += (c == '(' || c == '{') - (c == ')' || c == '}');
      commas += c == ',' && open == 0;
    }
    if (commas < 2) sizes += ", 0";
    const char after = text[close + 4];
    text.replace(name, close + 4 - name, fmt::format("launch_(\"{}\", {}{}", kernel, sizes, after == ')' ? "" : ", "));
    at = name;
  }
  return text;
}

}  // namespace

std::string interpreted_text(const std::string& program) { return "#include <cuda.h>\n" + program; }

HostRun run_text(const std::string& text, const HostLimits& limits) {
  const Lexed lexed = lex(text);
  return run_host(lexed, outline(lexed), limits);
}

namespace {

/// Buffers and variables of a run while its launches are performed by the kernels that the compiled program has, too.
class Performed {
 public:
  explicit Performed(const HostRun& run) : run_(run) {
    for (const HostBuffer& b : run.buffers)
      buffers_.push_back(b.contents ? *b.contents : std::vector<std::byte>(b.bytes));
  }

  /// The contents when launch `n` begins; then the launch changes the buffers that it is given.
  std::string launch(std::size_t n) {
    for (; next_ < run_.changes.size() && run_.changes[next_].launches_before <= n; ++next_)
      change(run_.changes[next_]);
    for (; symbol_ < run_.symbols.size() && run_.symbols[symbol_].launches_before <= n; ++symbol_)
      set(run_.symbols[symbol_]);
    std::vector<bool> given(buffers_.size());
    for (const HostArgument& a : run_.launches[n].arguments)
      if (a.kind == HostArgument::Kind::pointer && a.pointer.buffer >= 0)
        given[static_cast<std::size_t>(a.pointer.buffer)] = true;
    std::string out = " now";
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (!given[i]) continue;
      out += fmt::format(" {}", digest(buffers_[i]));
      for (std::size_t k = 0; k < buffers_[i].size(); ++k)
        buffers_[i][k] = static_cast<std::byte>(std::to_integer<std::size_t>(buffers_[i][k]) * 5 + k + 17 * n);
    }
    for (const auto& [name, bytes] : symbols_) out += fmt::format(" @{}", digest(bytes));
    return out + problems_ + "\n";
  }

 private:
  void change(const HostChange& c) {
    if (c.kind == HostChange::Kind::unknown || c.kind == HostChange::Kind::address || !c.symbol.empty()) {
      problems_ += " (line " + std::to_string(c.line) + " is unknown: " + c.because + ")";
      return;
    }
    std::vector<std::byte>& to = buffers_[static_cast<std::size_t>(c.to.buffer)];
    const auto at = to.begin() + static_cast<std::ptrdiff_t>(c.to.offset_bytes);
    if (c.kind == HostChange::Kind::set) std::fill_n(at, c.bytes, static_cast<std::byte>(c.value));
    if (c.kind == HostChange::Kind::write) std::copy(c.contents->begin(), c.contents->end(), at);
    if (c.kind == HostChange::Kind::copy) {
      const std::vector<std::byte> from = buffers_[static_cast<std::size_t>(c.from.buffer)];
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(c.from.offset_bytes), c.bytes, at);
    }
  }
  void set(const HostSymbol& s) {
    auto known = std::find_if(symbols_.begin(), symbols_.end(), [&](const auto& each) { return each.first == s.name; });
    if (known == symbols_.end()) known = symbols_.insert(symbols_.end(), {s.name, std::vector<std::byte>(64)});
    if (!s.contents)
      problems_ += " (" + s.name + " is unknown)";
    else
      std::copy(s.contents->begin(), s.contents->end(),
                known->second.begin() + static_cast<std::ptrdiff_t>(s.offset_bytes));
  }

  const HostRun& run_;
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<std::pair<std::string, std::vector<std::byte>>> symbols_;
  std::size_t next_ = 0, symbol_ = 0;
  std::string problems_;
};

}  // namespace

std::string log_of(const HostRun& run, bool kernels_compute) {
  std::string out;
  Performed performed(run);
  std::size_t number = 0;
  std::vector<bool> passed(run.buffers.size());
  for (const HostLaunch& l : run.launches) {
    out += l.kernel;
    for (const auto& e : {l.grid, l.block})
      out += e ? fmt::format(" {},{},{}", (*e)[0], (*e)[1], (*e)[2]) : std::string(" ?");
    out += l.shared_bytes ? fmt::format(" {}", *l.shared_bytes) : " ?";
    for (const HostArgument& a : l.arguments) {
      if (a.kind == HostArgument::Kind::number) {
        char word[64];
        std::snprintf(word, sizeof word, " %.9g", a.number);
        out += word;
      } else if (a.kind == HostArgument::Kind::pointer && a.pointer.buffer >= 0) {
        const auto index = static_cast<std::size_t>(a.pointer.buffer);
        out += fmt::format(" b{}+{}", index, a.pointer.offset_bytes);
        if (!passed[index] && !kernels_compute) {
          passed[index] = true;
          const HostBuffer& b = run.buffers[index];
          const auto bytes =
              b.contents ? *b.contents : std::vector<std::byte>(b.because == "nothing sets it" ? b.bytes : 0);
          out += b.contents || b.because == "nothing sets it" ? fmt::format("#{}", digest(bytes)) : "#? " + b.because;
        }
      } else {
        out += " ? (" + a.because + ")";
      }
    }
    if (!l.certain) out += " uncertain";
    out += "\n";
    if (kernels_compute) out += performed.launch(number);
    ++number;
  }
  return out;
}

namespace {

std::string contents(const std::filesystem::path& p) {
  std::ifstream in(p);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

constexpr const char* compiler = "g++ -std=c++20 -O0 -w -fwrapv";

/// A folder of this process with the runtime as runtime.h, precompiled: parsing it takes longer than a program does.
class Runtime {
 public:
  Runtime() {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "runtime.h") << runtime;
    const std::string build =
        fmt::format("{0} -x c++-header {1}/runtime.h -o {1}/runtime.h.gch", compiler, folder.string());
    EXPECT_EQ(std::system(build.c_str()), 0);
  }
  ~Runtime() { std::filesystem::remove_all(folder); }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("lanescope_host_{}", getpid());
};

}  // namespace

std::optional<std::string> compiled_log(const std::string& program) {
  static const bool has_compiler = std::system("command -v g++ > /dev/null 2>&1") == 0;
  if (!has_compiler) return std::nullopt;
  static const Runtime precompiled;
  const std::filesystem::path &folder = precompiled.folder, text = folder / "p.cpp", binary = folder / "p",
                              said = folder / "said";
  std::ofstream(text) << without_launches(program);
  const std::string build = fmt::format("{} -include {} {} -o {} > {} 2>&1", compiler, (folder / "runtime.h").string(),
                                        text.string(), binary.string(), said.string());
  if (std::system(build.c_str()) != 0) {
    ADD_FAILURE() << contents(said) << "\n" << program;
    return "";
  }
  const std::string run = fmt::format("timeout 10 {} > {} 2>/dev/null", binary.string(), said.string());
  EXPECT_EQ(std::system(run.c_str()), 0) << program;
  return contents(said);
}

void computes_what_is_compiled(const std::string& program) {
  const auto expected = compiled_log(program);
  if (!expected) GTEST_SKIP() << "there is no g++ here: host programs are not compared with compiled ones";
  const HostRun run = run_text(interpreted_text(program));
  std::string notes;
  for (const std::string& n : run.notes) notes += "  " + n + "\n";
  EXPECT_EQ(log_of(run), *expected) << program << notes;
}

}  // namespace lanescope::source::test
