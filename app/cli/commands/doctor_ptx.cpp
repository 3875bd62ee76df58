// `doctor --ptx`: which instructions of PTX the emulator executes.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "app/cli/answers/report.h"
#include "app/cli/commands/commands.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/read_file.h"
#include "kernels/emulator/forms/forms.h"
#include "kernels/resources/resources.h"

namespace lanescope::cli {
namespace {

using emulator::Coverage;
using nlohmann::json;

constexpr std::string_view status_words[] = {"covered", "partly", "refused", "not"};

json to_json(const Coverage& c) {
  json one = fields("name", c.mnemonic, "status", entry_for(status_words, c.status()), "forms", c.instances, "executed",
                    c.executed, "tests", c.tests);
  json gaps = json::array();
  for (const emulator::Gap& g : c.gaps) gaps.push_back(fields("form", g.instance, "why", g.why, "listed", g.listed));
  one["gaps"] = std::move(gaps);
  return one;
}

/// Each reason once, with its first instance and how many there are.
void print_gaps(const Coverage& c) {
  std::map<std::string, std::pair<std::string, std::size_t>> by_reason;
  for (const emulator::Gap& g : c.gaps) {
    auto& [first, count] = by_reason[g.why];
    if (count++ == 0) first = g.instance;
  }
  for (const auto& [why, shown] : by_reason)
    say("{:<8} {:<20} -> {}{}: {}\n", "", "", shown.first,
        shown.second > 1 ? fmt::format(" and {} more", shown.second - 1) : "", why);
}

}  // namespace

int doctor_ptx(const DoctorOptions& options) {
  // Without the file the table alone is counted.
  const auto text = read_file((resources::assets_directory() / "ptx/accepted_forms.txt").string());
  const std::vector<emulator::AcceptedForm> accepted = emulator::accepted_forms(text ? *text : std::string());
  const std::vector<Coverage> all = emulator::coverage(accepted);
  std::map<std::string_view, std::size_t> counts;
  std::size_t instances = 0, executed = 0;
  for (const Coverage& c : all) {
    ++counts[entry_for(status_words, c.status())];
    instances += c.instances;
    executed += c.executed;
  }
  if (options.json) {
    json list = json::array();
    for (const Coverage& c : all) list.push_back(to_json(c));
    const json out = fields("ptx_isa", "9.0", "forms", instances, "executed", executed, "accepted_by_ptxas",
                            accepted.size(), "mnemonics", std::move(list));
    say(out);
    return all_good;
  }
  say("PTX ISA 9.0 in the emulator: {} of {} forms of {} mnemonics are executed\n", executed, instances, all.size());
  say("among them are {} that ptxas 13.0 takes, derived from the syntax of the ISA\n", accepted.size());
  say("{} covered, {} partly, {} refused, {} not\n", counts["covered"], counts["partly"], counts["refused"],
      counts["not"]);
  for (const Coverage& c : all) {
    say("{:<8} {:<20} {:>5} of {:<5} {}\n", entry_for(status_words, c.status()), c.mnemonic, c.executed, c.instances,
        fmt::join(c.tests, ", "));
    print_gaps(c);
  }
  return all_good;
}

}  // namespace lanescope::cli
