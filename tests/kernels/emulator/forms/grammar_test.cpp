// Forms that the syntax of the PTX ISA has and the assembler takes, found without the decoder (scripts/ptx_forms.py): each is
// executed, or its refusal is named here.

#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator::test {
namespace {

std::vector<AcceptedForm> forms_of_file(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(LANESCOPE_SOURCE_DIR "/" + path).rdbuf();
  return accepted_forms(text.str());
}
std::vector<AcceptedForm> accepted() { return forms_of_file("assets/ptx/accepted_forms.txt"); }

std::map<std::string, std::vector<std::string>> by_target(std::vector<AcceptedForm> forms) {
  std::map<std::string, std::vector<std::string>> out;
  for (AcceptedForm& f : forms) out[f.target].push_back(std::move(f.instance));
  return out;
}

TEST(GrammarForms, WhatTheAssemblerTakesIsExecutedOrRefusedByName) {
  std::size_t all = 0, executed = 0, refused = 0;
  for (const auto& [target, instances] : by_target(accepted())) {
    const std::vector<std::string> why = refusals(instances, target);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      ++all;
      executed += why[i].empty() ? 1 : 0;
      if (why[i].empty()) continue;
      ++refused;
      if (refused_by_name(instances[i]).empty()) ADD_FAILURE() << target << " " << instances[i] << ": " << why[i];
    }
  }
  EXPECT_GT(all, 20000u);
  RecordProperty("executed", static_cast<int>(executed));
  RecordProperty("refused", static_cast<int>(refused));
}

/// shfl and vote without .sync belong to older versions of PTX; which function an address calls is known when it is called.
bool is_lenient(std::string_view instance) {
  const std::string_view name = mnemonic_of(instance);
  return name == "call" || ((name == "shfl" || name == "vote") && instance.find(".sync") == std::string_view::npos);
}

TEST(GrammarForms, WhatTheAssemblerRefusesIsRefused) {
  std::size_t refused = 0;
  for (const auto& [target, instances] : by_target(forms_of_file("tests/data/ptx/refused_forms.txt"))) {
    const std::vector<std::string> why = refusals(instances, target);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      EXPECT_TRUE(!why[i].empty() || is_lenient(instances[i])) << instances[i];
      refused += why[i].empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 1000u);
}

TEST(GrammarForms, AreCountedBesideTheTable) {
  const std::vector<AcceptedForm> forms = accepted();
  std::size_t of_table = 0, all = 0;
  for (const Coverage& c : coverage()) of_table += c.instances;
  for (const Coverage& c : coverage(forms)) {
    all += c.instances;
    EXPECT_NE(c.status(), Coverage::Status::none) << c.mnemonic;
  }
  EXPECT_GT(all, of_table + forms.size() / 4);
  EXPECT_LT(all, of_table + forms.size());
}

}  // namespace
}  // namespace lanescope::emulator::test
