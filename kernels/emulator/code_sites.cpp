// What a reader of a trace wants to know of each instruction, without running it.

#include <string_view>
#include <unordered_map>

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

}  // namespace

std::vector<trace::CodeSite> code_sites(const ptx::Module& module, const ptx::Entry& entry,
                                        std::string_view user_file) {
  std::vector<trace::CodeSite> sites;
  const std::string wanted = plain_name(user_file);
  const auto is_user = [&](int file) {
    return file >= 0 && static_cast<std::size_t>(file) < module.files.size() &&
           (wanted.empty() || module.files[static_cast<std::size_t>(file)] == wanted);
  };
  for (int index : reachable(module, entry)) {
    const ptx::Entry& e = module.entries[static_cast<std::size_t>(index)];
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
    sites.push_back({.kind = trace::StepKind::exit, .text = e.is_function ? "ret;" : "exit;"});
  }
  return sites;
}

}  // namespace lanescope::emulator
