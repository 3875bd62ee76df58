#include "kernels/explain/explain.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace lanescope::explain {
namespace {

bool has(const Pieces& p, std::string_view modifier) {
  return std::ranges::find(p.modifiers, modifier) != p.modifiers.end();
}

template <std::size_t N>
std::string first_of(const Pieces& p, const std::array<std::string_view, N>& wanted) {
  for (const std::string& m : p.modifiers)
    if (std::ranges::find(wanted, m) != wanted.end()) return m;
  return {};
}

/// Others' writes must be seen beyond the block: by the scope; .volatile has that of the whole system.
bool is_strong(const Pieces& p) {
  if (has(p, "volatile") || has(p, "mmio")) return true;
  return (has(p, "relaxed") || has(p, "acquire")) && !has(p, "cta");
}

Memory ptx_memory(const Pieces& p) {
  for (const std::string& m : p.modifiers) {
    if (m == "global") return Memory::global;
    if (m == "shared" || m == "shared::cta") return Memory::shared;
    if (m == "shared::cluster") return Memory::cluster;
    if (m == "local") return Memory::local;
    if (m == "const" || m.starts_with("param")) return Memory::constant;
  }
  return Memory::generic;
}

std::optional<AccessWords> ptx_access(const Pieces& p) {
  const std::string& m = p.mnemonic;
  AccessWords a{
      .memory = ptx_memory(p),
      .width_bytes = bytes_of(p, true),
      .cache_operator = first_of(p, std::array<std::string_view, 7>{"ca", "cg", "cs", "lu", "cv", "wb", "wt"}),
      .read_only = has(p, "nc"),
      .strong = is_strong(p),
      .no_allocate = has(p, "L1::no_allocate"),
      .parameter = !p.modifiers.empty() &&
                   std::ranges::any_of(p.modifiers, [](const std::string& x) { return x.starts_with("param"); })};
  // The result of a call is in no memory that is known here.
  if (m == "ld" && a.parameter && p.operands.size() > 1 && p.operands[1].find("retval") != std::string::npos)
    return std::nullopt;
  if (m == "ld" || m == "ldu") return a;
  if (m == "ldmatrix") {
    a.memory = Memory::shared, a.width_bytes = 0;
    return a;
  }
  if (m == "st" || m == "stmatrix" || (m == "red" && has(p, "async"))) {
    a.motion = Motion::store;
    if (m == "stmatrix") a.memory = Memory::shared, a.width_bytes = 0;
    if (has(p, "bulk")) a.width_bytes = 0;
    // Arguments of a call: registers or local memory, as the assembler sees fit.
    if (p.modifiers.size() > 1 && p.modifiers[0].starts_with("param")) return std::nullopt;
    return a;
  }
  if (m == "atom" || m == "red") {
    a.motion = m == "atom" ? Motion::atomic : Motion::reduction;
    return a;
  }
  if (m == "cp" && (has(p, "async") && has(p, "global")) && !has(p, "reduce")) {
    // cp.async and its kin name the destination first.
    a.bulk = has(p, "bulk");
    const auto first = std::ranges::find_if(
        p.modifiers, [](const std::string& x) { return x == "global" || x.starts_with("shared"); });
    a.memory = Memory::global;
    a.width_bytes = 0;
    if (has(p, "prefetch")) {
      a.motion = Motion::prefetch, a.cache_operator = "L2";
    } else if (*first == "global") {
      return std::nullopt;  // out of shared memory, by the copy engine
    } else {
      a.motion = Motion::copy_to_shared;
      if (!a.bulk && p.operands.size() > 2 && (p.operands[2] == "4" || p.operands[2] == "8" || p.operands[2] == "16"))
        a.width_bytes = std::stoi(p.operands[2]);
    }
    return a;
  }
  if (m == "prefetch" || m == "prefetchu") {
    if (a.memory == Memory::generic) a.memory = Memory::global;
    if (a.memory != Memory::global) return std::nullopt;
    a.motion = Motion::prefetch;
    a.cache_operator = has(p, "L1") ? "L1" : "L2";
    return a;
  }
  if (m == "tex" || m == "tld4") {
    a.memory = Memory::texture;
    return a;
  }
  return std::nullopt;
}

std::optional<AccessWords> sass_access(const Pieces& p) {
  struct Known {
    std::string_view mnemonic;
    Motion motion;
    Memory memory;
  };
  static constexpr std::array<Known, 22> table{{
      {"LDG", Motion::load, Memory::global},
      {"STG", Motion::store, Memory::global},
      {"LD", Motion::load, Memory::generic},
      {"ST", Motion::store, Memory::generic},
      {"LDS", Motion::load, Memory::shared},
      {"STS", Motion::store, Memory::shared},
      {"LDSM", Motion::load, Memory::shared},
      {"STSM", Motion::store, Memory::shared},
      {"LDL", Motion::load, Memory::local},
      {"STL", Motion::store, Memory::local},
      {"LDC", Motion::load, Memory::constant},
      {"ULDC", Motion::load, Memory::constant},
      {"LDCU", Motion::load, Memory::constant},
      {"ATOMG", Motion::atomic, Memory::global},
      {"ATOM", Motion::atomic, Memory::generic},
      {"ATOMS", Motion::atomic, Memory::shared},
      {"RED", Motion::reduction, Memory::global},
      {"REDG", Motion::reduction, Memory::global},
      {"LDGSTS", Motion::copy_to_shared, Memory::global},
      {"TEX", Motion::load, Memory::texture},
      {"TLD", Motion::load, Memory::texture},
      {"TLD4", Motion::load, Memory::texture},
  }};
  const auto* const found = std::ranges::find(table, p.mnemonic, &Known::mnemonic);
  if (found == table.end()) return std::nullopt;
  AccessWords a{.motion = found->motion, .memory = found->memory};
  const bool tiles = p.mnemonic == "LDSM" || p.mnemonic == "STSM";
  a.width_bytes = tiles || a.memory == Memory::texture ? 0 : bytes_of(p, false);
  a.read_only = has(p, "CONSTANT") || has(p, "CI");
  a.strong = has(p, "STRONG") && (has(p, "GPU") || has(p, "SYS"));
  a.no_allocate = has(p, "NA");
  if (has(p, "BYPASS")) a.cache_operator = "cg";
  if (has(p, "EF")) a.cache_operator = "cs";
  return a;
}

/// "sm_90a" -> 90
int number_of(std::string_view arch) {
  int number = 0;
  for (const char c : arch)
    if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
  return number;
}

bool lacks(std::string_view arch, std::string_view needed) {
  if (needed.empty()) return false;
  return needed.ends_with('a') ? number_of(arch) != number_of(needed) : number_of(arch) < number_of(needed);
}

std::string guard_words(std::string_view guard) {
  const bool negated = guard.starts_with("@!");
  const std::string name(guard.substr(negated ? 2 : 1));
  if (name.empty()) return {};
  if (name == "PT" || name == "UPT") return negated ? "never executed" : "always executed";
  return fmt::format("only threads in which {} is {} execute it", name, negated ? "false" : "true");
}

std::string first_sentence(std::string_view words) { return std::string(words.substr(0, words.find(". "))); }

/// Spaces that an instruction cannot name, although others can: nothing stores to constant memory.
bool is_refused(const Pieces& p, std::string_view modifier) {
  return modifier == "const" && (p.mnemonic == "st" || p.mnemonic == "atom" || p.mnemonic == "red");
}

void append(std::string& out, std::string_view label, std::string_view words) {
  if (words.empty()) return;
  if (!out.empty()) out += '\n';
  out += label;
  out += words;
}

}  // namespace

bool Explanation::complete() const { return unknown().empty() && !does.empty(); }

std::vector<std::string> Explanation::unknown() const {
  std::vector<std::string> out;
  for (const Part& part : parts)
    if (part.words.empty()) out.push_back(part.text);
  return out;
}

Explanation explain(std::string_view statement, const Generation& generation) {
  Explanation e{.text = plain_statement(statement)};
  const Pieces p = pieces_of(e.text);
  const bool ptx = p.mnemonic.empty() || std::isupper(static_cast<unsigned char>(p.mnemonic[0])) == 0;
  e.set = ptx ? InstructionSet::ptx : InstructionSet::sass;
  if (!p.guard.empty()) e.parts.push_back({Part::Kind::guard, p.guard, guard_words(p.guard)});
  const Row* const row = row_of(p, ptx);
  if (row != nullptr) e.does = fill(*row, p, ptx);
  const bool refused = ptx && std::ranges::any_of(p.modifiers, [&](const auto& m) { return is_refused(p, m); });
  if (refused) e.does = "There is no such instruction: kernels only read constant memory.";
  e.parts.push_back({Part::Kind::mnemonic, p.mnemonic, row == nullptr ? std::string() : first_sentence(e.does)});
  for (std::size_t n = 0; n < p.modifiers.size(); ++n)
    e.parts.push_back({Part::Kind::modifier, "." + p.modifiers[n],
                       refused && is_refused(p, p.modifiers[n]) ? std::string() : modifier_words(p, n, ptx)});
  for (const std::string& o : p.operands) e.parts.push_back({Part::Kind::operand, o, operand_words(o, ptx)});
  if (row == nullptr || refused) return e;
  if (ptx) e.needs = needed_arch(p);
  e.lacking = lacks(generation.arch, e.needs);
  if (e.lacking) return e;
  if (const auto access = ptx ? ptx_access(p) : sass_access(p)) e.route = route_of(*access, generation);
  return e;
}

std::string to_text(const Explanation& e) {
  std::string out =
      e.does.empty()
          ? fmt::format("There are no words about {} here.",
                        e.parts.empty() ? e.text : e.parts[e.parts[0].kind == Part::Kind::guard ? 1 : 0].text)
          : e.does;
  for (const Part& part : e.parts) {
    if (part.kind == Part::Kind::mnemonic) continue;
    append(out, "", fmt::format("  {}  {}", part.text, part.words.empty() ? "(not known here)" : part.words));
  }
  if (e.lacking) append(out, "", fmt::format("this generation does not have it: it needs {}", e.needs));
  if (!e.route) return out;
  append(out, "path: ", e.route->words());
  append(out, "in pieces: ", e.route->transaction);
  append(out, "", e.route->warp);
  for (const std::string& remark : e.route->remarks) append(out, "", remark);
  return out;
}

}  // namespace lanescope::explain
