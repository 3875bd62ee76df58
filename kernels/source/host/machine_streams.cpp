// Streams and events of the host code, and which of its launches and copies are in order.
//
// A handle is the address of an object of its own, so that it is followed through arrays and structures like any pointer.
// An operation in a stream that is not known is taken as in order with all others: nothing is said of it, but that.
//
// Not followed: capturing graphs (what is captured counts as issued), callbacks, allocations in the order of a stream, and
// what the host itself reads or writes while a copy from or to pinned memory is under way. A copy from pageable memory by
// cudaMemcpy is taken as ended when the call returns.

#include <fmt/format.h>

#include "kernels/source/host/machine.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_operations = 4096;
constexpr std::int64_t legacy_handle = 1, handle_of_thread = 2;  ///< cudaStreamLegacy, cudaStreamPerThread
constexpr std::int64_t non_blocking_flag = 1;                    ///< cudaStreamNonBlocking

}  // namespace

StreamOrder::Stream Machine::default_stream() const {
  return p_.macros.defines("CUDA_API_PER_THREAD_DEFAULT_STREAM") ? StreamOrder::of_thread : StreamOrder::legacy;
}

/// nullopt: not known.
std::optional<StreamOrder::Stream> Machine::stream_of(const Value& v) const {
  if (v.unknown != 0 || v.type == nullptr) return std::nullopt;
  if (v.type->kind != Kind::pointer && !v.type->is_whole()) return std::nullopt;
  if (v.i == 0) return default_stream();
  if (v.i == legacy_handle) return StreamOrder::legacy;
  if (v.i == handle_of_thread) return StreamOrder::of_thread;
  const auto known = stream_handles_.find(static_cast<Address>(v.i));
  if (known == stream_handles_.end()) return std::nullopt;
  return known->second;
}

/// The event's address; 0: not known.
Address Machine::event_of(const Value& v) const {
  const bool address = v.unknown == 0 && v.type != nullptr && v.type->kind == Kind::pointer;
  return address ? static_cast<Address>(v.i) : 0;
}

/// What cudaStreamCreate(&s) puts into s.
Address Machine::new_handle(const Expr& target, int line) {
  const Value at = decayed(eval(target));
  const Address handle = memory_.make(1, Space::code, line, 0);
  const Type* pointer = p_.types.pointer_to(p_.types.void_);
  if (at.type != nullptr && at.unknown == 0 && at.type->kind == Kind::pointer && handle != 0)
    store({static_cast<Address>(at.i), pointer}, {.type = pointer, .i = static_cast<std::int64_t>(handle)}, line);
  return handle;
}

std::optional<Value> Machine::stream_call(std::string_view name, std::span<Expr* const> a, int line) {
  const Value success = number(0, p_.types.int_);
  const auto value = [&](std::size_t i) { return decayed(eval(*a[i])); };
  const auto rest = [&](std::size_t from) {
    for (std::size_t i = from; i < a.size(); ++i) eval(*a[i]);
    return success;
  };
  if (name.starts_with("cudaStreamCreate") && !a.empty() && name != "cudaStreamCreateWithFlagsAndPriority") {
    const Value flags = a.size() > 1 ? convert(value(1), p_.types.i64) : number(0, p_.types.i64);
    const Address handle = new_handle(*a[0], line);
    stream_handles_[handle] = streams_.make(flags.unknown != 0 || (flags.i & non_blocking_flag) == 0);
    return rest(2);
  }
  if ((name == "cudaEventCreate" || name == "cudaEventCreateWithFlags") && !a.empty()) {
    new_handle(*a[0], line);
    return rest(1);
  }
  if (name.starts_with("cudaEventRecord") && !a.empty()) {
    const Address event = event_of(value(0));
    const auto stream = a.size() > 1 ? stream_of(value(1)) : std::optional(default_stream());
    if (!stream) streams_.host_waits_for_all();
    streams_.record(event, stream.value_or(StreamOrder::legacy));
    return rest(2);
  }
  if (name == "cudaStreamWaitEvent" && a.size() >= 2) {
    const auto stream = stream_of(value(0));
    const Address event = event_of(value(1));
    if (!stream || event == 0)
      streams_.host_waits_for_all();  // who waits for what is not known: nothing is claimed to be out of order
    else
      streams_.wait(*stream, event);
    return rest(2);
  }
  if ((name == "cudaStreamSynchronize" || name == "cudaStreamQuery") && a.size() == 1) {
    const auto stream = stream_of(value(0));
    stream ? streams_.host_waits(*stream) : streams_.host_waits_for_all();
    return success;
  }
  if ((name == "cudaEventSynchronize" || name == "cudaEventQuery") && a.size() == 1) {
    const Address event = event_of(value(0));
    event != 0 ? streams_.host_waits_for_event(event) : streams_.host_waits_for_all();
    return success;
  }
  // cudaFree waits for the device in all releases so far.
  if (name == "cudaDeviceSynchronize" || name == "cudaThreadSynchronize" || name == "cudaDeviceReset" ||
      name == "cudaFree" || name == "cudaFreeHost") {
    rest(0);
    streams_.host_waits_for_all();
    return success;
  }
  if (name == "cudaHostRegister" && !a.empty()) {
    const Value at = value(0);
    if (at.unknown == 0 && at.type != nullptr) pinned_.insert(Memory::begin(static_cast<Address>(at.i)));
    return rest(1);
  }
  return std::nullopt;
}

Machine::IssuedIn Machine::issued_in(std::string_view call, std::span<Expr* const> a, std::size_t at) {
  IssuedIn in{
      .call = call, .stream = default_stream(), .asynchronous = call.ends_with("Async") || call.ends_with("set")};
  if (at >= a.size()) return in;
  in.stream = stream_of(decayed(eval(*a[at])));
  in.text = a[at]->source.empty() ? a[at]->text : a[at]->source;
  return in;
}

/// A launch or a copy begins: where it stands among the others.
HostOperation Machine::issue(const IssuedIn& in, int line) {
  HostOperation out{.line = line, .call = std::string(in.call), .stream = std::string(in.text)};
  if (!in.stream) {
    if (!stream_handles_.empty())
      note(fmt::format(
          "line {}: the stream `{}` is unknown; launches and copies in it count as in order with all others", line,
          in.text));
    streams_.host_waits_for_all();
  }
  out.in = in.stream.value_or(StreamOrder::legacy);
  if (out.stream.empty() && out.in > StreamOrder::of_thread) out.stream = fmt::format("#{}", out.in);
  StreamOrder::Issued issued = streams_.issue(out.in);
  out.number = issued.number;
  out.behind = std::move(issued.behind);
  if (!in.stream) streams_.host_waits_for_all();
  return out;
}

void Machine::keep(HostOperation operation) {
  if (out_.operations.size() < most_operations) out_.operations.push_back(std::move(operation));
}

/// A copy or a memset by the runtime.
void Machine::transfer(const IssuedIn& in, std::span<const Touched> touched, int line) {
  HostOperation operation = issue(in, line);
  bool on_device = true, pageable_target = false;
  for (const Touched& t : touched) {
    Object* o = memory_.object(t.at);
    if (o == nullptr) continue;
    on_device = on_device && o->space != Space::host && o->space != Space::managed;
    pageable_target =
        pageable_target || (t.writes && o->space == Space::host && !pinned_.contains(Memory::begin(t.at)));
    if (o->space != Space::device && o->space != Space::managed) continue;
    if (const HostPointer p = pointer(t.at); p.buffer >= 0 && t.bytes > 0)
      operation.uses.push_back({.at = p, .bytes = t.bytes, .writes = t.writes});
  }
  const auto stream = in.stream.value_or(StreamOrder::legacy);
  keep(std::move(operation));
  // cudaMemcpy returns when the copy has ended, unless it stays on the device; so does a copy into pageable memory.
  const bool waits = !in.asynchronous && !on_device;
  if (waits || pageable_target) streams_.host_waits(stream);
}

}  // namespace lanescope::source::host
