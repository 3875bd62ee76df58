#include "app/engine/wire/measured_file.h"

#include "app/engine/wire/measured.h"
#include "profiling/occupancy/gpu_table.h"

namespace lanescope::engine {
namespace {

constexpr std::string_view format = "lanescope measurement";
constexpr int newest_version = 1;

}  // namespace

std::string to_text(const MeasuredFile& measured) {
  const codec::json out = {{"format", format},
                           {"version", newest_version},
                           {"file", measured.file},
                           {"kernel", measured.kernel},
                           {"measured", codec::write(measured.measured)}};
  return out.dump(1, ' ', false, codec::json::error_handler_t::replace) + "\n";
}

Expected<MeasuredFile> parse_measured_file(std::string_view text, const std::string& path) {
  const auto refuse = [&](const std::string& why) -> Expected<MeasuredFile> {
    return tl::unexpected(Diagnostics{{.file = path,
                                       .message = "this is not a measurement: " + why,
                                       .remedy = "write one with lanescope measure FILE -o " + path}});
  };
  const codec::json in = codec::json::parse(text, nullptr, false);
  if (in.is_discarded() || !in.is_object()) return refuse("it is not a JSON object");
  if (in.value("format", codec::json()) != format) return refuse("its format is unknown");
  if (in.value("version", codec::json()) != newest_version) return refuse("its version is not 1");
  MeasuredFile out;
  try {
    codec::read(in.at("file"), out.file), codec::read(in.at("kernel"), out.kernel);
    codec::read(in.at("measured"), out.measured);
  } catch (const codec::Malformed& e) {
    return refuse(e.what());
  } catch (const codec::json::exception&) {
    return refuse("a field is missing or has the wrong type");
  }
  return out;
}

double bandwidth_limit_gb_per_s(const std::string& device) {
  const auto& table = occupancy::gpu_table();
  if (!table) return 0;
  const auto gpu = table->gpu(device);
  return gpu ? gpu->bandwidth_gb_per_s : 0;
}

}  // namespace lanescope::engine
