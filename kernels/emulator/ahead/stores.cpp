#include "kernels/emulator/ahead/strand.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

WaveStores::WaveStores(const AddressSpace& memory) {
  tables_.resize(memory.stores.size());
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (memory.stores[i].writable)
      tables_[i].resize((memory.stores[i].bytes + GlobalView::page_bytes - 1) / GlobalView::page_bytes);
}

bool WaveStores::read_before(const GlobalView::Pages& pages) const {
  return std::ranges::any_of(pages, [&](const auto& p) {
    const u32 entry = tables_[p->store][p->number];
    if (entry == 0) return false;
    const GlobalView::Words& written = pages_[entry - 1].written;
    for (std::size_t i = 0; i < written.size(); ++i)
      if ((written[i] & p->read[i]) != 0) return true;
    return false;
  });
}

namespace {

/// Runs of words that were stored, whole.
void copy_words(const GlobalView::Page& page, u8* to) {
  for (std::size_t i = 0; i < page.written.size(); ++i)
    for (u64 left = page.written[i]; left != 0;) {
      const int first = std::countr_zero(left), count = std::countr_one(left >> first);
      const std::size_t at = (i * 64 + static_cast<std::size_t>(first)) * 4;
      std::memcpy(to + at, page.copy.data() + at,
                  std::min<std::size_t>(static_cast<std::size_t>(count) * 4, page.bytes_here - at));
      left = first + count == 64 ? 0 : left >> (first + count) << (first + count);
    }
}

/// Their identities, as the numbers that they have in the launch's pool.
void copy_tags(const GlobalView::Page& page, const trace::TagPool::Renumbered& tags, Store& to) {
  const u64 first = u64{page.number} * GlobalView::page_words;
  for (std::size_t i = 0; i < page.written.size(); ++i)
    for (const std::size_t bit : set_bits(page.written[i])) {
      const u64 word = i * 64 + bit;
      to.set_tag(first + word, tags[page.tag(word)]);
    }
}

void add_sums(const GlobalView::Page& page, u8* to) {
  for (std::size_t i = 0; i < page.summed.size(); ++i)
    for (const std::size_t bit : set_bits(page.summed[i])) {
      const std::size_t word = i * 64 + bit;
      write_bytes(to + word * 4, read_bytes(to + word * 4, 4) + (*page.sums)[word], 4);
    }
}

/// True: memory has changed.
bool operate(const GlobalView::Deferred& d, const Program& program, AddressSpace& memory, std::vector<u64>& results) {
  u8* const at = memory.stores[d.store].data + d.at;
  if (d.memory == GlobalView::sum_of_page) {
    write_bytes(at, read_bytes(at, 4) + d.operand, 4);
    return false;
  }
  const MemoryOp& m = program.memory[d.memory];
  const u64 old = read_bytes(at, m.bytes);
  const u64 fresh = combine_atomic(m, old, d.operand, d.swap, true);
  write_bytes(at, fresh, m.bytes);
  results.push_back(fresh);
  return fresh != old;
}

}  // namespace

u64 WaveStores::put(const GlobalView::Pages& pages, const GlobalView::Log& log, const trace::TagPool::Renumbered* tags,
                    const Program& program, AddressSpace& memory, std::vector<u64>& results) {
  results.clear();
  u64 changes = 0;
  for (const GlobalView::Deferred& d : log) changes += operate(d, program, memory, results) ? 1 : 0;
  for (const auto& p : pages) {
    if (!p->copied) continue;
    u32& entry = tables_[p->store][p->number];
    if (entry == 0) {
      pages_.push_back({p->store, p->number});
      entry = static_cast<u32>(pages_.size());
    }
    for (std::size_t i = 0; i < p->written.size(); ++i) pages_[entry - 1].written[i] |= p->written[i] | p->deferred[i];
    u8* const to = memory.stores[p->store].data + u64{p->number} * GlobalView::page_bytes;
    add_sums(*p, to);
    copy_words(*p, to);  // last: what was stored after an operation stays
    if (tags != nullptr) copy_tags(*p, *tags, memory.stores[p->store]);
  }
  return changes;
}

void WaveStores::clear() {
  for (const Page& p : pages_) tables_[p.store][p.number] = 0;
  pages_.clear();
}

}  // namespace lanescope::emulator
