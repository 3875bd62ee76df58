#include "app/engine/prepare/prepare.h"

#include <algorithm>

#include "app/engine/prepare/launch_plan.h"
#include "kernels/base/set_bits.h"
#include "kernels/emulator/emulator.h"

namespace lanescope::engine {
namespace {

using Clock = emulator::Limits::Clock;

constexpr std::uint64_t trial_steps = 20'000'000;
constexpr std::uint32_t trial_shared_bytes = 64 * 1024, shared_grain = 16;
constexpr std::uint64_t element_grain = 32;

/// The end of what is accessed in each buffer, and in shared memory.
class Reach final : public trace::Observer {
 public:
  explicit Reach(const std::vector<trace::Buffer>& buffers) : addresses_(emulator::place_buffers(buffers)) {
    for (const trace::Buffer& b : buffers) bytes_.push_back(b.bytes.size());
    ends.resize(buffers.size());
  }
  void on_access(const trace::AccessEvent& e) override {
    const bool shared = e.space == trace::MemorySpace::shared;
    if (!shared && e.space != trace::MemorySpace::global) return;
    const auto width = static_cast<std::uint64_t>(e.width_bytes);
    for (const std::size_t lane : set_bits(e.where.active)) {
      const std::uint64_t at = e.addresses[lane];
      if (shared) {
        shared_end = std::max(shared_end, at + width);
        continue;
      }
      const auto past = std::ranges::upper_bound(addresses_, at);
      if (past == addresses_.begin()) continue;
      const auto b = static_cast<std::size_t>(past - addresses_.begin()) - 1;
      if (at - addresses_[b] < bytes_[b]) ends[b] = std::max(ends[b], at - addresses_[b] + width);
    }
  }
  std::vector<std::uint64_t> ends;
  std::uint64_t shared_end = 0;

 private:
  std::vector<std::uint64_t> addresses_, bytes_;
};

constexpr std::string_view by_reach = "as far as the kernel's accesses reach";

/// Whether an operand is dynamic shared memory, or how much of it there is.
bool is_dynamic_shared(const ptx::Module& module, const ptx::Operand& o) {
  if (o.special == ptx::Special::dynamic_smem_size || o.special == ptx::Special::total_smem_size) return true;
  if (o.symbol_scope == ptx::Operand::Scope::module && o.symbol >= 0) {
    const ptx::Variable& v = module.variables[static_cast<std::size_t>(o.symbol)];
    if (v.space == ptx::Space::shared && v.bytes == 0) return true;
  }
  return std::ranges::any_of(o.elements, [&](const ptx::Operand& e) { return is_dynamic_shared(module, e); });
}

/// Whether the kernel or a function of its module uses dynamic shared memory; if not, no launch gives it any.
bool uses_dynamic_shared(const ptx::Module& module, const std::string& kernel) {
  const ptx::Entry* entry = module.find_entry(kernel);
  return std::ranges::any_of(module.entries, [&](const ptx::Entry& e) {
    return (&e == entry || e.is_function) && std::ranges::any_of(e.code, [&](const ptx::Instruction& i) {
             return std::ranges::any_of(i.operands, [&](const auto& o) { return is_dynamic_shared(module, o); });
           });
  });
}

/// The result of a trial about a size, in place of the earlier value. Beside a launch header it is no more than its default.
void correct(source::Header& header, source::Assumption fitted) {
  const auto old = std::ranges::find_if(header.assumed, [&](const source::Assumption& a) {
    return a.code == fitted.code && a.name == fitted.name && a.launch == fitted.launch;
  });
  if (old != header.assumed.end())
    *old = std::move(fitted);
  else if (header.present)
    header.inferred.push_back(sentence_of(fitted));
  else
    header.assumed.push_back(std::move(fitted));
}

/// Whether the launches, as far as a trial of `seconds` gets, leave their arrays.
bool leaves_arrays(const source::Source& source, const Program& plain, const std::string& directory, double seconds,
                   const std::atomic<bool>* cancel) {
  auto buffers = make_buffers(source, directory);
  if (!buffers) return false;
  const auto begun = Clock::now();
  const auto end = begun + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  auto heap = first_heap(plain);
  for (std::size_t i = 0; i < plain.launches.size() && Clock::now() < end; ++i) {
    trace::perform(plain.launches[i].before, *buffers, emulator::place_buffers(*buffers));
    const emulator::Options how{.max_steps = trial_steps,
                                .cancel = cancel,
                                .print = {.calls = 0, .bytes = 0},
                                .limits = {.no_block_after = end, .no_sample_after = end, .leave_at = end},
                                .heap = heap};
    const auto result = emulator::run(plain.module, plain.launches[i], *buffers, how);
    if (!result) return false;
    heap = result->heap;
    for (const emulator::Fault& f : result->faults)
      if (f.kind == emulator::Fault::Kind::out_of_bounds) return true;
    if (!result->faults.empty()) return false;
  }
  return false;
}

bool grow(source::Header& header, source::BufferSpec& buffer, std::uint64_t end_bytes) {
  const auto bits = static_cast<std::uint64_t>(std::max(buffer.element_bits, 1));
  const std::uint64_t elements = (end_bytes * 8 / bits + element_grain - 1) / element_grain * element_grain;
  if (elements <= buffer.elements || buffer.axes.size() != 1) return false;
  buffer.axes.front().extent = elements;
  buffer.axes.front().stride_elements = 0;
  if (!source::lay_out(buffer).empty()) return false;
  correct(header, {.code = source::Assumption::Code::buffer_size,
                   .name = buffer.name,
                   .value = std::to_string(elements),
                   .because = std::string(by_reach)});
  return true;
}

}  // namespace

bool fit_assumed_sizes(source::Source& source, const Program& plain, const std::string& directory,
                       const std::atomic<bool>* cancel) {
  source::Header& header = source.header;
  for (std::size_t i = 0; i < header.launches.size() && i < plain.launches.size(); ++i)
    header.launches[i].shared_assumed &= uses_dynamic_shared(plain.module, plain.launches[i].kernel);
  const auto loose = std::ranges::count_if(header.buffers, &source::BufferSpec::size_assumed);
  const bool loose_shared = std::ranges::any_of(header.launches, &source::LaunchSpec::shared_assumed);
  if (loose == 0 && !loose_shared) return false;
  auto buffers = make_buffers(source, directory);
  if (!buffers) return false;
  const std::uint64_t least = most_fitted_bytes / static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(loose, 1));
  // A count that is known may be that of elements.
  double count = 0;
  for (const source::LaunchSpec& l : header.launches)
    for (const source::ArgumentSpec& a : l.arguments)
      if (const auto* number = std::get_if<double>(&a.value); number != nullptr && a.members.empty())
        count = std::max(count, *number);
  const auto room_of = [&](const source::BufferSpec& b) {
    const auto wanted =
        static_cast<std::uint64_t>(std::min(count, 1e12)) * static_cast<std::uint64_t>(b.element_bits) / 8;
    return std::max(
        least, std::min(wanted, most_counted_bytes / static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(loose, 1))));
  };
  std::vector<std::uint64_t> original;
  for (const trace::Buffer& b : *buffers) original.push_back(b.bytes.size());
  for (std::size_t b = 0; b < buffers->size(); ++b)
    if (header.buffers[b].size_assumed)
      (*buffers)[b].bytes.resize(std::max<std::size_t>((*buffers)[b].bytes.size(), room_of(header.buffers[b])));
  Reach reach(*buffers);
  bool unfinished = false;
  const auto begun = Clock::now();
  const auto after = [&](double seconds) {
    return begun + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  };
  std::vector<std::uint32_t> shared(plain.launches.size());
  auto heap = first_heap(plain);
  for (std::size_t i = 0; i < plain.launches.size() && Clock::now() < after(fit_seconds); ++i) {
    trace::Launch launch = plain.launches[i];
    const bool fit_shared = i < header.launches.size() && header.launches[i].shared_assumed;
    if (fit_shared) launch.dynamic_shared_bytes = std::max(launch.dynamic_shared_bytes, trial_shared_bytes);
    reach.shared_end = 0;
    trace::perform(launch.before, *buffers, emulator::place_buffers(*buffers));
    const emulator::Options how{.max_steps = trial_steps,
                                .observers = {&reach},
                                .cancel = cancel,
                                .print = {.calls = 0, .bytes = 0},
                                .limits = {.no_block_after = after(fit_seconds / 2),
                                           .no_sample_after = after(fit_seconds),
                                           .leave_at = after(fit_seconds)},
                                .observers_of_grids = {&reach},
                                .heap = heap};
    const auto result = emulator::run(plain.module, launch, *buffers, how);
    if (!result) return false;
    heap = result->heap;
    const std::uint32_t of_kernel = result->shared_bytes - launch.dynamic_shared_bytes;
    if (fit_shared && reach.shared_end > of_kernel)
      shared[i] =
          (static_cast<std::uint32_t>(reach.shared_end) - of_kernel + shared_grain - 1) / shared_grain * shared_grain;
    if (!result->faults.empty()) break;
    const trace::Coverage& ran = result->coverage;
    const bool reached_last =
        ran.whole() || (!ran.others.empty() && *std::ranges::max_element(ran.others) + 1 == ran.blocks);
    unfinished = unfinished || ran.midway > 0 || !reached_last;
  }
  if (unfinished)  // a loop continues after the trial: as far as the trial had room
    for (std::size_t b = 0; b < header.buffers.size(); ++b)
      if (header.buffers[b].size_assumed && reach.ends[b] > original[b]) reach.ends[b] = room_of(header.buffers[b]);
  bool changed = false;
  for (std::size_t b = 0; b < header.buffers.size(); ++b)
    if (header.buffers[b].size_assumed) changed |= grow(header, header.buffers[b], reach.ends[b]);
  for (std::size_t i = 0; i < shared.size() && i < header.launches.size(); ++i) {
    source::LaunchSpec& l = header.launches[i];
    if (!l.shared_assumed) continue;
    correct(header, {.code = source::Assumption::Code::shared_size,
                     .launch = static_cast<int>(i),
                     .kernel = l.kernel,
                     .value = std::to_string(std::max(shared[i], l.dynamic_shared_bytes)),
                     .because = std::string(by_reach)});
    if (shared[i] <= l.dynamic_shared_bytes) continue;
    l.dynamic_shared_bytes = shared[i];
    changed = true;
  }
  return changed;
}

bool zero_assumed_contents(source::Source& source, const Program& plain, const std::string& directory,
                           const std::atomic<bool>* cancel) {
  constexpr double seconds = fit_seconds / 2;
  std::vector<source::BufferSpec*> counting;
  for (source::BufferSpec& b : source.header.buffers)
    if (b.contents_assumed && b.initial.kind == source::Contents::Kind::iota && !is_floating(b.element_type))
      counting.push_back(&b);
  if (counting.empty() || !leaves_arrays(source, plain, directory, seconds, cancel)) return false;
  for (source::BufferSpec* b : counting) b->initial.kind = source::Contents::Kind::zeros;
  if (leaves_arrays(source, plain, directory, seconds, cancel)) {
    for (source::BufferSpec* b : counting) b->initial.kind = source::Contents::Kind::iota;
    return false;
  }
  for (const source::BufferSpec* b : counting)
    correct(source.header, {.code = source::Assumption::Code::contents,
                            .name = b->name,
                            .value = "zeros",
                            .because = "because with 0, 1, 2, ... a kernel leaves its arrays"});
  return true;
}

}  // namespace lanescope::engine
