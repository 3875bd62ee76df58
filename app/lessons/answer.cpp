#include "app/lessons/answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "kernels/base/conversation.h"
#include "kernels/base/numbers.h"
#include "kernels/base/process.h"
#include "kernels/base/text.h"
#include "kernels/layout/assignment.h"

namespace lanescope::lessons {
namespace {

using Json = nlohmann::json;

Diagnostics at_question(const Lesson& lesson, const Question& q, Diagnostics why) {
  for (Diagnostic& d : why) {
    d.message = fmt::format("question `{}`: {}", q.id,
                            d.file.empty() ? d.message : fmt::format("{}:{}: {}", d.file, d.line, d.message));
    d.file = (lesson.folder / "lesson.md").string();
    d.line = q.line, d.column = 1;
  }
  return why;
}

std::string words_of_run(const std::vector<std::string>& arguments) {
  return fmt::format("lanescope {}", fmt::join(arguments, " "));
}

/// Error: it did not start, took too long, or ended with a status above `most_status`.
Expected<Asked> ask(const std::vector<std::string>& arguments, Computer& computer, bool keep, int most_status) {
  if (const auto known = computer.said.find(arguments); keep && known != computer.said.end()) return known->second;
  if (computer.program.empty()) return failure("there is no program that computes answers");
  std::vector<std::string> command{computer.program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  auto child = LS_TRY(Process::start(command, Process::StandardError::kept));
  Bytes bytes;
  const Outcome outcome = converse(child, {}, computer.deadline, bytes);
  // It has written everything; what it takes to give back its memory is not its answer.
  const std::string ending = outcome == Outcome::answered ? child.reap(std::chrono::seconds(10)) : child.end();
  const std::string run = words_of_run(arguments);
  if (outcome == Outcome::cancelled) return failure(run + " was cancelled");
  if (outcome == Outcome::late)
    return failure(
        fmt::format("{} took longer than {} s", run, static_cast<double>(computer.deadline.limit.count()) / 1e3));
  const Asked asked{.status = child.exit_status(), .json = std::string(bytes.begin(), bytes.end())};
  if (asked.status < 0 || asked.status > most_status) return failure(fmt::format("{} {}", run, ending));
  if (keep) computer.said[arguments] = asked;
  return asked;
}

Expected<Json> json_of(const Asked& asked, const std::vector<std::string>& arguments) {
  Json out = Json::parse(asked.json, nullptr, false);
  if (out.is_discarded()) return failure(words_of_run(arguments) + " wrote no JSON");
  return out;
}

std::optional<layout::Place> place_named(std::string_view row) {
  for (int i = 0; i < layout::place_count; ++i)
    if (layout::row_name(static_cast<layout::Place>(i)) == row) return static_cast<layout::Place>(i);
  return std::nullopt;
}

/// One row of an assignment, the most significant bit first.
std::string row_words(const std::vector<layout::Term>& row) {
  std::vector<std::string> terms;
  for (auto t = row.rbegin(); t != row.rend(); ++t) terms.push_back(layout::print(*t));
  return fmt::format("{}", fmt::join(terms, " "));
}

/// A row as people write it, with its name or without.
Expected<std::vector<layout::Term>> parse_reply_row(std::string_view row, std::string_view reply,
                                                    bool may_be_empty = false) {
  const auto place = place_named(row);
  if (!place) return failure(fmt::format("there is no row `{}`", row));
  const bool named = reply.find(':') != std::string_view::npos;
  const auto read = layout::parse(named ? std::string(reply) : fmt::format("{}: {}", row, reply));
  if (!read) {
    Diagnostics why = read.error();
    for (Diagnostic& d : why) d.file.clear(), d.line = d.column = 0;
    return tl::unexpected(std::move(why));
  }
  if (!read->row(*place)) return failure(fmt::format("there is no {} row in it", row), "write bits such as j1 j0 k2");
  for (int i = 0; i < layout::place_count; ++i)
    if (static_cast<layout::Place>(i) != *place && read->row(static_cast<layout::Place>(i)))
      return failure(fmt::format("it has another row than {}", row), fmt::format("write the {} row alone", row));
  if (read->row(*place)->empty() && !may_be_empty)
    return failure(fmt::format("the {} row has no bits", row), "write bits such as j1 j0 k2");
  return *read->row(*place);
}

std::optional<double> plain_number(const std::string& text) {
  char* end = nullptr;
  const double n = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(n)) return std::nullopt;
  return n;
}

/// "1 024", "1,024", "2/3", "0x40", "50 %", "8 sectors" where that is the unit.
std::optional<double> reply_number(std::string_view reply, std::string_view unit) {
  reply = trimmed(reply);
  std::string_view rest = reply;
  for (const std::string_view word : {unit, std::string_view("%")})
    if (!word.empty() && rest.ends_with(word)) {
      rest = trimmed(rest.substr(0, rest.size() - word.size()));
      break;
    }
  // "sector" beside the unit "sectors"
  if (rest == reply && unit.size() > 1 && unit.ends_with('s') && rest.ends_with(unit.substr(0, unit.size() - 1)))
    rest = trimmed(rest.substr(0, rest.size() - unit.size() + 1));
  if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
    const auto above = plain_number(std::string(trimmed(rest.substr(0, slash)))),
               below = plain_number(std::string(trimmed(rest.substr(slash + 1))));
    if (!above || !below || *below == 0) return std::nullopt;
    return *above / *below;
  }
  std::string digits;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const bool group = i > 0 && (rest[i] == ' ' || rest[i] == ',') && i + 3 < rest.size() && is_digit(rest[i - 1]) &&
                       is_digit(rest[i + 1]) && is_digit(rest[i + 2]) && is_digit(rest[i + 3]) &&
                       (i + 4 == rest.size() || !is_digit(rest[i + 4]));
    if (!group) digits += rest[i];
  }
  return plain_number(digits);
}

bool holds(const std::string& want, double value) {
  const std::size_t digits = want.find_first_not_of("<>= ");
  const std::string_view sign = trimmed(std::string_view(want).substr(0, digits));
  const double limit = std::strtod(want.c_str() + digits, nullptr);
  if (sign == "<=") return value <= limit;
  if (sign == "<") return value < limit;
  if (sign == ">=") return value >= limit;
  if (sign == ">") return value > limit;
  return value == limit;
}

/// The first thing that the JSON of a run calls wrong.
std::string first_problem(const Json& json) {
  if (const auto list = json.find("diagnostics"); list != json.end() && list->is_array())
    for (const Json& d : *list)
      if (d.is_object() && d.value("severity", "error") == "error") {
        const int line = d.contains("line") && d["line"].is_number() ? d["line"].get<int>() : 0;
        return (line > 0 ? fmt::format("line {}: ", line) : "") + d.value("message", "");
      }
  for (const char* key : {"claims", "findings"}) {
    const auto list = json.find(key);
    if (list == json.end() || !list->is_array()) continue;
    for (const Json& e : *list) {
      if (!e.is_object()) continue;
      const std::string verdict = e.contains("verdict") ? shown(e["verdict"]) : "";
      if (verdict == "holds") continue;
      const std::string line = e.contains("line") ? shown(e["line"]) : "";
      std::string words = e.contains("message")
                              ? shown(e["message"])
                              : fmt::format("{} {}", e.contains("variable") ? shown(e["variable"]) : "", verdict);
      if (e.contains("difference")) words += ": " + shown(e["difference"]);
      return line.empty() ? words : fmt::format("line {}: {}", line, words);
    }
  }
  return "the program ends with status 1";
}

bool fits(const Json& entry, const std::string& key, const std::string& value) {
  return entry.is_object() && entry.contains(key) && shown(entry.at(key)) == value;
}

std::string keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  if (keys.size() > 24) keys.resize(24), keys.emplace_back("...");
  return fmt::format("{}", fmt::join(keys, ", "));
}

}  // namespace

Expected<std::vector<std::string>> split_words(std::string_view command) {
  std::vector<std::string> out;
  bool in_word = false;
  char quote = 0;
  std::string word;
  for (const char c : command) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c, in_word = true;
    } else if (is_blank(c) || c == '\n') {
      if (in_word) out.push_back(std::move(word));
      word.clear(), in_word = false;
    } else {
      word += c, in_word = true;
    }
  }
  if (quote != 0) return failure(fmt::format("a {} is not closed in `{}`", quote, command));
  if (in_word) out.push_back(std::move(word));
  return out;
}

Expected<std::vector<std::string>> arguments_of(const Lesson& lesson, const std::string& compute,
                                                const std::string& file) {
  auto words = split_words(compute);
  if (!words) return tl::unexpected(words.error());
  if (Diagnostics refused = refused_words(*words); !refused.empty()) return tl::unexpected(std::move(refused));
  for (std::size_t i = 1; i < words->size(); ++i) {
    if (!is_file_operand(*words, i)) continue;
    std::string& word = (*words)[i];
    if (word == "{file}") {
      word = file;
      continue;
    }
    const std::filesystem::path path = kernel_path(lesson.folder, word);
    if (path.empty()) return failure(no_kernel(lesson.folder, word));
    word = path.string();
  }
  if (std::ranges::find(*words, "--json") == words->end()) words->emplace_back("--json");
  return words;
}

Expected<Json> computed_json(const Lesson& lesson, const std::string& compute, Computer& computer) {
  const auto arguments = LS_TRY(arguments_of(lesson, compute, {}));
  return json_of(LS_TRY(ask(arguments, computer, true, 1)), arguments);
}

Expected<Answer> compute_answer(const Lesson& lesson, const Question& q, Computer& computer) {
  const auto wrong = [&](const Diagnostics& why) { return tl::unexpected(at_question(lesson, q, why)); };
  const auto json = computed_json(lesson, q.compute, computer);
  if (!json) return wrong(json.error());
  const auto value = value_at(*json, q.at);
  if (!value) return wrong(value.error());
  Answer answer{.text = shown(*value)};
  if (answer.text.empty()) return wrong({{.message = "`at` leads to no single value", .remedy = "lead on to one"}});
  if (q.kind == Question::Kind::number) {
    answer.number = value->is_number() ? std::optional(value->get<double>()) : plain_number(answer.text);
    if (!answer.number) return wrong({{.message = fmt::format("`{}` is no number", answer.text)}});
  } else if (q.kind == Question::Kind::choice) {
    if (std::ranges::find(q.choices, answer.text) == q.choices.end())
      return wrong({{.message = fmt::format("the computed `{}` is none of the choices", answer.text),
                     .remedy = "add it to `choices`"}});
  } else if (q.kind == Question::Kind::row) {
    const auto assignment = layout::parse(answer.text);
    const auto place = place_named(q.row);
    if (!assignment || !place || !assignment->row(*place))
      return wrong({{.message = fmt::format("`{}` has no {} row", answer.text, q.row)}});
    answer.text = row_words(*assignment->row(*place));
  }
  return answer;
}

Expected<bool> is_right(const Question& q, const Answer& answer, std::string_view reply) {
  reply = trimmed(reply);
  if (reply.empty()) return failure("there is no answer yet");
  if (q.kind == Question::Kind::number) {
    const auto number = reply_number(reply, q.unit);
    if (!number) return failure(fmt::format("`{}` is no number", reply), "write digits, with or without the unit");
    // Whole numbers are exact; of others half a percent is enough: 0.67 of two thirds.
    if (*answer.number == std::round(*answer.number)) return *number == *answer.number;
    return std::abs(*number - *answer.number) <= 0.0051 * std::abs(*answer.number);
  }
  if (q.kind == Question::Kind::row) {
    // An empty row is an answer only where that is the right one.
    const auto row = LS_TRY(parse_reply_row(q.row, reply, answer.text.empty()));
    return row == LS_TRY(parse_reply_row(q.row, answer.text, true));
  }
  if (std::ranges::find(q.choices, reply) == q.choices.end())
    return failure(fmt::format("`{}` is none of the choices", reply),
                   fmt::format("one of {}", fmt::join(q.choices, ", ")));
  return reply == answer.text;
}

Expected<CodeVerdict> check_code(const Lesson& lesson, const Question& q, const std::string& file, Computer& computer) {
  const auto wrong = [&](const Diagnostics& why) { return tl::unexpected(at_question(lesson, q, why)); };
  const auto arguments = arguments_of(lesson, q.compute, file);
  if (!arguments) return wrong(arguments.error());
  // The learner's file changes: never from memory. A kernel that does not compile (status 2) is a wrong reply; arguments
  // that the program does not understand give no JSON.
  const auto asked = ask(*arguments, computer, false, 2);
  if (!asked) return wrong(asked.error());
  const auto json = json_of(*asked, *arguments);
  if (!json) return wrong(json.error());
  CodeVerdict verdict;
  if (asked->status != 0) {
    verdict.reason = first_problem(*json);
    return verdict;
  }
  verdict.right = true;
  if (q.want.empty()) return verdict;
  const auto value = value_at(*json, q.at);
  if (!value) return wrong(value.error());
  verdict.value = shown(*value);
  const auto number = value->is_number() ? std::optional(value->get<double>()) : plain_number(verdict.value);
  if (!number) return wrong({{.message = fmt::format("`{}` is no number", verdict.value)}});
  verdict.right = holds(q.want, *number);
  if (!verdict.right)
    verdict.reason = fmt::format("{}{}{}, and {} is needed", verdict.value, q.unit.empty() ? "" : " ", q.unit, q.want);
  return verdict;
}

std::string why_words(const Question& q, const Answer& answer, const std::map<std::string, std::string>& facts) {
  std::string out = q.why;
  for (const auto& [name, value] : facts) put_value(out, name, value);
  put_value(out, "answer", answer.text);
  return out;
}

std::string shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_unsigned()) return fmt::format("{}", value.get<std::uint64_t>());
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_number()) return fmt::format("{:.7g}", value.get<double>());
  return {};
}

Expected<Json> value_at(const Json& root, const std::vector<std::string>& path) {
  const Json* here = &root;
  std::string way;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::string& step = path[i];
    const auto wrong = [&](const std::string& why) {
      return failure(
          fmt::format("`at` leads nowhere: `{}`{} {}", step, way.empty() ? "" : " after `" + way + "`", why));
    };
    if (step == "#" && (here->is_array() || here->is_object())) {
      if (i + 1 < path.size()) return wrong("is a number, so the path ends there");
      return Json(here->size());
    }
    if (here->is_object()) {
      if (!here->contains(step)) return wrong("is none of " + keys_of(*here));
      here = &here->at(step);
    } else if (here->is_array()) {
      const bool counts = step.starts_with("count ");
      const std::string condition = counts ? step.substr(6) : step;
      const std::size_t equals = condition.find('=');
      if (equals != std::string::npos) {
        const std::string key = condition.substr(0, equals), value = condition.substr(equals + 1);
        const auto is_it = [&](const Json& entry) { return fits(entry, key, value); };
        // A count of what no entry could have would be 0 for any misspelling.
        if (counts) {
          if (i + 1 < path.size()) return wrong("is a number, so the path ends there");
          const bool known = here->empty() || std::ranges::any_of(*here, [&](const Json& e) {
                               return e.is_object() && e.contains(key);
                             });
          if (!known) return wrong(fmt::format("names `{}`, which no entry has", key));
          return Json(static_cast<std::size_t>(std::ranges::count_if(*here, is_it)));
        }
        const auto found = std::ranges::find_if(*here, is_it);
        if (found == here->end()) return wrong(fmt::format("fits none of {} entries", here->size()));
        here = &*found;
      } else {
        const auto index = number_in<std::size_t>(step);
        if (!index || *index >= here->size()) return wrong(fmt::format("is none of {} entries", here->size()));
        here = &here->at(*index);
      }
    } else {
      return wrong("is after a single value");
    }
    way += (way.empty() ? "" : ".") + step;
  }
  return *here;
}

}  // namespace lanescope::lessons
