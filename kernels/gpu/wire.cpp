#include "kernels/gpu/wire.h"

namespace lanescope::gpu::wire {
namespace {

using nlohmann::json;

json argument_json(const trace::Argument& argument) {
  if (const auto* value = std::get_if<trace::ValueArgument>(&argument)) return {{"bytes", binary(*value)}};
  const auto& b = std::get<trace::BufferArgument>(argument);
  return {{"buffer", b.buffer}, {"offset", b.offset_bytes}};
}

trace::Argument argument_of(const json& j) {
  if (j.contains("bytes")) return bytes_of(j.at("bytes"));
  return trace::BufferArgument{.buffer = j.at("buffer").get<int>(), .offset_bytes = j.at("offset").get<std::int64_t>()};
}

}  // namespace

json binary(const std::vector<std::byte>& bytes) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return json::binary(std::vector<std::uint8_t>(begin, begin + bytes.size()));
}

std::vector<std::byte> bytes_of(const json& j) {
  const auto& from = j.get_binary();
  const auto* begin = reinterpret_cast<const std::byte*>(from.data());
  return {begin, begin + from.size()};
}

json to_json(const trace::Dim3& d) { return json::array({d.x, d.y, d.z}); }
trace::Dim3 dim_of(const json& j) {
  return {j.at(0).get<std::uint32_t>(), j.at(1).get<std::uint32_t>(), j.at(2).get<std::uint32_t>()};
}

json to_json(const std::vector<trace::Launch>& launches) {
  json out = json::array();
  for (const trace::Launch& l : launches) {
    json arguments = json::array();
    for (const auto& a : l.arguments) arguments.push_back(argument_json(a));
    out.push_back({{"kernel", l.kernel},
                   {"grid", to_json(l.grid)},
                   {"block", to_json(l.block)},
                   {"cluster", to_json(l.cluster)},
                   {"shared", l.dynamic_shared_bytes},
                   {"stream", l.stream},
                   {"arguments", std::move(arguments)}});
  }
  return out;
}

json to_json(const std::vector<trace::Buffer>& buffers) {
  json out = json::array();
  for (const auto& b : buffers) out.push_back({{"name", b.name}, {"bytes", binary(b.bytes)}});
  return out;
}

json to_json(const Diagnostics& diagnostics) {
  json out = json::array();
  for (const Diagnostic& d : diagnostics) out.push_back({{"message", d.message}, {"remedy", d.remedy}});
  return out;
}

std::vector<trace::Launch> launches_of(const json& j) {
  std::vector<trace::Launch> out;
  for (const json& one : j) {
    trace::Launch l{.kernel = one.at("kernel").get<std::string>(),
                    .grid = dim_of(one.at("grid")),
                    .block = dim_of(one.at("block")),
                    .cluster = dim_of(one.at("cluster")),
                    .dynamic_shared_bytes = one.at("shared").get<std::uint32_t>(),
                    .arguments = {},
                    .stream = one.at("stream").get<std::uint32_t>()};
    for (const json& a : one.at("arguments")) l.arguments.push_back(argument_of(a));
    out.push_back(std::move(l));
  }
  return out;
}

std::vector<trace::Buffer> buffers_of(const json& j) {
  std::vector<trace::Buffer> out;
  for (const json& b : j)
    out.push_back({.name = b.at("name").get<std::string>(), .element_type = {}, .bytes = bytes_of(b.at("bytes"))});
  return out;
}

Diagnostics diagnostics_of(const json& j) {
  Diagnostics out;
  for (const json& d : j)
    out.push_back(
        {.file = {}, .message = d.at("message").get<std::string>(), .remedy = d.at("remedy").get<std::string>()});
  return out;
}

Expected<void> check(const std::vector<trace::Launch>& launches, const std::vector<trace::Buffer>& buffers) {
  for (const auto& l : launches)
    for (const auto& a : l.arguments)
      if (const auto* b = std::get_if<trace::BufferArgument>(&a))
        if (b->buffer < 0 || static_cast<std::size_t>(b->buffer) >= buffers.size())
          return failure("the request names a buffer that it does not bring");
  return {};
}

}  // namespace lanescope::gpu::wire
