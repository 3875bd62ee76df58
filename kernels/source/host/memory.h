#pragma once
// The bytes of a host program: variables, arrays, allocations on host and device, each an object of its own. An address
// is the object's number and an offset, so no arithmetic leads from one object into another. Each byte is known, or
// unknown for a reason.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/source/host/host_run.h"
#include "kernels/source/host/program/program.h"
#include "kernels/source/host/program/types.h"

namespace lanescope::source::host {

using Address = std::uint64_t;  ///< 0: the null pointer
using Reason = std::uint16_t;   ///< 0: known

enum class Space : std::uint8_t { host, device, managed, symbol, code, characters };

/// The bytes of an object; objects that were copied whole share them until one of them is written.
class Bytes {
 public:
  bool empty() const { return bytes_ == nullptr; }
  bool shared() const { return bytes_.use_count() > 1; }
  std::size_t size() const { return empty() ? 0 : bytes_->size(); }
  const std::byte* data() const { return empty() ? nullptr : bytes_->data(); }
  std::byte* own() { return bytes_->data(); }  ///< only where they are not shared
  const std::shared_ptr<std::vector<std::byte>>& all() const { return bytes_; }
  void make(std::uint64_t count) { bytes_ = std::make_shared<std::vector<std::byte>>(count); }
  void copy() { bytes_ = std::make_shared<std::vector<std::byte>>(*bytes_); }

 private:
  std::shared_ptr<std::vector<std::byte>> bytes_;
};

struct Object {
  Space space = Space::host;
  std::uint64_t bytes = 0;
  int line = 0;
  std::string name;
  const Type* element = nullptr;  ///< of an allocation, by the pointer that took it
  Bytes data;                     ///< empty: zeros
  std::vector<Reason> shadow;     ///< by byte; empty: bytes before `known_to` are known, `uniform` is of the others
  Reason uniform = 0;
  std::uint64_t known_to = 0;  ///< an array that is filled from its beginning on needs no shadow
  bool written = false;        ///< by anything but its own allocation, or since the last launch or change was noted
  std::uint64_t written_first = ~std::uint64_t{0}, written_last = 0;  ///< these bytes, where `written`: [first, last)
  Reason blurred = 0;                                                 ///< why something unknown was written since
  int buffer = -1;                                                    ///< in the run's list
  bool live = false;                ///< the run has its contents: later writes to it are changes
  int freed_at = 0;                 ///< the line that freed it; 0: none did
  bool by_reference = false;        ///< of a device_vector: the host may access single elements
  std::uint64_t version = 0;        ///< of a live object: counts launches and changes
  std::vector<bool> pointers{};     ///< by word of 8 bytes: it is an address of a known object; empty: none is
  std::vector<Address> leads_to{};  ///< objects that its words led to when a kernel last took it
  /// Of host memory: the last copy from a device that changed it.
  struct Copied {
    Address from = 0;
    std::uint64_t to_offset = 0, bytes = 0, version = 0;
  };
  std::optional<Copied> copied{};

  bool all_known() const { return shadow.empty() && uniform == 0; }
  bool none_known() const { return shadow.empty() && uniform != 0 && known_to == 0; }
  Reason reason_of(std::uint64_t i) const { return !shadow.empty() ? shadow[i] : i < known_to ? Reason{0} : uniform; }
  /// The first reason of these bytes; 0: all of them are known.
  Reason reason_in(std::uint64_t from, std::uint64_t count) const {
    if (shadow.empty()) return count == 0 || from + count <= known_to ? Reason{0} : uniform;
    for (std::uint64_t i = from; i < from + count; ++i)
      if (shadow[i] != 0) return shadow[i];
    return 0;
  }
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
  /// Whether copy() touches these bytes one by one: not where objects share them, nor where none is known or followed.
  bool moves_bytes(Address to, Address from, std::uint64_t bytes);
  void fill(Address to, std::byte value, std::uint64_t bytes, Reason unknown);
  void poison_all(Address a, Reason why);
  /// The 8 bytes there are the address of an object. Anything else that is written there ends that.
  void mark_pointer(Address a);
  bool is_pointer(const Object& o, std::uint64_t offset) const {
    return offset % 8 == 0 && offset / 8 < o.pointers.size() && o.pointers[offset / 8];
  }
  /// Whether its object's bytes are followed, and can be written; false: there are too many of them.
  bool follows(Address a);
  /// These bytes of an object that is followed are known now; false: there is no room to record that.
  bool know(Object& o, std::uint64_t from, std::uint64_t count);
  /// The first reason among these bytes; 0: all of them are known.
  Reason first_unknown(Address a, std::uint64_t bytes);

 private:
  Object* at(Address a, std::uint64_t bytes, std::uint64_t& offset);
  static bool can_share(const Object& into, const Object& source, std::uint64_t bytes) {
    return &into != &source && bytes == into.bytes && bytes == source.bytes && source.all_known();
  }
  void copy_pointers(Object& into, std::uint64_t t, const Object& source, std::uint64_t f, std::uint64_t bytes);
  static void forget_pointers(Object& o, std::uint64_t from, std::uint64_t bytes);
  bool hold(Object& o);   ///< its bytes are there to be written; false: too many
  bool shade(Object& o);  ///< it has a shadow; false: too many bytes
  bool room(std::uint64_t bytes) const { return bytes <= most_bytes_ - std::min(held_, most_bytes_); }
  void set_uniform(Object& o, Reason reason);
  std::deque<Object> objects_;
  std::vector<std::uint32_t> free_;
  std::vector<std::string> reasons_{""};
  std::map<std::string, Reason> known_reasons_;
  std::uint64_t most_bytes_, held_ = 0, work_ = 0;
};

// The limit of a run in steps, the budgets of its loops, and its notes. A step is one evaluated expression, or
// `bytes_of_step` bytes that are moved or described.

/// Notes of a run in words, each sentence once.
class Notes {
 public:
  explicit Notes(HostRun& out) : out_(out) {}

  void add(std::string words) {
    if (out_.notes.size() < most && is_first(words)) out_.notes.push_back(std::move(words));
  }
  void assume(Assumption::Code code, int line, std::string value, std::string because) {
    const std::string name = line > 0 ? fmt::format("line {}", line) : std::string();
    if (out_.assumed.size() >= most || !is_first(fmt::format("{} {} {}", name, value, because))) return;
    out_.assumed.push_back(
        {.code = code, .kernel = {}, .name = name, .value = std::move(value), .because = std::move(because)});
  }
  bool is_first(const std::string& key) { return seen_.insert(key).second; }

 private:
  static constexpr std::size_t most = 40;
  HostRun& out_;
  std::set<std::string> seen_;
};

inline constexpr std::uint64_t bytes_of_step = 256;

/// Thrown to the loop that has exceeded its budget.
struct Abandon {
  std::size_t loop;
};
/// Thrown to the root: exit(), or the budget of the run is used up.
struct Stop {};

class Budget {
 public:
  Budget(const HostLimits& limits, Memory& memory, Notes& notes)
      : limits_(limits), memory_(memory), notes_(notes), end_(limits.steps), slack_(limits.steps / 4) {}

  void spend(std::uint64_t steps) { steps_ += steps; }
  std::uint64_t spent() const { return steps_; }
  /// Counts a step; every 256 of them the deadlines are compared.
  void step() {
    steps_ += 1 + memory_.take_work() / bytes_of_step;
    if (steps_ >= next_check_) check();
  }
  /// Steps until some loop, or the run, has used up its budget.
  std::uint64_t left() const {
    std::uint64_t end = end_;
    for (const std::uint64_t deadline : deadlines_) end = std::min(end, deadline);
    return end > steps_ ? end - steps_ : 0;
  }
  /// Its budget in steps.
  std::uint64_t begin_loop(bool after_launch) {
    if (after_launch && !launched_)
      launched_ = true, end_ = std::min(end_, steps_ + limits_.steps / 8), slack_ = slack_ / 8;
    const std::uint64_t rest = end_ > steps_ ? end_ - steps_ : 0;
    const std::uint64_t most = after_launch ? limits_.loop_steps / 24 : limits_.loop_steps;
    const std::uint64_t budget = std::min(most, rest / 2 + 1000) >> std::min<std::size_t>(loops(), 8);
    deadlines_.push_back(steps_ + std::max<std::uint64_t>(budget, 500));
    return budget;
  }
  std::size_t loops() const { return deadlines_.size(); }
  void end_loops(std::size_t from) { deadlines_.resize(from); }

 private:
  void check() {
    next_check_ = steps_ + 256;
    if (steps_ > end_ + slack_) {
      notes_.add(fmt::format("it takes more than {} steps; what comes after them is left out", end_));
      throw Stop{};
    }
    for (std::size_t i = 0; i < loops(); ++i)
      if (steps_ > deadlines_[i]) throw Abandon{i};
  }

  const HostLimits& limits_;
  Memory& memory_;
  Notes& notes_;
  std::uint64_t steps_ = 0, next_check_ = 0;
  std::uint64_t end_, slack_;  ///< loops get no more steps after `end_`; the run ends `slack_` later
  bool launched_ = false;
  std::vector<std::uint64_t> deadlines_;
};

// Memory read and written by type, and numbers combined and converted as C++ does it. A value is a number, an address, or the
// reason why it is unknown; one without memory of its own (`in_memory()`) is the address of its bytes.

struct Value {
  const Type* type = nullptr;
  std::int64_t i = 0;  ///< integers, pointers, the address of a value in memory
  double f = 0;
  Reason unknown = 0;
  Address address() const { return static_cast<Address>(i); }
  bool known() const { return type != nullptr && unknown == 0; }
  bool is(Kind kind) const { return known() && type->kind == kind; }
};

inline Value number(std::int64_t v, const Type* t) { return {.type = t, .i = v}; }
inline Value real(double v, const Type* t) { return {.type = t, .f = v}; }
inline Value at_address(Address a, const Type* t) { return {.type = t, .i = static_cast<std::int64_t>(a)}; }
inline Value unknown_value(const Type* t, Reason why) { return {.type = t, .unknown = why}; }

/// nullopt: unknown, or neither a number nor an address.
inline std::optional<bool> truth(const Value& v) {
  if (!v.known()) return std::nullopt;
  if (v.type->kind == Kind::floating) return v.f != 0;
  if (v.type->is_whole() || v.type->kind == Kind::pointer || v.type->kind == Kind::code) return v.i != 0;
  return v.type->kind == Kind::array ? std::optional(true) : std::nullopt;
}

inline double as_real(const Value& v) {
  if (v.type->kind == Kind::floating) return v.f;
  return v.type->is_signed || v.type->kind != Kind::integer ? static_cast<double>(v.i)
                                                            : static_cast<double>(static_cast<std::uint64_t>(v.i));
}

struct Place {
  Address address = 0;
  const Type* type = nullptr;
  Reason unknown = 0;  ///< why the place is unknown
  bool known() const { return type != nullptr && unknown == 0; }
};

/// The place that a pointer leads to.
inline Place pointee(const Value& v) { return {v.address(), v.type != nullptr ? v.type->of : nullptr, v.unknown}; }

struct Slot {
  const Type* type = nullptr;
  Address address = 0;
  bool owned = false;
};

/// The variables of one call.
struct Frame {
  std::deque<Slot> slots{};
  Address self = 0;
  int record = -1;
  const Bindings* bindings = nullptr;
  std::uint64_t serial = 0;
  bool alive = true;
};

inline bool is_memory(const Object& o) { return o.space != Space::code && o.space != Space::characters; }
inline bool of_device(const Object& o) {
  return o.space == Space::device || o.space == Space::managed || o.space == Space::symbol;
}

class TypedMemory : public Memory {
 public:
  TypedMemory(TypeTable& types, std::uint64_t most_bytes)
      : Memory(most_bytes), types(types), uninitialised(reason("it is not set")) {}

  Value decayed(Value v) {  ///< an array as a pointer to its first element
    if (v.type != nullptr && v.type->kind == Kind::array) v.type = types.pointer_to(v.type->of);
    return v;
  }
  Value convert(Value v, const Type* to);
  Value arithmetic(Op op, Value a, Value b, int line);
  /// A number cut or rounded to its type.
  static Value normal(Value v);

  Value load(const Place& p);
  /// Converts the value to the place's type. A vector is written as its three words.
  void put(const Place& p, Value v);
  std::uint64_t word(Address a);  ///< 8 bytes; 0 where they are unknown
  void set_word(Address a, std::uint64_t v) { write(a, 8, &v, 0); }
  void zero(Address at, const Type* t) { fill(at, std::byte{0}, t->bytes, 0); }
  std::optional<Place> member(const Place& of, std::string_view name);
  std::string text_of(const Value& v);  ///< up to its 0, at most 4096 characters

  Value allocate(std::uint64_t bytes, Space space, int line, Reason content);
  Address slot_memory(Slot& s, const Type* t);
  Address temporary(const Type* t);
  void keep_until_statement_ends(Address a) { temporaries_.push_back(a); }
  std::size_t temporaries() const { return temporaries_.size(); }
  void release_temporaries(std::size_t from);

  TypeTable& types;
  const Reason uninitialised;

 private:
  Value pointer_arithmetic(Op op, const Value& a, const Value& b);
  Value to_whole(const Value& v, const Type* to);
  Value to_record(const Value& v, const Type* to);

  std::vector<Address> temporaries_;
};

}  // namespace lanescope::source::host
