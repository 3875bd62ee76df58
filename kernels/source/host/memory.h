#pragma once
// The bytes of a host program: variables, arrays, allocations on host and device, each an object of its own. An address
// is the object's number and an offset, so no arithmetic leads from one object into another. Each byte is known, or
// unknown for a reason.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/source/host/program/types.h"

namespace lanescope::source::host {

using Address = std::uint64_t;  ///< 0: the null pointer
using Reason = std::uint16_t;   ///< 0: known

enum class Space : std::uint8_t { host, device, managed, symbol, code, characters };

struct Object {
  Space space = Space::host;
  std::uint64_t bytes = 0;
  int line = 0;
  std::string name;
  const Type* element = nullptr;  ///< of an allocation, by the pointer that took it
  std::vector<std::byte> data;    ///< empty: zeros
  std::vector<Reason> shadow;     ///< by byte; empty: `uniform` of all
  Reason uniform = 0;
  bool written = false;  ///< by anything but its own allocation, or since the last launch or change was noted
  std::uint64_t written_first = ~std::uint64_t{0}, written_last = 0;  ///< these bytes, where `written`: [first, last)
  Reason blurred = 0;                                                 ///< why something unknown was written since
  int buffer = -1;                                                    ///< in the run's list
  bool live = false;  ///< the run has its contents: later writes to it are changes
  bool freed = false;
  std::uint64_t version = 0;        ///< of a live object: counts launches and changes
  std::vector<bool> pointers{};     ///< by word of 8 bytes: it is an address of a known object; empty: none is
  std::vector<Address> leads_to{};  ///< objects that its words led to when a kernel last took it
  /// Of host memory: the last copy from a device that changed it.
  struct Copied {
    Address from = 0;
    std::uint64_t to_offset = 0, bytes = 0, version = 0;
  };
  std::optional<Copied> copied{};

  void touch(std::uint64_t from, std::uint64_t count, Reason unknown) {
    written = true;
    written_first = std::min(written_first, from), written_last = std::max(written_last, from + count);
    if (unknown != 0) blurred = unknown;
  }
  void noted() {
    written = false;
    written_first = ~std::uint64_t{0}, written_last = 0, blurred = 0;
  }
};

class Memory {
 public:
  /// Bytes that had to be described one by one since the last call: work that no statement shows.
  std::uint64_t take_work() { return std::exchange(work_, 0); }
  explicit Memory(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  Reason reason(std::string words);
  const std::string& words(Reason r) const { return reasons_[r]; }

  Address make(std::uint64_t bytes, Space space, int line, Reason content);
  void release(Address a);  ///< of a temporary: its number is used again
  Object* object(Address a);
  std::int64_t offset(Address a) const;
  static Address begin(Address a);

  /// False: outside of any object.
  bool read(Address a, std::uint64_t bytes, void* out, Reason& unknown);
  bool write(Address a, std::uint64_t bytes, const void* from, Reason unknown);
  void copy(Address to, Address from, std::uint64_t bytes);
  void fill(Address to, std::byte value, std::uint64_t bytes, Reason unknown);
  void poison_all(Address a, Reason why);
  /// The 8 bytes there are the address of an object. Anything else that is written there ends that.
  void mark_pointer(Address a);
  bool is_pointer(const Object& o, std::uint64_t offset) const {
    return offset % 8 == 0 && offset / 8 < o.pointers.size() && o.pointers[offset / 8];
  }
  /// Whether its object's bytes are followed; false: there are too many of them.
  bool follows(Address a);
  /// The first reason among these bytes; 0: all of them are known.
  Reason first_unknown(Address a, std::uint64_t bytes);

 private:
  Object* at(Address a, std::uint64_t bytes, std::uint64_t& offset);
  void copy_pointers(Object& into, std::uint64_t t, const Object& source, std::uint64_t f, std::uint64_t bytes);
  static void forget_pointers(Object& o, std::uint64_t from, std::uint64_t bytes);
  bool hold(Object& o);  ///< its bytes are there to be written; false: too many
  void shade(Object& o);
  std::deque<Object> objects_;
  std::vector<std::uint32_t> free_;
  std::vector<std::string> reasons_{""};
  std::map<std::string, Reason> known_reasons_;
  std::uint64_t most_bytes_, held_ = 0, work_ = 0;
};

}  // namespace lanescope::source::host
