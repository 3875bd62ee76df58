#include "kernels/source/notation/claim_variables.h"

#include <algorithm>
#include <bit>

#include "kernels/base/text.h"
#include "kernels/source/cxx/number_types.h"

namespace lanescope::source {
namespace {

constexpr int deepest_class = 16;  ///< classes that are members of classes

/// float4 is float and 4; 0 where the type is no vector.
std::pair<std::string_view, int> vector_of(std::string_view type) {
  const std::optional<NumberType> vector = number_type(type);
  if (!vector) return {};
  std::string_view base = type.substr(0, type.size() - 1);
  if (base.ends_with("longlong")) base = base.starts_with('u') ? "unsigned long long" : "long long";
  return number_type(base) ? std::pair{base, vector->numbers} : std::pair<std::string_view, int>();
}

std::string without_const(std::string_view type) {
  for (const std::string_view word : {"const ", "volatile ", "struct "})
    while (type.starts_with(word)) type.remove_prefix(word.size());
  while (type.ends_with("&") || type.ends_with(" ") || type.ends_with(" const"))
    type.remove_suffix(type.ends_with(" const") ? 6 : 1);
  return std::string(type);
}

const Class* class_called(const Outline& outline, std::string_view name) {
  for (std::size_t i = outline.classes.size(); i > 0; --i)
    if (!name.empty() && outline.classes[i - 1].name == name) return &outline.classes[i - 1];
  return nullptr;
}

std::vector<std::int64_t> extents_in(std::string_view text, const Values& values) {
  std::vector<std::int64_t> out;
  for (std::size_t at = 0; at < text.size() && text[at] == '[';) {
    const std::size_t end = text.find(']', at);
    if (end == std::string_view::npos) break;
    const ConstantValue value = evaluate(text.substr(at + 1, end - at - 1), values);
    out.push_back(value && *value > 0 ? *value : -1);
    at = end + 1;
  }
  return out;
}

ObjectType whole(const Lexed& lexed, const Local& l, const Values& values) {
  ObjectType out{.type = l.type, .extents = {}, .pointer = l.pointer && !l.array};
  const bool reference_to_array = l.type.ends_with(l.extents) && l.type.find("(&)") != std::string::npos;
  if (reference_to_array) out.type = l.type.substr(0, l.type.find("(&)"));
  if (out.type.ends_with("[]")) out.type.resize(out.type.size() - 2);
  if (!l.extents.empty()) {
    out.extents = extents_in(l.extents, values);
  } else if (l.array) {
    std::string text;
    for (int i = l.token + 1; lexed.is(i, "[") && lexed.partner(i) > 0; i = lexed.partner(i) + 1)
      text += "[" + joined(lexed, i + 1, lexed.partner(i) - 1) + "]";
    out.extents = extents_in(text, values);
  }
  out.type = without_const(out.type);
  return out;
}

std::uint64_t bytes_of_type(std::string_view type, const Outline& outline, const Values& values, int depth) {
  if (const std::optional<NumberType> number = number_type(type)) return static_cast<std::uint64_t>(number->bytes);
  if (one_of(type, {"bf16", "bfloat16"})) return 2;
  const Class* c = class_called(outline, type);
  if (c == nullptr || depth > deepest_class) return 0;
  std::uint64_t all = 0;
  for (const DataMember& m : c->members) {
    std::uint64_t bytes =
        m.pointer || m.reference ? 8 : bytes_of_type(without_const(m.type), outline, values, depth + 1);
    for (const std::int64_t n : extents_in(m.extents, values)) bytes *= n > 0 ? static_cast<std::uint64_t>(n) : 0;
    if (bytes == 0 || bytes > (std::uint64_t{1} << 32)) return 0;
    all += bytes;
  }
  return all;
}

}  // namespace

NamePath parts_of(std::string_view name) {
  if (name.starts_with("this->")) name.remove_prefix(6);
  const std::size_t at = std::min(name.find_first_of(".[-"), name.size());
  return {std::string(name.substr(0, at)), std::string(name.substr(at))};
}

std::optional<ObjectType> object_at(const Lexed& lexed, const Outline& outline, const Values& values,
                                    const Local& local, std::string_view path) {
  ObjectType object = whole(lexed, local, values);
  while (!path.empty()) {
    if (path.front() == '[') {
      const std::size_t end = path.find(']');
      if (end == std::string_view::npos || object.extents.empty()) return std::nullopt;
      object.extents.erase(object.extents.begin());
      path.remove_prefix(end + 1);
      continue;
    }
    const bool arrow = path.starts_with("->");
    if ((!arrow && path.front() != '.') || arrow != object.pointer || !object.extents.empty()) return std::nullopt;
    path.remove_prefix(arrow ? 2 : 1);
    const std::size_t end = std::min(path.find_first_of(".[-"), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(end);
    if (arrow && object.type.ends_with("*")) object.type = without_const(object.type.substr(0, object.type.size() - 1));
    if (const auto [base, count] = vector_of(object.type); count != 0) {
      if (name.size() != 1 ||
          std::string_view("xyzw").substr(0, static_cast<std::size_t>(count)).find(name) == std::string_view::npos)
        return std::nullopt;
      object = {.type = std::string(base), .extents = {}, .pointer = false};
      continue;
    }
    const Class* c = class_called(outline, object.type);
    if (c == nullptr) return std::nullopt;
    const auto m = std::ranges::find(c->members, name, &DataMember::name);
    if (m == c->members.end()) return std::nullopt;
    object = {.type = without_const(m->type), .extents = extents_in(m->extents, values), .pointer = m->pointer};
  }
  return object;
}

std::uint64_t bytes_of(const ObjectType& object, const Outline& outline, const Values& values) {
  std::uint64_t bytes = object.pointer ? 8 : bytes_of_type(object.type, outline, values, 0);
  for (const std::int64_t n : object.extents) {
    if (n <= 0 || n > (std::int64_t{1} << 24) || bytes > (std::uint64_t{1} << 32)) return 0;
    bytes *= static_cast<std::uint64_t>(n);
  }
  return bytes;
}

bool fills_registers(std::uint64_t bytes, std::uint64_t element_bytes, int registers) {
  if (bytes == 0) return false;
  for (const std::uint64_t unit : {std::uint64_t{4}, element_bytes, std::uint64_t{8}}) {
    if (unit == 0 || (unit == 8 && element_bytes < 8)) continue;
    if (std::bit_ceil((bytes + unit - 1) / unit) == static_cast<std::uint64_t>(std::max(registers, 1))) return true;
  }
  return false;
}

}  // namespace lanescope::source
