#include "app/design/study.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/convert/bits.h"
#include "kernels/convert/place_map.h"

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

/// The plan of one leg: the chosen one of the leg on show, the recommended ones of the others.
std::optional<convert::Conversion> conversion_of(const Study& study, int plan, std::size_t leg) {
  if (leg == study.design.leg()) {
    const convert::Plan* p = plan_at(study, plan);
    if (p == nullptr) return std::nullopt;
    return convert::Conversion{*study.planned, *p};
  }
  if (!study.chain || leg >= study.chain->legs.size() || !study.chain->legs[leg].planned) return std::nullopt;
  const convert::Planned& planned = *study.chain->legs[leg].planned;
  return convert::Conversion{planned, planned.plans[static_cast<std::size_t>(recommended_of(planned))]};
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
  out.code = convert::device_function({*planned, plan}, {.function = name});
  return out;
}

std::string cycles_in_words(double cycles) { return fmt::format("{:g} cycles", cycles); }

ChainCost cost_of_chain(const Design& design, int element_bits) {
  ChainCost out;
  std::vector<layout::Assignment> states;
  for (const std::string& text : design.states()) {
    auto a = layout::parse(text);
    if (!a) {
      out.total = out.direct = "a state has a mistake";
      return out;
    }
    if (!states.empty())
      for (std::size_t p = 0; p < a->rows.size(); ++p)
        if (!a->rows[p]) a->rows[p] = states.back().rows[p];
    states.push_back(std::move(*a));
  }
  const auto cost = [&](const layout::Assignment& from, const layout::Assignment& to) {
    LegCost leg;
    auto planned = convert::plan(from, to, element_bits);
    const int best = planned ? recommended_of(*planned) : -1;
    if (best < 0) {
      leg.words = planned || planned.error().empty() ? "cannot be planned" : planned.error().front().message;
      return leg;
    }
    const convert::Plan& plan = planned->plans[static_cast<std::size_t>(best)];
    leg.possible = true;
    leg.words = convert::cost_in_words(plan);
    leg.counts = plan.counts;
    leg.cycles = plan.cycles;
    leg.planned = std::make_unique<convert::Planned>(std::move(*planned));
    return leg;
  };
  convert::Counts counts;
  double cycles = 0;
  int wavefronts = 0;
  std::string impossible;
  for (std::size_t n = 0; n + 1 < states.size(); ++n) {
    out.legs.push_back(cost(states[n], states[n + 1]));
    const LegCost& leg = out.legs.back();
    if (!leg.possible && impossible.empty()) impossible = fmt::format("leg {} cannot be done: {}", n + 1, leg.words);
    counts = counts + leg.counts;
    cycles += leg.cycles;
    if (!leg.planned) continue;
    const convert::Plan& plan = leg.planned->plans[static_cast<std::size_t>(recommended_of(*leg.planned))];
    wavefronts += plan.shared_cost.store_wavefronts + plan.shared_cost.load_wavefronts;
  }
  out.total = !impossible.empty() ? impossible
                                  : convert::counts_in_words(counts) +
                                        (wavefronts > 0 ? fmt::format(", {} wavefronts", wavefronts) : std::string()) +
                                        ", " + cycles_in_words(cycles);
  const LegCost direct = cost(states.front(), states.back());
  out.direct = direct.possible ? direct.words + ", " + cycles_in_words(direct.cycles) : direct.words;
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

std::string Study::function(std::size_t leg) const {
  return design.is_chain() ? fmt::format("{}_{}", design.name, leg + 1) : design.name;
}

int Study::recommended() const { return planned ? recommended_of(*planned) : -1; }

Study study_of(const Sheet& sheet) {
  const auto begin = std::chrono::steady_clock::now();
  Study out{.design = sheet.design};
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
        cost_of_step(sheet.steps[n], sheet.element_bits, fmt::format("{}_step_{}", sheet.design.name, n + 1)));
  if (sheet.design.is_chain()) out.chain = cost_of_chain(sheet.design, sheet.element_bits);
  return done();
}

std::string header_of(const Study& study, int plan) {
  const convert::Plan* p = plan_at(study, plan);
  if (p == nullptr || !is_function_name(study.design.name)) return {};
  std::string functions;
  for (std::size_t leg = 0; leg < study.design.legs(); ++leg) {
    const auto conversion = conversion_of(study, plan, leg);
    if (!conversion) return {};
    functions += (leg > 0 ? "\n" : "") + convert::device_function(*conversion, {.function = study.function(leg)});
  }
  return convert::header_file(functions, {});
}

std::string kernel_of(const Study& study, int plan) {
  const convert::Plan* p = plan_at(study, plan);
  if (p == nullptr || !is_function_name(study.design.name)) return {};
  return convert::kernel_file({*study.planned, *p}, {.function = study.function(study.design.leg())});
}

std::vector<std::string> kernels_of(const Study& study, int plan) {
  std::vector<std::string> out;
  if (!is_function_name(study.design.name)) return out;
  for (std::size_t leg = 0; leg < study.design.legs(); ++leg)
    if (const auto conversion = conversion_of(study, plan, leg))
      out.push_back(convert::kernel_file(*conversion, {.function = study.function(leg)}));
  return out;
}

std::vector<SharedAccess> shared_accesses(const Study& study, int plan, int warp) {
  const convert::Plan* p = plan_at(study, plan);
  std::vector<SharedAccess> out;
  if (p == nullptr || !p->shared) return out;
  int stores = 0, loads = 0;
  for (const access::Access& a : p->shared->accesses(static_cast<std::uint64_t>(warp)))
    out.push_back({.access = a, .number = ++(a.reads() ? loads : stores), .cost = access::cost(a)});
  for (SharedAccess& a : out) a.count = a.access.reads() ? loads : stores;
  return out;
}

namespace {

/// The stage of a program that led to a state.
std::string stage_in_words(const std::string& stage) {
  if (stage == "gather") return "inside each lane";
  if (stage == "turn") return "selects";
  if (stage == "shuffle") return "shuffles";
  return stage == "matrix" ? "movmatrix" : stage;
}

}  // namespace

std::vector<State> states_of(const Study& study, int plan) {
  const convert::Plan* p = plan_at(study, plan);
  if (p == nullptr) return {};
  std::vector<State> out{{"source", study.planned->from}};
  if (p->program) {
    const auto states = convert::states_of(*p->program, study.planned->map, study.planned->from);
    for (std::size_t n = 0; n < states.size() && n < p->program->stages.size(); ++n)
      // A stage that moves nothing is no state of its own.
      if (states[n] && *states[n] != out.back().assignment)
        out.push_back({stage_in_words(p->program->stages[n].what), *states[n]});
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
