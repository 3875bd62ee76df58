#include "app/design/study.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/convert/states.h"

namespace lanescope::design {
namespace {

/// Above this the table of the comparison would be larger than what it shows.
constexpr std::size_t most_diff_lines = 4000;

const convert::Plan* plan_at(const Study& s, int plan) {
  if (!s.planned || plan < 0 || plan >= static_cast<int>(s.planned->plans.size())) return nullptr;
  return &s.planned->plans[static_cast<std::size_t>(plan)];
}

int recommended_of(const convert::Planned& planned) {
  for (std::size_t i = 0; i < planned.plans.size(); ++i)
    if (planned.plans[i].recommended) return static_cast<int>(i);
  return planned.plans.empty() ? -1 : 0;
}

StepCost cost_of_step(const Step& step, int element_bits, const std::string& name) {
  StepCost out;
  const auto planned = convert::plan(step.before, step.after, element_bits);
  if (!planned) {
    out.words = planned.error().empty() ? "cannot be planned" : planned.error().front().message;
    return out;
  }
  const int best = recommended_of(*planned);
  if (best < 0) {
    out.words = "cannot be planned";
    return out;
  }
  const convert::Plan& plan = planned->plans[static_cast<std::size_t>(best)];
  out.possible = true;
  out.words = convert::cost_in_words(plan);
  out.cycles = plan.cycles;
  out.code = convert::device_function({*planned, plan}, {.function = name, .name_space = {}});
  return out;
}

std::vector<std::string> bit_names(const convert::PlaceMap& map) {
  std::vector<std::string> out;
  const auto add = [&](char letter, int count) {
    for (int n = 0; n < count; ++n) out.push_back(fmt::format("{}{}", letter, n));
  };
  add('s', map.slots);
  add('r', map.registers);
  add('t', 5);
  add('w', map.warps);
  add('b', map.blocks);
  return out;
}

}  // namespace

int Study::recommended() const { return planned ? recommended_of(*planned) : -1; }

Study study_of(const Sheet& sheet) {
  const auto begin = std::chrono::steady_clock::now();
  Study out;
  out.design = sheet.design;
  const auto done = [&] {
    out.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return std::move(out);
  };
  if (!sheet.complete()) {
    for (const Diagnostics* d : {&sheet.wrong_type, &sheet.from.wrong, &sheet.to.wrong})
      out.wrong.insert(out.wrong.end(), d->begin(), d->end());
    return done();
  }
  auto planned = convert::plan(*sheet.from.assignment, *sheet.to.assignment, sheet.element_bits);
  if (!planned) {
    out.wrong = std::move(planned.error());
    return done();
  }
  out.planned = std::make_unique<convert::Planned>(std::move(*planned));
  for (std::size_t n = 0; n < sheet.steps.size(); ++n)
    out.steps.push_back(
        cost_of_step(sheet.steps[n], sheet.element_bits, fmt::format("{}_{}", sheet.design.name, n + 1)));
  return done();
}

std::string header_of(const Study& study, int plan) {
  const convert::Plan* p = plan_at(study, plan);
  if (p == nullptr || !is_function_name(study.design.name)) return {};
  return convert::header_file(
      convert::device_function({*study.planned, *p}, {.function = study.design.name, .name_space = {}}), {});
}

std::string kernel_of(const Study& study, int plan) {
  const convert::Plan* p = plan_at(study, plan);
  if (p == nullptr || !is_function_name(study.design.name)) return {};
  return convert::kernel_file({*study.planned, *p}, {.function = study.design.name, .name_space = {}});
}

std::vector<State> states_of(const Study& study, int plan) {
  const convert::Plan* p = plan_at(study, plan);
  if (p == nullptr) return {};
  std::vector<State> out{{"source", study.planned->from}};
  if (p->program) {
    const auto states = convert::states_of(*p->program, study.planned->map);
    for (std::size_t n = 0; n < states.size() && n < p->program->stages.size(); ++n)
      if (states[n]) out.push_back({p->program->stages[n].what, *states[n]});
  }
  if (out.back().assignment != study.planned->to)
    out.push_back({p->program ? "last moves" : "through shared memory", study.planned->to});
  return out;
}

Matrix matrix_of(const convert::Planned& planned) {
  const convert::PlaceMap& map = planned.map;
  Matrix out;
  out.rows = out.columns = bit_names(map);
  out.constant = map.constant;
  for (std::size_t row = 0; row < out.rows.size(); ++row) {
    std::vector<bool> ones(out.columns.size(), false);
    const std::uint64_t column = row < map.columns.size() ? map.columns[row] : 0;
    for (std::size_t m = 0; m < ones.size(); ++m) ones[m] = (column >> m & 1) != 0;
    out.ones.push_back(std::move(ones));
    const convert::Role role = row < map.roles.size() ? map.roles[row] : convert::Role::moves;
    out.remarks.emplace_back(role == convert::Role::copy ? "copy" : role == convert::Role::free ? "free" : "");
  }
  return out;
}

std::vector<DiffLine> difference(std::string_view before, std::string_view after) {
  const auto a = split_lines(before), b = split_lines(after);
  std::vector<DiffLine> out;
  const auto add = [&](DiffLine::Kind kind, std::string_view text) { out.push_back({kind, std::string(text)}); };
  if (a.size() > most_diff_lines || b.size() > most_diff_lines) {
    for (const auto line : a) add(DiffLine::Kind::removed, line);
    for (const auto line : b) add(DiffLine::Kind::added, line);
    return out;
  }
  // Longest common part, from the end.
  std::vector<std::vector<std::uint16_t>> common(a.size() + 1, std::vector<std::uint16_t>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t k = b.size(); k-- > 0;)
      common[i][k] = a[i] == b[k] ? static_cast<std::uint16_t>(common[i + 1][k + 1] + 1)
                                  : std::max(common[i + 1][k], common[i][k + 1]);
  std::size_t i = 0, k = 0;
  while (i < a.size() || k < b.size()) {
    if (i < a.size() && k < b.size() && a[i] == b[k]) {
      add(DiffLine::Kind::same, a[i]);
      ++i, ++k;
    } else if (k == b.size() || (i < a.size() && common[i + 1][k] >= common[i][k + 1])) {
      add(DiffLine::Kind::removed, a[i++]);
    } else {
      add(DiffLine::Kind::added, b[k++]);
    }
  }
  return out;
}

}  // namespace lanescope::design
