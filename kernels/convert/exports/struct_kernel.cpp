#include "kernels/convert/exports/struct_kernel.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "kernels/convert/bits.h"

namespace lanescope::convert {
namespace {

bool is_one_access(int words) { return words == 1 || words == 2 || words == 4; }

std::string structure_access(const StructPlan& plan) {
  return plan.words == 4 ? "uint4" : plan.words == 2 ? "uint2" : "unsigned";
}

/// Groups of 32 structures (of 128 with accesses of 16 bytes), so that enough loads are on their way.
int groups_of_a_warp(int words, const StructKernel& wanted) {
  if (wanted.groups > 0) return wanted.groups;
  return wanted.access_bytes == 16 ? 1 : std::max(1, 12 / words);
}

std::string kernel_head(const StructPlan& plan, const StructKernel& wanted) {
  const bool gathers = plan.direction == StructPlan::Direction::to_lanes;
  const std::string& name = wanted.names.function;
  const int of_a_block = struct_kernel_threads / lanes * structures_of_a_warp(plan.words, wanted);
  return fmt::format(
      "\n// Blocks of {0} threads; a warp moves {1} structures.\n"
      "inline unsigned {2}_blocks(long long count) {{\n  return static_cast<unsigned>((count + {3}) / {4});\n}}\n\n"
      "// structures: `count` of {5} words each, one after the other. Word f of structure s is fields[f * field_stride "
      "+ s].\n"
      "__global__ void __launch_bounds__({0}) {2}_kernel({6}{7}* structures, {8}{7}* fields, long long count, long "
      "long field_stride) {{\n",
      struct_kernel_threads, structures_of_a_warp(plan.words, wanted), name, of_a_block - 1, of_a_block, plan.words,
      gathers ? "const " : "", wanted.element_type, gathers ? "" : "const ");
}

/// Four structures a lane: the words of 16 bytes take the place of words in the same plan, for each of their four parts.
std::string wide_text(const StructPlan& plan, const StructKernel& wanted) {
  const bool gathers = plan.direction == StructPlan::Direction::to_lanes;
  const int words = plan.words, groups = groups_of_a_warp(words, wanted);
  constexpr std::string_view parts = "xyzw";
  const auto access = [&](bool structures, int g, int r) {
    return structures
               ? fmt::format("reinterpret_cast<{}uint4*>(s)[{} + lane]", gathers ? "const " : "", 32 * (words * g + r))
               : fmt::format("reinterpret_cast<{}uint4*>(f + {} * field_stride)[{} + lane]", gathers ? "" : "const ", r,
                             32 * g);
  };
  // Part n of the vector of field r is word r of the lane's structure n, which is part (W n + r) % 4 of its vector (W n + r) / 4.
  const auto part_of_own = [&](int r, int n) {
    const int word = words * n + r;
    return fmt::format("own[{}][{}]", word % 4, word / 4);
  };
  std::string out = fmt::format(
      "  if (left >= {} && reinterpret_cast<unsigned long long>(s) % 16 == 0 &&\n"
      "      reinterpret_cast<unsigned long long>(f) % 16 == 0 && field_stride % 4 == 0) {{\n    uint4 v[{}][{}];\n",
      128 * groups, groups, words);
  const auto moved = [&](bool structures, bool load) {
    std::string text;
    for (int g = 0; g < groups; ++g)
      for (int r = 0; r < words; ++r)
        text += load ? fmt::format("    v[{}][{}] = {};\n", g, r, access(structures, g, r))
                     : fmt::format("    {} = v[{}][{}];\n", access(structures, g, r), g, r);
    return text;
  };
  out += moved(gathers, true);
  out +=
      fmt::format("    #pragma unroll\n    for (int g = 0; g < {}; g++) {{\n      unsigned dealt[4][{}], own[4][{}];\n",
                  groups, words, words);
  std::string deal, take;
  for (int r = 0; r < words; ++r)
    for (int n = 0; n < 4; ++n) {
      const std::string dealt = fmt::format("dealt[{}][{}]", n, r),
                        part = fmt::format("v[g][{}].{}", r, parts[index(n)]);
      const std::string own = part_of_own(r, n);
      deal += gathers ? fmt::format("      {} = {};\n", dealt, part) : fmt::format("      {} = {};\n", own, part);
      take += gathers ? fmt::format("      {} = {};\n", part, own) : fmt::format("      {} = {};\n", part, dealt);
    }
  out += deal;
  out += fmt::format("      #pragma unroll\n      for (int n = 0; n < 4; n++) {}({}[n], {}[n]);\n",
                     wanted.names.function, gathers ? "dealt" : "own", gathers ? "own" : "dealt");
  return out + take + "    }\n" + moved(!gathers, false) + "    return;\n  }\n";
}

}  // namespace

int structures_of_a_warp(int words, const StructKernel& wanted) {
  return (wanted.access_bytes == 16 ? 128 : 32) * groups_of_a_warp(words, wanted);
}

std::string struct_kernel(const StructPlan& plan, const StructKernel& wanted) {
  const bool gathers = plan.direction == StructPlan::Direction::to_lanes, direct = is_one_access(plan.words);
  const bool wide = wanted.access_bytes == 16;
  const int words = plan.words, all = structures_of_a_warp(words, wanted), groups = wide ? 1 : all / 32;
  std::string out = direct && !wide ? "" : struct_function(plan, wanted.names);
  out += kernel_head(plan, wanted);
  out += fmt::format(
      "  const unsigned lane = threadIdx.x % 32;\n"
      "  // Apply per-block and per-warp offset\n"
      "  //   before: structures: shape (count, {0}), contiguous; fields: shape ({0}, count), strides (field_stride, "
      "1)\n"
      "  //   after: structures: shape ({1}, {0}), contiguous; fields: shape ({0}, {1}), strides (field_stride, 1)\n"
      "  const long long first = (blockIdx.x * {2}ll + threadIdx.x / 32) * {1};\n"
      "  {3}unsigned* s = reinterpret_cast<{3}unsigned*>(structures) + first * {0};\n"
      "  {4}unsigned* f = reinterpret_cast<{4}unsigned*>(fields) + first;\n"
      "  {5}long long left = count - first;  // structures from here\n",
      words, all, struct_kernel_threads / 32, gathers ? "const " : "", gathers ? "" : "const ", wide ? "" : "const ");
  out += "  if (left <= 0) return;\n";
  if (wide) out += wide_text(plan, wanted);
  // Parts that are not aligned or not whole: 32 structures at a time.
  if (wide) out += fmt::format("  #pragma unroll 1\n  for (int n = 0; n < {} && left > 0; n++) {{\n", all / 32);
  out += fmt::format("  unsigned own[{}][{}];\n", groups, words);
  const std::string each_group = fmt::format("  #pragma unroll\n  for (int g = 0; g < {}; g++) {{\n", groups);
  const std::string each_word = fmt::format("    #pragma unroll\n    for (int r = 0; r < {}; r++) {{\n", words);
  const std::string type = structure_access(plan);
  constexpr std::string_view parts = "xyzw";
  // The structures' side.
  std::string structures, fields;
  if (direct) {
    structures = each_group + "    if (32 * g + lane < left) {\n";
    std::vector<std::string> members;
    for (int w = 0; w < words; ++w) members.push_back(fmt::format("own[g][{}]", w));
    const std::string place = fmt::format("reinterpret_cast<{}{}*>(s)[32 * g + lane]", gathers ? "const " : "", type);
    if (gathers) {
      structures += fmt::format("      const {} v = {};\n", type, place);
      for (int w = 0; w < words; ++w)
        structures += fmt::format("      own[g][{}] = v{};\n", w,
                                  words == 1 ? "" : fmt::format(".{}", parts[static_cast<std::size_t>(w)]));
    } else {
      structures += words == 1 ? fmt::format("      {} = {};\n", place, members[0])
                               : fmt::format("      {} = make_{}({});\n", place, type, fmt::join(members, ", "));
    }
    structures += "    }\n  }\n";
  } else if (gathers) {
    structures = fmt::format("  unsigned dealt[{}][{}];\n", groups, words) + each_group + each_word +
                 fmt::format(
                     "      const unsigned n = 32 * ({0} * g + r) + lane;\n"
                     "      dealt[g][r] = n < {0} * left ? s[n] : 0;\n    }}\n  }}\n",
                     words) +
                 each_group + fmt::format("    {}(dealt[g], own[g]);\n  }}\n", wanted.names.function);
  } else {
    structures = fmt::format("  unsigned dealt[{}][{}];\n", groups, words) + each_group +
                 fmt::format("    {}(own[g], dealt[g]);\n  }}\n", wanted.names.function) + each_group + each_word +
                 fmt::format(
                     "      const unsigned n = 32 * ({0} * g + r) + lane;\n"
                     "      if (n < {0} * left) s[n] = dealt[g][r];\n    }}\n  }}\n",
                     words);
  }
  const std::string place = "f[r * field_stride + 32 * g + lane]";
  fields = each_group + each_word +
           (gathers ? fmt::format("      if (32 * g + lane < left) {} = own[g][r];\n", place)
                    : fmt::format("      own[g][r] = 32 * g + lane < left ? {} : 0;\n", place)) +
           "    }\n  }\n";
  out += gathers ? structures + fields : fields + structures;
  if (wide) out += fmt::format("  s += {};\n  f += 32;\n  left -= 32;\n  }}\n", 32 * words);
  return out + "}\n";
}

Verified verify_struct_kernel(const StructPlan& plan, const StructKernel& wanted,
                              std::span<const std::string> architectures) {
  Verified v;
  const auto code = compile_text(struct_kernel(plan, wanted), architectures, v);
  if (!code) return v;
  const bool gathers = plan.direction == StructPlan::Direction::to_lanes;
  const std::int64_t a_block = std::int64_t{struct_kernel_threads} / lanes * structures_of_a_warp(plan.words, wanted);
  const auto words = static_cast<std::size_t>(plan.words);
  for (const std::int64_t unaligned : {0, 3}) {
    const std::int64_t count = a_block + 45, stride = (count + 7) / 4 * 4 + unaligned;
    std::vector<trace::Buffer> buffers = {random_buffer("structures", 4 * words * static_cast<std::size_t>(count), 5),
                                          random_buffer("fields", 4 * words * static_cast<std::size_t>(stride), 6)};
    trace::Bytes expected = buffers[gathers ? 1 : 0].bytes;
    for (std::size_t s = 0; s < static_cast<std::size_t>(count); ++s)
      for (std::size_t f = 0; f < words; ++f) {
        const std::size_t in_structures = 4 * (s * words + f),
                          in_fields = 4 * (f * static_cast<std::size_t>(stride) + s);
        std::memcpy(expected.data() + (gathers ? in_fields : in_structures),
                    buffers[gathers ? 0 : 1].bytes.data() + (gathers ? in_structures : in_fields), 4);
        ++v.elements;
      }
    trace::Launch launch{.grid = {static_cast<std::uint32_t>((count + a_block - 1) / a_block), 1, 1},
                         .block = {struct_kernel_threads, 1, 1},
                         .arguments = {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}, bytes_of_number(count),
                                       bytes_of_number(stride)}};
    if (!run_text(*code, launch, buffers, v)) return v;
    const trace::Bytes& got = buffers[gathers ? 1 : 0].bytes;
    if (got == expected) continue;
    v.problem = fmt::format("byte {} is wrong", std::ranges::mismatch(got, expected).in1 - got.begin());
    return v;
  }
  return v;
}

}  // namespace lanescope::convert
