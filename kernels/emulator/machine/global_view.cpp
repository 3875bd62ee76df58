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
    copy.data = s.writable ? nullptr : s.data;
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
  p.read = p.written = {};
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

}  // namespace

GlobalView::Page* GlobalView::touch(const AddressSpace& space, const Store& store, u64 at, u64 bytes, bool reads,
                                    bool writes) {
  const u64 number = at / page_bytes, inside = at % page_bytes;
  if (inside + bytes > page_bytes) return nullptr;
  const u32 index = static_cast<u32>(&store - space.stores.data());
  u32& entry = tables_[index][number];
  if (entry == 0) {
    if (used_.size() >= most_pages_) return nullptr;
    new_page(index, static_cast<u32>(number));
    entry = static_cast<u32>(used_.size());
  }
  Page& p = *used_[entry - 1];
  const u64 first = inside / 4, last = (inside + bytes - 1) / 4;
  const bool parts = inside % 4 != 0 || bytes % 4 != 0;
  if (reads || (writes && parts)) set_range(p.read, first, last - first + 1, &p.written);
  if (!writes) return &p;
  if (!p.copied) {
    std::memcpy(p.copy.data(), p.original, p.bytes_here);
    p.data = p.copy.data();
    p.copied = true;
  }
  set_range(p.written, first, last - first + 1, nullptr);
  return &p;
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
