#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "app/catalogue/catalogue.h"
#include "app/lessons/answer.h"
#include "app/lessons/lesson.h"
#include "app/lessons/moments_file.h"
#include "kernels/base/nearest.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/resources/resources.h"

namespace lanescope::lessons {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view fences[] = {"moment", "question", "notes", "facts", "gpu"};
/// A name that by itself leads anywhere else.
bool leads_out(std::string_view name) {
  const fs::path path(name);
  return path.empty() || path.is_absolute() || std::ranges::find(path, fs::path("..")) != path.end();
}

/// A regular file that lies in the folder also where links are followed.
bool is_beside(const fs::path& path, const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && is_of_folder(path, real_path(folder));
}

/// Of the folder, also where that is "." or ends in a slash.
std::string lesson_name(const fs::path& folder) {
  std::error_code ignored;
  const fs::path whole = fs::absolute(folder, ignored).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

constexpr std::string_view rows[] = {"simd", "register", "thread", "warp", "block"};

class LessonReader {
 public:
  LessonReader(const fs::path& folder, std::string_view text, std::string_view gpu) : text_(text), wanted_gpu_(gpu) {
    lesson_.folder = folder;
    lesson_.name = lesson_name(folder);
    file_ = (folder / "lesson.md").string();
  }

  Expected<Lesson> read() {
    const std::vector<std::string_view> lines = split_lines(text_);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string_view line = trimmed(lines[i]);
      const int number = static_cast<int>(i) + 1;
      if (line.starts_with("```")) {
        const std::string_view word = trimmed(line.substr(3));
        std::size_t end = i + 1;
        while (end < lines.size() && trimmed(lines[end]) != "```") ++end;
        if (end == lines.size()) complain(number, 1, "this block has no end", "close it with a line of ```");
        std::string inside;
        for (std::size_t l = i + 1; l < end; ++l) inside += std::string(lines[l]) + "\n";
        if (one_of(word, fences))
          fenced(word, inside, number);
        else
          for (std::size_t l = i; l <= end && l < lines.size(); ++l) plain(lines[l], static_cast<int>(l) + 1);
        i = end;
      } else if (line.starts_with("## ")) {
        end_paragraphs();
        lesson_.pages.push_back({.heading = std::string(trimmed(line.substr(3))), .line = number});
      } else if (line.starts_with("# ")) {
        end_paragraphs();
        if (!lesson_.title.empty() || !lesson_.pages.empty())
          complain(number, 1, "a lesson has one title", "begin a page with ##");
        lesson_.title = std::string(trimmed(line.substr(2)));
      } else {
        plain(lines[i], number);
      }
    }
    end_paragraphs();
    if (lesson_.title.empty()) complain(1, 1, "a lesson begins with its title", "write `# Title` first");
    if (lesson_.summary.empty())
      complain(1, 1, "the lesson does not state its goals", "write a paragraph below the title");
    if (lesson_.pages.empty()) complain(1, 1, "the lesson has no page", "begin one with `## Heading`");
    name_gpu();
    check_facts();
    if (lesson_.facts.size() + lesson_.questions().size() > most_computed)
      complain(1, 1, fmt::format("the lesson has more than {} facts and questions", most_computed),
               "make several lessons of it");
    if (!wrong_.empty()) return tl::unexpected(std::move(wrong_));
    return std::move(lesson_);
  }

 private:
  void complain(int line, int column, std::string message, std::string remedy) {
    wrong_.push_back(
        {.file = file_, .line = line, .column = column, .message = std::move(message), .remedy = std::move(remedy)});
  }

  void plain(std::string_view line, int number) {
    if (paragraphs_.empty() && is_blank(line)) return;
    if (paragraphs_.empty()) paragraphs_line_ = number;
    paragraphs_ += std::string(line) + "\n";
  }

  /// Makes a block, or the summary, of the plain text read so far.
  void end_paragraphs() {
    std::string words = std::move(paragraphs_);
    paragraphs_.clear();
    while (!words.empty() && (words.back() == '\n' || is_blank(words.back()))) words.pop_back();
    if (words.empty()) return;
    if (!lesson_.pages.empty()) {
      lesson_.pages.back().blocks.push_back({.markdown = std::move(words), .line = paragraphs_line_});
    } else if (lesson_.title.empty()) {
      complain(paragraphs_line_, 1, "there is text above the title", "write `# Title` first");
    } else {
      std::ranges::replace(words, '\n', ' ');
      lesson_.summary = std::move(words);
    }
  }

  void fenced(std::string_view word, const std::string& inside, int line) {
    end_paragraphs();
    if (lesson_.pages.empty())
      return complain(line, 1, fmt::format("a {} belongs to a page", word), "begin one with `## Heading` above it");
    Page& page = lesson_.pages.back();
    if (word == "notes") {
      page.notes += (page.notes.empty() ? "" : "\n") + std::string(trimmed_text(inside));
      return;
    }
    const auto table = parse_toml(inside, file_, line, "write TOML between the lines of ```");
    if (!table) {
      std::ranges::copy(table.error(), std::back_inserter(wrong_));
      return;
    }
    if (word == "facts") return read_facts(*table, line);
    TomlTable reader(*table, file_, line);
    Block block{.line = line};
    if (word == "moment")
      block.moment = read_moment(reader);
    else if (word == "gpu")
      block.gpus = read_gpu(reader, line);
    else
      block.question = read_question(reader, line);
    std::ranges::move(reader.finish(), std::back_inserter(wrong_));
    page.blocks.push_back(std::move(block));
  }

  // --- values in the words (facts.h)
  void read_facts(const toml::table& table, int line) {
    for (const auto& [key, value] : table) {
      const toml::table* inner = value.as_table();
      const int at = static_cast<int>(key.source().begin.line) + line;
      const std::string name(key.str());
      if (inner == nullptr || !is_name(name)) {
        complain(at, 1, fmt::format("`{}` is no fact", name), "write [name], and its keys below");
        continue;
      }
      TomlTable reader(*inner, file_, line);
      Fact fact{.name = name, .line = at};
      std::vector<std::string> words;
      reader.read("compute", fact.compute);
      reader.read("at", fact.at, true);
      reader.read("as", fact.as);
      reader.read("words", words);
      if (reader.has("otherwise")) reader.read("otherwise", fact.otherwise.emplace());
      check_compute(reader, fact.compute);
      for (const char* needed : {"compute", "at"})
        if (!reader.has(needed)) reader.complain(needed, fmt::format("a fact needs `{}`", needed), "add the key");
      if (!fact.as.empty() && fact.as != "KiB" && fact.as != "MiB")
        reader.complain("as", "`as` must be a unit of bytes", "KiB or MiB");
      for (const std::string& each : words) {
        const std::size_t colon = each.find(": ");
        if (colon == std::string::npos)
          reader.complain("words", fmt::format("`{}` has no colon", each), "write \"value: words\"");
        else
          fact.words.emplace_back(each.substr(0, colon), each.substr(colon + 2));
      }
      std::ranges::move(reader.finish(), std::back_inserter(wrong_));
      if (one_of(name, {"answer", "file", "gpu"}))
        complain(at, 1, fmt::format("`{{{}}}` stands for something else", name), "choose another name");
      if (std::ranges::find(lesson_.facts, name, &Fact::name) != lesson_.facts.end())
        complain(at, 1, fmt::format("there is another fact `{}`", name), "names are unique in a lesson");
      lesson_.facts.push_back(std::move(fact));
    }
  }

  GpuChoice read_gpu(TomlTable& reader, int line) {
    GpuChoice choice;
    std::string own;
    std::vector<std::string> columns;
    reader.read("default", own);
    reader.read("caption", choice.caption);
    reader.read("columns", columns);
    if (gpu_line_ > 0) complain(line, 1, "a lesson has one choice of a GPU", "leave one out");
    gpu_line_ = line;
    const auto named = lesson_gpu(wanted_gpu_.empty() ? own : wanted_gpu_);
    if (named)
      lesson_.gpu = *named;
    else if (wanted_gpu_.empty())
      reader.complain("default", named.error().front().message, named.error().front().remedy);
    else
      std::ranges::copy(named.error(), std::back_inserter(wrong_));
    for (const std::string& each : columns) {
      const std::size_t colon = each.find(": ");
      if (colon == std::string::npos)
        reader.complain("columns", fmt::format("`{}` has no colon", each), "write \"heading: {fact}\"");
      else
        choice.columns.emplace_back(each.substr(0, colon), each.substr(colon + 2));
    }
    if (columns.empty())
      reader.complain("columns", "the choice of a GPU needs `columns`", "write [\"heading: {fact}\"]");
    return choice;
  }

  /// {gpu} becomes its name; in commands in quotes, as names have blanks.
  void name_gpu() {
    int named = 0;
    const auto put = [&](std::string& text) { named += put_value(text, "gpu", lesson_.gpu); };
    const std::string quoted = '"' + lesson_.gpu + '"';
    for_each_text(lesson_, put);
    for (Fact& fact : lesson_.facts) named += put_value(fact.compute, "gpu", quoted);
    for (Page& page : lesson_.pages) {
      put(page.heading);
      for (Block& block : page.blocks) {
        if (!block.question) continue;
        Question& q = *block.question;
        const int in_command = put_value(q.compute, "gpu", quoted);
        if (in_command > 0) q.gpu = lesson_.gpu;
        named += in_command;
      }
    }
    if (named > 0 && gpu_line_ == 0)
      complain(1, 1, "the lesson has no choice of a GPU, and names {gpu}", "add a block `gpu`");
    if (named == 0 && gpu_line_ > 0) complain(gpu_line_, 1, "nothing in the lesson names {gpu}", "leave the block out");
    if (!wanted_gpu_.empty() && gpu_line_ == 0)
      wrong_.push_back({.message = fmt::format("the lesson {} is about no GPU in particular", lesson_.name),
                        .remedy = "leave the GPU out"});
  }

  void check_facts() {
    for (const Fact& fact : lesson_.facts) {
      int used = 0;
      const std::string mark = fmt::format("{{{}}}", fact.name);
      for_each_text(lesson_, [&](std::string& text) { used += text.find(mark) != std::string::npos ? 1 : 0; });
      if (used == 0) complain(fact.line, 1, fmt::format("nothing in the lesson names {}", mark), "leave the fact out");
    }
  }

  static std::string_view trimmed_text(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || is_blank(text.back()))) text.remove_suffix(1);
    return text;
  }

  fs::path kernel(TomlTable& reader, const char* key, const std::string& name) {
    fs::path path = kernel_path(lesson_.folder, name);
    if (path.empty() && !name.empty()) {
      const Diagnostic why = no_kernel(lesson_.folder, name);
      reader.complain(key, why.message, why.remedy);
    }
    return path;
  }

  /// {file} and {gpu} stand for what is no option.
  static void check_compute(TomlTable& reader, const std::string& compute) {
    if (!reader.has("compute")) return;
    const auto words = split_words(compute);
    for (const Diagnostic& d : words ? refused_words(*words) : words.error())
      reader.complain("compute", d.message, d.remedy);
  }

  SavedMoment read_moment(TomlTable& reader) {
    SavedMoment m;
    std::string name;
    reader.read("kernel", name);
    read_moment_keys(reader, m);
    if (name.empty()) reader.complain("kernel", "a moment of a lesson needs a `kernel`", "add the name of a .cu file");
    m.kernel = kernel(reader, "kernel", name).string();
    if (reader.has("line") || m.kernel.empty()) return m;
    if (!reader.has("name")) {
      reader.complain("line", "a moment needs a `line`, or the `name` of one that is saved", "add either");
      return m;
    }
    return named_moment(reader, m);
  }

  /// A moment by its name: of the lesson's own file of moments for that kernel, else of the one beside the kernel.
  SavedMoment named_moment(TomlTable& reader, const SavedMoment& m) {
    const fs::path beside = moments_path(m.kernel);
    for (const fs::path& path : {lesson_.folder / beside.filename(), beside}) {
      if (!is_beside(path, path.parent_path())) continue;
      const auto text = read_file(path.string());
      const auto moments = text ? read_moments(*text, path.string(), m.kernel) : tl::unexpected(text.error());
      if (!moments) {
        if (broken_.insert(path.string()).second) std::ranges::copy(moments.error(), std::back_inserter(wrong_));
        return m;
      }
      for (const SavedMoment& saved : *moments) {
        if (saved.name != m.name) continue;
        SavedMoment found = saved;
        if (!m.caption.empty()) found.caption = m.caption;
        if (!m.notes.empty()) found.notes = m.notes;
        return found;
      }
    }
    reader.complain("name", fmt::format("no moment `{}` is saved for this kernel", m.name),
                    fmt::format("add it to {}, or say `line`", beside.filename().string()));
    return m;
  }

  Question read_question(TomlTable& reader, int line) {
    Question q{.line = line};
    std::string kind;
    reader.read("id", q.id);
    reader.read("kind", kind);
    reader.read("ask", q.ask);
    reader.read("compute", q.compute);
    reader.read("at", q.at, true);
    reader.read("unit", q.unit);
    reader.read("hint", q.hint);
    reader.read("why", q.why);
    reader.read("row", q.row);
    reader.read("choices", q.choices);
    reader.read("kernel", q.kernel);
    reader.read("solution", q.solution);
    reader.read("want", q.want);
    const std::optional<Question::Kind> known = enum_named<Question::Kind>(kind);
    if (!known)
      reader.complain("kind", kind.empty() ? "a question needs a `kind`" : fmt::format("there is no kind `{}`", kind),
                      fmt::format("one of {}", fmt::join(enum_names<Question::Kind>, ", ")));
    else
      q.kind = *known;
    check_compute(reader, q.compute);
    for (const char* key : {"id", "ask", "compute"})
      if (!reader.has(key)) reader.complain(key, fmt::format("a question needs `{}`", key), "add the key");
    if (!q.id.empty() && !is_name(q.id))
      reader.complain("id", fmt::format("`{}` is no id", q.id), "use letters, digits, - and _");
    if (!q.id.empty() && !ids_.insert(q.id).second)
      reader.complain("id", fmt::format("there is another question `{}`", q.id), "ids are unique in a lesson");
    if (known) check_kind(reader, q);
    return q;
  }

  void check_kind(TomlTable& reader, const Question& q) {
    const auto only = [&](const char* key, bool allowed) {
      if (reader.has(key) && !allowed)
        reader.complain(key, fmt::format("`{}` has no meaning for kind `{}`", key, kind_name(q.kind)), "leave it out");
    };
    const auto needs = [&](const char* key) {
      if (!reader.has(key))
        reader.complain(key, fmt::format("a question of kind `{}` needs `{}`", kind_name(q.kind), key), "add the key");
    };
    const bool code = q.kind == Question::Kind::code;
    only("choices", q.kind == Question::Kind::choice);
    only("row", q.kind == Question::Kind::row);
    only("unit", q.kind == Question::Kind::number || code);
    for (const char* key : {"kernel", "solution", "want"}) only(key, code);
    if (!code) needs("at");
    if (q.kind == Question::Kind::choice) {
      if (q.choices.size() < 2) reader.complain("choices", "a choice needs two `choices` or more", "add the list");
      if (std::set<std::string>(q.choices.begin(), q.choices.end()).size() != q.choices.size())
        reader.complain("choices", "two of the `choices` are equal", "leave one out");
    }
    if (q.kind == Question::Kind::row && !one_of(q.row, rows))
      reader.complain("row", "`row` must be a row of an assignment", fmt::format("one of {}", fmt::join(rows, ", ")));
    if (!code) return;
    needs("kernel");
    needs("solution");
    if (q.compute.find("{file}") == std::string::npos)
      reader.complain("compute", "a question about code computes with the learner's file",
                      "write {file} where it belongs");
    if (q.want.empty() != q.at.empty())
      reader.complain(q.want.empty() ? "at" : "want", "`at` and `want` belong together", "add the other one");
    if (!q.want.empty() && !is_condition(q.want))
      reader.complain("want", fmt::format("`{}` is no condition", q.want), "write <= 64, < 64, >= 64, > 64 or == 64");
    for (const auto& [key, name] : {std::pair{"kernel", q.kernel}, std::pair{"solution", q.solution}})
      if (!name.empty() && lesson_file(lesson_.folder, name).empty())
        reader.complain(key, fmt::format("the lesson's folder has no `{}`", name), "add the file");
  }

  static bool is_condition(std::string_view want);

  std::string_view text_;
  std::string file_;
  Lesson lesson_;
  Diagnostics wrong_;
  std::string paragraphs_;
  int paragraphs_line_ = 0;
  std::set<std::string> ids_, broken_;
  std::string_view wanted_gpu_;
  int gpu_line_ = 0;
};

bool LessonReader::is_condition(std::string_view want) {
  const std::size_t digits = want.find_first_not_of("<>= ");
  if (digits == std::string_view::npos) return false;
  const std::string_view sign = trimmed(want.substr(0, digits));
  char* end = nullptr;
  const std::string number(trimmed(want.substr(digits)));
  std::strtod(number.c_str(), &end);
  return one_of(sign, {"<=", "<", ">=", ">", "=="}) && end != number.c_str() && *end == '\0';
}

}  // namespace

std::vector<const Question*> Lesson::questions() const {
  std::vector<const Question*> out;
  for (const Page& page : pages)
    for (const Block& block : page.blocks)
      if (block.question) out.push_back(&*block.question);
  return out;
}

std::vector<const SavedMoment*> Lesson::moments() const {
  std::vector<const SavedMoment*> out;
  for (const Page& page : pages)
    for (const Block& block : page.blocks)
      if (block.moment) out.push_back(&*block.moment);
  return out;
}

fs::path lesson_file(const fs::path& folder, std::string_view name) {
  return !leads_out(name) && is_beside(folder / name, folder) ? folder / name : fs::path();
}

fs::path kernel_path(const fs::path& folder, std::string_view kernel) {
  if (leads_out(kernel)) return {};
  if (fs::path own = lesson_file(folder, kernel); !own.empty()) return own;
  std::error_code ignored;
  const fs::path installed = resources::assets_directory() / "kernels" / kernel;
  return fs::is_regular_file(installed, ignored) ? installed : fs::path();
}

Diagnostic no_kernel(const fs::path& folder, std::string_view kernel) {
  std::error_code ignored;
  if (leads_out(kernel) || fs::exists(folder / kernel, ignored))
    return {.message = fmt::format("`{}` leads out of the lesson's folder", kernel),
            .remedy = "put the file there; a lesson reads no other but kernels of the catalogue"};
  return {
      .message = fmt::format("there is no kernel `{}`, neither in the lesson's folder nor in the catalogue", kernel),
      .remedy = "name one of them with .cu"};
}

Expected<Lesson> read_lesson(const fs::path& folder, std::string_view gpu) {
  std::error_code ignored;
  if (fs::exists(folder / "lesson.md", ignored) && !is_beside(folder / "lesson.md", folder))
    return failure(Diagnostic{.file = (folder / "lesson.md").string(),
                              .message = "this is no file of the lesson's folder",
                              .remedy = "put the text itself there in place of a link"});
  const auto text = LS_TRY(read_file((folder / "lesson.md").string()));
  // "lessons/08-shuffles/" has no file name of its own.
  return LessonReader(folder.has_filename() ? folder : folder.parent_path(), text, gpu).read();
}

std::filesystem::path lessons_directory() { return resources::assets_directory() / "lessons"; }

std::vector<fs::path> lesson_folders(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (fs::exists(at->path() / "lesson.md", failed)) out.push_back(at->path());
  std::ranges::sort(out);
  return out;
}

Expected<fs::path> find_lesson(std::string_view name, const fs::path& folder) {
  std::error_code ignored;
  if (!name.empty() && fs::exists(fs::path(name) / "lesson.md", ignored)) return fs::path(name);
  std::vector<std::string> names;
  for (const fs::path& path : lesson_folders(folder)) {
    names.push_back(path.filename().string());
    const std::string& full = names.back();
    const std::size_t dash = full.find('-');
    const std::string number = full.substr(0, dash), rest = dash == std::string::npos ? full : full.substr(dash + 1);
    if (name == full || name == rest || name == number || "0" + std::string(name) == number) return path;
  }
  return failure(fmt::format("there is no lesson `{}`", name),
                 did_you_mean(name, names, "lanescope lessons lists them"));
}

std::string gpu_markdown(const Lesson& lesson, const GpuChoice& choice) {
  std::string table = "| " + lesson.gpu + " | |\n|---|---|\n";
  for (const auto& [heading, value] : choice.columns) table += fmt::format("| {} | {} |\n", heading, value);
  return table;
}

}  // namespace lanescope::lessons
