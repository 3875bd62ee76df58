#include "app/engine/prepare/prepare.h"

#include "kernels/base/numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace lanescope::engine {
namespace {

constexpr std::string_view macro_prefix = "D:", argument_prefix = "arg:";

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  const bool hexadecimal = std::is_integral_v<Number> && text.starts_with("0x");
  return number_in<Number>(text.substr(hexadecimal ? 2 : 0), hexadecimal ? 16 : 10);
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
    // A mistake in them then is not one of the header.
    if (o.name == "block") launch.block = *extents, launch.places.block = {};
    if (o.name == "grid") launch.grid = *extents, launch.places.grid = {};
    if (o.name == "cluster") launch.cluster = *extents, launch.places.cluster = {};
  }
  return {};
}

/// A number, or "0x" and bits.
std::optional<double> scalar_of(std::string_view text) {
  if (!text.starts_with("0x")) return number_of<double>(text);
  const auto bits = number_of<std::uint64_t>(text);
  return bits ? std::optional(static_cast<double>(*bits)) : std::nullopt;
}

Diagnostics set_argument(const Override& o, source::Source& source) {
  std::string_view name = o.name;
  if (name.starts_with(argument_prefix)) name.remove_prefix(argument_prefix.size());
  const std::optional<double> number = scalar_of(o.value);
  const double value = number.value_or(0);
  bool found = false, other = false;
  std::set<std::string> names;
  for (source::LaunchSpec& launch : source.header.launches)
    for (source::ArgumentSpec& argument : launch.arguments) {
      if (argument.is_buffer || !argument.fields.empty() || !argument.members.empty()) continue;
      names.insert(argument.parameter);
      if (argument.parameter != name) continue;
      found = true;
      if (!number) continue;
      other = other || argument.value != decltype(argument.value)(value);
      argument.value = value, argument.place = {};
    }
  // Expected contents are those of the header's own numbers; another shape of the launch must not change it.
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

namespace {

std::string words_of(const std::array<std::uint32_t, 3>& e) {
  std::string out = fmt::format("{}", e[0]);
  if (e[1] > 1 || e[2] > 1) out += fmt::format("x{}", e[1]);
  return e[2] > 1 ? out + fmt::format("x{}", e[2]) : out;
}

/// Of the first launch that states another value; nullopt: all state this one.
std::optional<std::string> replaced_field(const Override& o, const source::Source& source) {
  const auto extents = extents_of(o.value);
  for (const source::LaunchSpec& launch : source.header.launches) {
    if (o.name == "dynamic_shared" && number_of<std::uint32_t>(o.value) != launch.dynamic_shared_bytes)
      return fmt::format("{}", launch.dynamic_shared_bytes);
    if (o.name == "block" && extents != launch.block) return words_of(launch.block);
    if (o.name == "grid" && extents != launch.grid) return words_of(launch.grid);
    if (o.name == "cluster" && extents != launch.cluster) return launch.cluster ? words_of(*launch.cluster) : "none";
  }
  return std::nullopt;
}

std::optional<std::string> replaced_argument(const Override& o, const source::Source& source) {
  std::string_view name = o.name;
  if (name.starts_with(argument_prefix)) name.remove_prefix(argument_prefix.size());
  for (const source::LaunchSpec& launch : source.header.launches)
    for (const source::ArgumentSpec& a : launch.arguments)
      if (const auto* number = std::get_if<double>(&a.value);
          a.parameter == name && number != nullptr && scalar_of(o.value).value_or(*number) != *number)
        return fmt::format("{}", *number);
  return std::nullopt;
}

}  // namespace

ReplacedValues replaced_values(const RunRequest& request, const source::Source& source) {
  ReplacedValues out;
  for (const Override& o : request.overrides) {
    if (o.name.starts_with(macro_prefix)) {
      out.launch.push_back(fmt::format("{} as the file has it", o.name.substr(macro_prefix.size())));
    } else if (is_field(o.name)) {
      if (const auto stated = replaced_field(o, source)) out.launch.push_back(fmt::format("{} = {}", o.name, *stated));
    } else if (!is_of_run(o.name)) {
      if (const auto stated = replaced_argument(o, source))
        out.arguments.push_back(fmt::format("{} = {}", o.name, *stated));
    }
  }
  return out;
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
