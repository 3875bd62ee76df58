// Layout of registers and memory, operands, and the walk over a function's instructions.

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "kernels/base/check.h"
#include "kernels/emulator/decoder.h"
#include "kernels/ptx/target.h"

namespace lanescope::emulator {

using ptx::Operand;
using Kind = Operand::Kind;
using Scope = Operand::Scope;

namespace {

constexpr u32 round_up(u64 value, u64 to) { return static_cast<u32>((value + to - 1) / to * to); }

u32 row_bytes(u8 bits) { return bits > 64 ? 512 : bits > 32 ? 256 : 128; }

}  // namespace

u32 Constants::append(u32 bytes) {
  const u32 at = static_cast<u32>(program_.image.size());
  program_.image.resize(at + bytes);
  return at;
}

u32 Constants::row_of(u64 value, u8 bits) {
  if (bits < 64) value &= (u64{1} << bits) - 1;
  const u8 width = bits > 32 ? 64 : 32;
  const auto [it, is_new] = values_.try_emplace({value, width}, 0);
  if (!is_new) return it->second;
  it->second = append(width * 4u);
  for (int l = 0; l < lanes; ++l) {
    if (width == 64)
      row<u64>(program_.image.data(), it->second)[l] = value;
    else
      row<u32>(program_.image.data(), it->second)[l] = static_cast<u32>(value);
  }
  return it->second;
}

u32 Constants::row_of(ptx::Special special) {
  const auto [it, is_new] = specials_.try_emplace(special, 0);
  if (is_new) {
    it->second = append(256);
    program_.specials.push_back({special, it->second});
    if (special >= ptx::Special::reserved_smem_offset_begin && special <= ptx::Special::reserved_smem_offset_1)
      program_.uses_reserved = true;
  }
  return it->second;
}

Decoder::Decoder(Program& program, Constants& constants, int function)
    : program_(program),
      constants_(constants),
      function_(program.functions[static_cast<std::size_t>(function)]),
      entry_(program.module->entries[static_cast<std::size_t>(function_.entry)]) {}

bool Decoder::decode_all(Diagnostics& errors) {
  for (const ptx::Instruction& instruction : entry_.code) {
    instruction_ = &instruction;
    op_ = Op{};
    op_.guard = always;
    if (instruction.predicate >= 0) {
      op_.guard = offset_of(instruction.predicate);
      op_.guard_flip = instruction.predicate_negated ? all_lanes : 0;
      op_.guarded = true;
    }
    refusal_.clear();
    if (!decode_one()) {
      const ptx::Position& at = instruction.position;
      Diagnostic d;
      if (at.file >= 0 && at.line > 0) {
        d.file = program_.module->files[static_cast<std::size_t>(at.file)];
        d.line = at.line;
        d.column = at.column;
      }
      std::string name = instruction.opcode;
      for (const std::string& m : instruction.modifiers) name += "." + m;
      d.message = refusal_.empty() ? fmt::format("`{}` is not known to the emulator", name)
                                   : fmt::format("`{}`: {}", name, refusal_);
      d.remedy = fmt::format("run it on a GPU (--engine gpu), or change the line (PTX line {})", instruction.text_line);
      errors.push_back(std::move(d));
      op_.step = step_nothing;
    }
    if (op_.exec != nullptr && op_.tag == nullptr) op_.tag = tag_computed;
    program_.ops.push_back(op_);
  }
  Op last;
  last.step = entry_.is_function ? step_return : step_exit;
  program_.ops.push_back(last);
  return errors.empty();
}

bool Decoder::decode_one() {
  const auto it = handlers().find(instruction_->opcode);
  return it != handlers().end() && (this->*it->second)();
}

bool Decoder::refuse(std::string what) {
  refusal_ = std::move(what);
  return false;
}

ptx::Type Decoder::type(std::size_t i) const {
  return i < instruction_->types.size() ? instruction_->types[i] : ptx::Type::none;
}

u32 Decoder::offset_of(int reg) const {
  LS_CHECK(reg >= 0 && static_cast<std::size_t>(reg) < function_.offsets.size());
  return function_.offsets[static_cast<std::size_t>(reg)];
}

u8 Decoder::register_bits(int reg) const {
  return static_cast<u8>(ptx::bits_of(entry_.registers[static_cast<std::size_t>(reg)].type));
}

u64 Decoder::address_of(const Operand& o) const {
  const auto at = static_cast<std::size_t>(o.symbol);
  const auto offset = static_cast<u64>(o.offset);
  switch (o.symbol_scope) {
    case Scope::module: {
      const ptx::Variable& v = program_.module->variables[at];
      if (v.space == ptx::Space::shared) return program_.module_shared[at] + offset;
      for (const Store& s : program_.variables.stores)
        if (s.name == "variable `" + v.name + "`") return s.base + offset;
      return offset;
    }
    case Scope::entry: {
      const u32 place = function_.variables[at];
      return place + offset;
    }
    case Scope::param:
      if (!entry_.is_function) return first_variable_address + entry_.params[at].offset + offset;
      return function_.params + entry_.params[at].offset + offset;
    case Scope::returned:
      return function_.returns + entry_.returns[at].offset + offset;
    case Scope::call_param:
      return function_.call_params + entry_.call_params[at].offset + offset;
    default:
      return offset;
  }
}

u32 Decoder::source(const Operand& o, u8 bits) {
  switch (o.kind) {
    case Kind::reg:
      return offset_of(o.reg);
    case Kind::immediate: {
      u64 value = o.bits;
      if (o.is_float && o.float_bits == 64 && bits == 32) {
        double d;
        std::memcpy(&d, &value, 8);
        const float f = static_cast<float>(d);
        value = 0;
        std::memcpy(&value, &f, 4);
      } else if (o.is_float && o.float_bits == 32 && bits == 64) {
        float f;
        std::memcpy(&f, &value, 4);
        const double d = f;
        std::memcpy(&value, &d, 8);
      }
      return constants_.row_of(value, bits);
    }
    case Kind::special:
      return constants_.row_of(o.special);
    case Kind::symbol:
      return constants_.row_of(address_of(o), bits);
    default:
      return constants_.row_of(0, bits);
  }
}

u32 Decoder::destination(const Operand& o) { return o.kind == Kind::reg ? offset_of(o.reg) : sink_row; }

u32 Decoder::predicate(const Operand& o, u32& flip) {
  flip = o.negated ? all_lanes : 0;
  if (o.kind == Kind::immediate) return o.bits != 0 ? always : never;
  return offset_of(o.reg);
}

u32 Decoder::predicate_destination(const Operand& o) const {
  return o.kind == Kind::reg ? offset_of(o.reg) : sink_predicate;
}

u32 Decoder::second_predicate(const Operand& o) const {
  return o.second_reg >= 0 ? offset_of(o.second_reg) : sink_predicate;
}

void Decoder::set_operands(u8 d_bits, u8 a_bits, u8 b_bits, u8 c_bits) {
  op_.d = destination(operand(0));
  op_.d_bits = d_bits;
  op_.a_bits = a_bits;
  op_.b_bits = b_bits;
  op_.c_bits = c_bits;
  if (a_bits != 0) op_.a = source(operand(1), a_bits);
  if (b_bits != 0) op_.b = source(operand(2), b_bits);
  if (c_bits != 0) op_.c = source(operand(3), c_bits);
}

std::string Decoder::key_without(std::initializer_list<std::string_view> ignored) const {
  std::string key = instruction_->opcode;
  for (const std::string& m : instruction_->modifiers)
    if (std::ranges::find(ignored, m) == ignored.end()) key += "." + m;
  return key;
}

bool Decoder::set_exec(std::string_view key) {
  op_.exec = find_lane_operation(key);
  if (op_.exec == nullptr) op_.exec = find_rounded_operation(key);
  if (op_.exec == nullptr) op_.exec = find_approximate_operation(key);
  return op_.exec != nullptr;
}

// ---- the whole program

namespace {

/// Registers of one function: predicates first (they share rows), then rows. Of the carry flag's row only the identities
/// are used.
void place_registers(Function& f, const ptx::Entry& e, u32& at) {
  f.registers_begin = at;
  f.carry = at;
  at += 4;
  f.offsets.resize(e.registers.size());
  for (std::size_t i = 0; i < e.registers.size(); ++i)
    if (e.registers[i].type == ptx::Type::pred) {
      f.offsets[i] = at;
      at += 4;
    }
  at = round_up(at, 128);
  f.carry_tags = at;
  at += 128;
  for (std::size_t i = 0; i < e.registers.size(); ++i)
    if (e.registers[i].type != ptx::Type::pred) {
      f.offsets[i] = at;
      at += row_bytes(static_cast<u8>(ptx::bits_of(e.registers[i].type)));
    }
  f.registers_end = at;
}

void place_frame(Function& f, const ptx::Entry& e, u32& local, u32& shared) {
  f.frame_begin = local;
  f.variables.resize(e.variables.size());
  for (std::size_t i = 0; i < e.variables.size(); ++i) {
    const ptx::Variable& v = e.variables[i];
    u32& at = v.space == ptx::Space::shared ? shared : local;
    at = round_up(at, std::max<u64>(v.alignment, 1));
    f.variables[i] = at;
    at += static_cast<u32>(v.bytes);
  }
  const auto block = [&](u64 bytes) {
    const u32 begin = round_up(local, 16);
    local = begin + round_up(bytes, 16);
    return begin;
  };
  const auto extent = [](const std::vector<ptx::Param>& params) {
    u64 end = 0;
    for (const ptx::Param& p : params) end = std::max(end, p.offset + p.bytes);
    return end;
  };
  f.call_params = block(e.call_param_bytes);
  if (e.is_function) {
    f.params = block(extent(e.params));
    f.returns = block(extent(e.returns));
  }
  f.frame_end = local;
}

/// .shared of the module and of all functions; dynamic shared memory begins where they end.
void place_shared(Program& p, u32 shared) {
  std::vector<u32> module_places(p.module->variables.size());
  for (std::size_t i = 0; i < module_places.size(); ++i) {
    const ptx::Variable& v = p.module->variables[i];
    if (v.space != ptx::Space::shared || (v.is_extern && v.bytes == 0)) continue;
    shared = round_up(shared, std::max<u64>(v.alignment, 1));
    module_places[i] = shared;
    shared += static_cast<u32>(v.bytes);
  }
  u64 alignment = 1;
  for (const ptx::Variable& v : p.module->variables)
    if (v.space == ptx::Space::shared && v.is_extern && v.bytes == 0) alignment = std::max(alignment, v.alignment);
  const u32 dynamic = round_up(shared, std::max<u64>(alignment, 16));
  for (std::size_t i = 0; i < module_places.size(); ++i) {
    const ptx::Variable& v = p.module->variables[i];
    if (v.space == ptx::Space::shared && v.is_extern && v.bytes == 0) module_places[i] = dynamic;
  }
  const u32 end = p.launch.dynamic_shared_bytes != 0 ? dynamic + p.launch.dynamic_shared_bytes : shared;
  p.shared_bytes = end - p.first_shared;
  p.module_shared = std::move(module_places);
}

/// Calls `place(variable, address)` for each variable in device memory.
template <class Place>
void place_in_device_memory(const ptx::Module& module, Place place) {
  u64 at = first_variable_address + 65536;
  for (const ptx::Variable& v : module.variables) {
    if (v.space != ptx::Space::global && v.space != ptx::Space::constant) continue;
    const u64 alignment = std::max<u64>(v.alignment, 256);
    at = (at + alignment - 1) / alignment * alignment;
    place(v, at);
    at += v.bytes + 4096;
  }
}

Expected<void> place_variables(Program& p, const std::vector<u64>& addresses) {
  const ptx::Entry& e = *p.entry;
  u64 param_bytes = 16;
  for (const ptx::Param& param : e.params) param_bytes = std::max(param_bytes, param.offset + param.bytes);
  Store params{
      .name = "the kernel's parameters", .base = first_variable_address, .bytes = param_bytes, .writable = false};
  params.own.resize(param_bytes);
  if (p.launch.arguments.size() != e.params.size())
    return failure(fmt::format("kernel `{}` takes {} arguments, the launch gives {}", e.name, e.params.size(),
                               p.launch.arguments.size()),
                   "give one argument for each parameter");
  for (std::size_t i = 0; i < e.params.size(); ++i) {
    const ptx::Param& param = e.params[i];
    const trace::Argument& argument = p.launch.arguments[i];
    trace::ValueArgument bytes;
    if (const auto* b = std::get_if<trace::BufferArgument>(&argument)) {
      if (b->buffer < 0 || static_cast<std::size_t>(b->buffer) >= addresses.size())
        return failure(fmt::format("argument {} names buffer {}, which the launch does not have", i, b->buffer));
      const u64 address = addresses[static_cast<std::size_t>(b->buffer)] + static_cast<u64>(b->offset_bytes);
      bytes.resize(8);
      std::memcpy(bytes.data(), &address, 8);
    } else {
      bytes = std::get<trace::ValueArgument>(argument);
    }
    if (bytes.size() != param.bytes)
      return failure(fmt::format("argument {} of kernel `{}` has {} bytes, its parameter {}", i, e.name, bytes.size(),
                                 param.bytes),
                     "give it the parameter's type");
    std::memcpy(params.own.data() + param.offset, bytes.data(), bytes.size());
  }
  p.variables.stores.push_back(std::move(params));
  place_in_device_memory(*p.module, [&](const ptx::Variable& v, u64 at) {
    Store s{
        .name = "variable `" + v.name + "`", .base = at, .bytes = v.bytes, .writable = v.space == ptx::Space::global};
    s.own.resize(v.bytes);
    std::memcpy(s.own.data(), v.initial.data(), std::min<std::size_t>(v.initial.size(), v.bytes));
    p.variables.stores.push_back(std::move(s));
  });
  return {};
}

}  // namespace

std::vector<VariablePlace> variable_places(const ptx::Module& module) {
  std::vector<VariablePlace> out;
  place_in_device_memory(module, [&](const ptx::Variable& v, u64 at) {
    if (v.space == ptx::Space::global)
      out.push_back({.name = v.name, .address = at, .bytes = v.bytes, .element_bits = ptx::bits_of(v.type)});
  });
  return out;
}

std::vector<int> reachable(const ptx::Module& module, const ptx::Entry& entry) {
  std::vector<int> found{static_cast<int>(&entry - module.entries.data())};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const ptx::Instruction& in : module.entries[static_cast<std::size_t>(found[i])].code)
      for (const Operand& o : in.operands)
        if (o.kind == Kind::symbol && o.symbol_scope == Scope::function &&
            std::ranges::find(found, o.symbol) == found.end())
          found.push_back(o.symbol);
  return found;
}

Expected<Program> decode(const ptx::Module& module, const trace::Launch& launch,
                         const std::vector<trace::Buffer>& buffers) {
  Program p;
  p.module = &module;
  p.launch = launch;
  p.entry = module.find_entry(launch.kernel);
  if (p.entry == nullptr || p.entry->is_function)
    return failure(fmt::format("the PTX has no kernel `{}`", launch.kernel), "name one of its .entry functions");
  if (auto placed = place_variables(p, place_buffers(buffers)); !placed) return tl::unexpected(placed.error());
  p.first_shared = ptx::first_shared_address(module);
  u32 at = first_free, local = 0, shared = p.first_shared;
  for (int entry : reachable(module, *p.entry)) {
    Function f;
    f.entry = entry;
    const ptx::Entry& e = module.entries[static_cast<std::size_t>(entry)];
    if (e.is_declaration)
      return failure(fmt::format("`{}` has no body in this module, so the emulator cannot call it", e.name),
                     "define it, or run on a GPU (--engine gpu)");
    place_registers(f, e, at);
    place_frame(f, e, local, shared);
    p.functions.push_back(std::move(f));
  }
  place_shared(p, shared);
  p.registers_begin = first_free;
  p.registers_end = at;
  p.local_bytes = round_up(local, 16);
  p.image.resize(at);
  *row<u32>(p.image.data(), always) = all_lanes;
  Constants constants(p);
  u32 first = 0;
  for (Function& f : p.functions) {
    f.first_op = first;
    first += static_cast<u32>(module.entries[static_cast<std::size_t>(f.entry)].code.size()) + 1;
  }
  Diagnostics errors;
  for (std::size_t f = 0; f < p.functions.size(); ++f) {
    Decoder(p, constants, static_cast<int>(f)).decode_all(errors);
    const std::size_t count = module.entries[static_cast<std::size_t>(p.functions[f].entry)].code.size() + 1;
    for (std::size_t i = 0; i < count; ++i) p.origins.push_back({static_cast<int>(f), static_cast<int>(i)});
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  p.image.resize(round_up(p.image.size(), 128));
  return p;
}

const ptx::Instruction* Program::instruction_of(u32 pc) const {
  const Origin& o = origins[pc];
  const auto& code =
      module->entries[static_cast<std::size_t>(functions[static_cast<std::size_t>(o.function)].entry)].code;
  return static_cast<std::size_t>(o.instruction) < code.size() ? &code[static_cast<std::size_t>(o.instruction)]
                                                               : nullptr;
}

int Program::line_of(u32 pc) const {
  const ptx::Instruction* i = instruction_of(pc);
  return i == nullptr ? 0 : i->position.line;
}

}  // namespace lanescope::emulator
