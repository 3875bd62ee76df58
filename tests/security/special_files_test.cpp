// Files that are not regular, or larger than memory, are refused by name before they are read: with every
// command, in every place where a file is looked for.

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "tests/security/started.h"

namespace lanescope::security {
namespace {

namespace fs = std::filesystem;

constexpr const char* kernel_with_header =
    "/*\n[lanescope]\ngrid = 1\nblock = 32\n\n[buffers]\np = \"u32 i:32\"\n*/\n"
    "#include \"part.h\"\n"
    "__global__ void k(unsigned* p) { p[threadIdx.x] = threadIdx.x; }\n";

class SpecialFiles : public cli::ProgramTest {
 protected:
  struct Ended {
    int status = -1;  ///< 124: it did not end
    std::string out;
    std::uint64_t most_bytes = 0;  ///< of its memory, and of each child that it waited for
  };

  /// In an empty folder for caches, so that all is done.
  Ended lanescope(const std::string& arguments) const {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const std::string command =
        fmt::format("exec env -u DISPLAY -u WAYLAND_DISPLAY XDG_CACHE_HOME='{}' timeout 100 '{}' {}", path("cache"),
                    cli::program, arguments);
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(ends[1], STDOUT_FILENO), ::dup2(ends[1], STDERR_FILENO);
      ::close(STDIN_FILENO);
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    Ended out;
    char chunk[4096];
    for (ssize_t got = 0; (got = ::read(ends[0], chunk, sizeof chunk)) > 0;)
      out.out.append(chunk, static_cast<std::size_t>(got));
    ::close(ends[0]);
    int status = 0;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    if (WIFEXITED(status)) out.status = WEXITSTATUS(status);
    out.most_bytes = static_cast<std::uint64_t>(used.ru_maxrss) << 10;
    return out;
  }

  /// A pipe, a socket and links to devices and to a pipe, each under a name with this ending.
  std::vector<std::string> special_files(const std::string& ending) const {
    const auto name = [&](const std::string& kind) { return path(kind + ending); };
    std::error_code ignored;
    if (fs::exists(name("pipe"), ignored)) return {name("pipe"), name("zero"), name("link"), name("socket")};
    EXPECT_EQ(::mkfifo(name("pipe").c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", name("zero"));
    fs::create_symlink(name("pipe"), name("link"));
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    name("socket").copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(socket);
    return {name("pipe"), name("zero"), name("link"), name("socket")};
  }
};

TEST_F(SpecialFiles, AreRefusedByNameWhereTheyAreNamed) {
  write("part.h", "");
  write("k.cu", kernel_with_header);
  struct Case {
    std::string ending, command;
  };
  const std::string out = path("out");
  for (const Case& c :
       std::vector<Case>{{".cu", "check {}"},
                         {".cu", "review {}"},
                         {".cu", "run {}"},
                         {".cu", "kernels {}"},
                         {".cu", "resources {}"},
                         {".cu", "handout {} -o " + out + ".html"},
                         {".cu", "annotate {}"},
                         {".cu", "adopt {}"},
                         {".cu", "threads {}"},
                         {".cu", "render {} --view registers -o " + out + ".svg"},
                         {".ptx", "run {}"},
                         {".ptx", "explain {}"},
                         {".toml", "run tests/data/engine/copy.ptx --launch {}"},
                         {".toml", "plan {}"},
                         {".json", "render --measured {} " + path("k.cu") + " --view metrics -o " + out + ".svg"}}) {
    for (const std::string& file : special_files(c.ending)) {
      const Ended r = lanescope(fmt::format(fmt::runtime(c.command), "'" + file + "'"));
      EXPECT_EQ(r.status, 2) << c.command << " " << r.out;
      EXPECT_NE(r.out.find(file), std::string::npos) << c.command << " " << r.out;
      EXPECT_NE(r.out.find("only regular files are read"), std::string::npos) << c.command << " " << r.out;
      EXPECT_LT(r.most_bytes, std::uint64_t{200} << 20) << c.command;
    }
  }
  for (const char* ending : {".html", ".svg"}) EXPECT_FALSE(fs::exists(out + ending));
}

/// Files that are looked for beside a kernel: none of them is waited for.
TEST_F(SpecialFiles, AreNotWaitedForBesideAKernel) {
  for (const char* name : {".lanescope.toml", "compile_commands.json", "Makefile", "CMakeLists.txt", "k.moments.toml",
                           "part.h", "other.cu", "k.sm_90.ptx", "main.cpp", ".git"})
    for (const bool zero : {false, true}) {
      const fs::path folder = path(fmt::format("beside-{}-{}", name, zero));
      fs::create_directories(folder);
      std::ofstream(folder / "k.cu") << kernel_with_header;
      if (name != std::string("part.h")) std::ofstream(folder / "part.h") << "";
      if (zero)
        fs::create_symlink("/dev/zero", folder / name);
      else
        ASSERT_EQ(::mkfifo((folder / name).c_str(), 0600), 0);
      const Ended r = lanescope(fmt::format("check '{}'", (folder / "k.cu").string()));
      EXPECT_NE(r.status, 124) << name << " " << r.out;
      EXPECT_LT(r.most_bytes, std::uint64_t{1} << 30) << name;
    }
}

TEST_F(SpecialFiles, OfALessonAreRefused) {
  for (const char* name : {"lesson.md", "k.cu", "k.moments.toml"}) {
    const fs::path folder = path(std::string("lesson-") + name);
    fs::create_directories(folder);
    std::ofstream(folder / "lesson.md") << "# Title\n\n## Page\n\n```moment\nkernel = \"k.cu\"\nname = \"m\"\n```\n";
    std::ofstream(folder / "part.h") << "";
    std::ofstream(folder / "k.cu") << kernel_with_header;
    std::error_code ignored;
    fs::remove(folder / name, ignored);
    ASSERT_EQ(::mkfifo((folder / name).c_str(), 0600), 0);
    for (const char* command : {"lesson '{}'", "lesson '{}' --json", "lesson '{}' --check"}) {
      const Ended r = lanescope(fmt::format(fmt::runtime(command), folder.string()));
      EXPECT_EQ(r.status, 2) << name << " " << r.out;
    }
  }
}

TEST_F(SpecialFiles, ContentsOfABufferToo) {
  write("part.h", "");
  for (const std::string& file : special_files(".npy")) {
    const std::string name = fs::path(file).filename().string();
    write("k.cu",
          "/*\n[lanescope]\ngrid = 1\nblock = 32\n\n[buffers]\np = { type = \"u32\", axes = \"i:32\", init = \"" +
              name + "\" }\n*/\n__global__ void k(unsigned* p) { p[threadIdx.x] += 1; }\n");
    const Ended r = lanescope("run '" + path("k.cu") + "'");
    EXPECT_EQ(r.status, 2) << r.out;
    // A link to another folder is refused for that, before its target is read.
    const bool leaves = fs::canonical(file).parent_path() != fs::canonical(path(""));
    const std::string words = leaves ? "is not in the project's folder" : "only regular files are read";
    EXPECT_NE(r.out.find(words), std::string::npos) << r.out;
    EXPECT_LT(r.most_bytes, std::uint64_t{400} << 20);
  }
}

TEST_F(SpecialFiles, LargeFilesAreRefusedBeforeTheyAreRead) {
  for (const char* name : {"k.cu", "k.ptx", "x.npy"}) {
    write(name, "// ");
    ASSERT_EQ(::truncate(path(name).c_str(), std::int64_t{1} << 38), 0);
  }
  for (const char* name : {"k.cu", "k.ptx"}) {
    const Ended r = lanescope("check '" + path(name) + "'");
    EXPECT_EQ(r.status, 2);
    EXPECT_NE(r.out.find("the file has 256 GiB, and at most 64 MiB are read"), std::string::npos) << r.out;
    EXPECT_LT(r.most_bytes, std::uint64_t{60} << 20);
  }
  write(
      "n.cu",
      "/*\n[lanescope]\ngrid = 1\nblock = 32\n\n[buffers]\np = { type = \"u32\", axes = \"i:32\", init = \"x.npy\" }\n"
      "*/\n__global__ void k(unsigned* p) { p[threadIdx.x] += 1; }\n");
  const Ended r = lanescope("run '" + path("n.cu") + "'");
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.out.find("the file has 256 GiB"), std::string::npos) << r.out;
}

/// A stream that the person names is read, a stream that does not end is left.
TEST_F(SpecialFiles, StandardInputIsReadWhereItIsNamed) {
  write("part.h", "");
  write("k.cu", kernel_with_header);
  EXPECT_EQ(lanescope("kernels /dev/stdin < '" + path("k.cu") + "'").status, 0);
  EXPECT_EQ(lanescope("kernels /dev/fd/5 5< '" + path("k.cu") + "'").status, 0);
  const Ended endless = lanescope("check /dev/stdin --max-seconds 60 < /dev/zero");
  EXPECT_EQ(endless.status, 2) << endless.out;
  EXPECT_NE(endless.out.find("the file has more, and at most 64 MiB are read"), std::string::npos) << endless.out;
  ASSERT_EQ(::mkfifo(path("quiet").c_str(), 0600), 0);
  const Ended quiet = lanescope("check /dev/stdin --max-seconds 1 <> '" + path("quiet") + "'");
  EXPECT_EQ(quiet.status, 3) << quiet.out;
  EXPECT_NE(quiet.out.find("timeout: reading was stopped after 1 s"), std::string::npos) << quiet.out;
  write("k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n");
  const Ended launch =
      lanescope("run '" + path("k.ptx") + "' --launch /dev/stdin --max-seconds 1 <> '" + path("quiet") + "'");
  EXPECT_EQ(launch.status, 3) << launch.out;
}

// --- memory ---

TEST_F(SpecialFiles, MemoryOfThreadsAndBuffersIsRefusedByName) {
  write("local.cu",
        "__global__ void k(int* p, int n) {\n  int a[100000000];\n  for (int i = 0; i < 4; ++i) a[(i * n) % 100000000] "
        "= i;\n"
        "  p[threadIdx.x] = a[n];\n}\n");
  const Ended local = lanescope("run '" + path("local.cu") + "' --max-memory 1GiB");
  EXPECT_NE(local.out.find("local.cu:2:7: each thread has 381.5 MiB of local memory"), std::string::npos) << local.out;
  EXPECT_NE(local.out.find("; the largest array is `a` (381.5 MiB)"), std::string::npos) << local.out;
  EXPECT_LT(local.most_bytes, std::uint64_t{400} << 20);
  write("buffer.cu",
        "/*\n[lanescope]\ngrid = 1\nblock = 32\n\n[buffers]\np = \"u32 i:1000000000\"\n*/\n"
        "__global__ void k(unsigned* p) { p[threadIdx.x] = 1; }\n");
  const Ended buffer = lanescope("run '" + path("buffer.cu") + "' --max-memory 1GiB");
  EXPECT_EQ(buffer.status, 2);
  EXPECT_NE(buffer.out.find("buffer.cu:7"), std::string::npos) << buffer.out;
  EXPECT_NE(buffer.out.find("within 1 GiB of memory"), std::string::npos) << buffer.out;
}

// Memory use is watched: when too much is in use, the program ends with a sentence, and not by the system.
TEST_F(SpecialFiles, MemoryThatGrowsIsASentence) {
  write("part.h", "");
  write("k.cu", kernel_with_header);
  for (const char* command : {"check", "run"}) {
    const Ended r = lanescope(fmt::format("{} '{}' --json --max-memory 8MiB", command, path("k.cu")));
    EXPECT_EQ(r.status, 3) << r.out;
    EXPECT_NE(r.out.find("of memory are in use, and 8 MiB may be"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("\"diagnostics\": ["), std::string::npos) << r.out;
  }
}

}  // namespace
}  // namespace lanescope::security
