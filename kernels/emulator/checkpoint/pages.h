#pragma once
// Bytes at several moments, stored as differences. Memory is cut into pages of 4 KiB, and 256 of them are a chunk (1
// MiB):
//
//   moment 0   chunk A = {-, -, p1, -, ...}      -: as the memory began, which costs nothing
//   moment 1   chunk A again                     nothing in that mebibyte changed: 16 bytes
//   moment 2   chunk B = {-, -, p1, p2, ...}     one page changed: that page, and a new table of pages
//
// A moment can be discarded at any time; pages that a later one shares stay. Every byte is taken from an Allowance and
// returned to it, so that the use is known exactly.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/emulator/lanes/op.h"

namespace lanescope::emulator {

inline constexpr std::size_t page_bytes = 4096, chunk_pages = 256;

/// Bytes that may be used, and those that are. Copies are the same allowance.
class Allowance {
 public:
  explicit Allowance(std::size_t limit = ~std::size_t{0}) : counts_(std::make_shared<Counts>(Counts{limit})) {}
  /// False, and nothing is taken, where the limit would be passed.
  bool take(std::size_t bytes);
  void give_back(std::size_t bytes) { counts_->used -= bytes; }
  std::size_t used() const { return counts_->used; }
  std::size_t most() const { return counts_->most; }  ///< that were ever in use at once
  std::size_t limit() const { return counts_->limit; }

 private:
  struct Counts {
    std::size_t limit = 0, used = 0, most = 0;
  };
  std::shared_ptr<Counts> counts_;
};

/// Bytes taken from an allowance, returned by the destructor.
class Taken {
 public:
  Taken() = default;
  Taken(Allowance from, std::size_t bytes) : from_(std::move(from)), bytes_(bytes) {}  ///< they have been taken
  Taken(Taken&& o) noexcept : from_(std::move(o.from_)), bytes_(std::exchange(o.bytes_, 0)) {}
  Taken& operator=(Taken&& o) noexcept {
    std::swap(from_, o.from_), std::swap(bytes_, o.bytes_);
    return *this;
  }
  ~Taken() {
    if (from_ && bytes_ > 0) from_->give_back(bytes_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::optional<Allowance> from_;
  std::size_t bytes_ = 0;
};

/// The source of bytes: an allowance, and a function that frees some of it.
class Room {
 public:
  explicit Room(Allowance allowance) : allowance_(std::move(allowance)) {}
  virtual ~Room() = default;
  /// nullopt: there is no room, and none can be made.
  std::optional<Taken> take(std::size_t bytes);

 protected:
  /// Gives something up; false where there is nothing more to give up.
  virtual bool make_room() { return false; }

 private:
  Allowance allowance_;
};

struct Page {
  Taken taken;
  std::vector<u8> bytes;  ///< the last page of a memory may be shorter
};
struct Chunk {
  Taken taken;
  std::vector<std::shared_ptr<const Page>> pages;  ///< null: as the memory began
};

/// Initial contents of a memory. After `bytes` it is zero.
struct Beginning {
  std::span<const u8> bytes{};
  /// The memory holds the identities of words (4 bytes each), which began as those of source words from this one on.
  std::optional<u32> first_word{};
};

/// A memory at one moment. Values: a copy shares the pages.
struct Image {
  std::size_t bytes = 0;
  std::vector<std::shared_ptr<const Chunk>> chunks;  ///< null: as the memory began
  std::size_t table_bytes() const { return chunks.capacity() * sizeof(chunks[0]); }
};

/// `before`: the memory at an earlier moment, where it is known. nullopt: there is no room.
std::optional<Image> image_of(std::span<const u8> memory, const Beginning& beginning, const Image* before, Room& room);
/// `memory` is as long as the image.
void put_back(const Image& image, const Beginning& beginning, std::span<u8> memory);

}  // namespace lanescope::emulator
