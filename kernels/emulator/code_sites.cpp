// The facts about each instruction that a reader of a trace needs, without running it.

#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/base/plain_name.h"
#include "kernels/emulator/emulator.h"
#include "kernels/emulator/machine/program.h"

namespace lanescope::emulator {

namespace {

trace::StepKind kind_of(const ptx::Instruction& i) {
  using trace::StepKind;
  static const std::unordered_map<std::string_view, StepKind> kinds = {
      {"ld", StepKind::load},         {"ldu", StepKind::load},
      {"ldmatrix", StepKind::load},   {"st", StepKind::store},
      {"stmatrix", StepKind::store},  {"cp", StepKind::load},
      {"mov", StepKind::move},        {"selp", StepKind::move},
      {"prmt", StepKind::move},       {"cvta", StepKind::move},
      {"shfl", StepKind::shuffle},    {"movmatrix", StepKind::shuffle},
      {"vote", StepKind::vote},       {"match", StepKind::vote},
      {"redux", StepKind::vote},      {"activemask", StepKind::vote},
      {"elect", StepKind::vote},      {"bar", StepKind::barrier},
      {"barrier", StepKind::barrier}, {"bra", StepKind::branch},
      {"brx", StepKind::branch},      {"call", StepKind::branch},
      {"ret", StepKind::branch},      {"exit", StepKind::exit},
      {"trap", StepKind::exit},       {"atom", StepKind::atomic},
      {"red", StepKind::atomic},      {"lanescope.probe", StepKind::probe},
      {"membar", StepKind::other},    {"fence", StepKind::other},
      {"nanosleep", StepKind::other}};
  const auto it = kinds.find(i.opcode);
  return it == kinds.end() ? StepKind::arithmetic : it->second;
}

/// Code of an entry among the sites.
struct Part {
  int entry = 0;
  std::size_t first = 0, last = 0;  ///< the site after its code, too
};

/// Code that is called, of a function none of which is in the user's file (`__internal_accurate_pow`, which pow() calls), is
/// of the lines that call it, as if it were inlined there. Barriers stay apart: each is a place of its own.
void name_call_lines(const ptx::Module& module, const std::vector<Part>& parts, std::vector<trace::CodeSite>& sites) {
  std::map<int, std::map<int, int>> called;  // by function: lines that call it, with their columns
  std::map<int, const Part*> part_of;
  for (const Part& p : parts) part_of[p.entry] = &p;
  const auto has_lines = [&](const Part& p) {
    for (std::size_t pc = p.first; pc <= p.last; ++pc)
      if (sites[pc].line > 0) return true;
    return false;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Part& p : parts) {
      const auto& code = module.entries[static_cast<std::size_t>(p.entry)].code;
      for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].opcode != "call") continue;
        for (const ptx::Operand& o : code[i].operands) {
          if (o.kind != ptx::Operand::Kind::symbol || o.symbol_scope != ptx::Operand::Scope::function) continue;
          auto& lines = called[o.symbol];
          const std::size_t before = lines.size();
          const trace::CodeSite& site = sites[p.first + i];
          if (site.line > 0)
            lines.emplace(site.line, site.column);
          else if (o.symbol != p.entry)
            lines.insert(called[p.entry].begin(), called[p.entry].end());
          changed = changed || lines.size() != before;
        }
      }
    }
  }
  for (const auto& [function, lines] : called) {
    const auto at = part_of.find(function);
    if (at == part_of.end() || lines.empty() || has_lines(*at->second)) continue;
    for (std::size_t pc = at->second->first; pc <= at->second->last; ++pc) {
      trace::CodeSite& site = sites[pc];
      if (site.kind == trace::StepKind::barrier) continue;
      if (lines.size() == 1)
        std::tie(site.line, site.column) = *lines.begin();
      else
        for (const auto& [line, column] : lines) site.call_lines.push_back(line);
    }
  }
}

}  // namespace

std::vector<trace::CodeSite> code_sites(const ptx::Module& module, const ptx::Entry& entry,
                                        std::string_view user_file) {
  std::vector<trace::CodeSite> sites;
  const std::string wanted = plain_name(user_file);
  const auto is_user = [&](int file) {
    return file >= 0 && static_cast<std::size_t>(file) < module.files.size() &&
           (wanted.empty() || module.files[static_cast<std::size_t>(file)] == wanted);
  };
  std::vector<Part> parts;
  for (int index : reachable(module, entry)) {
    const ptx::Entry& e = module.entries[static_cast<std::size_t>(index)];
    parts.push_back({.entry = index, .first = sites.size(), .last = sites.size() + e.code.size()});
    for (const ptx::Instruction& i : e.code) {
      trace::CodeSite s;
      if (is_user(i.position.file)) {
        s.line = i.position.line;
        s.column = i.position.column;
      }
      if (is_user(i.position.inner_file)) s.inner_line = i.position.inner_line;
      s.kind = kind_of(i);
      if (e.is_function && i.opcode == "exit") s.kind = trace::StepKind::exit;
      if (!e.is_function && i.opcode == "ret") s.kind = trace::StepKind::exit;
      s.text = ptx::to_string(i, e, module);
      sites.push_back(std::move(s));
    }
    if (module.contracts) {
      const std::size_t first = parts.back().first;
      const std::vector<ptx::Contraction> contractions = ptx::contractions(e);
      for (std::size_t i = 0; i < contractions.size(); ++i)
        if (contractions[i].product >= 0)
          sites[first + i].product_pc = static_cast<int>(first) + contractions[i].product;
    }
    sites.push_back({.kind = trace::StepKind::exit, .text = e.is_function ? "ret;" : "exit;"});
  }
  if (!wanted.empty()) name_call_lines(module, parts, sites);
  return sites;
}

}  // namespace lanescope::emulator
