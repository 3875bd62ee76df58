// Answers as CBOR: values, or the diagnostics that stand in their place.

#include "kernels/gpu/wire.h"
#include "profiling/cupti/child.h"

namespace lanescope::cupti {
namespace {

using json = nlohmann::json;
namespace wire = gpu::wire;

template <class T, class ToJson>
Bytes encode_with(const Expected<T>& answer, ToJson to_json) {
  return json::to_cbor(answer ? to_json(*answer) : json{{"errors", wire::to_json(answer.error())}});
}

template <class T, class FromJson>
Expected<T> decode_with(const Bytes& bytes, FromJson from_json) {
  try {
    const json j = json::from_cbor(bytes);
    if (j.contains("errors")) return tl::unexpected(wire::diagnostics_of(j.at("errors")));
    return from_json(j);
  } catch (const json::exception& e) {
    return failure(std::string("the measurement's answer cannot be read: ") + e.what());
  }
}

json list(const auto& values, auto to_json) {
  json out = json::array();
  for (const auto& v : values) out.push_back(to_json(v));
  return out;
}

template <class T>
std::vector<T> list_of(const json& j, T (*from_json)(const json&)) {
  std::vector<T> out;
  out.reserve(j.size());
  for (const json& v : j) out.push_back(from_json(v));
  return out;
}

template <class T>
T get(const json& j, std::size_t at) {
  return j.at(at).get<T>();
}

// Rows are arrays: there can be many thousands, and their names would be most of what travels.

json sass_row(const SassRow& r) { return json::array({r.offset, r.line, r.file, r.function, r.values}); }
SassRow sass_row_of(const json& j) {
  return {.offset = get<std::uint32_t>(j, 0),
          .line = get<int>(j, 1),
          .file = get<std::string>(j, 2),
          .function = get<std::string>(j, 3),
          .values = get<std::vector<double>>(j, 4)};
}

json sass_line(const SassLine& l) { return json::array({l.function, l.offset, l.text, l.line, l.file}); }
SassLine sass_line_of(const json& j) {
  return {.function = get<std::string>(j, 0),
          .offset = get<std::uint32_t>(j, 1),
          .text = get<std::string>(j, 2),
          .line = get<int>(j, 3),
          .file = get<std::string>(j, 4)};
}

json stall_row(const StallRow& r) {
  return json::array({r.line, r.offset, r.file, r.function, r.reason, r.samples, r.idle});
}
StallRow stall_row_of(const json& j) {
  return {.line = get<int>(j, 0),
          .offset = get<std::uint32_t>(j, 1),
          .file = get<std::string>(j, 2),
          .function = get<std::string>(j, 3),
          .reason = get<std::string>(j, 4),
          .samples = get<std::uint64_t>(j, 5),
          .idle = get<std::uint64_t>(j, 6)};
}

json launch(const LaunchRecord& r) {
  return json::array({r.kernel, r.start, r.duration, r.registers, r.static_shared, r.dynamic_shared, r.local,
                      wire::to_json(r.grid), wire::to_json(r.block), r.correlation, r.stream});
}
LaunchRecord launch_of(const json& j) {
  return {.kernel = get<std::string>(j, 0),
          .start = get<std::uint64_t>(j, 1),
          .duration = get<std::uint64_t>(j, 2),
          .registers = get<int>(j, 3),
          .static_shared = get<int>(j, 4),
          .dynamic_shared = get<int>(j, 5),
          .local = get<std::uint32_t>(j, 6),
          .grid = wire::dim_of(j.at(7)),
          .block = wire::dim_of(j.at(8)),
          .correlation = get<std::uint32_t>(j, 9),
          .stream = get<std::uint32_t>(j, 10)};
}

json copy(const CopyRecord& r) { return json::array({r.kind, r.start, r.duration, r.bytes, r.correlation}); }
CopyRecord copy_of(const json& j) {
  return {.kind = get<std::string>(j, 0),
          .start = get<std::uint64_t>(j, 1),
          .duration = get<std::uint64_t>(j, 2),
          .bytes = get<std::uint64_t>(j, 3),
          .correlation = get<std::uint32_t>(j, 4)};
}

json call(const CallRecord& r) { return json::array({r.name, r.start, r.duration, r.correlation}); }
CallRecord call_of(const json& j) {
  return {.name = get<std::string>(j, 0),
          .start = get<std::uint64_t>(j, 1),
          .duration = get<std::uint64_t>(j, 2),
          .correlation = get<std::uint32_t>(j, 3)};
}

}  // namespace

Bytes encode(const Expected<Measurement>& answer) {
  return encode_with(answer, [](const Measurement& m) {
    return json{{"device", m.device},
                {"chip", m.chip},
                {"metrics", m.metrics},
                {"unknown", m.unknown},
                {"passes", m.passes},
                {"values", m.values},
                {"milliseconds", m.milliseconds},
                {"setup_milliseconds", m.setup_milliseconds},
                {"run_milliseconds", m.run_milliseconds}};
  });
}

Expected<Measurement> decode_answer(const Bytes& bytes) {
  return decode_with<Measurement>(bytes, [](const json& j) {
    return Measurement{.device = j.at("device").get<std::string>(),
                       .chip = j.at("chip").get<std::string>(),
                       .metrics = j.at("metrics").get<std::vector<std::string>>(),
                       .unknown = j.at("unknown").get<std::vector<std::string>>(),
                       .passes = j.at("passes").get<std::size_t>(),
                       .values = j.at("values").get<std::vector<std::vector<double>>>(),
                       .milliseconds = j.at("milliseconds").get<std::vector<float>>(),
                       .setup_milliseconds = j.at("setup_milliseconds").get<double>(),
                       .run_milliseconds = j.at("run_milliseconds").get<double>()};
  });
}

Bytes encode(const Expected<SassReport>& answer) {
  return encode_with(answer, [](const SassReport& r) {
    return json{{"device", r.device},
                {"chip", r.chip},
                {"metrics", r.metrics},
                {"unknown", r.unknown},
                {"rows", list(r.rows, sass_row)},
                {"code", list(r.code, sass_line)},
                {"no_code", r.no_code},
                {"dropped", r.dropped}};
  });
}

Expected<SassReport> decode_instructions(const Bytes& bytes) {
  return decode_with<SassReport>(bytes, [](const json& j) {
    return SassReport{.device = j.at("device").get<std::string>(),
                      .chip = j.at("chip").get<std::string>(),
                      .metrics = j.at("metrics").get<std::vector<std::string>>(),
                      .unknown = j.at("unknown").get<std::vector<std::string>>(),
                      .rows = list_of(j.at("rows"), sass_row_of),
                      .code = list_of(j.at("code"), sass_line_of),
                      .no_code = j.at("no_code").get<std::string>(),
                      .dropped = j.at("dropped").get<std::size_t>()};
  });
}

Bytes encode(const Expected<StallReport>& answer) {
  return encode_with(answer, [](const StallReport& r) {
    return json{{"device", r.device},
                {"chip", r.chip},
                {"rows", list(r.rows, stall_row)},
                {"samples", r.samples},
                {"dropped", r.dropped},
                {"elsewhere", r.elsewhere},
                {"runs", r.runs},
                {"period_log2", r.period_log2},
                {"milliseconds", r.milliseconds}};
  });
}

Expected<StallReport> decode_stalls(const Bytes& bytes) {
  return decode_with<StallReport>(bytes, [](const json& j) {
    return StallReport{.device = j.at("device").get<std::string>(),
                       .chip = j.at("chip").get<std::string>(),
                       .rows = list_of(j.at("rows"), stall_row_of),
                       .samples = j.at("samples").get<std::uint64_t>(),
                       .dropped = j.at("dropped").get<std::uint64_t>(),
                       .elsewhere = j.at("elsewhere").get<std::uint64_t>(),
                       .runs = j.at("runs").get<std::size_t>(),
                       .period_log2 = j.at("period_log2").get<int>(),
                       .milliseconds = j.at("milliseconds").get<double>()};
  });
}

Bytes encode(const Expected<ActivityReport>& answer) {
  return encode_with(answer, [](const ActivityReport& r) {
    return json{{"device", r.device},
                {"launches", list(r.launches, launch)},
                {"copies", list(r.copies, copy)},
                {"calls", list(r.calls, call)},
                {"dropped", r.dropped}};
  });
}

Expected<ActivityReport> decode_activity(const Bytes& bytes) {
  return decode_with<ActivityReport>(bytes, [](const json& j) {
    return ActivityReport{.device = j.at("device").get<std::string>(),
                          .launches = list_of(j.at("launches"), launch_of),
                          .copies = list_of(j.at("copies"), copy_of),
                          .calls = list_of(j.at("calls"), call_of),
                          .dropped = j.at("dropped").get<std::size_t>()};
  });
}

}  // namespace lanescope::cupti
