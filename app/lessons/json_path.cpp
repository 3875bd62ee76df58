#include "app/lessons/answer.h"
#include "kernels/base/numbers.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::lessons {
namespace {

using Json = nlohmann::json;

bool fits(const Json& entry, const std::string& key, const std::string& value) {
  return entry.is_object() && entry.contains(key) && shown(entry.at(key)) == value;
}

std::string keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  if (keys.size() > 24) keys.resize(24), keys.emplace_back("...");
  return fmt::format("{}", fmt::join(keys, ", "));
}

}  // namespace

std::string shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_unsigned()) return fmt::format("{}", value.get<std::uint64_t>());
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_number()) return fmt::format("{:.7g}", value.get<double>());
  return {};
}

Expected<Json> value_at(const Json& root, const std::vector<std::string>& path) {
  const Json* here = &root;
  std::string way;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::string& step = path[i];
    const auto wrong = [&](const std::string& why) {
      return failure(
          fmt::format("`at` leads nowhere: `{}`{} {}", step, way.empty() ? "" : " after `" + way + "`", why));
    };
    if (step == "#" && (here->is_array() || here->is_object())) {
      if (i + 1 < path.size()) return wrong("is a number, so the path ends there");
      return Json(here->size());
    }
    if (here->is_object()) {
      if (!here->contains(step)) return wrong("is none of " + keys_of(*here));
      here = &here->at(step);
    } else if (here->is_array()) {
      const bool counts = step.starts_with("count ");
      const std::string condition = counts ? step.substr(6) : step;
      const std::size_t equals = condition.find('=');
      if (equals != std::string::npos) {
        const std::string key = condition.substr(0, equals), value = condition.substr(equals + 1);
        const auto is_it = [&](const Json& entry) { return fits(entry, key, value); };
        // A count of what no entry could have would be 0 for any misspelling.
        if (counts) {
          if (i + 1 < path.size()) return wrong("is a number, so the path ends there");
          const bool known = here->empty() || std::ranges::any_of(*here, [&](const Json& e) {
                               return e.is_object() && e.contains(key);
                             });
          if (!known) return wrong(fmt::format("names `{}`, which no entry has", key));
          return Json(static_cast<std::size_t>(std::ranges::count_if(*here, is_it)));
        }
        const auto found = std::ranges::find_if(*here, is_it);
        if (found == here->end()) return wrong(fmt::format("fits none of {} entries", here->size()));
        here = &*found;
      } else {
        const auto index = number_in<std::size_t>(step);
        if (!index || *index >= here->size()) return wrong(fmt::format("is none of {} entries", here->size()));
        here = &here->at(*index);
      }
    } else {
      return wrong("is after a single value");
    }
    way += (way.empty() ? "" : ".") + step;
  }
  return *here;
}

}  // namespace lanescope::lessons
