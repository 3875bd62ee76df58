#include <charconv>

#include <toml++/toml.h>

#include "app/cli/answers/answer.h"
#include "app/cli/answers/say.h"
#include "app/cli/commands.h"
#include "kernels/base/read_file.h"
#include "kernels/base/write_file.h"
#include "kernels/convert/cuda_text.h"
#include "kernels/source/model/buffer.h"

namespace lanescope::cli {
namespace {

/// What is asked, as text.
struct Asked {
  std::string name = "convert", type, from, to;
};

Expected<int> bits_of(const std::string& type) {
  if (const int known = source::element_bits(type); known > 0) return known;
  int bits = 0;
  const auto [end, problem] = std::from_chars(type.data(), type.data() + type.size(), bits);
  if (problem == std::errc() && end == type.data() + type.size()) return bits;
  return failure(fmt::format("the type `{}` is unknown", type),
                 "write a type such as f16 or u8, or a number of bits: 1, 2, 4 ... 128");
}

bool is_identifier(std::string_view s) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !s.empty() && letter(s.front()) &&
         std::ranges::all_of(s, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

Diagnostics at(Diagnostics diagnostics, std::string_view where) {
  for (Diagnostic& d : diagnostics) d.file = where;
  return diagnostics;
}

Expected<convert::Planned> planned(const Asked& asked, const std::string& file) {
  const auto named = [&](std::string_view key) {
    return file.empty() ? fmt::format("--{}", key) : fmt::format("{}, {}", file, key);
  };
  const Expected<int> bits = bits_of(asked.type);
  if (!bits) return tl::unexpected<Diagnostics>(at(bits.error(), named("type")));
  const Expected<layout::Assignment> from = layout::parse(asked.from), to = layout::parse(asked.to);
  if (!from) return tl::unexpected<Diagnostics>(at(from.error(), named("from")));
  if (!to) return tl::unexpected<Diagnostics>(at(to.error(), named("to")));
  Expected<convert::Planned> out = convert::plan(*from, *to, *bits);
  if (!out) return tl::unexpected<Diagnostics>(at(out.error(), file));
  return out;
}

/// The conversions of a file: keys at its top, or `[[plan]]` tables.
Expected<std::vector<Asked>> read_designs(const std::string& path) {
  const Expected<std::string> text = read_file(path);
  if (!text) return tl::unexpected<Diagnostics>(text.error());
  toml::table root;
  try {
    root = toml::parse(*text);
  } catch (const toml::parse_error& e) {
    return failure(Diagnostic{.file = path,
                              .line = static_cast<int>(e.source().begin.line),
                              .column = static_cast<int>(e.source().begin.column),
                              .message = std::string(e.description()),
                              .remedy = "write TOML: name, type, from and to, or several [[plan]] tables of them"});
  }
  std::vector<Asked> out;
  Diagnostics wrong;
  const auto complain = [&](const toml::node& n, std::string message, std::string remedy) {
    wrong.push_back({.file = path,
                     .line = static_cast<int>(n.source().begin.line),
                     .column = static_cast<int>(n.source().begin.column),
                     .message = std::move(message),
                     .remedy = std::move(remedy)});
  };
  const auto read = [&](const toml::table& t) {
    Asked a;
    for (const auto& [key, value] : t) {
      std::string* place = key == "name"   ? &a.name
                           : key == "type" ? &a.type
                           : key == "from" ? &a.from
                           : key == "to"   ? &a.to
                                           : nullptr;
      if (place == nullptr) {
        complain(value, fmt::format("unknown key `{}`", key.str()), "known are name, type, from and to");
      } else if (const auto* s = value.as_string()) {
        *place = s->get();
      } else {
        complain(value, fmt::format("`{}` must be a string", key.str()), "write it in quotes");
      }
    }
    if (!is_identifier(a.name))
      complain(t, fmt::format("`{}` is no name of a function", a.name), "use letters, digits and _");
    if (a.type.empty() || a.from.empty() || a.to.empty())
      complain(t, "a plan needs type, from and to", "add what is missing");
    out.push_back(std::move(a));
  };
  if (const toml::node* plans = root.get("plan")) {
    const toml::array* list = plans->as_array();
    if (list == nullptr) complain(*plans, "`plan` must be a list of tables", "write [[plan]] in double brackets");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      if (const toml::table* t = list->get(i)->as_table())
        read(*t);
      else
        complain(*list->get(i), "a plan must be a table", "write [[plan]] and its keys below");
    }
  } else {
    read(root);
  }
  if (!wrong.empty()) return tl::unexpected<Diagnostics>(std::move(wrong));
  return out;
}

nlohmann::json json_of_plan(const convert::Plan& p) {
  nlohmann::json out{{"shuffles", p.counts.shuffles}, {"selects", p.counts.selects}, {"permutes", p.counts.permutes},
                     {"logic", p.counts.logic},       {"registers", p.registers},    {"cycles", p.cycles},
                     {"recommended", p.recommended}};
  out["shared_wavefronts"] = p.shared_cost.store_wavefronts + p.shared_cost.load_wavefronts;
  out["barriers"] = p.shared ? 1 : 0;
  if (p.shared) {
    out["shared_bytes"] = p.shared->shared_bytes();
    out["shared_stores"] = p.shared_cost.stores;
    out["shared_loads"] = p.shared_cost.loads;
    out["bank_conflicts"] = p.shared_cost.conflicts;
    out["barrier_of"] = p.shared->between_warps ? "block" : "warp";
  }
  return out;
}

std::string text_of(const convert::Planned& planned, const std::string& name) {
  std::string out = fmt::format("{}: from {}\n{:>{}}  to   {}\n", name, layout::print_line(planned.from), "",
                                name.size() - 1 + 0, layout::print_line(planned.to));
  for (std::size_t i = 0; i < planned.plans.size(); ++i) {
    const convert::Plan& p = planned.plans[i];
    out += fmt::format("  plan {}: {}; {} registers, {} cycles{}\n", i + 1, convert::cost_in_words(p), p.registers,
                       p.cycles, p.recommended ? " (recommended)" : "");
  }
  if (planned.bound)
    out += fmt::format(
        "  shuffles: at least {}, because {}{}\n", planned.bound->shuffles, planned.bound->argument,
        planned.proved_optimal() ? "; plan 1 needs no more" : "; whether plan 1 can be improved is not known");
  return out;
}

}  // namespace

int plan(const PlanOptions& options) {
  Answer answer;
  const auto refuse_all = [&](Diagnostics d) {
    answer.diagnostics = std::move(d);
    answer.status = bad_input;
    return print(answer, options.json);
  };
  std::vector<Asked> asked;
  if (!options.file.empty()) {
    Expected<std::vector<Asked>> read = read_designs(options.file);
    if (!read) return refuse_all(std::move(read.error()));
    asked = std::move(*read);
  } else {
    asked = {{.name = options.name, .type = options.type, .from = options.from, .to = options.to}};
  }
  if (!options.kernel.empty() && asked.size() != 1)
    return refuse_all({{.file = options.file,
                        .message = "a kernel file holds one conversion",
                        .remedy = "name one with --from and --to"}});
  std::string header, kernel;
  nlohmann::json all = nlohmann::json::array();
  for (const Asked& a : asked) {
    Expected<convert::Planned> p = planned(a, options.file);
    if (!p) return refuse_all(std::move(p.error()));
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < p->plans.size(); ++i) {
      if (p->plans[i].recommended) chosen = i;
    }
    if (options.number > 0) chosen = static_cast<std::size_t>(options.number) - 1;
    if (chosen >= p->plans.size())
      return refuse_all({{.file = "--plan",
                          .message = fmt::format("there are {} plans", p->plans.size()),
                          .remedy = "count from 1"}});
    nlohmann::json one{
        {"name", a.name}, {"type", a.type}, {"from", layout::print_line(p->from)}, {"to", layout::print_line(p->to)}};
    for (const convert::Plan& each : p->plans) one["plans"].push_back(json_of_plan(each));
    if (p->bound) {
      one["lower_bound"] = {{"shuffles", p->bound->shuffles}, {"argument", p->bound->argument}};
      one["proved_optimal"] = p->proved_optimal();
    }
    all.push_back(std::move(one));
    answer.text += text_of(*p, a.name);
    const convert::Conversion conversion{*p, p->plans[chosen]};
    const convert::CodeNames names{.function = a.name, .name_space = options.name_space};
    header += (header.empty() ? "" : "\n") + convert::device_function(conversion, names);
    if (!options.kernel.empty()) kernel = convert::kernel_file(conversion, names);
  }
  if (!options.kernel.empty() && kernel.empty())
    return refuse_all(
        {{.file = "--kernel", .message = "no buffer has elements of 2 or 128 bits", .remedy = "use --emit"}});
  answer.json["conversions"] = std::move(all);
  for (const auto& [path, text] :
       {std::pair{options.emit, convert::header_file(header, options.name_space)}, {options.kernel, kernel}}) {
    if (path.empty()) continue;
    if (auto written = write_file(path, text); !written) {
      answer.diagnostics = std::move(written.error());
      answer.status = not_here;
      return print(answer, options.json);
    }
    answer.text += fmt::format("{} written\n", path);
  }
  return print(answer, options.json);
}

}  // namespace lanescope::cli
