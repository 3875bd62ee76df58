#include "kernels/emulator/machine/global_view.h"

#include <algorithm>
#include <cstring>

namespace lanescope::emulator {

GlobalView::GlobalView(const AddressSpace& memory) : memory_(memory) {
  tables_.resize(memory.stores.size());
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (memory.stores[i].writable) tables_[i].resize((memory.stores[i].bytes + page_bytes - 1) / page_bytes);
}

AddressSpace GlobalView::space() const {
  AddressSpace out;
  for (const Store& s : memory_.stores) {
    Store& copy = out.stores.emplace_back();
    copy.base = s.base, copy.bytes = s.bytes;
    copy.writable = s.writable;
    copy.buffer = s.buffer;
    if (s.writable) continue;
    copy.data = s.data;
    copy.identified = s.identified;
    copy.first_word = s.first_word;
    copy.tags = s.tags;
  }
  return out;
}

GlobalView::Page& GlobalView::new_page(u32 store, u32 number) {
  if (spare_.empty()) spare_.push_back(std::make_unique_for_overwrite<Page>());
  used_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  Page& p = *used_.back();
  const Store& s = memory_.stores[store];
  const u64 begin = u64{number} * page_bytes;
  p.store = store, p.number = number;
  p.base = s.base + begin;
  p.bytes_here = static_cast<u32>(std::min(page_bytes, s.bytes - begin));
  p.bytes = p.bytes_here;
  p.original = s.data + begin;
  p.data = s.data + begin;
  const u64 first_word = begin / 4, words = (p.bytes_here + 3) / 4;
  p.identified = s.identified && s.tags.empty();
  p.first_word = s.first_word + static_cast<u32>(first_word);
  if (s.tags.empty())
    p.tags.clear();
  else
    p.tags.assign(s.tags.begin() + static_cast<std::ptrdiff_t>(first_word),
                  s.tags.begin() + static_cast<std::ptrdiff_t>(first_word + words));
  p.read = p.written = p.deferred = p.summed = {};
  p.copied = false;
  return p;
}

namespace {

/// Sets bits [first, first + count), where they are not set in `unless`.
void set_range(GlobalView::Words& bits, u64 first, u64 count, const GlobalView::Words* unless) {
  while (count > 0) {
    const u64 word = first / 64, bit = first % 64, here = std::min(count, 64 - bit);
    const u64 range = (here == 64 ? ~u64{0} : (u64{1} << here) - 1) << bit;
    bits[word] |= unless != nullptr ? range & ~(*unless)[word] : range;
    first += here;
    count -= here;
  }
}

bool any_of(const GlobalView::Words& bits, u64 first, u64 count) {
  for (u64 w = first; w < first + count; ++w)
    if ((bits[w / 64] >> w % 64 & 1) != 0) return true;
  return false;
}

}  // namespace

GlobalView::Page* GlobalView::page(u32 index, u32 number) {
  u32& entry = tables_[index][number];
  if (entry == 0) {
    if (used_.size() + log_.size() / entries_of_page >= most_pages_) return nullptr;
    new_page(index, number);
    entry = static_cast<u32>(used_.size());
  }
  return used_[entry - 1].get();
}

void GlobalView::copy(Page& p) {
  if (p.copied) return;
  std::memcpy(p.copy.data(), p.original, p.bytes_here);
  p.data = p.copy.data();
  p.copied = true;
}

GlobalView::Page* GlobalView::touch(const AddressSpace& space, const Store& store, u64 at, u64 bytes, bool reads,
                                    bool writes) {
  const u64 number = at / page_bytes, inside = at % page_bytes;
  if (inside + bytes > page_bytes) return nullptr;
  Page* const p = page(static_cast<u32>(&store - space.stores.data()), static_cast<u32>(number));
  if (p == nullptr) return nullptr;
  const u64 first = inside / 4, last = (inside + bytes - 1) / 4;
  const bool parts = inside % 4 != 0 || bytes % 4 != 0;
  if (reads || (writes && parts)) set_range(p->read, first, last - first + 1, &p->written);
  if (!writes) return p;
  copy(*p);
  set_range(p->written, first, last - first + 1, nullptr);
  return p;
}

GlobalView::Page* GlobalView::touch_unread(const AddressSpace& space, const Store& store, u64 at, u64 bytes,
                                           bool sums) {
  const u64 number = at / page_bytes, inside = at % page_bytes;
  if (inside + bytes > page_bytes) return nullptr;
  const u32 index = static_cast<u32>(&store - space.stores.data());
  Page* const p = page(index, static_cast<u32>(number));
  if (p == nullptr || used_.size() + log_.size() / entries_of_page > most_pages_) return nullptr;
  const u64 first = inside / 4, count = (inside + bytes - 1) / 4 - first + 1;
  // Words that these blocks depend on already, or have stored themselves, are operated on at once.
  if (any_of(p->read, first, count) || any_of(p->written, first, count))
    return touch(space, store, at, bytes, true, true);
  copy(*p);
  const bool is_new = !any_of(p->deferred, first, count);
  set_range(p->deferred, first, count, nullptr);
  const u64 bit = u64{1} << first % 64;
  if (sums && is_new) {
    if (p->sums == nullptr) p->sums = std::make_unique_for_overwrite<std::array<u32, page_words>>();
    (*p->sums)[first] = 0;
    p->summed[first / 64] |= bit;
  } else if (!sums) {
    // From here on in the log, what was added up before first.
    for (u64 w = first; w < first + count; ++w) {
      if ((p->summed[w / 64] >> w % 64 & 1) == 0) continue;
      log(*p, sum_of_page, w * 4, (*p->sums)[w], 0);
      p->summed[w / 64] &= ~(u64{1} << w % 64);
    }
  }
  return p;
}

GlobalView::Pages GlobalView::take() {
  for (const auto& p : used_) tables_[p->store][p->number] = 0;
  Pages out;
  out.swap(used_);
  return out;
}

void GlobalView::give_back(Pages pages, std::size_t most) {
  pages.resize(std::min(pages.size(), most - std::min(most, spare_.size())));
  std::ranges::move(pages, std::back_inserter(spare_));
}

}  // namespace lanescope::emulator
