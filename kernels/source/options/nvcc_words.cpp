#include "kernels/source/options/nvcc_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/source/options/command_words.h"
#include "kernels/source/options/header_search.h"

namespace lanescope::options {
namespace {

namespace fs = std::filesystem;
constexpr int most_folders_up = 16;

constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
/// Of a value that is a word, a number or several of them.
constexpr bool is_plain(char c) { return is_word(c) || c == ',' || c == '.' || c == '+' || c == '-'; }

/// Pieces between commas; a backslash keeps one.
std::vector<std::string> comma_pieces(std::string_view text) {
  std::vector<std::string> out(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',')
      out.back() += text[++i];
    else if (text[i] == ',')
      out.emplace_back();
    else
      out.back() += text[i];
  }
  return out;
}

/// 90 of sm_90a, compute_90f, lto_90; 0: none.
int number_in(std::string_view name) {
  const std::size_t at = name.find('_');
  if (at == std::string_view::npos) return 0;
  const std::string_view stem = name.substr(0, at);
  if (stem != "sm" && stem != "compute" && stem != "lto") return 0;
  int number = 0, digits = 0;
  for (const char c : name.substr(at + 1)) {
    if (!is_digit(c) || ++digits > 3) break;
    number = 10 * number + (c - '0');
  }
  return digits >= 2 ? number : 0;
}

bool is_toolkit(const fs::path& folder) {
  std::error_code problem;
  return fs::exists(folder / "cuda_runtime_api.h", problem) && fs::exists(folder / "driver_types.h", problem);
}

class WordReader {
 public:
  explicit WordReader(const Base& base) : base_(base) {}

  CompileSettings run(const std::vector<std::string>& words) {
    read(words, {});
    keep_last();
    if (base_.origin != Origin::header) report_refused();
    return std::move(out_);
  }
  std::vector<RefusedOption> refused() && { return std::move(refused_); }

 private:
  using Stack = std::vector<std::string>;

  void use(Kind kind, std::string value, std::string word, const std::vector<std::string>& written) {
    out_.used.push_back({.kind = kind,
                         .value = std::move(value),
                         .word = std::move(word),
                         .written = shell_text(written),
                         .origin = base_.origin,
                         .place = base_.place});
  }
  void leave(const std::vector<std::string>& written, std::string reason) {
    out_.left_out.push_back(
        {.written = shell_text(written), .reason = std::move(reason), .origin = base_.origin, .place = base_.place});
  }

  void refuse(const std::vector<std::string>& written, std::string reason = "is taken from the command line only") {
    leave(written, reason);
    refused_.push_back({shell_text(written), std::move(reason)});
  }
  /// The panel, the command line and the nvcc command are a person's own words.
  bool is_of_file() const {
    return base_.origin != Origin::window && base_.origin != Origin::command_line &&
           base_.origin != Origin::nvcc_command && !base_.vetted;
  }

  /// The launch header says it at the option's own place (launch_header.cpp).
  void report_refused() {
    const bool own = base_.origin == Origin::project_file;
    for (const RefusedOption& o : refused_)
      out_.diagnostics.push_back({.file = base_.place.file,
                                  .line = base_.place.line,
                                  .message = fmt::format("option {} {}", o.written, o.reason),
                                  .remedy = own ? std::string(remedy_of_refused) : std::string(),
                                  .severity = own ? Severity::error : Severity::warning});
  }

  void read(const std::vector<std::string>& words, const Stack& open) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (++count_ > most_words) {
        leave({word}, fmt::format("a command has at most {} words", most_words));
        continue;
      }
      // A macro's value is a line of text to the compiler, and a second line could be any directive.
      if (is_of_file() && std::ranges::any_of(word, is_control)) {
        refuse({word}, "has a control character");
        continue;
      }
      if (word.starts_with('@') && word.size() > 1)
        file_of_options(word.substr(1), {word}, open);
      else if (!word.starts_with('-') || word == "-")
        operand(word);
      else if (const NvccOption* row = find_option(word))
        i += option(*row, words, i, open);
      else if (is_host_option(word))
        leave({word}, "is for the host compiler");
      else
        unknown(word);
    }
  }

  void operand(const std::string& word) {
    // Two forms that launch headers may have.
    if (word.starts_with("maxrregcount=")) return register_limit(word.substr(13), {word});
    if (word.starts_with("dlcm=")) {
      if (is_of_file() && !is_assembler_option_of_files("-" + word)) return refuse({word});
      return use(Kind::other, word, "--ptxas-options=-" + word, {word});
    }
    std::error_code problem;
    const fs::path path = base_.folder / word;
    const bool own = path.filename() == base_.file.filename() &&
                     (base_.origin == Origin::compile_commands || !fs::exists(path, problem) ||
                      fs::equivalent(path, base_.file, problem));
    leave({word}, own ? "is the file itself" : word.empty() ? "is empty" : "is another file of the program");
    out_.left_out.back().no_option = own;
  }

  void unknown(const std::string& word) {
    // A word that a person typed for lanescope is passed to the compiler, which reports its errors.
    if (base_.origin == Origin::window || base_.origin == Origin::command_line || base_.vetted)
      return use(Kind::other, word, word, {word});
    if (base_.origin == Origin::header || base_.origin == Origin::project_file) return refuse({word});
    leave({word}, "is not known to lanescope");
  }

  /// Returns how many words after `at` belong to it.
  std::size_t option(const NvccOption& row, const std::vector<std::string>& words, std::size_t at, const Stack& open) {
    const std::string& word = words[at];
    std::vector<std::string> written = {word};
    std::string value;
    if (row.values != Values::none) {
      const std::string_view name = word.starts_with("--") ? row.long_name : row.short_name;
      std::string_view rest = std::string_view(word).substr(std::min(name.size(), word.size()));
      if (rest.starts_with('=')) {
        value = rest.substr(1);
      } else if (!rest.empty()) {
        value = rest;
      } else if (row.long_name == "--optimize") {
        // -O alone is a level of its own
      } else if (at + 1 < words.size()) {
        value = words[at + 1];
        written.push_back(value);
        ++count_;
      } else {
        is_of_file() ? refuse(written, "needs a value") : leave(written, "needs a value");
        return 0;
      }
    }
    if (is_of_file() && std::ranges::any_of(value, is_control))
      refuse(written, "has a control character");
    else
      apply(row, value, written, open);
    return written.size() - 1;
  }

  void apply(const NvccOption& row, const std::string& value, const std::vector<std::string>& written,
             const Stack& open) {
    switch (row.meaning) {
      case Meaning::include_folder:
        return include(value, written);
      case Meaning::define:
        return value.empty() ? leave(written, "names no macro") : use(Kind::define, value, "-D" + value, written);
      case Meaning::undefine:
        return value.empty() ? leave(written, "names no macro") : use(Kind::undefine, value, "-U" + value, written);
      case Meaning::pre_include:
        return pre_include(value, written);
      case Meaning::standard:
        return standard(value, written);
      case Meaning::architecture:
        return architecture({value}, written);
      case Meaning::code:
        return architecture(comma_pieces(value), written);
      case Meaning::generate_code:
        return generated_code(value, written);
      case Meaning::register_limit:
        return register_limit(value, written);
      case Meaning::assembler:
        return assembler(value, written);
      case Meaning::front_end:
        return front_end(value, written);
      case Meaning::device_debug:
        return use(Kind::other, "-G", "--device-debug", written);
      case Meaning::options_file:
        for (const std::string& file : comma_pieces(value)) file_of_options(file, written, open);
        return;
      case Meaning::pass_typed:
        if (is_of_file()) return refuse(written);
        [[fallthrough]];
      case Meaning::pass: {
        if (is_of_file() && !std::ranges::all_of(value, is_plain)) return refuse(written);
        std::string word(row.long_name);
        if (row.values != Values::none) word += "=" + value;
        return use(Kind::other, word, word, written);
      }
      case Meaning::no_use:
        return leave(written, std::string(row.reason));
    }
  }

  void register_limit(const std::string& value, const std::vector<std::string>& written) {
    if (is_of_file() && !std::ranges::all_of(value, is_digit)) return refuse(written);
    use(Kind::register_limit, value, "--maxrregcount=" + value, written);
  }

  fs::path found_from(const std::string& name) const {
    const fs::path path(name);
    return path.is_absolute() ? path : base_.folder / path;
  }

  void include(const std::string& value, const std::vector<std::string>& written) {
    if (value.empty()) return leave(written, "names no folder");
    std::error_code problem;
    std::vector<std::string> folders = {value};
    if (!fs::is_directory(found_from(value), problem) && value.find(',') != std::string::npos)
      folders = comma_pieces(value);
    for (const std::string& each : folders) {
      const fs::path folder = found_from(each);
      const std::vector<std::string> words = folders.size() > 1 ? std::vector<std::string>{"-I" + each} : written;
      if (!fs::is_directory(folder, problem))
        leave(words, fmt::format("there is no folder '{}'", folder.lexically_normal().string()));
      else if (base_.origin != Origin::header && is_toolkit(folder))
        leave(words, "the CUDA headers are those of NVRTC");
      else
        use(Kind::include_folder, folder_name(folder, base_.file), "-I" + folder_name(folder, base_.file), words);
    }
  }

  void pre_include(const std::string& value, const std::vector<std::string>& written) {
    for (const std::string& each : comma_pieces(value)) {
      std::error_code problem;
      const fs::path path = found_from(each);
      if (is_of_file() && !(fs::is_regular_file(path, problem) && is_header(path))) {
        refuse({written.front(), each}, "names no C++ header");
        continue;
      }
      const std::string name = fs::is_regular_file(path, problem) ? folder_name(path, base_.file) : each;
      use(Kind::other, "--pre-include=" + name, "--pre-include=" + name, written);
    }
  }

  void standard(const std::string& value, const std::vector<std::string>& written) {
    struct Name {
      std::string_view theirs, ours;
    };
    constexpr Name names[] = {{"0x", "11"}, {"1y", "14"}, {"1z", "17"}, {"2a", "20"},
                              {"2b", "20"}, {"23", "20"}, {"2c", "20"}, {"26", "20"}};
    const std::size_t plus = value.find("++");
    const std::string year = plus == std::string::npos ? std::string() : value.substr(plus + 2);
    std::string name = value.starts_with("gnu++") ? "c++" + year : value;
    const auto known = std::ranges::find(names, year, &Name::theirs);
    if (known != std::end(names) && (value.starts_with("gnu++") || value.starts_with("c++"))) {
      name = "c++" + std::string(known->ours);
      if (known->theirs == "2b" || known->theirs == "23" || known->theirs == "2c" || known->theirs == "26")
        out_.diagnostics.push_back(
            {.file = base_.place.file,
             .line = base_.place.line,
             .message = fmt::format("{} is compiled as c++20, the newest standard of NVRTC", value),
             .remedy = {},
             .severity = Severity::note});
    }
    const auto of_standard = [](char c) { return is_word(c) || c == '+'; };
    if (is_of_file() && !std::ranges::all_of(name, of_standard)) return refuse(written);
    use(Kind::standard, name, "--std=" + name, written);
  }

  void architecture(const std::vector<std::string>& names, const std::vector<std::string>& written) {
    const std::string newest = newest_architecture(names);
    if (newest.empty()) return leave(written, "names no single architecture; --arch chooses one");
    use(Kind::architecture, newest, "", written);
  }

  void generated_code(const std::string& value, const std::vector<std::string>& written) {
    std::string text = value;
    std::ranges::replace_if(
        text, [](char c) { return std::string_view("[]\"'").find(c) != std::string_view::npos; }, ',');
    std::vector<std::string> names;
    for (const std::string& piece : comma_pieces(text)) names.push_back(piece.substr(piece.find('=') + 1));
    architecture(names, written);
  }

  void assembler(const std::string& value, const std::vector<std::string>& written) {
    for (const std::string& piece : comma_pieces(value))
      for (const CommandWord& word : command_words(piece).words) {
        if (word.text == "-v" || word.text == "--verbose")
          leave(written, "is always given");
        else if (is_of_file() && !is_assembler_option_of_files(word.text))
          refuse({"-Xptxas", word.text});
        else
          use(Kind::other, "-Xptxas " + word.text, "--ptxas-options=" + word.text, written);
      }
    if (trimmed(value).empty()) leave(written, "is empty");
  }

  void front_end(const std::string& value, const std::vector<std::string>& written) {
    for (const auto& [theirs, ours] : {std::pair{"--diag_suppress=", "--diag-suppress="},
                                       {"--diag_error=", "--diag-error="},
                                       {"--diag_warning=", "--diag-warn="}}) {
      if (!value.starts_with(theirs)) continue;
      const std::string number = value.substr(std::string_view(theirs).size());
      if (!number.empty() && std::ranges::all_of(number, [](char c) { return is_digit(c) || c == ','; }))
        return use(Kind::other, ours + number, ours + number, written);
      return leave(written, "NVRTC takes numbers of diagnostics only");
    }
    leave(written, "is about nvcc's messages");
  }

  void file_of_options(const std::string& name, const std::vector<std::string>& written, const Stack& open) {
    std::error_code problem;
    const fs::path path = fs::weakly_canonical(found_from(name), problem);
    // CMake's: the remarks on its words show the other ones.
    if (is_of_file() && (path.extension() != ".rsp" || !is_of_folder(path, project_folder(base_.file))))
      return refuse(written, "names no .rsp file of the project");
    if (std::ranges::find(open, path.string()) != open.end())
      return leave(written, fmt::format("the file '{}' includes itself", name));
    if (open.size() >= most_nested_files)
      return leave(written, fmt::format("files of options are nested more than {} deep", most_nested_files));
    const auto text = read_file(path.string(), most_options_file_bytes);
    if (!text) return leave(written, fmt::format("'{}': {}", path.string(), text.error().front().message));
    const CommandWords inside = command_words(*text);
    if (!inside.mistake.empty()) return leave(written, inside.mistake + " in it");
    std::vector<std::string> words;
    for (const CommandWord& w : inside.words)
      if (!(w.is_operator && w.text == "\n")) words.push_back(w.text);
    out_.remarks.push_back(fmt::format("{} was read", path.string()));
    Stack inner = open;
    inner.push_back(path.string());
    read(words, inner);
  }

  /// Of what is given more than once the last counts; of architectures the newest.
  void keep_last() {
    std::vector<UsedOption> used = std::move(out_.used);
    std::vector<std::string> archs;
    for (const UsedOption& o : used)
      if (o.kind == Kind::architecture) archs.push_back(o.value);
    const std::string newest = newest_architecture(archs);
    CompileSettings kept;
    bool arch_kept = false;
    for (auto o = used.rbegin(); o != used.rend(); ++o) {
      if (o->kind == Kind::architecture) {
        if (o->value == newest && !arch_kept) {
          arch_kept = true;
        } else {
          out_.left_out.push_back({.written = o->written,
                                   .reason = o->value == newest
                                                 ? "is given already"
                                                 : fmt::format("{} is compiled for, the newest that is named", newest),
                                   .replaced = true,
                                   .origin = o->origin,
                                   .place = o->place});
          continue;
        }
      }
      // Folders are searched in the order given: the first of equal ones counts.
      if (o->kind == Kind::include_folder) continue;
      kept = merged(std::move(kept), {.used = {std::move(*o)}, .left_out = {}});
    }
    std::ranges::reverse(kept.used);
    CompileSettings folders;
    for (UsedOption& o : used)
      if (o.kind == Kind::include_folder)
        folders = merged(std::move(folders), {.used = {std::move(o)}, .left_out = {}});
    kept = merged(std::move(folders), std::move(kept));
    out_.used = std::move(kept.used);
    out_.left_out.insert(out_.left_out.end(), kept.left_out.begin(), kept.left_out.end());
  }

  const Base& base_;
  CompileSettings out_;
  std::vector<RefusedOption> refused_;
  std::size_t count_ = 0;
};

}  // namespace

CompileSettings read_words(const std::vector<std::string>& words, const Base& base) {
  return WordReader(base).run(words);
}

std::vector<RefusedOption> refused_options(const std::vector<std::string>& words, const Base& base) {
  WordReader reader(base);
  reader.run(words);
  return std::move(reader).refused();
}

std::string newest_architecture(const std::vector<std::string>& names) {
  std::string best;
  int most = 0;
  for (const std::string& name : names) {
    const int number = number_in(name);
    if (number < most || number == 0) continue;
    std::string real = "sm_" + name.substr(name.find('_') + 1);
    if (number == most && real.size() < best.size()) continue;  // sm_90a before sm_90
    most = number;
    best = std::move(real);
  }
  return best;
}

std::string folder_name(const fs::path& folder, const fs::path& file) {
  std::error_code problem;
  const fs::path absolute = fs::absolute(folder, problem).lexically_normal();
  const fs::path own = fs::absolute(file, problem).parent_path().lexically_normal();
  const fs::path relative = absolute.lexically_relative(own);
  int up = 0, names = 0;
  for (const fs::path& part : relative) (part == ".." ? up : names) += 1;
  int depth = 0;
  for ([[maybe_unused]] const fs::path& part : own) ++depth;
  // One that shares nothing but the root is this machine's, not the project's.
  const bool near = !relative.empty() && up <= most_folders_up && up < depth - 1;
  std::string name = near ? relative.string() : absolute.string();
  if (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return name;
}

}  // namespace lanescope::options
