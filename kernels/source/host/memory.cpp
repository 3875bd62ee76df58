#include "kernels/source/host/memory.h"

#include <cstring>

namespace lanescope::source::host {
namespace {

constexpr int offset_bits = 40;
constexpr Address half_span = Address{1} << (offset_bits - 1);
constexpr std::uint64_t most_objects = 1 << 20;
constexpr std::size_t most_reasons = 60'000;
constexpr const char* too_large = "it is larger than what is followed";

std::uint64_t number_of(Address a) { return (a + half_span) >> offset_bits; }

}  // namespace

Reason Memory::reason(std::string words) {
  if (const auto known = known_reasons_.find(words); known != known_reasons_.end()) return known->second;
  if (reasons_.size() >= most_reasons) return static_cast<Reason>(most_reasons - 1);
  const auto r = static_cast<Reason>(reasons_.size());
  reasons_.push_back(words);
  known_reasons_.emplace(std::move(words), r);
  return r;
}

Address Memory::make(std::uint64_t bytes, Space space, int line, Reason content) {
  std::uint64_t index = objects_.size();
  if (!free_.empty()) {
    index = free_.back();
    free_.pop_back();
    objects_[index] = {};
  } else if (index < most_objects) {
    objects_.emplace_back();
  } else {
    return 0;
  }
  Object& o = objects_[index];
  o.space = space;
  o.bytes = std::min<std::uint64_t>(bytes, half_span - 1);
  o.line = line;
  o.uniform = content;
  return (index + 1) << offset_bits;
}

void Memory::release(Address a) {
  Object* o = object(a);
  if (o == nullptr) return;
  held_ -= std::min<std::uint64_t>(held_, (o->data.shared() ? 0 : o->data.size()) + o->shadow.size() * sizeof(Reason));
  *o = {};
  free_.push_back(static_cast<std::uint32_t>(number_of(a) - 1));
}

Object* Memory::object(Address a) {
  const std::uint64_t n = number_of(a);
  return n == 0 || n > objects_.size() ? nullptr : &objects_[n - 1];
}

std::int64_t Memory::offset(Address a) const { return static_cast<std::int64_t>(a - begin(a)); }
Address Memory::begin(Address a) { return number_of(a) << offset_bits; }

Object* Memory::at(Address a, std::uint64_t bytes, std::uint64_t& offset) {
  Object* o = object(a);
  if (o == nullptr) return nullptr;
  offset = a - begin(a);
  return offset <= o->bytes && bytes <= o->bytes - offset ? o : nullptr;
}

bool Memory::hold(Object& o) {
  if (o.bytes == 0 || (!o.data.empty() && !o.data.shared())) return true;
  if (!room(o.bytes)) return false;
  held_ += o.bytes;
  if (o.data.empty())
    o.data.make(o.bytes);
  else
    o.data.copy();
  return true;
}

bool Memory::shade(Object& o) {
  if (!o.shadow.empty()) return true;
  if (!room(o.bytes * sizeof(Reason))) return false;
  held_ += o.bytes * sizeof(Reason);
  work_ += o.bytes;
  o.shadow.assign(o.bytes, o.uniform);
  std::fill_n(o.shadow.begin(), o.known_to, Reason{0});
  o.known_to = 0;
  return true;
}

void Memory::set_uniform(Object& o, Reason reason) {
  held_ -= std::min<std::uint64_t>(held_, o.shadow.size() * sizeof(Reason));
  o.shadow.clear();
  o.uniform = reason, o.known_to = 0;
}

bool Memory::know(Object& o, std::uint64_t from, std::uint64_t count) {
  if (o.all_known()) return true;
  if (count == o.bytes) return set_uniform(o, 0), true;
  if (o.shadow.empty() && from <= o.known_to) {
    o.known_to = std::max(o.known_to, from + count);
    if (o.known_to == o.bytes) set_uniform(o, 0);
    return true;
  }
  if (!shade(o)) return false;
  std::fill_n(o.shadow.begin() + static_cast<std::ptrdiff_t>(from), count, Reason{0});
  return true;
}

bool Memory::read(Address a, std::uint64_t bytes, void* out, Reason& unknown) {
  std::uint64_t from = 0;
  const Object* o = at(a, bytes, from);
  unknown = 0;
  if (o == nullptr) return false;
  unknown = o->reason_in(from, bytes);
  if (unknown != 0) return true;
  if (o->data.empty())
    std::memset(out, 0, bytes);
  else
    std::memcpy(out, o->data.data() + from, bytes);
  return true;
}

bool Memory::write(Address a, std::uint64_t bytes, const void* from, Reason unknown) {
  std::uint64_t to = 0;
  Object* o = at(a, bytes, to);
  if (o == nullptr) return false;
  if (from == nullptr && unknown == 0) unknown = reason("it has no value");
  o->touch(to, bytes, unknown);
  if (!o->pointers.empty()) forget_pointers(*o, to, bytes);
  if (unknown != 0) {
    if (bytes == o->bytes) return set_uniform(*o, unknown), true;  // all of it: one reason does
    if (o->shadow.empty() && o->uniform == unknown && to >= o->known_to) return true;
    if (!hold(*o) || !shade(*o)) return poison_all(a, unknown), true;
    std::fill_n(o->shadow.begin() + static_cast<std::ptrdiff_t>(to), bytes, unknown);
    return true;
  }
  if (!hold(*o) || !know(*o, to, bytes)) return poison_all(a, reason(too_large)), true;
  std::memcpy(o->data.own() + to, from, bytes);
  return true;
}

void Memory::copy(Address to, Address from, std::uint64_t bytes) {
  std::uint64_t t = 0, f = 0;
  Object* into = at(to, bytes, t);
  Object* source = at(from, bytes, f);
  if (into == nullptr) return;
  if (source == nullptr) return fill(to, std::byte{0}, bytes, reason("it is copied from outside of an array"));
  into->touch(t, bytes, 0);
  if (source->none_known() || (source->all_known() && source->data.empty()))  // zeros stay without bytes of their own
    return fill(to, std::byte{0}, bytes, source->uniform);
  const bool known = source->shadow.empty() && source->reason_in(f, bytes) == 0;
  if (can_share(*into, *source, bytes)) {
    held_ -= std::min<std::uint64_t>(held_, into->data.shared() ? 0 : into->data.size());
    into->data = source->data;
    copy_pointers(*into, t, *source, f, bytes);
    return set_uniform(*into, 0);
  }
  const bool room = hold(*into) && (known ? know(*into, t, bytes) : shade(*source) && shade(*into));
  if (!room) return poison_all(to, reason(too_large));
  if (source->data.empty())
    std::memset(into->data.own() + t, 0, bytes);
  else
    std::memmove(into->data.own() + t, source->data.data() + f, bytes);
  copy_pointers(*into, t, *source, f, bytes);
  if (known) return;
  Reason* const to_shadow = into->shadow.data() + t;
  std::memmove(to_shadow, source->shadow.data() + f, bytes * sizeof(Reason));
  const Reason* const unknown = std::find_if(to_shadow, to_shadow + bytes, [](Reason r) { return r != 0; });
  if (unknown != to_shadow + bytes) into->blurred = *unknown;
}

bool Memory::moves_bytes(Address to, Address from, std::uint64_t bytes) {
  const Object *into = object(to), *source = object(from);
  return into != nullptr && source != nullptr && !source->none_known() && bytes <= most_bytes_ &&
         !can_share(*into, *source, bytes);
}

void Memory::copy_pointers(Object& into, std::uint64_t t, const Object& source, std::uint64_t f, std::uint64_t bytes) {
  const bool any = !source.pointers.empty() && t % 8 == f % 8;
  std::vector<std::uint64_t> words;
  for (std::uint64_t w = (f + 7) / 8; any && 8 * w + 8 <= f + bytes; ++w)
    if (is_pointer(source, 8 * w)) words.push_back(t + 8 * w - f);
  if (!into.pointers.empty()) forget_pointers(into, t, bytes);
  if (words.empty()) return;
  into.pointers.resize(into.bytes / 8 + 1);
  for (const std::uint64_t at : words) into.pointers[at / 8] = true;
}

void Memory::forget_pointers(Object& o, std::uint64_t from, std::uint64_t bytes) {
  for (std::uint64_t w = from / 8; bytes > 0 && w <= (from + bytes - 1) / 8 && w < o.pointers.size(); ++w)
    o.pointers[w] = false;
}

void Memory::mark_pointer(Address a) {
  std::uint64_t at_byte = 0;
  Object* o = at(a, 8, at_byte);
  if (o == nullptr || at_byte % 8 != 0) return;
  if (o->pointers.empty()) o->pointers.resize(o->bytes / 8 + 1);
  o->pointers[at_byte / 8] = true;
}

void Memory::fill(Address to, std::byte value, std::uint64_t bytes, Reason unknown) {
  std::uint64_t t = 0;
  Object* o = at(to, bytes, t);
  if (o == nullptr) return;
  o->touch(t, bytes, unknown);
  if (!o->pointers.empty()) forget_pointers(*o, t, bytes);
  if (bytes == o->bytes && (unknown != 0 || (value == std::byte{0} && o->data.empty())))
    return set_uniform(*o, unknown);
  if (!hold(*o) || (unknown == 0 ? !know(*o, t, bytes) : !shade(*o))) return poison_all(to, reason(too_large));
  std::memset(o->data.own() + t, static_cast<int>(value), bytes);
  if (unknown != 0) std::fill_n(o->shadow.begin() + static_cast<std::ptrdiff_t>(t), bytes, unknown);
}

bool Memory::follows(Address a) {
  Object* o = object(a);
  return o != nullptr && hold(*o);
}

void Memory::poison_all(Address a, Reason why) {
  Object* o = object(a);
  if (o == nullptr) return;
  o->touch(0, o->bytes, why);
  o->pointers.clear();
  set_uniform(*o, why);
}

Reason Memory::first_unknown(Address a, std::uint64_t bytes) {
  std::uint64_t from = 0;
  const Object* o = at(a, bytes, from);
  if (o == nullptr) return reason("it is outside of an array");
  return o->reason_in(from, bytes);
}

}  // namespace lanescope::source::host
