// Allocations, copies and memsets of the CUDA runtime, and those of the C library that copy.

#include <algorithm>
#include <cstring>

#include "kernels/source/host/library.h"

namespace lanescope::source::host {
namespace {

constexpr std::uint64_t most_copied_to_symbol = 1 << 26;
constexpr std::int64_t invalid_value = 1;  ///< cudaErrorInvalidValue
constexpr std::string_view refused = ": CUDA returns cudaErrorInvalidValue, and does nothing";

/// The address that a value is, as copies take it; 0: none that is known.
Address pointed(Call& c, const Value& v) {
  if (!v.known()) return 0;
  return v.type->kind == Kind::vector ? c.in.m.word(v.address()) : v.address();
}

std::uint64_t count_of(const Value& bytes) {
  return bytes.unknown == 0 && bytes.i > 0 ? static_cast<std::uint64_t>(bytes.i) : 0;
}

/// Bytes of the object from the address on.
std::uint64_t room_at(Call& c, Address a) {
  const Object* o = c.in.m.object(a);
  const std::int64_t at = c.in.m.offset(a);
  return o == nullptr || at < 0 || static_cast<std::uint64_t>(at) > o->bytes
             ? 0
             : o->bytes - static_cast<std::uint64_t>(at);
}

/// Puts a new allocation into the pointer whose address is the first argument. Unknown bytes: a buffer of unknown size.
void allocate(Call& c, const Value& target, const Value& bytes, Space space) {
  const Expr& root = without_casts(c.expr(0));
  const Type* t = target.type != nullptr && target.type->kind == Kind::pointer ? target.type->of : nullptr;
  // (void**)&p: what p points to is the type of p itself
  if (const Type* own = c.in.static_type(root);
      c.expr(0).op != Op::local && own != nullptr && own->kind == Kind::pointer)
    t = own;
  const bool typed = t != nullptr && t->kind == Kind::pointer && t->of->kind != Kind::void_;
  if (!target.known()) return;
  const bool known = bytes.unknown == 0 && bytes.i > 0;
  const Value made =
      c.in.m.allocate(known ? static_cast<std::uint64_t>(bytes.i) : 0, space, c.line, c.in.m.uninitialised);
  if (Object* o = c.in.m.object(made.address())) {
    o->name = std::string(root.text);
    o->element = typed ? t->of : nullptr;
    const int buffer = !known || space != Space::host ? c.in.log.buffer_of(*o) : -1;
    if (!known && buffer >= 0)
      c.in.log.run().buffers[static_cast<std::size_t>(buffer)].because = fmt::format(
          "its size is unknown, because {}", bytes.unknown != 0 ? c.in.m.words(bytes.unknown) : "it is not positive");
  }
  c.store(target, c.types().pointer_to(c.types().void_), made);
}

std::optional<Value> allocate_device(Call& c) {
  const Value target = c.value(0);
  return allocate(c, target, c.whole(1), Space::device), c.success();
}
std::optional<Value> allocate_managed(Call& c) {
  const Value target = c.value(0);
  return allocate(c, target, c.whole(1), Space::managed), c.success();
}
std::optional<Value> allocate_aligned(Call& c) {
  const Value target = c.value(0);
  return allocate(c, target, c.whole(2), Space::host), c.success();
}

std::optional<Value> allocate_pitch(Call& c) {
  const Value target = c.value(0), pitch = c.value(1), width = c.whole(2), height = c.whole(3);
  const bool known = width.unknown == 0 && height.unknown == 0 && target.known() && pitch.known() && width.i > 0 &&
                     height.i > 0 && width.i <= (1 << 30) && height.i <= (1 << 20);
  if (!known) return c.success();
  const std::int64_t row = (width.i + 511) / 512 * 512;  // as drivers do
  c.in.notes.add(fmt::format("line {}: the pitch is taken to be {} bytes", c.line, row));
  allocate(c, target, number(row * height.i, c.types().i64), Space::device);
  c.store(pitch, c.types().u64, number(row, c.types().u64));
  return c.success();
}

std::optional<Value> device_pointer(Call& c) {
  const Value target = c.value(0), from = c.value(1);
  c.store(target, c.types().pointer_to(c.types().void_), from);
  return c.success();
}

bool is_pageable(Call& c, const Value& v) {
  const Address a = pointed(c, v);
  const Object* o = c.in.m.object(a);
  return o != nullptr && (o->space == Space::host || o->space == Space::characters) &&
         !c.in.log.pinned.contains(Memory::begin(a));
}

using Code = HostError::Code;

void error(Call& c, Code code, std::string message, std::string remedy) {
  c.in.log.error({.code = code, .line = c.line, .message = std::move(message), .remedy = std::move(remedy)});
}

/// "`q`, which has 256 bytes", "byte 128 of `q`, which has 256"
std::string size_words(const Object& o, std::int64_t offset) {
  const std::string name = o.name.empty() ? fmt::format("the array of line {}", o.line) : fmt::format("`{}`", o.name);
  return offset == 0 ? fmt::format("{}, which has {} bytes", name, o.bytes)
                     : fmt::format("byte {} of {}, which has {}", offset, name, o.bytes);
}

/// Whether the runtime refuses to access these bytes: it checks allocations of the device, also those that are freed.
/// Beyond an array of the host it accesses what is there.
bool refuses(Call& c, const Value& v, std::uint64_t bytes, std::string_view verb) {
  const Address a = pointed(c, v);
  const Object* o = c.in.m.object(a);
  if (o == nullptr || o->bytes == 0 || bytes == 0) return false;
  const bool known = of_device(*o);
  if (o->freed_at > 0) {
    error(c, known ? Code::call_fails : Code::freed_memory,
          fmt::format("`{}` {} memory that line {} has freed{}", c.name, verb, o->freed_at, known ? refused : ""),
          "free it after its last use");
    return known;
  }
  if (bytes <= room_at(c, a)) return false;
  error(c, known ? Code::call_fails : Code::out_of_bounds,
        fmt::format("`{}` {} {} bytes {} {}{}", c.name, verb, bytes, verb == "reads" ? "from" : "to",
                    size_words(*o, c.in.m.offset(a)), known ? refused : ""),
        "make both sides equally large, and count bytes (`n * sizeof(T)`)");
  return known;
}

void copy_known(Call& c, const Value& to, const Value& from, const Value& bytes) {
  TypedMemory& m = c.in.m;
  const Address t = pointed(c, to), f = pointed(c, from);
  const Object* source = m.object(f);
  if (m.object(t) == nullptr) {
    const bool from_host = source != nullptr && !of_device(*source) && c.name.starts_with("cudaMemcpy");
    if (to.unknown != 0 && from_host && c.in.log.certainty.depth == 0)
      c.in.notes.assume(Assumption::Code::host_action, c.line, "copies to an unknown place, which is left out",
                        m.words(to.unknown));
    return;
  }
  if (bytes.unknown != 0 || bytes.i < 0 || source == nullptr) {
    const Reason why = bytes.unknown != 0 ? bytes.unknown : from.unknown;
    return m.poison_all(
        t, why != 0 ? why : c.reason(fmt::format("`{}` at line {} copies an unknown range", c.name, c.line)));
  }
  const std::uint64_t count = std::min({static_cast<std::uint64_t>(bytes.i), room_at(c, t), room_at(c, f)});
  if (c.in.m.moves_bytes(t, f, count)) c.in.budget.spend(count / bytes_of_step);
  c.in.log.copy(t, f, count, c.line);
}

/// The error of a copy in a direction that its pointers do not have; 0: it is done. Only pageable memory of the host on a side
/// that the direction takes for a device is refused: every other copy is done as with cudaMemcpyDefault. Measured on an H100
/// (driver 580.159.04, CUDA 13.0) with cudaMemcpy, cudaMemcpyAsync and cudaMemcpy2D, in each direction with pageable, pinned,
/// managed and device memory on either side.
std::int64_t direction_error(Call& c, const Value& to, const Value& from, std::size_t argument) {
  static constexpr std::string_view directions[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                                    "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                                    "cudaMemcpyDefault"};
  constexpr std::int64_t invalid_direction = 21;
  const Value kind = argument < c.size() ? c.whole(argument) : Value{.unknown = 1};
  if (kind.unknown != 0) return 0;
  if (kind.i < 0 || kind.i >= std::ssize(directions)) {
    error(c, Code::call_fails,
          fmt::format("{} is no direction of `{}`: CUDA returns cudaErrorInvalidMemcpyDirection, and copies nothing",
                      kind.i, c.name),
          "use cudaMemcpyDefault");
    return invalid_direction;
  }
  const std::string_view direction = directions[static_cast<std::size_t>(kind.i)];
  const bool target = direction.ends_with("ToDevice") && is_pageable(c, to);
  if (!target && !(direction.find("DeviceTo") != std::string_view::npos && is_pageable(c, from))) return 0;
  error(c, Code::call_fails,
        fmt::format("the {} of `{}` is pageable memory of the host, and its direction is {}: CUDA returns "
                    "cudaErrorInvalidValue, and copies nothing",
                    target ? "destination" : "source", c.name, direction),
        target ? "copy with cudaMemcpyDeviceToHost" : "copy with cudaMemcpyHostToDevice");
  return invalid_value;
}

/// A function of the C library that accesses memory which only a kernel can access, or beyond an array's end.
void check_host_access(Call& c, const Value& v, const Value& bytes, std::string_view verb) {
  const Object* o = c.in.m.object(pointed(c, v));
  if (o == nullptr || count_of(bytes) == 0) return;
  if (o->space == Space::device) return c.in.host_accesses_device(*o, c.line);
  refuses(c, v, count_of(bytes), verb);
  c.in.log.host_accesses(pointed(c, v), std::min(count_of(bytes), room_at(c, pointed(c, v))), verb == "writes", c.line);
}

std::optional<Value> copy_host(Call& c) {
  const Value to = c.value(0), from = c.value(1), bytes = c.whole(2);
  check_host_access(c, from, bytes, "reads");
  check_host_access(c, to, bytes, "writes");
  copy_known(c, to, from, bytes);
  return to;
}

std::optional<Value> copy_text(Call& c) {
  const Value to = c.value(0), from = c.value(1);
  Value bytes = unknown_value(c.types().i64, from.unknown != 0 ? from.unknown : c.reason("it is no text"));
  if (from.is(Kind::pointer)) {
    bytes = number(static_cast<std::int64_t>(c.in.m.text_of(from).size()) + 1, c.types().i64);
    const Value most = c.size() > 2 ? c.whole(2) : bytes;
    if (most.unknown == 0) bytes.i = std::min(bytes.i, most.i);
  }
  copy_known(c, to, from, bytes);
  return to;
}

std::optional<Value> copy_memory(Call& c) {
  const Value to = c.value(0), from = c.value(1), bytes = c.whole(2);
  if (const std::int64_t error = direction_error(c, to, from, 3); error != 0) return c.integer(error);
  const bool reads = refuses(c, from, count_of(bytes), "reads"), writes = refuses(c, to, count_of(bytes), "writes");
  if (reads || writes) return c.integer(invalid_value);
  c.in.log.perform(c.in.issued_in(c.name, c.arguments, 4), [call = c, to, from, bytes](const IssuedIn& in) mutable {
    copy_known(call, to, from, bytes);
    const Touched both[] = {{pointed(call, from), count_of(bytes), false}, {pointed(call, to), count_of(bytes), true}};
    call.in.log.transfer(in, both, call.line);
  });
  return c.success();
}

std::optional<Value> copy_rows(Call& c) {
  const Value to = c.value(0), to_pitch = c.whole(1), from = c.value(2), from_pitch = c.whole(3), width = c.whole(4),
              height = c.whole(5);
  const bool known = to_pitch.unknown == 0 && from_pitch.unknown == 0 && width.unknown == 0 && height.unknown == 0;
  if (!known || !to.known() || !from.known()) {
    c.in.poison_pointee(c.expr(0), to,
                        c.reason(fmt::format("`{}` at line {} copies an unknown range", c.name, c.line)));
    return c.success();
  }
  if (const std::int64_t error = direction_error(c, to, from, 6); error != 0) return c.integer(error);
  if (height.i > 0 && width.i > 0) {
    const auto extent = [&](const Value& pitch) {
      return static_cast<std::uint64_t>((height.i - 1) * std::max<std::int64_t>(pitch.i, 0) + width.i);
    };
    const bool reads = refuses(c, from, extent(from_pitch), "reads"),
               writes = refuses(c, to, extent(to_pitch), "writes");
    if (reads || writes) return c.integer(invalid_value);
  }
  c.in.log.perform(c.in.issued_in(c.name, c.arguments, 7), [=, call = c](const IssuedIn& in) mutable {
    std::vector<Touched> rows;
    for (std::int64_t row = 0; row < height.i; ++row) {
      call.in.budget.step();
      Value t = to, f = from;
      t.i += row * to_pitch.i, f.i += row * from_pitch.i;
      copy_known(call, t, f, width);
      rows.push_back({pointed(call, f), count_of(width), false});
      rows.push_back({pointed(call, t), count_of(width), true});
    }
    call.in.log.transfer(in, rows, call.line);
  });
  return c.success();
}

std::optional<Value> copy_to_symbol(Call& c) {
  const Value from = c.value(1), bytes = c.whole(2), offset = c.size() > 3 ? c.whole(3) : number(0, c.types().i64);
  HostSymbol s{.name = std::string(without_casts(c.expr(0)).text),
               .line = c.line,
               .offset_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(offset.i, 0))};
  const std::uint64_t count = count_of(bytes);
  const Place symbol = c.in.place(without_casts(c.expr(0)));
  const Object* o = symbol.known() ? c.in.m.object(symbol.address) : nullptr;
  if (o != nullptr && o->space == Space::symbol && !o->name.empty()) s.name = o->name;  // through a reference
  const bool known = o != nullptr && o->space == Space::symbol && offset.unknown == 0 && count > 0;
  if (known && s.offset_bytes + count > o->bytes) {
    error(c, Code::call_fails,
          fmt::format("`{}` writes {} bytes from byte {} of `{}` on, which has {}{}", c.name, count, s.offset_bytes,
                      s.name, o->bytes, refused),
          "copy `sizeof` the variable");
    return c.integer(invalid_value);
  }
  if (o != nullptr && o->live) {  // its contents are followed: in order with other changes
    const Reason why = offset.unknown != 0 ? offset.unknown : bytes.unknown != 0 ? bytes.unknown : from.unknown;
    if (why != 0)
      c.in.m.poison_all(symbol.address, why);
    else
      c.in.log.copy(symbol.address + s.offset_bytes, from.address(), count, c.line);
    return c.success();
  }
  const bool readable = from.known() && bytes.unknown == 0 && bytes.i >= 0 && offset.unknown == 0 &&
                        count <= most_copied_to_symbol && c.in.m.first_unknown(from.address(), count) == 0;
  if (readable) {
    Reason unknown = 0;
    c.in.m.read(from.address(), count, s.contents.emplace(count).data(), unknown);
  }
  c.in.log.symbol(std::move(s));
  return c.success();
}

/// The variable of the module that the second argument names.
Place symbol_of(Call& c) {
  const Place at = c.in.place(without_casts(c.expr(1)));
  const Object* o = at.known() ? c.in.m.object(at.address) : nullptr;
  return o != nullptr && o->space == Space::symbol ? at : Place{};
}

std::optional<Value> symbol_address(Call& c) {
  const Value target = c.value(0);
  const Place symbol = symbol_of(c);
  if (!symbol.known()) return depends_on_machine(c);
  c.in.log.manage(symbol.address);  // what is copied to the address is a change of the variable
  c.store(target, c.types().pointer_to(c.types().void_),
          at_address(symbol.address, c.types().pointer_to(c.types().void_)));
  return c.success();
}

std::optional<Value> symbol_size(Call& c) {
  const Value target = c.value(0);
  const Place symbol = symbol_of(c);
  if (!symbol.known()) return depends_on_machine(c);
  c.store(target, c.types().u64, c.count(symbol.type->bytes));
  return c.success();
}

void set_bytes(Call& c, const Value& to, const Value& byte, const Value& bytes) {
  const Address at = to.known() ? to.address() : 0;
  if (c.in.m.object(at) == nullptr) return;
  const std::uint64_t room = room_at(c, at);
  if (const Reason why = byte.unknown != 0 ? byte.unknown : bytes.unknown; why != 0) {
    c.in.m.poison_all(at, why);
  } else {
    if (room <= c.in.limits.bytes) c.in.budget.spend(room / bytes_of_step);
    c.in.m.fill(at, static_cast<std::byte>(byte.i), std::min(count_of(bytes), room), 0);
  }
}

std::optional<Value> set_host(Call& c) {
  const Value to = c.value(0), byte = c.whole(1), bytes = c.whole(2);
  check_host_access(c, to, bytes, "writes");
  set_bytes(c, to, byte, bytes);
  return to;
}

std::optional<Value> set_memory(Call& c) {
  const Value to = c.value(0), byte = c.whole(1), bytes = c.whole(2);
  const std::uint64_t count = count_of(bytes);
  if (is_pageable(c, to) && count > 0) {
    error(c, Code::call_fails,
          fmt::format("the target of `{}` is pageable memory of the host: CUDA returns cudaErrorInvalidValue, and sets "
                      "nothing",
                      c.name),
          "set it with memset");
    return c.integer(invalid_value);
  }
  if (refuses(c, to, count, "writes")) return c.integer(invalid_value);
  c.in.log.perform(c.in.issued_in(c.name, c.arguments, 3), [=, call = c](const IssuedIn& in) mutable {
    set_bytes(call, to, byte, bytes);
    const Touched all{to.known() ? to.address() : 0, count, true};
    call.in.log.transfer(in, {&all, 1}, call.line);
  });
  return c.success();
}

/// cudaFree and its kin. The runtime waits for the device in all releases so far, but for cudaFreeAsync.
std::optional<Value> free_memory(Call& c) {
  const Value v = c.value(0);
  c.eval_all(1);
  if (c.name != "cudaFreeAsync") c.in.log.streams.host_waits_for_all();
  const Address a = v.is(Kind::pointer) ? v.address() : 0;
  Object* o = c.in.m.object(a);
  if (o == nullptr || !is_memory(*o)) return c.success();
  const auto fails = [&](std::string what, std::string remedy) {
    error(c, Code::call_fails, fmt::format("{}: CUDA returns cudaErrorInvalidValue", what), std::move(remedy));
    return c.integer(invalid_value);
  };
  if (o->freed_at > 0)
    return fails(fmt::format("`{}` frees what line {} has freed", c.name, o->freed_at), "free it once");
  if (!of_device(*o) && !c.in.log.pinned.contains(Memory::begin(a)))
    return fails(fmt::format("`{}` frees pageable memory of the host", c.name), "free it as it was allocated");
  if (c.in.m.offset(a) != 0)
    return fails(fmt::format("`{}` gets the address of {}", c.name, size_words(*o, c.in.m.offset(a))),
                 "free the address that the allocation returned");
  if (c.in.log.certainty.depth == 0)
    o->freed_at = c.line;  // not in functions that nothing calls, whose order is unknown
  return c.success();
}

}  // namespace

std::span<const LibraryFunction> copy_functions() {
  static constexpr LibraryFunction rows[] = {
      {"cudaMalloc cudaMallocAsync", 2, 255, allocate_device},
      {"cudaMallocManaged cudaMallocHost cudaHostAlloc", 2, 255, allocate_managed},
      {"posix_memalign", 3, 3, allocate_aligned},
      {"cudaMallocPitch", 4, 4, allocate_pitch},
      {"cudaHostGetDevicePointer", 2, 255, device_pointer},
      {"cudaMemcpy", 3, 255, copy_memory, true},
      {"cudaMemcpyAsync", 3, 255, copy_memory},
      {"cudaMemcpy2D cudaMemcpy2DAsync", 6, 255, copy_rows},
      {"cudaMemcpyToSymbol cudaMemcpyToSymbolAsync", 3, 255, copy_to_symbol},
      {"cudaGetSymbolAddress", 2, 2, symbol_address},
      {"cudaGetSymbolSize", 2, 2, symbol_size},
      {"memcpy memmove", 3, 255, copy_host},
      {"strcpy strncpy", 2, 255, copy_text},
      {"cudaMemset cudaMemsetAsync", 3, 255, set_memory},
      {"memset", 3, 255, set_host},
      {"cudaFree", 1, 1, free_memory, true},
      {"cudaFreeAsync cudaFreeHost", 1, 255, free_memory},
      {"cudaMemPrefetchAsync cudaMemAdvise", 0, 255, no_effect},
  };
  return rows;
}

}  // namespace lanescope::source::host
