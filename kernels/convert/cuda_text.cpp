#include "kernels/convert/cuda_text.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "kernels/convert/bits.h"
#include "kernels/convert/place_map.h"

namespace lanescope::convert {
namespace {

std::string hex(std::uint32_t v) { return v < 10 ? fmt::format("{}u", v) : fmt::format("{:#x}u", v); }

std::string parity_text(std::uint32_t parity) {
  return std::has_single_bit(parity) ? fmt::format("(lane & {}) != 0", parity)
                                     : fmt::format("(__popc(lane & {}) & 1) != 0", parity);
}

/// An assignment comment on what `sentence` names.
std::string claim(std::string_view indent, std::string_view sentence, const layout::Assignment& a) {
  std::string out = fmt::format("{}// {}\n", indent, sentence), text = layout::print(a);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += fmt::format("{}//   {}\n", indent, text.substr(0, end));
    text.erase(0, std::min(end + 1, text.size()));
  }
  return out;
}

/// Statements for one program: its inputs are `inputs`[n], its values `prefix`n.
class Writer {
 public:
  Writer(const WordProgram& program, std::string function, std::string inputs, std::string prefix)
      : p_(program), function_(std::move(function)), inputs_(std::move(inputs)), prefix_(std::move(prefix)) {
    constants();
  }

  /// The part that depends on the lane alone.
  const std::string& constants_text() const { return constants_; }

  /// With the assignment after each stage that has one; `now`: the one at the start.
  std::string statements(std::span<const std::optional<layout::Assignment>> states,
                         const layout::Assignment& now) const {
    std::string out;
    std::size_t stage = 0;
    const layout::Assignment* last = &now;
    bool wrote = false;
    for (int n = 0; n <= static_cast<int>(p_.code.size()); ++n) {
      for (; stage < p_.stages.size() && p_.stages[stage].end <= n; ++stage) {
        if (stage >= states.size() || !states[stage] || *states[stage] == *last || !wrote) continue;
        last = &*states[stage];
        out += stage_comment(p_.stages[stage], *last);
        wrote = false;
      }
      if (n == static_cast<int>(p_.code.size())) break;
      const Instruction& i = p_.code[index(n)];
      if (i.op == Op::input) continue;
      // Not const: nvcc's front end would look for a constant through all initialisers, in time exponential in their depth.
      out += fmt::format("  unsigned {} = {};\n", name(n), expression(i));
      wrote = true;
    }
    return out;
  }

  std::string name(Value v) const {
    if (v == nothing) return "0";
    const Instruction& i = p_.code[index(v)];
    return i.op == Op::input ? fmt::format("{}[{}]", inputs_, i.number) : fmt::format("{}{}", prefix_, v);
  }

 private:
  std::string stage_comment(const Stage& stage, const layout::Assignment& a) const {
    std::vector<std::string> registers;
    for (const Value v : stage.words) registers.push_back(name(v));
    return claim("  ", fmt::format("registers: {}", fmt::join(registers, " ")), a);
  }

  void constants() {
    for (const Instruction& i : p_.code) {
      if (i.op == Op::select && !parities_.contains(i.parity)) {
        parities_[i.parity] = fmt::format("{}_odd{}", prefix_, parities_.size());
        constants_ += fmt::format("  const bool {} = {};\n", parities_[i.parity], parity_text(i.parity));
      }
      if (i.op == Op::choose && !tables_.contains(i.table)) {
        tables_[i.table] = fmt::format("{}_odd{}", prefix_, parities_.size() + tables_.size());
        constants_ += fmt::format("  const bool {} = {};\n", tables_[i.table], spelled(i.table));
      }
      const bool has_table = i.op == Op::permute || i.op == Op::rotate || i.op == Op::mix || i.op == Op::fetch;
      if (has_table && !is_uniform(i.table) && !tables_.contains(i.table)) {
        tables_[i.table] = fmt::format("{}_by_lane{}", prefix_, tables_.size());
        constants_ += fmt::format("  const unsigned {} = {};\n", tables_[i.table], spelled(i.table));
      }
      if (i.op == Op::shuffle && !i.from.is_linear_identity() && !sources_.contains(i.from.columns)) {
        sources_[i.from.columns] = fmt::format("{}_source{}", prefix_, sources_.size());
        const std::vector<std::uint64_t> columns(i.from.columns.begin(), i.from.columns.end());
        constants_ +=
            fmt::format("  const unsigned {} = {};\n", sources_[i.from.columns], linear_text("lane", columns));
      }
    }
  }

  std::string spelled(const LaneTable& table) const {
    for (const auto& [known, text] : p_.spelled)
      if (known == table) return text;
    return table_text(table);
  }
  std::string value_of(const LaneTable& table) const { return is_uniform(table) ? hex(table[0]) : tables_.at(table); }

  std::string expression(const Instruction& i) const {
    switch (i.op) {
      case Op::input:
        return {};
      case Op::select:
        return fmt::format("{} ? {} : {}", parities_.at(i.parity), name(i.b), name(i.a));
      case Op::shuffle: {
        if (i.from.is_linear_identity()) return fmt::format("__shfl_xor_sync(~0u, {}, {})", name(i.a), i.from.constant);
        const std::string& source = sources_.at(i.from.columns);
        return fmt::format("__shfl_sync(~0u, {}, {}{})", name(i.a), source,
                           i.from.constant == 0 ? "" : fmt::format(" ^ {}", i.from.constant));
      }
      case Op::permute:
        return fmt::format("__byte_perm({}, {}, {})", name(i.a), name(i.b), value_of(i.table));
      case Op::rotate:
        return fmt::format("{}_rotate({}, {})", function_, name(i.a), value_of(i.table));
      case Op::matrix:
        return fmt::format("{}_matrix({})", function_, name(i.a));
      case Op::choose:
        return fmt::format("{} ? {} : {}", tables_.at(i.table), name(i.b), name(i.a));
      case Op::fetch:
        return fmt::format("__shfl_sync(~0u, {}, {})", name(i.a), value_of(i.table));
      case Op::mix:
        return fmt::format("({0} & {2}) | ({1} & ~{2})", name(i.a), name(i.b), value_of(i.table));
    }
    return {};
  }

  const WordProgram& p_;
  std::string function_, inputs_, prefix_;
  std::map<std::uint32_t, std::string> parities_;
  std::map<LaneTable, std::string> tables_;
  std::map<std::array<std::uint32_t, lane_bits>, std::string> sources_;
  std::string constants_;
};

constexpr std::string_view lane_text = "  unsigned lane;\n  asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));\n";

/// From the registers x[] to the registers y[].
std::string warp_body(const Planned& planned, const WordProgram& program, const std::string& function) {
  const Writer w(program, function, "x", "v");
  std::string out(w.constants_text().empty() ? std::string_view() : lane_text);
  out += w.constants_text() + w.statements(states_of(program, planned.map, planned.from), planned.from);
  for (std::size_t r = 0; r < program.outputs.size(); ++r)
    out += fmt::format("  y[{}] = {};\n", r, w.name(program.outputs[r]));
  return out;
}

/// The type of 2^bits words of `bytes` bytes.
std::string vector_type(int bytes, int bits) {
  const std::string_view scalar = bytes == 4 ? "unsigned" : bytes == 2 ? "unsigned short" : "unsigned char";
  if (bits == 0) return std::string(scalar);
  return fmt::format("{}{}", bytes == 4 ? "uint" : bytes == 2 ? "ushort" : "uchar", 1 << bits);
}

/// Numbers of the words of one access, the first of which has none of the bits in `vector`.
std::vector<std::size_t> words_of_an_access(std::size_t first, const std::vector<int>& vector) {
  std::vector<std::size_t> out;
  for (std::size_t n = 0; n < std::size_t{1} << vector.size(); ++n) {
    std::size_t word = first;
    for (std::size_t i = 0; i < vector.size(); ++i)
      if ((n >> i & 1) != 0) word |= std::size_t{1} << vector[i];
    out.push_back(word);
  }
  return out;
}

bool starts_an_access(std::size_t word, const std::vector<int>& vector) {
  return std::ranges::none_of(vector, [&](int i) { return (word >> i & 1) != 0; });
}

/// Where lane l finds row l % 8 of matrix l / 8, in rows: the columns of the thread's bits.
std::vector<std::uint64_t> row_columns(const std::vector<std::uint64_t>& words,
                                       const std::vector<std::uint64_t>& threads) {
  std::vector<std::uint64_t> out(threads.begin() + 2, threads.begin() + lane_bits);
  for (std::size_t i = 0; i < 2; ++i) out.push_back(i < words.size() ? words[i] : 0);
  out.insert(out.end(), threads.begin() + lane_bits, threads.end());
  for (std::uint64_t& c : out) c >>= 2;
  return out;
}

/// One ldmatrix or stmatrix for every four of `words`, whose addresses are the sums of `columns`.
std::string matrix_accesses(bool load, bool transposed, std::string_view base,
                            const std::vector<std::uint64_t>& columns, const std::vector<std::string>& words) {
  const std::size_t at_once = std::min<std::size_t>(4, words.size());
  const std::string_view trans = transposed ? ".trans" : "";
  std::string out;
  for (std::size_t k = 0; k < words.size(); k += at_once) {
    std::vector<std::string> places, operands;
    for (std::size_t n = 0; n < at_once; ++n) {
      places.push_back(fmt::format("%{}", n + (load ? 0 : 1)));
      operands.push_back(fmt::format("\"{}r\"({})", load ? "=" : "", words[k + n]));
    }
    const std::string address = fmt::format("\"r\"(static_cast<unsigned>(__cvta_generic_to_shared(tile + ({} ^ {}))))",
                                            base, combine(columns, k) >> 2);
    const std::string registers = fmt::format("{{{}}}", fmt::join(places, ", "));
    out += load ? fmt::format(
                      "  asm volatile(\"ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16 {}, [%{}];\"\n"
                      "               : {} : {} : \"memory\");\n",
                      at_once, trans, registers, at_once, fmt::join(operands, ", "), address)
                : fmt::format(
                      "  asm volatile(\"stmatrix.sync.aligned.m8n8.x{}{}.shared.b16 [%0], {};\"\n"
                      "               :: {}, {} : \"memory\");\n",
                      at_once, trans, registers, address, fmt::join(operands, ", "));
  }
  return out;
}

std::string tile_at(const SharedPlan& plan, std::string_view base, std::uint64_t constant) {
  return fmt::format("tile[{} ^ {}]", base, constant >> plan.vector_bits);
}

std::string plain_stores(const SharedPlan& plan, const Writer& store, const std::string& type, std::string_view unit) {
  std::string out;
  if (plan.idle_threads != 0) out += fmt::format("  if ((thread & {}) == 0) {{\n", plan.idle_threads);
  for (std::size_t k = 0; k < plan.store.outputs.size(); ++k) {
    if (!starts_an_access(k, plan.store_vector)) continue;
    std::vector<std::string> parts;
    for (const std::size_t word : words_of_an_access(k, plan.store_vector)) {
      const std::string value = store.name(plan.store.outputs[word]);
      parts.push_back(unit.empty() ? value : fmt::format("static_cast<{}>({})", unit, value));
    }
    const std::string value =
        plan.vector_bits == 0 ? parts.front() : fmt::format("make_{}({})", type, fmt::join(parts, ", "));
    out += fmt::format("  {} = {};\n", tile_at(plan, "stored", combine(plan.store_words, k)), value);
  }
  return out + (plan.idle_threads != 0 ? "  }\n" : "");
}

std::string plain_loads(const SharedPlan& plan, const std::string& type) {
  constexpr std::string_view parts = "xyzw";
  std::string out;
  for (std::size_t k = 0; k < std::size_t{1} << plan.load_words.size(); ++k) {
    if (!starts_an_access(k, plan.load_vector)) continue;
    const std::string place = tile_at(plan, "loaded", combine(plan.load_words, k));
    if (plan.vector_bits == 0) {
      out += fmt::format("  w[{}] = {};\n", k, place);
      continue;
    }
    out += fmt::format("  const {} part{} = {};\n", type, k, place);
    const std::vector<std::size_t> members = words_of_an_access(k, plan.load_vector);
    for (std::size_t n = 0; n < members.size(); ++n)
      out += fmt::format("  w[{}] = part{}.{};\n", members[n], k, parts[n]);
  }
  return out;
}

std::string shared_body(const Planned& planned, const SharedPlan& plan, const std::string& function) {
  const Writer store(plan.store, function, "x", "v"), load(plan.load, function, "w", "u");
  const int warps = planned.map.warps;
  std::string out;
  const std::string constants = store.constants_text() + load.constants_text();
  if (warps > 0) {
    out += "  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n";
    if (!constants.empty()) out += "  const unsigned lane = thread & 31;\n";
  } else {
    out += std::string(lane_text) + "  const unsigned thread = lane;\n";
  }
  out += constants;
  const std::string type = vector_type(plan.unit_bytes, plan.vector_bits);
  const std::string_view unit = vector_type(plan.unit_bytes, 0) == "unsigned" ? ""
                                : plan.unit_bytes == 2                        ? "unsigned short"
                                                                              : "unsigned char";
  out += fmt::format("  {}* const tile = static_cast<{}*>(shared);  // {} bytes\n", type, type, plan.shared_bytes());
  const auto shifted = [&](const std::vector<std::uint64_t>& columns) {
    std::vector<std::uint64_t> result;
    for (const std::uint64_t c : columns) result.push_back(c >> plan.vector_bits);
    return result;
  };
  const std::uint64_t loaded_constant = plan.load_constant >> plan.vector_bits;
  // Four rows of a matrix, or one vector, are one address.
  const auto numbers = [&](bool rows, const auto& words, const auto& threads) {
    return linear_text("thread", rows ? row_columns(words, threads) : shifted(threads));
  };
  out +=
      fmt::format("  const unsigned stored = {};\n", numbers(plan.matrix_stores, plan.store_words, plan.store_threads));
  out += fmt::format("  const unsigned loaded = ({}) ^ {};\n",
                     numbers(plan.matrix_loads, plan.load_words, plan.load_threads), loaded_constant);
  out += store.statements({}, planned.from);
  if (plan.matrix_stores) {
    std::vector<std::string> values;
    for (const Value v : plan.store.outputs) values.push_back(store.name(v));
    out += "#if __CUDA_ARCH__ >= 900\n" + matrix_accesses(false, plan.transposed, "stored", plan.store_words, values) +
           "#else\n  static_cast<void>(stored);\n";
    for (std::size_t k = 0; k < values.size(); ++k)
      out += fmt::format("  static_cast<unsigned*>(shared)[({}) ^ {}] = {};\n",
                         linear_text("thread", plan.store_threads), combine(plan.store_words, k),
                         plan.transposed ? fmt::format("{}_matrix({})", function, values[k]) : values[k]);
    out += "#endif\n";
  } else {
    out += plain_stores(plan, store, type, unit);
  }
  out += plan.between_warps ? "  __syncthreads();\n" : "  __syncwarp();\n";
  const std::size_t words = std::size_t{1} << plan.load_words.size();
  out += fmt::format("  unsigned w[{}];\n", words);
  if (plan.matrix_loads) {
    std::vector<std::string> places;
    for (std::size_t k = 0; k < words; ++k) places.push_back(fmt::format("w[{}]", k));
    out += matrix_accesses(true, plan.transposed, "loaded", plan.load_words, places);
  } else {
    out += plain_loads(plan, type);
  }
  out += load.statements({}, planned.to);
  for (std::size_t r = 0; r < plan.load.outputs.size(); ++r)
    out += fmt::format("  y[{}] = {};\n", r, load.name(plan.load.outputs[r]));
  return out;
}

/// Words of a structure across a warp.
std::string struct_body(const StructPlan& plan) {
  const Writer w(plan.program, {}, "x", "v");
  std::string out(w.constants_text().empty() ? std::string_view() : lane_text);
  out += w.constants_text() + w.statements({}, {});
  for (std::size_t r = 0; r < plan.program.outputs.size(); ++r)
    out += fmt::format("  y[{}] = {};\n", r, w.name(plan.program.outputs[r]));
  return out;
}

bool uses(const Plan& plan, Op op) {
  const auto in = [&](const WordProgram& p) {
    return std::ranges::any_of(p.code, [&](const Instruction& i) { return i.op == op; });
  };
  if (plan.program) return in(*plan.program);
  // movmatrix transposes in place of stmatrix if there is none.
  const bool transposes = plan.shared->matrix_stores && plan.shared->transposed;
  return in(plan.shared->store) || in(plan.shared->load) || (op == Op::matrix && transposes);
}

/// Compilers take seconds for some tens of funnel shifts that read one another, as intrinsics (nvcc 13.0: 12 s for 150).
std::string rotate_text(const std::string& function) {
  return fmt::format(
      "__device__ __forceinline__ unsigned {}_rotate(unsigned v, unsigned left) {{\n  unsigned out;\n"
      "  asm(\"shf.l.wrap.b32 %0, %1, %1, %2;\" : \"=r\"(out) : \"r\"(v), \"r\"(left));\n  return out;\n}}\n\n",
      function);
}

std::string matrix_text(const std::string& function) {
  return fmt::format(
      "// An 8x8 matrix of 16-bit elements, transposed: lane l has two elements of row l / 4.\n"
      "__device__ __forceinline__ unsigned {}_matrix(unsigned v) {{\n  unsigned out;\n"
      "  asm volatile(\"movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;\" : \"=r\"(out) : \"r\"(v));\n"
      "  return out;\n}}\n\n",
      function);
}

int words_of_an_element(const PlaceMap& map) { return 1 << map.word_bits; }

}  // namespace

std::string counts_in_words(const Counts& counts) {
  std::vector<std::string> parts;
  const auto add = [&](int n, std::string_view one, std::string_view many) {
    if (n > 0) parts.push_back(fmt::format("{} {}", n, n == 1 ? one : many));
  };
  add(counts.shuffles, "shuffle", "shuffles");
  add(counts.selects, "select", "selects");
  add(counts.permutes, "byte permute", "byte permutes");
  add(counts.logic, "shift or mask", "shifts and masks");
  add(counts.matrices, "movmatrix", "movmatrix");
  return parts.empty() ? "no instruction" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string cost_in_words(const Plan& plan) {
  if (!plan.shared) return counts_in_words(plan.counts);
  const SharedPlan::Cost& c = plan.shared_cost;
  const std::string moves = plan.counts.all() == 0 ? "" : fmt::format(", {}", counts_in_words(plan.counts));
  return fmt::format("{} {}, {} {}, {} wavefronts, {}, {} bytes of shared memory, one barrier of the {}{}", c.stores,
                     plan.shared->matrix_stores ? (plan.shared->transposed ? "stmatrix.trans" : "stmatrix") : "stores",
                     c.loads,
                     plan.shared->matrix_loads ? (plan.shared->transposed ? "ldmatrix.trans" : "ldmatrix") : "loads",
                     c.store_wavefronts + c.load_wavefronts,
                     c.conflicts == 0 ? "no conflict" : fmt::format("{} conflicts", c.conflicts),
                     plan.shared->shared_bytes(), plan.shared->between_warps ? "block" : "warp", moves);
}

std::string device_function(const Conversion& c, const CodeNames& names) {
  const PlaceMap& map = c.planned.map;
  const int words = words_of_an_element(map);
  const int from = (1 << map.from_registers) / words, to = (1 << map.to_registers) / words;
  std::string out = uses(c.plan, Op::rotate) ? rotate_text(names.function) : "";
  if (uses(c.plan, Op::matrix)) out += matrix_text(names.function);
  out += fmt::format("// Converts registers with {} a thread.\n", cost_in_words(c.plan));
  out += c.plan.shared && c.plan.shared->between_warps ? "// Every thread of the block calls it"
                                                       : "// Every lane of the warp calls it";
  if (c.plan.shared) {
    out += fmt::format(" with the same `shared`, aligned to 16 bytes{};\n// {} before the memory is used again.\n",
                       c.plan.shared->between_warps || map.warps > 0 ? "" : ", each warp with its own",
                       c.plan.shared->between_warps ? "__syncthreads()" : "__syncwarp()");
  } else {
    out += ".\n";
  }
  out += "template <class Word>\n";
  out += fmt::format("__device__ __forceinline__ void {}(const Word (&from)[{}], Word (&to)[{}]{}) {{\n",
                     names.function, from, to, c.plan.shared ? ", void* shared" : "");
  out += claim("  ", "from has the register assignment:", c.planned.from);
  out += fmt::format("  static_assert(sizeof(Word) == {}, \"{}\");\n", 4 * words,
                     words == 1 ? "one 32-bit register each" : fmt::format("{} registers each", words));
  out += fmt::format("  unsigned x[{}], y[{}];\n  memcpy(x, from, sizeof x);\n", from * words, to * words);
  out += c.plan.shared ? shared_body(c.planned, *c.plan.shared, names.function)
                       : warp_body(c.planned, *c.plan.program, names.function);
  out += "  memcpy(to, y, sizeof y);\n";
  out += claim("  ", "to has the register assignment:", c.planned.to);
  return out + "}\n";
}

std::string struct_function(const StructPlan& plan, const CodeNames& names) {
  const int n = plan.words;
  const std::string own = fmt::format("word f of structure (lane), f = 0 .. {}", n - 1),
                    dealt = fmt::format("word (32 r + lane) of 32 structures of {} words each", n);
  const bool gathers = plan.direction == StructPlan::Direction::to_lanes;
  return fmt::format(
      "// {} words of a structure across a warp, with {} a thread. Every lane of the warp calls it.\n"
      "//   before: register r of a lane is {}\n//   after: register r is {}\n"
      "template <class Word>\n__device__ __forceinline__ void {}(const Word (&from)[{}], Word (&to)[{}]) {{\n"
      "  static_assert(sizeof(Word) == 4, \"one 32-bit register each\");\n  unsigned x[{}], y[{}];\n"
      "  memcpy(x, from, sizeof x);\n{}  memcpy(to, y, sizeof y);\n}}\n",
      n, counts_in_words(plan.program.counts()), gathers ? dealt : own, gathers ? own : dealt, names.function, n, n, n,
      n, struct_body(plan));
}

std::string header_file(const std::string& functions, const std::string& name_space) {
  std::string out = "#pragma once\n\n";
  if (!name_space.empty()) out += fmt::format("namespace {} {{\n\n", name_space);
  out += functions;
  if (!name_space.empty()) out += fmt::format("\n}}  // namespace {}\n", name_space);
  return out;
}

}  // namespace lanescope::convert
