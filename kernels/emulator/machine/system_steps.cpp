// System calls of a kernel: printf, a failed assertion.

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/machine/control_steps.h"
#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/machine/print_format.h"
#include "kernels/emulator/machine/system_calls.h"

namespace lanescope::emulator {

namespace {

/// The bytes from a generic address to the end of the object there, as one lane reads them; empty: no such object.
std::span<const u8> memory_from(Context& c, int lane, u64 address) {
  const auto rest = [](const Store& s, u64 at) {
    return at < s.bytes ? std::span(s.data + at, s.bytes - at) : std::span<const u8>();
  };
  if (address - shared_window < window_bytes) {
    for (const Store* s : {&c.block.shared, &c.block.reserved})
      if (const auto found = rest(*s, address - shared_window - s->base); !found.empty()) return found;
    return {};
  }
  if (address - local_window < window_bytes) {
    const u64 per_lane = c.machine.program->local_bytes, at = address - local_window;
    if (at >= per_lane) return {};
    return {c.warp.local.data + static_cast<u64>(lane) * per_lane + at, per_lane - at};
  }
  const Store* s = c.machine.global.find(address, 1);
  return s == nullptr ? std::span<const u8>() : rest(*s, address - s->base);
}

std::string words_at(Context& c, u64 address) {
  if (address - shared_window < window_bytes) return "outside of the block's shared memory";
  if (address - local_window < window_bytes) return "outside of the thread's local memory";
  return c.machine.global.nearest(address);
}

/// Text that ends with a zero byte; nothing where memory ends before.
std::optional<std::string_view> text_at(Context& c, int lane, u64 address) {
  const std::span<const u8> memory = memory_from(c, lane, address);
  const auto end = std::ranges::find(memory, u8{0});
  if (end == memory.end()) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(memory.data()), static_cast<std::size_t>(end - memory.begin()));
}

void keep(Context& c, int lane, PrintedText&& printed) {
  Running& m = c.machine;
  const PrintBudget& most = m.options.print;
  ++m.result.printed_calls;
  if (m.result.printed.size() >= most.calls || m.printed_bytes >= most.bytes) return;
  Printed p{.where = c.where, .lane = lane, .line = m.program->line_of(c.where.pc), .text = std::move(printed.text)};
  p.of_host_only = std::move(printed.of_host_only);
  p.string_after = printed.string_after;
  p.cut = printed.cut || p.text.size() > most.bytes - m.printed_bytes;
  p.text.resize(std::min<std::size_t>(p.text.size(), most.bytes - m.printed_bytes));
  m.printed_bytes += p.text.size();
  m.result.printed.push_back(std::move(p));
}

/// False after a fault.
bool print_lane(Context& c, const SystemCall& call, int lane) {
  const u64 format_at = call_argument(c, call, 0, lane, 8), arguments_at = call_argument(c, call, 1, lane, 8);
  if (format_at == 0) return give_result(c, call, lane, 0xffffffff, 4), true;
  const auto outside = [&](u64 address, const std::string& what) {
    c.machine.fault_at(c, Fault::Kind::out_of_bounds, lane, address,
                       fmt::format("printf reads {} at address {:#x}, {}", what, address, words_at(c, address)));
    return false;
  };
  const auto format = text_at(c, lane, format_at);
  if (!format) return outside(format_at, "a format without an end");
  PrintedText printed = print_text(*format, memory_from(c, lane, arguments_at),
                                   [&](u64 address) { return memory_from(c, lane, address); });
  using Missing = PrintedText::Missing;
  if (printed.missing == Missing::argument)
    return outside(arguments_at,
                   fmt::format("its argument {} ({} bytes) after the arguments", printed.arguments + 1, printed.bytes));
  if (printed.missing == Missing::string)
    return outside(printed.address, fmt::format("a string without an end (argument {})", printed.arguments));
  give_result(c, call, lane, static_cast<u64>(printed.arguments), 4);
  keep(c, lane, std::move(printed));
  return true;
}

}  // namespace

u64 call_argument(Context& c, const SystemCall& call, std::size_t index, int lane, u32 bytes, u32 from) {
  const u64 base = static_cast<u64>(lane) * c.machine.program->local_bytes;
  return read_bytes(c.warp.local.data + base + call.arguments[index] + from, bytes);
}

void give_result(Context& c, const SystemCall& call, int lane, u64 value, u32 bytes) {
  if (!call.has_result) return;
  const u64 at = static_cast<u64>(lane) * c.machine.program->local_bytes + call.result;
  write_bytes(c.warp.local.data + at, value, bytes);
  if (!c.machine.tags()) return;
  TagContext t = c.tags();
  for (u32 i = 0; i < bytes; i += 4) write_tag(t, c.warp.local, at + i, 4, trace::no_data);
}

Flow step_printf(Context& c, const Op& op, u32 mask) {
  const SystemCall& call = c.machine.program->system_calls[op.immediate];
  for (const std::size_t lane : set_bits(mask))
    if (!print_lane(c, call, static_cast<int>(lane))) return Flow::faulted;
  c.group().polls = 0;
  c.warp.polling = false;
  return Flow::next;
}

Flow step_assertion(Context& c, const Op& op, u32 mask) {
  const SystemCall& call = c.machine.program->system_calls[op.immediate];
  const int lane = std::countr_zero(mask);
  const auto text = [&](std::size_t index) {
    const auto found = text_at(c, lane, call_argument(c, call, index, lane, 8));
    return std::string(found.value_or("?"));
  };
  std::string file = text(1);
  file.erase(0, file.rfind('/') + 1);
  const int others = std::popcount(mask) - 1;
  const trace::Dim3& b = c.machine.program->launch.block;
  const u32 thread = c.warp.index * lanes + static_cast<u32>(lane);
  c.machine.fault_at(
      c, Fault::Kind::assertion, lane, 0,
      fmt::format("assertion `{}` does not hold in `{}` ({}:{}), thread ({},{},{}){}", text(0), text(3), file,
                  call_argument(c, call, 2, lane, 4), thread % b.x, thread / b.x % b.y, thread / b.x / b.y,
                  others == 0 ? "" : fmt::format(" and {} other{} of the warp", others, others == 1 ? "" : "s")));
  return Flow::faulted;
}

}  // namespace lanescope::emulator
