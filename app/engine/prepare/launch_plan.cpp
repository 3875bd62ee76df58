#include "app/engine/prepare/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/base/numbers.h"
#include "kernels/source/data/number_format.h"

namespace lanescope::engine {
namespace {

const source::BufferSpec* find_buffer(const source::Source& source, std::string_view name) {
  const auto found = std::ranges::find(source.header.buffers, name, &source::BufferSpec::name);
  return found == source.header.buffers.end() ? nullptr : &*found;
}

Diagnostic mistake(const source::Source& source, const source::TextPlace& at, std::string message,
                   std::string remedy = {}) {
  return {.file = source.file,
          .line = at.line,
          .column = at.column,
          .message = std::move(message),
          .remedy = std::move(remedy)};
}
tl::unexpected<Diagnostics> refuse(const source::Source& source, const source::TextPlace& at, std::string message,
                                   std::string remedy = {}) {
  return failure(mistake(source, at, std::move(message), std::move(remedy)));
}

/// Of an argument, as far as the header has it.
source::TextPlace place_of(const source::LaunchSpec& launch, const source::ArgumentSpec& argument) {
  return argument.place.line > 0 ? argument.place : launch.place_or_line(launch.places.arguments);
}

/// Errors from folders that do not know the file get its name and a place in the header.
Diagnostics at_place(Diagnostics errors, const source::Source& source, const source::TextPlace& place) {
  for (Diagnostic& d : errors) {
    if (!d.file.empty()) continue;
    d.file = source.file;
    if (d.line == 0) d.line = place.line, d.column = place.column;
  }
  return errors;
}

/// An error in contents is reported where the header names them, not in the file that was read.
Diagnostics at_contents(Diagnostics errors, const source::Source& source, const source::BufferSpec& buffer,
                        const source::Contents& what) {
  for (Diagnostic& d : errors) {
    if (!d.file.empty() && d.file != source.file) d.message = fmt::format("{}: {}", d.file, d.message);
    d.file = source.file;
    d.line = what.line > 0 ? what.line : buffer.line;
    d.column = what.line > 0 ? what.column : 0;
  }
  return errors;
}

/// "p" or "p+64": the buffer's index and the offset in elements.
Expected<trace::BufferArgument> buffer_argument(const source::Source& source, const source::LaunchSpec& launch,
                                                const source::ArgumentSpec& argument, const std::string& text) {
  const std::size_t sign = text.find_first_of("+-");
  std::string name = text.substr(0, sign);
  name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
  std::int64_t offset_elements = 0;
  if (sign != std::string::npos) {
    std::string digits = text.substr(sign);
    digits.erase(std::remove_if(digits.begin(), digits.end(), [](char c) { return c == ' ' || c == '+'; }),
                 digits.end());
    const auto offset = number_in<std::int64_t>(digits);
    if (offset)
      offset_elements = *offset;
    else
      return refuse(source, place_of(launch, argument), fmt::format("'{}' is not a buffer with an offset", text),
                    "write it as in \"p+64\", counted in elements");
  }
  const source::BufferSpec* buffer = find_buffer(source, name);
  if (!buffer) {
    std::string known;
    for (const auto& b : source.header.buffers) known += (known.empty() ? "" : ", ") + b.name;
    return refuse(source, place_of(launch, argument),
                  fmt::format("argument '{}' names the buffer '{}', which does not exist", argument.parameter, name),
                  known.empty() ? "add the buffer to the launch header" : "use one of " + known);
  }
  const std::int64_t bits = offset_elements * buffer->element_bits;
  if (bits % 8 != 0)
    return refuse(source, place_of(launch, argument), fmt::format("'{}' does not start at a whole byte", text),
                  "use a multiple of 8 bits as the offset");
  return trace::BufferArgument{static_cast<int>(buffer - source.header.buffers.data()), bits / 8};
}

/// A structure: its members at their places. Where these are not known, pointers take 8 bytes and the numbers share the rest.
Expected<trace::Argument> pack_structure(const source::Source& source, const source::LaunchSpec& launch,
                                         const source::ArgumentSpec& argument, const ptx::Param& param) {
  trace::StructArgument out;
  out.bytes.resize(param.bytes);
  std::uint64_t known = 0, numbers = 0;
  for (const source::FieldSpec& m : argument.members) {
    const bool pointer = std::holds_alternative<std::string>(m.value);
    known += m.bytes > 0 ? m.bytes : pointer ? 8 : 0;
    numbers += m.bytes == 0 && !pointer;
  }
  const std::uint64_t left = param.bytes - std::min<std::uint64_t>(param.bytes, known);
  const std::uint64_t each = numbers > 0 ? left / numbers : 0;
  std::uint64_t next = 0;
  for (const source::FieldSpec& m : argument.members) {
    const bool is_pointer = std::holds_alternative<std::string>(m.value);
    const std::uint64_t bytes = m.bytes > 0 ? m.bytes : is_pointer ? 8 : each;
    const bool known_size = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (m.offset_bytes < 0 && bytes > 0) next = (next + bytes - 1) / bytes * bytes;
    const std::uint64_t at = m.offset_bytes >= 0 ? static_cast<std::uint64_t>(m.offset_bytes) : next;
    if (!known_size || at + bytes > param.bytes)
      return refuse(
          source, place_of(launch, argument),
          fmt::format("the {} values of argument '{}' do not divide the {} bytes of its parameter",
                      argument.members.size(), argument.parameter, param.bytes),
          "give one value for each member, with its type where they differ in length, for example \"f64 2.5\"; a "
          "buffer's address takes 8 bytes");
    next = at + bytes;
    if (is_pointer) {
      auto to = LS_TRY(buffer_argument(source, launch, argument, std::get<std::string>(m.value)));
      out.pointers.push_back({static_cast<std::uint32_t>(at), to});
      continue;
    }
    const double value = std::get<double>(m.value);
    const bool fraction = value != std::floor(value);
    const std::string type = !m.type.empty() ? m.type : fraction ? (bytes == 8 ? "double" : "float") : "int";
    auto one = scalar_bytes(type, bytes, value);
    if (!one) return tl::unexpected(at_place(one.error(), source, place_of(launch, argument)));
    std::copy(one->begin(), one->end(), out.bytes.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return trace::Argument{std::move(out)};
}

Expected<trace::Argument> pack(const source::Source& source, const source::LaunchSpec& launch,
                               const source::ArgumentSpec& argument, const ptx::Param& param) {
  if (!argument.members.empty()) return pack_structure(source, launch, argument, param);
  if (argument.is_buffer) {
    auto buffer = LS_TRY(buffer_argument(source, launch, argument, std::get<std::string>(argument.value)));
    if (param.bytes != 8)
      return refuse(source, place_of(launch, argument),
                    fmt::format("buffer '{}' is passed to parameter '{}' of {} bytes, which is not a pointer",
                                std::get<std::string>(argument.value), argument.parameter, param.bytes));
    return trace::Argument{buffer};
  }
  if (!argument.bits.empty()) {
    auto bits = source::resized_bits(argument.bits, param.bytes);
    // A negative number has ones above: they may be cut, or continue.
    const bool negative = std::get<double>(argument.value) < 0;
    if (negative) {
      bits = argument.bits;
      bits->resize(param.bytes, std::byte{0xff});
      if (param.bytes < 8) bits.reset();
    }
    if (!bits)
      return refuse(source, place_of(launch, argument),
                    fmt::format("the value of argument '{}' does not fit in the {} bytes of its parameter",
                                argument.parameter, param.bytes));
    return trace::Argument{std::move(*bits)};
  }
  // The parameter's own type distinguishes a float from an integer where C++ has another name for it, or none.
  std::string type = argument.type;
  if (param.type == ptx::Type::f32 && param.bytes == sizeof(float)) type = "float";
  if (param.type == ptx::Type::f64 && param.bytes == sizeof(double)) type = "double";
  auto bytes =
      !argument.fields.empty() ? field_bytes(type, param.bytes, argument.fields)
      : std::holds_alternative<double>(argument.value)
          ? scalar_bytes(type, param.bytes, std::get<double>(argument.value))
          : Expected<std::vector<std::byte>>(failure(fmt::format("argument '{}' has no value", argument.parameter),
                                                     "give it in the launch header's arguments"));
  if (!bytes) return tl::unexpected(at_place(bytes.error(), source, place_of(launch, argument)));
  return trace::Argument{std::move(*bytes)};
}

trace::Dim3 dim3_of(const std::array<std::uint32_t, 3>& a) { return {a[0], a[1], a[2]}; }
/// Of a directive; an extent that it leaves out is 1.
trace::Dim3 dim3_of(const std::array<int, 3>& a) {
  const auto extent = [&](std::size_t i) { return static_cast<std::uint32_t>(std::max(a[i], 1)); };
  return {extent(0), extent(1), extent(2)};
}

/// Demands of the kernel on its launches: .maxntid (__launch_bounds__), .reqntid, .reqnctapercluster
/// (__cluster_dims__), .maxclusterrank and .explicitcluster. PTX ISA 9.0, "Performance-Tuning Directives" and "Cluster
/// Dimension Directives".
Diagnostics demands_of_entry(const source::Source& source, const source::LaunchSpec& spec, const ptx::Entry& entry,
                             const trace::Dim3& cluster) {
  Diagnostics out;
  const auto words = [](const trace::Dim3& d) { return fmt::format("{} x {} x {}", d.x, d.y, d.z); };
  const trace::Dim3 required = dim3_of(entry.required_threads), required_cluster = dim3_of(entry.cluster);
  const source::TextPlace block = spec.place_or_line(spec.places.block), grid = spec.place_or_line(spec.places.grid),
                          clusters = spec.place_or_line(spec.places.cluster);
  const std::uint64_t threads = dim3_of(spec.block).count(), most_threads = dim3_of(entry.max_threads).count();
  if (entry.max_threads[0] > 0 && threads > most_threads)
    out.push_back(mistake(source, block,
                          fmt::format("the block has {} threads, but '{}' allows {} (__launch_bounds__, .maxntid)",
                                      threads, spec.kernel, most_threads),
                          "make the block smaller or raise the bound"));
  if (entry.required_threads[0] > 0 && required != dim3_of(spec.block))
    out.push_back(mistake(source, block,
                          fmt::format("the block is {}, but '{}' requires exactly {} (.reqntid)",
                                      words(dim3_of(spec.block)), spec.kernel, words(required)),
                          "use the required block"));
  if (entry.cluster[0] > 0 && spec.cluster && required_cluster != dim3_of(*spec.cluster))
    out.push_back(mistake(source, clusters,
                          fmt::format("the cluster is {}, but '{}' requires exactly {} (.reqnctapercluster)",
                                      words(dim3_of(*spec.cluster)), spec.kernel, words(required_cluster)),
                          "use the required cluster, or remove it from the header"));
  if (entry.max_cluster_rank > 0 && cluster.count() > static_cast<std::uint64_t>(entry.max_cluster_rank))
    out.push_back(mistake(source, clusters,
                          fmt::format("the cluster has {} blocks, but '{}' allows {} (.maxclusterrank)",
                                      cluster.count(), spec.kernel, entry.max_cluster_rank),
                          "make the cluster smaller or raise the bound"));
  if (entry.explicit_cluster && entry.cluster[0] == 0 && !spec.cluster)
    out.push_back(mistake(source, {spec.line, 0},
                          fmt::format("'{}' requires a launch with a cluster (.explicitcluster)", spec.kernel),
                          "add for example cluster = 2 to the launch header"));
  if (entry.cluster[0] > 0 && !spec.cluster &&
      (spec.grid[0] % cluster.x != 0 || spec.grid[1] % cluster.y != 0 || spec.grid[2] % cluster.z != 0))
    out.push_back(mistake(source, grid,
                          fmt::format("the grid is {}, which is no multiple of the cluster of '{}', {}",
                                      words(dim3_of(spec.grid)), spec.kernel, words(required_cluster)),
                          "make the grid a whole number of clusters"));
  return out;
}

Expected<trace::Launch> make_launch(const source::Source& source, const source::LaunchSpec& spec,
                                    const ptx::Entry& entry) {
  trace::Launch launch{.kernel = entry.name, .grid = dim3_of(spec.grid), .block = dim3_of(spec.block)};
  if (spec.cluster) launch.cluster = dim3_of(*spec.cluster);
  if (!spec.cluster && entry.cluster[0] > 0) launch.cluster = dim3_of(entry.cluster);
  launch.dynamic_shared_bytes = spec.dynamic_shared_bytes;
  launch.stream = spec.stream;
  launch.cooperative = spec.cooperative;
  if (Diagnostics bad = demands_of_entry(source, spec, entry, launch.cluster); !bad.empty())
    return tl::unexpected(std::move(bad));
  if (spec.arguments.size() != entry.params.size())
    return refuse(source, spec.place_or_line(spec.places.arguments),
                  fmt::format("'{}' takes {} arguments, and the launch gives {}", spec.kernel, entry.params.size(),
                              spec.arguments.size()),
                  "give one argument per parameter of the kernel");
  for (std::size_t i = 0; i < spec.arguments.size(); ++i)
    launch.arguments.push_back(LS_TRY(pack(source, spec, spec.arguments[i], entry.params[i])));
  return launch;
}

}  // namespace

Expected<std::vector<std::byte>> described_contents(const source::Source& source, const source::BufferSpec& buffer,
                                                    const source::Contents& what, const std::string& directory) {
  const source::BufferSpec* from = &buffer;
  const source::Contents* contents = &what;
  // A chain of copies ends at a description; one that comes back to where it began never does.
  for (std::size_t hops = 0; contents->kind == source::Contents::Kind::copy_of; ++hops) {
    const source::BufferSpec* next = find_buffer(source, contents->text);
    if (!next || hops > source.header.buffers.size())
      return tl::unexpected(
          at_contents({{.message = fmt::format("'{}' is a copy of '{}', which {}", from->name, contents->text,
                                               next ? "is itself a copy of it" : "does not exist"),
                        .remedy = "name a buffer with contents of its own"}},
                      source, buffer, what));
    from = next;
    contents = &next->initial;
  }
  source::BufferSpec described = *from;
  auto bytes = source::contents(described, *contents, directory);
  if (!bytes) return tl::unexpected(at_contents(bytes.error(), source, buffer, what));
  bytes->resize((buffer.elements * static_cast<std::uint64_t>(buffer.element_bits) + 7) / 8);
  return bytes;
}

Expected<std::vector<trace::Buffer>> make_buffers(const source::Source& source, const std::string& directory) {
  std::vector<trace::Buffer> buffers;
  for (const source::BufferSpec& spec : source.header.buffers) {
    auto bytes = LS_TRY(described_contents(source, spec, spec.initial, directory));
    buffers.push_back({.name = spec.name,
                       .element_type = spec.element_type,
                       .element_bits = spec.element_bits,
                       .bytes = std::move(bytes),
                       .traced = spec.traced,
                       .variable = spec.variable});
  }
  return buffers;
}

Expected<std::vector<trace::Launch>> make_launches(const source::Source& source, const ptx::Module& module,
                                                   const std::vector<std::string>& entry_names) {
  std::vector<trace::Launch> launches;
  for (std::size_t i = 0; i < source.header.launches.size(); ++i) {
    const source::LaunchSpec& spec = source.header.launches[i];
    const std::string& name = i < entry_names.size() ? entry_names[i] : spec.kernel;
    const ptx::Entry* entry = module.find_entry(name);
    if (!entry) entry = module.find_entry(spec.kernel);
    if (!entry || entry->is_function)
      return refuse(source, spec.place_or_line(spec.places.kernel),
                    fmt::format("the compiled program has no kernel '{}'", spec.kernel),
                    "name a __global__ function of this file");
    launches.push_back(LS_TRY(make_launch(source, spec, *entry)));
    launches.back().generated = source::is_generated(source, static_cast<int>(i));
  }
  return launches;
}

}  // namespace lanescope::engine
