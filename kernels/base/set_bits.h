#pragma once
// The set bits of a mask as a range, lowest first: lanes of an active mask, registers of a basis vector.
//
//   for (const std::size_t lane : set_bits(0b10010u)) ...    1, then 4
//
// The mask is copied: the loop may change the original.

#include <bit>
#include <concepts>
#include <cstddef>
#include <iterator>

namespace lanescope {

template <std::unsigned_integral Mask>
class SetBits {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(Mask left) : left_(left) {}
    constexpr std::size_t operator*() const { return static_cast<std::size_t>(std::countr_zero(left_)); }
    constexpr Iterator& operator++() {
      left_ &= static_cast<Mask>(left_ - 1);
      return *this;
    }
    constexpr bool operator==(std::default_sentinel_t) const { return left_ == 0; }

   private:
    Mask left_;
  };

  constexpr explicit SetBits(Mask mask) : mask_(mask) {}
  constexpr Iterator begin() const { return Iterator(mask_); }
  constexpr std::default_sentinel_t end() const { return {}; }

 private:
  Mask mask_;
};

template <std::unsigned_integral Mask>
constexpr SetBits<Mask> set_bits(Mask mask) {
  return SetBits<Mask>(mask);
}

/// The lowest set bit; the mask has one.
template <std::unsigned_integral Mask>
constexpr std::size_t first_bit(Mask mask) {
  return static_cast<std::size_t>(std::countr_zero(mask));
}

/// All set bits but the lowest.
template <std::unsigned_integral Mask>
constexpr Mask without_first_bit(Mask mask) {
  return static_cast<Mask>(mask & static_cast<Mask>(mask - 1));
}

}  // namespace lanescope
