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
