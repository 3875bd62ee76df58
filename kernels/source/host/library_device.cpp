// Properties of the GPU in the CUDA runtime, and its settings.

#include <algorithm>
#include <cstring>

#include "kernels/source/host/heap_limit.h"
#include "kernels/source/host/library.h"
#include "kernels/source/host/program/device_facts.h"

namespace lanescope::source::host {
namespace {

/// Success, with a note of the GPU that the answer is of.
Value reported(Call& c, std::string_view what) {
  if (c.in.notes.is_first(fmt::format("GPU{}", what)))  // once, at the first of many calls
    c.in.notes.add(fmt::format("line {}: the GPU has compute capability 9.0 and {} multiprocessors{}", c.line,
                               multiprocessors, what));
  return c.success();
}

void put_number(Call& c, const Value& pointer, std::int64_t v) {
  if (!pointer.is(Kind::pointer)) return;
  const Type* t = pointer.type->of->is_whole() ? pointer.type->of : c.types().int_;
  c.store(pointer, t, number(v, t));
}

std::optional<Value> set_attribute(Call& c) { return c.in.set_attribute(c.arguments, c.line); }
std::optional<Value> device_count(Call& c) { return put_number(c, c.value(0), 1), c.success(); }
std::optional<Value> device_number(Call& c) { return put_number(c, c.value(0), 0), c.success(); }

std::optional<Value> set_limit(Call& c) {
  constexpr std::int64_t malloc_heap_size = 2;  // cudaLimitMallocHeapSize, driver_types.h of the toolkit 13.0
  const Value limit = c.whole(0), bytes = c.whole(1);
  if (limit.unknown != 0 || (limit.i == malloc_heap_size && bytes.unknown != 0)) {
    c.in.notes.add(fmt::format("line {}: the size of the device heap is unknown, and stays as it is", c.line));
  } else if (limit.i == malloc_heap_size && bytes.i > 0) {
    std::vector<std::byte> held(sizeof bytes.i);
    std::memcpy(held.data(), &bytes.i, sizeof bytes.i);
    c.in.log.symbol({.name = std::string(heap_limit), .line = c.line, .contents = std::move(held)});
  }
  return c.success();
}

std::optional<Value> properties(Call& c) {
  const Value at = c.value(0);
  if (!at.is(Kind::pointer) || at.type->of != c.types().device_properties) return depends_on_machine(c);
  const Place all = pointee(at);
  TypedMemory& m = c.in.m;
  m.write(all.address, all.type->bytes, nullptr,
          c.reason(fmt::format("`{}` at line {} depends on the machine", c.name, c.line)));
  for (const DeviceFact& f : device_facts)
    if (const auto field = m.member(all, f.property)) m.put(*field, number(f.value, field->type));
  for (const auto& [property, extents] : {std::pair("maxGridSize", most_grid), std::pair("maxThreadsDim", most_block)})
    for (std::size_t i = 0; i < 3; ++i)
      if (const auto field = m.member(all, property))
        m.put({field->address + 4 * i, c.types().int_}, c.integer(extents[i]));
  return reported(c, "");
}

std::optional<Value> attribute(Call& c) {
  constexpr std::string_view prefix = "cudaDevAttr";
  const std::string_view name = c.expr(1).op == Op::name ? c.expr(1).text : std::string_view();
  for (const DeviceFact& f : device_facts) {
    if (!name.starts_with(prefix) || name.substr(prefix.size()) != f.attribute) continue;
    put_number(c, c.value(0), f.value);
    return reported(c, "");
  }
  return depends_on_machine(c);
}

std::optional<Value> active_blocks(Call& c) {
  const Value at = c.value(0), threads = c.whole(2), shared = c.whole(3);
  if (threads.unknown != 0 || shared.unknown != 0 || threads.i < 1 || shared.i < 0) return depends_on_machine(c);
  const std::int64_t warps = (threads.i + 31) / 32;
  const std::int64_t blocks =
      std::min({blocks_of_multiprocessor, threads_of_multiprocessor / 32 / std::max<std::int64_t>(warps, 1),
                shared_of_multiprocessor / (shared.i + shared_of_block_for_system)});
  put_number(c, at, !c.in.log.one_resident ? blocks : blocks == 1 ? 2 : 1);
  c.in.log.most_resident = std::max(c.in.log.most_resident, blocks * multiprocessors);
  return reported(c, "; resident blocks by threads and shared memory alone");
}

std::optional<Value> best_block(Call& c) {
  const Value grid = c.value(0), block = c.value(1);
  const Value limit = c.size() > 4 ? c.whole(4) : number(0, c.types().i64);
  const std::int64_t threads = limit.unknown == 0 && limit.i > 0 && limit.i < 1024 ? limit.i : 1024;
  put_number(c, grid, multiprocessors * (threads_of_multiprocessor / threads));
  put_number(c, block, threads);
  return reported(c, "; the best block by threads alone");
}

}  // namespace

std::span<const LibraryFunction> device_functions() {
  static constexpr LibraryFunction rows[] = {
      {"cudaFuncSetAttribute", 3, 3, set_attribute},
      {"cudaGetDeviceCount", 1, 1, device_count},
      {"cudaGetDevice", 1, 1, device_number},
      {"cudaSetDevice cudaGetLastError cudaPeekAtLastError cudaFuncSetCacheConfig "
       "cudaFuncSetSharedMemConfig cudaDeviceSetCacheConfig cudaDeviceSetSharedMemConfig cudaDeviceEnablePeerAccess "
       "cudaProfilerStart cudaProfilerStop nvtxRangePush nvtxRangePushA nvtxRangePop",
       0, 255, no_effect},
      {"cudaGetDeviceProperties", 2, 2, properties},
      {"cudaDeviceGetAttribute", 3, 3, attribute},
      {"cudaDeviceSetLimit", 2, 2, set_limit},
      {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", 4, 255, active_blocks},
      {"cudaOccupancyMaxPotentialBlockSize cudaOccupancyMaxPotentialBlockSizeVariableSMem", 3, 255, best_block},
  };
  return rows;
}

}  // namespace lanescope::source::host
