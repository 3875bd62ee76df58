#include "kernels/source/host/log.h"

#include <algorithm>

#include "kernels/source/cxx/number_types.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_buffers = 2048, most_arguments = 1024, most_fields = 256, most_errors = 40;

/// Extends the last range where `at` follows it.
void add_byte(std::vector<ByteRange>& ranges, std::uint64_t at) {
  if (ranges.empty() || ranges.back().end != at) ranges.push_back({at, at});
  ++ranges.back().end;
}

}  // namespace

void Log::error(HostError e) {
  if (certainty.depth > certainty.sure)
    return notes_.add(fmt::format("line {}: if this code runs, {}", e.line, e.message));
  if (out_.errors.size() < most_errors && std::ranges::find(out_.errors, e) == out_.errors.end())
    out_.errors.push_back(std::move(e));
}

int Log::buffer_of(Object& o, bool is_argument) {
  if (o.buffer >= 0) return o.buffer;
  if (out_.buffers.size() >= (is_argument ? most_buffers + most_arguments : most_buffers)) {
    notes_.add(fmt::format("more than {} allocations are given to kernels; the others are left out", most_buffers));
    return -1;
  }
  o.buffer = static_cast<int>(out_.buffers.size());
  out_.buffers.push_back({.name = o.name,
                          .element_type = element_type_of(m.types, o.element),
                          .bytes = o.bytes,
                          .line = o.line,
                          .host_only = o.space == Space::host});
  return o.buffer;
}

HostPointer Log::pointer(Address a) {
  Object* o = m.object(a);
  if (o == nullptr || !is_memory(*o)) return {};
  return {.buffer = buffer_of(*o, true), .offset_bytes = m.offset(a)};
}

void Log::take_contents(Address a) {
  Object& o = *m.object(a);
  const int index = is_memory(o) ? buffer_of(o) : -1;
  if (index < 0) return;
  HostBuffer& b = out_.buffers[static_cast<std::size_t>(index)];
  if (b.element_type.empty()) b.element_type = element_type_of(m.types, o.element);
  if (b.name.empty()) b.name = o.name;
  o.live = true;
  live_.push_back(Memory::begin(a));
  b.written = o.written;
  o.noted();
  if (o.none_known()) {
    b.because = o.uniform == m.uninitialised ? "nothing sets it" : m.words(o.uniform);
    return;
  }
  if (o.bytes > limits_.bytes / 2) {
    b.zeros = o.all_known() && o.data.empty();
    b.because = "it is larger than what is followed";
    return;
  }
  if (o.all_known() && o.pointers.empty() && o.data.size() == o.bytes) {
    b.contents = o.data.all();
    return;
  }
  std::vector<std::byte> data(o.data.data(), o.data.data() + o.data.size());
  data.resize(o.bytes);
  for (std::uint64_t i = o.all_known() ? o.bytes : 0; i < o.bytes; ++i) {
    const Reason why = o.reason_of(i);
    if (why == 0) continue;
    if (why != m.uninitialised) {
      b.because = m.words(why);
      return;
    }
    data[i] = std::byte{0};
    add_byte(b.unset, i);
  }
  for (std::uint64_t w = 0; w < o.pointers.size(); ++w)  // a change puts the address there
    if (o.pointers[w]) std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(8 * w), 8, std::byte{0});
  b.contents = std::make_shared<const std::vector<std::byte>>(std::move(data));
}

/// The contents of the object, and of all that its words lead to.
void Log::take_reached(Address a, int line) {
  std::vector<Address> all = reached_from(a);
  all.insert(all.begin(), Memory::begin(a));
  std::erase_if(all, [&](Address each) { return m.object(each) == nullptr || m.object(each)->live; });
  for (const Address each : all) take_contents(each);
  for (const Address each : all)
    if (Object* o = m.object(each); o->live) add_addresses(*o, 0, o->bytes, line);
}

std::vector<Address> Log::reached_from(Address a) {
  std::vector<Address> out, open{Memory::begin(a)};
  std::set<Address> seen{Memory::begin(a)};
  while (!open.empty()) {
    const Address at = open.back();
    open.pop_back();
    const Object* o = m.object(at);
    if (o == nullptr || !is_memory(*o)) continue;
    budget_.spend(o->pointers.size() / bytes_of_step);
    const auto add = [&](Address to) {
      const Object* target = m.object(to);
      if (to == 0 || target == nullptr || !is_memory(*target) || seen.size() > most_buffers) return;
      if (!seen.insert(Memory::begin(to)).second) return;
      out.push_back(Memory::begin(to));
      open.push_back(Memory::begin(to));
    };
    for (std::uint64_t w = 0; w < o->pointers.size(); ++w)
      if (o->pointers[w]) add(m.word(at + 8 * w));
    for (const Address to : o->leads_to) add(to);
  }
  return out;
}

void Log::poison_reached(Address a, Reason why) {
  const std::vector<Address> all = reached_from(a);
  m.poison_all(a, why);
  for (const Address each : all) m.poison_all(each, why);
}

HostArgument Log::argument(const Value& v, const std::string& text, std::string_view type, int line) {
  HostArgument out{.text = text};
  if (!v.known()) {
    out.because = m.words(v.unknown);
    if (out.because.empty()) out.because = "it has no value";
    return out;
  }
  if (v.type->is_number()) {
    out.kind = HostArgument::Kind::number;
    out.number = as_real(v);
    const auto numbers = number_type(type);
    if (numbers && numbers->is_integer() && v.type->kind == Kind::floating)
      out.number = static_cast<double>(static_cast<std::int64_t>(v.f));
    return out;
  }
  if (v.type->kind == Kind::pointer || (v.type->kind == Kind::vector && v.type->device)) {
    const Address a = v.type->kind == Kind::vector ? m.word(v.address()) : v.address();
    Object* o = m.object(a);
    out.kind = HostArgument::Kind::pointer;
    if (o == nullptr) return out;
    if (o->element == nullptr && v.type->of != m.types.void_) o->element = v.type->of;
    out.pointer = pointer(a);
    if (out.pointer.buffer >= 0) take_reached(a, line);
    return out;
  }
  const bool record = v.type->kind == Kind::record && !m.types.record(v.type->record).has_unknown;
  if (record || (v.type->kind == Kind::array && !v.type->hollow)) {
    out.kind = HostArgument::Kind::fields;
    fields(v.address(), v.type, "", 0, out.fields, false);
    for (const HostField& f : out.fields)
      if (f.is_pointer && f.pointer.buffer >= 0) take_reached(m.word(v.address() + f.offset_bytes), line);
    return out;
  }
  out.because = fmt::format("a {} cannot be passed by value here", v.type->name);
  return out;
}

void Log::fields(Address at, const Type* t, const std::string& name, std::uint32_t offset, std::vector<HostField>& out,
                 bool layout_only) {
  if (out.size() >= most_fields || t->hollow) return;
  if (t->kind == Kind::record) {
    for (const Member& each : m.types.record(t->record).members)
      fields(at, each.type, name.empty() ? std::string(each.name) : fmt::format("{}.{}", name, each.name),
             offset + static_cast<std::uint32_t>(each.offset), out, layout_only);
    return;
  }
  if (t->kind == Kind::array) {
    for (std::uint64_t i = 0; i < t->count && out.size() < most_fields; ++i)
      fields(at, t->of, fmt::format("{}[{}]", name, i), offset + static_cast<std::uint32_t>(i * t->of->bytes), out,
             layout_only);
    return;
  }
  HostField f{.name = name,
              .type = t->kind == Kind::pointer && t->of->kind == Kind::pointer ? "void*" : t->name,
              .offset_bytes = offset,
              .bytes = static_cast<std::uint32_t>(t->bytes),
              .is_pointer = t->kind == Kind::pointer};
  if (!layout_only) {
    const Value v = m.load({at + offset, t});
    f.is_known = v.unknown == 0;
    if (v.unknown == 0 && f.is_pointer) {
      Object* o = m.object(v.address());
      if (o != nullptr && o->element == nullptr) o->element = t->of;
      f.pointer = pointer(v.address());
    } else if (v.unknown == 0 && t->is_number()) {
      f.number = as_real(v);
    }
  }
  out.push_back(std::move(f));
}

}  // namespace lanescope::source::host
