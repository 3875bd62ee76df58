// A whole program: where registers, frames, shared memory and variables lie, then every function decoded.

#include "kernels/emulator/decode/decode.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "kernels/emulator/decode/decoder.h"
#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/machine/control_steps.h"
#include "kernels/emulator/machine/placement.h"
#include "kernels/ptx/reconvergence.h"
#include "kernels/ptx/target.h"

namespace lanescope::emulator {

namespace {

constexpr u32 stack_bytes = 32768;  // of a lane, for alloca and for variables of functions that call themselves

constexpr u32 round_up(u64 value, u64 to) { return static_cast<u32>((value + to - 1) / to * to); }

/// Registers of one function: predicates first (they share rows), then rows. Of the carry flag's row only the identities
/// are used.
void place_registers(Function& f, const ptx::Entry& e, bool contracts, u32& at) {
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
  if (contracts) f.contractions = ptx::contractions(e);
  for (std::size_t i = 0; i < f.contractions.size(); ++i)
    if (f.contractions[i].copies) {
      f.factors[static_cast<int>(i)] = at;
      at += 2 * row_bytes(static_cast<u8>(ptx::bits_of(e.code[i].types.at(0))));
    }
  f.registers_end = at;
}

/// Offsets in shared memory are aligned and counted from the kernel's own first byte, which lies at `first_shared`: on an H200 a
/// static variable `.align 4096` has the address 0x400, and one `.align 2048` after an int 0xc00.
void place_frame(Function& f, const ptx::Entry& e, u32& local, u32& shared, u32 first_shared) {
  f.variables.resize(e.variables.size());
  f.frame_begin = local = round_up(local, 16);
  for (std::size_t i = 0; i < e.variables.size(); ++i) {
    const ptx::Variable& v = e.variables[i];
    u32& at = v.space == ptx::Space::shared ? shared : local;
    at = round_up(at, std::max<u64>(v.alignment, 1));
    f.variables[i] = v.space == ptx::Space::shared ? first_shared + at : at;
    at += static_cast<u32>(v.bytes);
  }
  f.frame_bytes = round_up(local - f.frame_begin, 16);
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
}

/// .shared of the module and of all functions; dynamic shared memory begins where they end, aligned as the module's dynamic array
/// that needs the most (as on an H200).
void place_shared(Program& p, u32 shared) {
  const auto is_dynamic = [](const ptx::Variable& v) { return v.is_extern && v.bytes == 0; };
  const std::vector<ptx::Variable>& variables = p.module->variables;
  u64 alignment = 16;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const ptx::Variable& v = variables[i];
    if (v.space != ptx::Space::shared) continue;
    if (is_dynamic(v)) {
      alignment = std::max(alignment, v.alignment);
      continue;
    }
    shared = round_up(shared, std::max<u64>(v.alignment, 1));
    p.module_variables[i] = p.first_shared + shared;
    shared += static_cast<u32>(v.bytes);
  }
  const u32 dynamic = round_up(shared, alignment);
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i].space == ptx::Space::shared && is_dynamic(variables[i]))
      p.module_variables[i] = p.first_shared + dynamic;
  p.shared_bytes = p.launch.dynamic_shared_bytes != 0 ? dynamic + p.launch.dynamic_shared_bytes : shared;
}

/// Parameters and variables of the module. Those that live in a buffer have its address.
Expected<void> place_variables(Program& p, const std::vector<trace::Buffer>& buffers) {
  const std::vector<u64> addresses = place_buffers(buffers);
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
    for (const trace::BufferArgument& b : trace::buffers_of(argument))
      if (b.buffer < 0 || static_cast<std::size_t>(b.buffer) >= addresses.size())
        return failure(fmt::format("argument {} names buffer {}, which the launch does not have", i, b.buffer));
    const trace::ValueArgument bytes =
        trace::bytes_of(argument, [&](int buffer) { return addresses[static_cast<std::size_t>(buffer)]; });
    if (bytes.size() != param.bytes)
      return failure(fmt::format("argument {} of kernel `{}` has {} bytes, its parameter {}", i, e.name, bytes.size(),
                                 param.bytes),
                     "give it the parameter's type");
    std::memcpy(params.own.data() + param.offset, bytes.data(), bytes.size());
  }
  p.variables.stores.push_back(std::move(params));
  const std::vector<DeviceVariable> placed = device_variables(*p.module);
  for (const auto& [index, address] : placed) p.module_variables[index] = address;
  for (std::size_t b = 0; b < buffers.size(); ++b)
    for (const auto& [index, address] : placed)
      if (!buffers[b].variable.empty() && p.module->variables[index].name == buffers[b].variable)
        p.module_variables[index] = addresses[b];
  for (const auto& [index, address] : placed) {
    const ptx::Variable& v = p.module->variables[index];
    Store s{.name = "variable `" + v.name + "`",
            .base = address,
            .bytes = v.bytes,
            .writable = v.space == ptx::Space::global};
    s.own.resize(v.bytes);
    std::memcpy(s.own.data(), v.initial.data(), std::min<std::size_t>(v.initial.size(), v.bytes));
    p.variables.stores.push_back(std::move(s));
  }
  Store workspace{
      .name = "the workspace of grid.sync()", .base = grid_workspace_address, .bytes = grid_workspace_bytes};
  workspace.own.resize(grid_workspace_bytes);
  p.variables.stores.push_back(std::move(workspace));
  return {};
}

u64 address_in(const Program& p, const ptx::InitialAddress& a) {
  if (a.variable < 0) return function_address(a.function);
  const auto at = static_cast<std::size_t>(a.variable);
  const bool shared = p.module->variables[at].space == ptx::Space::shared;
  return p.module_variables[at] + (a.generic && shared ? shared_window : 0);
}

/// Puts addresses into the initial contents, now that all variables have theirs.
void place_addresses(Program& p) {
  auto store = p.variables.stores.begin() + 1;  // after the kernel's parameters
  for (const auto& [index, address] : device_variables(*p.module)) {
    for (const ptx::InitialAddress& a : p.module->variables[index].addresses) {
      u64 value = (address_in(p, a) + static_cast<u64>(a.offset)) & a.mask;
      if (a.mask != 0) value >>= std::countr_zero(a.mask);
      const auto count = static_cast<std::size_t>(a.bytes);
      if (a.at + count <= store->own.size()) std::memcpy(store->own.data() + a.at, &value, count);
    }
    ++store;
  }
}

void place_meetings(Program& p) {
  using Kind = Meeting::Kind;
  p.meetings.resize(p.ops.size());
  for (const Function& f : p.functions) {
    const ptx::Reconvergence r = ptx::reconvergence(p.module->entries[static_cast<std::size_t>(f.entry)]);
    for (std::size_t i = 0; i < r.by_instruction.size(); ++i) {
      Meeting& m = p.meetings[f.first_op + i];
      const ptx::Reconvergence::At& at = r.by_instruction[i];
      m.rank = at.rank;
      m.round_ends = at.round_ends;
      m.yields = at.yields;
      m.join_rank = at.join_rank;
      m.kind = at.join >= 0 ? Kind::at : at.join == ptx::Reconvergence::returned ? Kind::returned : Kind::nowhere;
      if (m.kind == Kind::at) m.pc = f.first_op + static_cast<u32>(at.join);
    }
  }
  for (std::size_t i = 0; i < p.meetings.size(); ++i) {
    if (p.meetings[i].kind == Kind::at) p.meetings[p.meetings[i].pc].is_join = true;
    // Lanes of a function wait where its caller continues, those with different member masks after the operation.
    const Op& op = p.ops[i];
    if (op.step == step_call || op.step == step_indirect_call || op.gathers) p.meetings[i + 1].is_join = true;
  }
}

}  // namespace

Expected<Program> decode(const ptx::Module& module, const trace::Launch& launch,
                         const std::vector<trace::Buffer>& buffers) {
  Program p;
  p.module = &module;
  p.launch = launch;
  p.entry = module.find_entry(launch.kernel);
  if (p.entry == nullptr || p.entry->is_function)
    return failure(fmt::format("the PTX has no kernel `{}`", launch.kernel), "name one of its .entry functions");
  const auto& required = p.entry->cluster;
  if (launch.cluster.count() > 0)
    p.cluster = launch.cluster;
  else if (required[0] > 0)
    p.cluster = {static_cast<u32>(required[0]), static_cast<u32>(std::max(required[1], 1)),
                 static_cast<u32>(std::max(required[2], 1))};
  if (!p.entry->unreadable.empty()) return tl::unexpected(p.entry->unreadable);
  p.module_variables.resize(module.variables.size());
  if (auto placed = place_variables(p, buffers); !placed) return tl::unexpected(placed.error());
  p.first_shared = ptx::first_shared_address(module);
  u32 at = first_free, local = 0, shared = 0;
  bool uses_stack = false;
  for (int entry : reachable(module, *p.entry)) {
    Function f;
    f.entry = entry;
    const ptx::Entry& e = module.entries[static_cast<std::size_t>(entry)];
    place_registers(f, e, module.contracts, at);
    place_frame(f, e, local, shared, p.first_shared);
    const bool has_locals =
        std::ranges::any_of(e.variables, [](const ptx::Variable& v) { return v.space != ptx::Space::shared; });
    if (e.is_function && has_locals && calls_itself(module, entry)) {
      f.frame_row = at;
      f.registers_end = at += 256;
      uses_stack = true;
    }
    for (const ptx::Instruction& i : e.code) uses_stack = uses_stack || i.opcode == "alloca" || i.opcode == "stacksave";
    p.functions.push_back(std::move(f));
  }
  if (uses_stack) {
    p.stack_row = at;
    at += 256;
    p.stack_begin = round_up(local, 16);
    local = p.stack_begin + stack_bytes;
  }
  place_shared(p, shared);
  place_addresses(p);
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
  for (std::size_t f = 0; f < p.functions.size(); ++f) {
    Decoder(p, constants, static_cast<int>(f)).decode_all();
    const std::size_t count = module.entries[static_cast<std::size_t>(p.functions[f].entry)].code.size() + 1;
    for (std::size_t i = 0; i < count; ++i) p.origins.push_back({static_cast<int>(f), static_cast<int>(i)});
  }
  for (ShuffleOp& s : p.shuffles) s.only_one = std::ranges::count(p.shuffles, s.mode, &ShuffleOp::mode) == 1;
  place_meetings(p);
  p.image.resize(round_up(p.image.size(), 128));
  return p;
}

}  // namespace lanescope::emulator
