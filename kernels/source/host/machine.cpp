#include "kernels/source/host/machine.h"
#include "kernels/source/host/program/template_guess.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_notes = 40;

}  // namespace

Machine::Machine(Program& program, const HostLimits& limits, bool never_leave, std::vector<std::string> command_line,
                 int words, int number)
    : p_(program),
      limits_(limits),
      never_leave_(never_leave),
      memory_(limits.bytes),
      command_line_(std::move(command_line)),
      words_(words),
      number_(number) {
  uninitialised_ = because("it is not set");
  p_.evaluate = [this](const Expr* e) -> std::optional<std::int64_t> {
    if (e == nullptr) return std::nullopt;
    Frame* before = frame_;
    const int depth = depth_, eval_depth = eval_depth_, statement_depth = statement_depth_;
    const bool constant_only = constant_only_;
    constant_only_ = true;
    if (frame_ == nullptr) frame_ = &globals_;
    Value v;
    try {
      v = convert(eval(*e), p_.types.i64);
    } catch (const Abandon&) {
      v.unknown = 1;
    } catch (const Stop&) {
      v.unknown = 1;
    }
    frame_ = before;
    depth_ = depth, eval_depth_ = eval_depth, statement_depth_ = statement_depth, constant_only_ = constant_only;
    return v.unknown != 0 ? std::nullopt : std::optional(v.i);
  };
}

void Machine::note(std::string words) {
  if (out_.notes.size() >= most_notes || !noted_.insert(words).second) return;
  out_.notes.push_back(std::move(words));
}

void Machine::assume(Assumption::Code code, int line, std::string value, std::string because) {
  const std::string name = line > 0 ? fmt::format("line {}", line) : std::string();
  if (out_.assumed.size() >= most_notes || !noted_.insert(fmt::format("{} {} {}", name, value, because)).second) return;
  out_.assumed.push_back(
      {.code = code, .kernel = {}, .name = name, .value = std::move(value), .because = std::move(because)});
}

/// Counts; now and then looks whether a loop has exceeded its budget.
void Machine::step() {
  steps_ += 1 + memory_.take_work() / bytes_of_step;
  if (steps_ < next_check_) return;
  next_check_ = steps_ + 256;
  if (steps_ > limits_.steps + limits_.steps / 4) {
    note(fmt::format("it takes more than {} steps; what comes behind them is left out", limits_.steps));
    throw Stop{};
  }
  for (std::size_t i = 0; i < loops_.size(); ++i)
    if (steps_ > loops_[i].deadline) throw Abandon{i};
}

std::uint64_t Machine::steps_until_check() const {
  std::uint64_t end = limits_.steps;
  for (const Loop& l : loops_) end = std::min(end, l.deadline);
  return end > steps_ ? end - steps_ : 0;
}

void Machine::globals() {
  frame_ = &globals_;
  globals_.bindings = nullptr;
  for (const TopDeclaration& d : p_.outline.declarations) {
    for (const Stmt* s : p_.declaration(d.first, d.last)) {
      try {
        if (s != nullptr) execute(*s);
      } catch (const Abandon&) {
      } catch (const Stop&) {}
    }
  }
}

/// For a template that nothing calls: its defaults, and what its parameters suggest.
const Bindings& Machine::guessed_bindings(int function) {
  static const Bindings none;
  const std::vector<TemplateParameter> parameters = p_.template_parameters(function);
  if (parameters.empty()) return none;
  const FunctionRange& range = p_.outline.functions[static_cast<std::size_t>(function)];
  int line = 0;
  Expr name{};
  const auto type_named = [&](std::string_view word) {
    const auto own = p_.type_names.find(word);
    return own != p_.type_names.end() ? own->second : p_.types.named(word);
  };
  if (const std::string given = explicit_arguments(p_.lexed, range.info.name, line); !given.empty()) {
    const Lexed words = lex(given);
    int depth = 0;
    std::string word;
    for (int t = 0; t <= words.count(); ++t) {
      const bool ends = t == words.count() || (words.is(t, ",") && depth == 0);
      if (!ends) {
        depth += words.is(t, "<") || words.is(t, "(") ? 1 : words.is(t, ">") || words.is(t, ")") ? -1 : 0;
        const bool spaced = !word.empty() && is_word(word.back()) && is_word(words.of(t).front());
        word += (spaced ? " " : "") + std::string(words.of(t));
        continue;
      }
      name.words.push_back(strings_kept_.emplace_back(std::exchange(word, {})));
      name.types.push_back(type_named(name.words.back()));
    }
  } else {
    const auto guessed = guessed_arguments(parameters);
    if (!guessed) return none;
    for (const GuessedArgument& a : *guessed) {
      const bool large = small_guesses_ && parameters[name.types.size()].is_whole && a.spelled == "256";
      name.words.push_back(strings_kept_.emplace_back(large ? "16" : a.spelled));
      name.types.push_back(parameters[name.types.size()].is_type ? p_.types.float_ : nullptr);
    }
  }
  Bindings& bound = bindings_.emplace_back();
  if (!deduce(function, name, {}, bound)) return none;
  for (Bound& b : bound)
    if (b.type == nullptr && !b.value && (is_digit(b.spelled.front()) || b.spelled == "true" || b.spelled == "false"))
      b.value = b.spelled == "true" ? 1 : std::strtoll(b.spelled.c_str(), nullptr, 0);
  std::string values;
  for (const Bound& b : bound) values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", b.name, b.spelled);
  if (line > 0)
    note(fmt::format("line {}: the template arguments of `{}` are those of its instantiation at line {}: {}",
                     range.info.first_line, range.info.name, line, values));
  else
    assume(Assumption::Code::template_arguments, range.info.first_line,
           fmt::format("{} with {}", range.info.name, values), "because nothing calls it");
  return bound;
}

/// What argv points to: the program's name, the words of the command line, the null pointer.
Address Machine::argument_texts() {
  std::vector<Address> texts;
  const auto add = [&](std::string_view text) {
    const Address a = memory_.make(text.size() + 1, Space::characters, 0, 0);
    memory_.write(a, text.size() + 1, std::string(text).c_str(), 0);
    texts.push_back(a);
  };
  add("program");
  for (const std::string& word : command_line_) add(word);
  texts.push_back(0);
  const std::uint64_t bytes = texts.size() * sizeof(Address);
  const Address list = memory_.make(bytes, Space::host, 0, 0);
  memory_.write(list, bytes, texts.data(), 0);
  return list;
}

void Machine::root(int function, bool called) {
  const Bindings& none = guessed_bindings(function);
  const int record = p_.record_of_method(function);
  const FunctionBody* body = p_.body(function, none, record);
  if (body == nullptr || body->body == nullptr) return;
  executed_.insert(function);
  streams_.host_waits_for_all();  // of another root, which is another run
  Frame& f = frames_.emplace_back();
  f.bindings = &none;
  f.serial = ++serial_;
  f.record = record;
  const std::string& name = p_.outline.functions[static_cast<std::size_t>(function)].info.name;
  const Reason parameter =
      because(called ? std::string(words_of_command_line)
                     : fmt::format("it is a parameter of `{}`, which nothing in this file calls", name));
  if (record >= 0) f.self = memory_.make(p_.types.record(record).bytes, Space::host, 0, parameter);
  for (std::size_t i = 0; i < body->parameters.size(); ++i) {
    const ParameterOf& p = body->parameters[i];
    Slot& s = slot(f, p.slot);
    const bool whole = p.type->kind == Kind::unknown || p.type->kind == Kind::automatic;
    const Address a = slot_memory(s, whole ? p_.types.unknown("parameter") : p.type);
    memory_.poison_all(a, parameter);
    if (called && i == 0 && p.type->is_number())  // argc
      store({a, p.type},
            number(command_line_.empty() ? words_ : 1 + static_cast<std::int64_t>(command_line_.size()), p_.types.int_),
            0);
    if (called && i == 1 && p.type->kind == Kind::pointer && !command_line_.empty())  // argv
      store({a, p.type}, {.type = p.type, .i = static_cast<std::int64_t>(argument_texts())}, 0);
  }
  frame_ = &f;
  loops_.clear();
  depth_ = eval_depth_ = statement_depth_ = poison_depth_ = 0;
  uncertain_ = sure_ = called ? 0 : 1;
  uncertain_why_ = called ? Reason{0} : because(fmt::format("nothing in this file calls `{}`", name));
  in_main_ = called;
  if (called && words_ > 1)
    assume(Assumption::Code::command_line, 0, fmt::format("{} unknown word{}", words_ - 1, words_ == 2 ? "" : "s"),
           "because `main` requires them");
  try {
    execute(*body->body);
  } catch (const Abandon&) {
  } catch (const Stop&) {}
  uncertain_ = sure_ = 0;
  loops_.clear();
  f.alive = false;
}

/// Whether its own body launches, as far as its words show.
bool Machine::has_launch(const FunctionRange& f) const {
  for (int t = f.open; t < f.close; ++t) {
    if (!p_.lexed.is(t, "<<<") && p_.lexed.token(t).kind != TokenKind::identifier) continue;
    const std::string_view word = p_.lexed.of(t);
    if (word == "<<<" || word == "cudaLaunchKernel" || word == "cudaLaunchKernelEx" ||
        word == "cudaLaunchCooperativeKernel" || p_.macros.defines(word))
      return true;
  }
  return false;
}

/// Whether the function, or one that it calls, can launch a kernel.
bool Machine::may_launch(int function) {
  if (may_launch_.empty()) {
    const std::size_t count = p_.outline.functions.size();
    may_launch_.resize(count);
    std::vector<std::set<std::string_view>> named(count);
    for (std::size_t i = 0; i < count; ++i) {
      const FunctionRange& f = p_.outline.functions[i];
      may_launch_[i] = !f.info.is_kernel && has_launch(f);
      for (int t = f.open; t < f.close; ++t)
        if (p_.lexed.token(t).kind == TokenKind::identifier) named[i].insert(p_.lexed.of(t));
    }
    std::set<std::string_view> launching;
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < count; ++i)
        if (may_launch_[i]) more = launching.insert(p_.outline.functions[i].info.name).second || more;
      for (std::size_t i = 0; i < count; ++i)
        if (!may_launch_[i] && std::ranges::any_of(named[i], [&](auto name) { return launching.contains(name); }))
          may_launch_[i] = more = true;
    }
  }
  return may_launch_[static_cast<std::size_t>(function)];
}

/// Functions with a launch that were not reached, and before them those that call them: a template has the arguments that
/// these give it.
void Machine::uncalled_roots() {
  const std::size_t count = p_.outline.functions.size();
  std::vector<bool> launches(count);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < count; ++i) {
    const FunctionRange& f = p_.outline.functions[i];
    if (f.info.is_kernel || executed_.contains(static_cast<int>(i)) || !has_launch(f)) continue;
    launches[i] = true;
    found.push_back(i);
  }
  if (found.empty()) return;
  std::vector<std::vector<std::size_t>> callers(count);
  for (std::size_t i = 0; i < count; ++i) {
    const FunctionRange& f = p_.outline.functions[i];
    if (f.info.is_kernel || executed_.contains(static_cast<int>(i))) continue;
    std::set<std::string_view> named;
    for (int t = f.open; t < f.close; ++t)
      if (p_.lexed.token(t).kind == TokenKind::identifier) named.insert(p_.lexed.of(t));
    for (const std::string_view name : named)
      if (const auto own = p_.functions.find(name); own != p_.functions.end())
        for (const int called : own->second)
          if (static_cast<std::size_t>(called) != i) callers[static_cast<std::size_t>(called)].push_back(i);
  }
  std::vector<bool> is_called(count);
  for (std::size_t n = 0; n < found.size(); ++n)
    for (const std::size_t caller : callers[found[n]]) {
      is_called[found[n]] = true;
      if (launches[caller]) continue;
      launches[caller] = true;
      found.push_back(caller);
    }
  for (const bool callers_first : {true, false})
    for (std::size_t i = 0; i < count; ++i)
      if (launches[i] && !(callers_first && is_called[i]) && !executed_.contains(static_cast<int>(i)))
        uncalled_root(static_cast<int>(i));
}

/// With smaller sizes for its template's parameters where a block gets too large with the usual ones.
void Machine::uncalled_root(int function) {
  const std::size_t before = out_.launches.size();
  const std::uint64_t count = out_.launch_count;
  root(function, false);
  if (!p_.outline.functions[static_cast<std::size_t>(function)].info.is_template) return;
  const auto first = out_.launches.begin() + static_cast<std::ptrdiff_t>(before);
  if (std::none_of(first, out_.launches.end(), block_too_large)) return;
  out_.launches.resize(before);
  out_.launch_count = count;
  small_guesses_ = true;
  root(function, false);
  small_guesses_ = false;
}

bool block_too_large(const HostLaunch& l) {
  constexpr std::uint64_t most_threads = 1024;
  if (!l.block) return false;
  std::uint64_t threads = 1;
  for (const std::uint32_t e : *l.block)
    threads = std::min(threads, most_threads + 1) * std::min<std::uint64_t>(e, most_threads + 1);
  return threads > most_threads;
}

HostRun Machine::run() {
  globals();
  const auto main = p_.functions.find("main");
  if (main != p_.functions.end()) root(main->second.front(), true);
  for (HostLaunch& l : out_.launches) l.called = true;
  const std::size_t of_main = out_.launches.size();
  out_.steps = steps_;
  look_meanwhile(true);
  if (out_.launch_count == 0 && !never_leave_ && main != p_.functions.end()) return std::move(out_);
  if (main == p_.functions.end())  // who calls these functions may set them
    for (const auto& [at, name] : unset_globals_)
      memory_.poison_all(at, because(fmt::format("nothing in this file sets `{}`", name)));
  uncalled_roots();
  for (std::size_t i = of_main; i < out_.launches.size(); ++i) out_.launches[i].called = false;
  for (int r = 0; r < p_.types.records(); ++r) {
    const Record& record = p_.types.record(r);
    if (!record.of_file || record.has_unknown || record.name.empty() || out_.records.size() > 200) continue;
    HostRecord made{.name = record.name, .bytes = static_cast<std::uint32_t>(record.bytes), .fields = {}};
    fields(0, p_.types.record_type(r), "", 0, made.fields, true);
    out_.records.push_back(std::move(made));
  }
  out_.steps = steps_;
  return std::move(out_);
}

std::uint64_t Machine::begin_loop() {
  const std::uint64_t left = limits_.steps > steps_ ? limits_.steps - steps_ : 0;
  std::uint64_t budget = std::min(limits_.loop_steps, left / 2 + 1000) >> std::min<std::size_t>(loops_.size(), 8);
  if (out_.launch_count > 0) budget /= 4;
  loops_.push_back({steps_ + std::max<std::uint64_t>(budget, 500)});
  return budget;
}

Machine::Mark Machine::mark() const {
  return {.temporaries = temporaries_.size(),
          .frame = frame_,
          .depth = depth_,
          .eval_depth = eval_depth_,
          .statement_depth = statement_depth_,
          .uncertain = uncertain_,
          .uncertain_why = uncertain_why_,
          .return_type = return_type_,
          .return_reference = return_reference_,
          .returned_memory = returned_memory_};
}

void Machine::go_back(const Mark& mark) {
  while (temporaries_.size() > mark.temporaries) {
    memory_.release(temporaries_.back());
    temporaries_.pop_back();
  }
  frame_ = mark.frame, depth_ = mark.depth, eval_depth_ = mark.eval_depth, statement_depth_ = mark.statement_depth;
  uncertain_ = mark.uncertain, uncertain_why_ = mark.uncertain_why;
  return_type_ = mark.return_type, return_reference_ = mark.return_reference, returned_memory_ = mark.returned_memory;
}

}  // namespace lanescope::source::host

namespace lanescope::source {

namespace {

/// How many words `main` asks for, its own name among them: the largest number that its `argc` is compared with for
/// equality, or that it must not be below. 1: it asks for none.
int asked_words(const Lexed& lexed, const Outline& outline) {
  constexpr int most = 32;
  const auto main =
      std::ranges::find_if(outline.functions, [](const FunctionRange& f) { return f.info.name == "main"; });
  if (main == outline.functions.end() || main->info.parameters.empty()) return 1;
  const std::string& argc = main->info.parameters.front().name;
  const auto number_at = [&](int t) {
    const std::string_view text = t >= 0 && t < lexed.count() ? lexed.of(t) : std::string_view();
    int out = 0;
    for (const char c : text) out = is_digit(c) && out <= most ? 10 * out + (c - '0') : most + 1;
    return text.empty() ? most + 1 : out;
  };
  int words = 1;
  for (int t = 1; t + 1 < lexed.count(); ++t) {
    if (lexed.of(t) != argc || lexed.token(t).kind != TokenKind::identifier) continue;
    const auto asks = [&](int at, std::string_view below, std::string_view at_most, int number) {
      int n = number_at(number);
      const std::string_view op = lexed.of(at);
      if (op == at_most) ++n;
      if ((op == "==" || op == "!=" || op == below || op == at_most) && n <= most) words = std::max(words, n);
    };
    asks(t + 1, "<", "<=", t + 2);
    asks(t - 1, ">", ">=", t - 2);
  }
  return words;
}

}  // namespace

HostRun run_host(const Lexed& lexed, const Outline& outline, const HostLimits& limits,
                 const std::vector<std::string>& command_line) {
  HostRun out;
  // What all attempts cost is limited together; the second and third have a quarter at least.
  std::uint64_t steps = 0, tokens_searched = 0;
  const auto run = [&](bool never_leave, const std::vector<std::string>& words, int count = 1,
                       int number = host::number_of_command_line) {
    HostLimits rest = limits;
    rest.steps = std::max(limits.steps - std::min(limits.steps, steps), limits.steps / 4);
    host::Program program(lexed, outline);
    out = host::Machine(program, steps == 0 ? limits : rest, never_leave, words, count, number).run();
    out.with_command_line = !words.empty();
    steps += out.steps;
    out.steps = steps;
    tokens_searched += out.tokens_searched;
    out.tokens_searched = tokens_searched;
  };
  if (!command_line.empty()) run(false, command_line);
  if (out.launch_count == 0) run(false, {});
  // `if (argc != 2) return 1;` and the like: once more, without leaving early and with as many words as it asks for.
  if (out.launch_count > 0) return out;
  const int asked = asked_words(lexed, outline);
  run(true, {}, asked);
  if (out.launch_count == 0 && asked > 1) run(true, {});
  if (std::ranges::any_of(out.launches, host::block_too_large))
    run(true, {}, asked, host::small_number_of_command_line);
  return out;
}

}  // namespace lanescope::source
