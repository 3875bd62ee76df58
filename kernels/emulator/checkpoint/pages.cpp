#include "kernels/emulator/checkpoint/pages.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/base/check.h"
#include "kernels/trace/tags.h"

namespace lanescope::emulator {

namespace {

/// Bytes that an allocation shared by shared_ptr needs in addition to its contents.
constexpr std::size_t overhead_bytes = 32;

class Beginnings {
 public:
  explicit Beginnings(const Beginning& beginning) : beginning_(beginning) {}

  /// The first contents of a page; valid until the next call.
  const u8* page(std::size_t first, std::size_t bytes) {
    if (beginning_.first_word) {
      for (std::size_t i = 0; i * 4 < bytes; ++i) {
        const u32 word = trace::TagPool::source_word(*beginning_.first_word + static_cast<u32>(first / 4 + i));
        std::memcpy(made_.data() + i * 4, &word, 4);
      }
      return made_.data();
    }
    if (first + bytes <= beginning_.bytes.size()) return beginning_.bytes.data() + first;
    made_.fill(0);
    if (first < beginning_.bytes.size())
      std::memcpy(made_.data(), beginning_.bytes.data() + first, beginning_.bytes.size() - first);
    return made_.data();
  }

 private:
  Beginning beginning_;
  std::array<u8, page_bytes> made_;
};

/// The pages of one chunk, as they are now. False: there is no room.
bool fill_chunk(std::span<const u8> memory, std::size_t first, Beginnings& beginnings, const Chunk* before, Room& room,
                std::vector<std::shared_ptr<const Page>>& pages) {
  for (std::size_t p = 0; p < pages.size(); ++p) {
    const std::size_t at = first + p * page_bytes, bytes = std::min(page_bytes, memory.size() - at);
    const std::shared_ptr<const Page> old =
        before != nullptr && p < before->pages.size() ? before->pages[p] : std::shared_ptr<const Page>();
    if (old != nullptr && old->bytes.size() == bytes &&
        std::memcmp(old->bytes.data(), memory.data() + at, bytes) == 0) {
      pages[p] = old;
      continue;
    }
    if (std::memcmp(beginnings.page(at, bytes), memory.data() + at, bytes) == 0) continue;
    auto taken = room.take(sizeof(Page) + overhead_bytes + bytes);
    if (!taken) return false;
    auto page = std::make_shared<Page>();
    page->taken = std::move(*taken);
    page->bytes.assign(memory.begin() + static_cast<std::ptrdiff_t>(at),
                       memory.begin() + static_cast<std::ptrdiff_t>(at + bytes));
    pages[p] = std::move(page);
  }
  return true;
}

}  // namespace

bool Allowance::take(std::size_t bytes) {
  Counts& c = *counts_;
  if (bytes > c.limit - c.used) return false;
  c.used += bytes;
  c.most = std::max(c.most, c.used);
  return true;
}

std::optional<Taken> Room::take(std::size_t bytes) {
  while (!allowance_.take(bytes))
    if (!make_room()) return std::nullopt;
  return Taken(allowance_, bytes);
}

std::optional<Image> image_of(std::span<const u8> memory, const Beginning& beginning, const Image* before, Room& room) {
  Image out{.bytes = memory.size(), .chunks = {}};
  constexpr std::size_t chunk_bytes = page_bytes * chunk_pages;
  out.chunks.resize((memory.size() + chunk_bytes - 1) / chunk_bytes);
  if (before != nullptr && before->bytes != memory.size()) before = nullptr;
  Beginnings beginnings(beginning);
  for (std::size_t c = 0; c < out.chunks.size(); ++c) {
    const std::size_t first = c * chunk_bytes, bytes = std::min(chunk_bytes, memory.size() - first);
    const std::shared_ptr<const Chunk> old = before != nullptr ? before->chunks[c] : std::shared_ptr<const Chunk>();
    std::vector<std::shared_ptr<const Page>> pages((bytes + page_bytes - 1) / page_bytes);
    if (!fill_chunk(memory, first, beginnings, old.get(), room, pages)) return std::nullopt;
    if (old != nullptr && old->pages == pages) {
      out.chunks[c] = old;
      continue;
    }
    if (std::ranges::all_of(pages, [](const auto& page) { return page == nullptr; })) continue;
    auto taken = room.take(sizeof(Chunk) + overhead_bytes + pages.capacity() * sizeof(pages[0]));
    if (!taken) return std::nullopt;
    auto chunk = std::make_shared<Chunk>();
    chunk->taken = std::move(*taken);
    chunk->pages = std::move(pages);
    out.chunks[c] = std::move(chunk);
  }
  return out;
}

void put_back(const Image& image, const Beginning& beginning, std::span<u8> memory) {
  LS_CHECK_EQ(image.bytes, memory.size());
  Beginnings beginnings(beginning);
  for (std::size_t at = 0; at < memory.size(); at += page_bytes) {
    const std::size_t bytes = std::min(page_bytes, memory.size() - at), page = at / page_bytes;
    const Chunk* chunk = image.chunks[page / chunk_pages].get();
    const Page* kept = chunk != nullptr ? chunk->pages[page % chunk_pages].get() : nullptr;
    std::memcpy(memory.data() + at, kept != nullptr ? kept->bytes.data() : beginnings.page(at, bytes), bytes);
  }
}

}  // namespace lanescope::emulator
