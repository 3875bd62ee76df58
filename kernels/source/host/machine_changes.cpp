// Memory that a launch has been given: what it holds then, and what the host does to it from there on.
//
// The run tells a buffer's contents once, when a launch first takes it. After that the buffer is live: what the kernel leaves
// in it is unknown here, so what the host then does to it is noted as a change, in order. Stores, copies from the host and
// memsets are seen in the bytes themselves: a byte of a live object that is known has just been written, since each launch
// makes all of them unknown. They are noted together before the next launch. A copy of what a kernel computed is noted when
// it happens, behind what was written to both sides before it.

#include <algorithm>

#include <fmt/format.h>

#include "kernels/source/host/machine.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_buffers_of_run = 1024;
constexpr std::size_t most_changes = 4096;
constexpr std::uint64_t most_change_bytes = 64ULL << 20;  ///< of contents that differ from those of the change before
constexpr std::uint64_t bytes_scanned_of_step = 1024;     ///< in the time of a step of the tree

bool of_device(const Object& o) {
  return o.space == Space::device || o.space == Space::managed || o.space == Space::symbol;
}
/// Extends the last range where `at` follows it.
void add_byte(std::vector<ByteRange>& ranges, std::uint64_t at) {
  if (ranges.empty() || ranges.back().end != at) ranges.push_back({at, at});
  ++ranges.back().end;
}

bool is_memory(const Object& o) { return o.space != Space::code && o.space != Space::characters; }

}  // namespace

/// The buffer of an object; it becomes one here at the latest.
int Machine::buffer_of(Object& o) {
  if (o.buffer >= 0) return o.buffer;
  if (out_.buffers.size() >= most_buffers_of_run) {
    note(fmt::format("more than {} allocations are given to kernels; the others are left out", most_buffers_of_run));
    return -1;
  }
  o.buffer = static_cast<int>(out_.buffers.size());
  out_.buffers.push_back({.name = o.name,
                          .element_type = element_type_of(p_.types, o.element),
                          .bytes = o.bytes,
                          .line = o.line,
                          .host_only = o.space == Space::host});
  return o.buffer;
}

/// What the buffer holds when a launch or a change first takes it.
void Machine::tell(Address a) {
  Object* found = memory_.object(a);
  if (found == nullptr || !is_memory(*found)) return;
  Object& o = *found;
  const int index = buffer_of(o);
  if (index < 0) return;
  HostBuffer& b = out_.buffers[static_cast<std::size_t>(index)];
  if (b.element_type.empty()) b.element_type = element_type_of(p_.types, o.element);
  if (b.name.empty()) b.name = o.name;
  if (o.live) return;
  o.live = true;
  live_.push_back(Memory::begin(a));
  b.written = o.written;
  const bool nothing = o.shadow.empty() && o.uniform == uninitialised_;
  o.noted();
  if (nothing) {
    b.because = "nothing sets it";
    return;
  }
  if (o.shadow.empty() && o.uniform != 0) {
    b.because = memory_.words(o.uniform);
    return;
  }
  if (o.bytes > limits_.bytes / 4) {
    b.zeros = o.shadow.empty() && o.uniform == 0 && o.data.empty();
    b.because = "it is larger than what is followed";
    return;
  }
  std::vector<std::byte> data = o.data;
  data.resize(o.bytes);
  if (!o.shadow.empty()) {
    for (std::uint64_t i = 0; i < o.bytes; ++i) {
      if (o.shadow[i] == 0) continue;
      if (o.shadow[i] != uninitialised_) {
        b.because = memory_.words(o.shadow[i]);
        return;
      }
      data[i] = std::byte{0};
      add_byte(b.unset, i);
    }
  }
  for (std::uint64_t w = 0; w < o.pointers.size(); ++w)  // a change puts the address there
    if (o.pointers[w]) std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(8 * w), 8, std::byte{0});
  b.contents = std::move(data);
}

/// The object, and all that its words lead to.
void Machine::tell_reached(Address a, int line) {
  std::vector<Address> all = reached_from(a);
  all.insert(all.begin(), Memory::begin(a));
  std::vector<Address> fresh;
  for (const Address each : all) {
    const Object* o = memory_.object(each);
    if (o == nullptr || o->live) continue;
    tell(each);
    fresh.push_back(each);
  }
  for (const Address each : fresh)
    if (Object* o = memory_.object(each); o != nullptr && o->live) note_addresses(*o, 0, o->bytes, line);
}

/// The objects that words of this one lead to, those of a chain of them, too; without itself.
std::vector<Address> Machine::reached_from(Address a) {
  std::vector<Address> out;
  std::set<Address> seen{Memory::begin(a)};
  std::vector<Address> open{Memory::begin(a)};
  while (!open.empty()) {
    const Address at = open.back();
    open.pop_back();
    const Object* o = memory_.object(at);
    if (o == nullptr || !is_memory(*o)) continue;
    steps_ += o->pointers.size() / bytes_of_step;
    const auto add = [&](Address to) {
      const Object* target = memory_.object(to);
      if (to == 0 || target == nullptr || !is_memory(*target) || seen.size() > most_buffers_of_run) return;
      if (!seen.insert(Memory::begin(to)).second) return;
      out.push_back(Memory::begin(to));
      open.push_back(Memory::begin(to));
    };
    for (std::uint64_t w = 0; w < o->pointers.size(); ++w)
      if (o->pointers[w]) add(word(at + 8 * w));
    for (const Address to : o->leads_to) add(to);
  }
  return out;
}

/// False: there is no room for it, and that is said.
bool Machine::add_change(HostChange change, const Object& to) {
  if (to.space == Space::symbol) {
    change.symbol = to.name;
  } else {
    change.to.buffer = to.buffer;
  }
  if ((change.symbol.empty() && change.to.buffer < 0) || out_.launches.size() >= limits_.launches) return false;
  change.launches_before = out_.launches.size();
  change.certain = uncertain_ <= sure_;
  if (out_.changes.size() >= most_changes) {
    note(fmt::format("line {}: more than {} changes of buffers between launches; the others are left out", change.line,
                     most_changes));
    return false;
  }
  if (change.contents && change.contents->size() > most_change_bytes - std::min(change_bytes_, most_change_bytes)) {
    note(fmt::format("line {}: the contents that the host sets between launches are larger than what is followed",
                     change.line));
    change.kind = HostChange::Kind::unknown;
    change.because = "they are larger than what is followed";
    change.contents = nullptr;
  }
  if (change.contents) {
    for (auto c = out_.changes.rbegin(); c != out_.changes.rend(); ++c) {
      const bool same_place = c->contents && c->to == change.to && c->symbol == change.symbol;
      if (!same_place) continue;
      if (*c->contents == *change.contents) change.contents = c->contents;
      break;
    }
    if (change.contents.use_count() == 1) change_bytes_ += change.contents->size();
  }
  out_.changes.push_back(std::move(change));
  return true;
}

/// Bytes of a live object that the host has written, all of them known.
void Machine::note_run(Object& o, std::uint64_t from, std::uint64_t bytes, int line) {
  HostChange c{
      .to = {.buffer = o.buffer, .offset_bytes = static_cast<std::int64_t>(from)}, .bytes = bytes, .line = line};
  std::vector<std::byte> data(bytes);
  if (!o.data.empty()) std::copy_n(o.data.begin() + static_cast<std::ptrdiff_t>(from), bytes, data.begin());
  for (std::uint64_t w = (from + 7) / 8; w < o.pointers.size() && 8 * w + 8 <= from + bytes; ++w)
    if (o.pointers[w]) std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(8 * w - from), 8, std::byte{0});
  if (std::all_of(data.begin(), data.end(), [&](std::byte b) { return b == data.front(); })) {
    c.kind = HostChange::Kind::set;
    c.value = std::to_integer<std::uint8_t>(data.front());
  } else {
    c.contents = std::make_shared<const std::vector<std::byte>>(std::move(data));
  }
  add_change(std::move(c), o);
  note_addresses(o, from, bytes, line);
}

/// The words in there that are addresses of objects.
void Machine::note_addresses(Object& o, std::uint64_t from, std::uint64_t bytes, int line) {
  for (std::uint64_t w = (from + 7) / 8; w < o.pointers.size() && 8 * w + 8 <= from + bytes; ++w) {
    if (!o.pointers[w]) continue;
    std::uint64_t address = 0;
    std::copy_n(reinterpret_cast<const std::byte*>(o.data.data()) + 8 * w, 8, reinterpret_cast<std::byte*>(&address));
    Object* target = memory_.object(address);
    if (address == 0 || target == nullptr || !is_memory(*target)) continue;
    if (!target->live) tell_reached(address, line);
    if (target->buffer < 0) continue;
    add_change({.kind = HostChange::Kind::address,
                .to = {.buffer = o.buffer, .offset_bytes = static_cast<std::int64_t>(8 * w)},
                .from = {.buffer = target->buffer, .offset_bytes = memory_.offset(address)},
                .bytes = 8,
                .line = line},
               o);
  }
}

/// What the host has stored in a live object since the last time.
void Machine::note_stores(Object& o, int line) {
  if (!o.written) return;
  const std::uint64_t last = std::min(o.written_last, o.bytes);
  const std::uint64_t first = std::min(o.written_first, last);
  const Reason blurred = o.blurred;
  o.noted();
  ++o.version;
  steps_ += (last - first) / bytes_scanned_of_step;
  const auto known = [&](std::uint64_t i) { return o.shadow.empty() ? o.uniform == 0 : o.shadow[i] == 0; };
  if (o.shadow.empty() && o.uniform == 0 && last > first) {
    note_run(o, first, last - first, line);
  } else if (!o.shadow.empty()) {
    for (std::uint64_t i = first; i < last; ++i) {
      if (!known(i)) continue;
      std::uint64_t end = i;
      while (end < last && known(end)) ++end;
      note_run(o, i, end - i, line);
      i = end;
    }
  }
  if (blurred != 0)
    add_change({.kind = HostChange::Kind::unknown,
                .to = {.buffer = o.buffer},
                .line = line,
                .because = memory_.words(blurred)},
               o);
}

/// A variable of device and host: what the host stores there is noted, and after a launch nothing of it is known.
void Machine::manage(const Declared& d) {
  const Slot& s = slot(globals_, d.slot);
  Object* o = memory_.object(s.address);
  if (!d.global || o == nullptr || o->space != Space::symbol) return;
  o->noted();  // its initial value is the module's
  o->live = true;
  live_.push_back(s.address);
  managed_.push_back(s.address);
}

void Machine::look_meanwhile(bool ended) {
  for (const Address a : running_) {
    const Object* o = memory_.object(a);
    if (o != nullptr && o->space == Space::managed && o->written && o->buffer >= 0)
      out_.buffers[static_cast<std::size_t>(o->buffer)].set_meanwhile = true;
  }
  if (ended) running_.clear();
}

/// Before a launch: everything that the host has stored where a launch may look.
void Machine::before_launch(int line) {
  for (std::size_t i = 0; i < live_.size(); ++i)  // tells may add to it
    if (Object* o = memory_.object(live_[i]); o != nullptr) note_stores(*o, line);
}

/// A copy, with what a kernel has computed in it: into another buffer that is a change, into memory of the host it is
/// remembered.
void Machine::copy_bytes(Address to, Address from, std::uint64_t bytes, int line) {
  Object* into = memory_.object(to);
  Object* source = memory_.object(from);
  if (into == nullptr || source == nullptr || bytes == 0) return;
  const Reason unknown = memory_.first_unknown(from, bytes);
  const bool noted = of_device(*source) ? source->live || (of_device(*into) && into->live) || unknown == uninitialised_
                                        : source->copied.has_value();
  if (!noted || unknown == 0) return memory_.copy(to, from, bytes);
  steps_ += bytes / bytes_scanned_of_step;
  if (of_device(*source)) {
    tell_reached(from, line);
    note_stores(*source, line);
  }
  if (of_device(*into)) {
    tell_reached(to, line);
    note_stores(*into, line);
  }
  const Address origin = of_device(*source) ? from : origin_of(from, bytes, line);
  memory_.copy(to, from, bytes);
  const auto to_offset = static_cast<std::uint64_t>(memory_.offset(to));
  if (!of_device(*into)) {
    if (!of_device(*source)) return;
    into->copied = {.from = from, .to_offset = to_offset, .bytes = bytes, .version = source->version};
    into->blurred = 0;
    return;
  }
  if (origin == 0) return;
  note_copy(to, origin, bytes, line);
  if (!of_device(*source)) into->touch(to_offset, bytes, 0);  // what the host has overwritten of it is known
}

/// Where bytes of the host came from, if nobody has changed that since; 0: it is not known, or not the same any more.
Address Machine::origin_of(Address from, std::uint64_t bytes, int line) {
  const Object* o = memory_.object(from);
  if (o == nullptr || !o->copied || o->blurred != 0) return 0;
  const Object::Copied was = *o->copied;
  Object* origin = memory_.object(was.from);
  if (origin == nullptr) return 0;
  note_stores(*origin, line);
  const auto offset = static_cast<std::uint64_t>(memory_.offset(from));
  const bool within =
      offset >= was.to_offset && offset - was.to_offset <= was.bytes && bytes <= was.bytes - (offset - was.to_offset);
  return within && origin->version == was.version ? was.from + (offset - was.to_offset) : 0;
}

void Machine::note_copy(Address to, Address from, std::uint64_t bytes, int line) {
  Object *into = memory_.object(to), *source = memory_.object(from);
  if (into == nullptr || source == nullptr || into->buffer < 0 || source->buffer < 0) return;
  add_change({.kind = HostChange::Kind::copy,
              .to = {.buffer = into->buffer, .offset_bytes = memory_.offset(to)},
              .from = {.buffer = source->buffer, .offset_bytes = memory_.offset(from)},
              .bytes = bytes,
              .line = line},
             *into);
  ++into->version;
  into->noted();
}

/// What a kernel may have written is unknown from here on.
void Machine::written_by_kernel(std::set<Address> objects, Reason why) {
  objects.insert(managed_.begin(), managed_.end());
  for (const Address a : objects) {
    Object* o = memory_.object(a);
    if (o == nullptr || !is_memory(*o)) continue;
    std::vector<Address> leads_to = o->leads_to;
    for (std::uint64_t w = 0; w < o->pointers.size(); ++w)
      if (o->pointers[w]) leads_to.push_back(Memory::begin(word(a + 8 * w)));
    std::sort(leads_to.begin(), leads_to.end());
    leads_to.erase(std::unique(leads_to.begin(), leads_to.end()), leads_to.end());
    if (leads_to.size() > most_buffers_of_run) leads_to.resize(most_buffers_of_run);
    memory_.poison_all(a, why);
    o->leads_to = std::move(leads_to);
    o->noted();
    ++o->version;
  }
}

}  // namespace lanescope::source::host
