#pragma once
// Journeys: the places that an element of a buffer passes through in the recorded block. A station is one stay of the
// element, or of a value that it is part of, in one place: a word of a buffer or of shared memory, or a part of a
// register. Stations form a tree, because a copy leaves the element in place: each names its predecessor and the
// operation that moved the element.

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::results {

struct JourneyPlace {
  enum class Kind : std::uint8_t { buffer, shared, local, register_ };
  Kind kind = Kind::buffer;
  int buffer = -1;            ///< of a buffer; -1: global memory outside of all buffers
  std::uint64_t element = 0;  ///< of a buffer: the element of that buffer at this place
  std::uint64_t byte = 0;     ///< from the start of the buffer, of shared memory or of the thread's local memory
  int warp = -1, lane = -1;   ///< of a register or of local memory
  int family = -1,
      reg = -1;        ///< of a register, as PlaceRef; -1: no variable of the source, `name` is the PTX register's
  int part = 0;        ///< of a register, in units of the element's bits (of 64-bit elements: 0)
  std::string name{};  ///< of a register: "x1", "tmp"
  bool operator==(const JourneyPlace&) const = default;
};

/// One thing that moves an element. Steps are those of the recorded block.
struct Hop {
  enum class Way : std::uint8_t {
    load,
    store,
    copy,  ///< asynchronous, from global to shared memory
    atomic,
    shuffle,  ///< from `from_lane` of the same warp
    move,     ///< to another register, or under another name
    select,
    pack,        ///< its bits were shifted, permuted or joined with others
    compute,     ///< it became part of a value by `op`
    unfollowed,  ///< an instruction that values are not followed through: `op`
    product,     ///< it enters the sums of a product of matrices: `op`
    convert,     ///< it was changed into a value of type `op`
  };
  Way way = Way::move;
  std::int64_t step = -1;
  int line = 0;
  int from_lane = -1, lane = -1;
  std::string op{};
  bool operator==(const Hop&) const = default;
};

struct Station {
  JourneyPlace place;
  std::int64_t step = -1;    ///< after which it is there; -1: before the first
  std::int64_t until = -1;   ///< the step that put something else there; -1: none did
  int line = 0;              ///< of `step`; 0: none
  int warp = -1, lane = -1;  ///< that put it there; -1: no thread of the block
  std::int32_t from = -1;    ///< the earlier station that it came from; -1: none, or not known
  std::vector<Hop> hops{};   ///< between the two, in order
  bool exact = true;         ///< the element's own bits, in order; else a value that depends on it
  bool partial = false;      ///< of an inexact one: some of its bits, as they are
  std::uint32_t count = 1;   ///< elements that the value depends on
  bool operator==(const Station&) const = default;
};

struct Journey {
  int buffer = -1;
  std::uint64_t element = 0;
  int element_bits = 32;
  std::vector<Station> stations{};  ///< ascending step, each after the one that it came from
  std::vector<std::int32_t>
      arrivals{};         ///< stations in buffers that a store or an atomic reached; the one that shows most first
  bool cut = false;       ///< there were more stations than a journey holds, or no more time
  std::string refused{};  ///< why there are none, in a sentence without its full stop
  std::vector<std::uint32_t>
      blocks{};               ///< other blocks that access the element where the recorded one does not, ascending
  bool blocks_known = false;  ///< all blocks were searched: `blocks` has the first of them, or there are none
  bool operator==(const Journey&) const = default;
};

struct Journeys {
  std::vector<Journey> all{};    ///< one per element requested, in that order
  std::uint32_t block = 0;       ///< recorded
  std::uint64_t first_step = 0;  ///< of the block, that of step 0: earlier places are not known
  bool operator==(const Journeys&) const = default;
};

/// Stations from the first one to `station`.
std::vector<std::int32_t> path_to(const Journey& journey, std::int32_t station);
/// The station where a journey ends that one follows: of its arrivals the first; without any, the last place that still
/// holds it. -1: it has no stations.
std::int32_t end_of(const Journey& journey);
/// The station of `path` at which the element is just after a step; -1: none yet.
std::int32_t station_at(const Journey& journey, const std::vector<std::int32_t>& path, std::int64_t step);
/// Stations that came from `station` and are not on `path`, with all that came from them.
std::size_t branches_beside(const Journey& journey, const std::vector<std::int32_t>& path, std::int32_t station);

/// Places in memory that hold followed elements just after a step, by the journeys.
struct PinnedPlace {
  int journey = 0;
  JourneyPlace place{};
  bool exact = true;
};
std::vector<PinnedPlace> pinned_memory(const Journeys& journeys, std::int64_t step);

/// "p[3]", "p[64..67]": elements of a buffer by its name, counted as they lie in memory. Empty name: not so written, or
/// too many (`most`).
struct NamedElements {
  std::string buffer;
  std::uint64_t first = 0, last = 0;
};
NamedElements read_elements(const std::string& text);
/// Elements that are followed at most at a time.
inline constexpr std::size_t most_pins = 64;

}  // namespace lanescope::results
