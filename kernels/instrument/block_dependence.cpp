#include "kernels/instrument/block_dependence.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "kernels/instrument/block_values.h"
#include "kernels/ptx/value_numbers.h"

namespace lanescope::instrument {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Special;
using ptx::Type;
using Kind = Operand::Kind;
using Op = Terms::Op;

class DependenceAnalysis : BlockValues {
 public:
  DependenceAnalysis(const ptx::Entry& entry, const trace::Launch& launch, const std::vector<std::uint64_t>& addresses)
      : BlockValues(entry, launch) {
    for (std::size_t n = 0; n < launch.arguments.size() && n < entry.params.size(); ++n)
      arguments_.push_back(trace::bytes_of(launch.arguments[n],
                                           [&](int buffer) { return addresses.at(static_cast<std::size_t>(buffer)); }));
    unread_ = ptx::unread_results(entry);
  }

  Expected<BlockDependence> run() {
    do {
      changed_ = false;
      visit_all();
    } while (changed_);
    recording_ = true;
    visit_all();
    if (!refused_.empty()) return failure(refused_);
    return BlockDependence{std::move(terms_), std::move(guards_), std::move(accesses_)};
  }

 private:
  void visit_all() {
    for (at_ = 0; at_ < entry_.code.size(); ++at_) visit(entry_.code[at_]);
  }

  enum class Use : std::uint8_t { load, store, both };
  bool may_be_global(const Instruction& i) const { return !i.has("shared") && !i.has("local") && !i.has("param"); }
  void access(const Operand& address, bool global, Use use) {
    Value v = address.reg >= 0 ? registers_[static_cast<std::size_t>(address.reg)] : common_value;
    if (v.state == Value::State::never_written) v = common_value;
    if (!v.is_own()) return refuse("an address depends on data, or in another way on the number of the block");
    const Term term = terms_.without_constant(v.term);
    if (!global && term != 0) return refuse("an address of shared or local memory depends on the number of the block");
    if (!global || !recording_) return;
    accesses_.push_back({static_cast<std::uint32_t>(at_), term, use != Use::store, use != Use::load});
  }

  // Instructions.

  void load(const Instruction& i) {
    const Operand& address = i.operands[1];
    if (i.has("param")) return load_parameter(i);
    access(address, may_be_global(i), Use::load);
    const bool of_constants = i.has("const") && (address.reg < 0 || in_common(value_of_register(address.reg)));
    assign(i.operands[0], of_constants ? common_value : other_value);
  }
  Value value_of_register(int reg) const { return registers_[static_cast<std::size_t>(reg)]; }

  void load_parameter(const Instruction& i) {
    const Operand& address = i.operands[1];
    const Operand& to = i.operands[0];
    if (address.symbol_scope != Operand::Scope::param || address.reg >= 0) {
      const bool of_call = address.symbol_scope == Operand::Scope::call_param;
      if (address.reg >= 0) steer(value_of_register(address.reg), "the address of a parameter");
      return assign(to, of_call ? other_value : common_value);
    }
    const Type type = i.types.empty() ? Type::none : i.types.back();
    const auto bytes = static_cast<std::size_t>(ptx::bits_of(type)) / 8;
    const auto at = static_cast<std::size_t>(address.symbol);
    const std::size_t count = to.kind == Kind::vector ? to.elements.size() : 1;
    for (std::size_t n = 0; n < count; ++n) {
      const Operand& part = to.kind == Kind::vector ? to.elements[n] : to;
      const std::size_t offset = static_cast<std::size_t>(address.offset) + n * bytes;
      if (at >= arguments_.size() || bytes == 0 || bytes > 8 || offset + bytes > arguments_[at].size()) {
        assign(part, common_value);
        continue;
      }
      std::uint64_t bits = 0;
      std::memcpy(&bits, arguments_[at].data() + offset, bytes);
      if (is_signed(type)) bits = static_cast<std::uint64_t>(signed_value(bits, static_cast<int>(8 * bytes)));
      assign(part, part.reg < 0 ? common_value : constant(low_bits(bits, bits_of_register(part.reg))));
    }
  }

  void atomic(const Instruction& i) {
    const bool returns = i.opcode == "atom";
    if (i.operands.size() < 2) return;
    const bool read = returns && !unread_[at_];
    access(i.operands[returns ? 1 : 0], may_be_global(i), read ? Use::both : Use::store);
    if (returns) assign(i.operands[0], other_value);
  }

  void async_copy(const Instruction& i) {
    if (!i.has("async") || i.has("bulk") || i.has("mbarrier"))
      return refuse(fmt::format("`{}` is not followed", i.opcode));
    if (i.operands.size() < 3) return;  // commit, wait
    access(i.operands[0], false, Use::store);
    access(i.operands[1], true, Use::load);
    for (std::size_t n = 2; n < i.operands.size(); ++n) steer(value(i.operands[n], 32), "the length of a copy");
  }

  void call(const Instruction& i) {
    // Both are of the system: they print, or end the launch.
    const bool followed = std::ranges::any_of(i.operands, [&](const Operand& o) {
      return o.kind == Kind::symbol && o.symbol_scope == Operand::Scope::function && is_output(o.symbol);
    });
    if (!followed) return refuse("the kernel calls a function");
    if (!i.operands.empty() && i.operands[0].kind == Kind::vector) assign(i.operands[0], other_value);
  }
  bool is_output(int function) const {
    return std::ranges::find(output_functions_, function) != output_functions_.end();
  }

  void shuffle(const Instruction& i) {
    for (std::size_t n = 2; n < i.operands.size(); ++n) steer(value(i.operands[n], 32), "the choice of a lane");
    Operand to = i.operands[0];
    to.second_reg = -1;
    assign(to, value(i.operands[1], 32));
    if (i.operands[0].second_reg >= 0) assign({.reg = i.operands[0].second_reg}, common_value);
  }

  void vote(const Instruction& i) {
    Value out = common_value;
    for (std::size_t n = 1; n < i.operands.size(); ++n) {
      const Value v = value(i.operands[n], i.types.empty() ? 32 : ptx::bits_of(i.types.back()));
      if (v.known() || v.common())
        steer(v, "a vote");
      else
        out = other_value;
    }
    if (!i.operands.empty()) assign(i.operands[0], out);
  }

  Value compared(const Instruction& i) {
    const Type type = i.types.empty() ? Type::none : i.types.back();
    const int bits = ptx::bits_of(type);
    const Value a = value(i.operands[1], bits), b = value(i.operands[2], bits);
    if (in_common(a) && in_common(b)) return common_value;
    if (!a.is_own() || !b.is_own() || !is_whole_number(type)) return other_value;
    const auto any = [&](std::initializer_list<const char*> names) {
      return std::ranges::any_of(names, [&](const char* name) { return i.has(name); });
    };
    const bool signs = is_signed(type) && !any({"lo", "ls", "hi", "hs"});
    const bool equality = any({"eq", "ne"}), or_equal = any({"le", "ls", "gt", "hi"});
    if (!equality && !or_equal && !any({"lt", "lo", "ge", "hs"})) return other_value;
    if (a.known() && b.known()) {
      const auto bit = [&](Op op, Term x, Term y) {
        return terms_.make(
            {.op = op, .bits = 1, .from_bits = static_cast<std::uint8_t>(bits), .is_signed = signs, .a = x, .b = y});
      };
      const bool negated = any({"ne", "le", "ls", "ge", "hs"});
      Term t = equality   ? bit(Op::equal, a.term, b.term)
               : or_equal ? bit(Op::less, b.term, a.term)
                          : bit(Op::less, a.term, b.term);
      if (negated) t = terms_.make({.op = Op::equal, .bits = 1, .from_bits = 1, .a = t});
      return {.state = Value::State::own, .term = t};
    }
    guard({.kind = BlockGuard::Kind::order,
           .a = a.term,
           .b = b.term,
           .bits = bits,
           .is_signed = signs,
           .only_equal = equality,
           .or_equal = or_equal,
           .at_a = i.operands[1],
           .at_b = i.operands[2]});
    return common_value;
  }

  void compare(const Instruction& i) {
    if (i.operands.size() < 3) return;
    Value out = compared(i);
    if (i.operands.size() > 3 || i.operands[0].second_reg >= 0 || i.opcode != "setp") {
      const Value also = i.operands.size() > 3 ? value(i.operands[3], 1) : common_value;
      if (out.is_own() && also.is_own()) {
        steer(out, "a comparison"), steer(also, "a comparison");
        out = common_value;
      } else {
        out = other_value;
      }
    }
    assign(i.operands[0], out);
  }

  void select(const Instruction& i) {
    const int bits = i.types.empty() ? 32 : ptx::bits_of(i.types.back());
    const Value a = value(i.operands[1], bits), b = value(i.operands[2], bits), which = value(i.operands[3], 1);
    if (a.known() && b.known() && which.known())
      return assign(i.operands[0], {.state = Value::State::own,
                                    .term = terms_.make({.op = Op::select,
                                                         .bits = static_cast<std::uint8_t>(bits),
                                                         .a = a.term,
                                                         .b = b.term,
                                                         .c = which.term})});
    steer(which, "the choice of a value");
    if (a.is_own() && b.is_own()) {
      const Value x = varying(a.term), y = varying(b.term);
      return assign(i.operands[0], x == y ? x : other_value);
    }
    assign(i.operands[0], other_value);
  }

  void move(const Instruction& i) {
    const Operand &to = i.operands[0], &from = i.operands[1];
    const int bits = i.types.empty() ? 64 : ptx::bits_of(i.types.back());
    const Value v = value(from, bits);
    const bool whole = to.kind != Kind::vector && from.kind != Kind::vector;
    assign(to, whole ? v : in_common(v) ? common_value : other_value);
  }

  void convert(const Instruction& i) {
    if (i.types.size() < 2 || !is_whole_number(i.types[0]) || !is_whole_number(i.types[1]) || i.has("sat"))
      return arithmetic(i);
    const int to = ptx::bits_of(i.types[0]), from = ptx::bits_of(i.types[1]);
    const int held = i.operands[0].reg >= 0 ? bits_of_register(i.operands[0].reg) : to;
    const Value v = value(i.operands[1], from);
    if (held != to || !v.is_own()) return arithmetic(i);
    const bool signs = is_signed(i.types[1]) && to > from;
    const Term t = terms_.make({.op = Op::extend,
                                .bits = static_cast<std::uint8_t>(to),
                                .from_bits = static_cast<std::uint8_t>(std::min(to, from)),
                                .is_signed = signs,
                                .a = v.term});
    if (v.known()) return assign(i.operands[0], {.state = Value::State::own, .term = t});
    if (v.term != 0 && to > from)
      guard({.kind = BlockGuard::Kind::step,
             .a = v.term,
             .result = t,
             .bits = from,
             .result_bits = to,
             .is_signed = signs,
             .at_a = i.operands[1],
             .at_b = number(0)});
    assign(i.operands[0], varying(t));
  }

  /// Any other operation: the same in all blocks if its operands are.
  void arithmetic(const Instruction& i) {
    if (i.operands.empty()) return;
    Value out = common_value;
    for (std::size_t n = 1; n < i.operands.size(); ++n) {
      if (i.operands[n].kind == Kind::address) return refuse(fmt::format("`{}` is not followed", i.opcode));
      if (!in_common(value(i.operands[n], 64))) out = other_value;
    }
    if (reads_carry(i) && carry_is_other_) out = other_value;
    if (i.has("cc") && out == other_value && !carry_is_other_) carry_is_other_ = changed_ = true;
    if (i.operands[0].kind == Kind::address) return refuse(fmt::format("`{}` is not followed", i.opcode));
    assign(i.operands[0], out);
  }
  static bool reads_carry(const Instruction& i) {
    return i.opcode == "addc" || i.opcode == "subc" || i.opcode == "madc";
  }

  void visit(const Instruction& i) {
    const std::string_view op = i.opcode;
    if (op == "lanescope.probe") return;
    if (i.predicate >= 0)
      steer(registers_[static_cast<std::size_t>(i.predicate)], op == "bra" ? "a branch" : "a guard");
    if (op == "bra" || op == "ret" || op == "exit" || op == "trap" || op == "fence" || op == "membar" ||
        op == "nanosleep" || op == "prefetch" || op == "pragma")
      return;
    if (missing(i) && op != "st" && op != "red") return;
    const bool has_two = i.operands.size() >= 2;
    if ((op == "ld" || op == "ldu") && has_two) return load(i);
    if (op == "ldmatrix" && has_two) {
      access(i.operands[1], false, Use::load);
      return assign(i.operands[0], other_value);
    }
    if (op == "st" && has_two) return i.has("param") ? void() : access(i.operands[0], may_be_global(i), Use::store);
    if (op == "stmatrix" && has_two) return access(i.operands[0], false, Use::store);
    if (op == "atom" || op == "red") return atomic(i);
    if (op == "cp") return async_copy(i);
    if (op == "call") return call(i);
    if (op == "shfl" && i.operands.size() >= 4) return shuffle(i);
    if (op == "vote" || op == "match" || op == "redux" || op == "activemask" || op == "elect") return vote(i);
    if (op == "bar" || op == "barrier") {
      for (const Operand& o : i.operands) steer(value(o, 32), "a barrier");
      return i.has("red") ? assign(i.operands[0], common_value) : void();
    }
    if (op == "brx") return steer(value(i.operands[0], 32), "a branch");
    if (op == "setp" || op == "set") return compare(i);
    if (op == "selp" && i.operands.size() >= 4) return select(i);
    if (op == "slct" && i.operands.size() >= 4) {
      steer(value(i.operands[3], 32), "the choice of a value");
      return arithmetic(i);
    }
    if (op == "wgmma") {  // its matrices are in shared memory
      for (std::size_t n = 1; n < i.operands.size(); ++n)
        if (i.operands[n].kind == Kind::reg) steer(value(i.operands[n], 64), "a matrix descriptor");
      return i.operands.empty() ? void() : assign(i.operands[0], other_value);
    }
    if (op == "mov" && has_two) return move(i);
    if (op == "cvta" && has_two) return assign(i.operands[0], value(i.operands[1], 64));
    if (op == "cvt" && has_two) return convert(i);
    if (!integer_arithmetic(i)) arithmetic(i);
  }

 public:
  std::vector<int> output_functions_;  ///< printf and assert, as entries of the module

 private:
  std::vector<trace::ValueArgument> arguments_;  ///< by parameter
  std::vector<bool> unread_;
  bool carry_is_other_ = false;
  std::vector<BlockAccess> accesses_;
};

}  // namespace

Expected<BlockDependence> block_dependence(const ptx::Module& module, const trace::Launch& launch,
                                           const std::vector<std::uint64_t>& buffer_addresses) {
  const ptx::Entry* entry = module.find_entry(launch.kernel);
  if (entry == nullptr) return failure(fmt::format("the PTX has no kernel `{}`", launch.kernel));
  const bool in_clusters = launch.cluster.count() > 1 || entry->cluster[0] > 0 || entry->explicit_cluster;
  if (in_clusters) return failure("blocks of a cluster work together");
  DependenceAnalysis analysis(*entry, launch, buffer_addresses);
  for (std::size_t n = 0; n < module.entries.size(); ++n)
    if (const ptx::Entry& e = module.entries[n]; e.is_declaration && (e.name == "vprintf" || e.name == "__assertfail"))
      analysis.output_functions_.push_back(static_cast<int>(n));
  return analysis.run();
}

Watched with_operands(const ptx::Module& module, const trace::Launch& launch, const std::vector<BlockGuard>& guards) {
  Watched out{module, {}};
  ptx::Entry& e =
      out.module.entries[static_cast<std::size_t>(module.find_entry(launch.kernel) - module.entries.data())];
  const auto upper = static_cast<int>(e.registers.size());
  e.registers.push_back({.name = "%lanescope_upper", .type = Type::b64});
  std::vector<Instruction> code;
  std::vector<int> begins;  // where each instruction, with what stands before it, begins now
  e.probes.clear();
  const auto probe = [&](int id, int reg) {
    e.probes.push_back({.id = id, .instruction = static_cast<int>(code.size()), .value_bytes = 4});
    code.push_back({.opcode = "lanescope.probe", .operands = {{.reg = reg}}});
  };
  const auto watch = [&](int id, const Operand& o) {
    if (o.kind != Kind::reg) return;
    probe(id, o.reg);
    if (ptx::bits_of(e.registers[static_cast<std::size_t>(o.reg)].type) != 64) return;
    code.push_back({.opcode = "shr",
                    .modifiers = {"u64"},
                    .types = {Type::u64},
                    .operands = {{.reg = upper}, {.reg = o.reg}, {.kind = Kind::immediate, .bits = 32}}});
    probe(id + 1, upper);
  };
  std::size_t g = 0;
  for (std::size_t n = 0; n < e.code.size(); ++n) {
    begins.push_back(static_cast<int>(code.size()));
    for (; g < guards.size() && guards[g].instruction == n; ++g)
      if (guards[g].kind != BlockGuard::Kind::same) {
        watch(static_cast<int>(4 * g), guards[g].at_a);
        watch(static_cast<int>(4 * g) + 2, guards[g].at_b);
      }
    for (std::size_t added = static_cast<std::size_t>(begins.back()); added < code.size(); ++added) {
      code[added].predicate = e.code[n].predicate;
      code[added].predicate_negated = e.code[n].predicate_negated;
    }
    out.places.push_back(static_cast<std::uint32_t>(code.size()));
    if (e.code[n].opcode != "lanescope.probe") code.push_back(std::move(e.code[n]));
  }
  begins.push_back(static_cast<int>(code.size()));
  const auto move = [&](int& instruction) { instruction = begins[static_cast<std::size_t>(instruction)]; };
  const auto move_labels = [&](auto& self, Operand& o) -> void {
    if (o.kind == Kind::label) move(o.target);
    for (Operand& element : o.elements) self(self, element);
  };
  for (Instruction& i : code)
    for (Operand& o : i.operands) move_labels(move_labels, o);
  for (ptx::Label& l : e.labels) move(l.instruction);
  for (ptx::BranchTable& t : e.branch_tables) std::ranges::for_each(t.targets, move);
  e.code = std::move(code);
  return out;
}

}  // namespace lanescope::instrument
