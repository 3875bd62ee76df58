#include "kernels/source/host/program/scopes.h"

#include <algorithm>

namespace lanescope::source::host {

std::string joined_path(std::string_view path, std::string_view name) {
  std::string out(path);
  if (!path.empty() && !name.empty()) out += "::";
  return out += name;
}

Scopes::Scopes(const Lexed& lexed) {
  for (int i = 0; i + 1 < lexed.count(); ++i) {
    const bool space = lexed.is(i, "namespace");
    if (!space && !lexed.is(i, "struct") && !lexed.is(i, "class") && !lexed.is(i, "union")) continue;
    int at = i + 1;
    std::string name;
    while (lexed.is(at, "alignas") || lexed.is(at, "__align__") || lexed.is(at, "__attribute__"))
      at = std::max(at + 1, lexed.partner(at + 1)) + 1;
    while (at < lexed.count() && lexed.token(at).kind == TokenKind::identifier) {
      name = joined_path(name, lexed.of(at++));
      if (space && lexed.is(at, "::")) ++at;
    }
    if (space && i > 0 && lexed.is(i - 1, "using")) {
      used_.insert(name);
      continue;
    }
    if (!space && (lexed.is(at, ":") || lexed.is(at, "<")))  // bases, arguments of a specialisation
      while (at < lexed.count() && !lexed.is(at, "{") && !lexed.is(at, ";") && !lexed.is(at, "(")) ++at;
    if (lexed.is(at, "{") && lexed.partner(at) > at) ranges_.push_back({at, lexed.partner(at), name});
  }
}

std::string Scopes::path_of(int token) const {
  std::string path;
  for (const Range& r : ranges_) {
    if (r.open > token) break;
    if (r.close > token) path = joined_path(path, r.name);
  }
  return path;
}

void Scopes::enter(std::string_view name, const std::string& path, const Meaning& meaning) {
  Meaning& m = names_[std::string(name)][path];
  if (meaning.constant) m.constant = meaning.constant;
  if (meaning.slot >= 0) m.slot = meaning.slot;
  if (meaning.type != nullptr) m.type = meaning.type;
}

bool Scopes::several(std::string_view name) const {
  const auto found = names_.find(name);
  return found != names_.end() && std::ranges::any_of(found->second, [&](const auto& other) {
           return !(other.second == found->second.begin()->second);
         });
}

int Scopes::which(const std::vector<std::string_view>& paths, std::string_view qualifier, std::string_view path) const {
  const auto find = [&](std::string_view wanted) {
    const auto at = std::ranges::find(paths, wanted);
    return at == paths.end() ? -1 : static_cast<int>(at - paths.begin());
  };
  for (std::string_view around = path;;) {
    if (const int i = find(joined_path(around, qualifier)); i >= 0) return i;
    if (around.empty()) break;
    const std::size_t last = around.rfind("::");
    around = around.substr(0, last == std::string_view::npos ? 0 : last);
  }
  int only = -1, count = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool fits = qualifier.empty() ? used_.contains(paths[i]) : paths[i].ends_with("::" + std::string(qualifier));
    if (fits) only = static_cast<int>(i), ++count;
  }
  return count == 1 ? only : -1;
}

const Meaning* Scopes::meant(std::string_view name, std::string_view qualifier, std::string_view path) const {
  const auto found = names_.find(name);
  if (found == names_.end()) return nullptr;
  std::vector<std::string_view> paths;
  for (const auto& [at, meaning] : found->second) paths.push_back(at);
  const int i = which(paths, qualifier, path);
  return i < 0 ? nullptr : &std::next(found->second.begin(), i)->second;
}

}  // namespace lanescope::source::host
