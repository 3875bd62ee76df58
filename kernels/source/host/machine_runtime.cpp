// Calls of the CUDA runtime: memory, copies, devices.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/host/fill_loop.h"
#include "kernels/source/host/heap_limit.h"
#include "kernels/source/host/machine.h"
#include "kernels/source/host/program/device_facts.h"

namespace lanescope::source::host {

Value Machine::fresh(std::uint64_t bytes, Space space, int line, Reason content) {
  const Address a = memory_.make(bytes, space, line, content);
  const Type* t = p_.types.pointer_to(p_.types.void_);
  if (a == 0) return unknown_value(t, because("there are too many allocations"));
  return {.type = t, .i = static_cast<std::int64_t>(a)};
}

/// cudaMalloc(&p, bytes) and its kin.
Value Machine::allocate(std::span<Expr* const> a, std::size_t size, Space space, int line, std::string_view with) {
  const Value target = decayed(eval(*a[0]));
  const Value bytes = convert(eval(*a[size]), p_.types.i64);
  const Value success = number(0, p_.types.int_);
  const Type* t = target.type != nullptr && target.type->kind == Kind::pointer ? target.type->of : nullptr;
  // (void**)&p: what p points to is the type of p itself
  const Expr* root = a[0];
  while ((root->op == Op::cast || root->op == Op::address) && !root->parts.empty() && root->parts[0] != nullptr)
    root = root->parts[0];
  const Type* own = static_type(*root);
  if (a[0]->op != Op::local && own != nullptr && own->kind == Kind::pointer) t = own;
  if (t == nullptr || t->kind != Kind::pointer) t = p_.types.pointer_to(p_.types.void_);
  if (target.unknown != 0 || target.type == nullptr) return success;
  Value made;
  if (bytes.unknown != 0 || bytes.i <= 0) {
    made = unknown_value(
        t, bytes.unknown != 0 ? bytes.unknown : because(fmt::format("`{}` at line {} gets no bytes", with, line)));
    // still one buffer of its own: its size is what is not known
    made = fresh(0, space, line, uninitialised_);
    if (Object* o = memory_.object(static_cast<Address>(made.i))) {
      o->name = std::string(root->text);
      o->element = t->of->kind == Kind::void_ ? nullptr : t->of;
      if (const int b = buffer_of(*o); b >= 0)
        out_.buffers[static_cast<std::size_t>(b)].because =
            fmt::format("its size is unknown, because {}",
                        bytes.unknown != 0 ? memory_.words(bytes.unknown) : "it is not positive");
    }
  } else {
    made = fresh(static_cast<std::uint64_t>(bytes.i), space, line, uninitialised_);
    if (Object* o = memory_.object(static_cast<Address>(made.i))) {
      o->name = std::string(root->text);
      o->element = t->of->kind == Kind::void_ ? nullptr : t->of;
      if (space != Space::host) buffer_of(*o);
    }
  }
  const Type* pointer = p_.types.pointer_to(p_.types.void_);
  store({static_cast<Address>(target.i), pointer}, convert(made, pointer), line);
  return success;
}

Address Machine::pointed(const Value& v) {
  if (v.type == nullptr || v.unknown != 0) return 0;
  return v.type->kind == Kind::vector ? word(static_cast<Address>(v.i)) : static_cast<Address>(v.i);
}

/// cudaMemcpy and memcpy.
Value Machine::copied(const Value& to, const Value& from, const Value& bytes, int line, std::string_view with) {
  const Address t = pointed(to), f = pointed(from);
  if (memory_.object(t) == nullptr) return number(0, p_.types.int_);
  if (bytes.unknown != 0 || bytes.i < 0 || memory_.object(f) == nullptr) {
    const Reason why = bytes.unknown != 0 ? bytes.unknown
                       : from.unknown != 0
                           ? from.unknown
                           : because(fmt::format("`{}` at line {} copies what is not known", with, line));
    memory_.poison_all(t, why);
    return number(0, p_.types.int_);
  }
  std::uint64_t count = static_cast<std::uint64_t>(bytes.i);
  const Object *into = memory_.object(t), *source = memory_.object(f);
  const auto room = [&](const Object* o, Address a) {
    const std::int64_t at = memory_.offset(a);
    return at < 0 || static_cast<std::uint64_t>(at) > o->bytes ? 0 : o->bytes - static_cast<std::uint64_t>(at);
  };
  const std::uint64_t fits = std::min(room(into, t), room(source, f));
  if (count > fits) {
    note(fmt::format("line {}: `{}` copies {} bytes, but there are only {}", line, with, count, fits));
    count = fits;
  }
  const bool nothing_known = source->shadow.empty() && source->uniform != 0;  // then no byte is moved
  if (!nothing_known) steps_ += std::min<std::uint64_t>(count, limits_.bytes) / bytes_of_step;
  copy_bytes(t, f, count, line);
  return number(0, p_.types.int_);
}

std::optional<Value> Machine::runtime(std::string_view name, std::span<Expr* const> a, const Expr& e) {
  const int line = e.line;
  const Value success = number(0, p_.types.int_);
  const auto value = [&](std::size_t i) { return decayed(eval(*a[i])); };
  const auto whole = [&](std::size_t i) { return convert(value(i), p_.types.i64); };
  if ((name == "cudaMalloc" || name == "cudaMallocAsync") && a.size() >= 2)
    return allocate(a, 1, Space::device, line, name);
  if ((name == "cudaMallocManaged" || name == "cudaMallocHost" || name == "cudaHostAlloc") && a.size() >= 2)
    return allocate(a, 1, Space::managed, line, name);
  if (name == "posix_memalign" && a.size() == 3) return allocate(a, 2, Space::host, line, name);
  if (name == "cudaHostGetDevicePointer" && a.size() >= 2) {
    const Value target = value(0), from = value(1);
    if (target.type != nullptr && target.unknown == 0)
      store({static_cast<Address>(target.i), p_.types.pointer_to(p_.types.void_)}, from, line);
    return success;
  }
  if (name == "cudaMallocPitch" && a.size() == 4) {
    const Value target = value(0), pitch = value(1), width = whole(2), height = whole(3);
    if (width.unknown != 0 || height.unknown != 0 || target.unknown != 0 || pitch.unknown != 0 || width.i <= 0 ||
        height.i <= 0 || width.i > (1 << 30) || height.i > (1 << 20))
      return success;
    const std::int64_t row = (width.i + 511) / 512 * 512;  // as drivers do
    note(fmt::format("line {}: the pitch is taken to be {} bytes", line, row));
    const Value made = fresh(static_cast<std::uint64_t>(row * height.i), Space::device, line, uninitialised_);
    const Expr* root = a[0];
    while ((root->op == Op::cast || root->op == Op::address) && !root->parts.empty() && root->parts[0] != nullptr)
      root = root->parts[0];
    if (Object* o = memory_.object(static_cast<Address>(made.i))) {
      o->name = std::string(root->text);
      if (const Type* t = static_type(*root); t != nullptr && t->kind == Kind::pointer) o->element = t->of;
      buffer_of(*o);
    }
    store({static_cast<Address>(target.i), p_.types.pointer_to(p_.types.void_)}, made, line);
    store({static_cast<Address>(pitch.i), p_.types.u64}, number(row, p_.types.u64), line);
    return success;
  }
  if ((name == "malloc" || name == "calloc" || name == "aligned_alloc" || name == "_mm_malloc") && !a.empty()) {
    const std::size_t last = name == "calloc" || name == "aligned_alloc" ? 1 : 0;
    if (a.size() <= last) return std::nullopt;
    Value bytes = whole(last);
    if (name == "calloc") bytes = arithmetic(Op::multiply, bytes, whole(0), line);
    if (bytes.unknown != 0 || bytes.i < 0) return fresh(0, Space::host, line, uninitialised_);
    return fresh(static_cast<std::uint64_t>(bytes.i), Space::host, line, name == "calloc" ? Reason{0} : uninitialised_);
  }
  if ((name == "cudaMemcpy" || name == "cudaMemcpyAsync" || name == "memcpy" || name == "memmove") && a.size() >= 3) {
    const Value to = value(0), from = value(1);
    const Value bytes = whole(2);
    copied(to, from, bytes, line, name);
    if (!name.starts_with("cuda")) return to;
    if (a.size() > 3) eval(*a[3]);
    const std::uint64_t count = bytes.unknown == 0 && bytes.i > 0 ? static_cast<std::uint64_t>(bytes.i) : 0;
    const Touched both[] = {{pointed(from), count, false}, {pointed(to), count, true}};
    transfer(issued_in(name, a, 4), both, line);
    return success;
  }
  if ((name == "strcpy" || name == "strncpy") && a.size() >= 2) {
    const Value to = value(0), from = value(1);
    Value bytes = number(0, p_.types.i64);
    if (from.unknown == 0 && from.type != nullptr && from.type->kind == Kind::pointer) {
      bytes.i = static_cast<std::int64_t>(text_of(from).size()) + 1;
      const Value most = a.size() > 2 ? whole(2) : bytes;
      if (most.unknown == 0) bytes.i = std::min(bytes.i, most.i);
    } else {
      bytes.unknown = from.unknown != 0 ? from.unknown : because("it is no text");
    }
    copied(to, from, bytes, line, name);
    return to;
  }
  if ((name == "cudaMemset" || name == "cudaMemsetAsync" || name == "memset") && a.size() >= 3) {
    const Value to = value(0), byte = whole(1), bytes = whole(2);
    const Address at = to.unknown == 0 && to.type != nullptr ? static_cast<Address>(to.i) : 0;
    if (Object* o = memory_.object(at)) {
      const Reason why = byte.unknown != 0 ? byte.unknown : bytes.unknown;
      const std::int64_t offset = memory_.offset(at);
      const std::uint64_t room = offset < 0 || static_cast<std::uint64_t>(offset) > o->bytes
                                     ? 0
                                     : o->bytes - static_cast<std::uint64_t>(offset);
      if (why != 0) {
        memory_.poison_all(at, why);
      } else {
        steps_ += std::min<std::uint64_t>(room, limits_.bytes) / bytes_of_step;
        memory_.fill(at, static_cast<std::byte>(byte.i),
                     std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes.i, 0)), room), 0);
      }
    }
    if (!name.starts_with("cuda")) return to;
    const bool known = bytes.unknown == 0 && bytes.i > 0;
    const Touched set[] = {{at, known ? static_cast<std::uint64_t>(bytes.i) : 0, true}};
    transfer(issued_in(name, a, 3), set, line);
    return success;
  }
  if ((name == "cudaMemcpy2D" || name == "cudaMemcpy2DAsync") && a.size() >= 6) {
    const Value to = value(0), to_pitch = whole(1), from = value(2), from_pitch = whole(3), width = whole(4),
                height = whole(5);
    const bool known = to_pitch.unknown == 0 && from_pitch.unknown == 0 && width.unknown == 0 && height.unknown == 0;
    if (!known || to.unknown != 0 || to.type == nullptr || from.type == nullptr || from.unknown != 0) {
      poison_pointee(*a[0], to, because(fmt::format("`{}` at line {} copies what is not known", name, line)));
      return success;
    }
    std::vector<Touched> rows;
    for (std::int64_t row = 0; row < height.i; ++row) {
      step();
      Value t = to, f = from;
      t.i += row * to_pitch.i, f.i += row * from_pitch.i;
      copied(t, f, width, line, name);
      const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(width.i, 0));
      rows.push_back({pointed(f), count, false});
      rows.push_back({pointed(t), count, true});
    }
    transfer(issued_in(name, a, 7), rows, line);
    return success;
  }
  if ((name == "cudaMemcpyToSymbol" || name == "cudaMemcpyToSymbolAsync") && a.size() >= 3) {
    const Expr* symbol = a[0];
    while (symbol->op == Op::cast || symbol->op == Op::address) {
      if (symbol->parts.empty() || symbol->parts[0] == nullptr) break;
      symbol = symbol->parts[0];
    }
    const Value from = value(1), bytes = whole(2), offset = a.size() > 3 ? whole(3) : number(0, p_.types.i64);
    HostSymbol s{.name = std::string(symbol->text),
                 .line = line,
                 .offset_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(offset.i, 0)),
                 .launches_before = out_.launches.size()};
    const bool readable = from.unknown == 0 && from.type != nullptr && bytes.unknown == 0 && offset.unknown == 0 &&
                          bytes.i >= 0 && bytes.i <= (1 << 26);
    if (readable && memory_.first_unknown(static_cast<Address>(from.i), static_cast<std::uint64_t>(bytes.i)) == 0) {
      std::vector<std::byte> data(static_cast<std::size_t>(bytes.i));
      Reason unknown = 0;
      memory_.read(static_cast<Address>(from.i), data.size(), data.data(), unknown);
      s.contents = std::move(data);
    }
    if (out_.symbols.size() < 64) out_.symbols.push_back(std::move(s));
    return success;
  }
  return device_call(name, a, line);
}

/// What the runtime says of the GPU.
std::optional<Value> Machine::device_call(std::string_view name, std::span<Expr* const> a, int line) {
  const auto told = [&](std::string_view what) {
    if (noted_.insert(fmt::format("GPU{}", what)).second)  // once, where the first of many questions stands
      note(fmt::format("line {}: the GPU has compute capability 9.0 and {} multiprocessors{}", line, multiprocessors,
                       what));
    return number(0, p_.types.int_);
  };
  const auto value = [&](std::size_t i) { return decayed(eval(*a[i])); };
  const auto whole = [&](std::size_t i) { return convert(value(i), p_.types.i64); };
  if (name == "cudaDeviceSetLimit" && a.size() == 2) {
    constexpr std::int64_t malloc_heap_size = 2;  // cudaLimitMallocHeapSize, driver_types.h of the toolkit 13.0
    const Value limit = whole(0), bytes = whole(1);
    if (limit.unknown != 0 || (limit.i == malloc_heap_size && bytes.unknown != 0)) {
      note(fmt::format("line {}: the size of the device heap is unknown, and stays as it is", line));
    } else if (limit.i == malloc_heap_size && bytes.i > 0) {
      std::vector<std::byte> held(sizeof bytes.i);
      std::memcpy(held.data(), &bytes.i, sizeof bytes.i);
      out_.symbols.push_back({.name = std::string(heap_limit),
                              .line = line,
                              .offset_bytes = 0,
                              .contents = std::move(held),
                              .launches_before = out_.launches.size()});
    }
    return number(0, p_.types.int_);
  }
  const auto set = [&](const Value& at, std::int64_t v) {
    if (at.type == nullptr || at.unknown != 0 || at.type->kind != Kind::pointer) return;
    const Type* t = at.type->of->is_whole() ? at.type->of : p_.types.int_;
    store({static_cast<Address>(at.i), t}, number(v, t), line);
  };
  if ((name == "cudaGetDeviceCount" || name == "cudaGetDevice") && a.size() == 1) {
    set(value(0), name == "cudaGetDeviceCount" ? 1 : 0);
    return number(0, p_.types.int_);
  }
  if (name == "cudaGetDeviceProperties" && a.size() == 2) {
    const Value at = value(0);
    if (at.type == nullptr || at.unknown != 0 || at.type->kind != Kind::pointer ||
        at.type->of != p_.types.device_properties)
      return std::nullopt;
    const Place all{static_cast<Address>(at.i), p_.types.device_properties};
    memory_.write(all.address, all.type->bytes, nullptr,
                  because(fmt::format("`{}` at line {} depends on the machine", name, line)));
    for (const DeviceFact& f : device_facts)
      if (const auto m = member(all, f.property)) store(*m, number(f.value, m->type), line);
    for (const auto& [property, extents] :
         {std::pair("maxGridSize", most_grid), std::pair("maxThreadsDim", most_block)})
      for (std::size_t i = 0; i < 3; ++i)
        if (const auto m = member(all, property))
          store({m->address + 4 * i, p_.types.int_}, number(extents[i], p_.types.int_), line);
    return told("");
  }
  if (name == "cudaDeviceGetAttribute" && a.size() == 3) {
    constexpr std::string_view prefix = "cudaDevAttr";
    for (const DeviceFact& f : device_facts) {
      if (a[1]->op != Op::name || !a[1]->text.starts_with(prefix) || a[1]->text.substr(prefix.size()) != f.attribute)
        continue;
      set(value(0), f.value);
      return told("");
    }
    return std::nullopt;
  }
  if (name == "cudaOccupancyMaxActiveBlocksPerMultiprocessor" && a.size() >= 4) {
    const Value at = value(0), threads = whole(2), shared = whole(3);
    if (threads.unknown != 0 || shared.unknown != 0 || threads.i < 1 || shared.i < 0) return std::nullopt;
    const std::int64_t warps = (threads.i + 31) / 32;
    const std::int64_t blocks =
        std::min({blocks_of_multiprocessor, threads_of_multiprocessor / 32 / std::max<std::int64_t>(warps, 1),
                  shared_of_multiprocessor / (shared.i + shared_of_block_for_system)});
    set(at, blocks);
    most_resident_ = std::max(most_resident_, blocks * multiprocessors);
    return told("; resident blocks by threads and shared memory alone");
  }
  if ((name == "cudaOccupancyMaxPotentialBlockSize" || name == "cudaOccupancyMaxPotentialBlockSizeVariableSMem") &&
      a.size() >= 3) {
    const Value grid = value(0), block = value(1);
    const Value limit = a.size() > 4 ? whole(4) : number(0, p_.types.i64);
    const std::int64_t threads = limit.unknown == 0 && limit.i > 0 && limit.i < 1024 ? limit.i : 1024;
    set(grid, multiprocessors * (threads_of_multiprocessor / threads));
    set(block, threads);
    return told("; the best block by threads alone");
  }
  return std::nullopt;
}

}  // namespace lanescope::source::host
