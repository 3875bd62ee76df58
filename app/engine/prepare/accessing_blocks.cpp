#include "app/engine/prepare/prepare.h"

#include <algorithm>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/emulator.h"

namespace lanescope::engine {
namespace {

class Watcher final : public trace::Observer {
 public:
  struct Bytes {
    std::uint64_t first = 0, end = 0;
    std::size_t element = 0;
  };
  Watcher(std::vector<Bytes> wanted, AccessingBlocks& found) : left_(std::move(wanted)), found_(found) {}
  const std::atomic<bool>& enough() const { return enough_; }

  void on_access(const trace::AccessEvent& event) override {
    if (event.space != trace::MemorySpace::global || left_.empty()) return;
    for (const std::size_t lane : set_bits(event.where.active)) {
      const std::uint64_t from = event.addresses[lane], to = from + static_cast<std::uint64_t>(event.width_bytes);
      std::erase_if(left_, [&](const Bytes& b) {
        if (to <= b.first || from >= b.end) return false;
        found_.blocks[b.element].push_back(event.where.block);
        return true;
      });
    }
    if (left_.empty()) enough_ = true;
  }

 private:
  std::vector<Bytes> left_;
  AccessingBlocks& found_;
  std::atomic<bool> enough_ = false;
};

}  // namespace

AccessingBlocks accessing_blocks(const Program& program, std::vector<trace::Buffer> buffers,
                                 const BlocksQuestion& question) {
  AccessingBlocks out{.blocks = std::vector<std::vector<std::uint32_t>>(question.elements.size())};
  const auto end = emulator::Limits::Clock::now() + question.most_time;
  auto heap = first_heap(program);
  for (std::size_t n = 0; n <= question.launch && n < program.launches.size(); ++n) {
    const std::vector<std::uint64_t> addresses = emulator::place_buffers(buffers);
    trace::perform(program.launches[n].before, buffers, addresses);
    std::vector<Watcher::Bytes> wanted;
    for (std::size_t e = 0; n == question.launch && e < question.elements.size(); ++e) {
      const auto [buffer, element] = question.elements[e];
      if (buffer < 0 || static_cast<std::size_t>(buffer) >= buffers.size()) continue;
      const auto b = static_cast<std::size_t>(buffer);
      const std::uint64_t bits = static_cast<std::uint64_t>(std::max(buffers[b].element_bits, 1));
      wanted.push_back({addresses[b] + element * bits / 8, addresses[b] + ((element + 1) * bits + 7) / 8, e});
    }
    Watcher watcher(std::move(wanted), out);
    emulator::Options how{.seed = question.seed, .max_steps = question.max_steps, .cancel = &watcher.enough()};
    how.print = {.calls = 0, .bytes = 0};
    how.grids = program.grids;
    how.heap = heap;
    how.limits.no_block_after = how.limits.no_sample_after = how.limits.leave_at = end;
    if (n == question.launch) how.observers.push_back(&watcher);
    const auto result = emulator::run(program.module, program.launches[n], buffers, how);
    const bool whole = result && result->faults.empty() && result->coverage.whole();
    if (n == question.launch) out.whole = whole;
    if (!whole) break;
    heap = result->heap;
  }
  return out;
}

}  // namespace lanescope::engine
