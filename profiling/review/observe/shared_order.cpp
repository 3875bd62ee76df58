#include "profiling/review/observe/shared_order.h"

#include <bit>

#include "kernels/base/set_bits.h"
#include "kernels/trace/reserved_shared.h"
#include "profiling/review/observe/barrier_text.h"

namespace lanescope::review {
namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Ways of ordering warps that epochs do not see.
bool orders_otherwise(const std::string& text) {
  if (has(text, "mbarrier") || has(text, "cp.async.bulk") || has(text, "barrier.cluster") ||
      has(text, ".shared::cluster"))
    return true;
  if ((has(text, "ld.") || has(text, "st.")) &&
      (has(text, ".acquire") || has(text, ".release") || has(text, ".volatile")))
    return true;
  return has(text, "bar.arrive") || has(text, "barrier.arrive") || has(text, "barrier.cta.arrive");
}

}  // namespace

SharedOrder::SharedOrder(const LaunchReview& launch) : launch_(launch), buffer_use_(launch.buffers.size(), 0) {
  for (const trace::CodeSite& site : launch.code) {
    const bool barrier = site.kind == trace::StepKind::barrier && is_barrier(site.text);
    if (orders_otherwise(site.text) || (barrier && !of_whole_block(site.text))) judged_ = false;
    if ((site.kind == trace::StepKind::load || site.kind == trace::StepKind::store) &&
        (has(site.text, "8 ") || has(site.text, "16 ")) && !has(site.text, ".global") && !has(site.text, ".param"))
      unit_bytes_ = 1;
    votes_.push_back(has(site.text, ".red"));
  }
}

SharedOrder::Block& SharedOrder::block(std::uint32_t number) {
  if (last_ != nullptr && last_number_ == number) return *last_;
  const auto [at, fresh] = blocks_.try_emplace(number);
  if (fresh) {
    const std::uint32_t warps = launch_.launch.warps_per_block();
    const std::uint64_t threads = launch_.launch.block.count();
    Block& b = at->second;
    b.arrived.assign(warps, 0);
    b.living = threads;
    for (std::uint32_t w = 0; w < warps; ++w) {
      const std::uint64_t lanes = std::min<std::uint64_t>(32, threads - std::uint64_t{w} * 32);
      b.live.push_back(lanes == 32 ? 0xffffffffu : (1u << lanes) - 1);
    }
  }
  last_number_ = number;
  return *(last_ = &at->second);
}

SharedOrder SharedOrder::part() const {
  SharedOrder out = *this;
  out.global_exchange_ = false;
  out.blocks_.clear();
  out.last_ = nullptr;
  out.barriers_.clear();
  std::ranges::fill(out.buffer_use_, std::uint8_t{0});
  return out;
}

void SharedOrder::take(const SharedOrder& part, std::uint64_t first_step) {
  for (const auto& [pc, theirs] : part.barriers_) {
    BarrierUse& use = barriers_[pc];
    use.times += theirs.times, use.needed += theirs.needed;
    use.last = theirs.last;
    use.last.step += first_step;
  }
  global_exchange_ = global_exchange_ || part.global_exchange_;
  for (std::size_t b = 0; b < buffer_use_.size(); ++b) {
    buffer_use_[b] |= part.buffer_use_[b];
    global_exchange_ = global_exchange_ || buffer_use_[b] == 3;
  }
}

void SharedOrder::note_global(int buffer, bool writes) {
  if (buffer < 0) {
    global_exchange_ = true;  // a variable of the module: not distinguished
    return;
  }
  auto& use = buffer_use_[static_cast<std::size_t>(buffer)];
  use |= writes ? 2 : 1;
  if (use == 3) global_exchange_ = true;
}

void SharedOrder::access(const trace::AccessEvent& event) {
  if (!judged_) return;
  Block& b = block(event.where.block);
  const bool atomic = event.kind == trace::AccessKind::atomic || event.kind == trace::AccessKind::reduction;
  const bool writes = atomic || event.kind != trace::AccessKind::load;
  for (const std::size_t lane : set_bits(event.where.active)) {
    const Touch touch{.thread = static_cast<std::int32_t>(event.where.warp * 32 + lane),
                      .epoch = b.epoch,
                      .pc = event.where.pc,
                      .step = event.where.step};
    const std::uint64_t at = event.addresses[lane];
    if (trace::is_reserved_shared(at)) continue;  // cooperative groups order their own words
    for (std::uint64_t unit = at / unit_bytes_; unit * unit_bytes_ < at + static_cast<std::uint64_t>(event.width_bytes);
         ++unit) {
      const std::size_t value_word = (unit * unit_bytes_ - std::min(at, unit * unit_bytes_)) / 4 * 32 + lane;
      const std::uint32_t whole = value_word < event.values.size() ? event.values[value_word] : 0;
      const std::uint32_t value = unit_bytes_ == 4 ? whole : whole >> (unit * unit_bytes_ - at) % 4 * 8 & 0xff;
      word(b, unit, touch, writes, atomic, value);
    }
  }
}

void SharedOrder::word(Block& b, std::uint64_t unit, const Touch& touch, bool writes, bool atomic,
                       std::uint32_t value) {
  if (unit >= b.words.size()) b.words.resize(unit + 1024);
  Word& w = b.words[unit];
  // Words written twice with the same value, and atomics among themselves, need no order.
  const bool harmless = writes && w.write.thread >= 0 &&
                        ((w.atomic && atomic) || (w.write.epoch == touch.epoch && w.write_value == value));
  if (w.write.thread >= 0 && !harmless) add_pair(b, w.write, touch);
  if (w.other_write.thread >= 0 && w.other_write.epoch == touch.epoch && !writes) add_pair(b, w.other_write, touch);
  if (writes)
    for (const Touch* read : {&w.other_read, &w.read, &w.older_read})
      if (read->thread >= 0) add_pair(b, *read, touch);
  if (writes) {
    if (w.write.thread >= 0 && w.write.thread / 32 != touch.thread / 32) w.other_write = w.write;
    w.write = touch;
    w.write_value = value;
    w.atomic = atomic;
    return;
  }
  if (w.read.epoch != touch.epoch) {
    w.older_read = w.read;
    w.read = touch;
    w.other_read = Touch{};
  } else if (w.read.thread != touch.thread &&
             (w.other_read.thread < 0 || w.other_read.thread / 32 == w.read.thread / 32)) {
    w.other_read = touch;
  }
}

void SharedOrder::add_pair(Block& b, const Touch& before, const Touch& now) {
  if (before.thread == now.thread || before.epoch == now.epoch) return;
  const auto [from, to] = std::minmax(before.epoch, now.epoch);
  if (to == from + 1)
    b.crossings[static_cast<std::size_t>(from)].needed = true;
  else
    b.far_pairs[{from, to}] = true;
}

std::int32_t SharedOrder::epoch(std::uint32_t number) { return judged_ ? block(number).epoch : -1; }

void SharedOrder::barrier(const trace::Where& where) {
  if (where.pc >= launch_.code.size() || !is_barrier(launch_.code[where.pc].text) || !judged_) return;
  Block& b = block(where.block);
  b.waiting += static_cast<std::uint64_t>(std::popcount(where.active & ~b.arrived[where.warp]));
  b.arrived[where.warp] |= where.active;
  b.last_arrival = where;
  complete(b);
}

/// All threads that have not ended wait: the next epoch begins.
void SharedOrder::complete(Block& b) {
  if (b.waiting == 0 || b.waiting < b.living) return;
  std::ranges::fill(b.arrived, 0u);
  b.waiting = 0;
  ++b.epoch;
  b.crossings.push_back({b.last_arrival.pc, votes_[b.last_arrival.pc]});
  barriers_[b.last_arrival.pc].last = b.last_arrival;
}

void SharedOrder::lanes_exit(std::uint32_t number, std::uint32_t warp, std::uint32_t lanes) {
  if (!judged_) return;
  Block& b = block(number);
  b.living -= static_cast<std::uint64_t>(std::popcount(b.live[warp] & lanes));
  b.live[warp] &= ~lanes;
  complete(b);
  if (b.living == 0) finish(number);
}

void SharedOrder::finish(std::uint32_t number) {
  Block& b = blocks_[number];
  for (const auto& [pair, unused] : b.far_pairs) {
    const auto from = b.crossings.begin() + pair.first, to = b.crossings.begin() + pair.second;
    if (std::none_of(from, to, [](const Crossing& c) { return c.needed; })) (to - 1)->needed = true;
  }
  for (const Crossing& c : b.crossings) {
    BarrierUse& use = barriers_[c.pc];
    ++use.times;
    use.needed += c.needed ? 1 : 0;
  }
  blocks_.erase(number);
  last_ = nullptr;
}

}  // namespace lanescope::review
