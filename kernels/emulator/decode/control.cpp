// Control flow, barriers and what lanes of a warp do together.

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "kernels/emulator/decode/decoder.h"
#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/steps/steps.h"
#include "kernels/ptx/heap_functions.h"

namespace lanescope::emulator {

using ptx::Operand;
using ptx::Type;
using Kind = Operand::Kind;
using Scope = Operand::Scope;

namespace {

/// Parameters in the memory that calls copy; nullptr: the scope is of other memory, as a kernel's own parameters are.
const std::vector<ptx::Param>* copied_by_calls(const ptx::Entry& entry, Scope scope) {
  if (scope == Scope::call_param) return &entry.call_params;
  if (!entry.is_function) return nullptr;
  if (scope == Scope::param) return &entry.params;
  return scope == Scope::returned ? &entry.returns : nullptr;
}

}  // namespace

bool Decoder::branch() {
  if (operand(0).kind != Kind::label) return refuse("it leads to no label");
  op_.immediate = function_.first_op + static_cast<u32>(operand(0).target);
  op_.is_branch = true;
  op_.step = step_branch;
  return true;
}

bool Decoder::branch_table() {
  const Operand& table = operand(1);
  std::vector<u32> targets;
  if (table.elements.empty()) return refuse("it has no labels");
  for (const Operand& e : table.elements) {
    if (e.kind != Kind::label) return refuse("it leads to no label");
    targets.push_back(function_.first_op + static_cast<u32>(e.target));
  }
  op_.a = source(operand(0), 32);
  op_.immediate = static_cast<u32>(program_.branch_tables.size());
  program_.branch_tables.push_back(std::move(targets));
  op_.is_branch = true;
  op_.step = step_branch_table;
  return true;
}

bool Decoder::call() {
  std::size_t at = 0;
  const Operand* returns = nullptr;
  if (operand(0).kind == Kind::vector) returns = &operand(at++);
  const Operand& callee = operand(at++);
  const Operand* arguments = at < operand_count() && operand(at).kind == Kind::vector ? &operand(at) : nullptr;
  if (callee.kind == Kind::reg) return indirect_call(returns, callee, arguments);
  if (callee.kind != Kind::symbol || callee.symbol_scope != Scope::function)
    return refuse("it calls nothing that is a function");
  const ptx::Entry& called = program_.module->entries[static_cast<std::size_t>(callee.symbol)];
  if (called.is_declaration) return system_call(called, returns, arguments);
  const auto found = std::ranges::find(program_.functions, callee.symbol, &Function::entry);
  auto c = call_of(static_cast<std::size_t>(found - program_.functions.begin()), returns, arguments);
  if (!c) return refuse("its parameters are not those of the function");
  op_.immediate = static_cast<u32>(program_.calls.size());
  program_.calls.push_back(std::move(*c));
  op_.step = step_call;
  return true;
}

/// The values that enter a function and leave it; nothing where the parameters are others than its own.
std::optional<CallOp> Decoder::call_of(std::size_t function, const Operand* returns, const Operand* arguments) {
  const Function& target = program_.functions[function];
  const ptx::Entry& entry = program_.module->entries[static_cast<std::size_t>(target.entry)];
  CallOp c;
  c.function = static_cast<int>(function);
  const auto copies = [&](const Operand* list, const std::vector<ptx::Param>& formals, u32 base, bool into_callee) {
    if (list == nullptr) return formals.empty();
    if (list->elements.size() != formals.size()) return false;
    for (std::size_t i = 0; i < formals.size(); ++i) {
      const Operand& actual = list->elements[i];
      const ptx::Param& formal = formals[i];
      if (formal.reg >= 0) {
        const ptx::Type t = entry.registers[static_cast<std::size_t>(formal.reg)].type;
        const u8 bits = static_cast<u8>(ptx::bits_of(t));
        const u32 inside = target.offsets[static_cast<std::size_t>(formal.reg)];
        const bool is_predicate = t == ptx::Type::pred;
        if (actual.kind == Kind::symbol || (actual.kind == Kind::reg && register_bits(actual.reg) != bits))
          return false;
        if (is_predicate && actual.kind != Kind::reg) return false;
        if (into_callee)
          c.register_arguments.push_back(
              {is_predicate ? offset_of(actual.reg) : source(actual, bits), inside, bits, is_predicate});
        else if (actual.kind == Kind::reg)
          c.register_results.push_back({inside, offset_of(actual.reg), bits, is_predicate});
        continue;
      }
      if (actual.kind != Kind::symbol) return false;
      const std::vector<ptx::Param>* const held = copied_by_calls(entry_, actual.symbol_scope);
      // Other places with an address are not in the memory that calls copy.
      if (held == nullptr || (*held)[static_cast<std::size_t>(actual.symbol)].bytes < formal.bytes) return false;
      const u32 outside = static_cast<u32>(address_of(actual));
      const u32 inside = base + static_cast<u32>(formal.offset);
      const u32 bytes = static_cast<u32>(formal.bytes);
      if (into_callee)
        c.arguments.push_back({outside, inside, bytes});
      else
        c.results.push_back({inside, outside, bytes});
    }
    return true;
  };
  if (!copies(returns, entry.returns, target.returns, false) || !copies(arguments, entry.params, target.params, true))
    return std::nullopt;
  return c;
}

/// Any function of the module that takes these parameters may be meant.
bool Decoder::indirect_call(const Operand* returns, const Operand& callee, const Operand* arguments) {
  if (register_bits(callee.reg) != 64) return refuse("addresses of functions have 64 bits");
  IndirectCall indirect;
  indirect.target = offset_of(callee.reg);
  for (std::size_t f = 0; f < program_.functions.size(); ++f) {
    const int index = program_.functions[f].entry;
    if (!program_.module->entries[static_cast<std::size_t>(index)].is_function) continue;
    auto c = call_of(f, returns, arguments);
    if (!c) continue;
    indirect.calls.emplace_back(function_address(index), static_cast<u32>(program_.calls.size()));
    program_.calls.push_back(std::move(*c));
  }
  op_.immediate = static_cast<u32>(program_.indirect_calls.size());
  program_.indirect_calls.push_back(std::move(indirect));
  op_.step = step_indirect_call;
  return true;
}

/// alloca, stacksave, stackrestore
bool Decoder::stack() {
  StackOp s;
  const auto of = [&](const Operand& o, u32& at, u32& bits) {
    bits = o.kind == Kind::reg ? register_bits(o.reg) : 64;
    if (bits != 32) bits = 64;
    at = source(o, static_cast<u8>(bits));
  };
  of(operand(0), s.value, s.value_bits);
  if (instruction_->opcode == "alloca") {
    s.kind = StackOp::Kind::allocate;
    of(operand(1), s.bytes, s.bytes_bits);
    if (operand_count() > 2) s.alignment = std::max(16u, static_cast<u32>(operand(2).bits));
  } else if (instruction_->opcode == "stackrestore") {
    s.kind = StackOp::Kind::restore;
  }
  op_.immediate = static_cast<u32>(program_.stacks.size());
  program_.stacks.push_back(s);
  op_.step = step_stack;
  return true;
}

/// A function without a body: one that the system of a GPU provides.
bool Decoder::system_call(const ptx::Entry& callee, const Operand* returns, const Operand* arguments) {
  struct Known {
    std::string_view name;
    std::vector<u64> argument_bytes;
    u64 result_bytes;
    Step step;
  };
  // Functions of the device runtime as NVRTC and nvcc 13.0 declare them (cuda_device_runtime_api.h of the toolkit). Those
  // that end in _ptsz are called where the default stream is that of a thread.
  static const std::array known{Known{"vprintf", {8, 8}, 4, step_printf},
                                Known{"__assertfail", {8, 8, 4, 8, 8}, 0, step_assertion},
                                Known{"malloc", {8}, 8, step_heap_allocate},
                                Known{"__cuda_syscall_aligned_malloc", {8, 8}, 8, step_heap_allocate},
                                Known{"free", {8}, 0, step_heap_free},
                                Known{"__cudaCDP2Malloc", {8, 8}, 4, step_runtime_allocate},
                                Known{"__cudaCDP2Free", {8}, 4, step_runtime_free},
                                Known{"__cudaCDP2GetParameterBufferV2", {8, 12, 12, 4}, 8, step_parameter_buffer},
                                Known{"__cudaCDP2LaunchDeviceV2", {8, 8}, 4, step_device_launch},
                                Known{"__cudaCDP2LaunchDeviceV2_ptsz", {8, 8}, 4, step_device_launch},
                                Known{"__cudaCDP2StreamCreateWithFlags", {8, 4}, 4, step_new_handle},
                                Known{"__cudaCDP2StreamDestroy", {8}, 4, step_no_error},
                                Known{"__cudaCDP2EventCreateWithFlags", {8, 4}, 4, step_new_handle},
                                Known{"__cudaCDP2EventRecord", {8, 8}, 4, step_device_event},
                                Known{"__cudaCDP2EventRecord_ptsz", {8, 8}, 4, step_device_event},
                                Known{"__cudaCDP2StreamWaitEvent", {8, 8, 4}, 4, step_device_event},
                                Known{"__cudaCDP2StreamWaitEvent_ptsz", {8, 8, 4}, 4, step_device_event},
                                Known{"__cudaCDP2EventDestroy", {8}, 4, step_no_error},
                                Known{"__cudaCDP2GetLastError", {}, 4, step_no_error},
                                Known{"__cudaCDP2PeekAtLastError", {}, 4, step_no_error},
                                Known{"__cudaCDP2GetErrorString", {4}, 8, step_error_text},
                                Known{"__cudaCDP2GetErrorName", {4}, 8, step_error_text},
                                Known{"__cudaCDP2GetDevice", {8}, 4, step_device_number},
                                Known{"__cudaCDP2GetDeviceCount", {8}, 4, step_device_number}};
  const auto found = std::ranges::find(known, callee.name, &Known::name);
  if (!callee.unreadable.empty())
    return refuse(fmt::format("`{}` cannot be read (PTX line {}): {}", callee.name, callee.unreadable.front().line,
                              callee.unreadable.front().message));
  constexpr std::string_view runtime = "__cudaCDP2";
  if (found == known.end() && callee.name.starts_with(runtime))
    return refuse(fmt::format("the emulator does not support `cuda{}` in device code",
                              std::string_view(callee.name).substr(runtime.size())));
  if (found == known.end()) {
    remedy_ = "define it, ";
    return refuse(fmt::format("`{}` has no body in this module, so the emulator cannot call it", callee.name));
  }
  SystemCall c;
  c.name = found->name;
  const auto in_frame = [&](const Operand& o, u64 bytes) {
    return o.kind == Kind::symbol && o.symbol_scope == Scope::call_param &&
           entry_.call_params[static_cast<std::size_t>(o.symbol)].bytes == bytes;
  };
  const std::size_t given = arguments == nullptr ? 0 : arguments->elements.size();
  bool as_known = given == found->argument_bytes.size() && (returns == nullptr || returns->elements.size() <= 1);
  for (std::size_t i = 0; as_known && i < found->argument_bytes.size(); ++i) {
    as_known = in_frame(arguments->elements[i], found->argument_bytes[i]);
    if (as_known) c.arguments.push_back(static_cast<u32>(address_of(arguments->elements[i])));
  }
  if (as_known && returns != nullptr && !returns->elements.empty()) {
    as_known = in_frame(returns->elements[0], found->result_bytes);
    c.has_result = as_known;
    if (as_known) c.result = static_cast<u32>(address_of(returns->elements[0]));
  }
  if (!as_known) return refuse(fmt::format("`{}` is called with other parameters than it has", callee.name));
  program_.allocates = program_.allocates || ptx::is_heap_function(found->name);
  program_.launches = program_.launches || found->step == step_parameter_buffer || found->step == step_error_text;
  op_.immediate = static_cast<u32>(program_.system_calls.size());
  program_.system_calls.push_back(std::move(c));
  op_.step = found->step;
  return true;
}

bool Decoder::ret() {
  op_.step = entry_.is_function ? step_return : step_exit;
  return true;
}
bool Decoder::exit() {
  op_.step = step_exit;
  return true;
}
bool Decoder::trap() {
  op_.step = step_trap;
  return true;
}
bool Decoder::breakpoint() {
  op_.step = step_breakpoint;
  return true;
}
/// mapa, getctarank
bool Decoder::cluster_address() {
  if (program_.cluster.count() > 1) {
    const bool to_address = instruction_->opcode == "mapa", windowed = !has("shared::cluster");
    const u8 address_bits = type() == ptx::Type::u32 ? 32 : 64;
    op_.d = destination(operand(0), to_address ? address_bits : 32);
    op_.d_bits = to_address ? address_bits : 32;
    op_.a = source(operand(1), address_bits);
    op_.a_bits = address_bits;
    if (to_address) op_.b = source(operand(2), 32);
    op_.immediate = (to_address ? 1u : 0u) | (windowed ? 2u : 0u);
    op_.step = step_cluster_address;
    return true;
  }
  // In a cluster of one block every address is its own.
  const u8 bits = operand(0).kind == Kind::reg ? register_bits(operand(0).reg) : 64;
  const bool maps = instruction_->opcode == "mapa";
  op_.d = destination(operand(0), bits);
  op_.a = maps ? source(operand(1), bits) : constants_.row_of(0, bits);
  op_.d_bits = op_.a_bits = bits;
  op_.b_bits = op_.c_bits = 0;
  if (!maps) need(operand(1), static_cast<u8>(ptx::bits_of(type())));
  if (maps && operand(1).kind == Kind::reg && register_bits(operand(1).reg) != bits)
    return refuse("its registers differ in width");
  op_.tag = maps ? tag_copy : tag_nothing;
  return find_copy(bits);
}
bool Decoder::find_copy(u8 bits) { return set_exec(bits == 64 ? "mov.b64" : bits == 16 ? "mov.b16" : "mov.b32"); }

bool Decoder::ignore() {
  if (has("tensormap")) return refuse("tensor maps are not supported");
  op_.step = step_nothing;
  op_.immediate = instruction_->opcode == "nanosleep" ? 1 : 0;
  return true;
}

void Decoder::parts(const Operand& o) {
  op_.parts = source(o, 32);
  op_.one_part = o.kind == Kind::immediate;
  op_.gathers = !op_.one_part;
}

void Decoder::members(const Operand& o) {
  parts(o);
  op_.warp_wide = op_.gathers = true;
}

bool Decoder::barrier() {
  if (has("cluster")) {
    op_.immediate = has("wait") ? 1 : 0;
    op_.step = step_cluster_barrier;
    op_.parts = constants_.row_of(all_lanes, 32);
    op_.one_part = true;
    op_.whole_warp = op_.gathers = has("aligned");
    return true;
  }
  if (has("warp")) {
    members(operand(0));
    op_.step = step_nothing;
    return true;
  }
  BarrierOp b;
  const bool red = has("red");
  std::size_t at = red ? 1 : 0;
  b.kind = red ? BarrierOp::Kind::red : has("arrive") ? BarrierOp::Kind::arrive : BarrierOp::Kind::sync;
  parts(operand(at));  // lanes may come to different barriers by one instruction
  b.aligned = instruction_->opcode == "bar" || has("aligned");
  op_.whole_warp = b.aligned || b.kind == BarrierOp::Kind::arrive;  // which waits for its warp too, at any place
  op_.gathers = op_.gathers || op_.whole_warp;
  b.number = source(operand(at++), 32);
  const std::size_t last = operand_count() - (red ? 1 : 0);
  if (at < last) b.threads = source(operand(at), 32);
  if (red) {
    b.predicate = predicate(operand(operand_count() - 1), b.flip);
    b.reduce = has("popc") ? BarrierOp::Reduce::popc : has("and") ? BarrierOp::Reduce::and_ : BarrierOp::Reduce::or_;
    b.destination = has("popc") ? destination(operand(0), 32) : predicate_destination(operand(0));
  }
  op_.immediate = static_cast<u32>(program_.barriers.size());
  program_.barriers.push_back(b);
  op_.step = step_barrier;
  return true;
}

bool Decoder::shuffle() {
  ShuffleOp s;
  using Mode = ShuffleOp::Mode;
  s.mode = has("up") ? Mode::up : has("down") ? Mode::down : has("bfly") ? Mode::bfly : Mode::idx;
  s.sync = has("sync");
  op_.d = destination(operand(0), 32);
  op_.d2 = second_predicate(operand(0));
  op_.a = source(operand(1), 32);
  op_.b = source(operand(2), 32);
  op_.c = source(operand(3), 32);
  if (s.sync) members(operand(4));
  op_.immediate = static_cast<u32>(program_.shuffles.size());
  program_.shuffles.push_back(s);
  op_.step = step_shuffle;
  return true;
}

bool Decoder::vote() {
  const bool ballot = has("ballot");
  op_.d = ballot ? destination(operand(0), 32) : predicate_destination(operand(0));
  op_.a = predicate(operand(1), op_.flip);
  op_.a_bits = 1;
  if (has("sync")) members(operand(2));
  op_.immediate = ballot ? 0 : has("all") ? 1 : has("any") ? 2 : 3;
  op_.step = step_vote;
  return true;
}

bool Decoder::match() {
  op_.d = destination(operand(0), 32);
  op_.d2 = second_predicate(operand(0));
  op_.a_bits = static_cast<u8>(ptx::bits_of(type()));
  op_.a = source(operand(1), op_.a_bits);
  members(operand(2));
  op_.immediate = has("all") ? 1 : 0;
  op_.step = step_match;
  return true;
}

bool Decoder::activemask() {
  op_.d = destination(operand(0), 32);
  op_.step = step_activemask;
  return true;
}

bool Decoder::redux() {
  static constexpr std::string_view names[] = {"add", "min", "max", "and", "or", "xor"};
  u32 which = 0;
  for (u32 i = 0; i < std::size(names); ++i)
    if (has(names[i])) which = i;
  const bool is_float = type() == Type::f32;
  if (is_float && which != 1 && which != 2) return false;
  op_.d = destination(operand(0), 32);
  op_.a = source(operand(1), 32);
  members(operand(2));
  op_.immediate = which | (type() == Type::s32 ? 8u : 0u) |
                  (is_float ? 16u | (has("abs") ? 32u : 0u) | (has("NaN") ? 64u : 0u) : 0u);
  op_.step = step_reduce;
  return true;
}

bool Decoder::elect() {
  op_.d = destination(operand(0), 32);
  op_.d2 = second_predicate(operand(0));
  members(operand(1));
  op_.step = step_elect;
  return true;
}

bool Decoder::probe() {
  op_.a_bits = operand(0).kind == Kind::reg ? register_bits(operand(0).reg) : 32;
  op_.a = source(operand(0), op_.a_bits);
  const int here = static_cast<int>(instruction_ - entry_.code.data());
  const auto after = std::ranges::upper_bound(entry_.probes, here, {}, &ptx::Probe::instruction);
  op_.immediate = after == entry_.probes.begin() ? 0 : static_cast<u32>(after - entry_.probes.begin() - 1);
  op_.step = step_probe;
  return true;
}

}  // namespace lanescope::emulator
