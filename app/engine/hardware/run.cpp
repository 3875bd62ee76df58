#include "app/engine/hardware/run.h"

#include <algorithm>
#include <cstring>

#include "app/engine/hardware/device.h"
#include "app/engine/prepare/launch_plan.h"
#include "app/engine/summary/contents.h"
#include "kernels/emulator/machine/heap.h"

namespace lanescope::engine {
namespace {

/// An address that the host put into a buffer and that is still there becomes the emulator's address of the same place, so
/// that contents can be compared.
void translate_addresses(const HardwareRun& run, gpu::ChildAnswer& answer) {
  const std::vector<std::uint64_t> emulated = emulator::place_buffers(run.buffers);
  const std::vector<std::uint64_t>& own = answer.result.addresses;
  for (const trace::Launch& launch : run.program.launches)
    for (const trace::HostStep& step : launch.before) {
      if (step.kind != trace::HostStep::Kind::address) continue;
      const auto to = static_cast<std::size_t>(step.to.buffer), from = static_cast<std::size_t>(step.from.buffer);
      if (to >= answer.buffers.size() || from >= own.size() || from >= emulated.size()) continue;
      trace::Bytes& bytes = answer.buffers[to].bytes;
      const auto at = static_cast<std::uint64_t>(step.to.offset_bytes);
      std::uint64_t word = 0;
      if (at > bytes.size() || bytes.size() - at < sizeof word) continue;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      const auto offset = static_cast<std::uint64_t>(step.from.offset_bytes);
      if (word != own[from] + offset) continue;
      word = emulated[from] + offset;
      std::memcpy(bytes.data() + at, &word, sizeof word);
    }
}

/// The GPU's bytes, with the emulator's address where both hold one of their device heap.
trace::Bytes with_emulated_heap(const trace::Bytes& on_gpu, const trace::Bytes& emulated, const emulator::Heap& heap) {
  trace::Bytes out = on_gpu;
  std::byte* const to = out.data();
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= emulated.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t here = 0, there = 0;
    std::memcpy(&here, emulated.data() + at, sizeof here);
    std::memcpy(&there, to + at, sizeof there);
    if (there == 0 || !emulator::is_heap_address(here)) continue;
    const std::uint64_t offset = here - emulator::heap_begin();
    const emulator::HeapBlock* const block = heap.before(offset);
    if (block != nullptr && offset <= block->end()) std::memcpy(to + at, &here, sizeof here);
  }
  return out;
}

}  // namespace

Deadline HardwareOptions::deadline() const {
  return {std::chrono::milliseconds(static_cast<std::int64_t>(limit_seconds * 1000)), cancel};
}

Expected<gpu::ChildAnswer> run_on_gpu(const HardwareRun& run) {
  const HardwareOptions& options = run.options;
  if (auto there = need_device(options.device); !there) return tl::unexpected(there.error());
  auto answer = gpu::run_in_child(child_command("run"),
                                  {.ptx = run.program.ptx,
                                   .launches = host_launches(run.program),
                                   .buffers = run.buffers,
                                   .options = {.device = options.device,
                                               .warm_up = options.warm_up,
                                               .repetitions = options.repetitions,
                                               .cooperative = run.program.cooperative,
                                               .heap_bytes = run.program.heap_bytes}},
                                  options.deadline());
  if (answer) translate_addresses(run, *answer);
  return answer;
}

std::vector<results::BufferComparison> compare_buffers(const std::vector<trace::Buffer>& on_gpu,
                                                       const std::vector<trace::Buffer>& emulated,
                                                       const emulator::HeapState* heap) {
  const bool allocated = heap != nullptr && !heap->heap.blocks().empty();
  std::vector<results::BufferComparison> out;
  for (std::size_t i = 0; i < on_gpu.size() && i < emulated.size(); ++i) {
    const trace::Buffer &a = on_gpu[i], &b = emulated[i];
    const auto bits = static_cast<std::uint64_t>(std::max(b.element_bits, 1));
    results::BufferComparison c{.name = b.name, .elements = b.bytes.size() * 8 / bits};
    const bool same_size = a.bytes.size() == b.bytes.size();
    const trace::Bytes with_heap =
        allocated && same_size ? with_emulated_heap(a.bytes, b.bytes, heap->heap) : trace::Bytes();
    const trace::Bytes& found = allocated ? with_heap : a.bytes;
    if (const Differences d = same_size ? differences(static_cast<int>(bits), found, b.bytes) : Differences{};
        d.count > 0) {
      c.different = d.count, c.first = static_cast<std::uint64_t>(d.first);
      c.gpu = element_words(b.element_type, a.bytes, c.first);
      c.emulator = element_words(b.element_type, b.bytes, c.first);
    }
    out.push_back(std::move(c));
  }
  return out;
}

void take_contents(std::vector<trace::Buffer>&& on_gpu, const std::vector<trace::Buffer>& like,
                   std::vector<trace::Buffer>& into) {
  into = like;
  for (std::size_t i = 0; i < into.size() && i < on_gpu.size(); ++i) into[i].bytes = std::move(on_gpu[i].bytes);
}

void locate_fault(const std::vector<emulator::Fault>& emulated, results::Measured& measured) {
  if (emulated.empty()) {
    measured.fault_source = "the emulator runs the same program to its end, so the place of the fault is not known";
    return;
  }
  if (emulated.front().kind == emulator::Fault::Kind::unsupported) {
    measured.fault_source = "the emulator cannot run the kernel to its end, so the place of the fault is not known: " +
                            emulated.front().message;
    return;
  }
  measured.fault_line = emulated.front().line;
  measured.fault_source = "the emulator stops, too: " + emulated.front().message;
}

void add_refusal(const Diagnostics& why, results::Measured& measured) {
  measured.refused.insert(measured.refused.end(), why.begin(), why.end());
}

std::optional<results::TimingInfo> timing_info(const gpu::Timing& timing, int warm_up) {
  const auto& times = timing.milliseconds;
  if (times.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  std::vector<double> samples_us;
  for (const float ms : times) samples_us.push_back(1e3 * static_cast<double>(ms));
  return results::TimingInfo{.warm_up = warm_up,
                             .repetitions = static_cast<int>(times.size()),
                             .median_us = 1e3 * timing.median(),
                             .spread_us = 1e3 * timing.spread(),
                             .least_us = 1e3 * *least,
                             .most_us = 1e3 * *most,
                             .samples_us = std::move(samples_us)};
}

void describe_answer(const gpu::ChildAnswer& answer, int warm_up, results::Measured& measured) {
  measured.fault = answer.result.fault;
  describe_device(answer.device, measured);
  if (auto timing = timing_info(answer.result.timing, warm_up)) measured.timing = timing;
}

}  // namespace lanescope::engine
