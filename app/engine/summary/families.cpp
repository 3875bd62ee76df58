#include "app/engine/summary/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

namespace lanescope::engine {
namespace {

bool is_wide_type(std::string_view type) {
  for (const std::string_view wide : {"double", "long long", "int64", "uint64", "size_t", "longlong"})
    if (type.find(wide) != std::string_view::npos) return true;
  return false;
}

/// Fields of a vector type are called x, y, z, w, for any width.
int vector_fields(std::string_view type) {
  if (type.empty() || type.find('[') != std::string_view::npos || type.find('*') != std::string_view::npos) return 0;
  const char last = type.back();
  static constexpr std::string_view stems[] = {"float", "int",    "uint", "short", "ushort",   "char",
                                               "uchar", "double", "long", "ulong", "longlong", "ulonglong"};
  if (last < '2' || last > '4') return 0;
  for (const auto stem : stems)
    if (type.ends_with(std::string(stem) + last)) return last - '0';
  return 0;
}

/// "x12" -> {"x", 12}; the number is -1 where the name does not end in digits.
std::pair<std::string, int> split_number(const std::string& name) {
  std::size_t digits = name.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1]))) --digits;
  if (digits == name.size() || digits == 0 || name.size() - digits > 4) return {name, -1};
  return {name.substr(0, digits), std::stoi(name.substr(digits))};
}

class Builder {
 public:
  Builder(const source::Source& source, const std::vector<int>& value_bytes) : source_(source), bytes_(value_bytes) {}

  void add(std::string name, const std::vector<int>& variables) {
    Family family{.variables = variables};
    family.info.name = std::move(name);
    for (const int id : variables) {
      const source::Variable& v = source_.variables[static_cast<std::size_t>(id)];
      family.info.function = v.function;
      family.info.first_line =
          family.info.first_line ? std::min(family.info.first_line, v.declared_line) : v.declared_line;
      const int bytes = bytes_[static_cast<std::size_t>(id)];
      family.wide = is_wide_type(v.type) && bytes % 8 == 0;
      for (int offset = 0; offset < bytes; offset += 4) family.words.push_back({id, offset});
      name_registers(family, v, bytes);
    }
    if (!family.words.empty()) families_.push_back(std::move(family));
  }

  bool read(int id) const {
    return id >= 0 && static_cast<std::size_t>(id) < bytes_.size() && bytes_[static_cast<std::size_t>(id)] > 0;
  }
  std::vector<Family> take() { return std::move(families_); }

 private:
  void name_registers(Family& family, const source::Variable& v, int bytes) {
    const int step = family.wide ? 8 : 4;
    const int registers = (bytes + step - 1) / step, fields = vector_fields(v.type);
    for (int i = 0; i < registers; ++i) {
      if (registers == 1)
        family.info.registers.push_back(v.name);
      else if (fields == registers)
        family.info.registers.push_back(fmt::format("{}.{}", v.name, "xyzw"[i]));
      else
        family.info.registers.push_back(fmt::format("{}[{}]", v.name, i));
    }
  }

  const source::Source& source_;
  const std::vector<int>& bytes_;
  std::vector<Family> families_;
};

/// Variables of one stem and function whose numbers run from 0 or 1 without a gap.
std::vector<std::vector<int>> numbered_runs(const source::Source& source, const std::set<int>& ids) {
  std::map<std::tuple<std::string, std::string, std::string>, std::map<int, int>> groups;
  for (const int id : ids) {
    const source::Variable& v = source.variables[static_cast<std::size_t>(id)];
    const auto [stem, number] = split_number(v.name);
    if (number >= 0) groups[{v.function, stem, v.type}].emplace(number, id);
  }
  std::vector<std::vector<int>> runs;
  for (const auto& [key, numbers] : groups) {
    const int first = numbers.begin()->first, last = numbers.rbegin()->first;
    if (numbers.size() < 2 || first > 1 || last - first + 1 != static_cast<int>(numbers.size())) continue;
    std::vector<int>& run = runs.emplace_back();
    for (const auto& [number, id] : numbers) run.push_back(id);
  }
  return runs;
}

}  // namespace

std::vector<Family> families_of(const source::Source& source, const std::vector<int>& value_bytes) {
  Builder builder(source, value_bytes);
  std::set<int> left;
  for (const source::Variable& v : source.variables)
    if (builder.read(v.id)) left.insert(v.id);

  std::set<std::vector<int>> claimed;
  for (const source::Claim& claim : source.claims) {
    if (claim.registers.empty() || !std::ranges::all_of(claim.registers, [&](int id) { return builder.read(id); }))
      continue;
    if (!claimed.insert(claim.registers).second) continue;
    builder.add(claim.variable, claim.registers);
    for (const int id : claim.registers) left.erase(id);
  }
  for (const std::vector<int>& run : numbered_runs(source, left)) {
    builder.add(split_number(source.variables[static_cast<std::size_t>(run.front())].name).first, run);
    for (const int id : run) left.erase(id);
  }
  for (const int id : left) builder.add(source.variables[static_cast<std::size_t>(id)].name, {id});

  auto families = builder.take();
  std::ranges::stable_sort(families, {}, [](const Family& f) { return f.info.first_line; });
  return families;
}

int family_of(const std::vector<Family>& families, int variable) {
  for (std::size_t i = 0; i < families.size(); ++i)
    if (std::ranges::find(families[i].variables, variable) != families[i].variables.end()) return static_cast<int>(i);
  return -1;
}

int family_of(const std::vector<Family>& families, const source::Claim& claim) {
  for (std::size_t i = 0; i < families.size(); ++i)
    if (families[i].variables == claim.registers) return static_cast<int>(i);
  return -1;
}

}  // namespace lanescope::engine
