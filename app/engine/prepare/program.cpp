#include "app/engine/prepare/program.h"

#include <algorithm>
#include <map>

#include "kernels/emulator/emulator.h"
#include "kernels/emulator/machine/heap.h"

namespace lanescope::engine {

std::vector<trace::Launch> host_launches(const Program& program) {
  std::vector<trace::Launch> out;
  for (const trace::Launch& l : program.launches)
    if (l.depth == 0) out.push_back(l);
  return out;
}

std::shared_ptr<const emulator::HeapState> first_heap(const Program& program) {
  return emulator::empty_heap(program.heap_bytes);
}

const ptx::Entry& entry_of(const Program& program, const trace::Launch& launch) {
  return *program.module.find_entry(launch.kernel);  // make_launches found it
}

namespace {

/// A probe belongs to the statement whose effect it shows.
void place_probes(const ptx::Entry& entry, const source::Source& source, std::vector<trace::CodeSite>& sites) {
  std::map<int, int> lines;
  for (const source::ProbePoint& p : source.probes) lines[p.id] = p.statement_line;
  for (const ptx::Probe& probe : entry.probes) {
    const auto pc = static_cast<std::size_t>(probe.instruction);
    const auto line = lines.find(probe.id);
    if (pc < sites.size() && line != lines.end()) sites[pc].line = line->second;
  }
}

}  // namespace

std::vector<trace::CodeSite> sites_of(const Program& program, const trace::Launch& launch) {
  const ptx::Entry& entry = entry_of(program, launch);
  auto sites = emulator::code_sites(program.module, entry, program.user_file);
  if (program.user_file.empty())
    for (std::size_t pc = 0; pc < sites.size() && pc < entry.code.size(); ++pc)
      sites[pc].line = entry.code[pc].text_line;
  return sites;
}

std::vector<int> value_bytes_of(const ptx::Module& module, std::size_t variables) {
  std::vector<int> bytes(variables, 0);
  for (const ptx::Entry& entry : module.entries)
    for (const ptx::Probe& probe : entry.probes) {
      if (probe.variable < 0 || static_cast<std::size_t>(probe.variable) >= bytes.size()) continue;
      int& known = bytes[static_cast<std::size_t>(probe.variable)];
      known = std::max({known, probe.value_bytes, probe.byte_offset + (probe.value_bytes ? 0 : 4)});
    }
  return bytes;
}

std::vector<int> lines_of(const std::vector<trace::CodeSite>& code) {
  std::vector<int> lines;
  for (const trace::CodeSite& site : code) lines.push_back(site.line);
  return lines;
}

std::vector<trace::CodeSite> probed_sites(const Program& program, const source::Source& source,
                                          const trace::Launch& launch) {
  auto sites = sites_of(program, launch);
  place_probes(entry_of(program, launch), source, sites);
  return sites;
}

std::vector<int> caller_lines(const Program& program, const source::Source& source, const trace::Launch& launch) {
  std::vector<int> lines = lines_of(probed_sites(program, source, launch));
  const std::vector<trace::CodeSite> sites = sites_of(program, launch);
  const auto same_function = [&](int a, int b) {
    return std::ranges::any_of(source.functions, [&](const source::Function& f) {
      return f.first_line <= a && a <= f.last_line && f.first_line <= b && b <= f.last_line;
    });
  };
  std::map<int, int> statements;
  for (const source::ProbePoint& p : source.probes) statements[p.id] = p.statement_line;
  for (const ptx::Probe& probe : entry_of(program, launch).probes) {
    const auto pc = static_cast<std::size_t>(probe.instruction);
    const auto statement = statements.find(probe.id);
    if (pc >= sites.size() || statement == statements.end()) continue;
    // A probe stands in a file of ours; it has a line of the user's where the function around it was inlined.
    const int line = sites[pc].line;
    if (line > 0 && !same_function(line, statement->second)) lines[pc] = line;
  }
  return lines;
}

}  // namespace lanescope::engine
