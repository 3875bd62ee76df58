#pragma once
// Kernels of the catalogue as plain CPU code over identities instead of values: every bit of a register carries
// the number of the buffer's bit it came from. Mutable parts of a kernel's text are parameters here, so that
// the model of a mutant shows the actual assignment, independently of compiler, emulator and inference.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/layout/assignment.h"
#include "kernels/source/source.h"

namespace lanescope::catalogue {

struct Word {
  static constexpr int nothing = -1, clash = -2;
  std::array<int, 32> bits;  ///< bit of the buffer; nothing: a constant 0; clash: two met in an or
  Word() { bits.fill(nothing); }
};
Word masked(const Word& a, std::uint32_t mask);
Word either(const Word& a, const Word& b);
Word left(const Word& a, int by);
Word right(const Word& a, int by);
Word byte_perm(const Word& a, const Word& b, std::uint32_t selector);
/// 32 bits of the buffer from `bit` on.
Word loaded(int bit);

using Lanes = std::array<Word, 32>;
/// Contents of a claim's registers: [warp][register][lane].
struct Held {
  int element_bits = 32;
  std::vector<std::vector<Lanes>> words;
};

struct HalfModel {
  std::array<int, 4> offsets{0, 64, 128, 192};  ///< of the loads, in elements
  int lane_stride = 2, warp_stride = 256, lane_flip = 0;
  struct Pack {
    bool highs;
    int a, b;
  };
  std::array<Pack, 4> y{{{false, 0, 2}, {false, 1, 3}, {true, 0, 2}, {true, 1, 3}}};
  struct Round {
    unsigned send = 4, partner = 4, first = 4, second = 4;  ///< lane masks in the order of the text
    bool send_reversed = false;
  };
  std::array<Round, 2> rounds;
  /// x, y after the local transpose, y after the warp transpose.
  std::vector<Held> run() const;
};

struct ByteModel {
  std::array<std::uint32_t, 2> selectors;
  std::vector<Held> run() const;  ///< x, y
};

struct NibbleModel {
  std::array<std::uint32_t, 4> masks{0x0f0f0f0f, 0x0f0f0f0f, 0xf0f0f0f0, 0xf0f0f0f0};
  int left_by = 4, right_by = 4, stride = 32;
  std::vector<Held> run() const;  ///< x, y
};

/// The element of each part of each register, by place; nullopt where a part holds no whole element.
struct Place {
  std::array<int, layout::place_count> at{};
};
struct Sighting {
  Place place;
  std::optional<std::uint64_t> element;
};
std::vector<Sighting> sightings(const Held& held);

/// Whether `stated` is true at every place: each row's bits are the parities that its terms say.
bool true_everywhere(const layout::Assignment& stated, const Held& held, const source::BufferSpec& buffer);
/// Why `found` is not the whole truth about `held`; empty when it is: each place determines its element, and it is this
/// one; or, where there is no assignment, no affine map fits.
std::string objection(const std::optional<layout::Assignment>& found, const Held& held,
                      const source::BufferSpec& buffer);

}  // namespace lanescope::catalogue
