#pragma once
// Objects of JSON, field by field: names and values in turn.
//
//   json out = fields("message", d.message, "severity", severity_name(d.severity));
//   put_known(out, "file", d.file, "line", d.line);  // an empty file and line 0 are left out

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace lanescope {

template <class Json>
void put_fields(Json&) {}
template <class Json, class T, class... Rest>
void put_fields(Json& object, const char* name, T&& value, Rest&&... rest) {
  object[name] = std::forward<T>(value);
  put_fields(object, std::forward<Rest>(rest)...);
}

template <class Json = nlohmann::json, class... NamesAndValues>
Json fields(NamesAndValues&&... all) {
  Json out = Json::object();
  put_fields(out, std::forward<NamesAndValues>(all)...);
  return out;
}

/// The same without values that say nothing: empty texts and lists, absent values, false, numbers that are not above 0.
template <class Json>
void put_known(Json&) {}
template <class Json, class T, class... Rest>
void put_known(Json& object, const char* name, const T& value, const Rest&... rest) {
  if constexpr (requires { value.empty(); }) {
    if (!value.empty()) object[name] = value;
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (value > T{}) object[name] = value;
  } else if (value) {
    object[name] = *value;
  }
  put_known(object, rest...);
}

}  // namespace lanescope
