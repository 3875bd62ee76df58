// Kernels that launch kernels: the functions of the device runtime (CUDA 12 and later). A launch is two calls: the first one
// says what is launched and returns where the parameters go, the second one sends it off. Here it only becomes known; it runs
// when the grid has ended (kernels/emulator/grids.cpp), which is an order that every stream allows.

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/machine/device_heap.h"
#include "kernels/emulator/machine/error_texts.h"
#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/machine/program.h"
#include "kernels/emulator/machine/system_calls.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

constexpr u64 parameter_alignment = 256;

const SystemCall& call_of(const Context& c, const Op& op) { return c.machine.program->system_calls[op.immediate]; }

void made_progress(Context& c) {
  ++c.machine.acts;
  c.group().polls = 0;
  c.warp.polling = false;
}

Flow refuse_launch(Context& c, int lane, const std::string& what, std::string remedy) {
  c.machine.fault_at(c, Fault::Kind::launch, lane, 0, what);
  c.machine.result.faults.back().remedy = std::move(remedy);
  return Flow::faulted;
}

/// The kernel that begins at an address; -1: none does.
int kernel_at(const ptx::Module& module, u64 address) {
  const u64 first = function_address(0), index = (address - first) / (function_address(1) - first);
  if (address < first || index >= module.entries.size() || function_address(static_cast<int>(index)) != address)
    return -1;
  const ptx::Entry& e = module.entries[index];
  return e.is_function || e.is_declaration ? -1 : static_cast<int>(index);
}

std::string extent_words(const trace::Dim3& d) {
  if (d.z != 1) return fmt::format("({},{},{})", d.x, d.y, d.z);
  return d.y != 1 ? fmt::format("({},{})", d.x, d.y) : fmt::format("{}", d.x);
}

/// "`child<<<4, 32>>>`"
std::string launch_words(const ptx::Entry& kernel, const DeviceRuntime::Prepared& p) {
  return fmt::format("`{}<<<{}, {}>>>`", ptx::qualified_name(kernel.name), extent_words(p.grid), extent_words(p.block));
}

struct Refusal {
  std::string what, remedy;  ///< what: empty, where nothing is wrong
};

Refusal refusal_of(const Running& m, const DeviceRuntime::Prepared& p) {
  const trace::Launch& own = m.program->launch;
  const ptx::Entry& kernel = m.program->module->entries[static_cast<std::size_t>(p.entry)];
  const std::string name = launch_words(kernel, p);
  if (own.depth + 1 > trace::most_nested_grids)
    return {fmt::format("{} would be nested {} deep; grids nest {} deep at most (cudaErrorLaunchMaxDepthExceeded)",
                        name, own.depth + 1, trace::most_nested_grids),
            "end the recursion earlier, or continue with a launch from host code"};
  const u64 waiting = own.waiting + m.runtime.prepared.size();
  if (waiting >= m.options.pending_launches)
    return {fmt::format("{} would be launch {} that waits to begin; {} can wait "
                        "(cudaLimitDevRuntimePendingLaunchCount, cudaErrorLaunchPendingCountExceeded)",
                        name, waiting + 1, m.options.pending_launches),
            "launch fewer grids with more blocks each"};
  trace::Launch launch;
  launch.grid = p.grid;
  launch.block = p.block;
  if (auto ok = check_launch(launch, kernel); !ok)
    return {fmt::format("{} cannot be launched: {} (cudaErrorInvalidConfiguration)", name, ok.error()[0].message),
            ok.error()[0].remedy};
  if (p.dynamic_shared_bytes > most_shared_bytes)
    return {fmt::format("{} cannot be launched: {} bytes of shared memory are more than the {} that a block can have",
                        name, p.dynamic_shared_bytes, most_shared_bytes),
            "use less shared memory"};
  return {};
}

Store& parameter_store(Running& m) {
  return *std::ranges::find(m.global.stores, launch_parameters_address, &Store::base);
}

/// Memory for the parameters after what there is, and its address.
u64 add_parameters(Running& m, const ptx::Entry& kernel) {
  u64 bytes = 16;
  for (const ptx::Param& p : kernel.params) bytes = std::max(bytes, p.offset + p.bytes);
  const u64 at = m.runtime.parameter_bytes;
  m.runtime.parameter_bytes += (bytes + parameter_alignment - 1) / parameter_alignment * parameter_alignment;
  Store& s = parameter_store(m);
  if (s.own.size() < m.runtime.parameter_bytes) {
    s.own.resize(std::max<std::size_t>(m.runtime.parameter_bytes, s.own.size() * 2));
    s.data = s.own.data();
    if (!s.tags.empty()) s.tags.resize((s.own.size() + 3) / 4, trace::no_data);
  }
  s.bytes = s.own.size();
  return launch_parameters_address + at;
}

std::vector<trace::Argument> arguments_at(Running& m, const ptx::Entry& kernel, u64 address) {
  std::vector<trace::Argument> out;
  const Store& s = parameter_store(m);
  for (const ptx::Param& p : kernel.params) {
    trace::ValueArgument bytes(p.bytes);
    std::memcpy(bytes.data(), s.data + (address - s.base) + p.offset, p.bytes);
    out.emplace_back(std::move(bytes));
  }
  return out;
}

/// Writes what a function returns through a pointer; false after a fault.
bool write_through(Context& c, int lane, u64 address, u64 value, u32 bytes) {
  Store* s = nullptr;
  u64 at = 0;
  if (address - local_window < window_bytes) {
    const u64 per_lane = c.machine.program->local_bytes, offset = address - local_window;
    if (offset <= per_lane && per_lane - offset >= bytes) s = &c.warp.local;
    at = static_cast<u64>(lane) * per_lane + offset;
  } else if (address - shared_window < window_bytes) {
    at = address - shared_window - c.block.shared.base;
    if (at <= c.block.shared.bytes && c.block.shared.bytes - at >= bytes) s = &c.block.shared;
  } else if (s = c.machine.global.find(address, bytes); s != nullptr) {
    at = address - s->base;
  }
  if (s == nullptr || !s->writable || address % 4 != 0) {
    c.machine.fault_at(
        c, Fault::Kind::out_of_bounds, lane, address,
        fmt::format("a function of the runtime stores {} bytes at address {:#x}, where it cannot", bytes, address));
    return false;
  }
  write_bytes(s->data + at, value, bytes);
  if (c.machine.tags()) {
    TagContext t = c.tags();
    for (u32 i = 0; i < bytes; i += 4) write_tag(t, *s, at + i, 4, trace::no_data);
  }
  return true;
}

void give_no_error(Context& c, const SystemCall& call, int lane) { give_result(c, call, lane, 0, 4); }

}  // namespace

Flow step_parameter_buffer(Context& c, const Op& op, u32 mask) {
  const SystemCall& call = call_of(c, op);
  Running& m = c.machine;
  for (const std::size_t l : set_bits(mask)) {
    const int lane = static_cast<int>(l);
    const auto extents = [&](std::size_t argument) {
      const auto word = [&](u32 from) { return static_cast<u32>(call_argument(c, call, argument, lane, 4, from)); };
      return trace::Dim3{word(0), word(4), word(8)};
    };
    const u64 function = call_argument(c, call, 0, lane, 8);
    DeviceRuntime::Prepared p{.entry = kernel_at(*m.program->module, function),
                              .grid = extents(1),
                              .block = extents(2),
                              .dynamic_shared_bytes = static_cast<u32>(call_argument(c, call, 3, lane, 4))};
    if (p.entry < 0)
      return refuse_launch(c, lane, fmt::format("launches an address that is no kernel of this file ({:#x})", function),
                           "launch a __global__ function");
    if (Refusal r = refusal_of(m, p); !r.what.empty()) return refuse_launch(c, lane, r.what, r.remedy);
    p.parameters = add_parameters(m, m.program->module->entries[static_cast<std::size_t>(p.entry)]);
    give_result(c, call, lane, p.parameters, 8);
    m.runtime.prepared.push_back(p);
  }
  made_progress(c);
  return Flow::next;
}

Flow step_device_launch(Context& c, const Op& op, u32 mask) {
  using Order = trace::DeviceLaunch::Order;
  const SystemCall& call = call_of(c, op);
  Running& m = c.machine;
  for (const std::size_t l : set_bits(mask)) {
    const int lane = static_cast<int>(l);
    const u64 parameters = call_argument(c, call, 0, lane, 8), stream = call_argument(c, call, 1, lane, 8);
    const auto p = std::ranges::lower_bound(m.runtime.prepared, parameters, {}, &DeviceRuntime::Prepared::parameters);
    if (p == m.runtime.prepared.end() || p->parameters != parameters || p->launched)
      return refuse_launch(c, lane,
                           fmt::format("launches with parameters at address {:#x}, which no launch has", parameters),
                           "write kernel<<<grid, block>>>(...)");
    const bool known = stream <= stream_fire_and_forget ||
                       (stream >= first_stream_handle && stream < first_stream_handle + m.runtime.handles);
    if (!known)
      return refuse_launch(c, lane,
                           fmt::format("launches into stream {:#x}, which no thread of this grid created "
                                       "(cudaErrorInvalidResourceHandle)",
                                       stream),
                           "create the stream in the block that launches into it, with cudaStreamCreateWithFlags(&s, "
                           "cudaStreamNonBlocking)");
    p->launched = true;
    const ptx::Entry& kernel = m.program->module->entries[static_cast<std::size_t>(p->entry)];
    trace::DeviceLaunch d;
    d.launch.kernel = kernel.name;
    d.launch.grid = p->grid;
    d.launch.block = p->block;
    d.launch.dynamic_shared_bytes = p->dynamic_shared_bytes;
    d.launch.arguments = arguments_at(m, kernel, parameters);
    d.launch.depth = m.program->launch.depth + 1;
    d.order = stream == stream_tail_launch       ? Order::tail
              : stream == stream_fire_and_forget ? Order::fire_and_forget
                                                 : Order::stream;
    d.stream = stream;
    d.where = c.where;
    d.lane = lane;
    d.thread = c.warp.index * lanes + static_cast<u32>(lane);
    d.line = m.program->line_of(c.where.pc);
    m.runtime.launched.push_back(std::move(d));
    give_no_error(c, call, lane);
  }
  made_progress(c);
  return Flow::next;
}

Flow step_new_handle(Context& c, const Op& op, u32 mask) {
  const SystemCall& call = call_of(c, op);
  for (const std::size_t l : set_bits(mask)) {
    const int lane = static_cast<int>(l);
    const u64 handle = first_stream_handle + c.machine.runtime.handles++;
    if (!write_through(c, lane, call_argument(c, call, 0, lane, 8), handle, 8)) return Flow::faulted;
    give_no_error(c, call, lane);
  }
  made_progress(c);
  return Flow::next;
}

Flow step_device_event(Context& c, const Op& op, u32 mask) {
  c.machine.runtime.uses_events = true;
  return step_no_error(c, op, mask);
}

Flow step_no_error(Context& c, const Op& op, u32 mask) {
  for (const std::size_t lane : set_bits(mask)) give_no_error(c, call_of(c, op), static_cast<int>(lane));
  return Flow::next;
}

Flow step_error_text(Context& c, const Op& op, u32 mask) {
  const SystemCall& call = call_of(c, op);
  const bool is_name = call.name.ends_with("Name");
  for (const std::size_t lane : set_bits(mask)) {
    const auto number = static_cast<int>(call_argument(c, call, 0, static_cast<int>(lane), 4));
    std::size_t row = 0;
    while (row + 1 < error_texts.size() && error_texts[row].number != number) ++row;
    give_result(c, call, static_cast<int>(lane), error_texts_address + (row * 2 + (is_name ? 0 : 1)) * error_text_bytes,
                8);
  }
  return Flow::next;
}

Flow step_device_number(Context& c, const Op& op, u32 mask) {
  const SystemCall& call = call_of(c, op);
  for (const std::size_t l : set_bits(mask)) {
    const int lane = static_cast<int>(l);
    if (!write_through(c, lane, call_argument(c, call, 0, lane, 8), call.name.ends_with("Count") ? 1 : 0, 4))
      return Flow::faulted;
    give_no_error(c, call, lane);
  }
  return Flow::next;
}

Flow step_runtime_allocate(Context& c, const Op& op, u32 mask) {
  constexpr u64 memory_allocation_error = 2;  // cudaErrorMemoryAllocation, driver_types.h of the toolkit 13.0
  constexpr u64 runtime_alignment = 256;
  const SystemCall& call = call_of(c, op);
  for (const std::size_t l : set_bits(mask)) {
    const int lane = static_cast<int>(l);
    const u64 address = allocate_in_heap(c.machine, call_argument(c, call, 1, lane, 8), runtime_alignment, c.where.pc);
    if (address != 0 && !write_through(c, lane, call_argument(c, call, 0, lane, 8), address, 8)) return Flow::faulted;
    give_result(c, call, lane, address != 0 ? 0 : memory_allocation_error, 4);
  }
  made_progress(c);
  return Flow::next;
}

Flow step_runtime_free(Context& c, const Op& op, u32 mask) {
  const SystemCall& call = call_of(c, op);
  for (const std::size_t l : set_bits(mask)) {
    const int lane = static_cast<int>(l);
    if (!free_in_heap(c, lane, call_argument(c, call, 0, lane, 8))) return Flow::faulted;
    give_no_error(c, call, lane);
  }
  made_progress(c);
  return Flow::next;
}

}  // namespace lanescope::emulator
