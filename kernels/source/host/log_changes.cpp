#include <algorithm>

#include "kernels/source/host/log.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_symbols = 64, most_changes = 4096, most_led_to = 1024;
constexpr std::uint64_t most_change_bytes = 64ULL << 20;  ///< of contents that differ from those of the change before
constexpr std::uint64_t bytes_scanned_of_step = 1024;     ///< in the time of a step of the tree

}  // namespace

void Log::launch(HostLaunch l, std::set<Address> taken, std::set<Address> written, const IssuedIn& in) {
  ++out_.launch_count;
  const bool kept = out_.launches.size() < limits_.launches;
  check_host_stores(false);
  for (std::size_t i = 0; i < live_.size(); ++i)  // taking contents may add to it
    if (Object* o = m.object(live_[i]); o != nullptr) add_stores(*o, l.line);
  HostOperation operation = issue(in, l.line);
  operation.launch = kept ? static_cast<int>(out_.launches.size()) : -1;
  for (const std::set<Address>* used : {&taken, &written})
    for (const Address a : *used) note_use(a, operation), of_kernels_.insert(a);
  keep(std::move(operation));
  running_.merge(taken);
  // A grid of more blocks than a call returned is not made from its answer.
  l.after_occupancy = l.grid && std::int64_t{(*l.grid)[0]} <= most_resident;
  written_by_kernel(std::move(written),
                    m.reason(fmt::format("the kernel `{}`, launched at line {}, writes it", l.kernel, l.line)));
  if (kept) return out_.launches.push_back(std::move(l));
  HostRun::NotKept& more = out_.not_kept[l.kernel];
  if (more.launches++ == 0) more.line = l.line;
}

void Log::symbol(HostSymbol s) {
  s.launches_before = out_.launches.size();
  if (out_.symbols.size() < most_symbols) out_.symbols.push_back(std::move(s));
}

void Log::manage(Address variable) {
  Object* o = m.object(variable);
  if (o == nullptr || o->space != Space::symbol || o->live) return;
  o->noted();  // its initial value is the module's
  o->live = true;
  live_.push_back(variable);
  managed_.push_back(variable);
}

void Log::check_host_stores(bool ended) {
  for (const Address a : running_) {
    const Object* o = m.object(a);
    if (o != nullptr && o->space == Space::managed && o->written && o->buffer >= 0)
      out_.buffers[static_cast<std::size_t>(o->buffer)].set_meanwhile = true;
  }
  if (ended) running_.clear();
}

/// The contents after a change that is left out are unknown; once for each buffer or variable.
void Log::lose(HostChange change, std::string because) {
  const std::string place = change.symbol.empty() ? std::to_string(change.to.buffer) : change.symbol;
  if (!lost_.insert(place).second) return;
  change.kind = HostChange::Kind::unknown;
  change.to.offset_bytes = 0;
  change.contents = nullptr;
  change.because = std::move(because);
  out_.changes.push_back(std::move(change));
}

/// Left out where there is no room for it, with a note.
void Log::add(HostChange change, const Object& to) {
  if (to.space == Space::symbol)
    change.symbol = to.name;
  else
    change.to.buffer = to.buffer;
  if ((change.symbol.empty() && change.to.buffer < 0) || out_.launches.size() >= limits_.launches) return;
  change.launches_before = out_.launches.size();
  change.certain = certainty.depth <= certainty.sure;
  if (out_.changes.size() >= most_changes) {
    notes_.add(fmt::format("line {}: more than {} changes of buffers between launches; the others are left out",
                           change.line, most_changes));
    return lose(std::move(change), "there are more changes than are followed");
  }
  if (change.contents && change.contents->size() > most_change_bytes - std::min(change_bytes_, most_change_bytes)) {
    notes_.add(fmt::format("line {}: the contents that the host sets between launches are larger than what is followed",
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
}

/// Bytes of a live object that the host has written, all of them known.
void Log::add_run(Object& o, std::uint64_t from, std::uint64_t bytes, int line) {
  HostChange c{
      .to = {.buffer = o.buffer, .offset_bytes = static_cast<std::int64_t>(from)}, .bytes = bytes, .line = line};
  std::vector<std::byte> data(bytes);
  if (!o.data.empty()) std::copy_n(o.data.data() + from, bytes, data.begin());
  for (std::uint64_t w = (from + 7) / 8; w < o.pointers.size() && 8 * w + 8 <= from + bytes; ++w)
    if (o.pointers[w]) std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(8 * w - from), 8, std::byte{0});
  if (std::all_of(data.begin(), data.end(), [&](std::byte b) { return b == data.front(); })) {
    c.kind = HostChange::Kind::set;
    c.value = std::to_integer<std::uint8_t>(data.front());
  } else {
    c.contents = std::make_shared<const std::vector<std::byte>>(std::move(data));
  }
  add(std::move(c), o);
  add_addresses(o, from, bytes, line);
}

/// The words in there that are addresses of objects.
void Log::add_addresses(Object& o, std::uint64_t from, std::uint64_t bytes, int line) {
  for (std::uint64_t w = (from + 7) / 8; w < o.pointers.size() && 8 * w + 8 <= from + bytes; ++w) {
    if (!o.pointers[w]) continue;
    std::uint64_t address = 0;
    std::copy_n(o.data.data() + 8 * w, 8, reinterpret_cast<std::byte*>(&address));
    Object* target = m.object(address);
    if (address == 0 || target == nullptr || !is_memory(*target)) continue;
    if (!target->live) take_reached(address, line);
    if (target->buffer < 0) {
      add({.kind = HostChange::Kind::unknown,
           .to = {.buffer = o.buffer},
           .line = line,
           .because = "there are more allocations than are followed"},
          o);
      return;
    }
    add({.kind = HostChange::Kind::address,
         .to = {.buffer = o.buffer, .offset_bytes = static_cast<std::int64_t>(8 * w)},
         .from = {.buffer = target->buffer, .offset_bytes = m.offset(address)},
         .bytes = 8,
         .line = line},
        o);
  }
}

/// Stores of the host to a live object since the last time.
void Log::add_stores(Object& o, int line) {
  if (!o.written) return;
  const std::uint64_t last = std::min(o.written_last, o.bytes);
  const std::uint64_t first = std::min(o.written_first, last);
  const Reason blurred = o.blurred;
  o.noted();
  ++o.version;
  budget_.spend((last - first) / bytes_scanned_of_step);
  const auto known = [&](std::uint64_t i) { return o.reason_of(i) == 0; };
  if (o.all_known() && last > first) {
    add_run(o, first, last - first, line);
  } else if (!o.none_known()) {
    for (std::uint64_t i = first; i < last; ++i) {
      if (!known(i)) continue;
      std::uint64_t end = i;
      while (end < last && known(end)) ++end;
      add_run(o, i, end - i, line);
      i = end;
    }
  }
  if (blurred != 0)
    add({.kind = HostChange::Kind::unknown, .to = {.buffer = o.buffer}, .line = line, .because = m.words(blurred)}, o);
}

/// A copy, with what a kernel has computed in it: into another buffer that is a change, into memory of the host it is
/// remembered.
void Log::copy(Address to, Address from, std::uint64_t bytes, int line) {
  Object* into = m.object(to);
  Object* source = m.object(from);
  if (into == nullptr || source == nullptr || bytes == 0) return;
  const Reason unknown = m.first_unknown(from, bytes);
  const bool noted = of_device(*source) ? source->live || (of_device(*into) && into->live) || unknown == m.uninitialised
                                        : source->copied.has_value();
  if (!noted || unknown == 0) return m.copy(to, from, bytes);
  budget_.spend(bytes / bytes_scanned_of_step);
  if (of_device(*source)) {
    take_reached(from, line);
    add_stores(*source, line);
  }
  if (of_device(*into)) {
    take_reached(to, line);
    add_stores(*into, line);
  }
  const Address origin = of_device(*source) ? from : origin_of(from, bytes, line);
  m.copy(to, from, bytes);
  const auto to_offset = static_cast<std::uint64_t>(m.offset(to));
  if (!of_device(*into)) {
    if (!of_device(*source)) return;
    into->copied = {.from = from, .to_offset = to_offset, .bytes = bytes, .version = source->version};
    into->blurred = 0;
    return;
  }
  if (origin == 0) return;
  add_copy(to, origin, bytes, line);
  if (!of_device(*source)) into->touch(to_offset, bytes, 0);  // what the host has overwritten of it is known
}

/// Where bytes of the host came from, if that has not changed since; 0: it is not known, or not the same any more.
Address Log::origin_of(Address from, std::uint64_t bytes, int line) {
  const Object* o = m.object(from);
  if (o == nullptr || !o->copied || o->blurred != 0) return 0;
  const Object::Copied was = *o->copied;
  Object* origin = m.object(was.from);
  if (origin == nullptr) return 0;
  add_stores(*origin, line);
  const auto offset = static_cast<std::uint64_t>(m.offset(from));
  const bool within =
      offset >= was.to_offset && offset - was.to_offset <= was.bytes && bytes <= was.bytes - (offset - was.to_offset);
  return within && origin->version == was.version ? was.from + (offset - was.to_offset) : 0;
}

void Log::add_copy(Address to, Address from, std::uint64_t bytes, int line) {
  Object *into = m.object(to), *source = m.object(from);
  if (into == nullptr || source == nullptr || into->buffer < 0 || source->buffer < 0) return;
  add({.kind = HostChange::Kind::copy,
       .to = {.buffer = into->buffer, .offset_bytes = m.offset(to)},
       .from = {.buffer = source->buffer, .offset_bytes = m.offset(from)},
       .bytes = bytes,
       .line = line},
      *into);
  ++into->version;
  into->noted();
}

/// Memory that a kernel may have written is unknown from here on.
void Log::written_by_kernel(std::set<Address> objects, Reason why) {
  objects.insert(managed_.begin(), managed_.end());
  for (const Address a : objects) {
    Object* o = m.object(a);
    if (o == nullptr || !is_memory(*o)) continue;
    std::vector<Address> leads_to = o->leads_to;
    for (std::uint64_t w = 0; w < o->pointers.size(); ++w)
      if (o->pointers[w]) leads_to.push_back(Memory::begin(m.word(a + 8 * w)));
    std::sort(leads_to.begin(), leads_to.end());
    leads_to.erase(std::unique(leads_to.begin(), leads_to.end()), leads_to.end());
    if (leads_to.size() > most_led_to) leads_to.resize(most_led_to);
    m.poison_all(a, why);
    o->leads_to = std::move(leads_to);
    o->noted();
    ++o->version;
  }
}

}  // namespace lanescope::source::host
