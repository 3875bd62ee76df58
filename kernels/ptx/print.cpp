// A program as PTX text again.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/ptx/names.h"
#include "kernels/ptx/program.h"

namespace lanescope::ptx {
namespace {

class Printer {
 public:
  Printer(const Module& module, const Entry* entry) : module_(module), entry_(entry) {}

  void instruction(const Instruction& i);
  void variable(const Variable& v);
  void function(bool with_body);
  std::string take() { return std::move(out_); }
  template <class... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

 private:
  void operand(const Operand& o);
  void list(const std::vector<Operand>& elements, char open, char close);
  void probe(const Instruction& i);
  void immediate(const Operand& o);
  void offset(std::int64_t bytes);
  void label(int target);
  void initial_address(const InitialAddress& a);
  void params(const std::vector<Param>& list, bool of_kernel);
  void declared(Type type, std::uint64_t bytes, std::uint64_t alignment, const std::string& name, bool open);
  void registers();
  void header_directives();
  void extent(std::string_view directive, const std::array<int, 3>& e);
  void body();
  std::string_view symbol(const Operand& o) const;

  const Module& module_;
  const Entry* entry_;
  std::string out_;
};

std::string_view Printer::symbol(const Operand& o) const {
  switch (o.symbol_scope) {
    case Operand::Scope::none:
      return entry_->branch_tables[o.symbol].name;
    case Operand::Scope::module:
      return module_.variables[o.symbol].name;
    case Operand::Scope::entry:
      return entry_->variables[o.symbol].name;
    case Operand::Scope::param:
      return entry_->params[o.symbol].name;
    case Operand::Scope::returned:
      return entry_->returns[o.symbol].name;
    case Operand::Scope::call_param:
      return entry_->call_params[o.symbol].name;
    case Operand::Scope::function:
      return module_.entries[o.symbol].name;
    case Operand::Scope::prototype:
      return entry_->prototypes[o.symbol].name;
  }
  return "";
}

void Printer::immediate(const Operand& o) {
  if (!o.is_float)
    put("{}", static_cast<std::int64_t>(o.bits));
  else if (o.float_bits == 64)
    put("0d{:016X}", o.bits);
  else
    put("0f{:08X}", o.bits);
}

void Printer::offset(std::int64_t bytes) {
  if (bytes != 0) put("+{}", bytes);  // "+-4", as the compiler writes it
}

void Printer::label(int target) {
  const auto found = std::lower_bound(entry_->labels.begin(), entry_->labels.end(), target,
                                      [](const Label& l, int instruction) { return l.instruction < instruction; });
  if (found != entry_->labels.end() && found->instruction == target) put("{}", found->name);
}

void Printer::list(const std::vector<Operand>& elements, char open, char close) {
  out_ += open;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i != 0) out_ += ", ";
    operand(elements[i]);
  }
  out_ += close;
}

void Printer::operand(const Operand& o) {
  switch (o.kind) {
    case Operand::Kind::reg:
      put("{}{}", o.negated ? (entry_->registers[o.reg].type == Type::pred ? "!" : "-") : "",
          entry_->registers[o.reg].name);
      if (!o.part.empty()) put(".{}", o.part);
      break;
    case Operand::Kind::immediate:
      immediate(o);
      break;
    case Operand::Kind::special:
      put("{}",
          o.special == Special::unknown ? std::string_view(entry_->unknown_specials[o.symbol]) : name_of(o.special));
      break;
    case Operand::Kind::symbol:
      put("{}", symbol(o));
      offset(o.offset);
      break;
    case Operand::Kind::address:
      out_ += '[';
      if (o.reg >= 0)
        put("{}", entry_->registers[o.reg].name);
      else if (o.symbol >= 0)
        put("{}", symbol(o));
      if (o.reg >= 0 || o.symbol >= 0)
        offset(o.offset);
      else
        put("{}", o.offset);
      for (const Operand& element : o.elements) {
        out_ += ", ";
        operand(element);
      }
      out_ += ']';
      break;
    case Operand::Kind::vector:
      if (o.symbol >= 0)
        put("{}", symbol(o));
      else
        list(o.elements, '{', '}');
      break;
    case Operand::Kind::label:
      label(o.target);
      break;
    case Operand::Kind::sink:
      out_ += '_';
      break;
  }
  if (o.second_reg >= 0) put("|{}", entry_->registers[o.second_reg].name);
}

// A probe's numbers stand in Entry::probes; an instruction that is no element of `code` (a copy) prints without them.
void Printer::probe(const Instruction& i) {
  out_ += "// lanescope.probe ";
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(entry_->code.data());
  const std::size_t index = (reinterpret_cast<std::uintptr_t>(&i) - begin) / sizeof(Instruction);
  const auto found =
      std::lower_bound(entry_->probes.begin(), entry_->probes.end(), index,
                       [](const Probe& p, std::size_t n) { return static_cast<std::size_t>(p.instruction) < n; });
  if (found != entry_->probes.end() && static_cast<std::size_t>(found->instruction) == index) {
    put("{} var={} off={} ", found->id, found->variable, found->byte_offset);
    if (found->value_bytes > 0) put("size={} ", found->value_bytes);
  }
  operand(i.operands[0]);
}

void Printer::instruction(const Instruction& i) {
  if (i.opcode == "lanescope.probe") return probe(i);
  if (i.predicate >= 0) put("@{}{} ", i.predicate_negated ? "!" : "", entry_->registers[i.predicate].name);
  out_ += i.opcode;
  for (const std::string& modifier : i.modifiers) put(".{}", modifier);
  const bool call = i.opcode == "call";
  for (std::size_t k = 0; k < i.operands.size(); ++k) {
    out_ += k == 0 ? " " : ", ";
    if (call && i.operands[k].kind == Operand::Kind::vector)
      list(i.operands[k].elements, '(', ')');
    else
      operand(i.operands[k]);
  }
  out_ += ';';
}

void Printer::declared(Type type, std::uint64_t bytes, std::uint64_t alignment, const std::string& name, bool open) {
  const std::uint64_t unit = static_cast<std::uint64_t>(bits_of(type) + 7) / 8;
  put(".align {} .{} {}", alignment, name_of(type), name);
  if (open)
    out_ += "[]";
  else if (bytes != unit)
    put("[{}]", bytes / unit);
}

void Printer::variable(const Variable& v) {
  put("{}.{} ", v.is_extern ? ".extern " : "", name_of(v.space));
  if (v.type >= Type::texref) return put(".{} {};\n", name_of(v.type), v.name);
  declared(v.type, v.bytes, v.alignment, v.name, v.bytes == 0 && v.is_extern);
  if (!v.initial.empty()) {
    // Only whole elements in a list are elements again: print a scalar without braces, everything else by element.
    const std::size_t unit = static_cast<std::size_t>(bits_of(v.type) + 7) / 8;
    const bool list = v.bytes != unit;
    out_ += list ? " = {" : " = ";
    auto address = v.addresses.begin();
    for (std::size_t at = 0; at < v.initial.size(); at += unit) {
      if (address != v.addresses.end() && address->at == at) {
        if (at != 0) out_ += ", ";
        initial_address(*address++);
        continue;
      }
      std::uint64_t value = 0;
      for (std::size_t byte = 0; byte < unit && byte < 8; ++byte)
        value |= static_cast<std::uint64_t>(v.initial[at + byte]) << (8 * byte);
      if (at != 0) out_ += ", ";
      if (v.type == Type::f64)
        put("0d{:016X}", value);
      else if (v.type == Type::f32)
        put("0f{:08X}", value);
      else
        put("{}", value);
    }
    if (list) out_ += '}';
  }
  out_ += ";\n";
}

void Printer::initial_address(const InitialAddress& a) {
  if (a.mask != ~0ULL) put("0x{:X}(", a.mask);
  if (a.generic) out_ += "generic(";
  out_ += a.variable >= 0 ? module_.variables[static_cast<std::size_t>(a.variable)].name
                          : module_.entries[static_cast<std::size_t>(a.function)].name;
  if (a.generic) out_ += ')';
  if (a.offset != 0) put("{:+}", a.offset);
  if (a.mask != ~0ULL) out_ += ')';
}

void Printer::params(const std::vector<Param>& list, bool of_kernel) {
  out_ += '(';
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Param& p = list[i];
    if (i != 0) out_ += ", ";
    if (p.reg >= 0) {
      put(".reg .{} {}", name_of(p.type), p.name);
      continue;
    }
    out_ += ".param ";
    // ptxas takes an alignment on a scalar parameter only where it says nothing new.
    const std::uint64_t unit = static_cast<std::uint64_t>(bits_of(p.type) + 7) / 8;
    if (p.bytes == unit && p.alignment == unit)
      put(".{} {}", name_of(p.type), p.name);
    else
      declared(p.type, p.bytes, p.alignment, p.name, p.bytes == 0);
  }
  out_ += of_kernel ? ")\n" : ") ";
}

/// `%r<39>` where the numbers run from 0, single names otherwise.
void Printer::registers() {
  const std::vector<Register>& all = entry_->registers;
  const auto header = [&](int reg) {
    for (const auto* list : {&entry_->params, &entry_->returns})
      for (const Param& p : *list)
        if (p.reg == reg) return true;
    return false;
  };
  for (std::size_t i = 0; i < all.size();) {
    const std::string& name = all[i].name;
    std::size_t n = 0;
    if (name.ends_with('0') && !header(static_cast<int>(i))) {
      const std::string prefix = name.substr(0, name.size() - 1);
      // The assembler takes all digits at the end of a name for the number in a range: `%temp$1<10>` has no %temp$10.
      const bool ends_in_digit = !prefix.empty() && is_digit(prefix.back());
      while (!ends_in_digit && i + n < all.size() && all[i + n].type == all[i].type &&
             all[i + n].name.starts_with(prefix) &&
             std::string_view(all[i + n].name).substr(prefix.size()) == std::to_string(n))
        ++n;
      if (n > 1 && !prefix.empty()) put("  .reg .{} {}<{}>;\n", name_of(all[i].type), prefix, n);
    }
    if (n <= 1 && !header(static_cast<int>(i))) put("  .reg .{} {};\n", name_of(all[i].type), name);
    i += std::max<std::size_t>(n, 1);
  }
}

void Printer::extent(std::string_view directive, const std::array<int, 3>& e) {
  if (e[0] != 0) put("{} {}, {}, {}\n", directive, e[0], e[1], e[2]);
}

void Printer::header_directives() {
  extent(".maxntid", entry_->max_threads);
  extent(".reqntid", entry_->required_threads);
  if (entry_->explicit_cluster) out_ += ".explicitcluster\n";
  extent(".reqnctapercluster", entry_->cluster);
  if (entry_->max_cluster_rank != 0) put(".maxclusterrank {}\n", entry_->max_cluster_rank);
  if (entry_->min_blocks != 0) put(".minnctapersm {}\n", entry_->min_blocks);
  if (entry_->max_registers != 0) put(".maxnreg {}\n", entry_->max_registers);
  if (entry_->no_return) out_ += ".noreturn\n";
}

void Printer::function(bool with_body) {
  const bool foreign = entry_->is_declaration;
  put("{} {} ", foreign ? ".extern" : ".visible", entry_->is_function ? ".func" : ".entry");
  if (!entry_->returns.empty()) params(entry_->returns, false);
  put("{}", entry_->name);
  params(entry_->params, true);
  header_directives();
  if (foreign || !with_body) {
    out_ += ";\n";
    return;
  }
  out_ += "{\n";
  body();
  out_ += "}\n";
}

void Printer::body() {
  registers();
  for (const Variable& v : entry_->variables) out_ += "  ", variable(v);
  for (const Param& p : entry_->call_params) {
    out_ += "  .param ";
    declared(p.type, p.bytes, p.alignment, p.name, false);
    out_ += ";\n";
  }
  for (const Prototype& p : entry_->prototypes) put("{}: {};\n", p.name, p.text);
  for (const BranchTable& table : entry_->branch_tables) {
    put("{}: .branchtargets ", table.name);
    for (std::size_t i = 0; i < table.targets.size(); ++i) {
      if (i != 0) out_ += ", ";
      label(table.targets[i]);
    }
    out_ += ";\n";
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i <= entry_->code.size(); ++i) {
    for (; next < entry_->labels.size() && entry_->labels[next].instruction == static_cast<int>(i); ++next)
      put("{}:\n", entry_->labels[next].name);
    if (i == entry_->code.size()) break;
    out_ += "  ";
    instruction(entry_->code[i]);
    out_ += '\n';
  }
}

}  // namespace

std::string to_string(const Instruction& instruction, const Entry& entry, const Module& module) {
  Printer printer(module, &entry);
  printer.instruction(instruction);
  return printer.take();
}

std::string to_string(const Module& module) {
  Printer header(module, nullptr);
  header.put(".version {}.{}\n.target {}\n.address_size 64\n", module.version_major, module.version_minor,
             module.target);
  std::string text = header.take();
  const bool tables = std::ranges::any_of(module.variables, [](const Variable& v) {
    return std::ranges::any_of(v.addresses, [](const InitialAddress& a) { return a.function >= 0; });
  });
  // Declarations first: a call may precede its callee, and so may a table of functions.
  for (const bool variables : {!tables, tables}) {
    if (variables) {
      Printer printer(module, nullptr);
      for (const Variable& v : module.variables) printer.variable(v);
      text += printer.take();
      continue;
    }
    for (const Entry& entry : module.entries)
      if (entry.is_function) {
        Printer printer(module, &entry);
        printer.function(false);
        text += printer.take();
      }
  }
  for (const bool functions : {true, false})
    for (const Entry& entry : module.entries)
      if (!entry.is_declaration && entry.is_function == functions) {
        Printer printer(module, &entry);
        printer.function(true);
        text += printer.take();
      }
  return text;
}

}  // namespace lanescope::ptx
