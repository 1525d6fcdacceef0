#include "net/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/filesystem/path.hpp>
#include <boost/process/v2/environment.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/start_dir.hpp>
#include <boost/process/v2/stdio.hpp>
#include <fstream>
#include <optional>
#include <thread>
#include <unordered_map>

#include "model/errors.hpp"
#include "net/await.hpp"

namespace pasb {
namespace {

namespace asio = boost::asio;
namespace process = boost::process::v2;

constexpr std::size_t kept_output = 256U << 10U;

std::string program_of(const Command& command) {
    std::string path = find_program(command.argv.at(0));
    if (path.empty()) {
        throw InputError(command.argv.at(0) + ": no such program in PATH: install it (make setup)");
    }
    return path;
}

std::unordered_map<std::string, std::string> environment_of(const Command& command) {
    std::unordered_map<std::string, std::string> env;
    for (const auto& entry : process::environment::current()) {
        const std::string name = entry.key().string();
        // No child needs a model's key: package clients and engines must not be able to leak one.
        if (!name.ends_with("_API_KEY")) {
            env[name] = entry.value().string();
        }
    }
    for (const auto& [name, value] : command.env) {
        env[name] = value;
    }
    return env;
}

std::vector<std::string> arguments_of(const Command& command) {
    return {command.argv.begin() + 1, command.argv.end()};
}

boost::filesystem::path no_input() {
    return "/dev/null";
}

std::string folder_of(const Command& command) {
    return command.folder.empty() ? "." : command.folder;
}

int exit_code_of(int native) {
    return WIFSIGNALED(native) ? 128 + WTERMSIG(native) : WEXITSTATUS(native);
}

// A group of its own: a stage script starts programs, which have to end with it.
struct OwnGroup {
    template <typename Launcher, typename Arguments>
    boost::system::error_code on_exec_setup(Launcher& /*launcher*/, const boost::filesystem::path& /*program*/,
                                            Arguments& /*argv*/) const {
        ::setpgid(0, 0);
        return {};
    }
};

void keep_tail(std::string& output, std::string_view piece) {
    output += piece;
    if (output.size() > 2 * kept_output) {
        output.erase(0, output.size() - kept_output);
    }
}

class Background : public BackgroundProcess {
  public:
    Background(const Command& command, const std::string& log)
        : log_(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
        if (log_ < 0) {
            throw InputError(log + ": cannot be written");
        }
        FILE* const sink = ::fdopen(log_, "a");
        child_.emplace(io_, program_of(command), arguments_of(command), process::process_stdio{no_input(), sink, sink},
                       process::process_environment(environment_of(command)),
                       process::process_start_dir(folder_of(command)));
        ::fclose(sink);
    }

    ~Background() override {
        boost::system::error_code ignored;
        if (!child_->running(ignored)) {
            return;
        }
        ::kill(pid(), SIGTERM);
        for (int tick = 0; tick < 20 && child_->running(ignored); ++tick) {
            std::this_thread::sleep_for(net::stop_poll);
        }
        if (child_->running(ignored)) {
            child_->terminate(ignored);
            child_->wait(ignored);
        }
    }

    bool running() override {
        boost::system::error_code ignored;
        return child_->running(ignored);
    }
    int pid() const override { return child_->id(); }

  private:
    int log_;
    asio::io_context io_{1};
    std::optional<process::process> child_;
};

}  // namespace

std::string find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        return ::access(name.c_str(), X_OK) == 0 ? name : "";
    }
    return process::environment::find_executable(name).string();
}

ProcessResult run_process(const Command& command, const Deadline& deadline, const std::string& log) {
    asio::io_context io{1};
    asio::readable_pipe reading(io);
    asio::basic_writable_pipe<asio::io_context::executor_type> writing(io);
    asio::connect_pipe(reading, writing);
    process::process child(io, program_of(command), arguments_of(command),
                           process::process_stdio{no_input(), writing, writing},
                           process::process_environment(environment_of(command)),
                           process::process_start_dir(folder_of(command)), OwnGroup{});
    writing.close();
    std::ofstream copy;
    if (!log.empty()) {
        copy.open(log, std::ios::app | std::ios::binary);
    }
    ProcessResult result;
    const auto kill_child = [&] {
        boost::system::error_code ignored;
        ::kill(-child.id(), SIGKILL);
        child.terminate(ignored);
        reading.close(ignored);
    };
    std::string piece(16U << 10U, '\0');
    while (true) {
        const auto read = net::await(
            io, deadline, command.argv[0],
            [&](auto handler) {
                reading.async_read_some(asio::buffer(piece.data(), piece.size()), std::move(handler));
            },
            kill_child);
        if (read.error) {
            break;
        }
        copy.write(piece.data(), static_cast<std::streamsize>(read.bytes));
        keep_tail(result.output, {piece.data(), read.bytes});
    }
    child.wait();
    result.exit_code = exit_code_of(child.native_exit_code());
    return result;
}

std::unique_ptr<BackgroundProcess> BackgroundProcess::start(const Command& command, const std::string& log) {
    // setpriv (util-linux, on every Debian) asks the kernel to end the child when the runner dies, also by SIGKILL.
    Command guarded = command;
    guarded.argv.at(0) = program_of(command);
    // setsid keeps a Ctrl-C at the terminal from the child: it has to live until the clean-up is done.
    guarded.argv.insert(guarded.argv.begin(), {"setsid", "setpriv", "--pdeathsig", "TERM", "--"});
    return std::make_unique<Background>(guarded, log);
}

}  // namespace pasb
