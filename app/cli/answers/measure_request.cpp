#include "app/cli/answers/answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanescope::cli {
namespace {

struct Part {
  std::string_view name;
  bool engine::MeasureRequest::*wanted;
};
constexpr Part parts[] = {{"timing", &engine::MeasureRequest::timing},
                          {"counters", &engine::MeasureRequest::counters},
                          {"instructions", &engine::MeasureRequest::instructions},
                          {"stalls", &engine::MeasureRequest::stalls},
                          {"activity", &engine::MeasureRequest::activity},
                          {"trace", &engine::MeasureRequest::trace}};

}  // namespace

std::vector<std::string> measured_parts() {
  std::vector<std::string> names;
  for (const Part& part : parts) names.emplace_back(part.name);
  return names;
}

Expected<engine::MeasureRequest> measure_request(const std::vector<std::string>& wanted) {
  engine::MeasureRequest request;
  for (const Part& part : parts) request.*part.wanted = wanted.empty();
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(parts, std::string_view(name), &Part::name);
    if (found == std::end(parts))
      return failure(fmt::format("a measurement has no part '{}'", name),
                     fmt::format("the parts are {}", fmt::join(measured_parts(), ", ")));
    request.*found->wanted = true;
  }
  return request;
}

}  // namespace lanescope::cli
