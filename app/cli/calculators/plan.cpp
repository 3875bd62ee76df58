#include <chrono>

#include "app/cli/answers/answer.h"
#include "app/cli/answers/report.h"
#include "app/cli/calculators/calculators.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/text.h"
#include "kernels/base/write_file.h"
#include "kernels/convert/cuda_text.h"
#include "kernels/convert/exports/global_kernel.h"
#include "kernels/convert/exports/struct_kernel.h"
#include "kernels/convert/exports/verify.h"

namespace lanescope::cli {
namespace {

/// One conversion with the plan that is written.
struct Chosen {
  std::string name;
  convert::Planned planned;
  std::size_t plan = 0;
  std::optional<convert::GlobalText> kernel{};
  convert::GlobalKernel wanted{};

  convert::Conversion conversion() const { return {planned, planned.plans[plan]}; }
};

nlohmann::json json_of_plan(const convert::Planned& planned, const convert::Plan& p) {
  nlohmann::json out =
      fields("shuffles", p.counts.shuffles, "selects", p.counts.selects, "permutes", p.counts.permutes, "logic",
             p.counts.logic, "registers", p.registers, "cycles", p.cycles, "recommended", p.recommended);
  put_known(out, "movmatrix", p.counts.matrices);
  // The bound is of shuffles: a movmatrix reads two lanes at once.
  put_fields(out, "proved",
             p.program && p.counts.matrices == 0 && planned.bound && p.counts.shuffles == planned.bound->shuffles,
             "shared_wavefronts", p.shared_cost.store_wavefronts + p.shared_cost.load_wavefronts, "barriers",
             p.shared ? 1 : 0);
  if (p.shared) {
    put_fields(out, "shared_bytes", p.shared->shared_bytes(), "shared_stores", p.shared_cost.stores, "shared_loads",
               p.shared_cost.loads, "bank_conflicts", p.shared_cost.conflicts);
    const std::string transposed = p.shared->transposed ? ".trans" : "";
    if (p.shared->matrix_stores) out["access"] = "stmatrix" + transposed;
    if (p.shared->matrix_loads) out["access"] = "ldmatrix" + transposed;
    out["barrier_of"] = p.shared->between_warps ? "block" : "warp";
  }
  return out;
}

nlohmann::json json_of(const Chosen& c, const Design& design) {
  const convert::Planned& p = c.planned;
  nlohmann::json out{
      {"name", c.name}, {"type", design.type}, {"from", layout::print_line(p.from)}, {"to", layout::print_line(p.to)}};
  for (const convert::Plan& each : p.plans) out["plans"].push_back(json_of_plan(p, each));
  if (design.free.lane_order) out["free"].push_back("lanes");
  if (design.free.register_order) out["free"].push_back("registers");
  if (p.bound)
    put_fields(out, "lower_bound", fields("shuffles", p.bound->shuffles, "argument", p.bound->argument),
               "proved_optimal", p.proved_optimal(), "gap", p.gap().value_or(0), "complete", p.complete);
  return out;
}

nlohmann::json json_of(const convert::Verified& v) {
  nlohmann::json out = fields("architectures", v.architectures, "elements", v.elements);
  put_known(out, "registers", v.registers, "machine_instructions", v.machine.all);
  if (v.conversion) {
    const compile::MachineCounts& c = *v.conversion;
    out["conversion_alone"] = fields("SHFL", c.shuffles, "SEL", c.selects, "PRMT", c.permutes, "LOP3_SHF", c.logic,
                                     "LDS", c.shared_loads, "STS", c.shared_stores, "LDSM", c.matrix_loads, "STSM",
                                     c.matrix_stores, "MOVM", c.matrices, "BAR", c.barriers, "all", c.all);
  }
  return out;
}

nlohmann::json json_of_cost_model() {
  nlohmann::json out = nlohmann::json::array();
  const auto add = [&](std::string_view gpu, const auto& constants) {
    for (const convert::CostConstant& c : constants)
      out.push_back(fields("gpu", gpu, "what", c.what, "cycles", c.cycles, "measured", c.measured, "source", c.source));
  };
  add("H200", convert::cost_constants);
  add("others", convert::cost_constants_elsewhere);
  return out;
}

std::string text_of(const Chosen& c) {
  const convert::Planned& planned = c.planned;
  std::string out = fmt::format("{}: from {}\n{:>{}}  to   {}\n", c.name, layout::print_line(planned.from), "",
                                c.name.size() - 1, layout::print_line(planned.to));
  for (std::size_t i = 0; i < planned.plans.size(); ++i) {
    const convert::Plan& p = planned.plans[i];
    out += fmt::format("  plan {}: {}; {} registers, {} cycles{}\n", i + 1, convert::cost_in_words(p), p.registers,
                       p.cycles, p.recommended ? " (recommended)" : "");
  }
  if (planned.bound)
    out += fmt::format(
        "  shuffles: at least {}, because {}{}\n", planned.bound->shuffles, planned.bound->argument,
        planned.proved_optimal()
            ? "; plan 1 needs no more"
            : fmt::format("; plan 1 needs {} more; whether fewer suffice is not known", planned.gap().value_or(0)));
  if (!planned.complete) out += "  the search was ended before every combination of moves was tried: the best so far\n";
  return out;
}

std::string text_of(const convert::GlobalText& k) {
  return fmt::format(
      "  kernel: {} threads, tiles of {} elements; rows of {} bytes in the source and {} in the destination{}\n",
      k.threads, fmt::join(k.tile, " x "), k.from_row_bytes, k.to_row_bytes,
      k.from_row_bytes != k.to_row_bytes || k.from_row_bytes < 256
          ? " (256 or more on both sides is best if the fastest axes differ: docs/plan.md)"
          : "");
}

std::string text_of(const convert::Verified& v, const std::string& name) {
  if (!v.compiler) return fmt::format("{}: not compiled and not run, because NVRTC is missing\n", name);
  return fmt::format("{}: compiled for {}, {} elements right in the emulator{}{}\n", name,
                     fmt::join(v.architectures, " "), v.elements,
                     v.registers > 0 ? fmt::format(", {} registers a thread", v.registers) : "",
                     v.conversion        ? fmt::format("; {} machine instructions of {}: {}", v.conversion->all,
                                                       v.architectures.back(), compile::machine_counts_in_words(*v.conversion))
                     : v.machine.all > 0 ? fmt::format(", {} machine instructions of {} (loads and stores included)",
                                                       v.machine.all, v.architectures.back())
                                         : "");
}

/// The work of one call.
class PlanPage {
 public:
  explicit PlanPage(const PlanOptions& options) : o_(options) {}

  Answer answer() {
    if (o_.structures > 0)
      structures();
    else
      conversions();
    if (answer_.diagnostics.empty()) write_files();
    return std::move(answer_);
  }

 private:
  void refuse(Diagnostics problems, Status status = bad_input) {
    answer_.diagnostics = std::move(problems);
    answer_.status = status;
  }
  bool refused() const { return !answer_.diagnostics.empty(); }
  void refuse(std::string where, std::string message, std::string remedy) {
    refuse({{.file = std::move(where), .message = std::move(message), .remedy = std::move(remedy)}});
  }

  std::vector<std::string> targets() const {
    if (!o_.targets.empty()) return words_between(o_.targets, " ,\n\t");
    const auto all = convert::exported_architectures();
    return {all.begin(), all.end()};
  }
  bool verifies() const { return o_.targets != "none"; }

  void conversions() {
    const Expected<std::vector<Design>> designs = o_.file.empty() ? design_of(o_) : read_designs(o_.file);
    if (!designs) return refuse(designs.error());
    if (!o_.kernel_file.empty() && (designs->size() != 1 || designs->front().states.size() != 2))
      return refuse(o_.file, "a kernel file holds one conversion", "name one with --from and --to");
    nlohmann::json all = nlohmann::json::array(), chains = nlohmann::json::array();
    for (const Design& d : *designs) {
      const auto start = std::chrono::steady_clock::now();
      Expected<convert::Chain> chain = planned(d, o_.file);
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
      if (!chain) return refuse(std::move(chain.error()));
      std::vector<std::pair<std::string, convert::Planned*>> found;
      if (chain->steps.size() > 1) {
        chains.push_back(chain_of(d, *chain));
        for (std::size_t n = 0; n < chain->steps.size(); ++n)
          found.emplace_back(fmt::format("{}_{}", d.name, n + 1), &chain->steps[n]);
      }
      found.emplace_back(d.name, &chain->direct);
      for (auto& [name, p] : found) {
        if (!choose(d, name, std::move(*p))) return;
        nlohmann::json one = json_of(chosen_.back(), d);
        if (verifies() && writes()) {
          if (!verify(chosen_.back(), one)) return;
        }
        one["milliseconds"] = took.count();
        all.push_back(std::move(one));
      }
    }
    answer_.json["conversions"] = std::move(all);
    if (!chains.empty()) answer_.json["chains"] = std::move(chains);
    answer_.json["cost_model"] = json_of_cost_model();
    texts_of_conversions();
  }

  nlohmann::json chain_of(const Design& d, const convert::Chain& chain) {
    const convert::Counts steps = chain.step_counts();
    const auto best = std::ranges::find_if(chain.direct.plans, &convert::Plan::recommended);
    answer_.text += fmt::format("{}: {} steps, one by one by shuffles {}; at once {}\n", d.name, chain.steps.size(),
                                convert::counts_in_words(steps), convert::cost_in_words(*best));
    return fields("name", d.name, "steps", chain.steps.size(), "shuffles", steps.shuffles, "selects", steps.selects,
                  "permutes", steps.permutes, "logic", steps.logic);
  }

  bool choose(const Design& d, const std::string& name, convert::Planned p) {
    Chosen c{.name = name, .planned = std::move(p)};
    for (std::size_t i = 0; i < c.planned.plans.size(); ++i)
      if (c.planned.plans[i].recommended) c.plan = i;
    if (const int number = o_.number > 0 ? o_.number : d.plan; number > 0)
      c.plan = static_cast<std::size_t>(number) - 1;
    if (c.plan >= c.planned.plans.size()) {
      refuse("--plan", fmt::format("there are {} plans", c.planned.plans.size()), "count from 1");
      return false;
    }
    if (!o_.global.empty()) {
      c.wanted = {.names = {.function = name, .name_space = ""},
                  .element_type = d.element,
                  .from_axes = d.from_axes,
                  .to_axes = d.to_axes,
                  .tile_group = o_.tile_group,
                  .tiles_in_a_row = std::max(1, o_.tiles_in_a_row),
                  .blocks_of_a_multiprocessor = o_.blocks_of_a_multiprocessor};
      if (o_.warps_of_a_block > 0) c.wanted.warps_of_a_block = o_.warps_of_a_block;
      Expected<convert::GlobalText> k = convert::global_kernel(c.conversion(), c.wanted);
      if (!k) {
        for (Diagnostic& problem : k.error()) problem.file = "--global";
        refuse(std::move(k.error()));
        return false;
      }
      c.kernel = std::move(*k);
    }
    answer_.text += text_of(c);
    if (c.kernel) answer_.text += text_of(*c.kernel);
    chosen_.push_back(std::move(c));
    return true;
  }

  bool writes() const {
    return !(o_.output.empty() && o_.self_test.empty() && o_.global.empty() && o_.kernel_file.empty());
  }

  /// Nothing is written that was not seen to be right, where there is a compiler.
  bool verify(const Chosen& c, nlohmann::json& one) {
    convert::Verified v = convert::verify_function(c.conversion(), targets());
    if (v.problem.empty() && c.kernel) {
      const convert::Verified whole = convert::verify_kernel(c.conversion(), *c.kernel, c.wanted, targets());
      v.problem = whole.problem;
      v.elements += whole.elements;
      v.registers = std::max(v.registers, whole.registers);
    }
    const std::string file = o_.kernel_file.empty() || !v.problem.empty() ? "" : kernel_file_of(c);
    if (!file.empty()) {
      const convert::Verified whole = convert::verify_kernel_file(c.conversion(), file, targets());
      v.problem = whole.problem;
      v.elements += whole.elements;
      v.registers = std::max(v.registers, whole.registers);
    }
    return accept(v, c.name, one);
  }
  std::string kernel_file_of(const Chosen& c) const {
    return convert::kernel_file(c.conversion(), {.function = c.name, .name_space = o_.name_space});
  }
  bool accept(const convert::Verified& v, const std::string& name, nlohmann::json& one) {
    if (!v.problem.empty()) {
      refuse({{.file = name,
               .message = "the code was compiled and run in the emulator, and is wrong: " + v.problem,
               .remedy = "nothing was written; --target names other architectures"}},
             kernel_wrong);
      return false;
    }
    answer_.text += text_of(v, name);
    if (v.compiler) one["verified"] = json_of(v);
    return true;
  }

  void texts_of_conversions() {
    std::string functions, kernels;
    std::vector<convert::NamedConversion> named;
    for (const Chosen& c : chosen_) {
      functions += (functions.empty() ? "" : "\n") +
                   convert::device_function(c.conversion(), {.function = c.name, .name_space = ""});
      if (c.kernel) kernels += (kernels.empty() ? "" : "\n") + c.kernel->text;
      named.push_back({c.conversion(), c.name});
    }
    if (!o_.output.empty()) files_.emplace_back(o_.output, convert::header_file(functions, o_.name_space));
    if (!o_.global.empty()) files_.emplace_back(o_.global, convert::header_file(kernels, o_.name_space));
    if (!o_.self_test.empty()) files_.emplace_back(o_.self_test, convert::self_test_file(named, o_.name_space));
    if (o_.kernel_file.empty()) return;
    std::string kernel = kernel_file_of(chosen_.front());
    if (kernel.empty()) return refuse("--kernel-file", "no buffer has elements of 2 or 128 bits", "use --output");
    files_.emplace_back(o_.kernel_file, std::move(kernel));
  }

  void structures() {
    using Direction = convert::StructPlan::Direction;
    const convert::StructPlan p =
        convert::struct_plan(o_.structures, o_.to_structures ? Direction::from_lanes : Direction::to_lanes);
    const convert::Counts c = p.program.counts();
    const convert::StructKernel wanted{.names = {.function = o_.name, .name_space = ""},
                                       .element_type = o_.element.empty() ? "float" : o_.element,
                                       .access_bytes = o_.access_bytes == 4 ? 4 : 16,
                                       .groups = o_.groups};
    answer_.text = fmt::format("{}: structures of {} words {}: {}; a lane needs {} words from others\n", o_.name,
                               p.words, o_.to_structures ? "from their fields" : "to their fields",
                               convert::counts_in_words(c), p.least_shuffles);
    nlohmann::json out = fields("name", o_.name, "words", p.words, "shuffles", c.shuffles, "selects", c.selects,
                                "lower_bound", p.least_shuffles, "proved_optimal", c.shuffles == p.least_shuffles);
    if (verifies() && !(o_.output.empty() && o_.global.empty())) {
      if (!accept(convert::verify_struct_kernel(p, wanted, targets()), o_.name, out)) return;
    }
    answer_.json["structures"] = std::move(out);
    if (!o_.output.empty())
      files_.emplace_back(o_.output, convert::header_file(convert::struct_function(p, wanted.names), o_.name_space));
    if (!o_.global.empty())
      files_.emplace_back(o_.global, convert::header_file(convert::struct_kernel(p, wanted), o_.name_space));
  }

  void write_files() {
    for (const auto& [path, text] : files_) {
      if (auto written = write_file(path, text); !written) return refuse(std::move(written.error()), not_here);
      answer_.text += fmt::format("{} written\n", path);
    }
  }

  const PlanOptions& o_;
  Answer answer_;
  std::vector<Chosen> chosen_;
  std::vector<std::pair<std::string, std::string>> files_;
};

}  // namespace

int plan(const PlanOptions& options) { return print(PlanPage(options).answer(), options.json); }

}  // namespace lanescope::cli
