// Requests as CBOR. Written by hand and not by reflection: the names are what the other side reads.

#include <nlohmann/json.hpp>

#include "profiling/cupti/child.h"

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

}  // namespace

std::vector<std::uint8_t> encode(const Request& r) {
  json launches = json::array(), buffers = json::array();
  for (const auto& l : r.launches) launches.push_back(launch_json(l));
  for (const auto& b : r.buffers) buffers.push_back({{"name", b.name}, {"bytes", binary(b.bytes)}});
  return json::to_cbor({{"ptx", r.ptx},
                        {"launches", std::move(launches)},
                        {"buffers", std::move(buffers)},
                        {"metrics", r.metrics},
                        {"device", r.device},
                        {"cooperative", r.cooperative},
                        {"sequence", r.replay == Replay::sequence},
                        {"what", static_cast<int>(r.what)},
                        {"repetitions", r.repetitions},
                        {"enough_samples", r.enough_samples},
                        {"seconds", r.seconds}});
}

Expected<Request> decode_request(const std::vector<std::uint8_t>& bytes) {
  try {
    const json j = json::from_cbor(bytes);
    const int what = j.at("what").get<int>();
    if (what < 0 || what > static_cast<int>(What::activity))
      return failure("the measurement's request asks for something that is not known here");
    Request r{.ptx = j.at("ptx").get<std::string>(),
              .launches = {},
              .buffers = {},
              .metrics = j.at("metrics").get<std::vector<std::string>>(),
              .device = j.at("device").get<int>(),
              .cooperative = j.at("cooperative").get<bool>(),
              .replay = j.at("sequence").get<bool>() ? Replay::sequence : Replay::kernel,
              .what = static_cast<What>(what),
              .repetitions = j.at("repetitions").get<int>(),
              .enough_samples = j.at("enough_samples").get<std::uint64_t>(),
              .seconds = j.at("seconds").get<double>()};
    for (const json& l : j.at("launches")) r.launches.push_back(launch_of(l));
    for (const json& b : j.at("buffers"))
      r.buffers.push_back(
          {.name = b.at("name").get<std::string>(), .element_type = {}, .bytes = bytes_of(b.at("bytes"))});
    for (const auto& l : r.launches)
      for (const auto& a : l.arguments)
        if (const auto* b = std::get_if<trace::BufferArgument>(&a))
          if (b->buffer < 0 || static_cast<std::size_t>(b->buffer) >= r.buffers.size())
            return failure("the measurement's request names a buffer that it does not bring");
    return r;
  } catch (const json::exception& e) {
    return failure(std::string("the measurement's request cannot be read: ") + e.what());
  }
}

}  // namespace lanescope::cupti
