#include "kernels/source/host/run.h"

#include <algorithm>
#include <utility>

#include "kernels/base/text.h"
#include "kernels/source/host/library.h"
#include "kernels/source/host/program/template_guess.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_records = 200;

class Run {
 public:
  Run(const Lexed& lexed, const Outline& outline, const HostLimits& limits, const Attempt& attempt)
      : attempt_(attempt),
        p_(lexed, outline),
        notes_(out_),
        m_(p_.types, limits.bytes),
        budget_(limits, m_, notes_),
        graph_(p_),
        log_(out_, m_, budget_, notes_, limits,
             p_.macros.defines("CUDA_API_PER_THREAD_DEFAULT_STREAM") ? StreamOrder::of_thread : StreamOrder::legacy),
        evaluator_(p_, graph_, m_, budget_, log_, notes_, limits, library(), attempt.never_leave, attempt.number) {
    log_.one_resident = attempt.one_resident;
  }

  HostRun run() {
    evaluator_.globals();
    const auto main = p_.functions.find("main");
    const bool has_main = main != p_.functions.end();
    if (has_main) root(main->second.front(), true);
    log_.check_host_stores(true);
    if (out_.launch_count > 0 || attempt_.never_leave || !has_main) uncalled(has_main);
    out_.steps = budget_.spent();
    out_.tokens_searched = graph_.tokens_searched;
    out_.with_command_line = !attempt_.words.empty();
    return std::move(out_);
  }

 private:
  void uncalled(bool has_main) {
    const std::size_t of_main = out_.launches.size();
    if (!has_main)  // the callers of these functions may set them
      for (const auto& [at, name] : evaluator_.unset_globals)
        m_.poison_all(at, m_.reason(fmt::format("nothing in this file sets `{}`", name)));
    for (const int function : graph_.roots(evaluator_.executed()))
      if (!evaluator_.executed().contains(function)) uncalled_root(function);
    for (std::size_t i = of_main; i < out_.launches.size(); ++i) out_.launches[i].called = false;
    for (int r = 0; r < p_.types.records(); ++r) {
      const Record& record = p_.types.record(r);
      if (!record.of_file || record.has_unknown || record.name.empty() || out_.records.size() > most_records) continue;
      HostRecord made{.name = record.name, .bytes = static_cast<std::uint32_t>(record.bytes), .fields = {}};
      log_.fields(0, p_.types.record_type(r), "", 0, made.fields, true);
      out_.records.push_back(std::move(made));
    }
  }

  /// With smaller sizes for its template's parameters if a block gets too large with the usual ones.
  void uncalled_root(int function) {
    const std::size_t before = out_.launches.size();
    const std::uint64_t count = out_.launch_count;
    root(function, false);
    if (!p_.function(function).info.is_template) return;
    const auto first = out_.launches.begin() + static_cast<std::ptrdiff_t>(before);
    if (std::none_of(first, out_.launches.end(), block_too_large)) return;
    out_.launches.resize(before);
    out_.launch_count = count;
    small_guesses_ = true;
    root(function, false);
    small_guesses_ = false;
  }

  void root(int function, bool is_main) {
    const std::string& name = p_.function(function).info.name;
    const auto set_argument = [&](std::size_t i, const Place& at) {
      const std::vector<std::string>& words = attempt_.words;
      if (i == 0 && at.type->is_number())  // argc
        m_.put(at, number(words.empty() ? attempt_.word_count : 1 + static_cast<std::int64_t>(words.size()),
                          p_.types.int_));
      if (i == 1 && at.type->kind == Kind::pointer && !words.empty())  // argv
        m_.put(at, at_address(argument_texts(), at.type));
    };
    if (is_main && attempt_.word_count > 1)
      notes_.assume(Assumption::Code::command_line, 0,
                    fmt::format("{} unknown word{}", attempt_.word_count - 1, attempt_.word_count == 2 ? "" : "s"),
                    "because `main` requires them");
    evaluator_.root(
        function, guessed_bindings(function), is_main,
        m_.reason(is_main ? std::string(words_of_command_line)
                          : fmt::format("it is a parameter of `{}`, which nothing in this file calls", name)),
        is_main ? Evaluator::Prepare(set_argument) : nullptr);
  }

  /// What argv points to: the program's name, the words of the command line, the null pointer.
  Address argument_texts() {
    std::vector<Address> texts;
    const auto add = [&](const std::string& text) {
      texts.push_back(m_.make(text.size() + 1, Space::characters, 0, 0));
      m_.write(texts.back(), text.size() + 1, text.c_str(), 0);
    };
    add("program");
    std::ranges::for_each(attempt_.words, add);
    texts.push_back(0);
    const std::uint64_t bytes = texts.size() * sizeof(Address);
    const Address list = m_.make(bytes, Space::host, 0, 0);
    m_.write(list, bytes, texts.data(), 0);
    return list;
  }

  /// For a template that nothing calls: its defaults, and what its parameters suggest.
  const Bindings& guessed_bindings(int function) {
    static const Bindings none;
    const std::vector<TemplateParameter>& parameters = p_.template_parameters(function);
    if (parameters.empty()) return none;
    const FunctionRange& range = p_.function(function);
    int line = 0;
    Expr name{};
    const auto add = [&](std::string word, const Type* type) {
      name.words.push_back(p_.tree.texts.emplace_back(std::move(word)));
      name.types.push_back(type);
    };
    if (const std::string given = explicit_arguments(p_.lexed, range.info.name, line); !given.empty()) {
      for (std::string& word : separate_arguments(given)) {
        const Type* type = p_.type_named(word);
        add(std::move(word), type);
      }
    } else {
      const auto guessed = guessed_arguments(parameters);
      if (!guessed) return none;
      for (const GuessedArgument& a : *guessed) {
        const TemplateParameter& parameter = parameters[name.types.size()];
        const bool large = small_guesses_ && parameter.is_whole && a.spelled == "256";
        add(large ? "16" : a.spelled, parameter.is_type ? p_.types.float_ : nullptr);
      }
    }
    Bindings& bound = bindings_.emplace_back();
    if (!evaluator_.deduce(function, name, {}, bound)) return none;
    std::string values;
    for (Bound& b : bound) {
      if (b.type == nullptr && !b.value) b.value = p_.constant(b.spelled);
      values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", b.name, b.spelled);
    }
    if (line > 0)
      notes_.add(fmt::format("line {}: the template arguments of `{}` are those of its instantiation at line {}: {}",
                             range.info.first_line, range.info.name, line, values));
    else
      notes_.assume(Assumption::Code::template_arguments, range.info.first_line,
                    fmt::format("{} with {}", range.info.name, values), "because nothing calls it");
    return bound;
  }

  /// "float, 4" as two words, without blanks that C++ does not need.
  static std::vector<std::string> separate_arguments(const std::string& given) {
    const Lexed words = lex(given);
    std::vector<std::string> out(1);
    int depth = 0;
    for (int t = 0; t < words.count(); ++t) {
      if (words.is(t, ",") && depth == 0) {
        out.emplace_back();
        continue;
      }
      depth += words.is(t, "<") || words.is(t, "(") ? 1 : words.is(t, ">") || words.is(t, ")") ? -1 : 0;
      const bool spaced = !out.back().empty() && is_word(out.back().back()) && is_word(words.of(t).front());
      out.back() += (spaced ? " " : "") + std::string(words.of(t));
    }
    return out;
  }

  const Attempt& attempt_;
  HostRun out_;
  Program p_;
  Notes notes_;
  TypedMemory m_;
  Budget budget_;
  CallGraph graph_;
  Log log_;
  Evaluator evaluator_;
  std::deque<Bindings> bindings_;
  bool small_guesses_ = false;  ///< sizes that template arguments are guessed to be
};

}  // namespace

HostRun run_once(const Lexed& lexed, const Outline& outline, const HostLimits& limits, const Attempt& attempt) {
  return Run(lexed, outline, limits, attempt).run();
}

bool block_too_large(const HostLaunch& l) {
  constexpr std::uint64_t most_threads = 1024;
  std::uint64_t threads = l.block ? 1 : 0;
  for (std::size_t i = 0; i < 3 && threads > 0; ++i)
    threads = std::min(threads, most_threads + 1) * std::min<std::uint64_t>((*l.block)[i], most_threads + 1);
  return threads > most_threads;
}

}  // namespace lanescope::source::host
