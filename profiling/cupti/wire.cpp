// Requests as CBOR. Written by hand and not by reflection: the names are what the other side reads.

#include <nlohmann/json.hpp>

#include "profiling/cupti/child.h"
#include "profiling/cupti/live.h"

namespace lanescope::cupti {
namespace {

using json = nlohmann::json;

json binary(const std::vector<std::byte>& bytes) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return json::binary(std::vector<std::uint8_t>(begin, begin + bytes.size()));
}

std::vector<std::byte> bytes_of(const json& value) {
  const auto& from = value.get_binary();
  const auto* begin = reinterpret_cast<const std::byte*>(from.data());
  return {begin, begin + from.size()};
}

json dim(const trace::Dim3& d) { return json::array({d.x, d.y, d.z}); }
trace::Dim3 dim_of(const json& j) {
  return {j.at(0).get<std::uint32_t>(), j.at(1).get<std::uint32_t>(), j.at(2).get<std::uint32_t>()};
}

json argument_json(const trace::Argument& argument) {
  if (const auto* value = std::get_if<trace::ValueArgument>(&argument)) return {{"bytes", binary(*value)}};
  const auto& b = std::get<trace::BufferArgument>(argument);
  return {{"buffer", b.buffer}, {"offset", b.offset_bytes}};
}

trace::Argument argument_of(const json& j) {
  if (j.contains("bytes")) return bytes_of(j.at("bytes"));
  return trace::BufferArgument{.buffer = j.at("buffer").get<int>(), .offset_bytes = j.at("offset").get<std::int64_t>()};
}

json launch_json(const trace::Launch& l) {
  json arguments = json::array();
  for (const auto& a : l.arguments) arguments.push_back(argument_json(a));
  return {{"kernel", l.kernel},
          {"grid", dim(l.grid)},
          {"block", dim(l.block)},
          {"cluster", dim(l.cluster)},
          {"shared", l.dynamic_shared_bytes},
          {"arguments", std::move(arguments)}};
}

trace::Launch launch_of(const json& j) {
  trace::Launch l{.kernel = j.at("kernel").get<std::string>(),
                  .grid = dim_of(j.at("grid")),
                  .block = dim_of(j.at("block")),
                  .cluster = dim_of(j.at("cluster")),
                  .dynamic_shared_bytes = j.at("shared").get<std::uint32_t>(),
                  .arguments = {}};
  for (const json& a : j.at("arguments")) l.arguments.push_back(argument_of(a));
  return l;
}

/// The request, but for PTX and contents of buffers that are those of `before`.
json request_json(const Request* before, const Request& r) {
  json launches = json::array(), buffers = json::array();
  for (const auto& l : r.launches) launches.push_back(launch_json(l));
  for (std::size_t i = 0; i < r.buffers.size(); ++i) {
    json buffer{{"name", r.buffers[i].name}};
    const bool same = before && i < before->buffers.size() && before->buffers[i].bytes == r.buffers[i].bytes;
    if (!same) buffer["bytes"] = binary(r.buffers[i].bytes);
    buffers.push_back(std::move(buffer));
  }
  json out{{"launches", std::move(launches)},
           {"buffers", std::move(buffers)},
           {"metrics", r.metrics},
           {"device", r.device},
           {"cooperative", r.cooperative},
           {"sequence", r.replay == Replay::sequence},
           {"what", static_cast<int>(r.what)},
           {"counted", r.counted},
           {"repetitions", r.repetitions},
           {"enough_samples", r.enough_samples},
           {"seconds", r.seconds}};
  if (!before || before->ptx != r.ptx) out["ptx"] = r.ptx;
  return out;
}

trace::Buffer buffer_of(const Request* before, std::size_t index, const json& j) {
  const bool same = before && index < before->buffers.size() && !j.contains("bytes");
  return {.name = j.at("name").get<std::string>(),
          .element_type = {},
          .bytes = same ? before->buffers[index].bytes : bytes_of(j.at("bytes"))};
}

bool brings_its_buffers(const Request& r) {
  for (const auto& l : r.launches)
    for (const auto& a : l.arguments)
      if (const auto* b = std::get_if<trace::BufferArgument>(&a))
        if (b->buffer < 0 || static_cast<std::size_t>(b->buffer) >= r.buffers.size()) return false;
  return true;
}

Expected<Request> request_of(const Request* before, const std::vector<std::uint8_t>& bytes) {
  try {
    const json j = json::from_cbor(bytes);
    const int what = j.at("what").get<int>();
    if (what < 0 || what > static_cast<int>(What::activity))
      return failure("the measurement's request asks for something that is not known here");
    Request r{.ptx = before && !j.contains("ptx") ? before->ptx : j.at("ptx").get<std::string>(),
              .launches = {},
              .buffers = {},
              .metrics = j.at("metrics").get<std::vector<std::string>>(),
              .device = j.at("device").get<int>(),
              .cooperative = j.at("cooperative").get<bool>(),
              .replay = j.at("sequence").get<bool>() ? Replay::sequence : Replay::kernel,
              .what = static_cast<What>(what),
              .counted = j.at("counted").get<std::string>(),
              .repetitions = j.at("repetitions").get<int>(),
              .enough_samples = j.at("enough_samples").get<std::uint64_t>(),
              .seconds = j.at("seconds").get<double>()};
    for (const json& l : j.at("launches")) r.launches.push_back(launch_of(l));
    for (const json& b : j.at("buffers")) r.buffers.push_back(buffer_of(before, r.buffers.size(), b));
    if (!brings_its_buffers(r)) return failure("the measurement's request names a buffer that it does not bring");
    return r;
  } catch (const json::exception& e) {
    return failure(std::string("the measurement's request cannot be read: ") + e.what());
  }
}

}  // namespace

Bytes encode(const Request& request) { return json::to_cbor(request_json(nullptr, request)); }
Expected<Request> decode_request(const Bytes& bytes) { return request_of(nullptr, bytes); }

Bytes encode_change(const Request* before, const Request& now) { return json::to_cbor(request_json(before, now)); }
Expected<Request> apply_change(const Request* before, const Bytes& change) { return request_of(before, change); }

}  // namespace lanescope::cupti
