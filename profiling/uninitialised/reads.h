#pragma once
// Reads of memory that no thread has written, where the value is used: what the second run of a launch shows, in which
// the emulator follows such bytes (emulator::Options::unwritten) through registers and memory to the bit.
//
// Reading is no error yet. A compiler loads a structure whole, with the bytes between its members, and a thread beyond
// the end of an array may load values that it never needs. An error is a value that
//
//   decides a branch, or whether lanes execute an instruction;
//   is an address, or selects a lane, a vote, an exchange;
//   is computed with, and the result is stored to global memory;
//   is copied to global memory.
//
// A store to global memory whose first byte is defined, and whose undefined bits are where they were when they were
// loaded, is a structure with bytes between its members, and no error. A value that a shuffle reads from a lane that
// does not take part is undefined as well, and is followed in the same way.
//
// Undefined data may be stored and loaded again before they are used: `s[i] = p[i]`, then `if (s[j] > 4)`, where no
// store has written p. The read that counts is that of p, whose undefined data the store put into s, not that of s.
//
// Bits that do not matter do not count: `x & 0xff` of a word whose low byte is defined is defined, and so is a choice
// of the other operand.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "kernels/trace/observer.h"
#include "kernels/trace/tags.h"
#include "profiling/uninitialised/loads.h"

namespace lanescope::uninitialised {

enum class Use : std::uint8_t { branch, address, lane, vote, computed, copied };

/// Reads of one instruction whose values one instruction uses in one way.
struct Read {
  trace::Where load;  ///< the first; active: its lanes
  int lane = 0;
  trace::MemorySpace space = trace::MemorySpace::shared;
  int buffer = -1;         ///< of global memory
  std::uint64_t byte = 0;  ///< the first unwritten one: from the start of the buffer, of shared or local memory
  int from_lane = -1;      ///< not a load: a shuffle, from this lane, which does not take part in it
  bool carried = false;    ///< a store wrote the byte with undefined data, and where these came from is not known
  Use use = Use::copied;
  trace::Where user;
  int user_lane = 0;
  int to_buffer = -1;  ///< computed, copied: where the value is stored; -1: in no buffer
  std::uint64_t to_byte = 0;
  std::uint64_t times = 0;  ///< lanes that used such a value in this way
  /// Who writes the byte after all: in the same block where it is not in a buffer.
  std::optional<trace::Where> writer{};
  int writer_lane = 0;
  /// If no thread writes it: the store that comes closest to it in the same memory.
  struct Near {
    std::uint32_t pc = 0;
    std::uint64_t first = 0, last = 0;  ///< bytes that it writes
  };
  std::optional<Near> near{};
};

class Reads final : public trace::Observer {
 public:
  static constexpr std::size_t most_origins = std::size_t{1} << 20;  ///< words whose load is remembered
  static constexpr std::size_t most_reported = 8;                    ///< reads that one value is made of

  /// `tags` is the pool of the run; `areas` are the buffers that its space begins with.
  Reads(trace::TagPool& tags, const std::vector<Area>& areas);
  void on_access(const trace::AccessEvent&) override;
  void on_steer(const trace::SteerEvent&) override;
  void on_shuffle(const trace::ShuffleEvent&) override;
  // A part keeps the events.
  std::unique_ptr<trace::Observer> part() const override;
  bool can_take(const trace::Observer& part) const override;
  void take(trace::Observer& part, std::uint64_t first_step) override;

  /// In the order of their first use.
  const std::vector<Read>& reads() const { return reads_; }

 private:
  struct Load {
    trace::Where where;
    int lane = 0;
    trace::MemorySpace space = trace::MemorySpace::shared;
    int buffer = -1;
    std::uint64_t byte = 0;
    int from_lane = -1;
    bool carried = false;
    std::uint64_t brought = 0;  ///< step at which its data last came to the lane
  };
  struct Writer {
    trace::Where where;
    int lane = 0;
  };
  struct Extent {
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
  };
  int buffer_of(std::uint64_t address) const;
  void load(const trace::AccessEvent& event);
  void store(const trace::AccessEvent& event);
  void store_lane(const trace::AccessEvent& event, std::size_t lane);
  void note_writer(const trace::AccessEvent& event);
  /// New contents of the words that a store writes.
  void note_carried(const trace::AccessEvent& event);
  /// A byte of memory, as a key: of global memory, of a block's shared memory, of a thread's local memory.
  std::uint64_t place(trace::MemorySpace space, int buffer, std::uint64_t byte, const trace::Where& where,
                      std::size_t lane) const;
  void used(const Load& load, Use use, const trace::Where& user, std::size_t lane, int to_buffer,
            std::uint64_t to_byte);
  using LastByLane = std::unordered_map<std::uint64_t, std::array<Load, 32>>;  ///< by block and warp

  /// The loads and shuffles that brought what a word depends on, one of each instruction; of what was only chosen, the
  /// lane's last one.
  void add_origins(trace::WordTag word, const trace::Where& where, std::size_t lane,
                   std::vector<const Load*>& out) const;
  static const Load* last_of(const LastByLane& all, const trace::Where& where, std::size_t lane);
  const Load* last_load(const trace::Where& where, std::size_t lane) const;
  void complete(Read& read) const;
  std::uint64_t source_of(trace::MemorySpace space, int buffer, std::uint64_t byte, std::size_t lane) const;

  trace::TagPool& tags_;
  std::vector<Area> areas_;
  std::unordered_map<std::uint64_t, Load> origins_;    ///< by source word and block
  std::unordered_map<std::uint64_t, Load> carried_;    ///< by place / 4: whose data a store put there
  std::unordered_map<std::uint64_t, Writer> writers_;  ///< by place: of whole words, and of bytes of narrower stores
  LastByLane last_by_lane_;                            ///< loads, and shuffles as below
  LastByLane shuffles_;                                ///< from lanes that do not take part
  std::vector<Read> reads_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, Use>, std::size_t> known_;
  std::map<std::tuple<int, int, std::uint32_t>, Extent> extents_;  ///< by space, buffer and pc
};

}  // namespace lanescope::uninitialised
