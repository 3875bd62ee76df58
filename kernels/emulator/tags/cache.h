#pragma once
// A cache of computed identities. It only has results of pure functions, so that it never changes a result.

#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "kernels/emulator/lanes/op.h"
#include "kernels/trace/tags.h"

namespace lanescope::emulator {

/// The identities of a value of up to 64 bits.
struct Words {
  trace::WordTag low = trace::no_data, high = trace::no_data;
  bool any() const { return (low | high) != trace::no_data; }
  bool operator==(const Words&) const = default;
};

class TagCache {
 public:
  /// A function and all its inputs; unused ones stay 0.
  struct Key {
    enum class Function : u8 { rule, cut, merge, computed, computed_halves };
    struct Operand {
      Words words{};
      u64 known = 0;  ///< value of the bits that carry no data
      bool operator==(const Operand&) const = default;
    };
    Function function = Function::rule;
    BitRule rule = BitRule::lop3;
    bool is_signed = false;
    u8 d_bits = 0, a_bits = 0, b_bits = 0, c_bits = 0;
    u8 mode = 0;               ///< Op::immediate: a truth table, a mode
    u8 first = 0, length = 0;  ///< of a field of bits
    std::array<Operand, 3> operands{};
    bool operator==(const Key&) const = default;
  };

  /// The result for this key: remembered, or made now.
  template <class Make>
  Words result(const Key& key, Make make) {
    Entry& e = entry(key);
    if (e.used && e.key == key) return e.result;
    const Words made = make();  // which may put other results into the same entry meanwhile
    e = {key, made, true};
    return made;
  }

  /// The same for a whole warp: rows of three operands and of the result, as an instruction last saw them.
  struct Rows {
    struct Key {
      bool used = false, per_half = false;
      u8 d_bits = 0;
      std::array<u8, 3> bits{};  ///< of the operands that carry data
      u32 mask = 0;
      bool operator==(const Key&) const = default;
    };
    Key key{};
    std::array<std::array<u32, 64>, 3> from;
    std::array<u32, 32> result;
  };
  Rows& rows(const void* instruction, const void* warp) {
    if (rows_.empty()) rows_.resize(1024);
    const u64 h = reinterpret_cast<std::uintptr_t>(instruction) * 0x9e3779b97f4a7c15u +
                  reinterpret_cast<std::uintptr_t>(warp) * 0xff51afd7ed558ccdu;
    return rows_[h >> 48 & (rows_.size() - 1)];
  }

 private:
  struct Entry {
    Key key{};
    Words result{};
    bool used = false;
  };

  /// Each key has one entry, which it shares with others.
  Entry& entry(const Key& k) {
    const auto bytes = [](std::same_as<u8> auto... byte) {
      u64 joined = 0;
      ((joined = joined << 8 | byte), ...);
      return joined;
    };
    const std::array<u64, 8> parts = {
        bytes(static_cast<u8>(k.function), static_cast<u8>(k.rule), u8{k.is_signed}),
        bytes(k.d_bits, k.a_bits, k.b_bits, k.c_bits, k.mode, k.first, k.length),
        u64{k.operands[0].words.high} << 32 | k.operands[0].words.low,
        u64{k.operands[1].words.high} << 32 | k.operands[1].words.low,
        u64{k.operands[2].words.high} << 32 | k.operands[2].words.low,
        k.operands[0].known,
        k.operands[1].known,
        k.operands[2].known,
    };
    // Independent products: a chain of them would take longer than all the rest.
    static constexpr std::array<u64, 8> odd = {0x9e3779b97f4a7c15u, 0x9fb21c651e98df25u, 0xff51afd7ed558ccdu,
                                               0xc4ceb9fe1a85ec53u, 0xd6e8feb86659fd93u, 0xbf58476d1ce4e5b9u,
                                               0x94d049bb133111ebu, 0x2545f4914f6cdd1du};
    u64 h = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) h += (parts[i] ^ parts[i] >> 32) * odd[i];
    return entries_[(h ^ h >> 29) >> 32 & (entries_.size() - 1)];
  }

  std::vector<Entry> entries_ = std::vector<Entry>(1u << 14);
  std::vector<Rows> rows_;
};

}  // namespace lanescope::emulator
