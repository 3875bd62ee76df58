#pragma once
// Small kernels with one wgmma each, for the emulator and a GPU alike: every type of factor, where A is, how the matrices
// lie in shared memory.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace lanescope::catalogue {

struct MatrixProductKernel {
  std::string name;
  std::string factors;          ///< "f16"
  int columns = 64;             ///< of B
  bool a_in_registers = false;  ///< else in shared memory
  bool sparse = false;
  int swizzle = 0;          ///< bytes: 0 (none), 32, 64, 128
  bool by_columns = false;  ///< the rows of both matrices lie along the other way ("transposed")
  int line = 0;             ///< of the product
};

/// The end of a product's name and how deep it is, by the type of its factors.
struct MatrixFactors {
  std::string type, shape_and_types, operands_end;  ///< after the descriptors
  int depth = 0;
};
inline MatrixFactors matrix_factors(const MatrixProductKernel& k) {
  const int more = k.sparse ? 2 : 1;
  if (k.factors == "f16" || k.factors == "bf16")
    return {"f32", "f32." + k.factors + "." + k.factors,
            fmt::format(", 1, 1, 1{}", k.a_in_registers ? fmt::format(", {:d}", k.by_columns)
                                                        : fmt::format(", {0:d}, {0:d}", k.by_columns)),
            16 * more};
  if (k.factors == "tf32") return {"f32", "f32.tf32.tf32", ", 1, 1, 1", 8 * more};
  if (k.factors == "s8") return {"s32", "s32.s8.s8", ", 1", 32 * more};
  if (k.factors == "b1") return {"s32", "s32.b1.b1.and.popc", ", 1", 256};
  return {"f32", "f32." + k.factors + "." + k.factors, ", 1, 1, 1", 32 * more};
}

/// Four warps, one block: 48 KiB of zeros stored, the product, a sum of it stored by each thread.
inline std::string matrix_product_kernel(const MatrixProductKernel& k) {
  const MatrixFactors f = matrix_factors(k);
  const int sums = k.columns / 2;
  const char letter = f.type == "f32" ? 'f' : 'r';
  std::string results, d;
  for (int i = 0; i < sums; ++i) {
    results += fmt::format("{}%{}", i ? ", " : "", i);
    d += fmt::format("{}\"+{}\"(d[{}])", i ? ", " : "", letter, i);
  }
  int next = sums;
  const auto operand = [&] { return fmt::format("%{}", next++); };
  std::string a, in;
  if (k.a_in_registers) {
    a = "{" + operand();
    for (int i = 1; i < 4; ++i) a += ", " + operand();
    a += "}", in = "\"r\"(0), \"r\"(0), \"r\"(0), \"r\"(0), ";
  } else {
    a = operand(), in = "\"l\"(a), ";
  }
  const std::string b = operand();
  in += "\"l\"(b)";
  std::string sparse;
  if (k.sparse) sparse = ", " + operand() + ", 0", in += ", \"r\"(0x44444444)";
  return fmt::format(
      R"(__global__ void __launch_bounds__(128) {name}({c} *out)
{{
    __shared__ __align__(1024) uint s[12288];
    for (int i = threadIdx.x; i < 12288; i += 128) s[i] = 0;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    unsigned long long at = (uint)__cvta_generic_to_shared(s);
    [[maybe_unused]] unsigned long long a = at / 16 | {layout}ull; unsigned long long b = (at + 8192) / 16 | {layout}ull;
    {c} d[{sums}];
    for (int i = 0; i < {sums}; i++) d[i] = 0;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async{sp}.sync.aligned.m64n{n}k{depth}.{types} {{{results}}}, {a_operand}, {b_operand}{sparse}{end};" : {d} : {in} : "memory");
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    {c} sum = 0;
    for (int i = 0; i < {sums}; i++) sum += d[i];
    out[threadIdx.x] = sum;
}}
)",
      fmt::arg("name", k.name), fmt::arg("c", f.type == "f32" ? "float" : "int"),
      fmt::arg("layout",
               [&] {
                 const unsigned long long width = k.swizzle == 0 ? 16 : static_cast<unsigned>(k.swizzle);
                 const unsigned long long mode = k.swizzle == 0 ? 0 : k.swizzle == 128 ? 1 : k.swizzle == 64 ? 2 : 3;
                 return fmt::format("0x{:x}", (8 * width / 16) << 16 | (8 * width / 16) << 32 | mode << 62);
               }()),
      fmt::arg("sums", sums), fmt::arg("sp", k.sparse ? ".sp" : ""), fmt::arg("n", k.columns),
      fmt::arg("depth", f.depth), fmt::arg("types", f.shape_and_types), fmt::arg("results", results),
      fmt::arg("a_operand", a), fmt::arg("b_operand", b), fmt::arg("sparse", sparse), fmt::arg("end", f.operands_end),
      fmt::arg("d", d), fmt::arg("in", in));
}

/// All of them in one file, a launch each, in this order.
struct MatrixProductFile {
  std::vector<MatrixProductKernel> kernels;
  std::string text;
};
inline MatrixProductFile matrix_product_file() {
  MatrixProductFile file;
  const auto add = [&](MatrixProductKernel k) {
    for (const bool in_registers : {false, true}) {
      k.a_in_registers = in_registers;
      k.name = fmt::format("{}_n{}{}{}{}{}", k.factors, k.columns, k.sparse ? "_sparse" : "",
                           k.swizzle ? fmt::format("_swizzle{}", k.swizzle) : "", k.by_columns ? "_columns" : "",
                           in_registers ? "_registers" : "");
      file.kernels.push_back(k);
    }
  };
  for (const int columns : {8, 16, 24, 64, 128, 256}) add({.name = {}, .factors = "f16", .columns = columns});
  for (const char* factors : {"bf16", "tf32", "e4m3", "e5m2", "s8", "b1"}) add({.name = {}, .factors = factors});
  for (const int swizzle : {32, 64, 128}) add({.name = {}, .factors = "f16", .swizzle = swizzle});
  for (const int swizzle : {0, 32, 64, 128})
    add({.name = {}, .factors = "f16", .columns = 32, .swizzle = swizzle, .by_columns = true});
  for (const char* factors : {"f16", "tf32", "e4m3", "s8"})
    add({.name = {}, .factors = factors, .columns = 32, .sparse = true});
  std::string header = "/*\n[lanescope]\narch = \"sm_90a\"\n", code;
  for (const MatrixProductKernel& k : file.kernels) {
    const bool floats = matrix_factors(k).type == "f32";
    header += fmt::format("[[launch]]\nkernel = \"{}\"\nblock = 128\nargs = [\"{}\"]\n", k.name, floats ? "f" : "i");
    code += matrix_product_kernel(k);
  }
  file.text = header + "[buffers]\nf = \"f32 t:128 = zeros\"\ni = \"s32 t:128 = zeros\"\n*/\n" + code;
  for (MatrixProductKernel& k : file.kernels) {
    const std::size_t at = file.text.find("wgmma.mma_async", file.text.find(" " + k.name + "("));
    k.line =
        static_cast<int>(std::count(file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
  }
  return file;
}

}  // namespace lanescope::catalogue
