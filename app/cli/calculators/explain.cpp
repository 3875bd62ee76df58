// `explain`: what an instruction of PTX or machine code does, and which way its data takes on a GPU.

#include "kernels/explain/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/cli/answers/answer.h"
#include "app/cli/answers/report.h"
#include "app/cli/calculators/calculators.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/read_file.h"
#include "profiling/occupancy/gpu_table.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

Expected<explain::Generation> generation_named(const std::string& name) {
  const Expected<occupancy::GpuTable>& table = occupancy::gpu_table();
  if (!table) return tl::unexpected(table.error());
  const occupancy::Arch arch = LS_TRY(table->arch_of(name.empty() ? "sm_90" : name));
  return explain::Generation{.arch = arch.name, .name = arch.generation, .memory = arch.memory};
}

json json_of(const explain::Explanation& e) {
  json out = fields("instruction", e.text, "set", e.set == explain::InstructionSet::ptx ? "ptx" : "sass", "does",
                    e.does, "complete", e.complete(), "parts", json::array());
  for (const explain::Part& part : e.parts)
    out["parts"].push_back(fields("kind", enum_name(part.kind), "text", part.text, "words", part.words));
  put_known(out, "needs", e.needs);
  if (e.route)
    out["route"] = fields("stops", e.route->stops, "transaction", e.route->transaction, "transaction_bytes",
                          e.route->transaction_bytes, "warp", e.route->warp, "remarks", e.route->remarks, "source",
                          e.route->source);
  return out;
}

/// Every instruction of a module.
Answer file_answer(const ExplainOptions& o, const explain::Generation& generation) {
  Answer answer;
  const auto text = read_typed_file(o.what);
  if (!text) {
    answer.status = bad_input;
    answer.diagnostics = text.error();
    return answer;
  }
  const auto all = explain::statements_of(*text);
  std::size_t complete = 0;
  json list = json::array();
  for (const explain::Statement& s : all) {
    const explain::Explanation e = explain::explain(s.text, generation);
    complete += e.complete() ? 1 : 0;
    if (o.unknown_only && e.complete()) continue;
    json one = json_of(e);
    one["line"] = s.line;
    list.push_back(std::move(one));
    answer.text += fmt::format("{:>5}  {}\n       {}\n", s.line, e.text,
                               e.does.empty() ? "There are no words about it here." : e.does);
    if (!e.complete()) answer.text += fmt::format("       not known here: {}\n", fmt::join(e.unknown(), ", "));
  }
  answer.text += fmt::format("{} of {} instructions are explained fully\n", complete, all.size());
  answer.json = fields("file", o.what, "arch", generation.arch, "instructions", all.size(), "complete", complete,
                       "explained", std::move(list));
  answer.status = complete == all.size() ? all_good : kernel_wrong;
  if (complete < all.size())
    answer.reason = {"not-explained", fmt::format("{} instructions are not explained fully", all.size() - complete)};
  return answer;
}

Answer instruction_answer(const ExplainOptions& o, const explain::Generation& generation) {
  Answer answer;
  const explain::Explanation e = explain::explain(o.what, generation);
  answer.json = json_of(e);
  answer.json["arch"] = generation.arch;
  answer.text = fmt::format("{}, on {} ({})\n{}\n", e.text, generation.name, generation.arch, explain::to_text(e));
  if (e.complete()) return answer;
  answer.status = bad_input;
  answer.diagnostics = {Diagnostic{.message = fmt::format("not known here: {}", fmt::join(e.unknown(), ", ")),
                                   .remedy = "write it as PTX or a disassembler does"}};
  return answer;
}

}  // namespace

int explain(const ExplainOptions& options) {
  Answer answer;
  if (const auto generation = generation_named(options.gpu)) {
    answer =
        options.what.ends_with(".ptx") ? file_answer(options, *generation) : instruction_answer(options, *generation);
  } else {
    answer.status = bad_input;
    answer.diagnostics = generation.error();
  }
  return print(answer, options.json);
}

}  // namespace lanescope::cli
