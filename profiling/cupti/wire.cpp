// Requests as CBOR. Written by hand and not by reflection: the names are what the other side reads.
// Launches and contents travel as those of every launch in a child (kernels/gpu/wire.h).

#include "kernels/gpu/wire.h"
#include "profiling/cupti/child.h"
#include "profiling/cupti/live.h"

namespace lanescope::cupti {
namespace {

using json = nlohmann::json;
namespace wire = gpu::wire;

/// The request, but for PTX and contents of buffers that are those of `before`.
json request_json(const Request* before, const Request& r) {
  json buffers = json::array();
  for (std::size_t i = 0; i < r.buffers.size(); ++i) {
    json buffer{{"name", r.buffers[i].name}};
    const bool same = before && i < before->buffers.size() && before->buffers[i].bytes == r.buffers[i].bytes;
    if (!same) buffer["bytes"] = wire::binary(r.buffers[i].bytes);
    buffers.push_back(std::move(buffer));
  }
  json out{{"launches", wire::to_json(r.launches)},
           {"buffers", std::move(buffers)},
           {"metrics", r.metrics},
           {"device", r.device},
           {"cooperative", r.cooperative},
           {"sequence", r.replay == Replay::sequence},
           {"what", static_cast<int>(r.what)},
           {"counted", r.counted},
           {"repetitions", r.repetitions},
           {"timed", r.timed},
           {"enough_samples", r.enough_samples},
           {"seconds", r.seconds}};
  if (!before || before->ptx != r.ptx) out["ptx"] = r.ptx;
  return out;
}

trace::Buffer buffer_of(const Request* before, std::size_t index, const json& j) {
  const bool same = before && index < before->buffers.size() && !j.contains("bytes");
  return {.name = j.at("name").get<std::string>(),
          .element_type = {},
          .bytes = same ? before->buffers[index].bytes : wire::bytes_of(j.at("bytes"))};
}

Expected<Request> request_of(const Request* before, const std::vector<std::uint8_t>& bytes) {
  try {
    const json j = json::from_cbor(bytes);
    const int what = j.at("what").get<int>();
    if (what < 0 || what > static_cast<int>(What::activity))
      return failure("the measurement's request asks for something that is not known here");
    Request r{.ptx = before && !j.contains("ptx") ? before->ptx : j.at("ptx").get<std::string>(),
              .launches = wire::launches_of(j.at("launches")),
              .buffers = {},
              .metrics = j.at("metrics").get<std::vector<std::string>>(),
              .device = j.at("device").get<int>(),
              .cooperative = j.at("cooperative").get<bool>(),
              .replay = j.at("sequence").get<bool>() ? Replay::sequence : Replay::kernel,
              .what = static_cast<What>(what),
              .counted = j.at("counted").get<std::string>(),
              .repetitions = j.at("repetitions").get<int>(),
              .timed = j.at("timed").get<int>(),
              .enough_samples = j.at("enough_samples").get<std::uint64_t>(),
              .seconds = j.at("seconds").get<double>()};
    for (const json& b : j.at("buffers")) r.buffers.push_back(buffer_of(before, r.buffers.size(), b));
    if (auto good = wire::check(r.launches, r.buffers); !good) return tl::unexpected(good.error());
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
