#include "kernels/trace/trace.h"

#include <array>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"

namespace lanescope::trace {
namespace {

constexpr std::string_view kinds[] = {"load", "store", "atomic", "reduction", "asynchronous copy"};
constexpr std::string_view spaces[] = {"global", "shared", "local", "constant", "parameter"};

}  // namespace

std::string_view kind_words(AccessKind kind) {
  const auto n = static_cast<std::size_t>(kind);
  return n < std::size(kinds) ? kinds[n] : "access";
}

std::string access_words(const AccessRecord& access) {
  const char* preposition = access.kind == AccessKind::load ? "from" : access.kind == AccessKind::store ? "to" : "in";
  const std::string_view space = entry_for(spaces, access.space);
  const std::string bytes = fmt::format("{} byte{}", access.width_bytes, access.width_bytes == 1 ? "" : "s");
  if (access.kind == AccessKind::async_copy)  // one event for what it reads, one for what it writes
    return fmt::format("{} of {}, its side in {} memory", kind_words(access.kind), bytes, space);
  return fmt::format("{} of {} {} {} memory", kind_words(access.kind), bytes, preposition, space);
}

std::string place_words(const Trace& trace, const AccessRecord& access, std::size_t lane) {
  const std::uint64_t address = access.addresses[lane];
  if (access.space == MemorySpace::shared) return fmt::format("shared + {}", address);
  const auto at = trace.locate(address);
  if (!at) return "outside of all buffers";
  return fmt::format("{} + {}", trace.buffers[static_cast<std::size_t>(at->first)].name, at->second);
}

}  // namespace lanescope::trace
