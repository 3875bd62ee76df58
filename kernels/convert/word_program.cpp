#include "kernels/convert/word_program.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "kernels/base/check.h"

namespace lanescope::convert {
namespace {

std::uint32_t bytes_of(std::uint32_t a, std::uint32_t b, std::uint32_t selectors) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  std::uint32_t out = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    const std::uint32_t from = selectors >> (4 * byte) & 7;
    out |= static_cast<std::uint32_t>(both >> (8 * from) & 0xff) << (8 * byte);
  }
  return out;
}

std::uint64_t hash_of(const Instruction& i) {
  std::uint64_t h = 0x9e3779b97f4a7c15;
  const auto add = [&](std::uint64_t v) {
    h = (h ^ v) * 0xff51afd7ed558ccd;
    h ^= h >> 32;
  };
  const auto word = [](auto v) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(v)); };
  add(word(i.op) << 32 | word(i.number));
  add(word(i.a) << 32 | word(i.b));
  add(word(i.parity) << 32 | i.from.constant);
  if (i.op == Op::shuffle)
    for (const std::uint32_t c : i.from.columns) add(c);
  if (i.op == Op::input || i.op == Op::select || i.op == Op::shuffle || i.op == Op::matrix) return h;  // no table
  for (std::size_t n = 0; n < i.table.size(); n += 2) add(word(i.table[n]) << 32 | i.table[n + 1]);
  return h;
}

/// Programs of more keep only the stages between moves.
constexpr int registers_to_show_every_stage = 64;
/// Shuffles of a part, whose words are alive beside the registers. How many of them are in flight at one time is for
/// ptxas to choose.
constexpr int shuffles_of_a_group = 32, instructions_of_a_group = 128;

/// The instructions [first, end) that are `needed`, so ordered that a register is done with before the next is begun:
/// those that depend on one another stay together, a few such parts at a time.
void order_in_groups(std::span<const Instruction> code, const std::vector<bool>& needed, std::size_t first,
                     std::size_t end, std::vector<std::size_t>& order) {
  std::vector<std::size_t> part(end - first);
  std::iota(part.begin(), part.end(), std::size_t{0});
  const auto root = [&](std::size_t n) {
    while (part[n] != n) n = part[n] = part[part[n]];
    return n;
  };
  for (std::size_t n = first; n < end; ++n) {
    if (!needed[n]) continue;
    for (const Value v : {code[n].a, code[n].b}) {
      const auto operand = static_cast<std::size_t>(v);
      if (v == nothing || operand < first || code[operand].op == Op::input) continue;
      const std::size_t one = root(n - first), other = root(operand - first);
      part[std::max(one, other)] = std::min(one, other);
    }
  }
  std::map<std::size_t, std::vector<std::size_t>> parts;
  for (std::size_t n = first; n < end; ++n) {
    if (!needed[n]) continue;
    if (code[n].op == Op::input) {
      order.push_back(n);  // there already
    } else {
      parts[root(n - first)].push_back(n);
    }
  }
  std::vector<std::size_t> group;
  int shuffles = 0;
  const auto flush = [&] {
    std::ranges::sort(group);
    order.insert(order.end(), group.begin(), group.end());
    group.clear();
    shuffles = 0;
  };
  for (const auto& [_, members] : parts) {
    for (const std::size_t n : members) {
      group.push_back(n);
      if (code[n].op == Op::shuffle || code[n].op == Op::fetch || code[n].op == Op::matrix) ++shuffles;
    }
    if (shuffles >= shuffles_of_a_group || group.size() >= instructions_of_a_group) flush();
  }
  flush();
}

bool odd_parity(std::uint32_t lane, std::uint32_t parity) { return (std::popcount(lane & parity) & 1) != 0; }

}  // namespace

LaneTable same_in_all_lanes(std::uint32_t value) {
  LaneTable out;
  out.fill(value);
  return out;
}

bool is_uniform(const LaneTable& table) {
  return std::ranges::all_of(table, [&](std::uint32_t v) { return v == table[0]; });
}

std::uint32_t LaneMap::operator()(std::uint32_t lane) const {
  std::uint32_t out = constant;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if ((lane >> i & 1) != 0) out ^= columns[i];
  return out;
}

bool LaneMap::is_linear_identity() const { return columns == LaneMap{}.columns; }

Counts WordProgram::counts() const {
  Counts out;
  for (const Instruction& i : code) {
    switch (i.op) {
      case Op::input:
        break;
      case Op::select:
      case Op::choose:
        ++out.selects;
        break;
      case Op::shuffle:
      case Op::fetch:
        ++out.shuffles;
        break;
      case Op::permute:
        ++out.permutes;
        break;
      case Op::rotate:
      case Op::mix:
        ++out.logic;
        break;
      case Op::matrix:
        ++out.matrices;
        break;
    }
  }
  return out;
}

Register matrix_transposed(const Register& a) {
  Register out;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    // Element (row, column) comes from (column, row).
    out[lane] = 0;
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint32_t row = lane / 4, column = 2 * (lane % 4) + half;
      out[lane] |= (a[4 * column + row / 2] >> (16 * (row % 2)) & 0xffff) << (16 * half);
    }
  }
  return out;
}

std::vector<Register> execute(const WordProgram& program, std::span<const Register> inputs) {
  LS_CHECK_LE(program.inputs, static_cast<int>(inputs.size()));
  std::vector<Register> values(program.code.size());
  static constexpr Register zero{};
  const auto of = [&](Value v) -> const Register& { return v == nothing ? zero : values[static_cast<std::size_t>(v)]; };
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const Instruction& i = program.code[n];
    Register& out = values[n];
    const Register &a = of(i.a), &b = of(i.b);
    const auto each_lane = [&](auto value) {
      for (std::uint32_t lane = 0; lane < lanes; ++lane) out[lane] = value(lane);
    };
    switch (i.op) {
      case Op::input:
        out = inputs[static_cast<std::size_t>(i.number)];
        break;
      case Op::select:
        each_lane([&](std::uint32_t lane) { return odd_parity(lane, i.parity) ? b[lane] : a[lane]; });
        break;
      case Op::shuffle:
        each_lane([&](std::uint32_t lane) { return a[i.from(lane)]; });
        break;
      case Op::permute:
        each_lane([&](std::uint32_t lane) { return bytes_of(a[lane], b[lane], i.table[lane]); });
        break;
      case Op::rotate:
        each_lane([&](std::uint32_t lane) { return std::rotl(a[lane], static_cast<int>(i.table[lane])); });
        break;
      case Op::choose:
        each_lane([&](std::uint32_t lane) { return i.table[lane] != 0 ? b[lane] : a[lane]; });
        break;
      case Op::fetch:
        each_lane([&](std::uint32_t lane) { return a[i.table[lane] & (lanes - 1)]; });
        break;
      case Op::matrix:
        out = matrix_transposed(a);
        break;
      case Op::mix:
        each_lane([&](std::uint32_t lane) { return (a[lane] & i.table[lane]) | (b[lane] & ~i.table[lane]); });
        break;
    }
  }
  return values;
}

std::vector<Register> outputs_of(const WordProgram& program, std::span<const Register> values) {
  std::vector<Register> out;
  for (const Value v : program.outputs) out.push_back(v == nothing ? Register{} : values[static_cast<std::size_t>(v)]);
  return out;
}

Value WordBuilder::add(const Instruction& i) {
  if (2 * (code_.size() + 1) > known_.size()) grow();
  const std::uint64_t hash = hash_of(i);
  std::size_t at = hash & (known_.size() - 1);
  for (; known_[at] != nothing; at = (at + 1) & (known_.size() - 1)) {
    const auto n = static_cast<std::size_t>(known_[at]);
    if (hashes_[n] == hash && code_[n] == i) return known_[at];
  }
  const auto value = static_cast<Value>(code_.size());
  known_[at] = value;
  hashes_.push_back(hash);
  code_.push_back(i);
  by_lane_.push_back(i.op == Op::select || (i.op == Op::permute && !is_uniform(i.table)));
  return value;
}

void WordBuilder::grow() {
  known_.assign(std::max<std::size_t>(256, 2 * known_.size()), nothing);
  for (std::size_t n = 0; n < hashes_.size(); ++n) {
    std::size_t at = hashes_[n] & (known_.size() - 1);
    while (known_[at] != nothing) at = (at + 1) & (known_.size() - 1);
    known_[at] = static_cast<Value>(n);
  }
}

Value WordBuilder::input(int number) {
  LS_CHECK_LT(number, inputs_);
  return add({.op = Op::input, .a = nothing, .b = nothing, .number = number, .parity = 0, .from = {}, .table = {}});
}

Value WordBuilder::given(std::uint32_t parity, bool odd, Value v) const {
  while (v != nothing && at(v).op == Op::select && at(v).parity == parity) v = odd ? at(v).b : at(v).a;
  return v;
}

Value WordBuilder::select(std::uint32_t parity, Value even, Value odd) {
  if (parity == 0) return even;
  even = given(parity, false, even);
  odd = given(parity, true, odd);
  if (even == nothing || even == odd) return odd;
  if (odd == nothing) return even;
  // One permute, where both are permutes of the same two values, or one is and the other is one of these.
  if (at(even).op == Op::permute || at(odd).op == Op::permute) {
    Value a = even, b = odd;
    LaneTable table;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) table[lane] = odd_parity(lane, parity) ? 0x7654 : 0x3210;
    if (read_through(a, b, table, 1, 1)) return permute(a, b, table);
  }
  return add({.op = Op::select, .a = even, .b = odd, .number = 0, .parity = parity, .from = {}, .table = {}});
}

Value WordBuilder::shuffle(Value a, const LaneMap& from) {
  if (a == nothing || from == LaneMap{}) return a;
  if (at(a).op == Op::shuffle) {  // a value that was fetched is fetched from where it was
    const Instruction inner = at(a);
    LaneMap through{.columns = {}, .constant = inner.from(from.constant)};
    for (std::size_t i = 0; i < from.columns.size(); ++i)
      through.columns[i] = inner.from(from.columns[i]) ^ inner.from.constant;
    return shuffle(inner.a, through);
  }
  return add({.op = Op::shuffle, .a = a, .b = nothing, .number = 0, .parity = 0, .from = from, .table = {}});
}

/// Where a byte of `v` comes from in a lane, through as many permutes and selects as `depth`.
WordBuilder::Byte WordBuilder::origin(Byte b, std::uint32_t lane, int depth, bool& by_lane) const {
  for (; depth > 0 && b.value != nothing; --depth) {
    const Instruction& i = at(b.value);
    by_lane = by_lane || by_lane_[static_cast<std::size_t>(b.value)];
    if (i.op == Op::permute) {
      const std::uint32_t within = i.table[lane] >> (4 * b.byte) & 7;
      b = {(within & 4) != 0 ? i.b : i.a, within & 3};
    } else if (i.op == Op::select) {
      b.value = odd_parity(lane, i.parity) ? i.b : i.a;
    } else {
      break;
    }
  }
  return b;
}

/// The same bytes from where the operands have them, as long as they come from two values at most.
bool WordBuilder::read_through(Value& a, Value& b, LaneTable& selectors, int depth_a, int depth_b) const {
  std::array<Value, 2> sources{nothing, nothing};
  LaneTable table{};
  bool by_lane = !is_uniform(selectors);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (lane == 1 && !by_lane) {
      table.fill(table[0]);
      break;
    }
    for (unsigned byte = 0; byte < 4; ++byte) {
      const std::uint32_t selector = selectors[lane] >> (4 * byte) & 7;
      const bool in_b = (selector & 4) != 0;
      Value source = in_b ? b : a;
      if (source == nothing) source = in_b ? a : b;  // any byte will do
      const Byte from = origin({source, selector & 3}, lane, in_b ? depth_b : depth_a, by_lane);
      const auto known = std::ranges::find(sources, from.value);
      const auto place = known != sources.end() ? known : std::ranges::find(sources, nothing);
      if (place == sources.end()) return false;
      *place = from.value;
      table[lane] |= (from.byte | (place == sources.begin() ? 0U : 4U)) << (4 * byte);
    }
  }
  a = sources[0];
  b = sources[1];
  selectors = table;
  return true;
}

Value WordBuilder::permute(Value a, Value b, const LaneTable& selectors) {
  LaneTable s = selectors;
  if (a == nothing && b == nothing) return nothing;
  const auto deep = [&](Value v) {
    return v != nothing && (at(v).op == Op::permute || at(v).op == Op::select) ? 64 : 0;
  };
  const int all_a = deep(a), all_b = deep(b), one_a = std::min(all_a, 1), one_b = std::min(all_b, 1);
  // As far back as two values suffice.
  for (const auto& [depth_a, depth_b] :
       {std::pair{all_a, all_b}, {all_a, 0}, {0, all_b}, {one_a, one_b}, {one_a, 0}, {0, one_b}}) {
    if (read_through(a, b, s, depth_a, depth_b) || (all_a == 0 && all_b == 0)) break;
  }
  bool uses_b = false, same_a = true, same_b = true;
  for (const std::uint32_t v : s) {
    uses_b = uses_b || (v & 0x4444) != 0;
    same_a = same_a && v == 0x3210;
    same_b = same_b && v == 0x7654;
  }
  if (same_a) return a;
  if (same_b) return b;
  if (!uses_b) b = nothing;
  // Whole values by lane: a select, if a parity of the lane says which.
  if (uses_b && std::ranges::all_of(s, [](std::uint32_t v) { return v == 0x3210 || v == 0x7654; }))
    for (std::uint32_t parity = 1; parity < lanes; ++parity) {
      const bool first = s[0] == 0x7654;
      bool fits = true;
      for (std::uint32_t lane = 0; lane < lanes && fits; ++lane)
        fits = (s[lane] == 0x7654) == (odd_parity(lane, parity) != first);
      if (fits) return first ? select(parity, b, a) : select(parity, a, b);
    }
  return add({.op = Op::permute, .a = a, .b = b == nothing ? a : b, .number = 0, .parity = 0, .from = {}, .table = s});
}

Value WordBuilder::rotate(Value a, const LaneTable& left) {
  LaneTable by = left;
  for (std::uint32_t& v : by) v &= 31;
  if (a == nothing || by == LaneTable{}) return a;
  if (std::ranges::all_of(by, [](std::uint32_t v) { return v % 8 == 0; })) {
    LaneTable selectors;
    for (std::size_t lane = 0; lane < lanes; ++lane) selectors[lane] = std::rotl(std::uint16_t{0x3210}, by[lane] / 2);
    return permute(a, a, selectors);
  }
  if (at(a).op == Op::rotate) {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) by[lane] = (by[lane] + at(a).table[lane]) & 31;
    return rotate(at(a).a, by);
  }
  return add({.op = Op::rotate, .a = a, .b = nothing, .number = 0, .parity = 0, .from = {}, .table = by});
}

Value WordBuilder::mix(Value a, Value b, const LaneTable& mask) {
  const bool none = mask == LaneTable{}, all = mask == same_in_all_lanes(~0U);
  if (a == b || all || b == nothing) return a;
  if (none || a == nothing) return b;
  LaneTable selectors{};
  const bool whole_bytes = std::ranges::all_of(mask, [](std::uint32_t m) { return (m & 0x01010101) * 0xff == m; });
  if (whole_bytes) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (unsigned byte = 0; byte < 4; ++byte)
        selectors[lane] |= (byte | ((mask[lane] >> (8 * byte) & 1) != 0 ? 0U : 4U)) << (4 * byte);
    return permute(a, b, selectors);
  }
  return add({.op = Op::mix, .a = a, .b = b, .number = 0, .parity = 0, .from = {}, .table = mask});
}

Value WordBuilder::choose(const LaneTable& odd, Value a, Value b) {
  LaneTable chosen;
  bool any = false, all = true;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    chosen[lane] = odd[lane] != 0 ? 1 : 0;
    any = any || odd[lane] != 0;
    all = all && odd[lane] != 0;
  }
  if (!any || a == b || b == nothing) return a;
  if (all || a == nothing) return b;
  return add({.op = Op::choose, .a = a, .b = b, .number = 0, .parity = 0, .from = {}, .table = chosen});
}

Value WordBuilder::fetch(Value a, const LaneTable& from) {
  LaneTable own;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) own[lane] = lane;
  if (a == nothing || from == own) return a;
  return add({.op = Op::fetch, .a = a, .b = nothing, .number = 0, .parity = 0, .from = {}, .table = from});
}

Value WordBuilder::matrix(Value a) {
  if (a == nothing) return a;
  if (at(a).op == Op::matrix) return at(a).a;
  return add({.op = Op::matrix, .a = a, .b = nothing, .number = 0, .parity = 0, .from = {}, .table = {}});
}

void WordBuilder::stage(std::string what, std::vector<Value> words, bool between) {
  stages_.push_back({std::move(what), std::move(words), static_cast<int>(code_.size()), between});
}

WordProgram WordBuilder::finish(std::span<const Value> outputs) const {
  std::vector<bool> needed(code_.size(), false);
  for (const Value v : outputs)
    if (v != nothing) needed[static_cast<std::size_t>(v)] = true;
  for (std::size_t n = code_.size(); n-- > 0;) {
    if (!needed[n]) continue;
    for (const Value v : {code_[n].a, code_[n].b})
      if (v != nothing) needed[static_cast<std::size_t>(v)] = true;
  }
  WordProgram out{.inputs = inputs_, .code = {}, .stages = {}, .outputs = {}};
  std::vector<Value> place(code_.size(), nothing);
  const auto moved = [&](Value v) { return v == nothing ? nothing : place[static_cast<std::size_t>(v)]; };
  std::vector<std::size_t> order;
  std::size_t begin = 0;
  const auto kept_stage = [&](const Stage& s) { return !s.between || inputs_ <= registers_to_show_every_stage; };
  for (const Stage& s : stages_) {
    if (!kept_stage(s)) continue;
    order_in_groups(code_, needed, begin, static_cast<std::size_t>(s.end), order);
    begin = static_cast<std::size_t>(s.end);
  }
  order_in_groups(code_, needed, begin, code_.size(), order);
  for (const std::size_t n : order) {
    place[n] = static_cast<Value>(out.code.size());
    out.code.push_back(code_[n]);
    out.code.back().a = moved(code_[n].a);
    out.code.back().b = moved(code_[n].b);
  }
  for (const Value v : outputs) out.outputs.push_back(moved(v));
  std::vector<int> kept_before(needed.size() + 1, 0);
  for (std::size_t n = 0; n < needed.size(); ++n) kept_before[n + 1] = kept_before[n] + (needed[n] ? 1 : 0);
  for (const Stage& s : stages_) {
    if (!kept_stage(s)) continue;
    Stage kept{.what = s.what, .words = {}, .end = 0, .between = s.between};
    for (const Value v : s.words) kept.words.push_back(moved(v));
    kept.end = kept_before[static_cast<std::size_t>(s.end)];
    out.stages.push_back(std::move(kept));
  }
  return out;
}

}  // namespace lanescope::convert
