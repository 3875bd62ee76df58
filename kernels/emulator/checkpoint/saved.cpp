#include "kernels/emulator/checkpoint/saved.h"

#include <algorithm>
#include <iterator>

#include "kernels/base/check.h"

namespace lanescope::emulator {

namespace {

std::span<const u8> bytes_of(const std::vector<trace::WordTag>& tags) {
  return {reinterpret_cast<const u8*>(tags.data()), tags.size() * sizeof(trace::WordTag)};
}
std::span<u8> bytes_of(std::vector<trace::WordTag>& tags) {
  return {reinterpret_cast<u8*>(tags.data()), tags.size() * sizeof(trace::WordTag)};
}

Beginning beginning_of_tags(const Store& s) {
  return s.identified ? Beginning{.first_word = s.first_word} : Beginning{};
}

/// The first contents of a store of global memory. Module variables come first, in the order of the program.
/// Stores that exist only for kernels that launch kernels come after them, and are saved whole.
std::span<const u8> first_bytes(const Running& r, std::size_t store, const Initial* initial) {
  const Store& s = r.global.stores[store];
  const std::vector<Store>& variables = r.program->variables.stores;
  if (s.buffer < 0 && store >= variables.size()) return {};
  if (s.buffer < 0) return variables[store].own;
  if (initial == nullptr) return {};
  const auto& bytes = (*initial)[static_cast<std::size_t>(s.buffer)].bytes;
  return {reinterpret_cast<const u8*>(bytes.data()), bytes.size()};
}

/// Saves piece by piece and notes when there is no room.
class Saver {
 public:
  explicit Saver(Room& room) : room_(room) {}
  bool fits() const { return fits_; }

  Image image(std::span<const u8> memory, const Beginning& beginning, const Image* before) {
    if (!fits_) return {};
    auto made = image_of(memory, beginning, before, room_);
    fits_ = made.has_value();
    if (!made) return {};
    tables_ += made->table_bytes();
    return std::move(*made);
  }

  SavedStore store(const Store& s, std::span<const u8> began, const SavedStore* before) {
    return {.bytes = image({s.data, s.bytes}, {.bytes = began}, before ? &before->bytes : nullptr),
            .tags = image(bytes_of(s.tags), beginning_of_tags(s), before ? &before->tags : nullptr)};
  }

  SavedWarp warp(const Warp& w, const SavedWarp* before) {
    return {.progress = w,
            .registers = image(w.registers, {}, before ? &before->registers : nullptr),
            .tags = image(w.tags, {}, before ? &before->tags : nullptr),
            .tagged = image(w.tagged, {}, before ? &before->tagged : nullptr),
            .local = store(w.local, {}, before ? &before->local : nullptr)};
  }

  SavedBlock block(const Block& b, const SavedBlock* before) {
    SavedBlock out{.progress = b,
                   .shared = store(b.shared, {}, before ? &before->shared : nullptr),
                   .reserved = store(b.reserved, {}, before ? &before->reserved : nullptr),
                   .warps = {}};
    for (std::size_t w = 0; w < b.warps.size() && fits_; ++w)
      out.warps.push_back(warp(b.warps[w], before && w < before->warps.size() ? &before->warps[w] : nullptr));
    return out;
  }

  std::shared_ptr<const PrintedPart> printed(const std::vector<Printed>& all,
                                             const std::shared_ptr<const PrintedPart>& before) {
    const std::size_t first = before ? before->first + before->printed.size() : 0;
    if (!fits_ || first == all.size()) return before;
    auto part = std::make_shared<PrintedPart>();
    std::size_t bytes = sizeof(PrintedPart);
    for (std::size_t i = first; i < all.size(); ++i) bytes += sizeof(Printed) + all[i].text.capacity();
    if (!take(bytes, part->taken)) return nullptr;
    part->before = before;
    part->first = first;
    part->printed.assign(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
    return part;
  }

  bool take(std::size_t bytes, Taken& into) {
    auto taken = room_.take(bytes);
    fits_ = fits_ && taken.has_value();
    if (taken) into = std::move(*taken);
    return fits_;
  }
  std::size_t table_bytes() const { return tables_; }

 private:
  Room& room_;
  bool fits_ = true;
  std::size_t tables_ = 0;
};

std::size_t bytes_of(const Frame& f) {
  return sizeof(Frame) + f.registers.size() + f.register_tags.size() + f.params.size() +
         f.param_tags.size() * sizeof(trace::WordTag) + (f.stack.size() + f.base.size()) * sizeof(u64);
}

std::size_t bytes_of(const Progress& p) {
  std::size_t sum = (p.left_at.size() + p.result.coverage.others.size()) * sizeof(u32) +
                    p.samples.size() * sizeof(u64) + p.result.unfinished.probes.size() * sizeof(int);
  for (const auto* faults : {&p.refusals, &p.result.faults})
    for (const Fault& f : *faults)
      sum += sizeof(Fault) + f.what.capacity() + f.message.capacity() + f.remedy.capacity();
  return sum;
}

/// Of all that is no image.
std::size_t small_bytes(const Saved& s) {
  std::size_t sum = sizeof(Saved) + bytes_of(s.progress) + s.global.capacity() * sizeof(SavedStore) +
                    s.heap->blocks().size() * sizeof(HeapBlock);
  for (const SavedBlock& b : s.blocks) {
    sum += sizeof(SavedBlock) + b.warps.capacity() * sizeof(SavedWarp);
    for (const Barrier& barrier : b.progress.barriers) sum += barrier.arrived.size() * sizeof(u32);
    for (const SavedWarp& w : b.warps)
      for (const Group& g : w.progress.groups) {
        sum += sizeof(Group);
        for (const Frame& f : g.frames) sum += bytes_of(f);
      }
  }
  return sum;
}

void put_back(const SavedStore& saved, std::span<const u8> began, Store& s) {
  if (s.bytes != saved.bytes.bytes) {  // parameters of launches need more room as more are made
    s.own.resize(saved.bytes.bytes);
    s.data = s.own.data(), s.bytes = s.own.size();
  }
  put_back(saved.bytes, {.bytes = began}, {s.data, s.bytes});
  s.tags.resize(saved.tags.bytes / sizeof(trace::WordTag));
  put_back(saved.tags, beginning_of_tags(s), bytes_of(s.tags));
}

void put_back(const Image& image, std::vector<u8>& to) {
  to.resize(image.bytes);
  put_back(image, {}, std::span<u8>(to));
}

std::vector<Printed> printed_until(const PrintedPart* last) {
  std::vector<const PrintedPart*> parts;
  for (; last != nullptr; last = last->before.get()) parts.push_back(last);
  std::vector<Printed> all;
  for (auto p = parts.rbegin(); p != parts.rend(); ++p)
    all.insert(all.end(), (*p)->printed.begin(), (*p)->printed.end());
  return all;
}

const SavedBlock* find(const Saved* before, const Block& b) {
  if (before == nullptr) return nullptr;
  const auto at = std::ranges::find_if(
      before->blocks, [&](const SavedBlock& o) { return o.progress.index == b.index && o.progress.steps <= b.steps; });
  return at == before->blocks.end() ? nullptr : &*at;
}

}  // namespace

std::shared_ptr<const Saved> save(Running& r, const Saved* before, const Initial* initial, Room& room) {
  auto out = std::make_shared<Saved>();
  Saver saver(room);
  std::vector<Printed> printed = std::move(r.result.printed);  // it is long, and not copied
  out->progress = r;
  r.result.printed = std::move(printed);
  out->identifies = r.tags();
  out->heap = r.heap;
  out->printed = saver.printed(r.result.printed, before ? before->printed : nullptr);
  for (std::size_t i = 0; i < r.global.stores.size() && saver.fits(); ++i)
    out->global.push_back(saver.store(r.global.stores[i], first_bytes(r, i, initial),
                                      before && i < before->global.size() ? &before->global[i] : nullptr));
  for (const auto& b : r.resident) {
    if (!saver.fits()) return nullptr;
    out->blocks.push_back(saver.block(*b, find(before, *b)));
  }
  if (!saver.fits() || !saver.take(small_bytes(*out) + saver.table_bytes(), out->taken)) return nullptr;
  return out;
}

void restore(const Saved& saved, const Initial* initial, trace::TagPool* tags, Running& r) {
  static_cast<Progress&>(r) = saved.progress;
  r.result.printed = printed_until(saved.printed.get());
  r.options.tags = saved.identifies ? tags : nullptr;
  r.heap = saved.heap;
  LS_CHECK_EQ(saved.global.size(), r.global.stores.size());
  for (std::size_t i = 0; i < saved.global.size(); ++i)
    put_back(saved.global[i], first_bytes(r, i, initial), r.global.stores[i]);
  r.resident.clear();
  r.spare.clear();
  for (const SavedBlock& b : saved.blocks) {
    std::unique_ptr<Block> block = r.blank_block(b.progress);
    put_back(b.shared, {}, block->shared);
    put_back(b.reserved, {}, block->reserved);
    for (std::size_t w = 0; w < b.warps.size(); ++w) {
      Warp& warp = block->warps[w];
      static_cast<WarpProgress&>(warp) = b.warps[w].progress;
      put_back(b.warps[w].registers, warp.registers);
      put_back(b.warps[w].tags, warp.tags);
      put_back(b.warps[w].tagged, warp.tagged);
      put_back(b.warps[w].local, {}, warp.local);
    }
    r.resident.push_back(std::move(block));
  }
}

}  // namespace lanescope::emulator
