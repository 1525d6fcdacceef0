// Child processes of the runner itself (image stages, the private engine service). Agents are never started through
// this.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "net/deadline.hpp"

namespace pasb {

struct Command {
    std::vector<std::string> argv;           // argv[0] is looked up in PATH
    std::map<std::string, std::string> env;  // added to the runner's environment
    std::string folder;                      // working folder; empty: the runner's
};

struct ProcessResult {
    int exit_code = -1;  // 128 + signal where a signal ended it
    std::string output;  // stdout and stderr as they came, the last `keep` bytes
};

// Runs to the end and returns what it printed. `log` (may be empty) names a file that gets all of the output.
// Throws NetError timeout or cancelled (the child is killed first) and InputError when the program does not exist.
ProcessResult run_process(const Command& command, const Deadline& deadline, const std::string& log = {});

// A child in the background; its output goes to a file. The destructor ends it (SIGTERM, then SIGKILL after two
// seconds). The child also gets SIGTERM from the kernel when the runner dies, so a killed runner leaves no service
// behind.
class BackgroundProcess {
  public:
    static std::unique_ptr<BackgroundProcess> start(const Command& command, const std::string& log);
    BackgroundProcess() = default;
    BackgroundProcess(const BackgroundProcess&) = delete;
    BackgroundProcess& operator=(const BackgroundProcess&) = delete;
    virtual ~BackgroundProcess() = default;
    [[nodiscard]] virtual bool running() = 0;
    [[nodiscard]] virtual int pid() const = 0;
};

// Full path of a program in PATH, or the path itself when it is one; empty when there is none.
std::string find_program(const std::string& name);

}  // namespace pasb
