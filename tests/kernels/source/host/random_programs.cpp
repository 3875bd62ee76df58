#include "tests/kernels/source/host/random_programs.h"

#include <random>
#include <vector>

#include <fmt/format.h>

namespace lanescope::source::test {
namespace {

class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string program() {
    std::string out =
        "struct Pair { int a; float b; short c; };\n"
        "static const int WIDTH = " +
        std::to_string(1 + pick(8)) +
        ";\n"
        "#define MIX(x, y) ((x) * 3 + (y))\n"
        "enum Mode { first, second = " +
        std::to_string(2 + pick(9)) +
        ", third };\n"
        "int twice(int x, int y = 5) { return 2 * x + y; }\n"
        "void bump(int& x, long long* y) { x += 7; *y -= x; }\n"
        "template <typename T> T total(const T* p, int n) { T s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; "
        "}\n"
        "template <int N> int scaled(int x) { return x * N + (N & 3); }\n"
        "int depth(int n) { return n <= 0 ? 1 : n + depth(n / 2); }\n"
        "Pair made(int a, float b) { Pair p; p.a = a; p.b = b; p.c = (short)(a * 31); return p; }\n"
        "int main() {\n";
    out += "  int i0 = 3, i1 = -2, i2 = " + std::to_string(pick(100)) + ";\n";
    out += "  unsigned u0 = 7, u1 = 4000000000u;\n  long long l0 = -9, l1 = 1LL << 40;\n";
    out += "  float f0 = 1.5f, f1 = -0.25f;\n  double d0 = 3.75;\n  unsigned char c0 = 200;\n  short s0 = -30000;\n";
    out += "  int a[16] = {1, 2, 3};\n  float g[16];\n  for (int k = 0; k < 16; ++k) g[k] = k * 0.5f - 2;\n";
    out += "  std::vector<int> v(16, 4);\n  Pair p = {4, 2.5f, 3};\n";
    out +=
        "  int *x, *y; float* z;\n  cudaMalloc(&x, 64); cudaMalloc((void**)&y, 64); cudaMalloc(&z, 16 * "
        "sizeof(float));\n";
    out += "  int* h = (int*)malloc(64);\n  for (int k = 0; k < 16; ++k) h[k] = MIX(k, i2);\n";
    for (int n = 0; n < 14; ++n) out += statement(1);
    out += launch(1);
    out += "  cudaMemcpy(y, h, 64, cudaMemcpyHostToDevice);\n" + launch(1);
    return out + "}\n";
  }

 private:
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  std::string one(const std::vector<std::string>& of) { return of[pick(static_cast<std::uint32_t>(of.size()))]; }

  std::string variable() {
    return one({"i0", "i1", "i2", "u0", "u1", "l0", "l1", "f0", "f1", "d0", "c0", "s0", "p.a", "p.b", "p.c"});
  }
  std::string whole(int depth) {
    switch (depth <= 0 ? pick(4) : pick(17)) {
      case 0:
        return std::to_string(pick(50));
      case 1:
        return one({"i0", "i1", "i2", "u0", "l0", "c0", "s0", "p.a", "p.c", "WIDTH", "second", "third"});
      case 2:
        return fmt::format("a[{} & 15]", depth > 0 ? whole(depth - 1) : "i0");
      case 3:
        return fmt::format("v[({}) & 15]", depth > 0 ? whole(depth - 1) : "i1");
      case 4:
        return fmt::format("({} + {})", whole(depth - 1), whole(depth - 1));
      case 5:
        return fmt::format("({} - {})", whole(depth - 1), whole(depth - 1));
      case 6:
        return fmt::format("({} * {})", whole(depth - 1), whole(depth - 1));
      case 7:
        return fmt::format("({} / (({}) | 1))", whole(depth - 1), one({"i2 & 15", "7", "c0"}));
      case 8:
        return fmt::format("({} % {})", whole(depth - 1), 1 + pick(30));
      case 9:
        return fmt::format("({} {} {})", whole(depth - 1), one({"&", "|", "^"}), whole(depth - 1));
      case 10:
        return fmt::format("({} {} {})", whole(depth - 1), one({"<<", ">>"}), pick(9));
      case 11:
        return fmt::format("({} {} {} ? {} : {})", whole(depth - 1), one({"<", ">", "<=", ">=", "==", "!="}),
                           whole(depth - 1), whole(depth - 1), whole(depth - 1));
      case 12:
        return fmt::format("twice((int)({}))", whole(depth - 1));
      case 13:
        return fmt::format("scaled<{}>((int)({}) & 1023)", 1 + pick(9), whole(depth - 1));
      case 14:
        return fmt::format("({}({}))", one({"~", "-", "!"}), whole(depth - 1));
      case 15:
        return fmt::format("({})({})", one({"int", "unsigned", "short", "unsigned char", "long long", "bool"}),
                           whole(depth - 1));
      default:
        return fmt::format("depth((int)({}) & 255)", whole(depth - 1));
    }
  }
  std::string real(int depth) {
    switch (depth <= 0 ? pick(3) : pick(8)) {
      case 0:
        return one({"0.5f", "2.25", "-3.0f", "1e-2"});
      case 1:
        return one({"f0", "f1", "d0", "p.b"});
      case 2:
        return fmt::format("g[{} & 15]", whole(0));
      case 3:
        return fmt::format("({} {} {})", real(depth - 1), one({"+", "-", "*"}), real(depth - 1));
      case 4:
        return fmt::format("({} / 4)", real(depth - 1));
      case 5:
        return fmt::format("(float)({} & 4095)", whole(depth - 1));
      case 6:
        return fmt::format("{}({})", one({"fabs", "floor", "ceil"}), real(depth - 1));
      default:
        return fmt::format("total(g, {})", pick(8));
    }
  }
  std::string tame(const std::string& e) { return fmt::format("std::min(1000.0, std::max(-1000.0, (double)({})))", e); }

  std::string launch(int indent) {
    const std::string pad(static_cast<std::size_t>(2 * indent), ' ');
    const std::string grid = one(
        {fmt::format("(({}) & 63) + 1", whole(2)), fmt::format("dim3({}, {})", 1 + pick(9), "(i2 & 7) + 1"), "WIDTH"});
    const std::string block = one({"32", "dim3(8, WIDTH, 2)", "dim3(WIDTH)"});
    return fmt::format("{}k{}<<<{}, {}, {}>>>({}, {}, (int)({}), {});\n", pad, pick(3), grid, block,
                       one({"0", "64", "WIDTH * sizeof(float)"}), one({"x", "y", "x + 3", "z"}),
                       one({"y", "z", "z + (i2 & 7)"}), whole(2), real(1));
  }

  std::string statement(int indent) {
    const std::string pad(static_cast<std::size_t>(2 * indent), ' ');
    const std::string target = variable();
    const bool is_real = target == "f0" || target == "f1" || target == "d0" || target == "p.b";
    switch (pick(indent > 2 ? 9 : 17)) {
      case 0:
      case 1:
        return fmt::format("{}{} = {};\n", pad, target, is_real ? tame(real(2)) : whole(3));
      case 2:
        return is_real ? fmt::format("{}{} *= 0.5f;\n", pad, target)
                       : fmt::format("{}{} {} {};\n", pad, target, one({"+=", "-=", "*=", "^=", "|=", "&="}), whole(2));
      case 3:
        return fmt::format("{}a[({}) & 15] {} {};\n", pad, whole(1), one({"=", "+=", "^="}), whole(2));
      case 4:
        return fmt::format("{}v[({}) & 15] = {};\n", pad, whole(1), whole(2));
      case 5:
        return fmt::format("{}g[({}) & 15] = {};\n", pad, whole(1), tame(real(2)));
      case 6:
        return fmt::format("{}{};\n", pad,
                           one({"i0++", "--i1", "u0--", "++c0", "s0++", "l0--", "h[i2 & 15]++", "p.a += twice(p.a)",
                                "std::swap(i0, i1)", "std::swap(f0, f1)"}));
      case 7:
        return fmt::format("{}h[({}) & 15] = {};\n", pad, whole(1), whole(2));
      case 8:
        return one({pad + "bump(i0, &l0);\n", pad + "p = made(i1, f0);\n", pad + "std::fill(v.begin(), v.end(), i0);\n",
                    pad + "cudaMemcpy(x, h, 64, cudaMemcpyHostToDevice);\n",
                    pad + "cudaMemcpy(z, g, 64, cudaMemcpyHostToDevice);\n", pad + "memcpy(a, h, 32);\n",
                    pad + "cudaMemset(y, 3, 40);\n",
                    pad + "{ auto f = [&](int q) { i2 += q; return i2 * 2; }; i1 = f(3) + f(i1 & 3); }\n"});
      case 9:
        return fmt::format("{}if ({} {} {}) {{\n{}{}}} else {{\n{}{}}}\n", pad, whole(1), one({"<", "==", ">"}),
                           whole(1), statement(indent + 1), pad, statement(indent + 1), pad);
      case 10:
        return fmt::format("{0}for (int q{1} = 0; q{1} < {2}; ++q{1}) {{\n{3}{4}{0}}}\n", pad, indent, 1 + pick(6),
                           statement(indent + 1), launch_or(indent + 1));
      case 11:
        return fmt::format(
            "{0}{{ int w{1} = {2}; while (w{1} > 0) {{ w{1} /= 2;\n{3}{0}  if (w{1} == 3) continue; if (w{1} == 5) "
            "break; i2 ^= w{1}; }} }}\n",
            pad, indent, pick(200), statement(indent + 1));
      case 12:
        return fmt::format(
            "{0}switch (({1}) & 3) {{\n{0}  case 0: i0 += 2;\n{0}  case 1: {2}{0}    break;\n{0}  case 2: i1 = 9; "
            "break;\n{0}  default: l0 += 3;\n{0}}}\n",
            pad, whole(1), statement(indent + 1));
      case 13:
        return fmt::format("{}std::swap(x, y);\n", pad);
      case 14:
        return fmt::format("{0}for (int e : v) i0 += e;\n{0}for (float& e : g) e += 0.5f;\n", pad);
      case 15:
        return fmt::format(
            "{0}{{ int t{2} = 0; do {{ i2 = (i2 & 1023) / 3; {1}{0}}} while (i2 > 4 && ++t{2} < 5); }}\n", pad,
            statement(indent + 1), indent);
      default:
        return launch(indent);
    }
  }
  std::string launch_or(int indent) { return pick(3) == 0 ? launch(indent) : ""; }

  std::mt19937 random_;
};

/// Statements around launches.
class SequenceWriter {
 public:
  explicit SequenceWriter(std::uint32_t seed) : random_(seed) {}

  std::string program() {
    std::string out =
        "__constant__ int table[16];\n__constant__ float more[16];\n"
        "void refill(int* to, int by) { int t[16]; for (int k = 0; k < 16; ++k) t[k] = k * by; cudaMemcpy(to, t, 64, "
        "cudaMemcpyHostToDevice); }\n"
        "int main() {\n  int i0 = 3, *x, *y, *m; float *z;\n  int h[16], r[64]; float g[16];\n"
        "  for (int k = 0; k < 16; ++k) h[k] = k * 7 - 20, g[k] = k * 0.25f;\n  for (int k = 0; k < 64; ++k) r[k] = "
        "0;\n"
        "  cudaMalloc(&x, 64); cudaMalloc((void**)&y, 128); cudaMalloc(&z, 16 * sizeof(float));\n"
        "  cudaMallocManaged(&m, 64);\n";
    if (pick(2) != 0) out += "  for (int k = 0; k < 16; ++k) m[k] = k + 2;\n";
    if (pick(2) != 0) out += "  cudaMemcpy(x, h, 64, cudaMemcpyHostToDevice);\n";
    for (int n = 0; n < 16; ++n) out += statement(1);
    return out + launch() + "}\n";
  }

 private:
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  std::string one(const std::vector<std::string>& of) { return of[pick(static_cast<std::uint32_t>(of.size()))]; }
  std::string whole() { return one({"i0", "3", "-7", "i0 * 3 + 1", "h[2]", "h[i0 & 15]"}); }
  std::string buffer() { return one({"x", "y", "z", "m"}); }
  /// A range of 64 bytes: where it begins in ints, and how many bytes.
  std::string part(const std::string& of, std::uint32_t first) {
    return first == 0 ? of : fmt::format("{} + {}", of, first);
  }

  std::string launch() {
    return fmt::format("  k{}<<<{}, 32>>>({}, {}, {});\n", pick(3), 1 + pick(4), buffer(), buffer(), whole());
  }

  std::string statement(int indent) {
    const std::uint32_t first = pick(2) == 0 ? 0 : pick(12),
                        count = first == 0 && pick(2) == 0 ? 16 : 1 + pick(16 - first);
    switch (pick(indent > 1 ? 10 : 14)) {
      case 0:
        return fmt::format("  cudaMemcpy({}, {}, {}, cudaMemcpyHostToDevice);\n", part(one({"x", "y", "m"}), first),
                           part("h", 16 - first - count), 4 * count);
      case 1:
        return fmt::format("  cudaMemset({}, {}, {});\n", part(buffer(), first), pick(256), 4 * count);
      case 2:
        return fmt::format("  cudaMemcpy({}, {}, {}, cudaMemcpyDeviceToDevice);\n", part(one({"x", "z"}), first),
                           part(one({"y", "m"}), 16 - first - count), 4 * count);
      case 3:
        return fmt::format("  h[({}) & 15] = {};\n  i0 += 3;\n", whole(), whole());
      case 4:
        return fmt::format("  m[{}] = {};\n", pick(16), whole());
      case 5:
        return "  std::swap(x, y);\n";
      case 6:
        return fmt::format("  cudaMemcpyToSymbol(table, h, {}, {});\n", 4 * count, 4 * first);
      case 7:
        return "  cudaMemcpyToSymbol(more, g, 64);\n  g[3] += 0.5f;\n";
      case 8:  // there and back
        return fmt::format(
            "  cudaMemcpy(r + {0}, {1}, 64, cudaMemcpyDeviceToHost);\n{2}  cudaMemcpy({3}, r + {4}, {5}, "
            "cudaMemcpyHostToDevice);\n",
            8 * pick(3), one({"x", "m"}), "", one({"y", "z"}), 0, 0);
      case 9:
        return fmt::format("  refill({}, {});\n", one({"x", "m"}), whole());
      case 10: {
        const std::string from = buffer(), to = buffer();
        return fmt::format(
            "  cudaMemcpy(r, {}, 64, cudaMemcpyDeviceToHost);\n{}  cudaMemcpy({}, r, 64, cudaMemcpyHostToDevice);\n",
            from, pick(2) == 0 ? fmt::format("  r[{}] = {};\n", pick(16), whole()) : "", to);
      }
      case 11:
        return fmt::format("  for (int q = 0; q < {}; ++q) {{\n{}{}{}  }}\n", 1 + pick(4), statement(2), launch(),
                           statement(2));
      default:
        return launch();
    }
  }

  std::mt19937 random_;
};

}  // namespace

std::string random_sequence(std::uint32_t seed) { return SequenceWriter(seed).program(); }

std::string random_program(std::uint32_t seed) { return Writer(seed).program(); }

}  // namespace lanescope::source::test
