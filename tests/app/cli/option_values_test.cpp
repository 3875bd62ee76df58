// Values that no option can have, for each option that the manual page lists: refused, never ignored, never a crash.

#include <map>
#include <regex>
#include <set>

#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

struct Option {
  std::string name, type;  ///< type: empty for a flag
};

/// By command, as the manual page has them.
std::map<std::string, std::vector<Option>> options_of(const std::string& page) {
  std::map<std::string, std::vector<Option>> out;
  std::istringstream lines(page.substr(page.find("\n.SH COMMANDS\n")));
  const std::regex option(R"((?:\\fB[^ ]*\\fR, )*\\fB(\\-\\-[^ ]*)\\fR(?: \\fI(.*)\\fR)?)");
  std::string command;
  for (std::string line; std::getline(lines, line);) {
    std::smatch parts;
    if (line.starts_with(".SS "))
      command = line.substr(4);
    else if (line.starts_with(".SH ") && !out.empty())
      break;
    else if (std::regex_match(line, parts, option))
      out[command].push_back({std::regex_replace(parts[1].str(), std::regex(R"(\\-)"), "-"), parts[2]});
  }
  return out;
}

class OptionValues : public ProgramTest, public testing::WithParamInterface<const char*> {
 protected:
  /// In the test's folder, where files may be written.
  Result run_here(const std::string& arguments) const {
    const std::string command =
        fmt::format("cd '{}' && unset DISPLAY WAYLAND_DISPLAY && '{}' {} < /dev/null > '{}' 2> '{}'", path(""), program,
                    arguments, path("out"), path("err"));
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(path("out")), slurp(path("err"))};
  }
  /// A command line that does what it should.
  static std::string base(const std::string& command) {
    const std::string root = std::string(LANESCOPE_SOURCE_DIR) + "/", kernel = root + "assets/kernels/no_comments.cu",
                      ptx = fmt::format("{}{}copy.ptx --launch {}{}copy.toml", root, data, root, data);
    const std::map<std::string, std::string> all = {
        {"check", ptx},
        {"review", ptx},
        {"run", ptx},
        {"measure", ptx},
        {"render", ptx + " --view timeline -o picture.svg"},
        {"annotate", "--no-nvrtc " + kernel},
        {"handout", ptx + " -o page.html"},
        {"journey", ptx + " 'a[0]'"},
        {"resources", "--no-nvrtc " + kernel},
        {"occupancy", "--registers 32 --threads 64"},
        {"access", "--space global --op ld --width 4 --pattern aligned"},
        {"plan",
         "--target none --type u8 --from 'register: j0; thread: j5 j4 j3 j2 j1' --to 'register: j5; thread: j0 j4 "
         "j3 j2 j1'"},
        {"threads", "--block 32"},
        {"explain", "add.s32"},
        {"adopt", root + "tests/data/engine/half2.cu"},
        {"lesson", "1 --page 1"}};
    const auto found = all.find(command);
    return command + " " + (found == all.end() ? std::string() : found->second);
  }
};

bool is_number(const std::string& type) {
  return type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT") || type.starts_with("BYTES");
}

bool has_long_number(const std::string& text) { return std::regex_search(text, std::regex("[0-9]{40}")); }

TEST_P(OptionValues, AreRefusedWhereTheyCannotBe) {
  const std::string command = GetParam();
  const auto all = options_of(run("man").out);
  ASSERT_TRUE(all.contains("check"));
  ASSERT_TRUE(all.contains(command));
  std::set<std::string> shared;
  if (command != "check")
    for (const Option& o : all.at("check")) shared.insert(o.name);
  const std::string line = base(command), digits(300, '7');
  const Result usual = run_here(line);
  int numbers = 0;
  for (const Option& o : all.at(command)) {
    if (o.type.empty()) continue;
    const auto with = [&](const std::string& value) {
      const Result r = run_here(fmt::format("{} {} '{}'", line, o.name, value));
      EXPECT_TRUE(r.status >= 0 && r.status <= 3) << line << " " << o.name << " " << value << ": " << r.status << r.err;
      return r;
    };
    EXPECT_EQ(with("").status, 2) << command << " " << o.name << " ''";
    if (shared.contains(o.name)) continue;  // the same code reads it
    for (const std::string& value : {std::string("-1"), std::string("x"), std::string("1e9"), digits}) {
      if (!is_number(o.type) && (o.name.starts_with("--output") || o.type.starts_with("FILE") || o.name == "--array"))
        continue;  // any word names a file or a command
      const Result r = with(value);
      if (is_number(o.type) && value != "1e9") {
        ++numbers;
        EXPECT_EQ(r.status, 2) << command << " " << o.name << " " << value << r.out;
        EXPECT_FALSE(has_long_number(r.err)) << command << " " << o.name << ": " << r.err;
      }
      // A value without effect would have been ignored.
      EXPECT_TRUE(r.status != usual.status || r.out != usual.out || r.err != usual.err || usual.status != 0)
          << command << " " << o.name << " " << value << " is ignored";
    }
  }
  if (command == "check") {
    EXPECT_GT(numbers, 20);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, OptionValues,
                         testing::Values("check", "review", "run", "measure", "render", "annotate", "handout",
                                         "journey", "resources", "occupancy", "access", "plan", "threads", "explain",
                                         "adopt", "lesson"),
                         [](const auto& info) { return std::string(info.param); });

using Refused = ProgramTest;

TEST_F(Refused, OptionsOfSomethingThatIsNotThere) {
  const struct {
    std::string arguments, words;
  } cases[] = {{"check " + copy + "--device 5", "--device is of a GPU"},
               {"run " + copy + "--gpu-limit 5", "--gpu-limit is of a GPU"},
               {"check " + copy + "--arch ''", "--arch: the value is empty"},
               {"check " + copy + "--history -1", "--history: -1 is negative"},
               {"run " + copy + "--via-wait 3", "--via-wait is of --via"},
               {"run " + copy + "--array-tasks 3", "--array-tasks is of --array"},
               {"run " + copy + "--via 'cat' --via 'cat'", "there is one run"},
               {"measure --engine emulator " + copy, "--engine"},
               {"occupancy --registers 32 --threads 64 --seed 3", "--seed is of a kernel file"},
               {"occupancy --registers 32 --threads 64 --shared -5", "--shared"}};
  for (const auto& c : cases) {
    const Result r = run(c.arguments);
    EXPECT_EQ(r.status, 2) << c.arguments << r.out << r.err;
    EXPECT_NE(r.err.find(c.words), std::string::npos) << c.arguments << "\n" << r.err;
    EXPECT_LT(r.err.size(), 400u) << r.err;
  }
}

TEST_F(Refused, MeasureDoesNotAdviseWhatItRefuses) {
  const Result r = run("measure " + copy);
  if (r.status == 0) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(r.err.find("--engine emulator"), std::string::npos) << r.err;
}

/// Lessons, scripts and people know the names that options had.
TEST_F(Refused, OldNamesAreReadAndShownNowhere) {
  const std::string chain =
      "plan --target none --type u8 --from 'register: j0; thread: j5 j4 j3 j2 j1' --to 'register: j5; thread: j0 j4 j3 "
      "j2 "
      "j1' ";
  const struct {
    std::string command, old, now;
  } cases[] = {{"access --space global --op ld --width 4 --pattern misaligned:4 ", "--arch sm_20", "--gpu sm_20"},
               {"access --space global --op ld --width 4 --pattern misaligned:4 ", "--arch=K20", "--gpu=K20"},
               {"explain ld.global.ca.f32 ", "--arch K40", "--gpu K40"},
               {"run " + copy, "--out b=" + path("b.npy"), "-o b=" + path("b.npy")},
               {chain, "--emit " + path("a.cuh"), "--output " + path("a.cuh")},
               {chain, "--kernel " + path("k.cu"), "--kernel-file " + path("k.cu")}};
  const std::string help = run("--help-all").out + run("man").out + run("completion bash").out;
  for (const auto& c : cases) {
    const Result now = run(c.command + c.now);
    EXPECT_EQ(now.status, 0) << c.command << c.now << now.err;
    EXPECT_EQ(run(c.command + c.old), now) << c.command << c.old;
  }
  for (const char* name : {"--emit", "--out "}) EXPECT_EQ(help.find(name), std::string::npos) << name;
  EXPECT_EQ(run("access --help").out.find("--arch"), std::string::npos);
  EXPECT_EQ(run("check --arch sm_80 --help").status, 0) << "the names of one command are not those of another";
}

}  // namespace
}  // namespace lanescope::cli
