#include "app/engine/prepare/overrides.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <set>

namespace lanescope::engine {
namespace {

constexpr std::string_view macro_prefix = "D:", argument_prefix = "arg:";

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  int base = 10;
  if constexpr (std::is_integral_v<Number>)
    if (text.starts_with("0x")) text.remove_prefix(2), base = 16;
  std::from_chars_result read{};
  if constexpr (std::is_integral_v<Number>)
    read = std::from_chars(text.data(), text.data() + text.size(), number, base);
  else
    read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

std::optional<std::array<std::uint32_t, 3>> extents_of(std::string_view text) {
  std::array<std::uint32_t, 3> out{1, 1, 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t end = text.find('x');
    const auto extent = number_of<std::uint32_t>(text.substr(0, end));
    if (!extent) return std::nullopt;
    out[axis] = *extent;
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
  return std::nullopt;
}

Diagnostics refuse(const std::string& file, std::string message, std::string remedy) {
  return {{.file = file, .message = std::move(message), .remedy = std::move(remedy)}};
}
Diagnostics no_value(const std::string& file, const Override& o, const char* form) {
  return refuse(file, fmt::format("'{}' is not a value of {}", o.value, o.name), form);
}

bool is_field(std::string_view name) {
  return name == "block" || name == "grid" || name == "cluster" || name == "dynamic_shared";
}
bool is_of_run(std::string_view name) { return name == "seed" || name == "arch"; }

Diagnostics set_field(const Override& o, source::Source& source) {
  if (o.name == "dynamic_shared") {
    const auto bytes = number_of<std::uint32_t>(o.value);
    if (!bytes) return no_value(source.file, o, "write a number of bytes");
    for (source::LaunchSpec& launch : source.header.launches)
      launch.dynamic_shared_bytes = *bytes, launch.places.shared = {};
    return {};
  }
  const auto extents = extents_of(o.value);
  if (!extents) return no_value(source.file, o, "write it as in 256, 32x8 or 8x4x2");
  for (source::LaunchSpec& launch : source.header.launches) {
    // What is wrong with them then is not wrong in the header.
    if (o.name == "block") launch.block = *extents, launch.places.block = {};
    if (o.name == "grid") launch.grid = *extents, launch.places.grid = {};
    if (o.name == "cluster") launch.cluster = *extents, launch.places.cluster = {};
  }
  return {};
}

Diagnostics set_argument(const Override& o, source::Source& source) {
  std::string_view name = o.name;
  if (name.starts_with(argument_prefix)) name.remove_prefix(argument_prefix.size());
  const bool whole = o.value.starts_with("0x");
  const auto bits = whole ? number_of<std::uint64_t>(o.value) : std::nullopt;
  const auto number =
      whole ? (bits ? std::optional(static_cast<double>(*bits)) : std::nullopt) : number_of<double>(o.value);
  bool found = false, other = false;
  std::set<std::string> names;
  for (source::LaunchSpec& launch : source.header.launches)
    for (source::ArgumentSpec& argument : launch.arguments) {
      if (argument.is_buffer || !argument.fields.empty() || !argument.members.empty()) continue;
      names.insert(argument.parameter);
      if (argument.parameter != name) continue;
      found = true;
      other = other || (number && argument.value != decltype(argument.value)(*number));
      if (number) argument.value = *number, argument.place = {};
    }
  // What is expected is expected of the header's own numbers; another shape of the launch must not change it.
  for (source::BufferSpec& buffer : source.header.buffers)
    if (other) buffer.expected.reset();
  if (!found)
    return refuse(source.file, fmt::format("no launch has a scalar argument '{}'", name),
                  names.empty()
                      ? "sweep over block, grid, cluster, dynamic_shared, seed, arch or a macro D:NAME"
                      : fmt::format("the scalar arguments are {}; a macro is D:{}", fmt::join(names, ", "), name));
  return number ? Diagnostics{} : no_value(source.file, o, "write a number");
}

}  // namespace

Diagnostics apply_overrides(const RunRequest& request, source::Source& source) {
  for (const Override& o : request.overrides) {
    Diagnostics wrong;
    if (o.name.starts_with(macro_prefix))
      source.header.compile.options.push_back(fmt::format("-D{}={}", o.name.substr(macro_prefix.size()), o.value));
    else if (is_field(o.name))
      wrong = set_field(o, source);
    else if (!is_of_run(o.name))
      wrong = set_argument(o, source);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

Expected<RunRequest> with_run_overrides(RunRequest request) {
  for (const Override& o : request.overrides) {
    if (o.name == "arch") request.arch = o.value;
    if (o.name != "seed") continue;
    const auto seed = number_of<std::uint64_t>(o.value);
    if (!seed) return tl::unexpected(no_value(request.file, o, "write a whole number"));
    request.seed = *seed;
  }
  return request;
}

}  // namespace lanescope::engine
